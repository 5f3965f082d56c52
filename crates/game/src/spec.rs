//! Names of games: `family[:argument,…]`, where an argument is a size (`rows x columns`),
//! `key=value` or a flag.
//!
//! A family declares its [`Parameter`](crate::Parameter)s once; reading, error messages and documentation all
//! come from that list.

use std::fmt;

use crate::arguments::Arguments;
use crate::family::Family;
use crate::shown::quote;
use crate::text_error::{Expected, TextError};

/// The name of a game, cut into its parts.
///
/// ```
/// use game::Spec;
///
/// let spec = Spec::parse("mnk:15x15,k=5,gravity")?;
/// assert_eq!(spec.name, "mnk");
/// assert_eq!((spec.value("size"), spec.value("k")), (Some("15x15"), Some("5")));
///
/// // What is given explicitly goes over what a preset says.
/// let preset = Spec::parse("mnk:6x7,k=4,gravity")?;
/// let larger = Spec::parse("connect4:8x9")?.on_top_of(preset);
/// assert_eq!((larger.value("size"), larger.value("k")), (Some("8x9"), Some("4")));
///
/// let error = Spec::parse("mnk:k=4,k=5").unwrap_err();
/// assert_eq!(error.to_string(), "\"mnk:k=4,k=5\": \"k\" is given twice; once is right");
/// # Ok::<(), game::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The family or preset.
    pub name: String,
    arguments: Vec<Argument>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    key: String,
    pub(crate) value: Option<String>,
}

/// The key of the argument that is written without one.
pub(crate) const SIZE: &str = "size";

impl Spec {
    /// Cuts text into parts; whether they mean anything is for the family to say.
    pub fn parse(text: &str) -> Result<Spec, TextError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty()
            || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            return Err(TextError::new(
                text,
                "a game is written family or family:argument,…, as in reversi:6x6",
            ));
        }
        if rest.is_empty() && text.contains(':') {
            return Err(TextError::new(
                text,
                format!("nothing follows the colon; {name} alone is right too"),
            ));
        }
        let mut arguments: Vec<Argument> = Vec::new();
        for part in rest.split(',').filter(|_| !rest.is_empty()) {
            let argument = Argument::parse(part).map_err(|why| why.of(text))?;
            if arguments.iter().any(|a| a.key == argument.key) {
                let what = quote(&argument.key);
                return Err(TextError::new(text, format!("{what} is given twice; once is right")));
            }
            arguments.push(argument);
        }
        Ok(Spec { name: name.to_owned(), arguments, text: text.to_owned() })
    }

    /// The family of a game that is named in full: what stands before the colon.
    #[must_use]
    pub fn family_of(text: &str) -> &str {
        text.split_once(':').map_or(text, |(family, _)| family)
    }

    /// What follows the colon, if anything.
    #[must_use]
    pub fn arguments_of(text: &str) -> &str {
        text.split_once(':').map_or("", |(_, arguments)| arguments)
    }

    /// This spec's arguments on top of a preset's: what is given here wins.
    #[must_use]
    pub fn on_top_of(mut self, preset: Spec) -> Spec {
        let given = std::mem::replace(&mut self.arguments, preset.arguments);
        for argument in given {
            self.arguments.retain(|a| a.key != argument.key);
            self.arguments.push(argument);
        }
        self.name = preset.name;
        self
    }

    /// The value of an argument: `size`, or a key.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.argument(key)?.value.as_deref()
    }

    /// The name of this game with another argument, as in `9x9` or `komi=7`, in place of the one it had.
    pub fn changed(&self, argument: &str) -> Result<String, TextError> {
        let change = Spec::parse(&format!("{}:{argument}", self.name))?.on_top_of(self.clone());
        let words = change.arguments.iter().map(|a| match (&*a.key, &a.value) {
            (SIZE, Some(value)) => value.clone(),
            (key, Some(value)) => format!("{key}={value}"),
            (key, None) => key.to_owned(),
        });
        Ok(format!("{}:{}", self.name, words.collect::<Vec<_>>().join(",")))
    }

    /// The arguments, if the family knows them all.
    pub fn arguments<'s>(&'s self, family: &'s Family) -> Result<Arguments<'s>, TextError> {
        let known = |a: &&Argument| {
            family.parameter(&a.key).is_some()
                || (a.value.is_none() && family.variants.iter().any(|v| v.name == a.key))
        };
        if let Some(stranger) = self.arguments.iter().find(|a| !known(a)) {
            let variants = family.variants.iter().map(|v| v.name);
            let names: Vec<&str> =
                variants.chain(family.parameters.iter().map(|p| p.name)).collect();
            let why = format!(
                "{} is not an argument of {}, which takes {}",
                quote(&stranger.key),
                family.name,
                names.join(", ")
            );
            return Err(TextError::new(&self.text, why));
        }
        Ok(Arguments::new(self, family))
    }

    /// What was given for a key.
    pub(crate) fn argument(&self, key: &str) -> Option<&Argument> {
        self.arguments.iter().find(|a| a.key == key)
    }

    /// An error about this spec.
    #[must_use]
    pub fn error(&self, why: impl Into<String>) -> TextError {
        TextError::new(&self.text, why)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Argument {
    fn parse(part: &str) -> Result<Argument, Expected> {
        let (key, value) = match part.split_once('=') {
            _ if part.starts_with(|c: char| c.is_ascii_digit()) => (SIZE, Some(part)),
            Some((key, value)) => (key, Some(value)),
            None => (part, None),
        };
        if key.is_empty() {
            return Err(format!(
                "{} is not an argument; write a size, key=value or a flag",
                quote(part)
            )
            .into());
        }
        Ok(Argument { key: key.to_owned(), value: value.map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_text_gets_a_reason() {
        for text in [
            "",
            ":",
            "toy:",
            "Toy",
            "to y",
            "toy:,",
            "toy:k=3,k=4",
            "toy:3x3,4x4",
            "toy:=3",
            "toy:k=3,,gravity",
        ] {
            assert!(Spec::parse(text).is_err(), "{text}");
        }
    }
}
