//! The real programs that tests meet: installed where that may be done, named where it may not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::cargo;

/// A Debian package, a file that shows it is there, and what the tests need it for.
struct Peer {
    package: &'static str,
    file: &'static str,
    why: &'static str,
}

const fn peer(package: &'static str, file: &'static str, why: &'static str) -> Peer {
    Peer { package, file, why }
}

const PEERS: [Peer; 9] = [
    peer("gnuchess", "/usr/games/gnuchess", "an engine that is driven by UCI"),
    peer("glaurung", "/usr/games/glaurung", "an engine that is driven by UCI"),
    peer("toga2", "/usr/games/toga2", "an engine that is driven by UCI"),
    peer("phalanx", "/usr/games/phalanx", "an engine that is driven by CECP"),
    peer("gnugo", "/usr/games/gnugo", "an engine that is driven by GTP"),
    peer("postgresql", "/usr/bin/pg_ctlcluster", "the server that keeps the record of a cluster"),
    peer("boinc-client", "/usr/bin/boinc", "the client that volunteers come with"),
    peer("chromium", CHROMIUM, "the browser that the page is tested in"),
    peer(
        "fonts-dejavu-core",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "the font of the page's pictures",
    ),
];

/// The browser that the page is tested in.
pub(crate) const CHROMIUM: &str = "/usr/bin/chromium";

/// The Python package that plays our UCI engine, and the variable that tells tests where it is.
const PYTHON_CHESS: &str = "chess==1.11.2";
pub(crate) const PYTHON_FOLDER: &str = "ZERMELO_TEST_PYTHON";

/// Whether what is missing is installed or only named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is installed, after it was named.
    Install,
    /// It is only named, and nothing is done.
    Name,
}

impl Missing {
    /// Says what is missing and what it is for. With nothing to install, or nothing missing, that is all.
    ///
    /// # Errors
    /// If something is missing that may not be installed.
    pub(crate) fn announce(self, wanted: &[(String, &str)], how: &str) -> Result<bool> {
        if wanted.is_empty() {
            return Ok(false);
        }
        let does = match self {
            Missing::Install => "about to be installed",
            Missing::Name => "missing",
        };
        println!("{does}, with `{how}`:");
        for (name, why) in wanted {
            println!("  {name:<18} {why}");
        }
        match self {
            Missing::Install => Ok(true),
            Missing::Name => bail!("something is missing; `{how}` is right"),
        }
    }
}

/// Makes sure that all of them are there, and gives the folder of Python packages.
pub(crate) fn ensure(missing: Missing) -> Result<PathBuf> {
    let (packages, python) = (ensure_packages(missing), ensure_python_chess(missing));
    packages.and(python)
}

fn ensure_python_chess(missing: Missing) -> Result<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).unwrap_or_else(std::env::temp_dir);
    let folder = cache.join("zermelo-test-python").join(PYTHON_CHESS);
    let there = folder.join("chess/__init__.py").exists();
    let wanted = [(PYTHON_CHESS.to_owned(), "a Python library that drives our UCI engine")];
    let into = folder.display();
    let how = format!("python3 -m pip install --target {into} {PYTHON_CHESS}");
    if missing.announce(if there { &[] } else { &wanted }, &how)? {
        let mut command = Command::new("python3");
        command
            .args(["-m", "pip", "install", "--quiet", "--target"])
            .arg(&folder)
            .arg(PYTHON_CHESS);
        if !command.status().is_ok_and(|status| status.success()) {
            bail!("the tests meet python-chess; `{how}` did not work");
        }
    }
    Ok(folder)
}

fn ensure_packages(missing: Missing) -> Result<()> {
    let absent = || PEERS.iter().filter(|peer| !Path::new(peer.file).exists());
    let wanted: Vec<(String, &str)> =
        absent().map(|peer| (peer.package.to_owned(), peer.why)).collect();
    let names: Vec<&str> = absent().map(|peer| peer.package).collect();
    let how = format!("apt-get install {}", names.join(" "));
    if !missing.announce(&wanted, &how)? {
        return Ok(());
    }
    let quietly = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let install = [&["install", "--yes", "--no-install-recommends"], &*names].concat();
    // The first time there may be no list of packages.
    let installed = quietly(&install) || (quietly(&["update"]) && quietly(&install));
    if !installed || absent().next().is_some() {
        bail!("the tests meet real programs; as root, `{how}` is right");
    }
    Ok(())
}

/// Makes sure that the runner of tests is there.
pub(crate) fn ensure_nextest(missing: Missing) -> Result<()> {
    let mut version = cargo();
    version.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    let there = version.status().is_ok_and(|status| status.success());
    let wanted = [("cargo-nextest".to_owned(), "the runner of all tests")];
    let how = "cargo install cargo-nextest --locked";
    if missing.announce(if there { &[] } else { &wanted }, how)? {
        let status = cargo().args(["install", "cargo-nextest", "--locked"]).status();
        if !status.is_ok_and(|status| status.success()) {
            bail!("cargo-nextest is needed and could not be installed; see https://nexte.st");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_installed_is_named() {
        let wanted = [("a-package".to_owned(), "a reason")];
        assert!(Missing::Install.announce(&wanted, "get it").unwrap());
        for missing in [Missing::Install, Missing::Name] {
            assert!(!missing.announce(&[], "get it").unwrap(), "{missing:?}");
        }
        let error = Missing::Name.announce(&wanted, "get it").unwrap_err().to_string();
        assert_eq!(error, "something is missing; `get it` is right");
    }

    #[test]
    fn every_package_has_its_reason() {
        assert!(PEERS.iter().all(|peer| !peer.why.is_empty() && peer.file.starts_with('/')));
    }
}
