//! [`Claim`]: what a proof is about.

use std::fmt;

use game::Side;

/// A bound on the first player's margin under best play, in the game's own units of margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The first player gets no less.
    AtLeast(i32),
    /// The first player gets no more.
    AtMost(i32),
}

impl Claim {
    /// Whether a game that ends with this margin ends as claimed.
    #[inline]
    #[must_use]
    pub fn holds(self, margin: i32) -> bool {
        match self {
            Claim::AtLeast(bound) => margin >= bound,
            Claim::AtMost(bound) => margin <= bound,
        }
    }

    /// Whether the other claim is true wherever this one is.
    #[inline]
    #[must_use]
    pub fn implies(self, other: Claim) -> bool {
        match (self, other) {
            (Claim::AtLeast(bound), Claim::AtLeast(weaker)) => bound >= weaker,
            (Claim::AtMost(bound), Claim::AtMost(weaker)) => bound <= weaker,
            _ => false,
        }
    }

    /// The side that the claim favours: it chooses, the other one may do what it likes.
    #[inline]
    #[must_use]
    pub fn hoping(self) -> Side {
        match self {
            Claim::AtLeast(_) => Side::First,
            Claim::AtMost(_) => Side::Second,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::AtLeast(bound) => write!(f, "margin >= {bound}"),
            Claim::AtMost(bound) => write!(f, "margin <= {bound}"),
        }
    }
}
