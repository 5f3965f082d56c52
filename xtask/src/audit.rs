//! What others know about what this project stands on: `cargo deny` and `npm audit`. What becomes known
//! does so without a change here, so the short run only says it, and the long one fails.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::cargo;
use crate::peers::Missing;
use crate::suite::Length;

/// It takes 200 seconds of processor time to build, more than the short run can spare.
const HOW: &str = "cargo install cargo-deny --locked";

/// Makes sure that `cargo deny` is there.
pub(crate) fn ensure(missing: Missing) -> Result<()> {
    let wanted = [("cargo-deny".to_owned(), "what is known about the dependencies")];
    if missing.announce(if is_there() { &[] } else { &wanted }, HOW)? {
        let status = cargo().args(HOW.split(' ').skip(1)).status();
        if !status.is_ok_and(|status| status.success()) {
            bail!("`{HOW}` did not work");
        }
    }
    Ok(())
}

fn is_there() -> bool {
    let mut version = cargo();
    version.args(["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Licences, bans and sources as `deny.toml` says, and advisories where their list can be had.
pub(crate) fn dependencies(root: &Path, length: Length) -> Result<()> {
    if !is_there() {
        println!("cargo-deny is not installed (`{HOW}`): `tidy` has read the licences, and");
        println!("advisories were not looked at.");
        return Ok(());
    }
    let deny = |arguments: &[&str]| {
        let mut command = cargo();
        command.arg("deny").args(arguments).current_dir(root);
        command
    };
    if !succeeds(&mut deny(&["check", "licenses", "bans", "sources"]))? {
        bail!("`cargo deny check` refuses a dependency");
    }
    let fetch = deny(&["fetch", "db"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !fetch.is_ok_and(|status| status.success()) {
        println!("the list of advisories did not come (`cargo deny fetch db`): none was looked at");
        return Ok(());
    }
    let clean = succeeds(&mut deny(&["--offline", "check", "advisories"]))?;
    told(clean, "cargo deny check advisories", length)
}

fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.status().with_context(|| format!("{command:?} did not start"))?;
    Ok(status.success())
}

/// What is known about the packages of these folders' lock files, where the registry answers.
pub(crate) fn packages(folders: &[&Path], length: Length) -> Result<()> {
    for folder in folders {
        let output = Command::new("npm")
            .args(["audit", "--json", "--package-lock-only", "--fetch-retries=0"])
            .current_dir(folder)
            .output();
        let shown = folder.display();
        match output.ok().and_then(|output| vulnerable(&output.stdout)) {
            None => println!("`npm audit` of {shown}: the registry did not answer"),
            Some(names) if names.is_empty() => println!("`npm audit` of {shown}: nothing is known"),
            Some(names) => {
                println!("`npm audit` of {shown}: {}", names.join(", "));
                told(false, "npm audit", length)?;
            }
        }
    }
    Ok(())
}

/// The packages that something is known about, if this is an answer.
fn vulnerable(said: &[u8]) -> Option<Vec<String>> {
    let said: Value = serde_json::from_slice(said).ok()?;
    let names = said["vulnerabilities"].as_object()?.keys();
    Some(names.cloned().collect())
}

fn told(clean: bool, command: &str, length: Length) -> Result<()> {
    match (clean, length) {
        (true, _) => Ok(()),
        (false, Length::Short) => {
            println!("WARNING: `{command}` has something to say; the long run fails here");
            Ok(())
        }
        (false, Length::Long) => bail!("`{command}` has something to say"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_silence() {
        let names = |text: &str| vulnerable(text.as_bytes());
        let clean = r#"{ "auditReportVersion": 2, "vulnerabilities": {}, "metadata": {} }"#;
        assert_eq!(names(clean), Some(vec![]));
        let found = r#"{ "vulnerabilities": { "vite": { "severity": "low" } } }"#;
        assert_eq!(names(found), Some(vec!["vite".to_owned()]));
        let refused = r#"{ "message": "405 Method Not Allowed", "error": { "summary": "" } }"#;
        assert_eq!(names(refused), None);
        assert_eq!(names(""), None);
    }

    #[test]
    fn only_the_long_run_fails() {
        assert!(told(true, "a", Length::Long).is_ok());
        assert!(told(false, "a", Length::Short).is_ok());
        assert!(told(false, "a", Length::Long).is_err());
    }
}
