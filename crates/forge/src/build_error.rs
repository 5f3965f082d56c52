//! [`BuildError`]: why an engine was not built.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Why an engine was not built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The compiler cannot be called, and why.
    NoCompiler(String),
    /// Others could change what is built.
    OpenToOthers {
        /// Where.
        folder: PathBuf,
        /// What lets them.
        why: String,
    },
    /// There is no room, or no permission.
    CannotWrite {
        /// What was to be written.
        file: PathBuf,
        /// Why it was not.
        error: io::Error,
    },
    /// What was built could not be put in its place.
    NotKept(storage::WriteError),
    /// The compiler refused.
    Refused {
        /// What it was given.
        what: String,
        /// Its first error, in one line.
        first: String,
        /// All it said.
        whole: String,
    },
}

impl BuildError {
    /// What the compiler said when it refused.
    pub(crate) fn refused(what: &str, said: &str, status: ExitStatus) -> BuildError {
        let first = first_error(said).unwrap_or_else(|| format!("it did not say why ({status})"));
        BuildError::Refused { what: what.to_owned(), first, whole: said.to_owned() }
    }

    /// All that the compiler said, if it was the compiler.
    #[must_use]
    pub fn whole(&self) -> Option<&str> {
        match self {
            BuildError::Refused { whole, .. } => Some(whole),
            _ => None,
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoCompiler(why) => write!(
                f,
                "no Rust compiler ({why}); install one from https://rustup.rs, or use `zermelo \
                 engine GAME`, which needs none"
            ),
            BuildError::OpenToOthers { folder, why } => write!(
                f,
                "engines are not built in {}: {why}; delete it, or name another cache by \
                 ZERMELO_CACHE",
                folder.display()
            ),
            BuildError::CannotWrite { file, error } => {
                write!(f, "cannot write {}: {error}", file.display())
            }
            BuildError::NotKept(error) => error.fmt(f),
            BuildError::Refused { what, first, .. } => {
                write!(f, "the compiler failed at {what}: {first}; -v shows all it said")
            }
        }
    }
}

impl std::error::Error for BuildError {}

/// The first error, with its place, and what a linker said last.
fn first_error(said: &str) -> Option<String> {
    let mut lines = said.lines().skip_while(|line| !line.trim_start().starts_with("error"));
    let mut first = match lines.next() {
        Some(error) => error.trim().to_owned(),
        // A processor that does not exist is no error to it, only what comes of that.
        None => return said.lines().find(|line| !line.trim().is_empty()).map(str::to_owned),
    };
    let rest: Vec<&str> = lines.map(str::trim).take_while(|line| !line.is_empty()).collect();
    if let Some(place) = rest.iter().find_map(|line| line.strip_prefix("--> ")) {
        first += &format!(" ({place})");
    } else if let Some(note) = rest.iter().rfind(|line| !line.is_empty()) {
        first += &format!(" ({})", note.trim_start_matches("= note: "));
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_one_line() {
        let said = "warning: something\n\nerror[E0425]: cannot find value `x`\n --> engines/a.rs:3:5\n  |\n3 | x\n\n\
                    error: aborting due to 1 previous error\n";
        let first = "error[E0425]: cannot find value `x` (engines/a.rs:3:5)";
        assert_eq!(first_error(said).as_deref(), Some(first));
        let linker = "error: linking with `cc` failed\n  |\n  = note: \"cc\" many words\n  = note: ld: cannot find -lm\n\n";
        let first = "error: linking with `cc` failed (ld: cannot find -lm)";
        assert_eq!(first_error(linker).as_deref(), Some(first));
        let processor = "'x' is not a recognized processor\nrustc-LLVM ERROR: 64-bit code\n";
        assert_eq!(first_error(processor).as_deref(), processor.lines().next());
        assert_eq!(first_error(""), None);
    }
}
