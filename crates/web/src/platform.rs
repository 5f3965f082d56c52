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
