//! Small types that keep depths and bounds apart from other numbers.

use game::Value;

/// Plies left to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Depth(u16);

impl Depth {
    /// To the end of the game, however far that is.
    pub(crate) const END: Depth = Depth(1023);
    /// The deepest horizon there can be.
    pub(crate) const LIMIT: u32 = 1000;

    pub(crate) const fn new(plies: u32) -> Depth {
        Depth(if plies < Depth::LIMIT { plies } else { Depth::LIMIT } as u16)
    }

    /// One ply further down.
    #[inline]
    pub(crate) fn below(self) -> Depth {
        if self == Depth::END { self } else { Depth(self.0 - 1) }
    }

    /// So many plies less, down to the horizon.
    #[inline]
    pub(crate) fn less(self, plies: u32) -> Depth {
        if self == Depth::END { self } else { Depth(self.0.saturating_sub(plies as u16)) }
    }

    /// So many plies more.
    #[inline]
    pub(crate) fn more(self, plies: u32) -> Depth {
        if self == Depth::END { self } else { Depth::new(u32::from(self.0) + plies) }
    }

    /// The next iteration's depth.
    pub(crate) fn deeper(self, step: u32) -> Depth {
        let plies = u32::from(self.0) + step;
        if plies <= Depth::LIMIT { Depth::new(plies) } else { Depth::END }
    }

    #[inline]
    pub(crate) fn is_horizon(self) -> bool {
        self.0 == 0
    }

    /// For a table: 10 bits.
    #[inline]
    pub(crate) fn raw(self) -> u64 {
        u64::from(self.0)
    }

    #[inline]
    pub(crate) fn from_raw(raw: u64) -> Depth {
        Depth(raw as u16)
    }
}

/// What a returned value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// True value at least this.
    Lower = 1,
    /// True value at most this.
    Upper = 2,
    /// Equal.
    Exact = 3,
}

impl Bound {
    /// What `value` says after a search of the window `alpha`, `beta`.
    #[inline]
    pub(crate) fn of(value: Value, alpha: Value, beta: Value) -> Bound {
        if value <= alpha {
            Bound::Upper
        } else if value >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// Whether a value with this bound settles the window `alpha`, `beta`.
    #[inline]
    pub(crate) fn settles(self, value: Value, alpha: Value, beta: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Whether this is a proved win or loss, which stays true however much deeper one looks.
    #[inline]
    pub(crate) fn is_proof(self, value: Value) -> bool {
        value.is_decided()
            && match self {
                Bound::Exact => true,
                Bound::Lower => value > Value::DRAW,
                Bound::Upper => value < Value::DRAW,
            }
    }

    #[inline]
    pub(crate) fn from_raw(raw: u64) -> Option<Bound> {
        match raw {
            1 => Some(Bound::Lower),
            2 => Some(Bound::Upper),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }
}
