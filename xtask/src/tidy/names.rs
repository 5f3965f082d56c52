//! A public name means one thing in the whole workspace.

use std::collections::{BTreeMap, BTreeSet};

use super::lexer::is_word;
use super::sources::File;

const KINDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

/// Crates whose modules each have the same words for their own things, and are always named with them:
/// `chess::Position` and `go::Position`, `uci::Command` and `hub::Command`.
const NAMESPACES: [&str; 2] = ["games", "protocols"];

/// Public type names that are defined in several places.
pub(super) fn shared_names(files: &[File]) -> Vec<String> {
    let shared = homes(files).into_iter().filter(|(_, homes)| homes.len() > 1);
    let told = shared.map(|(name, homes)| {
        let homes: Vec<&str> = homes.iter().map(String::as_str).collect();
        format!("{name} means several things, in {}; each wants its own name", homes.join(", "))
    });
    told.collect()
}

/// Where each public type is defined.
fn homes(files: &[File]) -> BTreeMap<&str, BTreeSet<String>> {
    let mut homes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let Some(home) = home(&file.path) else { continue };
        for name in public_types(&file.code) {
            homes.entry(name).or_default().insert(home.to_owned());
        }
    }
    homes
}

/// What a name of this file must be unique against: the file, or the crate whose modules are namespaces. `None` for
/// tests and benchmarks.
fn home(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("crates/")?;
    let (name, _) = rest.split_once("/src/")?;
    Some(if NAMESPACES.contains(&name) { name } else { path })
}

/// The types that are public, wherever in a file but in its tests: `pub(crate)` is not.
fn public_types(code: &str) -> impl Iterator<Item = &str> {
    let code = code.find("#[cfg(test)]\nmod tests").map_or(code, |at| &code[..at]);
    code.lines().filter_map(|line| {
        let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        KINDS.contains(&kind).then_some(&rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_thing() {
        let table = "pub struct Table {\n}\npub(crate) struct Own;\nenum Inside {}";
        let tests = "#[cfg(test)]\nmod tests {\n    pub struct Table;\n}";
        let files = [
            File::new("crates/search/src/table.rs", table),
            File::new("crates/arena/src/table.rs", "pub type Table<T> = Vec<T>;\nstruct Own;"),
            File::new("crates/arena/src/own.rs", tests),
            File::new("crates/arena/tests/arena/main.rs", "pub struct Table;"),
        ];
        let wrong = shared_names(&files);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].starts_with("Table means several things, in crates/arena/src/table.rs, "));
        assert!(shared_names(&files[1..]).is_empty());
    }

    #[test]
    fn families_and_protocols_have_words_of_their_own() {
        let file = |path| File::new(path, "pub struct Move;");
        let of_games = ["crates/games/src/go/position.rs", "crates/games/src/chess/position.rs"];
        assert!(shared_names(&of_games.map(file)).is_empty());
        let of_two = ["crates/games/src/go/position.rs", "crates/protocols/src/dxp/codec.rs"];
        assert_eq!(shared_names(&of_two.map(file)).len(), 1);
    }
}
