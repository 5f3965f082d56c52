//! The sources that every generated engine is built from, and the manifests they are built with.

use crate::parts::PARTS;
use crate::program::Program;

/// Every file of the crates in [`PARTS`], by its path.
pub(crate) const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

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

/// The workspace that engines are built in, without any engine: files by path.
pub(crate) fn workspace() -> impl Iterator<Item = (String, String)> {
    let sources = SOURCES.iter().map(|(path, text)| (format!("parts/{path}"), (*text).to_owned()));
    let manifests = PARTS
        .iter()
        .map(|(name, uses)| (format!("parts/{name}/Cargo.toml"), manifest(name, "..", uses)));
    let engines = manifest("engines", "../parts", &["game", "games", "players", "standalone"]);
    let roots = [("Cargo.toml", WORKSPACE.to_owned()), ("engines/Cargo.toml", engines)];
    let roots = roots.into_iter().map(|(path, text)| (path.to_owned(), text));
    sources.chain(manifests).chain(roots)
}

/// Where the source of an engine is in it.
pub(crate) fn place_of(program: &Program) -> String {
    format!("engines/src/bin/{}.rs", program.name)
}

/// Everything that an engine is built from, as a workspace of its own: files by path.
#[must_use]
pub fn whole_source(program: &Program) -> Vec<(String, String)> {
    workspace().chain([(place_of(program), program.source.clone())]).collect()
}

/// The workspace. Engines of many games share all that is not compiled for one game.
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
