//! [`Workshop`]: the folder where engines are built, kept from one time to the next.
//!
//! ```text
//!   CACHE/forge/KEY/parts     the sources of the crates that every engine shares
//!                   lib       these crates, compiled
//!                   engines   the source of each engine
//!                   bin       the engines; a hash of the source is part of the name
//! ```
//!
//! The key tells versions, compilers and flags apart, so what is there fits together and is never
//! built twice. The compiler is called without Cargo: that would do what any `.cargo/config.toml`
//! in or above the folder says. Nobody else may write to the folder, and files get their names when
//! they are whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use protocols::{Kept, Spare};

use crate::build_error::BuildError;
use crate::parts::PARTS;
use crate::platform;
use crate::program::GeneratedProgram;
use crate::sources::{AT_HAND, part_sources};

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
    compiler: Compiler,
    _alone: File,
}

/// What is compiled, and from what.
struct Work<'w> {
    name: &'w str,
    source: PathBuf,
    output: PathBuf,
    /// The crates that it names.
    uses: &'w [&'w str],
    is_engine: bool,
}

impl Workshop {
    /// Opens the one for this version, compiler and flags in a folder for what can be made again.
    ///
    /// # Errors
    /// If there is no compiler, no room, or others can write to the folder.
    pub fn open(cache: &Path, flags: Flags) -> Result<Workshop, BuildError> {
        let compiler = Compiler::find()?;
        let mut hasher = DefaultHasher::new();
        let sources: Vec<(String, &str)> = part_sources().collect();
        (sources, RELEASE, &compiler, &flags.target_cpu, &flags.more).hash(&mut hasher);
        let key = format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
        storage::make_private_folder(cache).map_err(cannot_write(cache))?;
        // Links on the way to it must not be turned elsewhere later.
        let cache = cache.canonicalize().map_err(cannot_write(cache))?;
        let forge = cache.join("forge");
        let root = forge.join(key);
        storage::make_private_folder(&root).map_err(cannot_write(&root))?;
        for folder in [&cache, &forge, &root] {
            if let Some(why) = platform::open_to_others(folder).map_err(cannot_write(folder))? {
                return Err(BuildError::OpenToOthers { folder: folder.clone(), why });
            }
        }
        let lock = root.join("lock");
        let alone = File::create(&lock).map_err(cannot_write(&lock))?;
        alone.lock().map_err(cannot_write(&lock))?;
        let workshop = Workshop { root, flags, compiler, _alone: alone };
        for (path, text) in part_sources() {
            write_if_new(&workshop.root.join(path), text)?;
        }
        Ok(workshop)
    }

    /// Builds all of these; `told` hears of each that is done. Where they are then, in the order given.
    ///
    /// # Errors
    /// What the compiler did not like.
    pub fn build(
        &self,
        programs: &[GeneratedProgram],
        told: &mut dyn FnMut(&str),
    ) -> Result<Vec<PathBuf>, BuildError> {
        self.build_parts()?;
        let mut work = Vec::new();
        for program in programs {
            let source = self.root.join("engines").join(format!("{}.rs", program.name));
            write_if_new(&source, &program.source)?;
            let output = self.place_of(program);
            let uses = &AT_HAND;
            work.push(Work { name: &program.name, source, output, uses, is_engine: true });
        }
        self.do_all(&work, told)?;
        Ok(work.into_iter().map(|work| work.output).collect())
    }

    /// Builds what all engines share.
    ///
    /// # Errors
    /// What the compiler did not like.
    pub fn build_parts(&self) -> Result<(), BuildError> {
        let mut built: Vec<&str> = Vec::new();
        while built.len() < PARTS.len() {
            let is_next = |name: &str, uses: &[&str]| {
                !built.contains(&name) && uses.iter().all(|part| built.contains(part))
            };
            let next = PARTS.iter().filter(|(name, uses)| is_next(name, uses));
            let work: Vec<Work<'_>> = next
                .map(|&(name, uses)| Work {
                    name,
                    source: self.root.join(format!("parts/{name}/src/lib.rs")),
                    output: self.library(name),
                    uses,
                    is_engine: false,
                })
                .collect();
            self.do_all(&work, &mut |_| {})?;
            built.extend(work.iter().map(|work| work.name));
        }
        Ok(())
    }

