//! Real engines, and hostile ones.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use arena::{
    Adjudication, Contest, Contestant, ContestantKind, End, MatchVerdict, Openings, PlayedGame,
    Standing,
};
use play::Stop;
use protocols::Patience;
use serde_json::Value;

use crate::support::{command, zermelo};

fn contest(game: &str, judged: Contestant, measure: &str, pairs: usize) -> Contest {
    Contest {
        game: game.to_owned(),
        contestants: [judged, measure.parse().unwrap()],
        pairs,
        openings: Openings::Random { plies: 2 },
        limits: None,
        // No test asserts a time, save where lateness is the point.
        grace: Duration::from_secs(60),
        adjudication: Adjudication::default(),
        at_once: 1,
        seed: 1,
    }
}

fn run(contest: &Contest) -> (Standing, Vec<PlayedGame>) {
    let mut games = Vec::new();
    let standing = contest.run(&[], &Stop::new(), &mut |_, pair| {
        games.extend(pair.games.iter().cloned());
        MatchVerdict::On
    });
    (standing.unwrap(), games)
}

/// An engine that does what a shell script says when it is to move, and whatever else it should; waited for only a moment.
fn hostile(on_go: &str) -> Contestant {
    let script = format!(
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) {on_go};; \
         quit) exit;; esac; done"
    );
    impatient(&format!("uci:/bin/sh -c \"{script}\" limit.time=0.1"))
}

fn impatient(text: &str) -> Contestant {
    let mut contestant: Contestant = text.parse().unwrap();
    let ContestantKind::Engine(engine) = &mut contestant.kind else {
        panic!("{text} is no engine")
    };
    engine.setup.patience = Patience {
        greeting: Duration::from_secs(2),
        lateness: Duration::from_millis(700),
        timeless: Duration::from_secs(2),
    };
    contestant
}

/// Whatever an engine does, it loses its games for a reason that is told, and the match goes on.
#[test]
fn hostile_engines_lose_and_are_named() {
    for (what, on_go, reason) in [
        ("silent", "true", "gave no move within"),
        ("dying", "exit 3", "the engine ended (exit status: 3)"),
        ("killed", "kill -9 $$", "the engine ended (signal: 9"),
        ("lying", "echo bestmove e2e5", "the engine said \"bestmove e2e5\""),
        ("babbling", "echo bestmove", "gave no move within"),
        ("slow", "sleep 20; echo bestmove e2e4", "gave no move within"),
        ("endless info", "while :; do echo info depth 1; done", "the engine"),
        ("a gigabyte in a line", "head -c 1000000000 /dev/zero | tr '\\\\0' x", "the engine"),
        (
            "a hundred megabytes in lines",
            "head -c 100000000 /dev/zero | tr '\\\\0' '\\\\n'",
            "the engine",
        ),
        ("deaf", "exec 0<&-; sleep 20", "gave no move within"),
        ("mute", "exec 1>&-; sleep 20", "the engine ended"),
    ] {
        let (standing, games) = run(&contest("chess", hostile(on_go), "random", 1));
        assert_eq!(standing.score.losses, 2, "{what}: {standing:?}");
        assert_eq!(standing.forfeits.len(), 2, "{what}");
        assert!(
            standing.forfeits.iter().all(|f| f.starts_with("sh: ") && f.contains(reason)),
            "{what}: {standing:?}"
        );
        for game in games {
            assert!(matches!(game.finished.end, End::Forfeit(_)), "{what}");
            assert!(game.record.result.is_some() && game.finished.winner != Some(game.side));
        }
    }
}

/// What does not even greet is refused before the first game.
#[test]
fn engines_that_cannot_be_started_are_named() {
    for (text, reason) in [
        ("uci:/nowhere/engine", "could not be started"),
        ("uci:/bin/true", "the engine ended"),
        ("uci:/bin/sleep 20", "gave no uciok"),
        ("uci:/usr/games/glaurung option.Nothing=1", "it has no option Nothing"),
    ] {
        let contest = contest("chess", impatient(text), "random", 1);
        let error =
            contest.run(&[], &Stop::new(), &mut |_, _| MatchVerdict::On).unwrap_err().to_string();
        assert!(error.contains(reason) && !error.contains('\n'), "{text}: {error}");
    }
}

/// An engine's children end with it, also those of one that does not leave when it is told.
#[test]
fn nothing_is_left_running() {
    let mark = format!("98765{}", std::process::id());
    let stubborn = hostile(&format!("sleep {mark} & trap '' TERM; while :; do sleep {mark}; done"));
    let (standing, _) = run(&contest("chess", stubborn, "random", 1));
    assert_eq!(standing.score.losses, 2);
    let still_there = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
            .filter(|line| String::from_utf8_lossy(line).split('\0').any(|word| word == mark))
            .count()
    };
    // The system takes a moment to end what it was told to end.
    for _ in 0..200 {
        if still_there() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("{} processes are left", still_there());
}

