//! Genetic sessions and reports on them, with real kills and files that are not what they should be.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use game::Rng;
use serde_json::json as value;

use crate::bad_input::assert_refused;
use crate::support::{command, json, keys, zermelo};

const GAME: &str = "draughts:english,draw=40-plies-captureless";

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/tuning")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A small session in that folder, with what else it is to have.
fn session<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let small = [
        "tune",
        "genetic",
        GAME,
        "--out",
        out,
        "--population",
        "8",
        "--duels",
        "3",
        "--depth",
        "2",
    ];
    [&small, more].concat()
}

/// A generation without how long it took.
fn generation(out: &Path, number: u64) -> Vec<String> {
    let text = fs::read_to_string(out.join(format!("generation-{number:06}.population"))).unwrap();
    let timeless = |line: &&str| !line.starts_with("seconds ") && !line.starts_with("end ");
    text.lines().filter(timeless).map(str::to_owned).collect()
}

/// Killed at any point, a session goes on without losing or repeating a generation, and ends as one that was not.
#[test]
fn kills_neither_lose_nor_repeat_a_generation() {
    const GENERATIONS: u64 = 25;
    let folder = folder("kills");
    let (whole, killed) = (folder.join("whole"), folder.join("killed"));
    let [whole_text, killed_text] = [&whole, &killed].map(|path| path.to_str().unwrap());
    let end = ["--generations", "25", "--quiet"];
    let ran = zermelo(&session(whole_text, &[&end[..], &["--threads", "2"]].concat()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut rng = Rng::new(3);
    let (mut kills, mut done, mut reached) = (0, false, 0);
    while !done {
        let mut command = command();
        command.args(session(killed_text, &[&end[..], &["--threads", "1"]].concat()));
        let begun = killed.join("generation-000000.population").exists();
        if begun {
            command.arg("--resume");
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // However fast the machine is: some generations later, and then at any moment.
        reached += rng.below(5);
        let file = killed.join(format!("generation-{reached:06}.population"));
        while !file.exists() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(200));
        }
        thread::sleep(Duration::from_micros(rng.below(4000) as u64));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        let ran = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), "", "after {kills} kills");
        done = ran.status.success();
    }
    assert!(kills >= 3, "only {kills} kills");
    for number in 0..=GENERATIONS {
        assert_eq!(generation(&killed, number), generation(&whole, number), "generation {number}");
    }
}

#[test]
fn a_damaged_generation_is_refused_and_the_one_before_it_offered() {
    let folder = folder("damaged");
    let out = folder.join("session");
    let out_text = out.to_str().unwrap();
    assert_eq!(zermelo(&session(out_text, &["--generations", "3"])).code, Some(0));
    let last = out.join("generation-000003.population");
    let text = fs::read_to_string(&last).unwrap();
    fs::write(&last, text.replacen("member ", "member 1", 1)).unwrap();
    let resume = session(out_text, &["--generations", "4", "--resume"]);
    let ran = zermelo(&resume);
    assert_refused(&ran, "a damaged generation");
    let before = out.join("generation-000002.population");
    let before = before.to_str().unwrap();
    assert!(
        ran.err.contains("damaged") && ran.err.contains(&format!("--resume {before}")),
        "{}",
        ran.err
    );
    let ran = zermelo(&session(out_text, &["--generations", "4", "--resume", before]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(fs::read_to_string(&last).unwrap().lines().count(), text.lines().count());
    assert!(out.join("generation-000004.population").exists());
}

/// A session goes on with other settings, and with fewer weights.
#[test]
fn sessions_are_reported_and_retuned() {
    let folder = folder("report");
    let name = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (one, two, off, weights) =
        (name("one"), name("two"), name("off.txt"), name("mine.weights"));
    let (answer, text) = json(&session(&one, &["--generations", "2", "--weights", &weights]));
    let all = [
        "game",
        "evaluation",
        "generation",
        "games",
        "seconds",
        "games_per_second",
        "file",
        "finished",
        "resume",
        "gate",
    ];
    assert_eq!(keys(&text), all);
    assert_eq!((&answer["generation"], &answer["games"]), (&value!(2), &value!(2 * 24 + 2)));
    assert_eq!(answer["gate"], value!(null));
    assert_eq!(zermelo(&session(&two, &["--generations", "2", "--seed", "2"])).code, Some(0));
    assert_eq!(zermelo(&["weights", "show", "draughts", "--weights", &weights]).code, Some(0));
    let (report, _) = json(&["tune", "report", &one, &two, "--reduced", &off]);
    assert_eq!((&report["sessions"], &report["largest"]), (&value!(2), &value!(32768.0)));
    assert_eq!(report["weights"].as_array().unwrap().len(), 60);
    let low = fs::read_to_string(&off).unwrap();
    assert_eq!(low.lines().count(), report["low"].as_array().unwrap().len());
    let again = session(&one, &["--generations", "3", "--off", &off, "--resume"]);
    assert_eq!(zermelo(&again).code, Some(0));
    let last = generation(Path::new(&one), 3);
    let names: Vec<&str> =
        last.iter().find(|line| line.starts_with("weights ")).unwrap().split(' ').collect();
    for member in last.iter().filter(|line| line.starts_with("member ")) {
        let weights: Vec<&str> = member.split(' ').collect();
        let off =
            names.iter().zip(&weights).filter(|(name, _)| low.lines().any(|low| low == **name));
        assert!(off.clone().count() > 0 && off.into_iter().all(|(_, weight)| *weight == "0"));
    }
}

/// Every game has features, and a session finds weights for them that a bot can load.
#[test]
fn features_of_every_game_are_bred() {
    let folder = folder("every-game");
    for (game, features) in [
        ("chess", 44),
        ("connect4", 38),
        ("mnk:5x5,k=4,p=2,q=1", 38),
        ("go:5x5", 24),
        ("reversi:6x6", 22),
    ] {
        let name = game.replace([':', ',', '='], "-");
        let [out, weights] = ["session", "weights"].map(|end| folder.join(format!("{name}.{end}")));
        let [out, weights] = [&out, &weights].map(|path| path.to_str().unwrap());
        let (bred, _) = json(&[
            "tune",
            "genetic",
            game,
            "--out",
            out,
            "--population",
            "4",
            "--depth",
            "1",
            "--generations",
            "1",
            "--weights",
            weights,
        ]);
        assert_eq!((&bred["evaluation"], &bred["generation"]), (&value!("features"), &value!(1)));
        let (shown, _) = json(&["weights", "show", game, "--weights", weights]);
        assert_eq!(shown["weights"].as_object().unwrap().len(), features, "{game}");
        let bot = format!("depth=1,weights={weights}");
        let (played, _) = json(&["match", game, &bot, "depth=1,weights=features", "--games", "2"]);
        assert_eq!(played["games"], 2, "{game} {played}");
    }
}

/// The champion meets the evaluation as it was, and is not said to be better before a test says so.
#[test]
fn a_session_ends_with_a_proof() {
    let folder = folder("proof");
    let name = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (out, weights) = (name("session"), name("champion.weights"));
    let gate = ["--gate", "--gate-games", "4", "--gate-bot", "depth=2,hash=1"];
    let short = ["--generations", "1", "--weights", &weights, "--json"];
    let ran = zermelo(&session(&out, &[&short[..], &gate].concat()));
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &answer["gate"]["games"]), (Some(1), &value!(4)));
    assert_eq!(answer["gate"]["sprt"]["decision"], "open");
    let nowhere = zermelo(&session(&out, &["--resume", "--gate"]));
    assert_refused(&nowhere, "a gate for weights that are not written");
    assert!(nowhere.err.contains("--weights"), "{nowhere:?}");
}

