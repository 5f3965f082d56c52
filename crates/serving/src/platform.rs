//! What differs by operating system.

use std::io;

/// Waits until somebody wants the program to end: by Ctrl-C, or as systems ask their services.
///
/// # Errors
/// If signals cannot be watched for.
#[cfg(unix)]
pub async fn wish_to_end() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

/// Waits until somebody wants the program to end.
///
/// # Errors
/// If signals cannot be watched for.
#[cfg(not(unix))]
pub async fn wish_to_end() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// How many files the program may have open, if there is a limit: as this system says.
#[cfg(target_os = "linux")]
#[must_use]
pub fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// How many files the program may have open: what such systems grant by default.
#[cfg(all(unix, not(target_os = "linux")))]
#[must_use]
pub fn open_files() -> Option<usize> {
    Some(256)
}

/// How many files the program may have open: as many as there is memory for.
#[cfg(not(unix))]
#[must_use]
pub fn open_files() -> Option<usize> {
    None
}