/// An engine that dies now and then is started again, and plays on.
#[test]
fn a_dead_engine_is_started_again() {
    let marker =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("died-{}", std::process::id()));
    let _ = std::fs::remove_file(&marker);
    let zermelo = env!("CARGO_BIN_EXE_zermelo");
    let marker_text = marker.display();
    // The first one dies when it is to move; the second is an engine.
    let script = format!(
        "if [ -e {marker_text} ]; then exec {zermelo} engine chess; fi; while read -r line; do case $line in \
         uci) echo uciok;; isready) echo readyok;; go*) touch {marker_text}; exit 1;; esac; done"
    );
    let engine: Contestant =
        format!("uci:/bin/sh -c \"{script}\" limit.nodes=200").parse().unwrap();
    let (standing, _) = run(&contest("chess", engine, "random", 1));
    std::fs::remove_file(&marker).unwrap();
    assert_eq!(standing.forfeits.len(), 1, "{standing:?}");
    assert_eq!((standing.score.losses, standing.score.wins), (1, 1), "{standing:?}");
}

/// Small engines of other people, in both of the protocols they speak. All games end by the rules.
#[test]
fn real_chess_engines_play() {
    for text in [
        "uci:/usr/games/gnuchess --uci option.OwnBook=false limit.depth=2",
        "uci:/usr/games/glaurung \"option.OwnBook=false\" option.Threads=1 option.Ponder=false limit.depth=2",
        "uci:/usr/games/toga2 option.OwnBook=false limit.depth=2",
        "cecp:/usr/games/phalanx -b- limit.time=0.05",
    ] {
        let engine: Contestant = text.parse().unwrap();
        let ContestantKind::Engine(foreign) = &engine.kind else { panic!("{text}") };
        let program = &foreign.setup.program.program;
        assert!(Path::new(program).exists(), "{program} is missing: its Debian package is right");
        let (standing, games) = run(&contest("chess", engine.clone(), "nodes=200", 1));
        assert!(standing.forfeits.is_empty(), "{text}: {standing:?}");
        assert!(games.iter().all(|game| matches!(game.finished.end, End::Rules(_))), "{text}");
        let thoughts = games.iter().flat_map(|game| &game.finished.thoughts);
        let values =
            thoughts.filter(|thought| thought.analysis.as_ref().is_some_and(|a| a.value.is_some()));
        assert!(values.count() > 20, "{text} says what it thinks");
    }
}

/// Fischer's chess with an engine that knows it: castling is written in another way.
#[test]
fn our_own_engine_plays_itself_in_fischers_chess() {
    let zermelo = env!("CARGO_BIN_EXE_zermelo");
    let engine: Contestant = format!("uci:{zermelo} engine chess limit.nodes=300").parse().unwrap();
    for game in ["chess:fischer=100", "chess:fischer=518", "chess"] {
        let (standing, games) = run(&contest(game, engine.clone(), "nodes=300", 1));
        assert!(standing.forfeits.is_empty(), "{game}: {standing:?}");
        assert!(games.iter().all(|game| matches!(game.finished.end, End::Rules(_))));
    }
}

/// python-chess plays our engine: options, limits, several lines, pondering, analysis.
#[test]
fn python_chess_plays_our_engine() {
    let folder = std::env::var_os("ZERMELO_TEST_PYTHON").map(PathBuf::from);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python_chess.py");
    let mut python = Command::new("python3");
    if let Some(folder) = folder {
        python.env("PYTHONPATH", folder);
    }
    let output = python.arg(script).arg(env!("CARGO_BIN_EXE_zermelo")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.trim_end().ends_with("all is well"),
        "{said}\n{complaint}\n(`cargo xtask test` installs python-chess; `pip install chess` does too)"
    );
}

