//! `reversi:8x8,start=cross`: what can be chosen, and its canonical text.

use std::fmt;

use game::{
    BoardSizes, Family, Grid, Keyword, Omitted, Parameter, ParameterKind, Preset, Spec, TextError,
    keywords,
};

/// Everything there is to say about the family.
pub const FAMILY: Family = Family {
    name: "reversi",
    summary: "Turn lines of the other's discs; the most discs win",
    variants: &[],
    parameters: &[
        Parameter {
            name: "size",
            kind: ParameterKind::Size(BoardSizes::Each(&[4, 6, 8])),
            omitted: Omitted::Value("8x8"),
            meaning: "the board",
        },
        Parameter {
            name: "start",
            kind: ParameterKind::Choice { words: &keywords(&STARTS) },
            omitted: Omitted::Value("cross"),
            meaning: "the four discs at the start: each colour on a diagonal or on a row",
        },
    ],
    protocols: &["gtp", "nboard"],
    presets: &[Preset {
        name: "othello",
        spec: "reversi:8x8",
        summary: "Reversi as tournaments play it",
    }],
    offered: &["othello", "reversi:6x6"],
};

const STARTS: [(Keyword, Start); 2] =
    [(Keyword::plain("cross"), Start::Cross), (Keyword::plain("parallel"), Start::Parallel)];

/// The four discs in the centre at the start. Black moves first in either.
///
/// ```text
///    cross     parallel
///     d e        d e
///   4 O X      4 X X
///   5 X O      5 O O
/// ```
///
/// Which row is Black's in `parallel` makes no difference: the two are mirror images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// Each colour on a diagonal: the Othello start.
    #[default]
    Cross,
    /// Each colour on a row, Black on the upper one.
    Parallel,
}

/// The parameters of one game of the family. Prints as the game's canonical name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    size: Grid,
    start: Start,
}

impl Parameters {
    /// A game on a board of this size; `None` unless both sides are 4, 6 or 8.
    #[must_use]
    pub const fn new(size: Grid, start: Start) -> Option<Parameters> {
        match (size.rows, size.columns) {
            (4 | 6 | 8, 4 | 6 | 8) => Some(Parameters { size, start }),
            _ => None,
        }
    }

    /// Reads the arguments of a game's name; those left out have their defaults.
    pub fn from_spec(spec: &Spec) -> Result<Parameters, TextError> {
        let arguments = spec.arguments(&FAMILY)?;
        Ok(Parameters { size: arguments.size()?, start: arguments.choice("start", &STARTS)? })
    }

    /// Rows and columns.
    #[must_use]
    pub fn size(self) -> Grid {
        self.size
    }

    /// How the discs lie at the start.
    #[must_use]
    pub fn start(self) -> Start {
        self.start
    }
}

/// Othello.
impl Default for Parameters {
    fn default() -> Parameters {
        Parameters { size: Grid { rows: 8, columns: 8 }, start: Start::Cross }
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Grid { rows, columns } = self.size;
        write!(f, "{}:{rows}x{columns}", FAMILY.name)?;
        match self.start {
            Start::Cross => Ok(()),
            Start::Parallel => f.write_str(",start=parallel"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::testkit::{names_are_refused, names_round_trip};

    #[test]
    fn canonical_names_round_trip() {
        let canonical = ["reversi:8x8", "reversi:4x6", "reversi:6x4", "reversi:6x6,start=parallel"];
        names_round_trip(Parameters::from_spec, &canonical.map(|name| (name, name)));
        names_round_trip(
            Parameters::from_spec,
            &[
                ("reversi", "reversi:8x8"),
                ("reversi:start=cross,4x4", "reversi:4x4"),
                ("reversi:start=parallel", "reversi:8x8,start=parallel"),
                (FAMILY.presets[0].spec, "reversi:8x8"),
            ],
        );
    }

    #[test]
    fn wrong_names_say_what_would_be_right() {
        names_are_refused(
            Parameters::from_spec,
            &[
                ("reversi:7x7", "4, 6 or 8"),
                ("reversi:2x8", "4, 6 or 8"),
                ("reversi:8x10", "4, 6 or 8"),
                ("reversi:0x0", "4, 6 or 8"),
                ("reversi:8", "rows x columns"),
                ("reversi:start=diagonal", "cross or parallel"),
                ("reversi:start", "start=cross"),
                ("reversi:komi=1", "size, start"),
            ],
        );
    }
}
