//! Tells the program which commit it was built from.

use std::path::Path;
use std::process::Command;

fn main() {
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=ZERMELO_COMMIT={commit}");

    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        // A file that is not there would have the build script run every time.
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
