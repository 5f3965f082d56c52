//! [`Fault`]: what an engine did wrong.

use std::fmt;
use std::time::Duration;

use game::{escaped, quote, shown};

/// Why an engine gave no move, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not be started.
    NotStarted {
        /// The program.
        program: String,
        /// Why.
        why: String,
    },
    /// The process is gone; the text is its exit code or signal.
    Ended(String),
    /// It said nothing of what was expected.
    Silent {
        /// What was expected.
        expected: &'static str,
        /// How long it was waited for.
        waited: Duration,
    },
    /// It said far too much.
    TalksWithoutEnd,
    /// It hears nothing.
    DoesNotListen,
    /// What it said means nothing here.
    Nonsense {
        /// What it said.
        said: String,
        /// What would be right.
        right: String,
    },
    /// It does not know this game.
    CannotPlay(String),
    /// Somebody said stop.
    Stopped,
}

impl Fault {
    /// It does not know this game, in its own words.
    pub(crate) fn refused(why: &str) -> Fault {
        Fault::CannotPlay(shown(why))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotStarted { program, why } => {
                write!(f, "{} could not be started: {why}", quote(program))
            }
            Fault::Ended(how) => write!(f, "the engine ended ({how})"),
            Fault::Silent { expected, waited } => {
                write!(f, "the engine gave no {expected} within {:.1} s", waited.as_secs_f64())
            }
            Fault::TalksWithoutEnd => write!(f, "the engine talked without end"),
            Fault::DoesNotListen => write!(f, "the engine does not listen"),
            Fault::Nonsense { said, right } => {
                write!(f, "the engine said {}; {}", quote(said), escaped(right))
            }
            Fault::CannotPlay(why) => {
                write!(f, "the engine cannot play this: {}", escaped(why))
            }
            Fault::Stopped => write!(f, "the engine was stopped"),
        }
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever an engine says, what is told of it is one line that steers no terminal.
    #[test]
    fn faults_are_one_plain_line() {
        let words = format!("\u{1b}[2J\rall is well\n{}", "x".repeat(1 << 16));
        let started = Fault::NotStarted { program: words.clone(), why: "no".to_owned() };
        let nonsense = Fault::Nonsense { said: words.clone(), right: "\u{7}".to_owned() };
        for fault in [started, nonsense, Fault::refused(&words)] {
            let line = fault.to_string();
            assert!(!line.contains(char::is_control) && line.len() < 200, "{line:?}");
        }
    }
}
