//! What source files may say: families do not know each other, searches name no game, `unsafe` keeps
//! to a few well-known places.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::lexer::{code_only, is_word, strings};

/// Files longer than this are listed.
pub(super) const LONG: usize = 600;

/// Modules that may hold `unsafe`.
const UNSAFE_PLACES: [&str; 4] = ["simd", "mmap", "prefetch", "platform"];

const GAMES: &str = "crates/games/src/";

/// A Rust file of the workspace.
pub(super) struct File {
    pub(super) path: String,
    lines: usize,
    pub(super) code: String,
    /// Those outside of tests, each with its line.
    strings: Vec<(usize, String)>,
}

impl File {
    pub(super) fn new(path: &str, source: &str) -> File {
        let code = code_only(source);
        let last = before_tests(&code).lines().count();
        let mut strings = strings(source);
        strings.retain(|&(line, _)| line <= last);
        File { path: path.to_owned(), lines: source.lines().count(), code, strings }
    }
}

/// All Rust files that git knows, or would add.
pub(super) fn rust_files(root: &Path) -> Result<Vec<File>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.rs"])
        .current_dir(root)
        .output()
        .context("git did not start")?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let listed = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut files = Vec::new();
    for path in listed.split_terminator('\0') {
        // A file that was deleted is listed until git hears of it.
        if root.join(path).is_file() {
            let source =
                std::fs::read_to_string(root.join(path)).with_context(|| path.to_owned())?;
            files.push(File::new(path, &source));
        }
    }
    Ok(files)
}

/// Files over [`LONG`] lines, longest first.
pub(super) fn long_files(files: &[File]) -> Vec<(usize, &str)> {
    let mut long: Vec<(usize, &str)> = files
        .iter()
        .filter(|file| file.lines > LONG)
        .map(|file| (file.lines, file.path.as_str()))
        .collect();
    long.sort_by(|a, b| b.cmp(a));
    long
}

/// `unsafe` outside the modules meant for it.
pub(super) fn stray_unsafe(files: &[File]) -> Vec<String> {
    let is_place = |path: &str| {
        path.split('/').any(|part| UNSAFE_PLACES.contains(&part.trim_end_matches(".rs")))
    };
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| !is_place(&file.path)) {
        for at in words(&file.code, "unsafe") {
            let line = line_of(&file.code, at);
            wrong.push(format!(
                "{}:{line}: unsafe belongs into a module named {}",
                file.path,
                UNSAFE_PLACES.join(", ")
            ));
        }
    }
    wrong
}

/// Families that name one another, and searches that name a family.
pub(super) fn wrong_names(files: &[File]) -> Vec<String> {
    let families: BTreeSet<&str> = files.iter().filter_map(|file| family_of(&file.path)).collect();
    let mut wrong = Vec::new();
    for file in files {
        let own = family_of(&file.path);
        let strangers = families.iter().filter(|&&family| own != Some(family));
        if own.is_some() {
            for family in strangers {
                if let Some(at) = reaches(&file.code, family) {
                    let line = line_of(&file.code, at);
                    wrong.push(format!(
                        "{}:{line}: one family must not name another, {family}",
                        file.path
                    ));
                }
            }
        } else if file.path.starts_with("crates/search/src/") {
            let code = before_tests(&file.code);
            for name in strangers.chain([&"games"]) {
                if let Some(at) = words(code, name).find(|&at| follows(code, at + name.len(), "::"))
                {
                    let line = line_of(code, at);
                    wrong.push(format!(
                        "{}:{line}: a search must not name a game, {name}",
                        file.path
                    ));
                }
            }
        }
    }
    wrong
}

/// A checker of proofs that leans on what it should check: which of several images stands for a position
/// is the solver's choice, and a proof must say which symmetry it means.
pub(super) fn trusting_checker(files: &[File]) -> Vec<String> {
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/certificate/src/")) {
        for name in ["canonical", "CANONICAL", "table_key", "table_code"] {
            if let Some(at) = words(&file.code, name).next() {
                let line = line_of(&file.code, at);
                wrong.push(format!("{}:{line}: a checker must not use {name}", file.path));
            }
        }
    }
    wrong
}

