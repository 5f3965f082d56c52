//! Weights as text, one to a line:
//!
//! ```text
//! zermelo weights 1
//! game draughts
//! evaluation zones
//! # Blank lines and comments may stand anywhere but in the first line.
//! man 100
//! king.short 150
//! ```
//!
//! After the three lines at the top the order does not matter, but every weight is there exactly once. What
//! is not as it should be is refused with the number of its line.

use std::collections::BTreeMap;

use super::{Tunable, list};
use crate::text_error::{TextError, quote};

const FIRST_LINE: &str = "zermelo weights 1";

/// An evaluation of a game as text.
pub fn write<T: Tunable>(game: &str, evaluation: &T) -> String {
    let mut text = format!("{FIRST_LINE}\ngame {game}\nevaluation {}\n", evaluation.name());
    for (name, weight) in list(evaluation) {
        text += &format!("{name} {weight}\n");
    }
    text
}

/// The evaluation that text describes, which must be one of this game.
///
/// # Errors
/// Names the line and what would be right there.
pub fn read<T: Tunable>(game: &str, text: &str) -> Result<T, TextError> {
    let mut lines = Lines::new(text)?;
    lines.expect("game", &[game])?;
    let name = lines.expect("evaluation", T::NAMES)?;
    let mut evaluation =
        T::named(name).ok_or_else(|| TextError::new(name, "there is no such evaluation"))?;
    let weights = lines.weights(&evaluation)?;
    evaluation.each_weight(&mut |name, weight| {
        if let Some(&read) = weights.get(name) {
            *weight = read;
        }
    });
    Ok(evaluation)
}

/// What is left of the text: lines without comments, each with its number.
struct Lines<'a> {
    left: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    /// How many lines there are.
    count: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Result<Lines<'a>, TextError> {
        let first = text.lines().next().unwrap_or_default().trim_end();
        if first != FIRST_LINE {
            let why = match first.starts_with("zermelo weights ") {
                true => "another version of the format; only 1 is known",
                false => "not a file of weights, which begins with \"zermelo weights 1\"",
            };
            return Err(wrong(1, first, why));
        }
        let without_comment = |line: &'a str| line.split('#').next().unwrap_or_default().trim();
        let numbered = (1..).zip(text.lines().map(without_comment)).skip(1);
        let left = Box::new(numbered.filter(|(_, line)| !line.is_empty()));
        Ok(Lines { left, count: text.lines().count() })
    }

    /// Reads a line of a key and one of the values that are right there.
    fn expect(&mut self, key: &str, values: &[&str]) -> Result<&'a str, TextError> {
        let right = || {
            let lines: Vec<String> = values.iter().map(|v| quote(&format!("{key} {v}"))).collect();
            format!("{} would be right here", lines.join(" or "))
        };
        let Some((number, line)) = self.left.next() else {
            return Err(wrong(self.count, "", format!("the text ends; {}", right())));
        };
        match words(line) {
            Some((found, value)) if found == key && values.contains(&value) => Ok(value),
            _ => Err(wrong(number, line, right())),
        }
    }

    /// Reads all weights of an evaluation.
    fn weights<T: Tunable>(self, of: &T) -> Result<BTreeMap<String, i32>, TextError> {
        let known = list(of);
        let mut weights = BTreeMap::new();
        for (number, line) in self.left {
            let Some((name, value)) = words(line) else {
                return Err(wrong(
                    number,
                    line,
                    "a name and a number would be right, as in man 100",
                ));
            };
            if !known.iter().any(|(known, _)| known == name) {
                return Err(wrong(number, name, unknown_weight(of.name(), &known)));
            }
            let range = T::range(name);
            let read = value.parse().ok().filter(|read| range.contains(read));
            let read = read.ok_or_else(|| {
                let (least, most) = (range.start(), range.end());
                let why =
                    format!("a whole number from {least} to {most} would be right for {name}");
                wrong(number, value, why)
            })?;
            if weights.insert(name.to_owned(), read).is_some() {
                return Err(wrong(number, name, "this weight has been given before"));
            }
        }
        match known.iter().find(|(name, _)| !weights.contains_key(name)) {
            Some((name, usual)) => {
                let why = format!("this weight is missing; its usual line is \"{name} {usual}\"");
                Err(wrong(self.count, name, why))
            }
            None => Ok(weights),
        }
    }
}

/// The two words of a line.
fn words(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    let pair = (words.next()?, words.next()?);
    words.next().is_none().then_some(pair)
}

fn wrong(line: usize, text: &str, why: impl std::fmt::Display) -> TextError {
    TextError::new(text, format!("line {line}: {why}"))
}

/// Names may be many: what they begin with is enough of a hint.
fn unknown_weight(evaluation: &str, known: &[(String, i32)]) -> String {
    let mut groups: Vec<&str> =
        known.iter().filter_map(|(name, _)| name.split('.').next()).collect();
    groups.dedup();
    match groups.is_empty() {
        true => format!("{evaluation} has no weights"),
        false => {
            format!("{evaluation} has no such weight; its names begin with {}", groups.join(", "))
        }
    }
}
