//! [`Transcript`]: a dialogue with an engine as a file that can be played again.
//!
//! ```text
//! zermelo transcript 1
//! game mnk:3x3,k=3
//! > newgame black human white human
//! < game started
//! > makemove 9 9
//! < invalid move
//! ! move black 9 9
//! ```
//!
//! `>` is said to the engine, `<` is what it must answer, `!` what it answered when this was
//! written; `#` begins a remark. In an answer `*` stands for any word. Without a `<` the rules
//! alone decide what is right, as they do in any case.

use std::fmt::Write as _;

use thiserror::Error;

/// The first line of such a file.
const HEAD: &str = "zermelo transcript 1";
/// More than this nobody wrote by hand, or needs.
const MOST_LINES: usize = 1_000_000;

/// What is said and what must be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// The front's line.
    pub said: String,
    /// What the engine must answer; whatever the rules say if there is nothing.
    pub expected: Vec<String>,
    /// What it answered instead, when this was written.
    pub given: Vec<String>,
}

/// A dialogue, beginning with a fresh engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The game, if it is told: engines of other games are not asked.
    pub game: Option<String>,
    /// One after the other.
    pub exchanges: Vec<Exchange>,
}

/// Why a file is no transcript.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// It begins with something else.
    #[error("this is no transcript: its first line is {HEAD:?}")]
    Foreign,
    /// A line is none of those that there are.
    #[error("line {0} begins with none of `game`, `>`, `<`, `!` and `#`")]
    Line(usize),
    /// An answer stands before anything was said.
    #[error("line {0} is an answer to nothing")]
    Early(usize),
    /// It has no end.
    #[error("it has more than {MOST_LINES} lines")]
    Long,
    /// Nothing is said.
    #[error("nothing is said in it")]
    Empty,
}

impl Transcript {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Transcript, TranscriptError> {
        let mut transcript = Transcript::default();
        let mut lines = (1..).zip(text.lines());
        if lines.next().map(|(_, line)| line.trim()) != Some(HEAD) {
            return Err(TranscriptError::Foreign);
        }
        for (number, line) in lines {
            if number > MOST_LINES {
                return Err(TranscriptError::Long);
            }
            let rest = |mark: &str| line.strip_prefix(mark).map(|rest| rest.trim().to_owned());
            if let Some(said) = rest(">") {
                transcript.exchanges.push(Exchange { said, ..Exchange::default() });
            } else if let Some(line) = rest("<") {
                let last = transcript.exchanges.last_mut().ok_or(TranscriptError::Early(number))?;
                last.expected.push(line);
            } else if let Some(line) = rest("!") {
                let last = transcript.exchanges.last_mut().ok_or(TranscriptError::Early(number))?;
                last.given.push(line);
            } else if let Some(game) = rest("game ") {
                transcript.game = Some(game);
            } else if !line.trim().is_empty() && !line.starts_with('#') {
                return Err(TranscriptError::Line(number));
            }
        }
        match transcript.exchanges.is_empty() {
            true => Err(TranscriptError::Empty),
            false => Ok(transcript),
        }
    }

    /// As a file.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{HEAD}\n");
        if let Some(game) = &self.game {
            let _ = writeln!(text, "game {game}");
        }
        for Exchange { said, expected, given } in &self.exchanges {
            let _ = writeln!(text, "{}", format!("> {said}").trim_end());
            for (mark, lines) in [('<', expected), ('!', given)] {
                for line in lines {
                    let _ = writeln!(text, "{mark} {}", game::shown(line));
                }
            }
        }
        text
    }
}

/// Whether an answer is one that was expected: word by word, whatever their case; `*` is any word.
pub(crate) fn fits(pattern: &str, line: &str) -> bool {
    let mut words = line.split_whitespace();
    let fits = pattern.split_whitespace().all(|expected| {
        words.next().is_some_and(|word| expected == "*" || expected.eq_ignore_ascii_case(word))
    });
    fits && words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transcripts_round_trip() {
        let text = "zermelo transcript 1\ngame mnk:3x3,k=3\n> newgame black human white human\n\
                    < game started\n>\n> makemove 9 9\n< invalid move\n! move black 9 9\n";
        let read = Transcript::read(text).unwrap();
        assert_eq!(read.exchanges.len(), 3);
        assert_eq!(read.exchanges[2].given, ["move black 9 9"]);
        assert_eq!(read.write(), text);
    }

    #[test]
    fn what_is_none_is_told() {
        let head = "zermelo transcript 1\n";
        for (text, why) in [
            ("", TranscriptError::Foreign),
            ("> newgame", TranscriptError::Foreign),
            (&format!("{head}# nothing\n"), TranscriptError::Empty),
            (&format!("{head}< ok\n"), TranscriptError::Early(2)),
            (&format!("{head}> info\nso\n"), TranscriptError::Line(3)),
        ] {
            assert_eq!(Transcript::read(text), Err(why), "{text}");
        }
    }

    #[test]
    fn stars_are_any_word() {
        assert!(fits("move white * *", "Move  white 3 4"));
        assert!(!fits("move white * *", "move white 3"));
        assert!(!fits("move white *", "move white 3 4"));
        assert!(!fits("draw", "drawn"));
    }
}
