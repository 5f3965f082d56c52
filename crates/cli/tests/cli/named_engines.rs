//! Engines that were given names.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Ran, command, speak};

/// A data folder of its own for one test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        Home(folder)
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        speak(command().env("ZERMELO_HOME", &self.0).args(arguments), b"")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        serde_json::from_str(&ran.out).unwrap()
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_zermelo");

#[test]
fn engines_are_added_played_and_removed() {
    let home = Home::new("named-engines");
    assert_eq!(home.json(&["engines", "list"]), json!({ "engines": [] }));
    let command = format!("gtp:{PROGRAM} engine reversi:4x4 --ai depth=2");
    let added = home.json(&["engines", "add", "me", &command, "--game", "reversi"]);
    assert_eq!(added, json!({ "name": "me", "family": "reversi", "command": command }));
    // A command alone is tried in every protocol.
    let alone = format!("{PROGRAM} engine chess");
    let added = home.json(&["engines", "add", "king", &alone]);
    assert_eq!(
        (&added["family"], &added["command"]),
        (&json!("chess"), &json!(format!("uci:{alone}")))
    );
    let listed = home.json(&["engines", "list"]);
    let names: Vec<&Value> =
        listed["engines"].as_array().unwrap().iter().map(|e| &e["name"]).collect();
    assert_eq!(names, ["king", "me"]);
    let words = home.run(&["engines", "list"]).out;
    assert!(words.contains(&alone), "{words}");

    let matched = home.json(&["match", "reversi:4x4", "engine:me", "random", "--games", "2"]);
    assert_eq!(matched["games"], 2, "{matched}");
    let played =
        home.json(&["play", "reversi:4x4", "--first", "engine:me", "--second", "bot:random"]);
    assert_eq!(played["over"], true, "{played}");

    assert_eq!(home.run(&["engines", "remove", "me"]).code, Some(0));
    for arguments in [
        &["engines", "remove", "me"][..],
        &["match", "reversi:4x4", "engine:me", "random"],
        &["play", "reversi:4x4", "--first", "engine:me"],
    ] {
        let ran = home.run(arguments);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("there are king"), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn what_does_not_play_is_not_added() {
    let home = Home::new("no-engines");
    let chess = format!("uci:{PROGRAM} engine chess");
    for (name, command, game, expected) in [
        ("a b", &*chess, None, "no name"),
        ("a", "uci:/no/such/program", None, "could not be started"),
        ("a", "uci:cat", None, "the engine"),
        ("a", "hard", None, "in any protocol"),
        ("a", &*chess, Some("poker"), "poker"),
        ("a", "uci:\"unclosed", None, "not closed"),
    ] {
        let game = game.map_or_else(Vec::new, |game| vec!["--game", game]);
        let ran = home.run(&[&["engines", "add", name, command], &*game].concat());
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{command}: {}", ran.err);
        assert!(ran.err.contains(expected), "{command}: {}", ran.err);
    }
    assert_eq!(home.json(&["engines", "list"]), json!({ "engines": [] }));
    std::fs::create_dir_all(&home.0).unwrap();
    std::fs::write(home.0.join("engines.txt"), "cats").unwrap();
    let ran = home.run(&["engines", "list"]);
    assert!(ran.code == Some(2) && ran.err.contains("no list of engines"), "{}", ran.err);
}
