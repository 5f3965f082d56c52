//! Files that earlier versions have written (`tests/old/`, where a README says which command wrote which): what is kept must be
//! read by every version that follows. Each test works at a copy of its own.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Ran, command, speak};

/// A copy of all old files; commands run there.
struct Old {
    folder: PathBuf,
}

impl Old {
    fn new(test: &str) -> Old {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("old").join(test);
        let _ = fs::remove_dir_all(&folder);
        copy(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/old")), &folder);
        Old { folder }
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = command();
        command.args(arguments).current_dir(&self.folder);
        // Engines in these files are this program by its name, and one that dies.
        let program = Path::new(env!("CARGO_BIN_EXE_zermelo")).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders =
            [program, self.folder.join("matches")].into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap());
        speak(command.env("ZERMELO_HOME", self.folder.join("home")), input.as_bytes())
    }

    /// Runs a command in which no word has a space.
    fn run(&self, call: &str) -> Ran {
        self.run_with(&call.split(' ').collect::<Vec<_>>(), "")
    }

    /// The answer to a command that goes well.
    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run_with(&[arguments, &["--json"]].concat(), "");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{arguments:?} {ran:?}");
        serde_json::from_str(&ran.out).unwrap()
    }

    fn asked(&self, call: &str) -> Value {
        self.json(&call.split(' ').collect::<Vec<_>>())
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap()
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(folder)).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| format!("{folder}/{}", name(entry.unwrap()))).collect();
        names.sort_unstable();
        names
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let there = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &there),
            false => drop(fs::copy(entry.path(), there).unwrap()),
        }
    }
}

#[test]
fn old_certificates_are_verified() {
    let old = Old::new("certificates");
    let expected = [
        ("connect4-4x4", "mnk:4x4,k=4,gravity", json!([0, 0]), 528),
        ("mnk-4x4", "mnk:4x4,k=4", json!([0, 0]), 0),
        ("mnk-5x5", "mnk:5x5,k=4", json!([null, 0]), 6594),
        ("reversi-4x4", "reversi:4x4", json!([-10, -10]), 26),
        ("reversi-4x6", "reversi:4x6", json!([16, 16]), 505),
    ];
    assert_eq!(old.files("certificates").len(), expected.len());
    for (name, game, bounds, leaves) in expected {
        let found = old.asked(&format!("verify certificates/{name}.proof"));
        assert_eq!((&found["game"], &found["proved"]), (&json!(game), &json!(true)), "{name}");
        assert_eq!(json!([found["lower"], found["upper"]]), bounds, "{name}");
        assert_eq!((&found["leaves"], &found["settled"]), (&json!(leaves), &json!(leaves)));
    }
}

#[test]
fn old_stores_are_gone_on_with() {
    let old = Old::new("stores");
    let queen = "6k1/4Q3/8/6K1/8/8/8/8 w - - 0 1";
    let ending = "B:B13,14,9:W21,22,30,29";
    let expected: [(&str, &[&str], _, _); 5] = [
        ("chess.db", &["chess", "--position", queen, "--question", "ge:1"], json!(true), 159),
        ("connect4-4x5.db", &["connect4:4x5", "--slice", "300"], json!("draw"), 25_817),
        (
            "draughts.db",
            &["draughts:english", "--position", ending, "--method", "bestfirst"],
            json!("second"),
            360,
        ),
        ("go-2x2.db", &["go:2x2", "--method", "bestfirst"], json!(1), 202),
        ("reversi-4x6.db", &["reversi:4x6"], json!(16), 32_927),
    ];
    assert_eq!(old.files("stores").len(), expected.len());
    for (name, what, answer, nodes) in expected {
        let store = format!("stores/{name}");
        let call = [&["solve"], what, &["--store", &store, "--resume"]].concat();
        let found = old.json(&call);
        assert_eq!((&found["answer"], &found["nodes"]), (&answer, &json!(nodes)), "{name}");
        // What is solved needs no more work.
        let again = old.json(&call);
        assert_eq!((&again["answer"], &again["nodes"]), (&answer, &json!(nodes)), "{name}");
    }
    let other = old.run("solve reversi:4x4 --store stores/reversi-4x6.db --resume");
    assert!(other.code == Some(2) && other.err.contains("is about reversi:4x6"), "{other:?}");
}

