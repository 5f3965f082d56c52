//! `zermelo verify` with files that lie about themselves, and other texts from outside.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use certificate::{Claim, Header, Step, Writer};
use serde_json::{Value, json as value};

use crate::bad_input::assert_refused;
use crate::support::{Ran, json, speak, with_input, zermelo};

const PROGRAM: &str = env!("CARGO_BIN_EXE_zermelo");

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/verifying"));
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn header(game: &str, position: &str) -> Header {
    Header { game: game.to_owned(), position: position.to_owned(), symmetries: 1, leaf_budget: 1 }
}

/// Nothing that a terminal would obey, and no line that a text from outside has made long.
fn is_plain(text: &str) {
    assert!(text.lines().all(|line| line.chars().count() < 500), "{text:?}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
}

/// A certificate that would print its own verdict and wipe away the program's.
#[test]
fn a_file_does_not_print_its_own_verdict() {
    let lie =
        format!("\r\u{1b}[2Kproved: margin >= 1\u{1b}[8m\n\u{202e}\u{9b}1A{}", "x".repeat(100_000));
    let file = file("forged");
    for (game, position, code) in [("mnk:3x3,k=3", &*lie, 1), (&*lie, "", 2)] {
        let mut writer = Writer::new(header(game, position));
        writer.add(writer.proof(Claim::AtLeast(1)));
        fs::write(&file, writer.finish()).unwrap();
        let ran = zermelo(&["verify", file.to_str().unwrap()]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let said = ran.out.clone() + &ran.err;
        is_plain(&said);
        assert!(said.contains(r"\r\u{1b}[2Kproved: margin >= 1\u{1b}[8m\n\u{202e}"), "{ran:?}");
        assert!(!said.lines().any(|line| line.starts_with("proved")), "{ran:?}");
        assert_eq!(ran.out.contains("refused: "), code == 1, "{ran:?}");
    }
}

/// The file that leads to 62,500 positions of a hundred kilobytes.
fn large() -> PathBuf {
    let file = file("large");
    let mut writer = Writer::new(header("mnk:250x250,k=5", ""));
    let mut proof = writer.proof(Claim::AtMost(0));
    let steps: Vec<Step> = (1..=62_500).map(|ahead| Step::To { ahead, symmetry: 0 }).collect();
    proof.all(&steps);
    (0..62_500).for_each(|_| proof.hopeless());
    writer.add(proof);
    fs::write(&file, writer.finish()).unwrap();
    file
}

/// It takes what `--memory` allows and says what there was not enough of: a system that gives no
/// more than two gigabytes of addresses is content.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_not_taken_by_claims() {
    let file = large();
    let limited = |flags: &str| -> Ran {
        let script =
            format!("ulimit -v 2000000; exec {PROGRAM} verify '{}' {flags}", file.display());
        speak(Command::new("/bin/sh").args(["-c", &script]), b"")
    };
    for (flags, megabytes, more) in [("", 1024, 2048), ("--memory 64", 64, 128)] {
        let ran = limited(flags);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let why = format!("take more than {megabytes} MB; --memory {more} would go on");
        assert!(ran.out.contains("refused: node 0") && ran.out.contains(&why), "{ran:?}");
    }
    let ran = limited("--memory 64 --json");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&answer["proved"], ran.code), (&value!(false), Some(1)));
}

/// A file without an end is not read to its end.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_file_is_refused() {
    let ran = zermelo(&["verify", "/dev/zero", "--memory", "2"]);
    assert_refused(&ran, "/dev/zero");
    assert!(ran.err.contains("/dev/zero has more than 2 MB; --memory 4"), "{ran:?}");
}

#[test]
fn time_is_not_taken_by_claims() {
    let file = file("timely");
    let file = file.to_str().unwrap();
    json(&["solve", "mnk:4x4,k=4", "--certificate", file, "--leaf", "100"]);
    let ran = zermelo(&["verify", file, "--time", "0.000001"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("but the time for the check is over; --time 0.000002"), "{ran:?}");
    assert_eq!(zermelo(&["verify", file, "--time", "600"]).code, Some(0));
    for wrong in [["--time", "0"], ["--time", "never"], ["--memory", "0"], ["--memory", "all"]] {
        assert_refused(&zermelo(&[&["verify", file], &wrong[..]].concat()), &wrong.join(" "));
    }
}

/// Names in files of games, names of files, and what engines say.
#[test]
fn no_text_from_outside_steers_the_terminal() {
    let codes = "\u{1b}]0;hello\u{7}\u{1b}[2J\u{202e}";
    let game = format!("[White \"{codes}{}\"]\n[Black \"B\"]\n\n1. e4 *\n", "w".repeat(5000));
    let ran = with_input(&["record", "chess", "-"], game.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    is_plain(&ran.out);
    for (arguments, input) in [
        (&["record", "chess", "-"][..], format!("[White \"W\"]\n\n1. {codes} *\n")),
        (&["record", "go:9x9", "-"], format!("(;SZ[9];B[{codes}])")),
        (&["show", "chess", "--position", codes], String::new()),
        (&["show", "chess", "--file", &format!("{codes}{}", "x".repeat(5000))], String::new()),
        (&["show", codes], String::new()),
        (&["analyse", "chess", "--weights", codes], String::new()),
        (&["match", "chess", &format!("uci:/{codes}"), "random", "--games", "2"], String::new()),
        (&["weights", "show", codes], String::new()),
        (&["solve", "tictactoe", "--store", &format!("/{codes}/x")], String::new()),
    ] {
        let ran = with_input(arguments, input.as_bytes());
        assert_ne!(ran.code, Some(0), "{ran:?}");
        is_plain(&(ran.out + &ran.err));
    }
}

/// What an engine says on its way out is told in one line, by every command that starts engines.
#[cfg(unix)]
#[test]
fn no_engine_steers_the_terminal() {
    let says = |words: &str| format!("printf '{words}'; sleep 1");
    let codes = "\\033[2J\\033]0;x\\007";
    let script = format!(
        "while read -r line; do case $line in protocol_version) {};; *) echo;; esac; done",
        says(&format!("? {codes}\\n\\n"))
    );
    let gtp = format!("gtp:/bin/sh -c \"{script}\"");
    let hub = format!("hub:/bin/sh -c \"printf 'error {codes}\\n'; sleep 1\"");
    for (engine, game) in [(&gtp, "go:9x9"), (&hub, "draughts")] {
        let ran = zermelo(&["match", game, engine, "random", "--games", "2"]);
        assert_ne!(ran.code, Some(0), "{ran:?}");
        is_plain(&(ran.out + &ran.err));
    }
    let talk = format!("uci:/bin/sh -c \"printf '{codes}\\n'\"");
    let ran = zermelo(&["talk", &talk]);
    is_plain(&ran.out);
    assert!(ran.out.contains(r"\u{1b}[2J"), "{ran:?}");
}
