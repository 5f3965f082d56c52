//! Games that are as good as over: ended early by what both players think of them.

use game::{Meaning, Side, Value};

/// When a game is ended early; by default never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Called a draw.
    pub draw: Option<Agreement>,
    /// Called lost for the side that thinks so itself, if the other agrees.
    pub resign: Option<Agreement>,
}

/// What both players have to think, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Moves of each player in a row.
    pub moves: u32,
    /// A draw: at most this far from even; a loss: at least this far. In the units of the game's evaluation, hundredths of a
    /// pawn in chess.
    pub score: i32,
    /// Not before so many moves of each player.
    pub from: u32,
}

/// Follows a game and says when it is as good as over.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    rules: Adjudication,
    plies: u32,
    even: u32,
    /// Plies in a row at which this side was thought to be winning.
    winning: Option<(Side, u32)>,
}

impl Watcher {
    pub(crate) fn new(rules: Adjudication) -> Watcher {
        Watcher { rules, ..Watcher::default() }
    }

    /// Takes in what a player said its move is worth to the first player; says who wins, or that nobody does.
    pub(crate) fn see(&mut self, value: Option<Value>) -> Option<Option<Side>> {
        self.plies += 1;
        let score = value.map(score_of);
        if let Some(rule) = self.rules.draw {
            let is_even = score.is_some_and(|score| score.abs() <= rule.score);
            self.even = if is_even { self.even + 1 } else { 0 };
            if self.even >= 2 * rule.moves && self.plies > 2 * rule.from {
                return Some(None);
            }
        }
        if let Some(rule) = self.rules.resign {
            let leader =
                score.filter(|score| score.abs() >= rule.score).map(|score| match score > 0 {
                    true => Side::First,
                    false => Side::Second,
                });
            self.winning = match (leader, self.winning) {
                (Some(side), Some((same, plies))) if side == same => Some((side, plies + 1)),
                (leader, _) => leader.map(|side| (side, 1)),
            };
            if let Some((side, plies)) = self.winning
                && plies >= 2 * rule.moves
                && self.plies > 2 * rule.from
            {
                return Some(Some(side));
            }
        }
        None
    }
}

/// A value as one number: what is decided is worth more than any evaluation.
fn score_of(value: Value) -> i32 {
    match value.meaning() {
        Meaning::WonIn(_) => i32::MAX,
        Meaning::LostIn(_) => -i32::MAX,
        Meaning::Margin(margin) => margin.signum() * i32::MAX,
        Meaning::Score(score) => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(rules: Adjudication, scores: &[i32]) -> Option<(usize, Option<Side>)> {
        let mut watcher = Watcher::new(rules);
        scores.iter().enumerate().find_map(|(i, &score)| {
            watcher.see(Some(Value::score(score))).map(|winner| (i + 1, winner))
        })
    }

    #[test]
    fn both_have_to_agree_for_long_enough() {
        let draw = Some(Agreement { moves: 2, score: 10, from: 3 });
        let rules = Adjudication { draw, resign: None };
        assert_eq!(end(rules, &[0; 20]), Some((7, None)));
        assert_eq!(end(rules, &[0, 0, 0, 0, 50, 3, -4, 5, 6]), Some((9, None)));
        assert_eq!(end(rules, &[0, 50, 0, 50, 0, 50, 0, 50, 0]), None);
        let resign = Some(Agreement { moves: 2, score: 500, from: 0 });
        let rules = Adjudication { draw: None, resign };
        assert_eq!(
            end(rules, &[0, -600, -700, -100, -600, -600, -600, -501]),
            Some((8, Some(Side::Second)))
        );
        assert_eq!(end(rules, &[600, -600, 600, -600, 600]), None);
        let mut watcher = Watcher::new(rules);
        for _ in 0..3 {
            assert_eq!(watcher.see(Some(Value::won_in(5))), None);
        }
        assert_eq!(watcher.see(Some(Value::won_in(3))), Some(Some(Side::First)));
        assert_eq!(Watcher::new(rules).see(None), None);
    }
}
