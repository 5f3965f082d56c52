//! What a position is worth, as the page is told: [`Worth`], how a game's values are read into one ([`Scale`]), and
//! what was thought of a position and is kept ([`Opinion`]). All are the first player's.

use std::borrow::Cow;

use game::{Meaning, Points, Value};
use play::{Facts, Outcome, Scores};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::sheet::side_name;

/// Won in so many plies, won by a margin, or a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Worth {
    #[cfg_attr(test, ts(as = "Option<crate::typescript::SideName>"))]
    pub(crate) winner: Option<Cow<'static, str>>,
    pub(crate) plies: Option<u32>,
    #[cfg_attr(test, ts(type = "number | null"))]
    pub(crate) margin: Option<Number>,
    pub(crate) score: Option<i32>,
    /// The score in pieces, where that is what it counts; else its chance says more.
    #[serde(default)]
    pub(crate) pieces: Option<f64>,
    /// Whether it is proved.
    pub(crate) exact: bool,
    /// From 0, the second player wins, to 1, the first does.
    pub(crate) chance: f64,
}

/// What was thought of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Opinion {
    pub(crate) value: Worth,
    pub(crate) depth: Option<u32>,
}

/// How the values of a game are to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// How many units of margin make a point.
    margin: i32,
    /// The same of scores, where nobody says otherwise.
    scores: Scores,
}

impl Scale {
    pub(crate) fn of(facts: &Facts) -> Scale {
        Scale { margin: facts.margin_scale, scores: facts.scores }
    }

    /// The same for whoever has scores of its own.
    pub(crate) fn with(self, scores: Option<Scores>) -> Scale {
        Scale { scores: scores.unwrap_or(self.scores), ..self }
    }

    pub(crate) fn worth(self, value: Value, exact: bool) -> Worth {
        let winner = match value.signum() {
            1 => Some("first"),
            -1 => Some("second"),
            _ => None,
        };
        let even = Worth {
            winner: None,
            plies: None,
            margin: None,
            score: None,
            pieces: None,
            exact,
            chance: 0.5,
        };
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
                // Three digits are more than it knows.
                let chance = (self.scores.chance(score) * 1000.0).round() / 1000.0;
                Worth { score: Some(score), pieces: self.scores.pieces(score), chance, ..even }
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
            pieces: None,
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
        let scores = Scores::Pieces { name: "pawns", ahead: 250 };
        let scale = |margin| Scale { margin, scores };
        let worth = scale(1).worth(-Value::won_in(4), false);
        assert_eq!((worth.winner.as_deref(), worth.plies), (Some("second"), Some(4)));
        assert_eq!((worth.exact, worth.chance), (true, 0.0));
        let worth = scale(2).worth(Value::over(7, 64), true);
        assert_eq!((worth.winner.as_deref(), worth.margin), (Some("first"), Number::from_f64(3.5)));
        assert_eq!(worth.chance, 1.0);
        let worth = scale(1).worth(Value::score(-12), false);
        assert_eq!((worth.winner, worth.score, worth.exact), (None, Some(-12), false));
        assert_eq!(worth.pieces, Some(-0.12));
        let chance = |score| scale(1).worth(Value::score(score), false).chance;
        assert_eq!((chance(0), chance(250), chance(-250)), (0.5, 0.731, 0.269));
        assert_eq!(scale(1).worth(Value::DRAW, true).chance, 0.5);
    }

    #[test]
    fn opinions_are_read_as_they_were_written() {
        let scores = Scores::Own { ahead: 1 };
        let value = Scale { margin: 1, scores }.worth(Value::won_in(3), true);
        let opinion = Opinion { value, depth: Some(9) };
        let text = serde_json::to_string(&opinion).unwrap();
        assert_eq!(serde_json::from_str::<Opinion>(&text).unwrap(), opinion);
        let older = text.replace("\"pieces\":null,", "");
        assert_ne!(older, text);
        assert_eq!(serde_json::from_str::<Opinion>(&older).unwrap(), opinion);
    }

    /// What a score is told as is a fact of the game.
    #[test]
    fn games_say_what_their_scores_are() {
        for (game, score, pieces, chance) in [
            ("chess", 125, Some(1.25), 0.622),
            ("checkers", -85, Some(-0.85), 0.362),
            ("reversi", -369, None, 0.226),
            ("connect4", -646, None, 0.104),
            ("go", -922, None, 0.039),
        ] {
            let opened = catalog::open(game).unwrap();
            let worth = Scale::of(opened.facts()).worth(Value::score(score), false);
            assert_eq!((worth.pieces, worth.chance), (pieces, chance), "{game}");
        }
    }
}
