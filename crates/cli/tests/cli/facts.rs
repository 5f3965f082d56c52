//! What documents tell about the program is what the program says: families and their sizes, evaluations, options
//! and commands of protocols, tables, versions. Defaults and ranges of flags are looked at beside their definitions.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{json, with_input, zermelo};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// The row of a table that begins with this cell.
fn row(page: &str, first: &str) -> Vec<String> {
    let line = page.lines().find(|line| line.starts_with(&format!("| `{first}`")));
    let line = line.unwrap_or_else(|| panic!("there is no row {first}"));
    line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
}

fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, section) = page.split_once(&format!("\n## {heading}")).unwrap();
    section.split("\n## ").next().unwrap()
}

fn is_game(spec: &str) -> bool {
    zermelo(&["show", spec, "-q"]).code == Some(0)
}

/// `4x4 to 8x8`: both are there, and nothing just beyond.
fn sizes_are_right(family: &str, told: &str) {
    let rest = if family == "mnk" { ",k=1" } else { "" };
    let side = |size: &str| size.split_once('x').unwrap().0.parse::<u32>().unwrap();
    let (least, most) = told.split_once(" to ").map(|(a, b)| (side(a), side(b))).unwrap();
    let has = |side: u32| is_game(&format!("{family}:{side}x{side}{rest}"));
    assert!(has(least) && has(most), "{family} {told}");
    for side in [least - 1, least.saturating_sub(2), most + 1, most + 2] {
        assert!(!has(side), "{family} is played on {side}x{side}, too");
    }
}

#[test]
fn the_readme_lists_every_family() {
    let readme = page("README.md");
    let (games, _) = json(&["games"]);
    for family in games["families"].as_array().unwrap() {
        let text = |value: &Value| value["name"].as_str().unwrap().to_owned();
        let name = text(family);
        let variants = family["variants"].as_array().unwrap().iter();
        let variants = variants.map(|variant| format!("`{name}:{}`", text(variant)));
        let presets = family["presets"].as_array().unwrap().iter();
        let named: Vec<String> =
            variants.chain(presets.map(|preset| format!("`{}`", text(preset)))).collect();
        let row = row(&readme, &name);
        match named.is_empty() {
            true => assert!(row[2].starts_with("none;"), "the row of {name}"),
            false => assert_eq!(row[2], named.join(", "), "the row of {name}"),
        }
        if row[1].contains(" to ") {
            sizes_are_right(&name, &row[1]);
        }
    }
}

#[test]
fn the_readme_names_the_versions_that_are_needed() {
    let readme = page("README.md");
    let manifest = page("Cargo.toml");
    let (_, rust) = manifest.split_once("rust-version = \"").unwrap();
    let rust = rust.split('"').next().unwrap();
    assert!(readme.contains(&format!("Needed: Rust {rust} or newer")), "Rust {rust}");
    assert!(page("docs/generate.md").contains(&format!("a Rust compiler ({rust} or later")));
    // The page is built by Vite, which says what it needs: `^20.19.0 || >=22.12.0`.
    let lock: Value = serde_json::from_str(&page("crates/web/ui/package-lock.json")).unwrap();
    let needs = lock["packages"]["node_modules/vite"]["engines"]["node"].as_str().unwrap();
    let node = needs.split(".0 ").next().unwrap().trim_start_matches('^');
    assert!(readme.contains(&format!("Node.js {node} or newer")), "Node.js {needs}");
}

#[test]
fn every_evaluation_is_on_its_page() {
    let players = page("docs/players.md");
    for family in ["chess", "draughts", "reversi", "mnk", "go"] {
        let game = if family == "mnk" { "gomoku" } else { family };
        let ran = zermelo(&["weights", "show", game, "--weights", "none-such"]);
        let (_, names) = ran.err.trim_end().split_once("; there are ").unwrap();
        let section = section(&players, "Evaluations");
        let row = row(section, family);
        for name in names.split(", ") {
            assert!(row[1].contains(&format!("`{name}`")), "{family}: {name} is not in {row:?}");
        }
        let first = names.split(", ").next().unwrap();
        assert!(row[1].starts_with(&format!("`{first}`")), "{family}: {first} is the usual one");
    }
}

#[test]
fn uci_options_are_on_their_page() {
    let ran = with_input(&["engine", "chess"], b"uci\nquit\n");
    let names = ran
        .out
        .lines()
        .filter_map(|line| Some(line.strip_prefix("option name ")?.split_once(" type ")?.0));
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 5, "{ran:?}");
    let protocols = page("docs/protocols.md");
    let row = row(section(&protocols, "UCI"), "setoption");
    for name in names {
        assert!(row[1].contains(&format!("`{name}`")), "{name} is not in {row:?}");
    }
}

#[test]
fn gtp_commands_are_on_their_page() {
    let protocols = page("docs/protocols.md");
    let section = section(&protocols, "GTP");
    for game in ["go", "reversi"] {
        let ran = with_input(&["engine", game], b"list_commands\nquit\n");
        let list = ran.out.strip_prefix("= ").unwrap().split("\n\n").next().unwrap();
        assert!(list.lines().count() > 10, "{ran:?}");
        for name in list.lines() {
            let told = [format!("`{name}`"), format!("`{name} ")];
            assert!(told.iter().any(|told| section.contains(told)), "{game}: {name}");
        }
    }
}

