//! [`Goal`]: what is to be found out about a game, and [`Bounds`]: what is known of the answer.

use std::fmt;
use std::str::FromStr;

use game::{MarginStep, Side, TextError};

/// What is asked. Every question is answered by a few that only know yes and no: is the first player's margin at least so
/// much?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
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
    /// Nothing is known, not even the largest margin of the game.
    pub const ANY: Bounds = Bounds { lower: i32::MIN, upper: i32::MAX };

    /// This margin and no other.
    #[must_use]
    pub fn exactly(margin: i32) -> Bounds {
        Bounds { lower: margin, upper: margin }
    }

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

    /// What is left if only such margins can be.
    #[must_use]
    pub fn in_steps(self, step: MarginStep) -> Bounds {
        Bounds { lower: step.at_least(self.lower), upper: step.at_most(self.upper) }
    }

    /// What they say beyond the rules: a bound that is merely the largest margin of the game says
    /// nothing, unless it is the margin itself.
    #[must_use]
    pub fn proved(self, limit: i32) -> (Option<i32>, Option<i32>) {
        let is_exact = self.exact().is_some();
        let lower = (is_exact || self.lower > -limit).then_some(self.lower);
        let upper = (is_exact || self.upper < limit).then_some(self.upper);
        (lower, upper)
    }

    /// What an answer says, beside what was known.
    #[must_use]
    pub fn with(self, at_least: i32, holds: bool) -> Bounds {
        match holds {
            true => Bounds { lower: self.lower.max(at_least), ..self },
            false => Bounds { upper: self.upper.min(at_least.saturating_sub(1)), ..self },
        }
    }

    /// A margin between them to ask about, if they keep to these steps.
    fn refined(self, step: MarginStep) -> i32 {
        let Bounds { lower, upper } = self;
        let halfway = lower + (upper - lower + 1) / 2;
        let at_most = |margin: i32| (margin.max(2) as u32).next_power_of_two() as i32;
        let near =
            if upper < 0 { halfway.max(-at_most(-upper)) } else { halfway.min(at_most(lower) + 1) };
        step.at_least(near)
    }

    /// Who wins, if that is known: positive for the first player.
    #[must_use]
    pub fn outcome(self) -> Option<i32> {
        (self.lower.signum() == self.upper.signum()).then_some(self.lower.signum())
    }
}

impl Goal {
    /// The margin to ask about next, or nothing if the question is answered: first whether the mover wins, then whether it loses, then by how much: 2, 4, 8 …
    /// at most, or halfway between what is known if that is nearer, since most margins are small and questions far from the truth are asked
    /// for nothing. Only margins are asked about that can be.
    #[must_use]
    pub fn next(self, known: Bounds, mover: Side, step: MarginStep) -> Option<i32> {
        let known = known.in_steps(step);
        let is_open = |&asked: &i32| known.answer(asked).is_none();
        if let Goal::AtLeast(at_least) = self {
            return Some(step.at_least(at_least)).filter(is_open);
        }
        let first = if mover == Side::First { [1, 0] } else { [0, 1] };
        let open = first.map(|asked| step.at_least(asked)).into_iter().find(is_open);
        let refined =
            || (self == Goal::Value && known.exact().is_none()).then(|| known.refined(step));
        open.or_else(refined)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Value => f.write_str("value"),
            Goal::Outcome => f.write_str("outcome"),
            Goal::AtLeast(margin) => write!(f, "ge:{margin}"),
        }
    }
}

impl FromStr for Goal {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Goal, TextError> {
        let margin = |text: &str| text.parse().ok().filter(|margin: &i32| margin.abs() <= 1 << 20);
        match (text, text.strip_prefix("ge:").and_then(margin)) {
            ("value", _) => Ok(Goal::Value),
            ("outcome", _) => Ok(Goal::Outcome),
            (_, Some(margin)) => Ok(Goal::AtLeast(margin)),
            _ => Err(TextError::new(text, "a question is value, outcome or ge:K")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the truth lies, asking on finds it, and only about margins that can be.
    fn questions_end_at(truth: i32, limit: i32, step: MarginStep) {
        let questions = [Goal::Value, Goal::Outcome, Goal::AtLeast(4)];
        for (question, mover) in questions.into_iter().flat_map(|q| MOVERS.map(|m| (q, m))) {
            let mut known = Bounds { lower: -limit, upper: limit };
            let mut asked = 0;
            while let Some(at_least) = question.next(known, mover, step) {
                assert!(step.admits(at_least) && -limit < at_least && at_least <= limit);
                known = known.with(at_least, truth >= at_least).in_steps(step);
                asked += 1;
            }
            // A few more than by halving, for margins near the limit.
            assert!(asked <= 8 && known.lower <= truth && truth <= known.upper);
            match question {
                Goal::Value => assert_eq!(known.exact(), Some(truth)),
                Goal::Outcome => assert_eq!(known.outcome(), Some(truth.signum())),
                Goal::AtLeast(k) => assert_eq!(known.answer(k), Some(truth >= k)),
            }
        }
    }

    const MOVERS: [Side; 2] = [Side::First, Side::Second];

    #[test]
    fn questions_end_at_the_truth() {
        for truth in -9..=9 {
            questions_end_at(truth, 9, MarginStep::ONE);
            questions_end_at(2 * truth, 18, MarginStep::new(2, 0));
            questions_end_at(2 * truth + 1, 19, MarginStep::new(2, 1));
        }
        questions_end_at(-1, 1, MarginStep::new(2, 1));
    }

    #[test]
    fn margins_come_in_steps() {
        let bounds = |lower, upper| Bounds { lower, upper };
        let even = MarginStep::new(2, 0);
        assert_eq!(bounds(-4, -3).in_steps(even), bounds(-4, -4));
        assert_eq!(bounds(-5, 5).in_steps(even), bounds(-4, 4));
        assert_eq!(bounds(3, 3).in_steps(MarginStep::ONE), bounds(3, 3));
        assert_eq!(bounds(1, 8).in_steps(MarginStep::new(3, 0)), bounds(3, 6));
        assert_eq!(bounds(-4, 4).in_steps(MarginStep::new(2, 1)), bounds(-3, 3));
    }

    #[test]
    fn limits_of_the_game_are_not_proved() {
        let proved = |lower, upper| Bounds { lower, upper }.proved(9);
        assert_eq!(proved(-9, 9), (None, None));
        assert_eq!(proved(-8, 9), (Some(-8), None));
        assert_eq!(proved(-9, 0), (None, Some(0)));
        assert_eq!(proved(9, 9), (Some(9), Some(9)));
        assert_eq!(proved(-9, -9), (Some(-9), Some(-9)));
    }

    #[test]
    fn questions_are_text() {
        for text in ["value", "outcome", "ge:-4", "ge:0"] {
            assert_eq!(text.parse::<Goal>().map(|q| q.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "ge:", "ge:x", "ge:99999999", "Value"] {
            assert!(text.parse::<Goal>().is_err());
        }
    }
}
