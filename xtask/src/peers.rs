//! The real programs that tests meet: installed where that may be done, named where it may not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::cargo;

/// A Debian package, a file that shows it is there, and what the tests need it for.
struct Peer {
    package: &'static str,
    file: &'static str,
    why: &'static str,
    /// What is left untested without it; nothing is tested without those that do not say.
    untested: Option<&'static str>,
}

const fn peer(package: &'static str, file: &'static str, why: &'static str) -> Peer {
    Peer { package, file, why, untested: None }
}

impl Peer {
    const fn or_untested(self, untested: &'static str) -> Peer {
        Peer { untested: Some(untested), ..self }
    }
}

const PEERS: [Peer; 10] = [
    peer("gnuchess", "/usr/games/gnuchess", "an engine that is driven by UCI"),
    peer("glaurung", "/usr/games/glaurung", "an engine that is driven by UCI"),
    peer("toga2", "/usr/games/toga2", "an engine that is driven by UCI"),
    peer("phalanx", "/usr/games/phalanx", "an engine that is driven by CECP"),
    peer("gnugo", "/usr/games/gnugo", "an engine that is driven by GTP"),
    peer("postgresql", "/usr/bin/pg_ctlcluster", "the server that keeps the record of a cluster")
        .or_untested(
            "the record of a cluster in PostgreSQL, several servers and front ends, and faults of all \
             of them; the record in SQLite is tested",
        ),
    peer("faketime", "/usr/bin/faketime", "the clocks of servers and workers are set wrong by it")
        .or_untested("projects whose machines have wrong clocks"),
    peer("boinc-client", "/usr/bin/boinc", "the client that volunteers come with")
        .or_untested("volunteers' machines with the real client"),
    peer("chromium", CHROMIUM, "the browser that the page is tested in"),
    peer(
        "fonts-dejavu-core",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "the font of the page's pictures",
    ),
];

/// The browser that the page is tested in.
pub(crate) const CHROMIUM: &str = "/usr/bin/chromium";

/// Python packages with a file that shows they are there, and the variable that tells tests where
/// that is.
const PYTHON: [Peer; 2] = [
    peer("chess==1.11.2", "chess/__init__.py", "a library that drives our UCI engine"),
    peer(
        "prometheus-client==0.26.0",
        "prometheus_client/__init__.py",
        "a library that reads our page of metrics",
    ),
];
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

/// Tells tests that there is no PostgreSQL.
const WITHOUT_POSTGRESQL: &str = "ZERMELO_TEST_WITHOUT_POSTGRESQL";

/// What the tests have to do with.
#[derive(Debug)]
pub(crate) struct Ensured {
    /// The folder of Python packages.
    pub(crate) python: PathBuf,
    /// What is not there and cannot be installed: a package, and what is left untested without it.
    pub(crate) untested: Vec<(&'static str, &'static str)>,
}

impl Ensured {
    /// Variables that tests look at.
    pub(crate) fn environment(&self) -> Vec<(&'static str, OsString)> {
        let without = self.untested.iter().any(|(package, _)| *package == "postgresql");
        let without = without.then(|| (WITHOUT_POSTGRESQL, OsString::from("1")));
        without.into_iter().chain([(PYTHON_FOLDER, self.python.clone().into())]).collect()
    }

    /// Says what is left untested.
    pub(crate) fn announce_untested(&self) {
        for (package, what) in &self.untested {
            println!("NOT TESTED, since {package} is not installed and cannot be: {what}");
        }
    }
}

/// Makes sure that all of them are there, or all without which nothing is tested.
pub(crate) fn ensure(missing: Missing) -> Result<Ensured> {
    let (untested, python) = (ensure_packages(missing), ensure_python(missing));
    let ensured = Ensured { untested: untested?, python: python? };
    ensured.announce_untested();
    Ok(ensured)
}

fn ensure_python(missing: Missing) -> Result<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).unwrap_or_else(std::env::temp_dir);
    let names = PYTHON.map(|peer| peer.package);
    let folder = cache.join("zermelo-test-python").join(names.join(","));
    let is_absent = |peer: &&Peer| !folder.join(peer.file).exists();
    let wanted: Vec<(String, &str)> =
        PYTHON.iter().filter(is_absent).map(|peer| (peer.package.to_owned(), peer.why)).collect();
    let into = folder.display();
    let how = format!("python3 -m pip install --target {into} {}", names.join(" "));
    if missing.announce(&wanted, &how)? {
        let mut command = Command::new("python3");
        command.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&folder).args(names);
        if !command.status().is_ok_and(|status| status.success()) {
            bail!("the tests meet Python libraries; `{how}` did not work");
        }
    }
    Ok(folder)
}

/// What is left untested.
fn ensure_packages(missing: Missing) -> Result<Vec<(&'static str, &'static str)>> {
    let absent = || PEERS.iter().filter(|peer| !Path::new(peer.file).exists());
    let lacking = || absent().filter_map(|peer| Some((peer.package, peer.untested?))).collect();
    let is_possible = || absent().all(|peer| peer.untested.is_some());
    let wanted: Vec<(String, &str)> =
        absent().map(|peer| (peer.package.to_owned(), peer.why)).collect();
    let names: Vec<&str> = absent().map(|peer| peer.package).collect();
    let how = format!("apt-get install {}", names.join(" "));
    match missing.announce(&wanted, &how) {
        Ok(true) => {}
        Err(_) if is_possible() => return Ok(lacking()),
        done => return done.map(|_| Vec::new()),
    }
    let quietly = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let install = [&["install", "--yes", "--no-install-recommends"], &*names].concat();
    // The first time there may be no list of packages.
    let installed = quietly(&install) || (quietly(&["update"]) && quietly(&install));
    if !is_possible() {
        bail!("the tests meet real programs; as root, `{how}` is right");
    }
    if !installed {
        println!("that did not work; as root, `{how}` is right");
    }
    Ok(lacking())
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
        assert!(PYTHON.iter().all(|peer| !peer.why.is_empty() && peer.package.contains("==")));
    }

    #[test]
    fn tests_are_told_what_is_not_there() {
        let python = PathBuf::from("/python");
        let all = Ensured { python: python.clone(), untested: Vec::new() };
        assert_eq!(all.environment(), [(PYTHON_FOLDER, "/python".into())]);
        let some = Ensured { python, untested: vec![("postgresql", "much")] };
        assert!(some.environment().contains(&(WITHOUT_POSTGRESQL, "1".into())));
    }
}