    /// What the compiler made of an engine is thrown away, so that it is built anew.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn forget(&self, program: &GeneratedProgram) -> Result<(), BuildError> {
        let file = self.place_of(program);
        match fs::remove_file(&file) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(cannot_write(&file)(e)),
            _ => Ok(()),
        }
    }

    fn library(&self, part: &str) -> PathBuf {
        self.root.join(format!("lib/lib{part}.rlib"))
    }

    /// Where an engine is once it is built.
    fn place_of(&self, program: &GeneratedProgram) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        program.source.hash(&mut hasher);
        let (hash, end) = (hasher.finish(), std::env::consts::EXE_SUFFIX);
        self.root.join(format!("bin/{}-{hash:016x}{end}", program.name))
    }

    /// Compiles what is not there yet, several at a time, until one fails.
    fn do_all(&self, all: &[Work<'_>], told: &mut dyn FnMut(&str)) -> Result<(), BuildError> {
        let missing: Vec<&Work<'_>> = all.iter().filter(|work| !work.output.exists()).collect();
        all.iter().filter(|work| work.output.exists()).for_each(|work| told(work.name));
        let next = AtomicUsize::new(0);
        let threads = thread::available_parallelism().map_or(1, usize::from).min(missing.len());
        thread::scope(|scope| {
            let (done, news) = channel();
            for _ in 0..threads {
                let (done, next, missing) = (done.clone(), &next, &missing);
                scope.spawn(move || {
                    while let Some(work) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if done.send((work.name, self.compile(work))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(done);
            for (name, built) in news {
                // The others finish what they have begun, and begin nothing else.
                built.inspect_err(|_| next.store(missing.len(), Ordering::Relaxed))?;
                told(name);
            }
            Ok(())
        })
    }

    fn compile(&self, work: &Work<'_>) -> Result<(), BuildError> {
        let folder = work.output.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(cannot_write(folder))?;
        let part = work.output.with_added_extension("part");
        let arguments = self.arguments(work, &part);
        let child = Kept::start(&self.compiler.program, Spare::Input, |command| {
            forget_settings(command);
            // Sources ask for it, as Cargo tells them.
            command.env("CARGO_PKG_VERSION", env!("CARGO_PKG_VERSION"));
            command.args(&arguments).current_dir(&self.root);
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        });
        let mut child = child.map_err(|e| BuildError::NoCompiler(e.to_string()))?;
        let mut said = Vec::new();
        if let Some(mut errors) = child.take_errors() {
            // What could not be read is not known to be wrong.
            let _ = errors.read_to_end(&mut said);
        }
        let status = child.wait().map_err(|e| BuildError::NoCompiler(e.to_string()))?;
        if !status.success() {
            drop(fs::remove_file(&part));
            return Err(BuildError::refused(work.name, &String::from_utf8_lossy(&said), status));
        }
        storage::move_into_place(&part, &work.output).map_err(BuildError::NotKept)
    }

    fn arguments(&self, work: &Work<'_>, output: &Path) -> Vec<OsString> {
        // No engine is asked for its name as a crate, and not every name would do.
        let name = if work.is_engine { "engine" } else { work.name };
        let kind = if work.is_engine { "bin" } else { "rlib" };
        let plain = ["--crate-name", name, "--crate-type", kind].into_iter().chain(RELEASE);
        let mut all: Vec<OsString> = plain.map(OsString::from).collect();
        let mut add = |words: [OsString; 2]| all.extend(words);
        let with = |before: &str, path: &Path, after: &str| {
            let mut word = OsString::from(before);
            word.push(path);
            word.push(after);
            word
        };
        if work.is_engine {
            add(["-C".into(), "strip=symbols".into()]);
        }
        add(["-C".into(), format!("target-cpu={}", self.flags.target_cpu).into()]);
        // Engines do not tell where they were built.
        add(["--remap-path-prefix".into(), with("", &self.root, "=zermelo")]);
        add(["-L".into(), with("dependency=", &self.root.join("lib"), "")]);
        for part in work.uses {
            add(["--extern".into(), with(&format!("{part}="), &self.library(part), "")]);
        }
        add(["-o".into(), output.into()]);
        all.extend(self.flags.more.iter().map(OsString::from));
        all.push(work.source.clone().into());
        all
    }
}

/// How all of it is compiled.
const RELEASE: [&str; 12] = [
    "--edition=2024",
    "--cap-lints=allow",
    "-C",
    "opt-level=3",
    "-C",
    "codegen-units=1",
    "-C",
    "lto=off",
    "-C",
    "embed-bitcode=no",
    "-C",
    "panic=abort",
];

/// Which compiler there is.
#[derive(Clone, Debug, Hash)]
struct Compiler {
    program: PathBuf,
    version: String,
}

impl Compiler {
    /// The one that `rustc` stands for. What chooses among several by the folder it is called in is
    /// asked once, and not where somebody left a file for it.
    fn find() -> Result<Compiler, BuildError> {
        let none = |e: io::Error| BuildError::NoCompiler(e.to_string());
        let ask = |words: &[&str]| -> Result<String, BuildError> {
            let mut command = Command::new("rustc");
            let output = command.args(words).current_dir("/").output().map_err(none)?;
            match output.status.success() {
                true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
                false => Err(BuildError::NoCompiler(
                    String::from_utf8_lossy(&output.stderr).trim().replace('\n', " "),
                )),
            }
        };
        let version = ask(&["-vV"])?;
        let name = format!("rustc{}", std::env::consts::EXE_SUFFIX);
        let own = Path::new(ask(&["--print", "sysroot"])?.trim()).join("bin").join(&name);
        let program = if own.is_file() { own } else { PathBuf::from(name) };
        Ok(Compiler { program, version })
    }
}

/// What the caller's own builds are told is no business of these.
fn forget_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO") || text.starts_with("RUST") {
            command.env_remove(&name);
        }
    }
}

/// What is there is compared with what it should be each time, so nothing need be forced to the disk.
fn write_if_new(path: &Path, text: &str) -> Result<(), BuildError> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot_write(folder))?;
    }
    fs::write(path, text).map_err(cannot_write(path))
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> BuildError + '_ {
    move |error| BuildError::CannotWrite { file: path.to_owned(), error }
}
