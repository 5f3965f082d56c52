//! [`Priority`]: what a weight means to people, in one of five words.

use std::fmt;

/// How much a feature counts, compared with the one that counts most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Much, against who has it.
    HighNegative,
    /// Something, against who has it.
    MediumNegative,
    /// Next to nothing.
    Low,
    /// Something, for who has it.
    MediumPositive,
    /// Much, for who has it.
    HighPositive,
}

impl Priority {
    /// From this share of the largest weight on a priority is medium. With [`HIGH`](Priority::HIGH) it cuts the range from the
    /// largest weight down to its opposite into five equal parts.
    pub const MEDIUM: f64 = 0.2;
    /// From this share on it is high.
    pub const HIGH: f64 = 0.6;

    /// Of a weight among others, the largest of which has this size.
    #[must_use]
    pub fn of(weight: f64, largest: f64) -> Priority {
        let share = if largest > 0.0 { weight / largest } else { 0.0 };
        match share {
            share if share >= Priority::HIGH => Priority::HighPositive,
            share if share >= Priority::MEDIUM => Priority::MediumPositive,
            share if share > -Priority::MEDIUM => Priority::Low,
            share if share > -Priority::HIGH => Priority::MediumNegative,
            _ => Priority::HighNegative,
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Priority::HighPositive => "high positive",
            Priority::MediumPositive => "medium positive",
            Priority::Low => "low",
            Priority::MediumNegative => "medium negative",
            Priority::HighNegative => "high negative",
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
