//! Lists the sources that a generated engine is built from, so that the program carries them along.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "src/parts.rs"]
mod parts;

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let mut list = String::from("&[\n");
    for (part, _) in parts::PARTS {
        let sources = here.with_file_name(part).join("src");
        // Relative to this crate, as below: clones of the project may share what was built.
        println!("cargo::rerun-if-changed=../{part}/src");
        for file in files_in(&sources)? {
            let inside = file.strip_prefix(&sources).map_err(io::Error::other)?;
            let name = format!("{part}/src/{}", inside.to_string_lossy().replace('\\', "/"));
            let _ = writeln!(
                list,
                "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../{name}\"))),"
            );
        }
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("sources.rs"), list)
}

/// All of them, in a fixed order.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_in(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
