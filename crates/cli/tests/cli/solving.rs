//! `zermelo solve` and `zermelo verify`, with real stores, kills and files that are not what they should be.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use game::Rng;
use serde_json::{Value, json as value};

use crate::bad_input::assert_refused;
use crate::support::{Ran, command, json, keys, speak, zermelo};

const PROGRAM: &str = env!("CARGO_BIN_EXE_zermelo");

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/solving")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn answers_have_all_keys() {
    let (answer, text) = json(&["solve", "tictactoe"]);
    let all = [
        "game", "position", "question", "answer", "value", "margin", "lower", "upper", "distance",
        "proved", "nodes", "seconds",
    ];
    assert_eq!(keys(&text), all);
    assert_eq!((&answer["answer"], &answer["proved"]), (&value!("draw"), &value!(true)));
    assert_eq!((&answer["lower"], &answer["upper"]), (&value!(0), &value!(0)));
    let (reversi, _) = json(&["solve", "reversi:4x4", "--threads", "2"]);
    assert_eq!((&reversi["answer"], &reversi["value"]), (&value!(-10), &value!("second")));
    let (at_least, _) = json(&["solve", "reversi:4x4", "--question", "ge:-9"]);
    assert_eq!(at_least["answer"], value!(false));
    let (over, _) = json(&["solve", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!((&over["answer"], &over["nodes"]), (&value!("first"), &value!(0)));
    let (go, _) = json(&["solve", "go:2x2,komi=0.5", "--question", "outcome"]);
    // By half a point at least; with half komi there are no whole points.
    assert_eq!((&go["answer"], &go["margin"]), (&value!("first"), &Value::Null));
    assert_eq!((&go["lower"], &go["upper"]), (&value!(0.5), &Value::Null));
    // All of the board is a bound that is the margin itself.
    let (all, _) = json(&["solve", "go:1x3", "--question", "ge:3"]);
    assert_eq!(
        (&all["margin"], &all["lower"], &all["upper"]),
        (&value!(3), &value!(3), &value!(3))
    );
}

/// No more is said than was proved, and nothing between the margins that can be.
#[test]
fn words_leave_out_what_is_not_known() {
    for (arguments, words) in [
        (&["go:3x3", "--moves", "B2 B1", "--question", "outcome"][..], "wins, by at least 1"),
        (&["go:2x2", "--question", "ge:1"], "wins, by at least 1"),
        (&["go:2x2,komi=0.5", "--question", "outcome"], "first player wins, by at least 0.5"),
        (&["mnk:5x5,k=4,gravity", "--nodes", "9"], "open   the first player's margin may be any"),
        (&["gomoku", "--proof", "ultraweak"], "open   the first player's margin is at least 0"),
        (&["go:1x3"], "value  first player wins by 3"),
    ] {
        let ran = zermelo(&[&["solve"], arguments].concat());
        assert!(ran.out.contains(words), "{arguments:?} {ran:?}");
    }
}

/// White to move, 15 empty squares.
const MIDDLE_GAME: &str = "b3 b4 e5 b2 a4 f6 e4 d5 b1 a1 d6 e3 f5 f4 e2 b5 a6";

/// Weights say where to look first: what is found is the same.
#[test]
fn weights_change_the_work_and_not_the_answer() {
    let game = ["solve", "reversi:6x6", "--moves", MIDDLE_GAME];
    let (usual, _) = json(&game);
    assert_eq!((&usual["answer"], &usual["proved"]), (&value!(-24), &value!(true)));
    let mut nodes = vec![usual["nodes"].as_u64().unwrap()];
    for weights in ["classic", "features", "random"] {
        let (found, _) = json(&[&game[..], &["--weights", weights]].concat());
        assert_eq!((&found["answer"], &found["proved"]), (&usual["answer"], &value!(true)));
        nodes.push(found["nodes"].as_u64().unwrap());
    }
    nodes.dedup();
    assert!(nodes.len() > 1, "{nodes:?}");
}

/// Not to know is a negative answer, with what is known.
#[test]
fn what_was_not_proved_is_said() {
    let ran =
        zermelo(&["solve", "mnk:5x5,k=4,gravity", "--nodes", "5000", "--slice", "1000", "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!((&answer["answer"], &answer["proved"]), (&Value::Null, &value!(false)));
    assert_eq!((&answer["lower"], &answer["upper"]), (&Value::Null, &Value::Null));
}

/// Killed a hundred times at random moments, the store opens every time, and in the end the answer is the same.
#[test]
fn kills_cost_nothing_but_time() {
    let folder = folder("kills");
    let file = folder.join("store.db");
    let file = file.to_str().unwrap();
    let arguments =
        ["solve", "mnk:5x5,k=4,gravity", "--hash", "1", "--store", file, "--json", "--slice"];
    let mut rng = Rng::new(50);
    let (mut kills, mut answers) = (0, 0);
    while kills < 100 || answers == 0 {
        let mut command = command();
        // Pieces small enough to be killed between them, until it is time to finish.
        command.args(arguments).arg(if kills < 100 { "600" } else { "60000" });
        if fs::exists(file).unwrap() {
            command.arg("--resume");
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let until = Instant::now() + Duration::from_millis(5 + rng.below(60) as u64);
        while kills < 100 && Instant::now() < until && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        // Who is done already is not killed any more.
        if kills < 100 && child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        let ran = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), "", "after {kills} kills");
        if ran.status.success() {
            let answer: Value = serde_json::from_slice(&ran.stdout).unwrap();
            assert_eq!((&answer["answer"], &answer["proved"]), (&value!("draw"), &value!(true)));
            answers += 1;
            // Then another one is begun.
            fs::remove_file(file).unwrap();
        }
    }
}

#[test]
fn proofs_are_written_and_checked() {
    let folder = folder("proofs");
    let file = folder.join("proof");
    let file = file.to_str().unwrap();
    for (game, lower, upper, words) in [
        ("mnk:4x4,k=4", value!(0), value!(0), "is a draw"),
        ("mnk:6x6,k=5", value!(0), value!(0), "is a draw"),
        ("mnk:3x4,k=3,gravity", value!(1), Value::Null, "is won by the first player"),
        ("reversi:4x4", value!(-10), value!(-10), "is won by the second player by 10"),
    ] {
        json(&["solve", game, "--certificate", file, "--leaf", "100"]);
        let (verified, _) = json(&["verify", file]);
        assert_eq!(verified["proved"], value!(true), "{verified}");
        assert_eq!((&verified["lower"], &verified["upper"]), (&lower, &upper), "{verified}");
        // What was asked comes first, the numbers below.
        let said = zermelo(&["verify", file]).out;
        assert!(said.starts_with(&format!("PROVED: {game} {words}\n")), "{said}");
        let (sampled, _) = json(&["verify", file, "--sample", "3"]);
        assert_eq!(sampled["proved"], value!(sampled["leaves"].as_u64().unwrap() <= 3));
    }
    // A proof of something else.
    let bytes = fs::read(file).unwrap();
    let mut changed = bytes.clone();
    let place = bytes.windows(3).position(|part| part == b"4x4").unwrap();
    changed[place] = b'6';
    let end = changed.len() - 4;
    let checksum = certificate::crc32(&changed[..end]);
    changed[end..].copy_from_slice(&checksum.to_le_bytes());
    fs::write(file, changed).unwrap();
    let ran = zermelo(&["verify", file]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("REFUSED, so not proved: reversi:"), "{ran:?}");
    assert!(ran.out.contains("refused: the certificate uses 8 symmetries"), "{ran:?}");
    // Damaged, cut short, and none at all.
    for damaged in [&bytes[..bytes.len() - 1], &bytes[..20], b"something else"] {
        fs::write(file, damaged).unwrap();
        assert_refused(&zermelo(&["verify", file]), file);
    }
    assert_refused(&zermelo(&["verify", "/no/such/file"]), "missing");
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_line() {
    let folder = folder("refused");
    let store = folder.join("store.db");
    let store = store.to_str().unwrap();
    assert_eq!(zermelo(&["solve", "tictactoe", "--store", store]).code, Some(0));
    let foreign = folder.join("foreign.db");
    fs::write(&foreign, vec![b'x'; 5000]).unwrap();
    let foreign = foreign.to_str().unwrap();
    for (arguments, why) in [
        (&["tictactoe", "--store", store][..], "--resume"),
        (&["mnk:3x4,k=3", "--store", store, "--resume"], "is about mnk:3x3,k=3"),
        (&["tictactoe", "--moves", "a1", "--store", store, "--resume"], "is about"),
        (&["tictactoe", "--store", foreign, "--resume"], "not a store"),
        (&["tictactoe", "--store", "/proc/none.db"], "/proc/none.db"),
        (&["tictactoe", "--certificate", "/proc/none"], "cannot write"),
        (&["tictactoe", "--resume"], "--store"),
        (&["tictactoe", "--question", "who"], "a question is"),
        (&["tictactoe", "--method", "guess"], "there are the methods"),
        (&["tictactoe", "--weights", "none"], "mnk has no evaluation none"),
        (&["tictactoe", "--weights", "/no/such.weights"], "cannot read /no/such.weights"),
        (&["tictactoe", "--weights", "classic", "--proof", "strong"], "--weights is not for"),
        (&["tictactoe", "--weights", "classic", "--proof", "ultraweak"], "--weights is not for"),
        (&["tictactoe", "--leaf", "0", "--certificate", "x"], "1 to 16777216"),
        (&["go:2x2", "--certificate", "x"], "look back"),
    ] {
        let ran = zermelo(&[&["solve"], arguments].concat());
        assert_refused(&ran, &arguments.join(" "));
        assert!(ran.err.contains(why), "{arguments:?} {}", ran.err);
    }
    assert!(!fs::exists("x").unwrap() && !fs::exists("x.part").unwrap());
}

/// The disk is full before the work is done: one line, and the store is whole and can be gone on with where there is room.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder("full");
    let file = folder.join("store.db");
    let file = file.to_str().unwrap();
    let game = "mnk:4x5,k=4,gravity --slice 600 --hash 1";
    let script = format!("ulimit -f 100; exec {PROGRAM} solve {game} --store '{file}'");
    let full = |script: &str| -> Ran {
        speak(std::process::Command::new("/bin/sh").args(["-c", script]), b"")
    };
    let ran = full(&script);
    assert_refused(&ran, &script);
    let (answer, _) = json(&[
        "solve",
        "mnk:4x5,k=4,gravity",
        "--slice",
        "600",
        "--hash",
        "1",
        "--store",
        file,
        "--resume",
    ]);
    assert_eq!(answer["answer"], value!("draw"));
}
