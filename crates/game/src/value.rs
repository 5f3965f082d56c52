//! [`Value`]: what a position is worth, in one ordered number with disjoint bands.
//!
//! ```text
//!   lost in n    lost by m         score, draw          won by m     won in n
//! ──┤       ├────┤       ├────┤          0          ├───┤       ├────┤       ├──
//!  -2^24 + n    -2^23 - m     -2^22            2^22     2^23 + m     2^24 - n
//! ```
//!
//! Any proved win beats any score, a quicker win beats a slower one, a larger margin a smaller one.
//! A game uses either the outer bands (it is just won or lost) or the margin bands, by its
//! [`margin_limit`](crate::Game::margin_limit). Zero is both the drawn game and the even score: they
//! rank the same, and only the search knows whether it saw the end of the game (its `exact`).

use std::fmt;
use std::ops::Neg;

use crate::rules::Side;

const SCORE_LIMIT: i32 = 1 << 22;
const BY: i32 = 1 << 23;
const IN: i32 = 1 << 24;
const LONGEST: i32 = 1 << 20;
const INFINITY: i32 = (1 << 25) - 1;

/// The worth of a position, for the side to move where nothing else is said.
///
/// ```
/// use game::{Meaning, Value};
///
/// // A quick win beats a slow one, any win any score, and what is good for one is bad for the other.
/// assert!(Value::won_in(3) > Value::won_in(5));
/// assert!(Value::won_in(99) > Value::score(1_000));
/// assert!(-Value::won_in(3) < Value::DRAW);
///
/// // Games with a margin are won by more or by less, whenever that is.
/// assert!(Value::over(10, 64) > Value::over(4, 64));
/// assert_eq!(Value::over(-4, 64).meaning(), Meaning::Margin(-4));
///
/// // One ply further up in the tree a win is one ply further away.
/// assert_eq!(Value::won_in(3).backed_up().meaning(), Meaning::WonIn(4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

/// A value taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The end of the game is reached in so many plies, and it is won.
    WonIn(u32),
    /// The end of the game is reached in so many plies, and it is lost.
    LostIn(u32),
    /// The game ends with this margin, not zero.
    Margin(i32),
    /// An evaluation, or 0 for a draw.
    Score(i32),
}

impl Value {
    /// A drawn game, and an even score.
    pub const DRAW: Value = Value(0);
    /// Above every value: the open side of a search window.
    pub const INFINITY: Value = Value(INFINITY);
    /// The best that a position can be worth in which a move must still be made.
    pub const WON_NEXT: Value = Value(IN - 1);

    /// An evaluation, kept within the score band.
    #[inline]
    #[must_use]
    pub fn score(score: i32) -> Value {
        Value(score.clamp(-SCORE_LIMIT, SCORE_LIMIT))
    }

    /// A finished game with this margin for the side in question.
    #[inline]
    #[must_use]
    pub fn over(margin: i32, margin_limit: i32) -> Value {
        let band = if margin_limit == 1 { IN } else { BY + margin.abs() };
        Value(margin.signum() * band)
    }

    /// Won after so many plies.
    #[must_use]
    pub fn won_in(plies: u32) -> Value {
        Value(IN - (plies as i32).min(LONGEST))
    }

    /// A value that a child of the side to move has, seen one ply earlier: wins and losses are one
    /// ply further away.
    #[inline]
    #[must_use]
    pub fn backed_up(self) -> Value {
        Value(self.0 - self.outer_sign())
    }

    /// The opposite of [`backed_up`](Value::backed_up): `child.backed_up() > bound` exactly when
    /// `child > bound.handed_down()`.
    #[inline]
    #[must_use]
    pub fn handed_down(self) -> Value {
        Value(self.0 + self.outer_sign())
    }

    /// +1 in the band "won in n", -1 in "lost in n", else 0.
    #[inline]
    fn outer_sign(self) -> i32 {
        let magnitude = self.0.abs();
        if magnitude > IN - LONGEST && magnitude != INFINITY { self.0.signum() } else { 0 }
    }

    /// The next smaller value, for null windows.
    #[inline]
    #[must_use]
    pub fn pred(self) -> Value {
        Value(self.0 - 1)
    }

    /// The next larger value, for null windows.
    #[inline]
    #[must_use]
    pub fn succ(self) -> Value {
        Value(self.0 + 1)
    }

    /// Whether the number alone proves a win or loss of a game that is just won or lost: no search
    /// returns such a value from an evaluation.
    #[inline]
    #[must_use]
    pub fn is_decided(self) -> bool {
        self.0.abs() > IN - LONGEST
    }

