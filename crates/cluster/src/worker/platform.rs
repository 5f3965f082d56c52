//! What differs by operating system.

/// What the clock on the wall shows: hours and minutes since midnight, as `date` says.
#[cfg(unix)]
pub(super) fn minute_of_day() -> Option<u32> {
    let output = std::process::Command::new("date").arg("+%H %M").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (hours, minutes) = text.trim().split_once(' ')?;
    Some(hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?)
}

/// What the clock on the wall shows: not known here, so that universal time counts.
#[cfg(not(unix))]
pub(super) fn minute_of_day() -> Option<u32> {
    None
}
