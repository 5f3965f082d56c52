//! Work that is kept in a file or folder belongs to one program at a time; and a file that cannot
//! grow is an error, not the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json as value};

use crate::bad_input::assert_refused;
use crate::support::{Ran, command, speak, zermelo};

const IN_USE: &str = "is in use by another program";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/locks")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn start(arguments: &[&str]) -> Child {
    let mut command = command();
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// While one program is at it, another one is refused; once it was killed, the next one may.
fn belongs_to_one(arguments: &[&str], work: &Path, next: &[&str]) {
    let mut first = start(arguments);
    while !fs::exists(work).unwrap() {
        assert!(first.try_wait().unwrap().is_none(), "{arguments:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    for again in [arguments, next] {
        let ran = zermelo(again);
        assert_refused(&ran, &again.join(" "));
        assert!(ran.err.contains(IN_USE), "{ran:?}");
    }
    assert!(first.try_wait().unwrap().is_none(), "{arguments:?} was too quick to tell");
    first.kill().unwrap();
    first.wait().unwrap();
    let ran = zermelo(next);
    assert_ne!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_store_belongs_to_one() {
    let folder = folder("store");
    let store = folder.join("store.db");
    let file = store.to_str().unwrap();
    let game = ["solve", "mnk:6x7,k=4,gravity", "--hash", "1", "--slice", "600", "--store", file];
    let next = [&game[..], &["--resume", "--nodes", "600"]].concat();
    belongs_to_one(&game, &store, &next);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "locks are removed");
}

/// Two that begin at the same moment: one gets it, the other one is told so in one line.
#[test]
fn one_of_two_gets_a_new_store() {
    let folder = folder("race");
    for round in 0..20 {
        let file = folder.join(format!("store-{round}.db"));
        let file = file.to_str().unwrap();
        let solve = ["solve", "mnk:3x4,k=3", "--hash", "1", "--store", file];
        let both = [start(&solve), start(&solve)];
        let ends = both.map(|child| child.wait_with_output().unwrap());
        let mut codes = ends.each_ref().map(|end| end.status.code());
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(2)], "{ends:?}");
        let lines: Vec<String> = ends
            .iter()
            .map(|end| String::from_utf8(end.stderr.clone()).unwrap())
            .filter(|line| !line.is_empty())
            .collect();
        let [line] = &lines[..] else { panic!("{lines:?}") };
        // Who comes when the first one is done finds its work.
        assert!(line.contains(IN_USE) || line.contains("holds work already"), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
        let ran = zermelo(&[&solve[..], &["--resume", "--json"]].concat());
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["proved"], value!(true));
    }
}

#[test]
fn a_journal_belongs_to_one() {
    let journal = folder("journal").join("journal");
    let file = journal.to_str().unwrap();
    let games = ["match", "reversi:6x6", "depth=5", "depth=4", "--games", "100000"];
    let games = [&games[..], &["--threads", "1", "--journal", file]].concat();
    let mut first = start(&games);
    while !fs::exists(&journal).unwrap() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let ran = zermelo(&games);
    assert_refused(&ran, file);
    assert!(ran.err.contains(IN_USE), "{ran:?}");
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock went with its owner: this is refused for another reason.
    let ran = zermelo(&["match", "reversi:6x6", "depth=3", "depth=4", "--journal", file]);
    assert_refused(&ran, file);
    assert!(!ran.err.contains(IN_USE), "{ran:?}");
}

#[test]
fn a_folder_of_journals_belongs_to_one() {
    let folder = folder("tournament").join("journals");
    let file = folder.to_str().unwrap();
    let games = ["tournament", "reversi:6x6", "depth=5", "depth=4", "--threads", "1"];
    let long = [&games[..], &["--journal", file, "--games", "100000"]].concat();
    let mut first = start(&long);
    while !fs::exists(folder.join("0-0-1-0.journal")).unwrap() {
        assert!(first.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    let ran = zermelo(&long);
    assert_refused(&ran, file);
    assert!(ran.err.contains(&format!("{file} {IN_USE}")), "{ran:?}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_session_belongs_to_one() {
    let folder = folder("session");
    let (session, out) = (folder.join("deep/session"), folder.join("weights"));
    let (file, out) = (session.to_str().unwrap(), out.to_str().unwrap());
    for method in ["spsa", "cma"] {
        let tune = ["tune", method, "draughts:english", "--depth", "1", "--pairs", "2"];
        let tune =
            [&tune[..], &["--threads", "1", "--session", file, "--out", out, "--games"]].concat();
        let long = [&tune[..], &["1000000"]].concat();
        drop(fs::remove_file(&session));
        let other = [&tune[..], &["1000000", "--json"]].concat();
        let mut first = start(&long);
        while !fs::exists(&session).unwrap() {
            assert!(first.try_wait().unwrap().is_none(), "{method}");
            std::thread::sleep(Duration::from_millis(5));
        }
        let ran = zermelo(&other);
        assert_refused(&ran, method);
        assert!(ran.err.contains(IN_USE), "{ran:?}");
        first.kill().unwrap();
        first.wait().unwrap();
    }
}

#[test]
fn a_folder_of_generations_belongs_to_one() {
    let folder = folder("genetic").join("session");
    let out = folder.to_str().unwrap();
    let tune = ["tune", "genetic", "draughts:english", "--out", out, "--population", "8"];
    let tune = [&tune[..], &["--duels", "3", "--depth", "2", "--threads", "1"]].concat();
    let long = [&tune[..], &["--generations", "999999"]].concat();
    let next = [&tune[..], &["--resume", "--generations", "1"]].concat();
    belongs_to_one(&long, &folder.join("generation-000001.population"), &next);
}

/// The shell's limit for files: every command that writes says that it cannot, in one line, and
/// leaves nothing half done.
#[cfg(unix)]
#[test]
fn files_that_cannot_grow_are_told_of() {
    let folder = folder("limit");
    let program = env!("CARGO_BIN_EXE_zermelo");
    let limited = |what: &str| -> Ran {
        let script = format!("ulimit -f 1; cd '{}'; exec {program} {what}", folder.display());
        speak(std::process::Command::new("/bin/sh").args(["-c", &script]), b"")
    };
    for what in [
        "solve mnk:4x5,k=4,gravity --certificate proof --leaf 1",
        "solve mnk:3x4,k=3 --proof strong --table table",
        "solve mnk:4x5,k=4,gravity --slice 600 --hash 1 --store store",
        "tune genetic draughts:english --out session --population 8 --duels 3 --generations 1",
    ] {
        let ran = limited(what);
        assert_refused(&ran, what);
        let why = ["File too large", "disk I/O error", "disk is full"];
        assert!(why.iter().any(|why| ran.err.contains(why)), "{what}: {ran:?}");
    }
    // A folder for the session, and nothing in it.
    let left = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["session"]);
    assert_eq!(fs::read_dir(folder.join("session")).unwrap().count(), 0);
}
