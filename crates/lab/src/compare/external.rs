//! Solvers that are other programs: a command line with places for the game and the position, and a
//! value as its last word.

use std::time::{Duration, Instant};

use game::shown;
use play::Stop;
use protocols::{Fault, Process, Program};
use serde_json::Value;

use super::Run;
use crate::platform::cpu_time_of_children;

/// How often somebody looks whether it was stopped.
const PATIENCE: Duration = Duration::from_millis(50);
/// Where the game and the position go.
const GAME: &str = "{game}";
const POSITION: &str = "{position}";

/// What is wrong with another program, or with what it said. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// There is no place for the position.
    #[error(
        "a command line with {POSITION} where the position goes, and {GAME} for the game, is right"
    )]
    NoPlace,
    /// It does not run.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It ended without a word.
    #[error("it said nothing")]
    Silent,
    /// No number and no winner is in its last line.
    #[error("it said no value: {}", shown(.0))]
    NoValue(String),
}

/// A command line.
#[derive(Clone, Debug)]
pub struct External {
    pub(super) text: String,
    words: Vec<String>,
}

impl std::str::FromStr for External {
    type Err = ExternalError;

    fn from_str(text: &str) -> Result<External, ExternalError> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        match text.contains(POSITION) && words.first().is_some_and(|word| !word.contains('{')) {
            true => Ok(External { text: text.to_owned(), words }),
            false => Err(ExternalError::NoPlace),
        }
    }
}

impl External {
    /// Asks about one position. Each word of the command line is one argument, whatever a position
    /// is written with.
    pub(super) fn run(
        &self,
        game: &str,
        position: &str,
        time: Duration,
        stop: &Stop,
    ) -> Result<Run, ExternalError> {
        let fill = |word: &String| word.replace(GAME, game).replace(POSITION, position);
        let mut words = self.words.iter().map(fill);
        let program = words.next().unwrap_or_default();
        let program = Program { program, arguments: words.collect(), folder: None };
        let (began, before) = (Instant::now(), cpu_time_of_children());
        let until = began + time;
        let mut process = Process::start(&program)?;
        let mut last = None;
        let in_time = loop {
            match process.receive(until.min(Instant::now() + PATIENCE)) {
                Ok(Some(line)) if line.trim().is_empty() => {}
                Ok(Some(line)) => last = Some(line),
                Ok(None) if Instant::now() >= until || stop.is_stopped() => break false,
                Ok(None) => {}
                // It has said what it had to say.
                Err(_) => break true,
            }
        };
        drop(process);
        let wall = began.elapsed();
        let spent = before.zip(cpu_time_of_children()).map(|(before, after)| after - before);
        let seconds = spent.unwrap_or(wall).as_secs_f64();
        if !in_time {
            return Ok(Run { value: None, nodes: None, seconds });
        }
        let line = last.ok_or(ExternalError::Silent)?;
        let Some((value, nodes)) = heard(&line) else { return Err(ExternalError::NoValue(line)) };
        Ok(Run { value, nodes, seconds })
    }
}

/// The value in a line, for the first player, and how many nodes it took if it says so. It is a
/// JSON object with `margin`, or `answer` or `value` as `zermelo solve` gives them, or ends with a
/// number.
fn heard(line: &str) -> Option<(Option<f64>, Option<u64>)> {
    if let Ok(Value::Object(object)) = serde_json::from_str(line) {
        let nodes = object.get("nodes").and_then(Value::as_u64);
        let keys = ["margin", "answer", "value"];
        let mut given = keys.iter().filter_map(|key| object.get(*key)).peekable();
        given.peek()?;
        return Some((given.find_map(number), nodes));
    }
    let is_part = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    let mut words = line.split(|c| !is_part(c)).rev();
    let value = words.find_map(|word| word.trim_end_matches('.').parse().ok())?;
    Some((Some(value), None))
}

/// Points, or who wins.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.as_str() {
            "first" => Some(1.0),
            "draw" => Some(0.0),
            "second" => Some(-1.0),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_heard_in_many_words() {
        for (line, value) in [
            ("12", 12.0),
            ("value: -4.", -4.0),
            ("the first player wins by +6", 6.0),
            ("{\"margin\":-10,\"value\":\"second\",\"nodes\":5}", -10.0),
            ("{\"margin\":null,\"answer\":\"draw\"}", 0.0),
            ("{\"value\":\"second\"}", -1.0),
        ] {
            assert_eq!(heard(line).and_then(|(value, _)| value), Some(value), "{line}");
        }
        assert_eq!(heard("{\"margin\":null,\"answer\":null,\"nodes\":7}"), Some((None, Some(7))));
        assert_eq!((heard("no idea"), heard("{}"), heard("-")), (None, None, None));
    }

    #[test]
    fn a_command_line_has_a_place_for_the_position() {
        assert!("solver {game} {position}".parse::<External>().is_ok());
        for wrong in ["", "solver", "solver {game}", "{position}"] {
            assert!(wrong.parse::<External>().is_err(), "{wrong}");
        }
    }
}
