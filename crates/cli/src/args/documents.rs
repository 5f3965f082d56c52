//! The commands that documents show are commands of the program.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use super::Arguments;

/// The commands in blocks of code, without the remarks that stand behind some.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(str::lines).map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let calls = lines.filter(|line| line.starts_with("zermelo "));
    calls.map(|line| line.split("  ").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn commands_in_documents_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|file| file.extension().is_some_and(|extension| extension == "md"));
    let pages: Vec<PathBuf> = pages.chain([root.join("README.md")]).collect();
    let mut tried = 0;
    for page in pages {
        for call in commands(&fs::read_to_string(&page).unwrap()) {
            // The first line of a book.
            if call == "zermelo book 1" {
                continue;
            }
            let words = arena::split_words(&call).unwrap();
            if let Err(error) = Arguments::try_parse_from(words) {
                panic!("{}: {call}\n{error}", page.display());
            }
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried} commands were found");
}
