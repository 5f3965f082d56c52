//! `zermelo tune`: games to learn from, fits, searches by games, and the match at the end.

use std::fs;

use serde_json::json;

use crate::support::{json, keys, zermelo};

/// A file of this test's own.
fn file(name: &str) -> String {
    let file = format!("{}/tuning-{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&file);
    file
}

fn data(name: &str, game: &str, games: &str) -> String {
    let out = file(name);
    let bot = ["--bot", "nodes=60,hash=1", "--ending", "500"];
    let ran =
        zermelo(&[&["tune", "data", game, "--games", games, "--out", &out], &bot[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    out
}

/// From games to weights that a bot loads, with the match at the end.
#[test]
fn weights_are_learnt_from_games_and_meet_the_old_ones() {
    let data = data("english.data", "draughts:english", "40");
    let out = file("english.weights");
    let learn =
        ["tune", "logistic", "draughts:english", "--data", &data, "--out", &out, "--network"];
    let gate = ["--gate", "--gate-games", "4", "--gate-bot", "depth=2,hash=1"];
    let ran = zermelo(&[&learn[..], &gate, &["--json"]].concat());
    // Four games prove nothing.
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(
        keys(&ran.out),
        [
            "game",
            "evaluation",
            "file",
            "games",
            "positions",
            "weights",
            "changed",
            "steepness",
            "pull",
            "steps",
            "before",
            "after",
            "really",
            "network",
            "judged_seconds",
            "fitted_seconds",
            "gate"
        ]
    );
    let learnt: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&learnt["games"], &learnt["gate"]["games"]), (&json!(40), &json!(4)));
    assert_eq!(learnt["gate"]["sprt"]["decision"], "open");
    assert!(learnt["after"][0].as_f64() < learnt["before"][0].as_f64(), "{learnt}");
    let text = fs::read_to_string(&out).unwrap();
    assert!(
        text.starts_with("zermelo weights 1\n# zermelo tune logistic draughts:english"),
        "{text}"
    );
    let (shown, _) = json(&["weights", "show", &out]);
    assert_eq!(shown["evaluation"], "classic");
    let words = zermelo(&learn).out;
    assert!(words.contains("held out") && words.contains("does not play"), "{words}");
}

/// Both ways by games are repeatable, with any number of threads, and go on where they were.
#[test]
fn sessions_by_games_go_on() {
    for method in ["spsa", "cma"] {
        let found = |games: &str, session: &str, threads: &str| {
            let out = file(&format!("{method}.weights"));
            let ran = zermelo(&[
                "tune",
                method,
                "draughts:english",
                "--weights",
                "zones",
                "--depth",
                "1",
                "--pairs",
                "2",
                "--games",
                games,
                "--out",
                &out,
                "--session",
                session,
                "--threads",
                threads,
                "--seed",
                "3",
            ]);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
            // The first comment is the command, which differs.
            fs::read_to_string(out).unwrap().lines().skip(2).collect::<Vec<_>>().join("\n")
        };
        if method == "spsa" {
            // The steps know how many there will be.
            let [one, other] = [file("one.session"), file("other.session")];
            assert_eq!(found("64", &one, "1"), found("64", &other, "2"));
            continue;
        }
        let [one, other] = [file("cma-one.session"), file("cma-other.session")];
        let whole = found("200", &one, "2");
        found("100", &other, "1");
        assert_eq!(found("200", &other, "1"), whole);
        let text = fs::read_to_string(&one).unwrap();
        fs::write(&one, &text[..text.len() / 2]).unwrap();
        let ran = zermelo(&[
            "tune",
            method,
            "draughts:english",
            "--weights",
            "zones",
            "--out",
            "x.weights",
            "--session",
            &one,
        ]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    }
}

/// Games by the search of bots depend on the seed alone, too.
#[test]
fn sessions_by_the_search_of_bots() {
    let found = |threads: &str, more: &[&str]| {
        let out = file(&format!("nodes-{threads}.weights"));
        let common = ["tune", "spsa", "draughts:russian", "--pairs", "2", "--games", "24"];
        let ran = zermelo(&[&common[..], &["--out", &out, "--threads", threads], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
        fs::read_to_string(out).unwrap().lines().skip(2).collect::<Vec<_>>().join("\n")
    };
    let by_nodes = found("1", &["--nodes", "60"]);
    assert_eq!(found("2", &["--nodes", "60"]), by_nodes);
    assert_ne!(found("2", &["--depth", "1"]), by_nodes, "another search plays other games");
}

#[test]
fn wrong_ways_to_tune_are_refused_in_a_line() {
    let data = data("reversi.data", "reversi:4x4", "3");
    let wrong = file("wrong.data");
    fs::write(&wrong, fs::read_to_string(&data).unwrap().replacen("positions 1", "positions 2", 1))
        .unwrap();
    for (arguments, why) in [
        (&["tune", "data", "reversi:4x4", "--out", &*data, "--seed", "9"][..], "seed 9"),
        (&["tune", "data", "snooker", "--out", &data], "there is no such game"),
        (&["tune", "data", "reversi", "--out", "/no/such/file"], "cannot use"),
        (&["tune", "data", "reversi", "--out", &data, "--plies", "9-3"], "4-10"),
        (&["tune", "logistic", "reversi", "--data", &data, "--out", "-"], "reversi:4x4"),
        (&["tune", "logistic", "reversi:4x4", "--data", &wrong, "--out", "-"], "another version"),
        (
            &[
                "tune",
                "logistic",
                "reversi:4x4",
                "--data",
                &data,
                "--weights",
                "bones",
                "--out",
                "-",
            ],
            "bones",
        ),
        (
            &["tune", "logistic", "chess", "--data", &data, "--target", "margin", "--out", "-"],
            "reversi:4x4",
        ),
        (&["tune", "spsa", "go:5x5", "--out", "-"], "weights"),
        (&["tune", "spsa", "go:5x5", "--depth", "2", "--nodes", "9", "--out", "-"], "--depth"),
    ] {
        let ran = zermelo(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?} {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?} {ran:?}");
        assert!(ran.err.contains(why), "{arguments:?} {ran:?}");
    }
}

/// What the README's tour shows, with fewer games and less depth: features that begin as material alone learn to beat it.
#[test]
fn weights_learnt_by_games_beat_counting_pieces() {
    let out = file("by-games.weights");
    let learn =
        "tune spsa draughts:english --weights features --games 1000 --depth 3 --seed 1 --out";
    let learn: Vec<&str> = learn.split(' ').chain([&*out]).collect();
    assert_eq!(zermelo(&learn).code, Some(0));
    let [new, old] = [&*out, "material"].map(|weights| format!("weights={weights},depth=3,hash=1"));
    let (matched, _) = json(&["match", "draughts:english", &new, &old, "--games", "40"]);
    assert!(matched["score_interval"][0].as_f64().unwrap() > 0.5, "{matched}");
}
