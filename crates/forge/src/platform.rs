//! What differs by operating system.

use std::fs;
use std::time::Duration;

/// Clock ticks in a second, as the Linux kernel shows them to programs.
const TICKS: u64 = 100;

/// The processor time of all programs that were started and have ended; `None` where the system does not tell.
#[must_use]
pub fn cpu_time_of_children() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which comes second and in brackets, may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13).map(str::parse::<u64>);
    let ticks = fields.next()?.ok()? + fields.next()?.ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// What the processor calls itself, if the system tells.
pub(crate) fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}
