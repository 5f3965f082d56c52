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
//! After the three lines at the top the order does not matter, but every weight is there exactly
//! once; those that came [later](Tunable::ADDED) may be missing. What is not as it should be is
//! refused with the number of its line.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::{Sheet, Tunable, list};
use game::TextError;
use game::{quote, shown};

const FIRST_LINE: &str = "zermelo weights 1";

/// An evaluation of a game as text.
pub fn write<T: Tunable>(game: &str, evaluation: &T) -> String {
    Sheet::of(game, evaluation).write()
}

/// The same of a sheet.
pub(super) fn write_sheet(sheet: &Sheet) -> String {
    let mut text = format!("{FIRST_LINE}\ngame {}\nevaluation {}\n", sheet.game, sheet.evaluation);
    for entry in &sheet.entries {
        text += &format!("{} {}\n", entry.name, entry.value);
    }
    text
}

/// Which family's weights a text says it holds, right or wrong in all else.
///
/// # Errors
/// If it is no file of weights, or of another version.
pub fn family_in(text: &str) -> Result<String, TextError> {
    let mut lines = Lines::new(text)?;
    let line = lines.left.next().unwrap_or((lines.count, ""));
    match words(line.1) {
        Some(("game", family)) => Ok(family.to_owned()),
        _ => {
            Err(wrong(line.0, line.1, "the family of a game would be right here, as in game chess"))
        }
    }
}

/// The evaluation that text describes, which must be one of this game.
///
/// # Errors
/// Names the line and what would be right there.
pub fn read<T: Tunable>(game: &str, text: &str) -> Result<T, TextError> {
    read_with(game, text, None)
}

/// The same of text that was written for an older evaluation of the same name: weights that it does
/// not have are the usual ones, those that there are no longer are left out. Says in one line each
/// which.
///
/// # Errors
/// As [`read`], of all else.
pub fn read_older<T: Tunable>(game: &str, text: &str) -> Result<(T, Vec<String>), TextError> {
    let mut remarks = Vec::new();
    let evaluation = read_with(game, text, Some(&mut remarks))?;
    Ok((evaluation, remarks))
}

/// With somebody to tell what is forgiven, or nothing is.
fn read_with<T: Tunable>(
    game: &str,
    text: &str,
    forgiven: Option<&mut Vec<String>>,
) -> Result<T, TextError> {
    let mut lines = Lines::new(text)?;
    lines.expect("game", &[game])?;
    let name = lines.expect("evaluation", T::NAMES)?;
    let mut evaluation =
        T::named(name).ok_or_else(|| TextError::new(name, "there is no such evaluation"))?;
    let weights = lines.weights(&evaluation, forgiven)?;
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
    fn weights<T: Tunable>(
        self,
        of: &T,
        mut forgiven: Option<&mut Vec<String>>,
    ) -> Result<BTreeMap<String, i32>, TextError> {
        let known = list(of);
        let names: BTreeSet<&str> = known.iter().map(|(name, _)| &**name).collect();
        let mut weights = BTreeMap::new();
        for (number, line) in self.left {
            let Some((name, value)) = words(line) else {
                return Err(wrong(
                    number,
                    line,
                    "a name and a number would be right, as in man 100",
                ));
            };
            if !names.contains(name) {
                let names = known.iter().map(|(name, _)| &**name);
                let why = unknown_weight(of.name(), names);
                match &mut forgiven {
                    Some(remarks) => remarks.push(format!("{} is left out: {why}", shown(name))),
                    None => return Err(wrong(number, name, why)),
                }
                continue;
            }
            let range = T::range(name);
            let read = in_range(value, range.clone());
            let read = read.ok_or_else(|| wrong(number, value, right_range(name, &range)))?;
            if weights.insert(name.to_owned(), read).is_some() {
                return Err(wrong(number, name, "this weight has been given before"));
            }
        }
        let mut missing = known.iter().filter(|(name, _)| !weights.contains_key(name));
        let needed = missing.clone().find(|(name, _)| !T::ADDED.contains(&&**name));
        match (forgiven, needed) {
            (None, Some((name, usual))) => {
                let why = format!("this weight is missing; its usual line is \"{name} {usual}\"");
                return Err(wrong(self.count, name, why));
            }
            (Some(remarks), _) => {
                remarks.extend(
                    missing.by_ref().map(|(name, usual)| format!("{name} is missing: {usual}")),
                );
            }
            (None, None) => {}
        }
        Ok(weights)
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

/// What a weight of this range is, if text says that.
pub(super) fn in_range(text: &str, range: RangeInclusive<i32>) -> Option<i32> {
    text.parse().ok().filter(|read| range.contains(read))
}

pub(super) fn right_range(name: &str, range: &RangeInclusive<i32>) -> String {
    let (least, most) = (range.start(), range.end());
    format!("a whole number from {least} to {most} would be right for {name}")
}

/// Names may be many: what they begin with is enough of a hint.
pub(super) fn unknown_weight<'a>(evaluation: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut groups: Vec<&str> = known.filter_map(|name| name.split('.').next()).collect();
    groups.dedup();
    match groups.is_empty() {
        true => format!("{evaluation} has no weights"),
        false => {
            format!("{evaluation} has no such weight; its names begin with {}", groups.join(", "))
        }
    }
}
