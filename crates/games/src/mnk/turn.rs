//! [`Turn`]: whose stone is next, how many are left, and whether the game is over.

use std::fmt;

use game::Side;

use super::shape::Shape;

/// Where a game stands, without the board: in one word, since it is read and written as a whole
/// with every stone.
///
/// ```text
///   26 25 | 24   | 23 … 16 | 15 … 0
///   end   | side | left    | stones on the board (62,500 at most)
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn(u32);

const LEFT: u32 = 16;
const SIDE: u32 = 24;
const END: u32 = 25;

/// Whether a game is over, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Open,
    Won(Side),
    Drawn,
}

const FIRST_WON: u32 = 1;
const DRAWN: u32 = 3;

impl Turn {
    /// Before the first stone.
    pub(super) fn first<S: Shape>(shape: S) -> Turn {
        Turn::after(shape, 0)
    }

    /// After so many stones, in a game that is not over.
    pub(super) fn after<S: Shape>(shape: S, stones: usize) -> Turn {
        let (p, q) = (shape.p(), shape.q());
        let (left, side) = match stones.checked_sub(q) {
            None => (q - stones, Side::First),
            Some(later) if (later / p).is_multiple_of(2) => (p - later % p, Side::Second),
            Some(later) => (p - later % p, Side::First),
        };
        Turn(stones as u32 | (left as u32) << LEFT | (side.index() as u32) << SIDE)
    }

    /// After one more stone; the game was not over before.
    #[inline]
    pub(super) fn next<S: Shape>(self, shape: S, won: bool, squares: usize) -> Turn {
        let one_more = self.0 + 1;
        let next = if S::ALTERNATES {
            one_more ^ (1 << SIDE)
        } else if self.left() == 1 {
            (one_more + ((shape.p() as u32 - 1) << LEFT)) ^ (1 << SIDE)
        } else {
            one_more - (1 << LEFT)
        };
        // Branches that are guessed right all the time, so that the next stone need not wait until it is known that this one
        // did not win.
        if won {
            return Turn::ended(next, FIRST_WON + (self.0 >> SIDE & 1));
        }
        if one_more as u16 == squares as u16 {
            return Turn::ended(next, DRAWN);
        }
        Turn(next)
    }

    #[cold]
    #[inline(never)]
    fn ended(next: u32, end: u32) -> Turn {
        Turn(next | end << END)
    }

    /// The same turn in a game that ended so.
    pub(super) fn with_end(self, end: End) -> Turn {
        let end = match end {
            End::Open => 0,
            End::Won(side) => FIRST_WON + side.index() as u32,
            End::Drawn => DRAWN,
        };
        Turn(self.0 & ((1 << END) - 1) | end << END)
    }

    /// Stones on the board.
    #[inline]
    pub(super) fn stones(self) -> usize {
        usize::from(self.0 as u16)
    }

    /// Stones left in this turn, the next one included.
    #[inline]
    pub(super) fn left(self) -> usize {
        (self.0 >> LEFT & 0xff) as usize
    }

    /// Who places the next stone.
    #[inline]
    pub(super) fn side(self) -> Side {
        if self.0 >> SIDE & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    pub(super) fn end(self) -> End {
        match self.0 >> END {
            0 => End::Open,
            1 => End::Won(Side::First),
            2 => End::Won(Side::Second),
            _ => End::Drawn,
        }
    }

    /// The first player's margin, if the game is over.
    #[inline]
    pub(super) fn margin(self) -> Option<i32> {
        match self.end() {
            End::Open => None,
            End::Won(side) => Some(side.sign()),
            End::Drawn => Some(0),
        }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn")
            .field("stones", &self.stones())
            .field("left", &self.left())
            .field("side", &self.side())
            .field("end", &self.end())
            .finish()
    }
}

/// How many stones each side has when so many are on the board.
pub(super) fn stones_of_each<S: Shape>(shape: S, stones: usize) -> [usize; 2] {
    let (p, q) = (shape.p(), shape.q());
    let later = stones.saturating_sub(q);
    let (rounds, rest) = (later / (2 * p), later % (2 * p));
    let second = rounds * p + rest.min(p);
    [stones - second, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnk::RunShape;

    #[test]
    fn turns_follow_from_the_number_of_stones() {
        for (p, q) in [(1, 1), (2, 1), (1, 2), (3, 2), (2, 5), (250, 250)] {
            let shape =
                RunShape { rows: 30, columns: 30, k: 5, p, q, exact: false, gravity: false };
            let (mut turn, mut each) = (Turn::first(shape), [0, 0]);
            for stones in 0..900 {
                assert_eq!(turn, Turn::after(shape, stones), "p={p} q={q}");
                assert_eq!(turn.stones(), stones);
                assert_eq!(each, stones_of_each(shape, stones), "p={p} q={q}");
                let won = turn.next(shape, true, 1000);
                assert_eq!(won.end(), End::Won(turn.side()));
                assert_eq!(turn.next(shape, false, stones + 1).end(), End::Drawn);
                each[turn.side().index()] += 1;
                turn = turn.next(shape, false, 1000);
                assert_eq!(won, turn.with_end(won.end()));
            }
        }
    }
}
