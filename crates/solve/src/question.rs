//! [`Question`]: what is asked of a game, and [`Bounds`]: what is known of the answer.

use std::fmt;
use std::str::FromStr;

use game::{Side, TextError};

/// What is asked. Every question is answered by a few that only know yes and no: is the first player's margin at least so
/// much?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// By how much the game is won.
    Value,
    /// Who wins it.
    Outcome,
    /// Whether the first player's margin is at least this.
    AtLeast(i32),
}

/// Between which margins the first player's lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub lower: i32,
    /// At most this.
    pub upper: i32,
}

impl Bounds {
    /// The margin, if it is known.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether the margin is at least this, if that is known.
    #[must_use]
    pub fn answer(self, at_least: i32) -> Option<bool> {
        if self.lower >= at_least {
            Some(true)
        } else if self.upper < at_least {
            Some(false)
        } else {
            None
        }
    }

    /// What both say.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// What is left if every margin is a multiple of this.
    #[must_use]
    pub fn in_steps(self, step: i32) -> Bounds {
        let down = |margin: i32| margin.div_euclid(step) * step;
        Bounds { lower: -down(-self.lower), upper: down(self.upper) }
    }

    /// What an answer says, beside what was known.
    #[must_use]
    pub fn with(self, at_least: i32, holds: bool) -> Bounds {
        match holds {
            true => Bounds { lower: self.lower.max(at_least), ..self },
            false => Bounds { upper: self.upper.min(at_least - 1), ..self },
        }
    }

    /// A margin between them to ask about.
    fn refined(self) -> i32 {
        let Bounds { lower, upper } = self;
        let halfway = lower + (upper - lower + 1) / 2;
        let at_most = |margin: i32| (margin.max(2) as u32).next_power_of_two() as i32;
        if upper < 0 { halfway.max(-at_most(-upper)) } else { halfway.min(at_most(lower) + 1) }
    }

    /// Who wins, if that is known: positive for the first player.
    #[must_use]
    pub fn outcome(self) -> Option<i32> {
        (self.lower.signum() == self.upper.signum()).then_some(self.lower.signum())
    }
}

impl Question {
    /// The margin to ask about next, or nothing if the question is answered: first whether the mover wins, then whether it loses, then by how much: 2, 4, 8 …
    /// at most, or halfway between what is known if that is nearer, since most margins are small and questions far from the truth are asked
    /// for nothing.
    #[must_use]
    pub fn next(self, known: Bounds, mover: Side) -> Option<i32> {
        if let Question::AtLeast(at_least) = self {
            return known.answer(at_least).is_none().then_some(at_least);
        }
        let [wins, loses] = if mover == Side::First { [1, 0] } else { [0, 1] };
        let open = [wins, loses].into_iter().find(|&asked| known.answer(asked).is_none());
        let refined =
            || (self == Question::Value && known.exact().is_none()).then(|| known.refined());
        open.or_else(refined)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Value => f.write_str("value"),
            Question::Outcome => f.write_str("outcome"),
            Question::AtLeast(margin) => write!(f, "ge:{margin}"),
        }
    }
}

impl FromStr for Question {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Question, TextError> {
        let margin = |text: &str| text.parse().ok().filter(|margin: &i32| margin.abs() <= 1 << 20);
        match (text, text.strip_prefix("ge:").and_then(margin)) {
            ("value", _) => Ok(Question::Value),
            ("outcome", _) => Ok(Question::Outcome),
            (_, Some(margin)) => Ok(Question::AtLeast(margin)),
            _ => Err(TextError::new(text, "a question is value, outcome or ge:K")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the truth lies, asking on finds it.
    #[test]
    fn questions_end_at_the_truth() {
        for truth in -9..=9 {
            for mover in [Side::First, Side::Second] {
                for question in [Question::Value, Question::Outcome, Question::AtLeast(4)] {
                    let mut known = Bounds { lower: -9, upper: 9 };
                    let mut asked = 0;
                    while let Some(at_least) = question.next(known, mover) {
                        known = known.with(at_least, truth >= at_least);
                        asked += 1;
                    }
                    // One more than by halving, for margins near the limit.
                    assert!(asked <= 7 && known.lower <= truth && truth <= known.upper);
                    match question {
                        Question::Value => assert_eq!(known.exact(), Some(truth)),
                        Question::Outcome => assert_eq!(known.outcome(), Some(truth.signum())),
                        Question::AtLeast(k) => assert_eq!(known.answer(k), Some(truth >= k)),
                    }
                }
            }
        }
    }

    #[test]
    fn margins_come_in_steps() {
        let bounds = |lower, upper| Bounds { lower, upper };
        assert_eq!(bounds(-4, -3).in_steps(2), bounds(-4, -4));
        assert_eq!(bounds(-5, 5).in_steps(2), bounds(-4, 4));
        assert_eq!(bounds(3, 3).in_steps(1), bounds(3, 3));
        assert_eq!(bounds(1, 8).in_steps(3), bounds(3, 6));
    }

    #[test]
    fn questions_are_text() {
        for text in ["value", "outcome", "ge:-4", "ge:0"] {
            assert_eq!(text.parse::<Question>().map(|q| q.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "ge:", "ge:x", "ge:99999999", "Value"] {
            assert!(text.parse::<Question>().is_err());
        }
    }
}