#[test]
fn old_weights_are_read() {
    let old = Old::new("weights");
    let mut seen = Vec::new();
    for file in old.files("weights") {
        if file.contains("older") {
            continue;
        }
        let shown = old.run(&format!("weights convert {file}"));
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{file} {shown:?}");
        let form = Path::new(&file).extension().unwrap().to_str().unwrap();
        match form {
            "weights" => assert_eq!(shown.out, old.text(&file)),
            _ => assert_eq!(shown.out, old.text("weights/draughts-zones.weights"), "{file}"),
        }
        let game = file.split(['/', '-']).nth(1).unwrap();
        let bot = format!("depth=1,weights={file}");
        if form == "weights" {
            let played = old.json(&["match", game, &bot, "random", "--games", "2"]);
            assert_eq!((&played["games"], &played["finished"]), (&json!(2), &json!(true)));
        }
        seen.push(form.to_owned());
    }
    assert_eq!(seen.iter().filter(|form| *form == "weights").count(), 10);
    assert!(seen.contains(&"json".to_owned()) && seen.contains(&"csv".to_owned()));
    // The usual weights, as they were and as they are.
    for (game, name, file) in [
        ("chess", "classic", "chess-classic"),
        ("draughts", "tuned", "draughts-tuned"),
        ("reversi", "tuned", "reversi-tuned"),
        ("draughts", "thesis", "draughts-thesis"),
    ] {
        let now = old.run(&format!("weights show {game} --weights {name}")).out;
        assert_eq!(now, old.text(&format!("weights/{file}.weights")), "{file}");
    }
    let edited = old.run("weights diff weights/draughts-edited.weights classic");
    assert!(edited.out.contains("man.opening"), "{edited:?}");
}

#[test]
fn older_weights_are_brought_up_to_date() {
    let old = Old::new("older-weights");
    // Without a weight that came later, which is taken as 0.
    let read = old.run("weights show weights/reversi-older.weights");
    assert_eq!(read.code, Some(0), "{read:?}");
    assert!(read.out.contains("\nown.sandwich 0\n"), "{read:?}");
    // With one that is gone, and without one that there is.
    let refused = old.run("weights convert weights/draughts-older.weights");
    assert!(refused.code == Some(2) && refused.err.contains("--upgrade"), "{refused:?}");
    let upgraded = old.run("weights convert weights/draughts-older.weights --upgrade");
    assert_eq!(upgraded.code, Some(0), "{upgraded:?}");
    assert_eq!(upgraded.out, old.text("weights/draughts-zones.weights"));
}

