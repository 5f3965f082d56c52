//! Names of games: `family[:argument,…]`, where an argument is a size (`rows x columns`),
//! `key=value` or a flag.
//!
//! A family declares its [`Parameter`]s once; reading, error messages and documentation all come
//! from that list.

use std::fmt;
use std::ops::RangeInclusive;

use crate::grid::Grid;
use crate::shown::quote;
use crate::text_error::TextError;

/// A family of games and everything `zermelo games` says about it.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The word before the colon.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Named sets of rules, written after the colon as a bare word; at most one of them.
    pub variants: &'static [Variant],
    /// What else may stand after the colon.
    pub parameters: &'static [Parameter],
    /// The protocols that its engines speak, the usual one first.
    pub protocols: &'static [&'static str],
    /// Shorter names for well-known games.
    pub presets: &'static [Preset],
}

/// A named set of rules, which parameters after it may change.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The word.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
}

/// An argument a family understands.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key or flag; `size` for `rows x columns`.
    pub name: &'static str,
    /// What it may be, as people write it: `k=N, 1 to 250`.
    pub values: &'static str,
    /// What it is if it is left out; empty where it must be given.
    pub default: &'static str,
    /// One line on what it does.
    pub meaning: &'static str,
}

/// A shorter name for a game; further arguments after a colon change it.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The short name.
    pub name: &'static str,
    /// What it stands for.
    pub spec: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
}

/// The name of a game, cut into its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The family or preset.
    pub name: String,
    arguments: Vec<Argument>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Argument {
    key: String,
    value: Option<String>,
}

const SIZE: &str = "size";

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
            let argument = Argument::parse(part).map_err(|why| TextError::new(text, why))?;
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
        self.arguments.iter().find(|a| a.key == key)?.value.as_deref()
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
    pub fn arguments(&self, family: &Family) -> Result<Arguments<'_>, TextError> {
        let known = |a: &&Argument| {
            family.parameters.iter().any(|p| p.name == a.key)
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
        Ok(Arguments { spec: self })
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
    fn parse(part: &str) -> Result<Argument, String> {
        let (key, value) = match part.split_once('=') {
            _ if part.starts_with(|c: char| c.is_ascii_digit()) => (SIZE, Some(part)),
            Some((key, value)) => (key, Some(value)),
            None => (part, None),
        };
        if key.is_empty() {
            return Err(format!(
                "{} is not an argument; write a size, key=value or a flag",
                quote(part)
            ));
        }
        Ok(Argument { key: key.to_owned(), value: value.map(str::to_owned) })
    }
}

/// The arguments of a spec, looked up by a family that knows them.
#[derive(Debug)]
pub struct Arguments<'s> {
    spec: &'s Spec,
}

