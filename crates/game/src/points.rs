//! [`Points`]: a margin as people write it.

use std::fmt;

/// A margin in points, halves included. Prints as `7` or `-3.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    units: i32,
    scale: i32,
}

impl Points {
    /// A margin of which `scale` units make a point.
    #[must_use]
    pub fn new(margin: i32, scale: i32) -> Points {
        debug_assert!(scale > 0, "a point has at least one unit");
        Points { units: margin, scale }
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(self) -> Points {
        Points { units: self.units.abs(), ..self }
    }

    /// As a whole number, if it is one.
    #[must_use]
    pub fn whole(self) -> Option<i32> {
        (self.units % self.scale == 0).then(|| self.units / self.scale)
    }

    /// As a number.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.units) / f64::from(self.scale)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_halves_and_wholes() {
        for (margin, scale, text) in [(7, 1, "7"), (-7, 2, "-3.5"), (14, 2, "7"), (0, 2, "0")] {
            assert_eq!(Points::new(margin, scale).to_string(), text);
        }
        assert_eq!(Points::new(-7, 2).abs().whole(), None);
        assert_eq!(Points::new(-8, 2).abs().whole(), Some(4));
    }
}
