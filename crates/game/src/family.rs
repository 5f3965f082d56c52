//! What a family of games declares about itself. Reading, error messages, lists of games and the controls of a page all
//! come from this.

use std::fmt;

/// A family of games and everything `zermelo games` says about it.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The word before the colon.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Named sets of rules, written after the colon as a bare word; at most one of them.
    pub variants: &'static [FamilyVariant],
    /// What else may stand after the colon.
    pub parameters: &'static [Parameter],
    /// The protocols that its engines speak, the usual one first.
    pub protocols: &'static [&'static str],
    /// Shorter names for well-known games.
    pub presets: &'static [Preset],
    /// The games that people are offered to choose from, the best known first; empty for all presets and variants.
    pub offered: &'static [&'static str],
}

/// A named set of rules, which parameters after it may change.
#[derive(Clone, Copy, Debug)]
pub struct FamilyVariant {
    /// The word.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
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

/// An argument a family understands.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key or flag; `size` for `rows x columns`.
    pub name: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
    /// What holds if it is left out.
    pub omitted: Omitted,
    /// One line on what it does.
    pub meaning: &'static str,
}

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// `rows x columns`, written without a key.
    Size(BoardSizes),
    /// `key=N`.
    Number {
        /// The lowest.
        low: usize,
        /// The highest.
        high: usize,
    },
    /// `key=N`, a multiple of one half.
    Halves {
        /// The highest; the lowest is this below zero.
        most: usize,
    },
    /// `key=word`.
    Choice {
        /// One of these; [`keywords`] takes them from the table by which the family reads them.
        words: &'static [Keyword],
    },
    /// `key` or `key=yes`, or `key=no`.
    Switch,
    /// `key` alone.
    Flag,
    /// `key=square+square+…`.
    Squares,
    /// `key=text`, which the family reads itself.
    Text {
        /// What the text may be, in words.
        form: &'static str,
        /// A text that is right.
        example: &'static str,
    },
}

/// The boards that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardSizes {
    /// Rows and columns from the lowest to the highest number.
    Between(usize, usize),
    /// Rows and columns each one of these.
    Each(&'static [usize]),
    /// As many rows as columns, one of these.
    Square(&'static [usize]),
}

/// A word that an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The word.
    pub name: &'static str,
    /// A few words on what it does; empty where the parameter's meaning says it.
    pub meaning: &'static str,
}

/// What holds if an argument is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// It must be given; this is what somebody is told who does not.
    Refused(&'static str),
    /// The same as with this value.
    Value(&'static str),
    /// What these words say; the family sees to it.
    Described(&'static str),
}

impl Keyword {
    /// A word that speaks for itself.
    #[must_use]
    pub const fn plain(name: &'static str) -> Keyword {
        Keyword { name, meaning: "" }
    }

    /// A word and what it does.
    #[must_use]
    pub const fn new(name: &'static str, meaning: &'static str) -> Keyword {
        Keyword { name, meaning }
    }
}

/// The words of a table, for the declaration of the parameter that is read by it.
#[must_use]
pub const fn keywords<T: Copy, const N: usize>(table: &[(Keyword, T); N]) -> [Keyword; N] {
    let mut words = [Keyword::plain(""); N];
    let mut i = 0;
    while i < N {
        words[i] = table[i].0;
        i += 1;
    }
    words
}

impl Family {
    /// The parameter of this name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The games to offer, each with one line on what it is; where the family has no name for any, the family itself.
    #[must_use]
    pub fn games(&self) -> Vec<(String, &'static str)> {
        let presets = self.presets.iter().map(|preset| (preset.name.to_owned(), preset.summary));
        let variant =
            |variant: &FamilyVariant| (format!("{}:{}", self.name, variant.name), variant.summary);
        let named: Vec<_> = presets.chain(self.variants.iter().map(variant)).collect();
        let summary = |game: &str| {
            named
                .iter()
                .find(|(name, _)| name == game)
                .map_or(self.summary, |(_, summary)| *summary)
        };
        match (self.offered, named.is_empty()) {
            ([], true) => vec![(self.name.to_owned(), self.summary)],
            ([], false) => named,
            (offered, _) => offered.iter().map(|&game| (game.to_owned(), summary(game))).collect(),
        }
    }
}

impl Parameter {
    /// What it may be, as people write it: `k=N, 1 to 250`.
    #[must_use]
    pub fn values(&self) -> String {
        let name = self.name;
        match self.kind {
            ParameterKind::Size(sizes) => match sizes {
                BoardSizes::Between(..) => format!("rows x columns, {sizes}"),
                BoardSizes::Each(_) => format!("rows x columns, each {sizes}"),
                BoardSizes::Square(_) => sizes.to_string(),
            },
            ParameterKind::Number { low, high } => format!("{name}=N, {low} to {high}"),
            ParameterKind::Halves { most } => format!("{name}=N, -{most} to {most}, halves too"),
            ParameterKind::Choice { words } => {
                let word = |word: &Keyword| match word.meaning {
                    "" => word.name.to_owned(),
                    meaning => format!("{} ({meaning})", word.name),
                };
                format!("{name}={}", either(&words.iter().map(word).collect::<Vec<_>>()))
            }
            ParameterKind::Switch => format!("{name} or {name}=no"),
            ParameterKind::Flag => "a flag".to_owned(),
            ParameterKind::Squares => format!("{name}=SQUARE+SQUARE+…"),
            ParameterKind::Text { form, .. } => format!("{name}={form}"),
        }
    }

    /// What it is if it is left out; `None` where it must be given.
    #[must_use]
    pub fn default(&self) -> Option<&'static str> {
        match self.omitted {
            Omitted::Refused(_) => None,
            Omitted::Value(text) | Omitted::Described(text) => Some(text),
        }
    }
}

impl ParameterKind {
    /// A value that is right.
    #[must_use]
    pub fn example(&self) -> &'static str {
        match self {
            ParameterKind::Size(_) => "6x7",
            ParameterKind::Number { .. } => "3",
            ParameterKind::Halves { .. } => "6.5",
            ParameterKind::Choice { words } => words[0].name,
            ParameterKind::Switch | ParameterKind::Flag => "yes",
            ParameterKind::Squares => "b2+c3",
            ParameterKind::Text { example, .. } => example,
        }
    }
}

