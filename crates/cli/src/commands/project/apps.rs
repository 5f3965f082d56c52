//! The programs that BOINC clients run, and the keys that vouch for them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use cluster::boinc::{BoincKey, BoincPublicKey};
use cluster::record::NewAppVersion;
use cluster::solver_versions;
use game::quote;
use serde::Serialize;
use solve::message::SolverVersion;

use super::open;
use crate::args::{
    AppAdd, AppAttach, AppCommand, AppKeyCommand, AppKeyCreate, AppKeySet, AppSign, AppSupersede,
    ProjectApp, ProjectPlace,
};
use crate::output::{Answer, Console};

/// Does what was asked.
pub(super) fn run(arguments: &ProjectApp, console: &Console) -> Result<Answer> {
    match &arguments.command {
        AppCommand::Add(add) => add_version(add, console),
        AppCommand::Sign(sign) => sign_file(sign, console),
        AppCommand::Attach(attach) => attach_signature(attach, console),
        AppCommand::List(place) => list(place, console),
        AppCommand::Supersede(supersede) => supersede_version(supersede, console),
        AppCommand::Key(key) => match &key.command {
            AppKeyCommand::Create(create) => create_key(create, console),
            AppKeyCommand::Set(set) => set_key(set, console),
            AppKeyCommand::List(place) => list_keys(place, console),
        },
    }
}

/// What the name of a program's file says: `NAME_VERSION_PLATFORM[__CLASS]`.
#[derive(Debug, PartialEq, Eq)]
struct AppFileName<'n> {
    app: &'n str,
    version: u32,
    platform: &'n str,
    plan_class: &'n str,
}

impl AppFileName<'_> {
    fn read(name: &str) -> Result<AppFileName<'_>> {
        let bare = name.strip_suffix(".exe").unwrap_or(name);
        let (rest, plan_class) = bare.split_once("__").unwrap_or((bare, ""));
        let mut parts = rest.splitn(3, '_');
        let mut read = || {
            let app = parts.next().filter(|app| !app.is_empty())?;
            let version = parts.next()?.parse().ok()?;
            let platform = parts.next().filter(|platform| !platform.is_empty())?;
            Some(AppFileName { app, version, platform, plan_class })
        };
        read().with_context(|| {
            let example = "zermelo_100_x86_64-pc-linux-gnu__x86-64-v3";
            format!("{} does not say name, version and platform, as {example} does", quote(name))
        })
    }
}

#[derive(Serialize)]
struct VersionLine {
    file: String,
    app: String,
    version: u32,
    platform: String,
    plan_class: String,
    bytes: u64,
    md5: String,
    signed: bool,
    superseded: bool,
    created: u64,
}

#[derive(Serialize)]
struct Added<'a> {
    file: &'a str,
    bytes: usize,
    signed: bool,
    superseded: Vec<String>,
}

fn add_version(arguments: &AppAdd, console: &Console) -> Result<Answer> {
    let AppAdd { file, place, signature, solvers, supersede } = arguments;
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let AppFileName { app, version, platform, plan_class } = AppFileName::read(name)?;
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let signature = signature_of(file, signature.as_deref())?;
    let solvers = match solvers {
        Some(list) => read_solvers(&read_text(list)?)?,
        None => solver_versions(),
    };
    let new = NewAppVersion {
        app: app.to_owned(),
        version,
        platform: platform.to_owned(),
        plan_class: plan_class.to_owned(),
        file: name.to_owned(),
        signature: signature.unwrap_or_default(),
        solvers,
        bytes,
    };
    let record = open(place)?;
    record.add_app_version(&new)?;
    let mut superseded = Vec::new();
    if *supersede {
        for row in record.app_versions()? {
            let is_same =
                (&*row.app, &*row.platform, &*row.plan_class) == (app, platform, plan_class);
            if is_same && row.version < version && !row.superseded {
                record.supersede(&row.file)?;
                superseded.push(row.file);
            }
        }
    }
    let signed = !new.signature.is_empty();
    let added = Added { file: name, bytes: new.bytes.len(), signed, superseded };
    console.answer(&added, |out| {
        let then = if added.signed { "" } else { "; it is handed out once it is signed" };
        writeln!(out, "{} is added{then}", added.file)?;
        added.superseded.iter().try_for_each(|file| writeln!(out, "{file} is superseded"))
    })
}

