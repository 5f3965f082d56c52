//! The real programs that tests meet: installed where that may be done, named where it may not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// A Debian package and a file that shows it is there.
const PEERS: [(&str, &str); 7] = [
    ("gnuchess", "/usr/games/gnuchess"),
    ("glaurung", "/usr/games/glaurung"),
    ("toga2", "/usr/games/toga2"),
    ("phalanx", "/usr/games/phalanx"),
    ("gnugo", "/usr/games/gnugo"),
    ("chromium", CHROMIUM),
    ("fonts-dejavu-core", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
];

/// The browser that the page is tested in.
pub(crate) const CHROMIUM: &str = "/usr/bin/chromium";

/// The Python package that plays our UCI engine, and the variable that tells tests where it is.
const PYTHON_CHESS: &str = "chess==1.11.2";
pub(crate) const PYTHON_FOLDER: &str = "ZERMELO_TEST_PYTHON";

/// Makes sure that all of them are there, and gives the folder of Python packages.
pub(crate) fn ensure() -> Result<PathBuf> {
    ensure_packages()?;
    ensure_python_chess()
}

fn ensure_python_chess() -> Result<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).unwrap_or_else(std::env::temp_dir);
    let folder = cache.join("zermelo-test-python").join(PYTHON_CHESS);
    if !folder.join("chess/__init__.py").exists() {
        println!("the tests meet python-chess; installing");
        let mut command = Command::new("python3");
        command
            .args(["-m", "pip", "install", "--quiet", "--target"])
            .arg(&folder)
            .arg(PYTHON_CHESS);
        if !command.status().is_ok_and(|status| status.success()) {
            bail!("the tests meet python-chess; `pip install {PYTHON_CHESS}` did not work");
        }
    }
    Ok(folder)
}

fn ensure_packages() -> Result<()> {
    let missing = || -> Vec<&str> {
        PEERS.iter().filter(|(_, file)| !Path::new(file).exists()).map(|(name, _)| *name).collect()
    };
    let wanted = missing();
    if wanted.is_empty() {
        return Ok(());
    }
    println!("the tests meet {}; installing", wanted.join(", "));
    let quietly = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let install = [&["install", "--yes", "--no-install-recommends"], &*wanted].concat();
    // The first time there may be no list of packages.
    let installed = quietly(&install) || (quietly(&["update"]) && quietly(&install));
    let left = missing();
    if !installed || !left.is_empty() {
        let names = wanted.join(" ");
        bail!("the tests meet real programs; as root, `apt-get install {names}` is right");
    }
    Ok(())
}
