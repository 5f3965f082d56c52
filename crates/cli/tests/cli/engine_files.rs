//! Engines as files: paths with anything in them, folders with anything in them, and what is found
//! out by itself.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{command, speak, with_input, zermelo};

const PROGRAM: &str = env!("CARGO_BIN_EXE_zermelo");

/// An empty folder, as users may have it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name} Žofie's ♟ folder"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A script that is an engine.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn engines_may_be_anywhere() {
    let folder = folder("anywhere");
    let engine = script(&folder, "mein spiel", &format!("exec {PROGRAM} engine mnk:4x4,k=3"));
    let ran = zermelo(&["check", &engine, "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let found = &answer["engines"][0];
    assert_eq!((&found["protocol"], &found["game"]), (&"text".into(), &"mnk:4x4,k=3".into()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = zermelo(&["measure", &engine, "--iterations", "2"]);
    assert!(ran.code == Some(0) && ran.out.contains("mnk:4x4,k=3"), "{ran:?}");
    let ran = with_input(&["talk", &engine], b"info\nquit\n");
    assert!(ran.code == Some(0) && ran.out.contains("(4,4,3,1,1) K_OR_MORE"), "{ran:?}");
    let text = format!("text:{engine} option.ai=random");
    let ran = zermelo(&["match", "mnk:4x4,k=3", &text, "random", "--games", "2", "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!((ran.code, &answer["forfeits"]), (Some(0), &Value::Array(vec![])), "{answer}");
    // Another protocol is found out, too.
    let engine = script(&folder, "könig", &format!("exec {PROGRAM} engine chess"));
    let ran = with_input(&["talk", &engine], b"uci\nquit\n");
    assert!(ran.code == Some(0) && ran.out.contains("uciok"), "{ran:?}");
}

/// Whatever else is in a folder, its engines are looked at, and what was found is written.
#[test]
fn folders_may_hold_anything() {
    let folder = folder("mixed");
    let good = script(&folder, "good", &format!("exec {PROGRAM} engine mnk:3x3,k=3"));
    let broken = script(&folder, "broken", "exit 3");
    fs::write(folder.join("notes.txt"), "x").unwrap();
    fs::create_dir(folder.join("good.src")).unwrap();
    let [notes, source] = ["notes.txt", "good.src"].map(|n| folder.join(n).display().to_string());
    let junit = folder.join("found.xml").display().to_string();
    let run = |engines: &[&String]| {
        let engines: Vec<&str> = engines.iter().map(|engine| engine.as_str()).collect();
        zermelo(&[&["check"], &*engines, &["--json", "--junit", &junit]].concat())
    };
    let ran = run(&[&good, &broken, &notes, &source]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let fine: Vec<&Value> =
        answer["engines"].as_array().unwrap().iter().map(|engine| &engine["fine"]).collect();
    assert_eq!(fine, [true, false], "{answer}");
    assert_eq!(answer["passed_over"].as_array().unwrap().len(), 2, "{answer}");
    let text = fs::read_to_string(&junit).unwrap();
    assert_eq!((text.matches("<testsuite ").count(), text.matches("<failure").count()), (4, 1));
    // Who is no engine is no fault of those that are.
    let ran = run(&[&notes, &good, &source]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = zermelo(&["check", &notes, &good]);
    assert!(ran.out.contains("notes.txt: passed over, it is not a program"), "{ran:?}");
    let ran = zermelo(&["measure", &notes, &good, "--iterations", "1"]);
    assert!(ran.code == Some(0) && ran.err.contains("notes.txt: passed over"), "{ran:?}");
    // Alone it is what was asked for.
    for (file, why) in [(&notes, "not a program"), (&source, "a folder")] {
        let ran = zermelo(&["check", file]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

/// An engine that plays one game alone gets a name, whether that game is told or asked for.
#[test]
fn engines_of_any_game_get_names() {
    let folder = folder("named");
    let only = |name: &str, game: &str| {
        let old = "sed -u '/^mnk/d;/^game/d'";
        let text = format!("{old} | {PROGRAM} engine {game} --ai random --protocol text");
        script(&folder, name, &text)
    };
    let run = |arguments: &[&str]| {
        let mut command = command();
        speak(command.env("ZERMELO_HOME", folder.join("home")).args(arguments), b"")
    };
    let nine = format!("text:{}", only("nine", "mnk:9x9,k=5,p=2"));
    let ran = run(&["engines", "add", "nine", &nine, "--game", "mnk:9x9,k=5,p=2"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), "nine plays mnk\n"), "{ran:?}");
    let ran = run(&["engines", "add", "asked", &only("four", "mnk:4x4,k=3")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A name is good in every folder.
    let mut here = command();
    here.env("ZERMELO_HOME", folder.join("home")).current_dir(&folder);
    let ran = speak(here.args(["engines", "add", "here", "text:./four"]), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran =
        run(&["match", "mnk:4x4,k=3", "engine:here", "random", "--games", "2", "--plies", "0"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = run(&["engines", "add", "wrong", &nine, "--game", "mnk:9x9,k=5"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    let go = format!("gtp:{PROGRAM} engine go:7x7");
    let ran = run(&["engines", "add", "seven", &go, "--game", "go:7x7"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran =
        run(&["match", "mnk:9x9,k=5,p=2", "engine:nine", "random", "--games", "2", "--plies", "0"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = run(&["check", "engine:nine", "--game", "mnk:9x9,k=5,p=2"]);
    assert!(ran.out.contains("mnk:9x9,k=5,p=2 in text"), "{ran:?}");
}

/// An engine is checked with the simple player if it can be told, and as it stands if it knows no
/// other.
#[test]
fn only_the_simple_player_stays_near() {
    let folder = folder("near");
    let near = |filter: &str, ai: &str| {
        let text =
            format!("sed -u '{filter}' | {PROGRAM} engine mnk:12x12,k=5 --ai {ai} --protocol text");
        let ran = zermelo(&["check", &script(&folder, "engine", &text), "--json"]);
        let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        answer["fine"].as_bool().unwrap()
    };
    assert!(near("", "random"), "it was told to");
    assert!(near("/^setai/d", "adjacent"), "it is the simple player");
    assert!(!near("/^setai/d", "random"), "it is not");
    assert!(near("s/^setai.*/setai nobody/", "random"), "it has others");
}

/// A player that thinks is measured over the whole games that it plays, and it is told how many
/// these were.
#[test]
fn whole_games_are_measured() {
    let folder = folder("games");
    let log = folder.join("log");
    let text = format!(
        "tee '{}' | {PROGRAM} engine mnk:5x5,k=5 --protocol text",
        log.display().to_string().replace('\'', "'\\''")
    );
    let engine = script(&folder, "engine", &text);
    let ran = zermelo(&["measure", &engine, "--ai", "time=0.004", "--iterations", "3", "--json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(report["engines"][0]["games"], 3, "{report}");
    let said = fs::read_to_string(log).unwrap();
    assert_eq!(said.matches("newgame black ai white ai").count(), 3, "{said}");
}
