//! The help of every command, as `tests/help/` has it: who changes a flag or its words sees in review what users will
//! see. `ZERMELO_BLESS=1` writes the files anew:
//!
//! ```text
//! ZERMELO_BLESS=1 cargo nextest run --workspace --all-features --cargo-profile ci --test cli help::
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::zermelo;

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<&str> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| !line.is_empty());
    // What a command does stands in its own line or in deeper ones below it.
    let names =
        lines.filter_map(|line| line.strip_prefix("  ")).filter(|rest| !rest.starts_with(' '));
    names.filter_map(|rest| rest.split(' ').next()).filter(|&name| name != "help").collect()
}

/// Adds the help of a command and of all below it, each with the name of its file.
fn collect(path: &[String], all: &mut Vec<(String, String)>) {
    let words: Vec<&str> = ["help"].into_iter().chain(path.iter().map(String::as_str)).collect();
    let ran = zermelo(&words);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{words:?}");
    let name = if path.is_empty() { "zermelo".to_owned() } else { path.join("-") };
    let below: Vec<String> = listed(&ran.out).into_iter().map(str::to_owned).collect();
    all.push((format!("{name}.txt"), ran.out));
    for name in below {
        collect(&[path, &[name]].concat(), all);
    }
}

#[test]
fn help_is_as_it_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let mut all = Vec::new();
    collect(&[], &mut all);
    assert!(all.len() > 35, "{} commands were found", all.len());
    if std::env::var_os("ZERMELO_BLESS").is_some() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        all.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    }
    for (name, text) in &all {
        let kept = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(kept == *text, "{name} is not as it was; it is now\n{text}");
        assert!(!text.contains("unless told"), "{name}: a default is called a default");
    }
    let kept = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let names: BTreeSet<PathBuf> = all.iter().map(|(name, _)| folder.join(name)).collect();
    assert_eq!(kept.collect::<BTreeSet<_>>(), names, "files of commands that are no more");
}
