//! Generated engines, and the checks that engines of line games go through.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, command, speak, zermelo};

const PROGRAM: &str = env!("CARGO_BIN_EXE_zermelo");

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What is built is kept for the next time, as it is for users.
fn generate(arguments: &[&str], out: &Path) -> Ran {
    let mut command = command();
    command.env("ZERMELO_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command.arg("generate").args(arguments).arg("--out").arg(out);
    speak(&mut command, b"")
}

fn files_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

/// The names of the checks that an engine did not pass.
fn failed(engine: &str, timeout: &str) -> Vec<String> {
    let ran = zermelo(&["check", engine, "--json", "--timeout", timeout]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let findings = answer["engines"][0]["findings"].as_array().unwrap();
    let wrong = findings.iter().filter(|found| found["fine"] == false);
    let failed: Vec<String> =
        wrong.map(|found| found["what"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ran.code, Some(i32::from(!failed.is_empty())), "{engine}: {answer}");
    failed
}

#[test]
fn our_own_engines_pass_every_check() {
    for spec in [
        "tictactoe",
        "mnk:5x4,k=4",
        "mnk:1x1,k=1",
        "mnk:2x9,k=3,p=3,q=2",
        "mnk:8x8,k=4,win=exact",
        "mnk:8x8,k=4,p=2,q=3,win=exact",
        "mnk:7x7,k=9",
        "mnk:4x4,k=2,q=3",
        "mnk:20x20,k=8,p=4",
        "mnk:12x12,k=1",
        "connect4",
        "mnk:6x9,k=4,win=exact,gravity",
        "mnk:5x6,k=3,p=2,gravity,holes=a1+c2+c3+f5",
        "mnk:7x7,k=4,holes=d4+a1+b1+c7",
        "mnk:12x12,k=5,win=exact,holes=a12+f6",
    ] {
        let failed = failed(&format!("text:{PROGRAM} engine {spec}"), "10");
        assert!(failed.is_empty(), "{spec}: {failed:?}");
    }
}

/// The checks that had nothing to look at.
fn idle(spec: &str) -> Vec<String> {
    let ran = zermelo(&["check", &format!("text:{PROGRAM} engine {spec}"), "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let findings = answer["engines"][0]["findings"].as_array().unwrap();
    let idle = findings.iter().filter(|found| found["fine"].is_null());
    idle.map(|found| found["what"].as_str().unwrap().to_owned()).collect()
}

/// Lines are looked at wherever there is room for them, also where stones fall.
#[test]
fn little_is_left_unseen() {
    for spec in [
        "connect4",
        "mnk:6x9,k=4,win=exact,gravity",
        "mnk:7x7,k=4,holes=d4+a1+b1+c7",
        "mnk:12x12,k=5,win=exact,holes=a12+f6",
    ] {
        assert_eq!(idle(spec), [""; 0], "{spec}");
    }
    // A row of k+1 does not fit on these boards, and one of k not on the last.
    let longer = ["k+1 in a row win unless exactly k must be", "a stone in between breaks a row"];
    for spec in ["mnk:8x8,k=8,p=3", "mnk:5x5,k=5,win=exact"] {
        assert_eq!(idle(spec), longer, "{spec}");
    }
    assert_eq!(idle("mnk:3x3,k=4").len(), 4);
}

/// A healthy engine whose words are changed on their way.
fn broken(spec: &str, filter: &str) -> String {
    format!("text:/bin/sh -c \"{PROGRAM} engine {spec} --protocol text | {filter}\"")
}

#[cfg(unix)]
#[test]
fn broken_engines_are_caught_by_a_check_with_a_name() {
    let turns = broken("mnk:5x5,k=4,p=2", "sed -u 's/,2,1)/,1,1)/'");
    let overline = broken("mnk:5x6,k=4,win=exact", "sed -u s/EXACTLY_K/K_OR_MORE/");
    let exactly = broken("mnk:5x6,k=4", "sed -u s/K_OR_MORE/EXACTLY_K/");
    let moves = broken("mnk:5x5,k=4", "sed -u 's/ (1 1)//'");
    let winner = broken("mnk:5x5,k=4", "sed -u 's/winner is black/winner is white/'");
    let line = broken("mnk:5x5,k=4", "sed -u 's/line is from . ./line is from 9 9/'");
    let crash = broken("mnk:5x5,k=4", "sed -u '/^move white/q'");
    let hang = broken("mnk:5x5,k=4", "sed -u '/^move white/{s/.*/./;:a;N;s/.*/./;ba}'");
    let twice = broken("mnk:5x5,k=4", "sed -u 's/invalid move/ok/'");
    for (engine, check) in [
        (&turns, "turns have q and then p stones"),
        (&overline, "k+1 in a row win unless exactly k must be"),
        (&exactly, "k+1 in a row win unless exactly k must be"),
        (&moves, "moves are right after every move"),
        (&winner, "k in a row win"),
        (&line, "k in a row win"),
        (&crash, "the game ends after all moves"),
        (&hang, "the engine plays itself to the end"),
        (&twice, "the same move twice is refused"),
    ] {
        let failed = failed(engine, "1");
        assert!(failed.iter().any(|name| name == check), "{check} is not in {failed:?}: {engine}");
    }
}

/// A dialogue that shows a fault is played again, and one of somebody's own is a test.
#[cfg(unix)]
#[test]
fn transcripts_are_played() {
    let folder = folder("transcripts");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let stones = ["1 1", "1 5", "2 1", "2 5", "3 1", "4 5", "4 1"];
    let moves: String = stones.iter().map(|at| format!("> makemove {at}\n")).collect();
    let head = "zermelo transcript 1\ngame mnk:5x5,k=4\n> newgame black human white human\n";
    let won = file("won.transcript", &format!("{head}{moves}"));
    let junit = folder.join("junit.xml");
    let healthy = format!("text:{PROGRAM} engine mnk:5x5,k=4");
    let faulty = broken("mnk:5x5,k=4", "sed -u 's/winner is black/winner is white/'");
    let ran = zermelo(&["check", &healthy, "--replay", &won]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let path = junit.to_str().unwrap();
    let ran = zermelo(&["check", &faulty, "--replay", &won, "--json", "--junit", path]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let failure = &answer["engines"][0]["findings"][0]["failure"];
    assert_eq!(failure["expected"][1], "winner is black", "{answer}");
    assert_eq!(failure["given"][1], "winner is white", "{answer}");
    assert_eq!(failure["board"].as_array().unwrap().len(), 5, "{answer}");
    let again = file("again.transcript", failure["transcript"].as_str().unwrap());
    let ran = zermelo(&["check", &faulty, "--replay", &again]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(fs::read_to_string(&junit).unwrap().contains("&gt; makemove 4 1"), "{junit:?}");
    // Of another game, or no transcript at all.
    let other = format!("text:{PROGRAM} engine tictactoe");
    let ran = zermelo(&["check", &other, "--replay", &won]);
    assert!(ran.code == Some(0) && ran.out.contains("it is about mnk:5x5,k=4"), "{ran:?}");
    let ran = zermelo(&["check", &healthy, "--replay", &file("no.transcript", "so")]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
}

/// Of an engine that can only say numbers we are told where stones fall and where there are holes.
#[cfg(unix)]
#[test]
fn rules_that_an_engine_cannot_say_are_told() {
    let silent = |spec: &str| broken(spec, "sed -u '/^game [0-9]/d'");
    let engine = silent("connect4");
    let check = |engine: &str, more: &[&str]| {
        zermelo(&[&["check", engine, "--timeout", "2"][..], more].concat())
    };
    let ran = check(&engine, &["--game", "connect4"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("mnk:6x7,k=4,gravity"), "{}", ran.out);
    // By the numbers alone its moves are wrong, and who says something else is not believed.
    let ran = check(&engine, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("WRONG moves are right after every move"), "{}", ran.out);
    let frank = format!("text:{PROGRAM} engine connect4");
    for (engine, game) in [(&engine, "gomoku"), (&frank, "mnk:6x7,k=4")] {
        let ran = check(engine, &["--game", game]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
        assert!(ran.err.contains("not mnk:"), "{}", ran.err);
    }
    // Holes that are forgotten are found.
    let ran = check(&silent("mnk:5x5,k=4,holes=c3"), &["--game", "mnk:5x5,k=4,holes=c4"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("WRONG moves are right after every move"), "{}", ran.out);
}

#[test]
fn what_was_found_is_written_for_build_servers() {
    let file = folder("junit").join("found.xml");
    let engine = format!("text:{PROGRAM} engine tictactoe");
    let ran = zermelo(&["check", &engine, "--junit", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("tests=\"21\" failures=\"0\""), "{text}");
    assert_eq!(text.matches("<testcase ").count(), 21);
}

/// Parameters in, engines out: they pass all checks, and play each other in their own protocols.
#[test]
fn engines_are_generated() {
    let out = folder("engines");
    let games = ["mnk:7x7,k=5", "mnk:3x3,k=4", "reversi:6x6", "draughts:english,flying"];
    let ran = generate(&games, &out);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("warning") && ran.err.contains("nobody can win"), "{}", ran.err);
    let names = ["draughts-english-flying", "mnk-3x3-k4-p1-q1-more", "mnk-7x7-k5-p1-q1-more"];
    assert_eq!(files_in(&out), [&names[..], &["reversi-6x6"]].concat());
    for name in &names[1..] {
        let failed = failed(out.join(name).to_str().unwrap(), "10");
        assert!(failed.is_empty(), "{name}: {failed:?}");
    }
    for (game, protocol, name) in [
        ("mnk:7x7,k=5", "gomocup", names[2]),
        ("reversi:6x6", "gtp", "reversi-6x6"),
        ("draughts:english,flying", "hub", names[0]),
    ] {
        let engine = format!("{protocol}:{}", out.join(name).display());
        let limits = ["--each", "time=0.02", "--grace", "2000", "--games", "2", "--json"];
        let ran = zermelo(&[&["match", game, &engine, &engine][..], &limits].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(answer["forfeits"].as_array().unwrap().is_empty(), "{answer}");
    }
    // Every way to choose moves is inside.
    let talk = "newgame black human white ai\nsetai random\nsetai adjacent\nsetai threats\nsetai montecarlo\n\
                setai alphabeta\nsetai nobody\nquit\n";
    let mut engine = std::process::Command::new(out.join(names[2]));
    let ran = speak(&mut engine, talk.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out.matches("ai is").count(), 5, "{}", ran.out);
    assert!(ran.out.contains("error"), "{}", ran.out);
}

#[test]
fn what_cannot_be_generated_is_refused_in_one_line() {
    let out = folder("refused");
    let batch = out.with_extension("batch");
    fs::write(&batch, "gomoku\nmnk:m=9..5,n=3,k=3\n").unwrap();
    let batch = batch.to_str().unwrap();
    for (arguments, part) in [
        (&["mnk:3x3,k=3,p=0"][..], "p"),
        (&["mnk:251x3,k=3"], "250"),
        (&["mnk:3x3,k=3,colour=red"], "colour"),
        (&["nonsense"], "no such game"),
        (&["--batch", batch], "line 2"),
        (&["--batch", "/nowhere/at/all"], "cannot read"),
        (&["tictactoe", "--ai", "nobody"], "nobody"),
        (&["tictactoe", "--target-cpu", "nonsense"], "compiler"),
    ] {
        let ran = generate(arguments, &out);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
        assert!(files_in(&out).is_empty(), "{arguments:?}");
    }
    let ran = generate(&["tictactoe"], Path::new("/proc/no/such/place"));
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    // Without a compiler there is still `zermelo engine`.
    let mut command = command();
    command.env("PATH", "").args(["generate", "tictactoe", "--out"]).arg(&out);
    let ran = speak(&mut command, b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    assert!(ran.err.contains("zermelo engine"), "{}", ran.err);
}

/// A small game is known by heart, and what does not fit on the disk is not left behind half.
#[cfg(unix)]
#[test]
fn a_small_engine_never_loses_and_a_full_disk_leaves_no_half_of_it() {
    let out = folder("full");
    let ran = generate(&["mnk:3x3,k=3"], &out);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // It knows the whole game by heart: nobody wins against it, and it needs no time.
    let engine = format!("text:{}", out.join("mnk-3x3-k3-p1-q1-more").display());
    let ran = zermelo(&[
        "match",
        "tictactoe",
        &engine,
        "random",
        "--games",
        "20",
        "--plies",
        "0",
        "--json",
    ]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(answer["losses"], 0, "{answer}");
    assert!(answer["forfeits"].as_array().unwrap().is_empty(), "{answer}");
    fs::remove_file(out.join("mnk-3x3-k3-p1-q1-more")).unwrap();
    // No file may be larger than 32 KB, and whoever tries is told so.
    let script = format!(
        "trap '' XFSZ; ulimit -f 64; exec {PROGRAM} -q generate mnk:3x3,k=3 --out '{}'",
        out.display()
    );
    let mut command = std::process::Command::new("/bin/sh");
    command.env("ZERMELO_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    let ran = speak(command.args(["-c", &script]), b"");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    assert!(ran.err.contains("cannot write"), "{}", ran.err);
    assert!(files_in(&out).is_empty(), "{:?}", files_in(&out));
}

#[cfg(unix)]
#[test]
fn engines_are_measured() {
    let page = folder("measured").join("report.html");
    let page = page.to_str().unwrap();
    let engine = |spec: &str| format!("{PROGRAM} engine {spec}");
    let [small, middle, large] = ["mnk:4x4,k=3", "mnk:6x6,k=3", "mnk:12x12,k=3"]
        .map(|spec| format!("text:{}", engine(spec)));
    // One that plays no games by itself, as engines of the first version.
    let old = format!(
        "text:/bin/sh -c \"sed -u 's/^perf .*/hello/' | {} --protocol text\"",
        engine("mnk:5x5,k=3")
    );
    let games = ["--iterations", "20", "--json"];
    let ran = zermelo(
        &[&["measure", &small, &old, &middle, &large][..], &games, &["--report", page]].concat(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let engines = report["engines"].as_array().unwrap();
    assert_eq!(engines.len(), 4);
    for (n, engine) in engines.iter().enumerate() {
        let times = &engine["times"];
        for what in ["ai_move", "win_check", "move_list"] {
            assert!(times[what].as_f64().unwrap() > 0.0, "{what}: {engine}");
        }
        assert_eq!(times["node"].is_null(), n == 1, "{engine}");
        assert!(engine["plain"]["win_check"].as_f64().unwrap() > 0.0, "{engine}");
    }
    assert_eq!(report["series"][0]["parameter"], "m=n", "{report}");
    let fit = &report["series"][0]["curves"][2]["quadratic"];
    assert!(fit["r_squared"].as_f64().unwrap() <= 1.0, "{fit}");
    assert_eq!(fs::read_to_string(page).unwrap().matches("<svg").count(), 3);
    let ran = zermelo(&["measure", &small, "--iterations", "5", "--before", page]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("times as long as before"), "{}", ran.out);
    // What fails is named, and what was measured told.
    let ran = zermelo(&["measure", &small, "/nowhere/at/all", "--iterations", "5"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 1), "{ran:?}");
    assert!(ran.out.contains("mnk:4x4,k=3") && ran.err.contains("/nowhere/at/all"), "{ran:?}");
}

#[test]
fn what_cannot_be_measured_is_refused_in_one_line() {
    let engine = format!("text:{PROGRAM} engine tictactoe");
    let chess = format!("uci:{PROGRAM} engine chess");
    let file = folder("no-report").join("page.html");
    fs::write(&file, "<html></html>").unwrap();
    let file = file.to_str().unwrap();
    for (arguments, part) in [
        (&["/nowhere/at/all"][..], "/nowhere/at/all"),
        (&[&*chess], "uci"),
        (&[&*engine, "--ai", "nobody"], "nobody"),
        (&[&*engine, "--iterations", "0"], "iterations"),
        (&[&*engine, "--before", file], "no report"),
        (&[&*engine, "--before", "/nowhere/at/all"], "cannot read"),
        (&[&*engine, "--iterations", "1", "--report", "/nowhere/at/all.html"], "cannot write"),
    ] {
        let ran = zermelo(&[&["measure"], arguments].concat());
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}