/// A match that is killed goes on where it was, and nothing is played twice.
#[test]
fn a_killed_match_goes_on() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("killed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (journal, games) = (folder.join("journal"), folder.join("games.sgf"));
    let arguments = || {
        let [journal, games] = [&journal, &games].map(|path| path.to_str().unwrap().to_owned());
        let words = "match reversi:6x6 depth=4 depth=3 --games 60 --json --threads 2";
        let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        words.extend(["--journal".to_owned(), journal, "--save".to_owned(), games]);
        words
    };
    let mut child =
        command().args(arguments()).stdout(std::process::Stdio::null()).spawn().unwrap();
    while std::fs::read_to_string(&journal).unwrap_or_default().lines().count() < 6 {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = zermelo(&arguments());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["games"], 60);
    let pairs = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(pairs.lines().filter(|line| line.starts_with("pair ")).count(), 30);
    // A game may have been saved twice if the kill came between the file and the journal, never lost.
    let saved = std::fs::read_to_string(&games).unwrap().matches("(;").count();
    assert!((60..=64).contains(&saved), "{saved}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Our own engine keeps to its protocol, and a hostile one is told where it does not.
#[test]
fn engines_are_checked() {
    let own = format!("uci:{} engine chess", env!("CARGO_BIN_EXE_zermelo"));
    let ran = zermelo(&["check", &own, "--games", "2", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["fine"], true);
    assert!(answer["engines"][0]["findings"].as_array().unwrap().len() >= 8);
    let liar = "uci:/bin/sh -c \"while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                go*) echo bestmove e2e5;; esac; done\"";
    let ran = zermelo(&["check", liar, "--games", "1"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("WRONG plays legal games to their end"), "{}", ran.out);
    let ran = zermelo(&["check", "/bin/true"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
}

#[test]
fn people_talk_to_engines() {
    let own = format!("uci:{} engine chess", env!("CARGO_BIN_EXE_zermelo"));
    let ran =
        crate::support::with_input(&["talk", &own], b"uci\nposition startpos\ngo depth 2\nquit\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in ["go movetime 1000", "uciok", "the engine has left: exit status: 0"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let ran = zermelo(&["talk", "hard"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
}

/// A tournament has a table, in words and in JSON; interrupted, it goes on.
#[test]
fn tournaments_have_a_table() {
    let words = "tournament reversi:4x4 depth=3 depth=1 random --games 4 --json";
    let ran = zermelo(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let table = answer["table"].as_array().unwrap();
    assert_eq!(table.len(), 3);
    assert!(table.iter().all(|row| row["games"] == 8), "{answer}");
    let words =
        "tournament tictactoe depth=9 random adjacent depth=2 --games 2 --format knockout --json";
    let ran = zermelo(&words.split(' ').collect::<Vec<_>>());
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(answer["champion"].is_string(), "{answer}");
}

/// A sequential test ends a match that is clear.
#[test]
fn a_clear_match_ends_early() {
    let words = "match reversi:6x6 depth=3 random --games 1000 --sprt 0,50 --json";
    let ran = zermelo(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["sprt"]["decision"], "H1");
    assert!(answer["games"].as_u64().unwrap() < 1000, "{answer}");
    for wrong in ["5,0", "x", "0,5,0.7,0.1", "0"] {
        let ran = zermelo(&["match", "reversi", "random", "random", "--sprt", wrong]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{wrong}: {ran:?}");
    }
}

/// Openings may come from a file; clocks and scores stand in the games that are saved.
#[test]
fn saved_games_tell_clocks_and_scores() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("saved-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (openings, saved) = (folder.join("openings.pgn"), folder.join("games.pgn"));
    std::fs::write(&openings, "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n").unwrap();
    let [openings, saved_text] = [&openings, &saved].map(|path| path.to_str().unwrap());
    let ran = zermelo(&[
        "match",
        "chess",
        "depth=2",
        "depth=1",
        "--games",
        "4",
        "--openings",
        openings,
        "--each",
        "clock=60+0.5",
        "--save",
        saved_text,
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let clocked = zermelo(&[
        "match",
        "chess",
        "threads=1",
        "random",
        "--games",
        "2",
        "--each",
        "clock=1+0.05",
        "--grace",
        "5000",
        "--save",
        saved_text,
        "--json",
    ]);
    assert_eq!(clocked.code, Some(0), "{clocked:?}");
    let text = std::fs::read_to_string(&saved).unwrap();
    assert!(text.contains("[%clk 0:00:0") && text.contains("[White \"threads=1\"]"), "{text}");
    let read = zermelo(&["record", "chess", saved_text]);
    assert_eq!(read.code, Some(0), "{read:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Games of Reversi may be saved as GGF, any game as a transcript.
#[test]
fn games_are_saved_as_their_name_says() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("forms-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let save = |game: &str, name: &str| {
        let file = folder.join(name);
        let ran = zermelo(&[
            "match",
            game,
            "depth=1",
            "random",
            "--games",
            "2",
            "--save",
            file.to_str().unwrap(),
        ]);
        (ran, std::fs::read_to_string(&file).unwrap_or_default())
    };
    let (ran, text) = save("reversi", "games.ggf");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let games = protocols::ggf::read_all(&text).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].tag("PB"), games[1].tag("PB")), (Some("depth=1"), Some("random")));
    let (ran, text) = save("tictactoe", "games.txt");
    assert_eq!((ran.code, text.lines().count()), (Some(0), 2), "{text}");
    let (ran, _) = save("chess", "games.ggf");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
