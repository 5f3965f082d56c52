//! What differs by operating system.

use std::io;

/// Waits until somebody wants the program to end: by Ctrl-C, or as systems ask their services.
#[cfg(unix)]
pub(crate) async fn wish_to_end() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

/// Waits until somebody wants the program to end.
#[cfg(not(unix))]
pub(crate) async fn wish_to_end() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// How many files the program may have open, if there is a limit: as this system says.
#[cfg(target_os = "linux")]
pub(crate) fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// How many files the program may have open: what such systems grant by default.
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn open_files() -> Option<usize> {
    Some(256)
}

/// How many files the program may have open: as many as there is memory for.
#[cfg(not(unix))]
pub(crate) fn open_files() -> Option<usize> {
    None
}