#[test]
fn old_genetic_sessions_go_on() {
    let old = Old::new("genetic");
    let small = "--population 8 --duels 3 --depth 2";
    let whole = format!("tune genetic draughts:english --out whole {small} --generations 4");
    assert_eq!(old.run(&whole).code, Some(0));
    let call = "tune genetic draughts:english --out tuning/genetic --generations 4 --resume";
    let found = old.asked(call);
    assert_eq!((&found["generation"], &found["evaluation"]), (&json!(4), &json!("features")));
    let last = |folder: &str| {
        let text = old.text(&format!("{folder}/generation-000004.population"));
        let timeless = |line: &&str| !line.starts_with("seconds ") && !line.starts_with("end ");
        text.lines().filter(timeless).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(last("tuning/genetic"), last("whole"), "as if it had never been interrupted");
    let from_file = "tune genetic draughts:english --out tuning/genetic-2 --generations 2 \
                     --resume tuning/genetic-2/generation-000001.population";
    assert_eq!(old.asked(from_file)["generation"], 2);
    let reduced = "tune genetic draughts:english --out tuning/genetic-2 --generations 3 \
                   --off tuning/off.txt --resume";
    assert_eq!(old.asked(reduced)["generation"], 3);
    let report = old.asked("tune report tuning/genetic tuning/genetic-2");
    assert_eq!((&report["sessions"], &report["largest"]), (&json!(2), &json!(32768.0)));
    for file in ["champion", "average", "cma", "logistic"] {
        let shown = old.run(&format!("weights show tuning/{file}.weights"));
        assert_eq!(shown.code, Some(0), "{file} {shown:?}");
    }
}

/// The sessions that are there and finished are not run again.
#[test]
fn old_sessions_at_two_depths_are_compared() {
    let old = Old::new("depths");
    let before = old.text("tuning/depths/depth-2-seed-4/generation-000001.population");
    let call = "tune depths draughts:english --out tuning/depths --depths 1,2 --runs 2 \
                --generations 1 --population 4";
    let found = old.asked(call);
    assert_eq!((&found["ways"], &found["agree"]), (&json!(6), &json!(9)));
    assert_eq!(found["weights"][0]["means"], json!([-6914.0, -2322.0]));
    let after = old.text("tuning/depths/depth-2-seed-4/generation-000001.population");
    assert_eq!(before, after);
}

#[test]
fn old_sessions_by_games_go_on() {
    let old = Old::new("by-games");
    for (method, games, steps, played) in [("spsa", "400", 100, 400), ("cma", "200", 6, 216)] {
        let found = |session: &str, out: &str| {
            let call = format!(
                "tune {method} draughts:english --weights zones --depth 1 --pairs 2 --threads 1 \
                 --seed 3 --games {games} --out {out} --session {session}"
            );
            let found = old.asked(&call);
            assert_eq!((&found["steps"], &found["games"]), (&json!(steps), &json!(played)));
            assert_eq!(found["finished"], true);
            old.text(out).lines().skip(2).map(str::to_owned).collect::<Vec<_>>()
        };
        let session = format!("tuning/{method}.session");
        let begun = old.text(&session);
        assert!(!begun.contains(&format!("\nstep {steps}\n")) && !begun.contains("\nstep 0\n"));
        let whole = found("new.session", "new.weights");
        assert_eq!(found(&session, "resumed.weights"), whole, "{method}");
        fs::remove_file(old.folder.join("new.session")).unwrap();
    }
}

#[test]
fn old_positions_to_learn_from_are_read_and_added_to() {
    let old = Old::new("positions");
    let make = |out: &str| {
        let bot = "--bot nodes=60,hash=1 --ending 500";
        old.asked(&format!("tune data draughts:english --games 24 --out {out} {bot}"))
    };
    assert_eq!(make("tuning/english.positions")["played"], 4, "twenty are there");
    assert_eq!(make("new.positions")["played"], 24);
    assert_eq!(old.text("tuning/english.positions"), old.text("new.positions"));
    let learn = "tune logistic draughts:english --data tuning/english.positions --out new.weights";
    assert_eq!(old.asked(learn)["games"], 24);
}

#[test]
fn old_matches_go_on() {
    let old = Old::new("matches");
    let call = "match reversi:6x6 depth=3 random --games 8 --threads 1 \
                --journal matches/match.journal --save matches/match.sgf";
    let found = old.asked(call);
    assert_eq!((&found["games"], &found["pairs"]), (&json!(8), &json!([0, 0, 0, 0, 4])));
    assert_eq!(old.text("matches/match.sgf").matches("(;").count(), 8, "four were there");
    let terms = "match reversi:4x4 adjacent nodes=50 --each clock=60+1 --openings balanced \
                 --plies 2 --draw 8,10,40 --resign 4,600 --games 4 --seed 7 --threads 1 \
                 --journal matches/terms.journal";
    let found = old.asked(terms);
    assert_eq!((&found["games"], &found["pairs"]), (&json!(4), &json!([1, 0, 1, 0, 0])));
    let recorded = "match chess random depth=1 --openings games/chess.pgn --plies 4 --games 4 \
                    --threads 1 --journal matches/openings.journal --each time=10";
    let found = old.asked(recorded);
    assert_eq!((&found["games"], &found["losses"]), (&json!(4), &json!(4)));
    // Nothing is played, but what was lost by breaking the rules is told.
    let forfeit = "match chess depth=1 uci:dies --games 2 --threads 1 \
                   --journal matches/forfeit.journal --json";
    let found: Value = serde_json::from_str(&old.run(forfeit).out).unwrap();
    assert_eq!(found["forfeits"].as_array().unwrap().len(), 2, "{found}");
    assert_eq!(found["forfeits"][0], "dies: the engine ended (exit status: 1)");
}

#[test]
fn old_tournaments_go_on() {
    let old = Old::new("tournaments");
    let call = |games: &str| {
        old.asked(&format!(
            "tournament reversi:4x4 depth=2 random depth=1 --games {games} --threads 1 \
             --journal matches/tournament --save matches/tournament.sgf"
        ))
    };
    let saved = || old.text("matches/tournament.sgf").matches("(;").count();
    let points = |found: &Value| {
        let rows = found["table"].as_array().unwrap();
        rows.iter().map(|row| row["points"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(points(&call("2")).iter().sum::<f64>(), 6.0);
    assert_eq!(saved(), 6, "all of it was played");
    assert_eq!(points(&call("4")), [5.0, 4.0, 3.0]);
    assert_eq!(saved(), 12);
}

#[test]
fn old_books_are_read() {
    let old = Old::new("books");
    let chess = old.asked("book show chess books/chess.book");
    assert_eq!((&chess["games"], &chess["moves"][0]["move"]), (&json!(4), &json!("g1f3")));
    assert_eq!(chess["moves"][1]["second"], 1);
    let draughts = old.asked("book show draughts:international books/draughts.book");
    assert_eq!((&draughts["games"], &draughts["moves"][0]["move"]), (&json!(2), &json!("34-30")));
    let played =
        old.asked("match chess depth=1,book=books/chess.book random --games 2 --threads 1");
    assert_eq!(played["games"], 2);
    for (game, games) in [("chess", "chess.pgn"), ("draughts:international", "draughts.pdn")] {
        let name = games.split('.').next().unwrap();
        let build = format!("book build {game} --games games/{games} --depth 6 --min-count 1");
        assert_eq!(old.run(&format!("{build} --out new.book")).code, Some(0));
        assert_eq!(old.text("new.book"), old.text(&format!("books/{name}.book")));
    }
}

#[test]
fn old_games_are_read() {
    let old = Old::new("games");
    for (game, file, count, plies) in [
        ("chess", "chess.pgn", 4, 115),
        ("draughts:international", "draughts.pdn", 2, 77),
        ("draughts:russian", "russian.pdn", 2, 49),
        ("go:5x5", "go.sgf", 2, 35),
        ("gomoku", "gomoku.sgf", 2, 9),
        ("reversi", "reversi.sgf", 2, 62),
        ("reversi:6x6", "../matches/match.sgf", 4, 32),
    ] {
        let found = old.asked(&format!("record {game} games/{file}"));
        let games = found["games"].as_array().unwrap();
        assert_eq!(found["errors"], json!([]), "{file}");
        let first = games[0]["moves"].as_array().unwrap().len();
        assert_eq!((games.len(), first), (count, plies), "{file}");
        let out = format!("record {game} games/{file} --out -");
        let written = old.run(&out).out;
        let again = old.run_with(&["record", game, "-", "--out", "-"], &written);
        assert_eq!(again.out, written, "{file}");
        old.asked(&format!("show {game} --file games/{file} --number {count}"));
    }
}

#[test]
fn old_games_are_loaded_by_an_engine() {
    let old = Old::new("loaded");
    let said = old.run_with(&["engine", "go:5x5"], "loadsgf games/go.sgf 5\nshowboard\nquit\n");
    assert!(said.out.starts_with('=') && said.out.contains("\n="), "{said:?}");
    assert!(!said.out.contains('?') && said.out.contains('X'), "{said:?}");
}

/// What goes to other programs: a transcript is moves, and NBoard sends games as GGF.
#[test]
fn old_transcripts_and_ggf_are_read() {
    let old = Old::new("transcripts");
    let transcript = old.text("games/reversi.txt");
    let moves = transcript.lines().next().unwrap();
    let played = old.json(&["show", "reversi", "--moves", moves]);
    assert_eq!(played["over"], true, "{played}");
    let ggf = old.text("games/reversi.ggf");
    let game = ggf.lines().find(|line| line.starts_with("(;")).unwrap();
    let said = old.run_with(
        &["engine", "reversi", "--protocol", "nboard"],
        &format!("nboard 2\nset game {game}\nping 1\n"),
    );
    assert!(said.out.contains("pong 1") && !said.out.contains("wrong"), "{said:?}");
    assert!(!said.out.lines().any(|line| line.starts_with("status ")), "{said:?}");
}

#[test]
fn old_unfinished_games_go_on() {
    let old = Old::new("unfinished");
    for (game, file, plies) in [
        ("tictactoe", "mnk-3x3-k-3.sgf", 2),
        ("chess", "chess.pgn", 3),
        ("reversi", "reversi-8x8.sgf", 2),
        ("draughts:international", "draughts-international.pdn", 1),
        ("go:5x5", "go-5x5.sgf", 1),
    ] {
        let file = format!("home/unfinished/{file}");
        let record = old.asked(&format!("record {game} {file}"));
        assert_eq!(record["games"][0]["moves"].as_array().unwrap().len(), plies, "{game}");
        let said = old.run_with(&["play", game, "--second", "human", "--resume"], "resign\nyes\n");
        assert_eq!(said.code, Some(0), "{game} {said:?}");
        assert!(said.out.contains("The game is over: "), "{game} {said:?}");
        assert!(!old.folder.join(&file).exists(), "{game}: nothing is left to go on with");
    }
}

#[test]
fn old_engines_have_their_names() {
    let old = Old::new("engines");
    let found = old.asked("engines list");
    let me = json!({"name": "me", "family": "reversi", "command": "gtp:zermelo engine reversi"});
    assert_eq!(found["engines"][0], me);
    assert_eq!(found["engines"][1]["name"], "uci-me");
    let played = old.asked("match chess engine:uci-me random --games 2 --threads 1 --plies 20");
    assert_eq!((&played["games"], &played["forfeits"]), (&json!(2), &json!([])));
    assert_eq!(old.run("engines remove me").code, Some(0));
    assert_eq!(old.asked("engines list")["engines"].as_array().unwrap().len(), 1);
}

#[test]
fn old_tables_are_as_they_would_be_written_now() {
    let old = Old::new("tables");
    for (game, file) in [
        ("tictactoe", "tables/tictactoe.table"),
        ("reversi:4x4", "tables/reversi-4x4.table"),
        ("tictactoe", "home/tables/mnk_3x3,k=3.table"),
    ] {
        let call = format!("solve {game} --proof strong --table new.table");
        assert_eq!(old.run(&call).code, Some(0));
        let [then, now] = [file, "new.table"].map(|file| fs::read(old.folder.join(file)).unwrap());
        assert!(then == now, "{file}");
    }
}

#[test]
fn old_lists_and_measurements_are_read() {
    let old = Old::new("lists");
    let compared = old.asked("solve reversi:4x6 --compare --positions lists/positions.txt");
    let values: Vec<&Value> =
        compared["positions"].as_array().unwrap().iter().map(|case| &case["value"]).collect();
    assert_eq!(values, [&json!(2), &json!(0), &json!(-16), &json!(-16)]);
    assert_eq!(compared["positions"][1]["kind"], "random");
    for before in ["lists/measured.json", "lists/measured.html"] {
        let engine = "text:zermelo engine mnk:4x4,k=3";
        let call = ["measure", engine, "--iterations", "2", "--before", before];
        let said = old.run_with(&call, "");
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.out.contains("times as long as before"), "{said:?}");
    }
    // A wrong line behind the right ones is the only one that is named, and nothing is built.
    let batch = old.text("lists/batch.txt") + "mnk:0x0,k=1\n";
    fs::write(old.folder.join("batch.txt"), batch).unwrap();
    let said = old.run("generate --batch batch.txt --out engines");
    assert_eq!((said.code, said.err.matches("line ").count()), (Some(2), 1), "{said:?}");
    assert!(said.err.contains("line 6"), "{said:?}");
}
