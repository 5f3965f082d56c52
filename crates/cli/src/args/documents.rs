//! The commands that documents show are commands of the program, and the defaults and ranges that documents and help
//! texts tell are those of the definitions.

use std::fs;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, Parser};

use super::Arguments;

/// The README and all documents, each with its name.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|file| file.extension().is_some_and(|extension| extension == "md"));
    let read = |file| (Path::new(&file).display().to_string(), fs::read_to_string(&file).unwrap());
    pages.chain([root.join("README.md")]).map(read).collect()
}

/// The commands in blocks of code, without the remarks that stand behind some.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(str::lines).map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let calls = lines.filter(|line| line.starts_with("zermelo "));
    calls.map(|line| line.split("  ").next().unwrap_or_default().to_owned()).collect()
}

fn is_understood(place: &str, call: &str) {
    let words = arena::split_words(call).unwrap();
    let Err(error) = Arguments::try_parse_from(&words) else { return };
    // Pages set ZERMELO_STORE before they leave the flag out.
    let lacks_store = error.kind() == ErrorKind::MissingRequiredArgument
        && error.to_string().contains("--store <S>");
    let with_store = words.iter().map(String::as_str).chain(["--store", "x"]);
    if !lacks_store || Arguments::try_parse_from(with_store).is_err() {
        panic!("{place}: {call}\n{error}");
    }
}

#[test]
fn commands_in_documents_are_understood() {
    let mut tried = 0;
    for (page, text) in pages() {
        for call in commands(&text) {
            // The first lines of a book and of a transcript.
            if ["zermelo book 1", "zermelo transcript 1"].contains(&call.as_str()) {
                continue;
            }
            is_understood(&page, &call);
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried} commands were found");
}

/// Every command with the words that call it.
fn every_command() -> Vec<(Vec<String>, Command)> {
    fn collect(path: Vec<String>, command: &Command, all: &mut Vec<(Vec<String>, Command)>) {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            collect([&path[..], &[below.get_name().to_owned()]].concat(), below, all);
        }
        all.push((path, command.clone()));
    }
    let mut root = Arguments::command();
    root.build();
    let mut all = Vec::new();
    collect(vec!["zermelo".to_owned()], &root, &mut all);
    all
}

/// What documents say after the name of a flag: `--grace MS` … (default 50). Prose after a colon is not looked at.
fn told_defaults(text: &str) -> Vec<(String, String)> {
    let mut told = Vec::new();
    for (at, word) in text.match_indices("default ") {
        let after = &text[at + word.len()..];
        let value = match after.strip_prefix('`') {
            Some(quoted) => quoted.split('`').next().unwrap().to_owned(),
            None => {
                let number = after.split([' ', ';', ')', '|', '\n']).next().unwrap();
                number.trim_end_matches(['.', ',']).replace(',', "")
            }
        };
        let is_value = after.starts_with('`') || value.starts_with(|c: char| c.is_ascii_digit());
        if !is_value {
            continue;
        }
        let before = &text[..at];
        let Some(flag) = before.rfind("`--") else { continue };
        let ends = |c: char| !c.is_ascii_alphanumeric() && c != '-';
        let flag = before[flag + 3..].split(ends).next().unwrap();
        told.push((flag.to_owned(), value));
    }
    told
}

#[test]
fn defaults_in_documents_are_those_of_the_flags() {
    let all = every_command();
    let mut tried = 0;
    for (page, text) in pages() {
        for (flag, value) in told_defaults(&text) {
            let flags = all.iter().flat_map(|(_, command)| command.get_arguments());
            let mut flags = flags.filter(|arg| arg.get_long() == Some(&*flag));
            let is_right = |arg: &Arg| arg.get_default_values().iter().any(|told| *told == *value);
            assert!(flags.any(is_right), "{page}: no --{flag} has the default {value}");
            tried += 1;
        }
    }
    assert!(tried >= 8, "{tried} defaults were found");
}

/// `1 to 99` in a help text.
fn told_range(help: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> = help.split([' ', ',', ';', ':']).collect();
    let at = words.windows(3).find(|three| {
        three[1] == "to" && [0, 2].iter().all(|&n| three[n].parse::<u64>().is_ok())
    })?;
    Some((at[0].parse().ok()?, at[2].parse().ok()?))
}

/// Whether a flag takes a value, whatever else is missing.
fn takes(path: &[String], flag: &str, value: u64) -> bool {
    let words = path.iter().cloned().chain([format!("--{flag}={value}")]);
    match Arguments::try_parse_from(words) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue),
    }
}

#[test]
fn ranges_in_help_are_those_that_are_taken() {
    let mut tried = 0;
    for (path, command) in every_command() {
        for arg in command.get_arguments() {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let (Some(flag), Some((least, most))) = (arg.get_long(), told_range(&help)) else {
                continue;
            };
            let place = format!("{} --{flag}: {help}", path.join(" "));
            assert!(takes(&path, flag, least) && takes(&path, flag, most), "{place}");
            assert!(!takes(&path, flag, most + 1), "{place}: more is taken");
            assert!(least == 0 || !takes(&path, flag, least - 1), "{place}: less is taken");
            tried += 1;
        }
    }
    assert!(tried >= 12, "{tried} ranges were found");
}
