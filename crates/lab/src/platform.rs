//! What differs by operating system.

use std::fs;
use std::time::Duration;

/// Clock ticks in a second, as the Linux kernel shows them to programs.
const TICKS: u64 = 100;

/// The processor time of all programs that were started and have ended; `None` where the system
/// does not tell.
#[must_use]
pub fn cpu_time_of_children() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which comes second and in brackets, may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13).map(str::parse::<u64>);
    let ticks = fields.next()?.ok()? + fields.next()?.ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// The processor time of this program, all its threads together; `None` where the system does not
/// tell.
#[must_use]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[allow(unsafe_code)]
pub fn cpu_time() -> Option<Duration> {
    use std::ffi::{c_int, c_long};
    #[repr(C)]
    struct Time {
        seconds: c_long,
        nanoseconds: c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
    }
    const OF_THIS_PROCESS: c_int = 2;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: the function of the C library that Rust programs are linked with; it writes one such
    // structure and keeps nothing.
    let failed = unsafe { clock_gettime(OF_THIS_PROCESS, &raw mut time) };
    let time = Duration::new(time.seconds as u64, time.nanoseconds as u32);
    (failed == 0).then_some(time)
}

/// The processor time of this program, all its threads together; `None` where the system does not
/// tell.
#[must_use]
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub fn cpu_time() -> Option<Duration> {
    None
}

/// What the processor calls itself, if the system tells.
pub(crate) fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

/// How many programs wanted to run in the last minute, on average, if the system tells.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::*;

    /// The same in hundredths of a second, which is all that the text tells.
    fn ticks() -> Duration {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 1000 / TICKS)
    }

    #[test]
    fn processor_time_is_what_the_system_writes_down() {
        let before = ticks();
        let mut n = 0u64;
        while ticks() < before + Duration::from_millis(50) {
            n = std::hint::black_box(n + 1);
        }
        let (least, now, most) = (ticks(), cpu_time().unwrap_or_default(), ticks());
        let tick = Duration::from_millis(20);
        assert!(least <= now + tick && now <= most + tick, "{least:?} {now:?} {most:?}");
    }
}
