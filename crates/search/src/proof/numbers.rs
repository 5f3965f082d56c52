//! [`Numbers`]: how far a question is from its answer.

use game::Side;

/// How many leaves must at least be answered yes to prove a node, and no to disprove it (Allis, van
/// der Meulen and van den Herik 1994). In a node they are those of the question itself; seen by a
/// side, the first number is what that side hopes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// For a yes.
    pub proof: u32,
    /// For a no.
    pub disproof: u32,
}

/// What no number of leaves can do.
pub(super) const NEVER: u32 = 1 << 30;

impl Numbers {
    /// Proved: nothing is left to prove, and nothing could disprove it.
    pub const YES: Numbers = Numbers { proof: 0, disproof: NEVER };
    /// Disproved.
    pub const NO: Numbers = Numbers { proof: NEVER, disproof: 0 };

    /// The answer is known.
    #[must_use]
    pub fn answer(yes: bool) -> Numbers {
        if yes { Numbers::YES } else { Numbers::NO }
    }

    /// A leaf in which the side to move has so many moves, of which one may be enough for it.
    #[inline]
    #[must_use]
    pub fn leaf(mover: Side, moves: usize) -> Numbers {
        let moves = (moves as u32).clamp(1, NEVER - 1);
        Numbers { proof: 1, disproof: moves }.seen_by(mover)
    }

    /// Yes or no, if that is known.
    #[inline]
    #[must_use]
    pub fn known(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    /// The first player wants a yes, the second a no: its own hope first. The same way back.
    #[inline]
    #[must_use]
    pub fn seen_by(self, side: Side) -> Numbers {
        match side {
            Side::First => self,
            Side::Second => Numbers { proof: self.disproof, disproof: self.proof },
        }
    }
}
