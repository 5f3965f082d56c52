//! Solvers side by side, the size of game trees, and proofs by argument.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json as value};

use crate::bad_input::assert_refused;
use crate::support::{json, keys, zermelo};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/experiments")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_zermelo");

#[test]
fn solvers_are_compared_on_made_positions() {
    let plot = folder("made").join("plot.svg");
    let plot = plot.to_str().unwrap();
    let call = ["solve", "--compare", "--empties", "7-8", "--hash", "4", "--plot", plot];
    let (compared, text) = json(&call);
    let all = [
        "game",
        "seed",
        "node_limit",
        "seconds_limit",
        "solvers",
        "positions",
        "means",
        "disagreements",
        "complete",
    ];
    assert_eq!(keys(&text), all);
    assert_eq!((&compared["game"], &compared["complete"]), (&value!("reversi:6x6"), &value!(true)));
    assert_eq!(compared["disagreements"], value!([]));
    let positions = compared["positions"].as_array().unwrap();
    let kinds: Vec<&Value> = positions.iter().map(|position| &position["kind"]).collect();
    assert_eq!(kinds, ["real", "random", "real", "random"]);
    for position in positions {
        let runs = position["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 13);
        // Everybody finds what analyse finds.
        let analysed = json(&[
            "analyse",
            "reversi:6x6",
            "--algorithm",
            "minimax",
            "--position",
            position["position"].as_str().unwrap(),
        ])
        .0;
        for run in runs {
            assert_eq!(run["value"], analysed["margin"], "{run}");
        }
    }
    let nodes = |solver: &str| -> f64 {
        let means = compared["means"].as_array().unwrap().iter();
        means
            .filter(|mean| mean["solver"] == solver)
            .map(|mean| mean["nodes"].as_f64().unwrap())
            .sum()
    };
    assert!(nodes("alphabeta+all") < nodes("alphabeta"));
    let svg = fs::read_to_string(plot).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("negascout+table"), "{svg}");
}

