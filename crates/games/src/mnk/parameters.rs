//! The parameters of a line game: read from a [`Spec`], checked, written back.

use std::fmt;

use game::{
    BoardSizes, Family, Keyword, Omitted, Parameter, ParameterKind, Preset, Spec, Square,
    TextError, keywords,
};

use super::shape::{RunShape, Shape};

/// Everything `zermelo games` says about line games.
pub const FAMILY: Family = Family {
    name: "mnk",
    summary: "k stones in a row win on a board of m rows and n columns",
    variants: &[],
    parameters: &[
        Parameter {
            name: "size",
            kind: ParameterKind::Size(BoardSizes::Between(1, MOST)),
            omitted: Omitted::Refused(
                "the size is missing; write rows x columns, as in mnk:3x3,k=3",
            ),
            meaning: "the board",
        },
        Parameter {
            name: "k",
            kind: NUMBER,
            omitted: Omitted::Refused("k is missing: how many in a row win, as in mnk:3x3,k=3"),
            meaning: "so many in a row, column or diagonal win",
        },
        Parameter {
            name: "p",
            kind: NUMBER,
            omitted: Omitted::Value("1"),
            meaning: "stones in a turn",
        },
        Parameter {
            name: "q",
            kind: NUMBER,
            omitted: Omitted::Value("1"),
            meaning: "stones in the first player's first turn",
        },
        Parameter {
            name: "win",
            kind: ParameterKind::Choice { words: &keywords(&WINS) },
            omitted: Omitted::Value("more"),
            meaning: "whether more than k in a row win too, or exactly k only",
        },
        Parameter {
            name: "gravity",
            kind: ParameterKind::Flag,
            omitted: Omitted::Described("off"),
            meaning: "a stone falls to the lowest empty square of its column",
        },
        Parameter {
            name: "holes",
            kind: ParameterKind::Squares,
            omitted: Omitted::Described("none"),
            meaning: "squares that are not part of the board",
        },
    ],
    protocols: &["text", "gomocup"],
    presets: &[
        Preset { name: "tictactoe", spec: "mnk:3x3,k=3", summary: "three in a row on 3x3" },
        Preset { name: "gomoku", spec: "mnk:15x15,k=5", summary: "five or more in a row on 15x15" },
        Preset {
            name: "gomoku-standard",
            spec: "mnk:15x15,k=5,win=exact",
            summary: "exactly five in a row on 15x15",
        },
        Preset {
            name: "connect6",
            spec: "mnk:19x19,k=6,p=2,q=1",
            summary: "six in a row on 19x19, two stones a turn, the first turn one",
        },
        Preset {
            name: "connect4",
            spec: "mnk:6x7,k=4,gravity",
            summary: "four in a row, and stones fall down",
        },
    ],
    offered: &[],
};

/// The largest of all numbers.
const MOST: usize = 250;
const NUMBER: ParameterKind = ParameterKind::Number { low: 1, high: MOST };
/// Whether exactly k win.
const WINS: [(Keyword, bool); 2] =
    [(Keyword::plain("more"), false), (Keyword::plain("exact"), true)];

/// The parameters of one line game. Prints as its spec, with defaults left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    shape: RunShape,
    holes: Vec<Square>,
}

/// The smallest board that can hold a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// `WordBoard<u16>`: up to 16 squares.
    U16,
    /// `WordBoard<u32>`: up to 32 squares.
    U32,
    /// `WordBoard<u64>`: up to 64 squares.
    U64,
    /// `WordBoard<u128>`: up to 128 squares.
    U128,
    /// `LineBoard`: any size.
    Lines,
}

impl Parameters {
    /// Reads and checks the arguments of a spec.
    pub fn from_spec(spec: &Spec) -> Result<Parameters, TextError> {
        let arguments = spec.arguments(&FAMILY)?;
        let grid = arguments.size()?;
        let shape = RunShape {
            rows: grid.rows,
            columns: grid.columns,
            k: arguments.number("k")?,
            p: arguments.number("p")?,
            q: arguments.number("q")?,
            exact: arguments.choice("win", &WINS)?,
            gravity: arguments.flag("gravity")?,
        };
        let holes = arguments.squares("holes", grid)?;
        if holes.len() == grid.squares() {
            return Err(spec.error("holes: every square is a hole; leave at least one to play on"));
        }
        Ok(Parameters { shape, holes })
    }

    /// The numbers.
    #[must_use]
    pub fn shape(&self) -> RunShape {
        self.shape
    }

    /// The squares that are not part of the board, by rising index.
    #[must_use]
    pub fn holes(&self) -> &[Square] {
        &self.holes
    }

