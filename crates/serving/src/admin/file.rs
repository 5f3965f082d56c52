//! The token, and the file that holds its hash.

use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};
use storage::{Lock, LockError, WriteError};

/// A token as whoever runs the server has it. Only its hash is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminToken(String);

impl AdminToken {
    /// To be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Secrets do not get into logs.
impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

/// Why there is no token. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// Its file cannot be written.
    #[error("the admin token cannot be kept; --admin-file says where else: {0}")]
    Write(WriteError),
    /// Another server makes one just now.
    #[error("the admin token cannot be kept: {0}")]
    Busy(LockError),
    /// The system gives no random numbers.
    #[error("there are no random numbers: {0}")]
    NoRandom(String),
    /// There is a file, and it holds something else.
    #[error("{0} holds no admin token; --new-admin-token writes it anew")]
    Foreign(String),
}

/// What stands before the hash.
const SCHEME: &str = "sha256:";

/// Makes a token and keeps its hash in this file, for its owner alone, if there is none yet or it is
/// to be replaced; `None` if there is one already.
///
/// # Errors
/// If it cannot be kept, or the file holds something else.
pub fn make_admin_token(file: &Path, replace: bool) -> Result<Option<AdminToken>, AdminError> {
    if !replace && is_there(file)? {
        return Ok(None);
    }
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        // If it cannot be made, writing says so.
        let _ = storage::make_private_folder(folder);
    }
    let _lock = lock(file)?;
    // Another server may have made it meanwhile.
    if !replace && is_there(file)? {
        return Ok(None);
    }
    let token = random_text()?;
    let line = format!("{SCHEME}{}\n", hex(&hash_of(&token)));
    storage::write_private(file, line.as_bytes()).map_err(AdminError::Write)?;
    Ok(Some(AdminToken(token)))
}

/// Whether the file holds a hash, and is closed to others.
fn is_there(file: &Path) -> Result<bool, AdminError> {
    if !file.exists() {
        return Ok(false);
    }
    // One that was copied may be open.
    let _ = storage::keep_private(file);
    let foreign = || AdminError::Foreign(shown_path(file));
    read_hash(file).map(|_| true).ok_or_else(foreign)
}

/// Servers that are started at the same moment make one token.
fn lock(file: &Path) -> Result<Lock, AdminError> {
    let mut tries = 0;
    loop {
        tries += 1;
        match Lock::of(file) {
            Err(LockError::Busy(_)) if tries < 100 => thread::sleep(Duration::from_millis(20)),
            taken => return taken.map_err(AdminError::Busy),
        }
    }
}

fn shown_path(file: &Path) -> String {
    file.display().to_string().chars().filter(|c| !c.is_control()).collect()
}

/// 256 random bits.
pub(super) fn random_text() -> Result<String, AdminError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| AdminError::NoRandom(error.to_string()))?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// With so many random bits no salt is needed, nor a slow hash.
pub(super) fn hash_of(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// The hash that a file holds.
pub(super) fn read_hash(file: &Path) -> Option<[u8; 32]> {
    let text = std::fs::read_to_string(file).ok()?;
    let digits = text.trim_end().strip_prefix(SCHEME)?;
    let is_hash = digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let mut hash = [0; 32];
    for (at, byte) in hash.iter_mut().enumerate().filter(|_| is_hash) {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    is_hash.then_some(hash)
}

/// Takes as long whatever differs.
pub(super) fn is_equal(one: &[u8; 32], other: &[u8; 32]) -> bool {
    let differs = one.iter().zip(other).fold(0, |differs, (a, b)| black_box(differs | (a ^ b)));
    black_box(differs) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_compared_in_full() {
        let hash = hash_of("a");
        assert!(is_equal(&hash, &hash_of("a")));
        for at in 0..32 {
            let mut other = hash;
            other[at] ^= 1;
            assert!(!is_equal(&hash, &other), "{at}");
        }
    }

    #[test]
    fn a_file_of_another_kind_is_named_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("admin-token");
        for text in ["", "sha256:", "md5:00", &format!("sha256:{}g", "0".repeat(63)), "\u{fffd}"] {
            std::fs::write(&file, text).unwrap();
            let error = make_admin_token(&file, false).unwrap_err().to_string();
            assert!(
                error.contains("holds no admin token") && error.lines().count() == 1,
                "{error}"
            );
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        assert!(make_admin_token(&file, true).unwrap().is_some());
        std::fs::remove_file(&file).unwrap();
        let make = || make_admin_token(&file, false).unwrap().is_some();
        let made: usize = thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            all.into_iter().map(|one| usize::from(one.join().unwrap())).sum()
        });
        assert_eq!(made, 1, "started together, one makes it");
        assert!(make_admin_token(&file, false).unwrap().is_none());
    }
}