impl Arguments<'_> {
    /// `rows x columns`, each within the range.
    pub fn size(&self, sides: RangeInclusive<usize>) -> Result<Option<Grid>, TextError> {
        let Some(value) = self.value(SIZE, "6x7")? else {
            return Ok(None);
        };
        let grid = Grid::read_size(value).map_err(|e| self.spec.error(e.why()))?;
        if sides.contains(&grid.rows) && sides.contains(&grid.columns) {
            return Ok(Some(grid));
        }
        let (low, high) = sides.into_inner();
        Err(self.spec.error(format!("{value} is outside {low}x{low} to {high}x{high}")))
    }

    /// `key=number` within the range.
    pub fn number(
        &self,
        key: &str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, TextError> {
        let Some(value) = self.value(key, "3")? else {
            return Ok(None);
        };
        let plain = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let number = value.parse().ok().filter(|n| plain && range.contains(n));
        number.map(Some).ok_or_else(|| {
            let (low, high) = range.into_inner();
            self.spec.error(format!("{key} is a number from {low} to {high}, not {}", quote(value)))
        })
    }

    /// `key=word`, one of several; the number of the word.
    pub fn choice(&self, key: &str, words: &[&str]) -> Result<Option<usize>, TextError> {
        let Some(value) = self.value(key, words[0])? else {
            return Ok(None);
        };
        words.iter().position(|&w| w == value).map(Some).ok_or_else(|| {
            self.spec.error(format!("{key} is {}, not {}", words.join(" or "), quote(value)))
        })
    }

    /// The variant that is named, by its number in the family's list.
    pub fn variant(&self, family: &Family) -> Result<Option<usize>, TextError> {
        let mut named =
            (0..family.variants.len()).filter(|&i| self.find(family.variants[i].name).is_some());
        match (named.next(), named.next()) {
            (Some(one), Some(two)) => {
                let (one, two) = (family.variants[one].name, family.variants[two].name);
                Err(self.spec.error(format!("{one} and {two} are two variants; one is right")))
            }
            (found, _) => Ok(found),
        }
    }

    /// `key` or `key=yes`, or `key=no`.
    pub fn switch(&self, key: &str) -> Result<Option<bool>, TextError> {
        match self.find(key) {
            Some(Argument { value: None, .. }) => Ok(Some(true)),
            _ => Ok(self.choice(key, &["yes", "no"])?.map(|i| i == 0)),
        }
    }

    /// Whether a flag is there.
    pub fn flag(&self, key: &str) -> Result<bool, TextError> {
        match self.find(key) {
            Some(Argument { value: Some(_), .. }) => {
                Err(self.spec.error(format!("{key} stands alone, without a value")))
            }
            found => Ok(found.is_some()),
        }
    }

    /// The text after `key=`; `example` shows what would be right if it is missing.
    pub fn value(&self, key: &str, example: &str) -> Result<Option<&str>, TextError> {
        match self.find(key) {
            None => Ok(None),
            Some(Argument { value: Some(value), .. }) => Ok(Some(value)),
            Some(_) => Err(self.spec.error(format!("{key} needs a value, as in {key}={example}"))),
        }
    }

    fn find(&self, key: &str) -> Option<&Argument> {
        self.spec.arguments.iter().find(|a| a.key == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: Family = Family {
        name: "toy",
        summary: "",
        parameters: &[
            Parameter { name: "size", values: "", default: "", meaning: "" },
            Parameter { name: "k", values: "", default: "", meaning: "" },
            Parameter { name: "win", values: "", default: "", meaning: "" },
            Parameter { name: "gravity", values: "", default: "", meaning: "" },
        ],
        variants: &[Variant { name: "plain", summary: "" }, Variant { name: "fancy", summary: "" }],
        protocols: &[],
        presets: &[],
    };

    #[test]
    fn reads_sizes_pairs_and_flags() {
        let spec = Spec::parse("toy:6x7,k=4,win=exact,gravity").unwrap();
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.size(1..=9), Ok(Some(Grid { rows: 6, columns: 7 })));
        assert_eq!(arguments.number("k", 1..=9), Ok(Some(4)));
        assert_eq!(arguments.choice("win", &["more", "exact"]), Ok(Some(1)));
        assert_eq!(arguments.flag("gravity"), Ok(true));
        let plain = Spec::parse("toy").unwrap();
        let arguments = plain.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.size(1..=9), Ok(None));
        assert_eq!(arguments.flag("gravity"), Ok(false));
    }

    #[test]
    fn reads_variants_and_switches() {
        let spec = Spec::parse("toy:fancy,gravity=no,win").unwrap();
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.variant(&FAMILY), Ok(Some(1)));
        assert_eq!(arguments.switch("gravity"), Ok(Some(false)));
        assert_eq!(arguments.switch("win"), Ok(Some(true)));
        assert_eq!(arguments.switch("k"), Ok(None));
        let both = Spec::parse("toy:fancy,plain").unwrap();
        let error = both.arguments(&FAMILY).unwrap().variant(&FAMILY).unwrap_err();
        assert!(error.why().contains("plain and fancy"), "{error}");
        assert!(Spec::parse("toy:fancy=1").unwrap().arguments(&FAMILY).is_err());
    }

    #[test]
    fn arguments_win_over_a_preset() {
        let preset = Spec::parse("toy:6x7,k=4").unwrap();
        let spec = Spec::parse("short:k=5").unwrap().on_top_of(preset);
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(spec.name, "toy");
        assert_eq!(arguments.number("k", 1..=9), Ok(Some(5)));
        assert_eq!(arguments.size(1..=9), Ok(Some(Grid { rows: 6, columns: 7 })));
    }

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
        let wrong = |text: &str| {
            let spec = Spec::parse(text).unwrap();
            let arguments = spec.arguments(&FAMILY)?;
            arguments.size(1..=9)?;
            arguments.number("k", 1..=9)?;
            arguments.choice("win", &["more", "exact"])?;
            arguments.flag("gravity").map(|_| ())
        };
        for text in [
            "toy:z=1",
            "toy:0x3",
            "toy:3x10",
            "toy:3x",
            "toy:k",
            "toy:k=+3",
            "toy:k=0",
            "toy:win=less",
            "toy:gravity=1",
        ] {
            assert!(wrong(text).unwrap_err().to_string().starts_with(&quote(text)), "{text}");
        }
    }
}