/// Where a family may be named: those who have one, and a few more, each for a reason.
const NAMERS: [&str; 7] = [
    GAMES,
    "crates/families/",
    "crates/catalog/",
    // What generated engines of a family share is compiled once, here.
    "crates/standalone/src/",
    // The word with which the text protocol greets.
    "crates/protocols/src/text/",
    // The check of engines of line games: (m,n,k,p,q) and the holes of a board are all it is about.
    "crates/forge/src/referee.rs",
    // Pieces of work are games, by name.
    "crates/cli/src/commands/bench.rs",
];

/// A word of several protocols: no string tells whether the game is meant.
const WORD_OF_PROTOCOLS: &str = "go";

/// Families that are named by who should ask for the facts of a game instead: as a path of `games`, or as a
/// string that is a family's name.
pub(super) fn named_families(files: &[File]) -> Vec<String> {
    let families: BTreeSet<&str> = files.iter().filter_map(|file| family_of(&file.path)).collect();
    let is_source = |path: &str| path.starts_with("crates/") && path.contains("/src/");
    let may = |path: &str| NAMERS.iter().any(|place| path.starts_with(place));
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| is_source(&file.path) && !may(&file.path)) {
        let code = before_tests(&file.code);
        for family in &families {
            let path = words(code, family).find(|&at| is_of_games(&code[..at]));
            let text = file.strings.iter().find(|(_, text)| text == family);
            let text = text.filter(|_| *family != WORD_OF_PROTOCOLS).map(|&(line, _)| line);
            for line in path.map(|at| line_of(code, at)).into_iter().chain(text) {
                wrong.push(format!("{}:{line}: only its own crates name {family}", file.path));
            }
        }
    }
    wrong
}

/// Whether a name that comes next is one of the crate of games: after `games::`, or inside its braces.
fn is_of_games(before: &str) -> bool {
    let ends = |before: &str| {
        let path = before.trim_end().strip_suffix("::");
        path.is_some_and(|path| path.rsplit(|c| !is_word(c)).next() == Some("games"))
    };
    ends(before) || open_brace(before).is_some_and(|brace| ends(&before[..brace]))
}

/// The folder of a family that a file lies in.
fn family_of(path: &str) -> Option<&str> {
    path.strip_prefix(GAMES)?.split_once('/').map(|(family, _)| family)
}

/// Where a family's code reaches for its neighbour: `crate::other`, `super::other`, or inside the
/// braces of `crate::{…}`.
fn reaches(code: &str, other: &str) -> Option<usize> {
    let is_outside = |before: &str| {
        before.trim_end().strip_suffix("::").is_some_and(|path| {
            let last = path.trim_end().rsplit(|c| !is_word(c)).next();
            matches!(last, Some("crate" | "super"))
        })
    };
    words(code, other).find(|&at| {
        let before = &code[..at];
        is_outside(before) || open_brace(before).is_some_and(|brace| is_outside(&before[..brace]))
    })
}