    /// This value if some moves were not looked at, which may be better: a loss becomes the lowest of
    /// scores, a slower one still above a quicker one.
    #[must_use]
    pub fn with_hope(self) -> Value {
        match self.meaning() {
            Meaning::LostIn(plies) => Value(plies as i32 - SCORE_LIMIT),
            _ => self,
        }
    }

    /// This value for the first player, if it is `side`'s now; and the other way round.
    #[inline]
    #[must_use]
    pub fn seen_by(self, side: Side) -> Value {
        Value(self.0 * side.sign())
    }

    /// What the number stands for.
    #[must_use]
    pub fn meaning(self) -> Meaning {
        let magnitude = self.0.abs();
        match (magnitude, self.0 > 0) {
            (m, true) if m > IN - LONGEST => Meaning::WonIn((IN - m).max(0) as u32),
            (m, false) if m > IN - LONGEST => Meaning::LostIn((IN - m).max(0) as u32),
            (m, _) if m > SCORE_LIMIT => Meaning::Margin((m - BY) * self.0.signum()),
            _ => Meaning::Score(self.0),
        }
    }

    /// -1, 0 or 1: who is better off.
    #[must_use]
    pub fn signum(self) -> i32 {
        self.0.signum()
    }

    /// The bare number, for tables: it fits 26 bits with its sign.
    #[inline]
    #[must_use]
    pub fn raw(self) -> i32 {
        self.0
    }

    /// The value a table kept.
    #[inline]
    #[must_use]
    pub fn from_raw(raw: i32) -> Value {
        Value(raw)
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning() {
            _ if self.0.abs() == INFINITY => {
                write!(f, "Value({}infinity)", if self.0 < 0 { "-" } else { "" })
            }
            meaning => write!(f, "Value({meaning:?})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_ordered() {
        let ladder = [
            -Value::INFINITY,
            Value::over(-1, 1),
            -Value::won_in(1),
            -Value::won_in(62_500),
            Value::over(-64, 64),
            Value::over(-2, 64),
            Value::score(i32::MIN),
            Value::score(-1),
            Value::DRAW,
            Value::score(1),
            Value::score(i32::MAX),
            Value::over(2, 64),
            Value::over(1_000_000, 1_000_000),
            Value::won_in(62_500),
            Value::WON_NEXT,
            Value::over(1, 1),
            Value::INFINITY,
        ];
        assert!(ladder.is_sorted_by(|a, b| a < b), "{ladder:?}");
        for value in ladder {
            assert_eq!(-(-value), value);
            assert!(value.raw().abs() < 1 << 25);
        }
    }

    #[test]
    fn a_bound_handed_down_asks_the_same_question() {
        let interesting: Vec<Value> =
            [0, 5, SCORE_LIMIT, BY, BY + 64, IN - 9, IN - 8, IN - 2, IN - 1, IN]
                .into_iter()
                .flat_map(|raw| [Value(raw), Value(-raw)])
                .collect();
        for &child in &interesting {
            for bound in interesting.iter().copied().chain([Value::INFINITY, -Value::INFINITY]) {
                assert_eq!(
                    child.backed_up() > bound,
                    child > bound.handed_down(),
                    "{child:?} {bound:?}"
                );
                assert_eq!(
                    child.backed_up() < bound,
                    child < bound.handed_down(),
                    "{child:?} {bound:?}"
                );
            }
        }
    }

    #[test]
    fn hope_makes_scores_of_losses() {
        let ladder = [1, 2, 62_500].map(|plies| (-Value::won_in(plies)).with_hope());
        assert!(ladder.is_sorted_by(|a, b| a < b) && ladder[2] < Value::score(-1_000_000));
        for value in ladder {
            assert!(matches!(value.meaning(), Meaning::Score(_)));
        }
        for value in [Value::DRAW, Value::score(-5), Value::won_in(3), Value::over(-7, 64)] {
            assert_eq!(value.with_hope(), value);
        }
    }

    #[test]
    fn meaning_takes_values_apart() {
        assert_eq!(Value::over(1, 1).meaning(), Meaning::WonIn(0));
        assert_eq!(Value::over(1, 1).backed_up().backed_up().meaning(), Meaning::WonIn(2));
        assert_eq!((-Value::won_in(7)).meaning(), Meaning::LostIn(7));
        assert_eq!(Value::over(-10, 16).meaning(), Meaning::Margin(-10));
        assert_eq!(Value::score(-42).meaning(), Meaning::Score(-42));
        assert_eq!(Value::over(0, 64), Value::DRAW);
    }
}
