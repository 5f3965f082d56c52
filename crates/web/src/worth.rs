//! What a position is worth, as the page is told: [`Worth`], how a game's values are read into one ([`Scale`]), and
//! what was thought of a position and is kept ([`Opinion`]). All are the first player's.

use std::borrow::Cow;

use catalog::Workbench;
use game::{Meaning, Outcome, Points, Spec, Value};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::sheet::side_name;

/// Won in so many plies, won by a margin, or a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Worth {
    pub(crate) winner: Option<Cow<'static, str>>,
    pub(crate) plies: Option<u32>,
    pub(crate) margin: Option<Number>,
    pub(crate) score: Option<i32>,
    /// Whether it is proved.
    pub(crate) exact: bool,
    /// From 0, the second player wins, to 1, the first does.
    pub(crate) chance: f64,
}

/// What was thought of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Opinion {
    pub(crate) value: Worth,
    pub(crate) depth: Option<u32>,
}

/// How the values of a game are to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// How many units of margin make a point.
    margin: i32,
    /// The score with which one wins nearly three games of four.
    ahead: f64,
}

impl Scale {
    pub(crate) fn of(bench: &dyn Workbench) -> Scale {
        let ahead = match Spec::family_of(&bench.spec()) {
            // Hundredths of a pawn or man; a man is worth more than a pawn.
            "chess" => 250.0,
            "draughts" => 150.0,
            // Thousandths between a loss and a win.
            "go" => 400.0,
            _ => 300.0,
        };
        Scale { margin: bench.margin_scale(), ahead }
    }

    pub(crate) fn worth(self, value: Value, exact: bool) -> Worth {
        let winner = match value.signum() {
            1 => Some("first"),
            -1 => Some("second"),
            _ => None,
        };
        let even =
            Worth { winner: None, plies: None, margin: None, score: None, exact, chance: 0.5 };
        let won = Worth {
            winner: winner.map(Cow::Borrowed),
            chance: f64::from(1 + value.signum()) / 2.0,
            ..even.clone()
        };
        match value.meaning() {
            Meaning::WonIn(n) | Meaning::LostIn(n) => Worth { plies: Some(n), exact: true, ..won },
            Meaning::Margin(margin) => {
                Worth { margin: number(Points::new(margin, self.margin)), ..won }
            }
            Meaning::Score(score) => {
                let chance = 1.0 / (1.0 + (-f64::from(score) / self.ahead).exp());
                // Three digits are more than it knows.
                Worth { score: Some(score), chance: (chance * 1000.0).round() / 1000.0, ..even }
            }
        }
    }

    /// Of a game that is over.
    pub(crate) fn outcome(outcome: Outcome) -> Worth {
        let winner = outcome.winner();
        Worth {
            winner: winner.map(|side| Cow::Borrowed(side_name(side))),
            plies: None,
            margin: outcome.points().and_then(number),
            score: winner.is_none().then_some(0),
            exact: true,
            chance: winner.map_or(0.5, |side| f64::from(1 + side.sign()) / 2.0),
        }
    }
}

/// As JSON gives points: a whole number where it is one.
pub(crate) fn number(points: Points) -> Option<Number> {
    points.whole().map(Number::from).or_else(|| Number::from_f64(points.as_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_say_who_wins() {
        let scale = |margin| Scale { margin, ahead: 250.0 };
        let worth = scale(1).worth(-Value::won_in(4), false);
        assert_eq!((worth.winner.as_deref(), worth.plies), (Some("second"), Some(4)));
        assert_eq!((worth.exact, worth.chance), (true, 0.0));
        let worth = scale(2).worth(Value::over(7, 64), true);
        assert_eq!((worth.winner.as_deref(), worth.margin), (Some("first"), Number::from_f64(3.5)));
        assert_eq!(worth.chance, 1.0);
        let worth = scale(1).worth(Value::score(-12), false);
        assert_eq!((worth.winner, worth.score, worth.exact), (None, Some(-12), false));
        let chance = |score| scale(1).worth(Value::score(score), false).chance;
        assert_eq!((chance(0), chance(250), chance(-250)), (0.5, 0.731, 0.269));
        assert_eq!(scale(1).worth(Value::DRAW, true).chance, 0.5);
    }

    #[test]
    fn opinions_are_read_as_they_were_written() {
        let value = Scale { margin: 1, ahead: 1.0 }.worth(Value::won_in(3), true);
        let opinion = Opinion { value, depth: Some(9) };
        let text = serde_json::to_string(&opinion).unwrap();
        assert_eq!(serde_json::from_str::<Opinion>(&text).unwrap(), opinion);
    }
}
