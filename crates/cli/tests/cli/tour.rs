//! The examples of the README and of `docs/`, word for word: every line in a block of code that begins with `$` is
//! run, and what stands below it is what the program says, times aside. `…` stands for what is left out.
//!
//! `ZERMELO_TOUR=target/release/zermelo` runs that program instead and writes what it says into the pages, so that
//! node counts and times are those of the program as it is:
//!
//! ```text
//! ZERMELO_TOUR=$PWD/target/release/zermelo cargo nextest run -p zermelo --all-features --test cli tour::
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arena::split_words;

use crate::support::{Ran, command, speak};

/// What a line begins with that shows a command and, below it, all that it says.
const SHOWN: &str = "$ ";
/// Stands for lines that are left out.
const LEFT_OUT: &str = "…";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A command with what it says.
#[derive(Debug)]
struct Stop {
    call: String,
    said: String,
}

/// Where the blocks of code are, as pairs of places in the text: behind the line that opens one, before the line that ends it.
fn blocks(text: &str) -> Vec<(usize, usize)> {
    let fences: Vec<usize> = text.match_indices("```").map(|(place, _)| place).collect();
    let inside = |pair: &[usize]| {
        let begin = pair[0] + text[pair[0]..].find('\n').unwrap() + 1;
        (begin, pair[1])
    };
    fences.chunks_exact(2).map(inside).collect()
}

/// The commands of a block.
fn stops(block: &str) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix(SHOWN), stops.last_mut()) {
            (Some(call), _) => stops.push(Stop { call: call.to_owned(), said: String::new() }),
            (None, Some(stop)) => stop.said += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    stops
}

/// What somebody types at the prompts of a stop (`Black> b2`, or `> info` where the program shows no prompt), and
/// the stop as a pipe shows it, which does not echo.
fn typed(said: &str) -> (String, String) {
    let (mut input, mut seen) = (String::new(), String::new());
    for line in said.lines() {
        match line.split_once("> ").filter(|(who, _)| who.chars().all(char::is_alphabetic)) {
            Some(("", line)) => input += &format!("{line}\n"),
            Some((who, line)) => {
                input += &format!("{line}\n");
                seen += &format!("{who}> ");
            }
            None => seen += &format!("{line}\n"),
        }
    }
    (input, seen)
}

/// The words of a call as a shell would give them to the program: `folder/*` is every file of that folder.
fn words(call: &str, folder: &Path) -> Vec<String> {
    let spread = |word: String| match word.strip_suffix("/*") {
        Some(name) => {
            let files = fs::read_dir(folder.join(name)).unwrap().map(|file| file.unwrap());
            let names = files.map(|file| format!("{name}/{}", file.file_name().display()));
            names.collect()
        }
        None => vec![word],
    };
    split_words(call).unwrap().into_iter().flat_map(spread).collect()
}

fn run(call: &str, input: &str, folder: &Path) -> Ran {
    let words = words(call, folder);
    let mut command = match (&*words[0], std::env::var_os("ZERMELO_TOUR")) {
        ("zermelo", Some(program)) => Command::new(program),
        ("zermelo", None) => command(),
        (engine, _) => Command::new(folder.join(engine)),
    };
    let home = concat!(env!("CARGO_TARGET_TMPDIR"), "/tour");
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");
    command.args(&words[1..]).current_dir(folder);
    speak(command.env("ZERMELO_HOME", home).env("ZERMELO_CACHE", cache), input.as_bytes())
}

/// What stands on standard error, without how far long work has come: `zermelo: 30 s, 1 of 2 engines`.
fn complaints(err: &str) -> String {
    let lines = err.lines().map(|line| line.strip_prefix("zermelo: ").unwrap_or(line));
    let is_progress = |line: &str| {
        line.split_once(" s, ").is_some_and(|(time, _)| time.bytes().all(|b| b.is_ascii_digit()))
    };
    lines.filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect()
}

/// The text with times and speeds taken out: those of this machine are no others'.
fn timeless(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let masked = words.iter().enumerate().map(|(i, word)| {
        let next = words.get(i + 1).copied().unwrap_or_default();
        let unit = next.split_once('\n').map_or(next, |(unit, _)| unit);
        let timed = number(word) && matches!(unit.trim_end_matches(','), "s" | "nodes/s");
        if timed { "#" } else { word }
    });
    let text = masked.collect::<Vec<_>>().join(" ");
    match text.split_once("\"seconds\":") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
            format!("{before}\"seconds\":#{rest}")
        }
        None => text,
    }
}

