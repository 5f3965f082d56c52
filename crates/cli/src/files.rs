//! Files of whole games, and where the program keeps its own.

use play::{Facts, Session};
use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use compiled::CompiledGame;
use play::record::{Date, Games, Record};
use storage::Lock;

use crate::complaint::on_one_line;
use crate::output::counted;

/// What stands for standard input or output.
const STANDARD: &str = "-";

/// Where data lives: what `ZERMELO_HOME` says, else a folder where the platform keeps such things.
pub(crate) fn home() -> Option<PathBuf> {
    let usual = || match env::consts::OS {
        "windows" => folder("APPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library/Application Support")),
        _ => {
            folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
        }
    };
    folder("ZERMELO_HOME").or_else(|| usual().map(|folder| folder.join("zermelo")))
}

/// How the names begin of what the program itself puts where its data lives.
const OWN: [&str; 6] = ["table.db", "engines.txt", "tables", "unfinished", ".zermelo-", ADMIN_FILE];

/// Where the hash of the admin token is kept.
pub(crate) const ADMIN_FILE: &str = "admin-token";

/// Where data lives that is nobody else's business: the folder is made, or closed to others if there is nothing in
/// it that is not the program's own.
pub(crate) fn private_home() -> Result<Option<PathBuf>> {
    let Some(home) = home() else { return Ok(None) };
    let cannot = || format!("cannot keep data in {}", home.display());
    storage::make_private_folder(&home).with_context(cannot)?;
    let entries = fs::read_dir(&home).with_context(cannot)?;
    let is_own = |entry: io::Result<fs::DirEntry>| {
        let name = entry.map(|entry| entry.file_name().to_string_lossy().into_owned());
        name.is_ok_and(|name| OWN.iter().any(|own| name.starts_with(own)))
    };
    if entries.into_iter().all(is_own) {
        // What belongs to somebody else is theirs to close.
        let _ = storage::keep_private(&home);
    }
    Ok(Some(home))
}

/// Where things are kept that can be made again: what `ZERMELO_CACHE` says, else where the platform keeps such things.
pub(crate) fn cache() -> Option<PathBuf> {
    let usual = || match env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library/Caches")),
        _ => folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache"))),
    };
    folder("ZERMELO_CACHE").or_else(|| usual().map(|folder| folder.join("zermelo")))
}

fn folder(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Where engines that have names are listed.
pub(crate) fn engines() -> Option<PathBuf> {
    home().map(|home| home.join("engines.txt"))
}

/// Where tables of solved games are kept.
pub(crate) fn tables() -> Option<PathBuf> {
    home().map(|home| home.join("tables"))
}

/// The text of a file, in UTF-8, or UTF-16 with a byte order mark. What is neither is read as Latin-1, as old databases are written.
pub(crate) fn read(file: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    if file.as_os_str() == STANDARD {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(decode(bytes))
}

fn decode(bytes: Vec<u8>) -> String {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].as_chunks().0.iter().map(|&pair| unit(pair)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        _ => String::from_utf8(bytes)
            .unwrap_or_else(|e| e.as_bytes().iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The games of a file. With `strict` nothing behind the first bad one is looked at.
pub(crate) fn read_games(game: &dyn CompiledGame, file: &Path, strict: bool) -> Result<Games> {
    let games = game.files().read(&read(file)?);
    Ok(if strict { games.until_bad() } else { games })
}

/// Makes sure that a file holds a game that can be read.
pub(crate) fn need_good(file: &Path, games: &Games) -> Result<()> {
    match (games.good().next(), games.bad().next()) {
        (Some(_), _) => Ok(()),
        (None, Some(error)) => bail!("{}: {error}", file.display()),
        (None, None) => bail!("{} holds no game", file.display()),
    }
}

/// Says on standard error what is wrong with each bad game of a file, and how many there are.
pub(crate) fn report_bad(file: &Path, games: &Games) {
    let (file, bad) = (file.display(), games.bad().count());
    // A closed standard error is no reason to withhold the answer.
    let mut out = io::stderr().lock();
    for error in games.bad() {
        let _ = writeln!(out, "{}", on_one_line(&format!("{file}: {error}")));
    }
    if bad > 0 && games.len() > 1 {
        let _ = writeln!(out, "{file}: {bad} of {} cannot be read", counted(games.len(), "game"));
    }
}

/// Writes a new file, or over an old one. What is no file of a disk, as a pipe, is written to.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    if file.as_os_str() == STANDARD {
        io::stdout().write_all(text.as_bytes())?;
        return Ok(());
    }
    let is_device = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    if fs::metadata(file).is_ok_and(is_device) {
        return fs::write(file, text).with_context(|| format!("cannot write {}", file.display()));
    }
    // Behind a link it is the file that changes, and not the link.
    let is_link = fs::symlink_metadata(file).is_ok_and(|found| found.is_symlink());
    let target = if is_link { fs::canonicalize(file).ok() } else { None };
    let new = storage::NewFile::create(target.as_deref().unwrap_or(file))?;
    new.keep_permissions()?;
    Ok(new.finish(text.as_bytes())?)
}

/// A file that is the result of long work, and nobody else's meanwhile.
#[derive(Debug)]
pub(crate) struct LockedFile {
    new: storage::NewFile,
    _lock: Lock,
}

impl LockedFile {
    /// Makes sure, before the work begins, that its result can be written, and that nobody else is
    /// at work at it.
    pub(crate) fn begin(file: &Path) -> Result<LockedFile> {
        let new = storage::NewFile::create(file)?;
        let lock = Lock::of(file).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(LockedFile { new, _lock: lock })
    }

    pub(crate) fn finish(self, bytes: &[u8]) -> Result<()> {
        Ok(self.new.finish(bytes)?)
    }
}

/// Today, as files of a game write it.
pub(crate) fn today(facts: &Facts) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    facts.date_text(Date::of_unix_time(since.map_or(0, |since| since.as_secs().cast_signed())))
}

/// Goes to the end of a recorded game, and gives its record.
pub(crate) fn replay(
    game: &dyn CompiledGame,
    session: &mut dyn Session,
    file: &Path,
    number: usize,
) -> Result<Record> {
    let games = game.files().read(&read(file)?);
    let file = file.display();
    match (games.get(number), games.len()) {
        (Some(Ok(record)), _) => {
            session.replay(record)?;
            Ok(record.clone())
        }
        (Some(Err(error)), _) => bail!("{file}: {error}"),
        (None, 0) => bail!("{file} holds no game"),
        (None, 1) => bail!("{file} holds one game, so there is no number {number}"),
        (None, games) => bail!("{file} holds {games} games, so there is no number {number}"),
    }
}
