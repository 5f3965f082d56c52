//! [`Date`]: when a game was played.

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// Of the Gregorian calendar, before 1583 too.
    pub year: i64,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl Date {
    /// The day in Greenwich, so many seconds after 1970 began.
    ///
    /// The calendar repeats itself every 400 years of 146,097 days; years are counted from March, so that the
    /// day that only some years have is the last.
    #[must_use]
    pub fn of_unix_time(seconds: i64) -> Date {
        const DAYS_TO_1970: i64 = 719_468;
        const ERA: i64 = 146_097;
        let days = seconds.div_euclid(86_400) + DAYS_TO_1970;
        let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (day - day / 1_460 + day / 36_524 - day / (ERA - 1)) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day_of_month = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Date { year: 400 * era + year + next, month: month as u8, day: day_of_month as u8 }
    }

    /// The year, the month and the day, with this sign between them.
    #[must_use]
    pub fn write(self, sign: char) -> String {
        let Date { year, month, day } = self;
        format!("{year:04}{sign}{month:02}{sign}{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_794_873_600, "2026-11-17"),
            (4_107_456_000, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(Date::of_unix_time(seconds).write('-'), text);
        }
        assert_eq!(Date { year: 2026, month: 1, day: 2 }.write('.'), "2026.01.02");
    }
}