/// Whether a program says what is shown; where lines are left out, each part in its turn.
fn is_said(shown: &str, said: &str) -> bool {
    let (shown, said) = (timeless(shown), timeless(said));
    if !shown.contains(LEFT_OUT) {
        return shown == said;
    }
    let mut rest = &*said;
    shown.split(LEFT_OUT).all(|part| match rest.split_once(part.trim_matches('\n')) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn the_tour_is_as_the_readme_shows_it() {
    assert!(walk("README.md", &root()) >= 8);
}

/// The one page whose examples write files, and need a compiler.
const ENGINES: &str = "docs/generate.md";

#[test]
fn documents_show_what_the_program_says() {
    let mut tried = 0;
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let page = format!("docs/{}", entry.unwrap().file_name().display());
        if page.ends_with(".md") && page != ENGINES {
            tried += walk(&page, &root());
        }
    }
    assert!(tried >= 2, "{tried} examples were found");
}

#[test]
fn engines_are_made_checked_and_measured_as_their_page_shows_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tour-engines");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    assert!(walk(ENGINES, &folder) >= 4);
}

/// Gives the commands of a page in this folder, and makes sure that they say what it shows, or makes the page show what
/// they say. How many there were.
fn walk(page: &str, folder: &Path) -> usize {
    let file = root().join(page);
    let text = fs::read_to_string(&file).unwrap();
    let writes = std::env::var_os("ZERMELO_TOUR").is_some();
    let (mut new, mut at, mut tried) = (String::new(), 0, 0);
    for (begin, end) in blocks(&text) {
        let block = &text[begin..end];
        let stops = stops(block);
        new += &text[at..begin];
        at = end;
        if stops.is_empty() {
            new += block;
        }
        let last = stops.len().saturating_sub(1);
        for (i, Stop { call, said }) in stops.into_iter().enumerate() {
            // A blank line parts a stop from the next.
            let gap = if i < last { "\n" } else { "" };
            let shown = said.strip_suffix(gap).unwrap_or(&said);
            let (input, seen) = typed(shown);
            let ran = run(&call, &input, folder);
            let is_said = is_said(&seen, &format!("{}{}", ran.out, complaints(&ran.err)));
            tried += 1;
            assert!(
                writes || is_said,
                "{call} says\n{}{}\nand {page} shows\n{shown}",
                ran.out,
                ran.err
            );
            assert!(is_said || !seen.contains(LEFT_OUT), "{call}: edit it by hand\n{}", ran.out);
            let now = if is_said && !writes || seen.contains(LEFT_OUT) { shown } else { &ran.out };
            new += &format!("{SHOWN}{call}\n{now}{gap}");
        }
    }
    new += &text[at..];
    if writes {
        fs::write(file, new).unwrap();
    } else {
        assert_eq!(new, text, "what is not shown by a command is left alone");
    }
    tried
}

/// Nodes of solved games, as far as they are quick to solve, are those that the page tells.
#[test]
fn games_are_solved_in_as_many_nodes_as_their_page_tells() {
    let page = fs::read_to_string(root().join("docs/solving.md")).unwrap();
    let (_, page) = page.split_once("\n## What was solved").unwrap();
    for game in ["mnk:6x6,k=4", "mnk:6x6,k=5", "mnk:4x7,k=4"] {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{game}`"))).unwrap();
        let told: String =
            row.split('|').nth(3).unwrap().chars().filter(char::is_ascii_digit).collect();
        let ran = run(&format!("zermelo solve {game} --hash 1024 --json"), "", &root());
        let solved: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(solved["nodes"].to_string(), told, "{row}");
    }
}

#[test]
fn times_do_not_count() {
    let one = "work   340 nodes, 0.001 s, 483,641 nodes/s\nnext 7";
    let other = "work   340 nodes, 12.5 s, 9 nodes/s\nnext 7";
    assert_eq!(timeless(one), timeless(other));
    assert_ne!(timeless(one), timeless("work   341 nodes, 0.001 s, 483,641 nodes/s\nnext 7"));
    assert_eq!(timeless("{\"nodes\":3,\"seconds\":0.1}"), "{\"nodes\":3,\"seconds\":#}");
    assert_eq!(complaints("zermelo: 30 s, 1 of 2 engines\nzermelo: no\n"), "no\n");
    assert!(is_said("a\n…\nb", "a\nx\ny\nb\n") && !is_said("a\n…\nc", "a\nb\n"));
}