#[derive(Serialize)]
struct Signed<'a> {
    file: &'a Path,
    signature: &'a Path,
}

fn sign_file(arguments: &AppSign, console: &Console) -> Result<Answer> {
    let AppSign { file, key, out } = arguments;
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let key = BoincKey::read(key)?;
    // Of a public key the text is signed as clients get it: without space around it.
    let public = str::from_utf8(&bytes).ok().and_then(|text| text.parse::<BoincPublicKey>().ok());
    let signature = match public {
        Some(public) => key.sign(public.to_string().trim().as_bytes())?,
        None => key.sign(&bytes)?,
    };
    let to = out.clone().unwrap_or_else(|| beside(file, "sig"));
    storage::write(&to, signature.as_bytes())?;
    let signed = Signed { file, signature: &to };
    console.answer(&signed, |out| writeln!(out, "the signature is in {}", to.display()))
}

#[derive(Serialize)]
struct Named<'a> {
    file: &'a str,
}

fn attach_signature(arguments: &AppAttach, console: &Console) -> Result<Answer> {
    let AppAttach { name, signature, place } = arguments;
    open(place)?.sign_app_version(name, &read_text(signature)?)?;
    console.answer(&Named { file: name }, |out| writeln!(out, "{name} is signed"))
}

fn supersede_version(arguments: &AppSupersede, console: &Console) -> Result<Answer> {
    let AppSupersede { name, place } = arguments;
    open(place)?.supersede(name)?;
    console.answer(&Named { file: name }, |out| writeln!(out, "{name} is handed out no longer"))
}

fn list(place: &ProjectPlace, console: &Console) -> Result<Answer> {
    let rows = open(place)?.app_versions()?;
    let lines: Vec<VersionLine> = rows
        .into_iter()
        .map(|row| VersionLine {
            signed: !row.signature.is_empty(),
            file: row.file,
            app: row.app,
            version: row.version,
            platform: row.platform,
            plan_class: row.plan_class,
            bytes: row.size,
            md5: row.md5,
            superseded: row.superseded,
            created: row.created,
        })
        .collect();
    console.answer(&lines, |out| {
        writeln!(out, "{:<56} {:>12}  state", "file", "bytes")?;
        lines.iter().try_for_each(|line| {
            let state = match (line.superseded, line.signed) {
                (true, _) => "superseded",
                (_, false) => "not signed",
                _ => "handed out",
            };
            writeln!(out, "{:<56} {:>12}  {state}", line.file, line.bytes)
        })
    })
}

#[derive(Serialize)]
struct MadeKey<'a> {
    private: &'a Path,
    public: &'a Path,
}

fn create_key(arguments: &AppKeyCreate, console: &Console) -> Result<Answer> {
    let (private, public) = (&arguments.file, &beside(&arguments.file, "pub"));
    ensure!(!public.exists(), "{} is there already; a key is not written over", public.display());
    let key = BoincKey::generate()?;
    key.write(private)?;
    storage::write(public, key.public().to_string().as_bytes())?;
    console.answer(&MadeKey { private, public }, |out| {
        writeln!(out, "the private key is in {}: keep it off the server", private.display())?;
        writeln!(out, "the public key is in {}", public.display())
    })
}

#[derive(Serialize)]
struct SetKey<'a> {
    key: &'a Path,
    unsigned: Vec<String>,
}

