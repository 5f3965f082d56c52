//! What differs by operating system.

use std::time::Duration;

/// The processor time of this thread, if the system says.
#[cfg(target_os = "linux")]
pub(crate) fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The processor time of this thread: not said here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn thread_time() -> Option<Duration> {
    None
}

/// The most memory that this program had in use, in bytes; 0 if the system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn peak_bytes() -> u64 {
    let kilobytes = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    kilobytes().unwrap_or_default() << 10
}

/// The most memory that this program had in use: not said here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn peak_bytes() -> u64 {
    0
}
