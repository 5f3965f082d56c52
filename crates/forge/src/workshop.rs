//! [`Workshop`]: the folder where engines are built, kept from one time to the next.
//!
//! ```text
//!   CACHE/forge/KEY/parts/…           the crates that every engine shares
//!                   engines/src/bin   one file for each engine
//!                   target            what the compiler made of them
//! ```
//!
//! One package with many programs, since the compiler is asked once and works on all of them at a time. The key tells
//! versions, compilers and flags apart; so what is there fits together.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::program::Program;
use crate::sources::{SOURCES, place_of, workspace};

/// How the compiler is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The processor that engines are made for; `native` for this one.
    pub target_cpu: String,
    /// What else the compiler is told.
    pub more: Vec<String>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags { target_cpu: "native".to_owned(), more: Vec::new() }
    }
}

/// Where engines are built. Nobody else uses it meanwhile.
#[derive(Debug)]
pub struct Workshop {
    root: PathBuf,
    flags: Flags,
    _alone: File,
}

impl Workshop {
    /// Opens the one for this version, compiler and flags in a folder for what can be made again.
    ///
    /// # Errors
    /// In one line, if there is no compiler, or no room.
    pub fn open(cache: &Path, flags: Flags) -> Result<Workshop, String> {
        let mut hasher = DefaultHasher::new();
        (SOURCES, compiler()?, &flags.target_cpu, &flags.more).hash(&mut hasher);
        let key = format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
        let root = cache.join("forge").join(key);
        fs::create_dir_all(&root).map_err(cannot_write(&root))?;
        let lock = root.join("lock");
        let alone = File::create(&lock).map_err(cannot_write(&lock))?;
        alone.lock().map_err(cannot_write(&lock))?;
        let workshop = Workshop { root, flags, _alone: alone };
        workshop.lay_out()?;
        Ok(workshop)
    }

    fn lay_out(&self) -> Result<(), String> {
        workspace().try_for_each(|(path, text)| write_if_new(&self.root.join(path), &text))
    }

    /// Builds all of these; `told` hears of each that is done. Where they are then, in the order given.
    ///
    /// # Errors
    /// In one line, what the compiler did not like.
    pub fn build(
        &self,
        programs: &[Program],
        told: &mut dyn FnMut(&str),
    ) -> Result<Vec<PathBuf>, String> {
        for program in programs {
            write_if_new(&self.root.join(place_of(program)), &program.source)?;
        }
        let mut command = self.compiler();
        command.args(["--package", "engines"]);
        command.args(programs.iter().flat_map(|program| ["--bin", &program.name]));
        self.listen(command.spawn().map_err(no_compiler)?, told)?;
        let release = self.root.join("target/release");
        Ok(programs
            .iter()
            .map(|program| {
                release.join(format!("{}{}", program.name, std::env::consts::EXE_SUFFIX))
            })
            .collect())
    }

    /// Builds what all engines share.
    ///
    /// # Errors
    /// In one line, what the compiler did not like.
    pub fn build_parts(&self) -> Result<(), String> {
        let mut command = self.compiler();
        command.args(["--package", "standalone"]);
        self.listen(command.spawn().map_err(no_compiler)?, &mut |_| {})
    }

    /// What the compiler made of an engine is thrown away, so that it is built anew.
    ///
    /// # Errors
    /// In one line.
    pub fn forget(&self, program: &Program) -> Result<(), String> {
        let file = self.root.join(place_of(program));
        let removed = fs::remove_file(&file);
        match removed {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(cannot_write(&file)(e)),
            _ => Ok(()),
        }
    }

    fn compiler(&self) -> Command {
        let cpu = format!("target-cpu={}", self.flags.target_cpu);
        let flags: Vec<&str> =
            ["-C", &cpu].into_iter().chain(self.flags.more.iter().map(String::as_str)).collect();
        let mut command = Command::new("cargo");
        command.args(["build", "--release", "--offline"]);
        command.arg("--message-format=json-render-diagnostics");
        command.arg("--target-dir").arg(self.root.join("target"));
        // What the caller's own builds are told is no business of these.
        command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        command.env_remove("CARGO_BUILD_TARGET").env_remove("RUSTC_WRAPPER");
        command.current_dir(&self.root);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn listen(&self, mut child: Child, told: &mut dyn FnMut(&str)) -> Result<(), String> {
        let complaints = child.stderr.take().map(|mut stderr| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let _ = stderr.read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            })
        });
        for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let line = line.map_err(|e| format!("the compiler cannot be heard: {e}"))?;
            if let Some(name) = finished(&line) {
                told(&name);
            }
        }
        let status = child.wait().map_err(|e| format!("the compiler got lost: {e}"))?;
        let complaints = complaints.and_then(|thread| thread.join().ok()).unwrap_or_default();
        match status.success() {
            true => Ok(()),
            false => Err(format!("the compiler failed: {}", first_complaint(&complaints))),
        }
    }
}

/// The program that a message says is done.
fn finished(line: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    message["executable"].as_str()?;
    message["target"]["name"].as_str().map(str::to_owned)
}

/// The line that says most.
fn first_complaint(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines.clone().find(|line| line.starts_with("error"));
    error.or_else(|| lines.next_back()).unwrap_or("it did not say why")
}

/// Which compiler there is.
fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(no_compiler)?;
    if !output.status.success() {
        return Err(format!("rustc -vV: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn no_compiler(error: std::io::Error) -> String {
    format!(
        "no Rust compiler ({error}); install one from https://rustup.rs, or use `zermelo engine GAME`, \
         which needs none"
    )
}

/// Files that are as they should be keep their time, by which the compiler knows that it has seen them.
fn write_if_new(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot_write(folder))?;
    }
    fs::write(path, text).map_err(cannot_write(path))
}

fn cannot_write(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("cannot write {}: {error}", path.display())
}
