//! Times that fronts name.

use std::time::Duration;

/// More than a day is a front's way to say that there is no limit.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A time that a front has set, unless nobody would wait for so long.
pub(crate) fn limit(time: Duration) -> Option<Duration> {
    (time <= LONGEST).then_some(time)
}