    /// Something to know about these parameters, though they are allowed.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let RunShape { rows, columns, k, .. } = self.shape;
        (k > rows.max(columns)).then(|| {
            format!("nobody can win: k={k} in a row do not fit a board of {rows}x{columns}")
        })
    }

    /// The smallest board that can hold this game.
    #[must_use]
    pub fn storage(&self) -> Storage {
        match self.shape.grid().squares() {
            ..=16 => Storage::U16,
            17..=32 => Storage::U32,
            33..=64 => Storage::U64,
            65..=128 => Storage::U128,
            _ => Storage::Lines,
        }
    }

    /// Parameters whose parts are known to be right.
    pub(super) fn from_parts(shape: RunShape, holes: Vec<Square>) -> Parameters {
        Parameters { shape, holes }
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunShape { rows, columns, k, p, q, exact, gravity } = self.shape;
        write!(f, "mnk:{rows}x{columns},k={k}")?;
        if p != 1 {
            write!(f, ",p={p}")?;
        }
        if q != 1 {
            write!(f, ",q={q}")?;
        }
        if exact {
            f.write_str(",win=exact")?;
        }
        if gravity {
            f.write_str(",gravity")?;
        }
        let grid = self.shape.grid();
        for (i, &hole) in self.holes.iter().enumerate() {
            let before = if i == 0 { ",holes=" } else { "+" };
            write!(f, "{before}{}", grid.name(hole))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::testkit::{names_are_refused, names_round_trip};

    fn read(text: &str) -> Result<Parameters, TextError> {
        Parameters::from_spec(&Spec::parse(text)?)
    }

    #[test]
    fn canonical_text_round_trips() {
        names_round_trip(
            Parameters::from_spec,
            &[
                ("mnk:3x3,k=3", "mnk:3x3,k=3"),
                ("mnk:k=4,gravity,6x7", "mnk:6x7,k=4,gravity"),
                ("mnk:19x19,k=6,p=2,q=1", "mnk:19x19,k=6,p=2"),
                ("mnk:4x4,q=2,p=1,k=3,win=more", "mnk:4x4,k=3,q=2"),
                ("mnk:15x15,win=exact,k=5", "mnk:15x15,k=5,win=exact"),
                ("mnk:4x3,k=3,holes=C3+a1+b2", "mnk:4x3,k=3,holes=a1+b2+c3"),
            ],
        );
    }

    #[test]
    fn presets_are_right() {
        for preset in FAMILY.presets {
            let parameters = read(preset.spec).unwrap();
            assert_eq!(parameters.warning(), None);
            assert_eq!(read(&parameters.to_string()).unwrap(), parameters);
        }
    }

    #[test]
    fn wrong_specs_get_a_reason() {
        names_are_refused(
            Parameters::from_spec,
            &[
                ("mnk", "the size is missing"),
                ("mnk:k=3", "the size is missing"),
                ("mnk:3x3", "k is missing"),
                ("mnk:0x3,k=3", "0x3 is outside 1x1 to 250x250"),
                ("mnk:3x251,k=3", "3x251 is outside 1x1 to 250x250"),
                ("mnk:3x3,k=0", "k is a number from 1 to 250"),
                ("mnk:3x3,k=251", "k is a number from 1 to 250"),
                ("mnk:3x3,k=3,p=0", "p is a number from 1 to 250"),
                ("mnk:3x3,k=3,q=x", "q is a number from 1 to 250"),
                ("mnk:3x3,k=3,win=less", "win is more or exact"),
                ("mnk:3x3,k=3,gravity=1", "gravity stands alone"),
                ("mnk:3x3,k=3,holes", "holes needs a value"),
                ("mnk:3x3,k=3,holes=", "\"\" is not a square of this board"),
                ("mnk:3x3,k=3,holes=d1", "\"d1\" is not a square of this board"),
                ("mnk:3x3,k=3,holes=a1+a1", "a1 is given twice"),
                ("mnk:1x2,k=3,holes=a1+b1", "every square is a hole"),
                ("mnk:3x3,k=3,z", "\"z\" is not an argument of mnk"),
            ],
        );
    }

    #[test]
    fn warns_if_nobody_can_win() {
        assert!(read("mnk:3x4,k=5").unwrap().warning().is_some());
        assert!(read("mnk:3x4,k=4").unwrap().warning().is_none());
    }

    #[test]
    fn storage_is_the_smallest() {
        for (size, storage) in [
            ("4x4", Storage::U16),
            ("1x17", Storage::U32),
            ("4x8", Storage::U32),
            ("8x8", Storage::U64),
            ("11x11", Storage::U128),
            ("3x43", Storage::Lines),
        ] {
            assert_eq!(read(&format!("mnk:{size},k=3")).unwrap().storage(), storage);
        }
    }
}
