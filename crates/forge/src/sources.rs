//! The sources that every generated engine is built from, and the manifests they are built with.

use crate::program::Program;

/// Every file of the crates in [`PARTS`], by its path.
pub(crate) const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The crates that need nothing but the standard library, and what they rest on.
const PARTS: [(&str, &[&str]); 6] = [
    ("game", &[]),
    ("games", &["game"]),
    ("search", &["game"]),
    ("protocols", &["game"]),
    ("players", &["game", "games", "search"]),
    ("standalone", &["game", "games", "search", "players", "protocols"]),
];

/// One package of the workspace that engines are built in.
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

/// All manifests but that of the engines, by path.
pub(crate) fn manifests() -> impl Iterator<Item = (String, String)> {
    PARTS.iter().map(|(name, uses)| (format!("{name}/Cargo.toml"), manifest(name, "..", uses)))
}

/// Everything that an engine is built from, as a workspace of its own, by path.
#[must_use]
pub fn whole_source(program: &Program) -> Vec<(String, String)> {
    let parts = SOURCES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let mut files: Vec<(String, String)> =
        parts.chain(manifests()).map(|(path, text)| (format!("parts/{path}"), text)).collect();
    files.push(("Cargo.toml".to_owned(), WORKSPACE.to_owned()));
    files.push(("engines/Cargo.toml".to_owned(), engines()));
    files.push((format!("engines/src/bin/{}.rs", program.name), program.source.clone()));
    files
}

/// The manifest of the engines themselves.
pub(crate) fn engines() -> String {
    manifest("engines", "../parts", &["game", "games", "players", "search", "standalone"])
}

/// The workspace. Engines of many games share all that is not compiled for one game.
pub(crate) const WORKSPACE: &str = "[workspace]
resolver = \"3\"
members = [\"parts/*\", \"engines\"]

[profile.release]
codegen-units = 1
lto = \"off\"
strip = true
incremental = false
";
