//! [`Worth`]: by how much the game is won, and when.

use game::{Side, Value};

/// What a position is worth if both play their best, and how many plies that takes.
///
/// Each side first wants the margin. Of what gives the same margin, whoever is ahead wants the quickest end and whoever is behind the slowest; in a drawn
/// game, where waiting wins nobody anything, both want it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth {
    /// The first player's.
    pub margin: i16,
    /// Plies to the end of the game.
    pub distance: u16,
}

impl Worth {
    /// A game that is over.
    #[must_use]
    pub fn over(margin: i16) -> Worth {
        Worth { margin, distance: 0 }
    }

    /// The same end, seen a ply earlier.
    #[must_use]
    pub fn a_ply_before(self) -> Worth {
        Worth { distance: self.distance.saturating_add(1), ..self }
    }

    /// Orders what a side can have: more is better.
    #[must_use]
    pub fn rank(self, side: Side) -> (i32, i32) {
        let own = i32::from(self.margin) * side.sign();
        let distance = i32::from(self.distance);
        (own, if own < 0 { distance } else { -distance })
    }

    /// The first player's value, as searches give it: where there are margins they do not count plies.
    #[must_use]
    pub fn value(self, margin_limit: i32) -> Value {
        match self.margin.signum() {
            0 => Value::DRAW,
            sign if margin_limit == 1 => {
                let won = Value::won_in(self.distance.into());
                if sign > 0 { won } else { -won }
            }
            _ => Value::over(self.margin.into(), margin_limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_ahead_hurries() {
        let worth = |margin, distance| Worth { margin, distance };
        let ladder = [
            worth(-4, 2),
            worth(-4, 9),
            worth(-1, 1),
            worth(0, 7),
            worth(0, 3),
            worth(2, 8),
            worth(2, 1),
            worth(3, 40),
        ];
        assert!(ladder.is_sorted_by_key(|worth| worth.rank(Side::First)));
        let mirrored = ladder.map(|Worth { margin, distance }| worth(-margin, distance));
        assert!(mirrored.is_sorted_by_key(|worth| worth.rank(Side::Second)));
    }

    #[test]
    fn values_are_those_of_searches() {
        let value = |margin, distance, limit| Worth { margin, distance }.value(limit);
        assert_eq!(value(1, 5, 1), Value::won_in(5));
        assert_eq!(value(-1, 4, 1), -Value::won_in(4));
        assert_eq!(value(-10, 12, 16), Value::over(-10, 16));
        assert_eq!(value(0, 9, 1), Value::DRAW);
    }
}