/// The brace that is still open at the end of a statement's beginning.
fn open_brace(before: &str) -> Option<usize> {
    let mut closed = 0;
    for (at, c) in before.char_indices().rev() {
        match c {
            ';' => return None,
            '}' => closed += 1,
            '{' if closed == 0 => return Some(at),
            '{' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// A file's tests stand at its end.
fn before_tests(code: &str) -> &str {
    let tests = ["#[cfg(test)]", "#![cfg(test)]"].iter().filter_map(|mark| code.find(mark)).min();
    tests.map_or(code, |at| &code[..at])
}

/// Where a word stands alone.
fn words<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    code.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn follows(code: &str, at: usize, what: &str) -> bool {
    code[at..].trim_start().starts_with(what)
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(path: &str, source: &str) -> Vec<File> {
        let mut files: Vec<File> = ["crates/games/src/go/mod.rs", "crates/games/src/mnk/mod.rs"]
            .map(|path| File::new(path, ""))
            .into();
        files.push(File::new(path, source));
        files
    }

    #[test]
    fn a_family_minds_its_own_business() {
        let path = "crates/games/src/mnk/moves.rs";
        for source in [
            "use crate::go::Board;",
            "fn f() { super::super::go::f() }",
            "use crate::{mnk, go};",
            "use crate::{\n    go::Board,\n};",
            "use crate::{mnk::{a, b}, go};",
            "use super::go;",
        ] {
            assert_eq!(wrong_names(&house(path, source)).len(), 1, "{source}");
        }
        for source in [
            "use crate::mnk::Board;",
            "// as crate::go does",
            "fn go() { go() }",
            "use super::{position::Position};\nfn f() { let go = 1; }",
            "use crate::mnk::{a};\nfn f() { go() }",
        ] {
            assert_eq!(wrong_names(&house(path, source)), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn who_wants_a_fact_names_no_family() {
        let path = "crates/arena/src/openings.rs";
        for source in [
            "use games::mnk::Shape;",
            "use games::{Playable, mnk};",
            "fn f() { games::go::f() }",
            "fn f() { g(\"mnk\") }",
            "// a remark: \"x\"\nfn f() -> &str { match s { \"mnk\" => 1 } }",
        ] {
            assert_eq!(named_families(&house(path, source)).len(), 1, "{source}");
        }
        for source in [
            "// as games::mnk does with \"mnk\"",
            "fn f() { link.say(\"go\") }",
            "use games::Playable;\nfn mnk() { let go = \"mnk:3x3\"; }",
            "#[cfg(test)]\nmod tests { use games::mnk; const A: &str = \"mnk\"; }",
            "#![cfg(test)]\nuse games::mnk; const A: &str = \"mnk\";",
        ] {
            assert_eq!(named_families(&house(path, source)), Vec::<String>::new(), "{source}");
        }
        for path in ["crates/families/mnk/src/lib.rs", "crates/arena/tests/arena/book.rs"] {
            assert!(named_families(&house(path, "use games::mnk;")).is_empty(), "{path}");
        }
    }

    #[test]
    fn a_search_names_no_game() {
        let path = "crates/search/src/negascout.rs";
        for source in ["use games::mnk::Mnk;", "fn f() { games::f() }", "use mnk::Mnk;"] {
            assert!(!wrong_names(&house(path, source)).is_empty(), "{source}");
        }
        for source in [
            "use game::Game;",
            "#[cfg(test)]\nmod tests { use games::mnk::Mnk; }",
            "/// As in games::mnk.\nfn go() {}",
        ] {
            assert_eq!(wrong_names(&house(path, source)), Vec::<String>::new(), "{source}");
        }
    }

    #[test]
    fn a_checker_finds_no_images_itself() {
        let source = "fn f<G: Game>(game: &G, p: &G::Position) {\n    game.canonical(p);\n}";
        let wrong = trusting_checker(&[File::new("crates/certificate/src/verify.rs", source)]);
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].starts_with("crates/certificate/src/verify.rs:2: "), "{wrong:?}");
        let harmless = "/// Not canonical.\nfn f() { game.transform(p, 1); }";
        assert!(trusting_checker(&[File::new("crates/certificate/src/a.rs", harmless)]).is_empty());
        assert!(trusting_checker(&[File::new("crates/solve/src/a.rs", source)]).is_empty());
    }

    #[test]
    fn unsafe_has_its_places() {
        let source = "fn f() {\n    unsafe { g() }\n}";
        let wrong = stray_unsafe(&[File::new("crates/search/src/table.rs", source)]);
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].starts_with("crates/search/src/table.rs:2: "), "{wrong:?}");
        for path in ["crates/search/src/prefetch.rs", "crates/games/src/go/simd/avx2.rs"] {
            assert!(stray_unsafe(&[File::new(path, source)]).is_empty(), "{path}");
        }
        let harmless = "#![deny(unsafe_code)] // unsafe\nconst W: &str = \"unsafe\";";
        assert!(stray_unsafe(&[File::new("a.rs", harmless)]).is_empty());
    }

    #[test]
    fn long_files_come_longest_first() {
        let files = [500, 601, 900].map(|n| File::new(&format!("{n}.rs"), &"\n".repeat(n)));
        assert_eq!(long_files(&files), [(900, "900.rs"), (601, "601.rs")]);
    }
}