impl BoardSizes {
    /// Whether there is a board of this size.
    #[must_use]
    pub fn contains(&self, rows: usize, columns: usize) -> bool {
        let among = |sides: &[usize]| [rows, columns].iter().all(|side| sides.contains(side));
        match *self {
            BoardSizes::Between(low, high) => {
                [rows, columns].iter().all(|side| (low..=high).contains(side))
            }
            BoardSizes::Each(sides) => among(sides),
            BoardSizes::Square(sides) => rows == columns && among(sides),
        }
    }
}

/// `1x1 to 19x19`, `4, 6 or 8`, `6x6, 8x8 or 10x10`.
impl fmt::Display for BoardSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = |write: &dyn Fn(&usize) -> String, sides: &[usize]| {
            either(&sides.iter().map(write).collect::<Vec<_>>())
        };
        match *self {
            BoardSizes::Between(low, high) => write!(f, "{low}x{low} to {high}x{high}"),
            BoardSizes::Each(sides) => f.write_str(&each(&usize::to_string, sides)),
            BoardSizes::Square(sides) => {
                f.write_str(&each(&|side| format!("{side}x{side}"), sides))
            }
        }
    }
}

/// `a, b or c`.
fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_people_write_them() {
        const WORDS: [Keyword; 3] =
            [Keyword::plain("end"), Keyword::new("pass", "at once"), Keyword::plain("no")];
        for (kind, values) in [
            (ParameterKind::Size(BoardSizes::Between(1, 9)), "rows x columns, 1x1 to 9x9"),
            (ParameterKind::Size(BoardSizes::Each(&[4, 6])), "rows x columns, each 4 or 6"),
            (ParameterKind::Size(BoardSizes::Square(&[6, 8, 10])), "6x6, 8x8 or 10x10"),
            (ParameterKind::Number { low: 1, high: 250 }, "a=N, 1 to 250"),
            (ParameterKind::Halves { most: 9 }, "a=N, -9 to 9, halves too"),
            (ParameterKind::Choice { words: &WORDS }, "a=end, pass (at once) or no"),
            (ParameterKind::Switch, "a or a=no"),
            (ParameterKind::Flag, "a flag"),
            (ParameterKind::Squares, "a=SQUARE+SQUARE+…"),
            (ParameterKind::Text { form: "any word", example: "b" }, "a=any word"),
        ] {
            let omitted = Omitted::Value("");
            assert_eq!(Parameter { name: "a", kind, omitted, meaning: "" }.values(), values);
        }
    }

    #[test]
    fn games_to_offer_are_those_named_or_all() {
        let plain = Family {
            name: "toy",
            summary: "a toy",
            variants: &[],
            parameters: &[],
            protocols: &[],
            presets: &[],
            offered: &[],
        };
        let names = |family: Family| {
            let games = family.games().into_iter();
            games.map(|(name, summary)| format!("{name}: {summary}")).collect::<Vec<_>>()
        };
        assert_eq!(names(plain), ["toy: a toy"]);
        let presets = &[Preset { name: "short", spec: "toy:fancy", summary: "a preset" }];
        let variants = &[FamilyVariant { name: "fancy", summary: "a variant" }];
        let named = Family { presets, variants, ..plain };
        assert_eq!(names(named), ["short: a preset", "toy:fancy: a variant"]);
        let offered = Family { offered: &["toy:fancy", "toy:6x6"], ..named };
        assert_eq!(names(offered), ["toy:fancy: a variant", "toy:6x6: a toy"]);
    }

    #[test]
    fn a_table_gives_its_words() {
        const TABLE: [(Keyword, bool); 2] =
            [(Keyword::plain("no"), false), (Keyword::new("yes", "it is"), true)];
        assert_eq!(keywords(&TABLE), [Keyword::plain("no"), Keyword::new("yes", "it is")]);
    }
}
