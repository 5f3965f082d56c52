//! Signals that are better heard as errors.
#![allow(unsafe_code)]

/// A file that grows over the limit of the shell (`ulimit -f`) is an error of whoever writes it,
/// and no longer ends the program: the signal is caught, and the write fails with "File too large".
/// Caught, not ignored: programs that are started from here begin with its usual meaning. A closed
/// pipe is an error already: Rust ignores SIGPIPE from the beginning, and gives programs that it
/// starts the usual meaning.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn hear_of_large_files() {
    unsafe extern "C" {
        fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
    }
    extern "C" fn nothing(_: i32) {}
    const SIGXFSZ: i32 =
        if cfg!(any(target_arch = "mips", target_arch = "mips64")) { 31 } else { 25 };
    // SAFETY: the handler does nothing, so it may run at any time.
    unsafe { signal(SIGXFSZ, nothing) };
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn hear_of_large_files() {}