#[test]
fn what_cannot_be_tuned_is_refused_in_one_line() {
    let folder = folder("refused");
    let out = folder.join("session");
    let out = out.to_str().unwrap();
    assert_eq!(zermelo(&session(out, &["--generations", "1"])).code, Some(0));
    let foreign = folder.join("foreign");
    fs::write(&foreign, "zermelo population 2\n").unwrap();
    let foreign = foreign.to_str().unwrap();
    for (arguments, why) in [
        (&["genetic", GAME, "--out", out][..], "--resume would go on"),
        (&["genetic", GAME, "--out", "x", "--population", "6"], "that 4 divides"),
        (&["genetic", GAME, "--out", "x", "--population", "8", "--duels", "8"], "too many"),
        (&["genetic", GAME, "--out", "x", "--evaluation", "none"], "there are classic"),
        (&["genetic", "go", "--out", "x", "--evaluation", "area"], "no weights to play with"),
        (&["genetic", GAME, "--out", "x", "--selection", "best"], "half or tournament"),
        (&["genetic", GAME, "--out", "x", "--resume"], "no generation to go on with"),
        (&["genetic", GAME, "--out", "x", "--resume", foreign], "another version"),
        (
            &["genetic", "reversi", "--out", out, "--evaluation", "stable", "--resume"],
            "has weights of",
        ),
        (&["genetic", GAME, "--out", "/proc/none", "--generations", "1"], "cannot write"),
        (&["report", "/no/such/session"], "cannot read"),
        (&["depths", GAME, "--out", "x", "--depths", "4,4"], "two different depths"),
    ] {
        let ran = zermelo(&[&["tune"], arguments].concat());
        assert_refused(&ran, &arguments.join(" "));
        assert!(ran.err.contains(why), "{arguments:?} {}", ran.err);
    }
    assert!(!fs::exists("x").unwrap());
}

/// Both depths, and that what was finished is not played again.
#[test]
fn depths_are_compared() {
    let folder = folder("depths");
    let out = folder.to_str().unwrap();
    let arguments = [
        "tune",
        "depths",
        GAME,
        "--out",
        out,
        "--depths",
        "1,2",
        "--runs",
        "2",
        "--generations",
        "2",
        "--population",
        "4",
    ];
    let (first, _) = json(&arguments);
    let (again, _) = json(&arguments);
    assert_eq!(first, again);
    assert_eq!((&first["ways"], &first["runs"]), (&value!(6), &value!(2)));
    assert_eq!(first["weights"].as_array().unwrap().len(), 60);
}