fn set_key(arguments: &AppKeySet, console: &Console) -> Result<Answer> {
    let AppKeySet { file, place, signature } = arguments;
    let signature = signature_of(file, signature.as_deref())?.unwrap_or_default();
    let record = open(place)?;
    record.set_code_key(&read_text(file)?, &signature)?;
    let rows = record.app_versions()?.into_iter();
    let unsigned = rows.filter(|row| row.signature.is_empty() && !row.superseded);
    let set = SetKey { key: file, unsigned: unsigned.map(|row| row.file).collect() };
    console.answer(&set, |out| {
        writeln!(out, "programs are signed by {} from now on", file.display())?;
        set.unsigned.iter().try_for_each(|file| writeln!(out, "{file} has to be signed by it"))
    })
}

#[derive(Serialize)]
struct KeyLine {
    public: String,
    follows: bool,
    created: u64,
}

fn list_keys(place: &ProjectPlace, console: &Console) -> Result<Answer> {
    let keys = open(place)?.code_keys()?.into_iter();
    let line = |key: cluster::record::CodeKeyRow| KeyLine {
        follows: !key.signature.is_empty(),
        public: key.public,
        created: key.created,
    };
    let keys: Vec<KeyLine> = keys.map(line).collect();
    console.answer(&keys, |out| keys.iter().try_for_each(|key| write!(out, "{}", key.public)))
}

/// The signature that was named, or the one beside the file.
fn signature_of(file: &Path, named: Option<&Path>) -> Result<Option<String>> {
    match named {
        Some(named) => read_text(named).map(Some),
        None => {
            let usual = beside(file, "sig");
            usual.exists().then(|| read_text(&usual)).transpose()
        }
    }
}

/// `reversi 0123456789abcdef`, a family in each line.
fn read_solvers(text: &str) -> Result<Vec<(String, SolverVersion)>> {
    let read = |line: &str| {
        let (family, version) = line.split_once(' ')?;
        Some((family.to_owned(), SolverVersion(u64::from_str_radix(version.trim(), 16).ok()?)))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let known: Option<Vec<_>> = lines.map(read).collect();
    match known {
        Some(known) if !known.is_empty() => Ok(known),
        _ => bail!("a list of solvers has lines as reversi 0123456789abcdef"),
    }
}

/// No key and no signature is longer.
const LARGEST_TEXT: u64 = 64 << 10;

fn read_text(file: &Path) -> Result<String> {
    let read = || -> Result<String> {
        ensure!(fs::metadata(file)?.len() <= LARGEST_TEXT, "it is too large");
        Ok(fs::read_to_string(file)?)
    };
    read().with_context(|| format!("cannot read {}", file.display()))
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_as_boinc_has_them() {
        let read = |name| AppFileName::read(name).unwrap();
        let right = AppFileName {
            app: "zermelo",
            version: 102,
            platform: "x86_64-pc-linux-gnu",
            plan_class: "x86-64-v3",
        };
        assert_eq!(read("zermelo_102_x86_64-pc-linux-gnu__x86-64-v3"), right);
        let bare = AppFileName { plan_class: "", ..right };
        assert_eq!(read("zermelo_102_x86_64-pc-linux-gnu"), bare);
        let windows = AppFileName { platform: "windows_x86_64", ..bare };
        assert_eq!(read("zermelo_102_windows_x86_64.exe"), windows);
        for wrong in ["", "zermelo", "zermelo_1", "zermelo_x_linux", "_1_linux", "zermelo_1_"] {
            assert!(AppFileName::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn solvers_are_read_as_the_program_lists_them() {
        let read = read_solvers("reversi 00000000000000ff\n\ngo 0000000000000001\n").unwrap();
        let version = |name: &str, number| (name.to_owned(), SolverVersion(number));
        assert_eq!(read, [version("reversi", 255), version("go", 1)]);
        assert!(read_solvers("").is_err() && read_solvers("reversi x").is_err());
    }
}