#[test]
fn positions_and_solvers_come_from_outside() {
    let folder = folder("outside");
    let file = folder.join("positions.txt");
    fs::write(&file, "# Endgames\n[real]\nx.o/.../... x\n[random]\n.../.x./..o x # the middle\n")
        .unwrap();
    let file = file.to_str().unwrap();
    let ours = format!("{PROGRAM} solve {{game}} --position {{position}} --json");
    let call = ["solve", "tictactoe", "--compare", "--positions", file, "--hash", "1"];
    let (compared, _) = json(&[&call[..], &["--external", &ours]].concat());
    assert_eq!(compared["solvers"][13], value!(ours));
    assert_eq!(compared["positions"][0]["empties"], value!(7));
    let external = &compared["positions"][1]["runs"][13];
    assert_eq!(external["value"], compared["positions"][1]["value"]);
    assert!(external["nodes"].as_u64().is_some(), "{external}");
    // One that is wrong is named.
    let ran = zermelo(&[&call[..], &["--external", "echo 7 {position} 99"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("wrong  echo 7 {position} 99 says 99 of"), "{ran:?}");
    // One that thinks for too long has no value, and is no liar.
    let script = folder.join("slow.sh");
    fs::write(&script, "exec sleep 100\n").unwrap();
    let slow = format!("sh {} {{position}}", script.display());
    let (slow, _) = json(&[&call[..], &["--time", "0.3", "--external", &slow]].concat());
    assert_eq!(slow["complete"], value!(true));
}

#[test]
fn runs_are_given_up_honestly() {
    let call = ["solve", "--compare", "--empties", "16", "--hash", "4", "--nodes", "2000"];
    let ran = zermelo(&call);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.out.contains("real, mean nodes") && ran.out.contains('>'), "{ran:?}");
    for wrong in [
        &["solve"][..],
        &["solve", "tictactoe", "--empties", "3"],
        &["solve", "--compare", "--empties", "9-3"],
        &["solve", "--compare", "--external", "solver"],
        &["solve", "--compare", "--positions", "/no/such/file"],
        &["solve", "tictactoe", "--compare", "--empties", "40"],
        &[
            "solve",
            "tictactoe",
            "--compare",
            "--external",
            "/no/such/solver {position}",
            "--empties",
            "2",
        ],
        &["solve", "tictactoe", "--compare", "--question", "value"],
    ] {
        assert_refused(&zermelo(wrong), &wrong.join(" "));
    }
}

/// Numbers that can be counted: all games of tic-tac-toe and of Reversi on 4x4.
#[test]
fn random_games_tell_the_size_of_small_trees() {
    let plot = folder("branching").join("plot.svg");
    let plot = plot.to_str().unwrap();
    for (game, leaves) in [("tictactoe", 255_168.0_f64), ("reversi:4x4", 60_060.0)] {
        let (sampled, text) =
            json(&["analyse", game, "--branching", "--games", "4000", "--plot", plot]);
        let all = [
            "game",
            "position",
            "games",
            "seed",
            "shortest",
            "mean_length",
            "longest",
            "mean_branching",
            "plies",
            "product",
            "leaves",
            "positions",
            "seconds",
        ];
        assert_eq!(keys(&text), all);
        let (log10, error) = (
            sampled["leaves"]["log10"].as_f64().unwrap(),
            sampled["leaves"]["error"].as_f64().unwrap(),
        );
        let off = (10f64.powf(log10) / leaves - 1.0).abs();
        assert!(error < 0.05 && off < 3.0 * error, "{game}: {off} {error}");
        assert!(fs::read_to_string(plot).unwrap().contains("estimate by Knuth"));
    }
    let (sampled, _) = json(&["analyse", "tictactoe", "--branching", "--games", "10"]);
    let means: Vec<f64> = sampled["plies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ply| ply["mean"].as_f64().unwrap())
        .collect();
    assert_eq!(means[..5], [9.0, 8.0, 7.0, 6.0, 5.0]);
    let (again, _) = json(&["analyse", "tictactoe", "--branching", "--games", "10"]);
    assert_eq!(again["plies"], sampled["plies"]);
    let (over, _) = json(&["analyse", "tictactoe", "--branching", "--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!((&over["longest"], &over["plies"]), (&value!(0), &value!([])));
    for wrong in [
        &["analyse", "tictactoe", "--games", "5"][..],
        &["analyse", "tictactoe", "--branching", "--depth", "5"],
        &["analyse", "tictactoe", "--branching", "--games", "0"],
        &["analyse", "tictactoe", "--branching", "--plot", "/no/such/folder/x"],
    ] {
        assert_refused(&zermelo(wrong), &wrong.join(" "));
    }
}

#[test]
fn arguments_prove_without_a_search() {
    let ultraweak = |more: &[&str]| -> (Option<i32>, Value) {
        let ran = zermelo(&[&["solve"], more, &["--proof", "ultraweak", "--json"]].concat());
        (ran.code, serde_json::from_str(&ran.out).unwrap_or_default())
    };
    // The first player does not lose; whether the game is won stays open.
    let (code, gomoku) = ultraweak(&["gomoku"]);
    assert_eq!((code, &gomoku["proved"], &gomoku["nodes"]), (Some(1), &value!(false), &value!(0)));
    assert_eq!((&gomoku["lower"], &gomoku["upper"]), (&value!(0), &Value::Null));
    let (code, gomoku) = ultraweak(&["gomoku", "--question", "ge:0"]);
    assert_eq!((code, &gomoku["answer"]), (Some(0), &value!(true)));
    // With pairs of squares it is a draw.
    let (code, draw) = ultraweak(&["mnk:5x5,k=5"]);
    assert_eq!((code, &draw["value"], &draw["proved"]), (Some(0), &value!("draw"), &value!(true)));
    // Where it would be wrong, nothing is stolen.
    for game in ["mnk:5x5,k=4,gravity", "mnk:5x5,k=4,win=exact", "mnk:5x5,k=4,p=2", "connect6"] {
        let (code, open) = ultraweak(&[game, "--question", "ge:0"]);
        assert_eq!((code, &open["answer"]), (Some(1), &Value::Null), "{game}");
    }
    let (_, moved) = ultraweak(&["gomoku", "--moves", "h8"]);
    assert_eq!(moved["lower"], Value::Null);
    // In Go who has the first move could pass it on, less komi.
    for (game, question, code, answer) in [
        ("go:5x5", "ge:0", 0, value!(true)),
        ("go9", "ge:-7", 0, value!(true)),
        ("go9", "ge:-6", 1, Value::Null),
        ("tromp-taylor", "ge:0", 0, value!(true)),
        ("japanese", "ge:-7", 1, Value::Null),
        ("go:5x5,komi=-0.5", "outcome", 0, value!("first")),
    ] {
        let (ended, found) = ultraweak(&[game, "--question", question]);
        assert_eq!((ended, &found["answer"]), (Some(code), &answer), "{game} {question}");
    }
    let (_, moved) = ultraweak(&["go:5x5", "--moves", "pass"]);
    assert_eq!((&moved["lower"], &moved["proved"]), (&Value::Null, &value!(false)));
    for wrong in [
        &["solve", "reversi:6x6", "--proof", "ultraweak"][..],
        &["solve", "gomoku", "--proof", "ultraweak", "--certificate", "x"],
        &["solve", "gomoku", "--proof", "ultraweak", "--table", "x"],
    ] {
        assert_refused(&zermelo(wrong), &wrong.join(" "));
    }
}

/// Whoever is to move, everything is said for the first player; and nothing that is not known is left out.
#[test]
fn answers_are_the_first_players() {
    let (second_wins, text) = json(&["solve", "tictactoe", "--moves", "a1 b1 c3 b2 c1"]);
    assert_eq!(
        (&second_wins["value"], &second_wins["answer"]),
        (&value!("second"), &value!("second"))
    );
    assert_eq!((&second_wins["lower"], &second_wins["upper"]), (&value!(-1), &value!(-1)));
    assert_eq!((&second_wins["margin"], &second_wins["distance"]), (&Value::Null, &Value::Null));
    for question in ["value", "outcome", "ge:1"] {
        let ran = zermelo(&[
            "solve",
            "reversi:6x6",
            "--question",
            question,
            "--nodes",
            "100",
            "--slice",
            "100",
            "--json",
        ]);
        let open: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, keys(&ran.out)), (Some(1), keys(&text)), "{question}");
        assert_eq!((&open["answer"], &open["proved"]), (&Value::Null, &value!(false)));
        assert_eq!((&open["lower"], &open["upper"]), (&Value::Null, &Value::Null));
    }
}

/// Where rules look back, proof numbers are the default.
#[test]
fn small_go_boards_are_blacks() {
    for (game, points) in [("go:2x4", 8), ("go:3x3", 9)] {
        let (solved, _) = json(&["solve", game]);
        assert_eq!(
            (&solved["answer"], &solved["proved"]),
            (&value!(points), &value!(true)),
            "{game}"
        );
    }
}

#[test]
#[ignore = "several seconds"]
fn all_ten_points_of_2x5() {
    let (solved, _) = json(&["solve", "go:2x5"]);
    assert_eq!((&solved["answer"], &solved["proved"]), (&value!(10), &value!(true)));
}

/// Memory is what `--hash` says and a constant, which docs/solving.md states.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_the_table_and_a_constant() {
    use std::process::Stdio;
    const CONSTANT_KB: u64 = 48 << 10;
    for (hash, method) in [(16, "alphabeta"), (96, "alphabeta"), (64, "proof")] {
        let mut child = crate::support::command()
            .args(["solve", "connect4", "--time", "1.5", "--method", method, "--hash"])
            .arg(hash.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
            let status = status.unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let peak = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
            most = most.max(peak.unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(most > 4 << 10, "nothing was seen");
        assert!(most <= (hash << 10) + CONSTANT_KB, "{most} KB with {hash} MB by {method}");
    }
}
