//! Families as JSON: one form for the command line and the web table.

use game::{BoardSizes, Family, Keyword, Parameter, ParameterKind};
use serde::Serialize;

/// All that a family declares about its games.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FamilyEntry {
    /// The word before the colon.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Named sets of rules.
    pub variants: Vec<VariantEntry>,
    /// What else may stand after the colon.
    pub parameters: Vec<ParameterEntry>,
    /// Shorter names for well-known games.
    pub presets: Vec<PresetEntry>,
}

/// A named set of rules.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "Named"))]
pub struct VariantEntry {
    /// The word.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
}

/// An argument.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "Parameter"))]
pub struct ParameterEntry {
    /// The key or flag; `size` for `rows x columns`.
    pub name: &'static str,
    /// What it may be, as data.
    pub kind: KindEntry,
    /// What it may be, as people write it.
    pub values: String,
    /// What it is if it is left out; null where it must be given.
    pub default: Option<&'static str>,
    /// One line on what it does.
    pub meaning: &'static str,
}

/// What an argument may be; `type` says which.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "Kind"))]
pub enum KindEntry {
    /// `rows x columns`.
    Size(SizesEntry),
    /// A number from `low` to `high` in steps.
    Number {
        /// The lowest.
        low: i64,
        /// The highest.
        high: i64,
        /// 1, or 0.5 where halves count.
        step: f64,
    },
    /// One of several words.
    Choice {
        /// The words.
        words: Vec<KeywordEntry>,
    },
    /// Yes or no.
    Switch,
    /// A word that stands there or not.
    Flag,
    /// Squares joined by `+`.
    Squares,
    /// Any other text.
    Text {
        /// One that is right.
        example: &'static str,
    },
}

/// The boards that there are: sides from `low` to `high`, or each one of `sides`.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "Sizes"))]
pub struct SizesEntry {
    /// The shortest side.
    pub low: usize,
    /// The longest side.
    pub high: usize,
    /// All sides that there are, where some between are left out.
    pub sides: Option<&'static [usize]>,
    /// Whether there are as many rows as columns.
    pub square: bool,
}

/// A word that an argument may be.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "Keyword"))]
pub struct KeywordEntry {
    /// The word.
    pub name: &'static str,
    /// A few words on what it does; empty where the parameter's meaning says it.
    pub meaning: &'static str,
}

/// A shorter name for a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(rename = "Preset"))]
pub struct PresetEntry {
    /// The short name.
    pub name: &'static str,
    /// What it stands for.
    pub spec: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
}

impl From<&'static Family> for FamilyEntry {
    fn from(family: &'static Family) -> FamilyEntry {
        let variant = |v: &game::FamilyVariant| VariantEntry { name: v.name, summary: v.summary };
        let preset =
            |p: &game::Preset| PresetEntry { name: p.name, spec: p.spec, summary: p.summary };
        FamilyEntry {
            name: family.name,
            summary: family.summary,
            variants: family.variants.iter().map(variant).collect(),
            parameters: family.parameters.iter().map(ParameterEntry::from).collect(),
            presets: family.presets.iter().map(preset).collect(),
        }
    }
}

impl From<&Parameter> for ParameterEntry {
    fn from(parameter: &Parameter) -> ParameterEntry {
        ParameterEntry {
            name: parameter.name,
            kind: parameter.kind.into(),
            values: parameter.values(),
            default: parameter.default(),
            meaning: parameter.meaning,
        }
    }
}

impl From<ParameterKind> for KindEntry {
    fn from(kind: ParameterKind) -> KindEntry {
        match kind {
            ParameterKind::Size(sizes) => KindEntry::Size(sizes.into()),
            ParameterKind::Number { low, high } => {
                KindEntry::Number { low: low as i64, high: high as i64, step: 1.0 }
            }
            ParameterKind::Halves { most } => {
                KindEntry::Number { low: -(most as i64), high: most as i64, step: 0.5 }
            }
            ParameterKind::Choice { words } => {
                let entry = |w: &Keyword| KeywordEntry { name: w.name, meaning: w.meaning };
                KindEntry::Choice { words: words.iter().map(entry).collect() }
            }
            ParameterKind::Switch => KindEntry::Switch,
            ParameterKind::Flag => KindEntry::Flag,
            ParameterKind::Squares => KindEntry::Squares,
            ParameterKind::Text { example, .. } => KindEntry::Text { example },
        }
    }
}

impl From<BoardSizes> for SizesEntry {
    fn from(sizes: BoardSizes) -> SizesEntry {
        let listed = |sides: &'static [usize], square| SizesEntry {
            low: sides.iter().copied().min().unwrap_or_default(),
            high: sides.iter().copied().max().unwrap_or_default(),
            sides: Some(sides),
            square,
        };
        match sizes {
            BoardSizes::Between(low, high) => SizesEntry { low, high, sides: None, square: false },
            BoardSizes::Each(sides) => listed(sides, false),
            BoardSizes::Square(sides) => listed(sides, true),
        }
    }
}
