//! What the commands answer: shapes, values that are known, exit codes.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{command, json, keys, speak, zermelo};

#[test]
fn version_names_the_commit() {
    let ran = zermelo(&["--version"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let version = ran.out.trim_end();
    let commit = version.strip_prefix("zermelo 0.1.0 (").and_then(|rest| rest.strip_suffix(')'));
    let is_hash = |c: &str| c.len() == 12 && c.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(commit.is_some_and(|c| c == "unknown" || is_hash(c)), "{version}");
}

#[test]
fn the_overview_shows_the_way_in() {
    let ran = zermelo(&["overview"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for word in ["zermelo play", "zermelo analyse", "mnk", "reversi"] {
        assert!(ran.out.contains(word), "{word}");
    }
    // Whoever runs it by cargo has no `zermelo` on the path yet.
    let by_cargo = speak(command().arg("overview").env("CARGO", "cargo"), b"");
    let is_call = |line: &str| line.contains("  cargo run ") && line.contains(" -- play tictactoe");
    assert!(by_cargo.out.lines().any(is_call), "{}", by_cargo.out);
    let (_, text) = json(&["overview"]);
    assert_eq!(keys(&text), ["name", "version", "commit", "families"]);
}

#[test]
fn what_the_overview_suggests_works() {
    let ran = zermelo(&["overview"]);
    let tries = ran.out.lines().filter(|line| line.starts_with("  "));
    let tries = tries.filter_map(|line| line.split_once("zermelo ").map(|(_, call)| call));
    let mut tried = 0;
    for line in tries.filter(|line| line.contains("  ")) {
        let call = line.split("  ").next().unwrap();
        let mut words: Vec<String> = Vec::new();
        for (i, part) in call.split('"').enumerate() {
            match i % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        assert_eq!(zermelo(&words).code, Some(0), "{call}");
        tried += 1;
    }
    assert_eq!(tried, 5);
}

#[test]
fn games_are_listed() {
    let (games, text) = json(&["games"]);
    assert_eq!(keys(&text), ["families"]);
    for family in games["families"].as_array().unwrap() {
        let family_keys = keys(&family.to_string());
        assert_eq!(family_keys.len(), 6, "{family}");
        let solver = family["solver"].as_str().unwrap();
        assert!(u64::from_str_radix(solver, 16).is_ok_and(|version| version != 0), "{family}");
        for parameter in family["parameters"].as_array().unwrap() {
            assert!(parameter["meaning"].is_string() && parameter.get("default").is_some());
        }
        for preset in family["presets"].as_array().unwrap() {
            let (shown, _) = json(&["show", preset["name"].as_str().unwrap()]);
            assert_eq!(shown["over"], false, "{preset}");
        }
    }
    let words = zermelo(&["games"]).out;
    for word in ["mnk", "tictactoe", "connect4", "reversi", "gravity"] {
        assert!(words.contains(word), "{word}");
    }
}

#[test]
fn show_gives_the_position() {
    let (shown, text) = json(&["show", "tictactoe"]);
    let expected = [
        "game", "position", "to_move", "moves", "last", "board", "over", "value", "margin", "line",
    ];
    assert_eq!(keys(&text), expected);
    assert_eq!(shown["to_move"], "first");
    assert_eq!(shown["moves"].as_array().unwrap().len(), 9);
    assert_eq!((&shown["over"], &shown["line"]), (&json!(false), &json!([])));
    for key in ["last", "value", "margin"] {
        assert!(shown[key].is_null(), "{key}");
    }
    let words = zermelo(&["show", "tictactoe", "--moves", "b2"]).out;
    assert!(words.contains("second player") && words.contains("b2"), "{words}");
}

#[test]
fn show_gives_the_result() {
    let (shown, text) = json(&["show", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!(keys(&text).len(), 10);
    assert_eq!((&shown["over"], &shown["value"]), (&json!(true), &json!("first")));
    assert_eq!(shown["line"], json!(["a1", "a2", "a3"]));
    assert_eq!((&shown["moves"], &shown["to_move"]), (&json!([]), &Value::Null));
    assert_eq!((&shown["last"], &shown["margin"]), (&json!("a3"), &Value::Null));
    let words = zermelo(&["show", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]).out;
    assert!(words.contains("first player wins"), "{words}");
}

#[test]
fn a_position_can_be_given_back() {
    for game in ["tictactoe", "connect4", "reversi"] {
        let (start, _) = json(&["show", game]);
        let first = start["moves"][0].as_str().unwrap();
        let (after, _) = json(&["show", game, "--moves", first]);
        let position = after["position"].as_str().unwrap();
        let (again, _) = json(&["show", game, "--position", position]);
        for key in ["position", "to_move", "moves"] {
            assert_eq!(again[key], after[key], "{game} {key}");
        }
        assert!(again["last"].is_null());
    }
}

#[test]
fn perft_counts() {
    for (game, depth, nodes) in
        [("reversi", "5", 1396), ("tictactoe", "9", 255_168), ("connect4", "4", 2401)]
    {
        let (counted, text) = json(&["perft", game, "--depth", depth]);
        assert_eq!(keys(&text), ["game", "position", "depth", "nodes", "seconds"]);
        assert!(text.contains(&format!("\"nodes\":{nodes},")), "{text}");
        assert!(counted["seconds"].is_f64(), "{text}");
    }
}

#[test]
fn divide_adds_up() {
    let (counted, text) = json(&["perft", "reversi", "--depth", "4", "--divide"]);
    assert_eq!(keys(&text), ["game", "position", "depth", "nodes", "seconds", "divide"]);
    let divide = counted["divide"].as_array().unwrap();
    let sum: u64 = divide.iter().map(|below| below["nodes"].as_u64().unwrap()).sum();
    assert_eq!((sum, divide.len()), (244, 4));
    assert_eq!(counted["nodes"], 244);
    assert!(divide.iter().all(|below| below["move"].is_string()));
}

#[test]
fn every_algorithm_finds_the_value() {
    let expected = [
        "game",
        "position",
        "algorithm",
        "depth",
        "selective_depth",
        "value",
        "margin",
        "distance",
        "best",
        "pv",
        "lines",
        "nodes",
        "seconds",
        "exact",
    ];
    for algorithm in ["minimax", "alphabeta", "negascout", "mtdf"] {
        let (found, text) = json(&["analyse", "tictactoe", "--algorithm", algorithm]);
        assert_eq!(keys(&text), expected);
        assert_eq!(found["algorithm"], algorithm);
        assert_eq!((&found["value"], &found["exact"]), (&json!("draw"), &json!(true)));
        for key in ["depth", "margin", "distance"] {
            assert!(found[key].is_null(), "{algorithm} {key} {text}");
        }
        assert!(found["best"].is_string() && found["pv"].is_array());

        let (found, _) =
            json(&["analyse", "tictactoe", "--moves", "a1 a2", "--algorithm", algorithm]);
        assert_eq!((&found["value"], &found["distance"]), (&json!("first"), &json!(5)));
        assert_eq!(found["pv"].as_array().unwrap().len(), 5, "{found}");
    }
}

#[test]
fn margins_are_found() {
    let (found, _) = json(&["analyse", "reversi:4x4", "--algorithm", "mtdf"]);
    assert_eq!((&found["value"], &found["margin"]), (&json!("second"), &json!(-10)));
    assert!(found["distance"].is_null() && found["depth"].is_null());
    let words = zermelo(&["analyse", "reversi:4x4", "--algorithm", "mtdf"]).out;
    assert!(words.contains("second player wins by 10"), "{words}");
}

#[test]
fn a_limit_leaves_a_score() {
    let (found, _) = json(&["analyse", "reversi", "--depth", "4"]);
    assert_eq!((&found["depth"], &found["exact"]), (&json!(4), &json!(false)));
    assert!(found["value"].is_i64() && found["margin"].is_null(), "{found}");
    assert_eq!(found["algorithm"], "playing");
    for limit in [["--nodes", "2000"], ["--time", "0.05"]] {
        let (found, _) = json(&[&["analyse", "reversi"], &limit[..]].concat());
        assert_eq!(found["exact"], false);
        assert!(found["best"].is_string(), "{found}");
    }
}

#[test]
fn techniques_change_the_work_and_not_the_value() {
    let nodes = |techniques: &str| {
        let call = ["analyse", "tictactoe", "--algorithm", "alphabeta", "--techniques", techniques];
        let (found, _) = json(&call);
        assert_eq!(found["value"], "draw");
        found["nodes"].as_u64().unwrap()
    };
    assert!(nodes("all") < nodes("none"));
    assert!(nodes("none,table") < nodes("none"));
}

#[test]
fn a_finished_game_has_nothing_to_search() {
    let place = ["tictactoe", "--moves", "a1 b1 a2 b2 a3"];
    let (found, _) = json(&[&["analyse"], &place[..]].concat());
    assert_eq!((&found["value"], &found["exact"]), (&json!("first"), &json!(true)));
    assert_eq!((&found["best"], &found["pv"]), (&Value::Null, &json!([])));
    let (counted, _) = json(&[&["perft", "--depth", "3"], &place[..]].concat());
    assert_eq!(counted["nodes"], 1);
}

#[test]
fn warnings_can_be_silenced() {
    let ran = zermelo(&["show", "mnk:3x3,k=4"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.starts_with("zermelo: warning: "), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1);
    assert_eq!(zermelo(&["show", "mnk:3x3,k=4", "--quiet"]).err, "");
}

#[test]
fn verbose_talks_on_standard_error_only() {
    let ran = zermelo(&["perft", "reversi", "--depth", "2", "--json", "-vv"]);
    assert_eq!(keys(&ran.out).len(), 5);
    assert!(!ran.err.is_empty());
}

#[test]
fn completions_and_the_man_page_are_written() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = zermelo(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out.contains("analyse") && ran.out.contains("algorithm"), "{shell}");
    }
    let page = zermelo(&["man"]).out;
    for word in [".TH zermelo 1", "ZERMELO ANALYSE", "techniques", "divide"] {
        assert!(page.contains(word), "{word}");
    }
    let (man, _) = json(&["man"]);
    assert_eq!(man["text"], page.as_str());
}

#[test]
fn help_is_an_answer() {
    for call in [&["--help"][..], &["help"], &["help", "play"], &["perft", "-h"]] {
        let ran = zermelo(call);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{call:?}");
        assert!(ran.out.contains("Usage:"), "{call:?}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for call in ["games", "man"] {
        let mut child =
            command().arg(call).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{call}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{call}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_known() {
    let mut child = command()
        .args(["analyse", "gomoku", "--algorithm", "negascout", "--json", "-vv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The log says when the first depth is done, so that something is known.
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("depth: Some(2)") {
        line.clear();
        assert_ne!(log.read_line(&mut line).unwrap(), 0, "the log ended");
    }
    let drain = std::thread::spawn(move || log.read_to_string(&mut String::new()));
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    drain.join().unwrap().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["exact"], false);
    assert!(found["best"].is_string() && found["value"].is_number(), "{found}");
}

#[test]
fn a_match_counts_pairs_and_repeats() {
    let call = ["match", "reversi:4x4", "depth=4", "random", "--games", "9", "--seed", "3"];
    let (matched, text) = json(&call);
    let expected = [
        "game",
        "bots",
        "each",
        "games",
        "wins",
        "draws",
        "losses",
        "pairs",
        "score",
        "score_interval",
        "elo",
        "elo_interval",
        "superiority",
        "draw_ratio",
        "sprt",
        "forfeits",
        "finished",
        "resume",
        "seed",
        "seconds",
    ];
    assert_eq!(keys(&text), expected);
    assert_eq!((&matched["games"], &matched["forfeits"]), (&json!(10), &json!([])));
    let count = |key: &str| matched[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 10);
    let (again, _) = json(&call);
    assert_eq!((&again["pairs"], &again["score"]), (&matched["pairs"], &matched["score"]));

    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/match.sgf");
    let words = zermelo(&[&call[..], &["--save", file]].concat());
    assert!(words.out.contains("games  10: +"), "{}", words.out);
    assert!(words.out.contains("Elo    "), "{}", words.out);
    let (record, _) = json(&["record", "reversi:4x4", file]);
    assert_eq!(record["games"].as_array().unwrap().len(), 10, "{record}");
}

#[test]
fn several_lines_and_threads() {
    let (found, _) = json(&["analyse", "reversi", "--depth", "6", "--lines", "3"]);
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["value"], &lines[0]["pv"]), (&found["value"], &found["pv"]));
    let (alone, _) = json(&["analyse", "reversi", "--depth", "8", "--algorithm", "negascout"]);
    let (both, _) =
        json(&["analyse", "reversi", "--depth", "8", "--algorithm", "negascout", "--threads", "2"]);
    assert_eq!(alone["value"], both["value"]);
    let words = zermelo(&["analyse", "reversi", "--depth", "5", "--lines", "2"]).out;
    assert!(words.contains("\nthen   "), "{words}");
}

#[test]
fn weights_are_shown_loaded_and_refused() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/drawn.weights");
    let drawn = zermelo(&["weights", "show", "reversi", "--weights", "random", "--seed", "5"]);
    assert!(drawn.out.starts_with("zermelo weights 1\ngame reversi\nevaluation "), "{drawn:?}");
    std::fs::write(file, &drawn.out).unwrap();
    assert_eq!(zermelo(&["weights", "show", "reversi", "--weights", file]).out, drawn.out);
    let bot = format!("depth=2,weights={file}");
    let (matched, _) =
        json(&["match", "reversi:4x4", &bot, "depth=2,weights=classic", "--games", "2"]);
    assert_eq!(matched["games"], 2);

    let (shown, text) = json(&["weights", "show", "draughts", "--weights", "zones"]);
    assert_eq!(keys(&text), ["game", "evaluation", "weights"]);
    assert_eq!((&shown["game"], &shown["evaluation"]), (&json!("draughts"), &json!("zones")));
    assert_eq!(shown["weights"]["man"], 100);

    std::fs::write(file, drawn.out.replacen("evaluation", "valuation", 1)).unwrap();
    for weights in [file, "nosuch", "no/such/file"] {
        let ran = zermelo(&["weights", "show", "reversi", "--weights", weights]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{weights}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{weights}: {ran:?}");
    }
}
