//! [`Tapered`]: a score for the opening and one for the endgame, added up together.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

/// What a feature is worth while the board is full and what when it is nearly empty. Both halves
/// lie in one word, so that a sum of many features costs one addition each.
///
/// ```text
///   bit 63 … 32 | 31 … 0
///       opening | endgame, which borrows from the opening where it is negative
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tapered(i64);

impl Tapered {
    /// Both halves.
    #[inline]
    #[must_use]
    pub const fn new(opening: i32, endgame: i32) -> Tapered {
        Tapered(((opening as i64) << 32) + endgame as i64)
    }

    /// What it is worth on a full board.
    #[inline]
    #[must_use]
    pub const fn opening(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// What it is worth on an empty one.
    #[inline]
    #[must_use]
    pub const fn endgame(self) -> i32 {
        self.0 as i32
    }

    /// The score when `left` of `all` are still on the board. The opposite of a pair gives the
    /// opposite score.
    #[inline]
    #[must_use]
    pub const fn blend(self, left: i32, all: i32) -> i32 {
        (self.opening() * left + self.endgame() * (all - left)) / all
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0 * i64::from(times))
    }
}

impl Sum for Tapered {
    #[inline]
    fn sum<I: Iterator<Item = Tapered>>(terms: I) -> Tapered {
        terms.fold(Tapered::default(), Tapered::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_mix() {
        let numbers = [0, 1, -1, 7, -300, 60_000, -60_000];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            let pair = Tapered::new(a, b);
            assert_eq!((pair.opening(), pair.endgame()), (a, b));
            assert_eq!(pair * -3 + pair, Tapered::new(-2 * a, -2 * b));
            assert_eq!(pair - Tapered::new(b, a), Tapered::new(a - b, b - a));
        }
    }

    #[test]
    fn blends_go_from_one_half_to_the_other() {
        let pair = Tapered::new(100, -20);
        assert_eq!([0, 6, 12, 24].map(|left| pair.blend(left, 24)), [-20, 10, 40, 100]);
        for left in 0..=24 {
            assert_eq!((pair * -1).blend(left, 24), -pair.blend(left, 24));
        }
    }
}
