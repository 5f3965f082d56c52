//! [`MarginStep`]: which margins a game can end with.

/// Every margin is the offset plus a multiple of the size: even ones, odd ones, or just any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginStep {
    size: i32,
    offset: i32,
}

impl MarginStep {
    /// Any margin.
    pub const ONE: MarginStep = MarginStep { size: 1, offset: 0 };

    /// # Panics
    /// If the size is below 1.
    #[must_use]
    pub const fn new(size: i32, offset: i32) -> MarginStep {
        assert!(size >= 1, "a step is at least 1");
        MarginStep { size, offset }
    }

    /// From one margin to the next.
    #[must_use]
    pub const fn size(self) -> i32 {
        self.size
    }

    /// Whether there is such a margin.
    #[must_use]
    pub const fn admits(self, margin: i32) -> bool {
        self.at_least(margin) == margin
    }

    /// The smallest margin that is at least this.
    #[inline]
    #[must_use]
    pub const fn at_least(self, bound: i32) -> i32 {
        bound + (self.offset - bound).rem_euclid(self.size)
    }

    /// The largest margin that is at most this.
    #[inline]
    #[must_use]
    pub const fn at_most(self, bound: i32) -> i32 {
        bound - (bound - self.offset).rem_euclid(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_to_the_next_margin() {
        for size in 1..=4 {
            for offset in -5..=5 {
                let step = MarginStep::new(size, offset);
                let margins: Vec<i32> = (-12..=12).map(|n| offset + n * size).collect();
                for bound in -6..=6 {
                    let least = margins.iter().copied().filter(|&m| m >= bound).min();
                    let most = margins.iter().copied().filter(|&m| m <= bound).max();
                    assert_eq!(Some(step.at_least(bound)), least, "{step:?} {bound}");
                    assert_eq!(Some(step.at_most(bound)), most, "{step:?} {bound}");
                    assert_eq!(step.admits(bound), margins.contains(&bound));
                }
            }
        }
    }
}
