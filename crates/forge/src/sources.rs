//! The sources that every generated engine is built from, and manifests for whoever wants to build
//! them with Cargo.

use crate::parts::PARTS;
use crate::program::GeneratedProgram;

/// The parts that the source of an engine may name.
pub(crate) const AT_HAND: [&str; 6] =
    ["game", "evaluation", "play", "games", "players", "standalone"];

/// Every file of the crates in [`PARTS`], by its path.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// One package of a workspace for an engine.
fn manifest(name: &str, parts: &str, uses: &[&str]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\n[dependencies]\n"
    );
    for part in uses {
        text += &format!("{part} = {{ path = \"{parts}/{part}\" }}\n");
    }
    // The house's own rules for code are checked where the code is written.
    text + "\n[lints.rust]\nwarnings = \"allow\"\nunexpected_cfgs = \"allow\"\n"
}

/// The sources of what all engines share: files by path.
pub(crate) fn part_sources() -> impl Iterator<Item = (String, &'static str)> {
    SOURCES.iter().map(|(path, text)| (format!("parts/{path}"), *text))
}

/// Everything that an engine is built from, as a workspace of its own: files by path.
#[must_use]
pub fn whole_source(program: &GeneratedProgram) -> Vec<(String, String)> {
    let sources = part_sources().map(|(path, text)| (path, text.to_owned()));
    let manifests = PARTS
        .iter()
        .map(|(name, uses)| (format!("parts/{name}/Cargo.toml"), manifest(name, "..", uses)));
    let engine = manifest("engines", "../parts", &AT_HAND);
    let roots = [
        ("Cargo.toml".to_owned(), WORKSPACE.to_owned()),
        ("engines/Cargo.toml".to_owned(), engine),
        (format!("engines/src/bin/{}.rs", program.name), program.source.clone()),
    ];
    sources.chain(manifests).chain(roots).collect()
}

const WORKSPACE: &str = "[workspace]
resolver = \"3\"
members = [\"parts/*\", \"engines\"]

[profile.release]
codegen-units = 1
lto = \"off\"
panic = \"abort\"
strip = true
incremental = false
";
