//! [`TextError`]: one clear line about text that could not be read, and [`Expected`]: that line for
//! a caller who knows the text.

use std::borrow::Cow;
use std::fmt;

use crate::shown::{escaped, quote};

/// What was wrong with a piece of text, and what would be right. Prints as one line, whatever bytes
/// the text held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    text: String,
    at: Option<usize>,
    why: String,
}

impl TextError {
    /// `text` is the offending part; `why` says what is wrong with it and what would be right.
    #[must_use]
    pub fn new(text: &str, why: impl Into<String>) -> TextError {
        TextError { text: text.to_owned(), at: None, why: why.into() }
    }

    /// Adds the place: the number of the offending character, counted from 0.
    #[must_use]
    pub fn at(mut self, character: usize) -> TextError {
        self.at = Some(character);
        self
    }

    /// The text that could not be read.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of the offending character, counted from 0, where it is known.
    #[must_use]
    pub fn character(&self) -> Option<usize> {
        self.at
    }

    /// What is wrong, without the text.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quote(&self.text))?;
        if let Some(at) = self.at {
            write!(f, " at character {}", at + 1)?;
        }
        write!(f, ": {}", escaped(&self.why))
    }
}

impl std::error::Error for TextError {}

/// What is wrong with a text that the caller has at hand, and what would be right: what the readers
/// of parts of a text tell the one who makes a [`TextError`] of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected(Cow<'static, str>);

impl Expected {
    /// The [`TextError`] about this text.
    #[must_use]
    pub fn of(self, text: &str) -> TextError {
        TextError::new(text, self.0)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Expected {}

impl From<&'static str> for Expected {
    fn from(what: &'static str) -> Expected {
        Expected(Cow::Borrowed(what))
    }
}

impl From<String> for Expected {
    fn from(what: String) -> Expected {
        Expected(Cow::Owned(what))
    }
}

impl From<Expected> for String {
    fn from(what: Expected) -> String {
        what.0.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_one_line() {
        let error = TextError::new("a\n\u{1b}[31m", "use a letter and a number, as in c3").at(1);
        assert_eq!(
            error.to_string(),
            r#""a\n\u{1b}[31m" at character 2: use a letter and a number, as in c3"#
        );
        assert!(TextError::new(&"x".repeat(9999), "too long").to_string().len() < 200);
    }
}
