//! [`WorkHours`]: when a worker works.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use game::TextError;

use super::platform;

/// A part of the day by the machine's own clock: from one hour to another, over midnight if the
/// second is the smaller one. Text: `22-6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkHours {
    from: u8,
    to: u8,
}

impl WorkHours {
    /// Whether it is time to work at this hour of the day.
    #[must_use]
    pub fn has(self, hour: u8) -> bool {
        let WorkHours { from, to } = self;
        if from < to { (from..to).contains(&hour) } else { hour >= from || hour < to }
    }

    /// Whether it is time to work now.
    pub(super) fn is_now(self) -> bool {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let universal = (since.as_secs() / 60 % (24 * 60)) as u32;
        let minute = platform::minute_of_day().unwrap_or(universal);
        self.has((minute / 60) as u8)
    }
}

impl fmt::Display for WorkHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for WorkHours {
    type Err = TextError;

    fn from_str(text: &str) -> Result<WorkHours, TextError> {
        let hour = |text: &str, most: u8| text.parse().ok().filter(|&hour: &u8| hour <= most);
        let read = || {
            let (from, to) = text.split_once('-')?;
            let (from, to) = (hour(from, 23)?, hour(to, 24)?);
            (from != to).then_some(WorkHours { from, to })
        };
        read().ok_or_else(|| TextError::new(text, "hours are two numbers up to 24, as 22-6"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_go_over_midnight() {
        let hours = |text: &str| text.parse::<WorkHours>().unwrap();
        let at = |text: &str| (0..24).filter(|&hour| hours(text).has(hour)).collect::<Vec<u8>>();
        assert_eq!(at("22-6"), [0, 1, 2, 3, 4, 5, 22, 23]);
        assert_eq!(at("9-12"), [9, 10, 11]);
        assert_eq!(at("0-24").len(), 24);
        assert_eq!(at("23-24"), [23]);
        for text in ["", "22", "22-", "-6", "24-3", "3-25", "3-3", "a-b", "22-6-7"] {
            assert!(text.parse::<WorkHours>().is_err(), "{text}");
        }
        assert_eq!(hours("22-6").to_string(), "22-6");
    }
}