#[test]
fn hub_parameters_are_on_their_page() {
    let protocols = page("docs/protocols.md");
    let section = section(&protocols, "Hub");
    let ran = with_input(&["engine", "draughts:international"], b"hub\nquit\n");
    let mut tried = 0;
    for line in ran.out.lines().filter(|line| line.starts_with("param ")) {
        let value = |key: &str| {
            let (_, rest) = line.split_once(&format!(" {key}="))?;
            rest.split(' ').next()
        };
        let name = value("name").unwrap();
        assert!(section.contains(&format!("`{name}`")), "{line}");
        if let (Some(least), Some(most)) = (value("min"), value("max")) {
            assert_eq!(row(section, name)[1], format!("{least} to {most}"), "{line}");
        }
        tried += 1;
    }
    assert!(tried >= 4, "{ran:?}");
}

/// Those that are quick to make.
#[test]
fn tables_are_as_large_as_their_page_tells() {
    let tables = page("docs/tables.md");
    for game in ["tictactoe", "mnk:4x4,k=3,gravity", "mnk:4x4,k=4,gravity"] {
        let file = format!("{}/fact.table", env!("CARGO_TARGET_TMPDIR"));
        let ran = zermelo(&["solve", game, "--proof", "strong", "--table", &file]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let row = row(&tables, game);
        assert!(ran.out.contains(&format!(" {} positions", row[1])), "{row:?} {}", ran.out);
        assert!(ran.out.contains(&format!(" {} bytes", row[2])), "{row:?} {}", ran.out);
    }
}

/// All files of the workspace's own, by their paths from its root.
fn files() -> Vec<String> {
    let root = root();
    let mut folders: Vec<_> =
        ["crates", "docs", "examples", "fuzz", "xtask"].map(|name| root.join(name)).into();
    let mut files =
        vec!["README.md".to_owned(), "ARCHITECTURE.md".to_owned(), "deny.toml".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            match path.is_dir() {
                true if ["target", "node_modules", "dist"].iter().any(|other| name == *other) => {}
                true => folders.push(path),
                false => files.push(path.strip_prefix(&root).unwrap().display().to_string()),
            }
        }
    }
    files
}

/// What stands in backticks, outside of blocks of code.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|text| text.lines()).flat_map(|line| line.split('`').skip(1).step_by(2))
}

const BUILDING: [&str; 3] = ["README.md", "ARCHITECTURE.md", "docs/extending.md"];

#[test]
fn documents_name_files_that_exist() {
    let files: Vec<String> = files().into_iter().map(|file| format!("/{file}")).collect();
    let is_path =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let mut tried = 0;
    for name in BUILDING {
        for text in quoted(&page(name)).filter(|text| is_path(text)) {
            let is_there = match text.rsplit_once('.').map(|(_, ending)| ending) {
                Some("rs" | "ts" | "svelte" | "mjs") => {
                    files.iter().any(|file| file.ends_with(&format!("/{text}")))
                }
                _ if text.ends_with('/') => {
                    files.iter().any(|file| file.contains(&format!("/{text}")))
                }
                _ => continue,
            };
            assert!(is_there, "{name}: there is no {text}");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried} files were found");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let files = files();
    for name in files.iter().filter(|file| file.ends_with(".md") && !file.contains("node_modules"))
    {
        let (page, folder) = (page(name), root().join(name).parent().unwrap().to_owned());
        for (at, _) in page.match_indices("](") {
            let text = page[at + 2..].split([')', '#']).next().unwrap();
            let is_there = text.is_empty() || text.contains("://") || folder.join(text).exists();
            assert!(is_there, "{name}: {text} leads nowhere");
        }
    }
}

/// Types, traits and their members are called in documents as they are in the code.
#[test]
fn documents_name_types_that_exist() {
    let sources = files().into_iter().filter(|file| file.ends_with(".rs"));
    let code: String = sources.map(|file| page(&file)).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: std::collections::HashSet<&str> = code.split(|c| !is_word(c)).collect();
    let is_type = |text: &str| {
        let has = |test: fn(&char) -> bool| text.chars().any(|c| test(&c));
        text.chars().all(|c| is_word(c) || c == ':')
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && (text.contains("::") || text.starts_with(char::is_uppercase))
            && has(char::is_ascii_lowercase)
    };
    for name in BUILDING {
        for text in quoted(&page(name)).filter(|text| is_type(text)) {
            for word in text.split("::") {
                assert!(words.contains(word), "{name}: nothing is called {text}");
            }
        }
    }
}

#[test]
fn every_crate_has_its_place() {
    let (readme, architecture) = (page("README.md"), page("ARCHITECTURE.md"));
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&format!("`crates/{name}`")), "README.md: {name}");
        let told = [format!("| [`{name}`]"), format!("| [`{name}/*`]")];
        assert!(told.iter().any(|told| architecture.contains(told)), "ARCHITECTURE.md: {name}");
    }
}
