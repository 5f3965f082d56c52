//! `go:7x7,ko=positional,suicide=no,scoring=area,komi=0`: what can be chosen, and its canonical text.

use std::fmt;

use game::{
    Arguments, BoardSizes, Family, Grid, Keyword, Omitted, Parameter, ParameterKind, Preset, Spec,
    TextError, keywords,
};

use super::points::PointSet;

/// The longest side of a board.
const LONGEST: usize = 19;
/// The largest komi, in points.
const MOST_KOMI: usize = 361;

/// Everything there is to say about the family.
pub const FAMILY: Family = Family {
    name: "go",
    summary: "Surround more of the board than the other; surrounded stones are captured",
    variants: &[],
    parameters: &[
        Parameter {
            name: "size",
            kind: ParameterKind::Size(BoardSizes::Between(1, LONGEST)),
            omitted: Omitted::Value("7x7"),
            meaning: "the board",
        },
        Parameter {
            name: "ko",
            kind: ParameterKind::Choice { words: &keywords(&KOS) },
            omitted: Omitted::Value("positional"),
            meaning: "which boards may come back",
        },
        Parameter {
            name: "suicide",
            kind: ParameterKind::Switch,
            omitted: Omitted::Value("no"),
            meaning: "whether a stone may take its own chain off the board",
        },
        Parameter {
            name: "scoring",
            kind: ParameterKind::Choice { words: &keywords(&SCORINGS) },
            omitted: Omitted::Value("area"),
            meaning: "what counts at the end",
        },
        Parameter {
            name: "dead",
            kind: ParameterKind::Choice { words: &keywords(&DEADS) },
            omitted: Omitted::Described("playout"),
            meaning: "with scoring=territory: which stones are dead at the end",
        },
        Parameter {
            name: "komi",
            kind: ParameterKind::Halves { most: MOST_KOMI },
            omitted: Omitted::Value("0"),
            meaning: "points that White gets",
        },
    ],
    protocols: &["gtp"],
    presets: &[
        Preset { name: "go9", spec: "go:9x9,komi=7", summary: "Go on the small board" },
        Preset { name: "go13", spec: "go:13x13,komi=7", summary: "Go on the middle board" },
        Preset { name: "go19", spec: "go:19x19,komi=7", summary: "Go on the full board" },
        Preset {
            name: "tromp-taylor",
            spec: "go:19x19,suicide=yes",
            summary: "Go by the logical rules of Tromp and Taylor",
        },
        Preset {
            name: "japanese",
            spec: "go:19x19,ko=basic,scoring=territory,komi=6.5",
            summary: "Go with Japanese scoring",
        },
    ],
    offered: &[],
};

/// Which boards may come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ko {
    /// No move but a pass may lead to a board that was there before.
    #[default]
    Positional,
    /// No move but a pass may lead to a board that was there before with the same side to move.
    Situational,
    /// A stone that took just one may not be taken by one at once. A board that comes back with the
    /// same side to move ends the game at score 0.
    Basic,
}

const KOS: [(Keyword, Ko); 3] = [
    (Keyword::new("positional", "none"), Ko::Positional),
    (Keyword::new("situational", "none with the same side to move"), Ko::Situational),
    (
        Keyword::new(
            "basic",
            "any, but no stone may be retaken at once, and a board that comes back with the same \
             side to move ends the game at 0",
        ),
        Ko::Basic,
    ),
];

/// Whether a stone may take its own chain off the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Such a move is illegal.
    #[default]
    No,
    /// It may, even alone, where the ko rule allows it.
    Yes,
}

/// What counts at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones and surrounded points; all stones on the board are alive.
    #[default]
    Area,
    /// Surrounded points and prisoners, after dead stones are taken off as prisoners.
    Territory(Dead),
}

/// How dead stones are found where people do not agree on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dead {
    /// Those that most of a fixed number of random games from the final position capture.
    #[default]
    Playout,
    /// None: what is dead must be captured before both pass.
    Stay,
}

const SCORINGS: [(Keyword, Scoring); 2] = [
    (Keyword::new("area", "stones and surrounded points"), Scoring::Area),
    (
        Keyword::new("territory", "surrounded points and prisoners"),
        Scoring::Territory(Dead::Playout),
    ),
];
const DEADS: [(Keyword, Dead); 2] = [
    (Keyword::new("playout", "those that random games from there capture"), Dead::Playout),
    (Keyword::new("stay", "none"), Dead::Stay),
];

/// Points that White gets, in halves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Komi(i32);

impl Komi {
    /// `None` beyond 361 points.
    #[must_use]
    pub const fn from_halves(halves: i32) -> Option<Komi> {
        if halves.unsigned_abs() as usize <= 2 * MOST_KOMI { Some(Komi(halves)) } else { None }
    }

    /// In half points.
    #[must_use]
    pub fn halves(self) -> i32 {
        self.0
    }
}

/// In points: `7`, `6.5`, `-0.5`.
impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{sign}{}{half}", self.0.abs() / 2)
    }
}

/// The word that a board's points fit, which decides the compiled instance of
/// [`Go`](super::Go).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Up to 8 rows of 7.
    U64,
    /// Up to 11 rows of 10.
    U128,
    /// [`Wide`](super::Wide), all others.
    Wide,
}

/// The parameters of one game of the family. Prints as the game's canonical name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    size: Grid,
    /// Which boards may come back.
    pub ko: Ko,
    /// Whether a stone may take its own chain off the board.
    pub suicide: Suicide,
    /// What counts at the end.
    pub scoring: Scoring,
    /// Points that White gets.
    pub komi: Komi,
}

impl Parameters {
    /// The default rules on a board of this size; `None` unless both sides are from 1 to 19.
    #[must_use]
    pub const fn new(size: Grid) -> Option<Parameters> {
        match (size.rows, size.columns) {
            (1..=LONGEST, 1..=LONGEST) => Some(Parameters::usual(size)),
            _ => None,
        }
    }

    const fn usual(size: Grid) -> Parameters {
        let (ko, suicide, scoring) = (Ko::Positional, Suicide::No, Scoring::Area);
        Parameters { size, ko, suicide, scoring, komi: Komi(0) }
    }

    /// Reads the arguments of a game's name; those left out have their defaults.
    pub fn from_spec(spec: &Spec) -> Result<Parameters, TextError> {
        let arguments = spec.arguments(&FAMILY)?;
        Ok(Parameters {
            size: arguments.size()?,
            ko: arguments.choice("ko", &KOS)?,
            suicide: if arguments.switch("suicide")? { Suicide::Yes } else { Suicide::No },
            komi: Komi(arguments.halves("komi")?),
            scoring: read_scoring(spec, &arguments)?,
        })
    }

    /// Rows and columns.
    #[must_use]
    pub const fn size(self) -> Grid {
        self.size
    }

    /// The narrowest word that the board fits.
    #[must_use]
    pub fn storage(self) -> Storage {
        if u64::fits(self.size) {
            Storage::U64
        } else if u128::fits(self.size) {
            Storage::U128
        } else {
            Storage::Wide
        }
    }
}

fn read_scoring(spec: &Spec, arguments: &Arguments<'_>) -> Result<Scoring, TextError> {
    let scoring = arguments.choice("scoring", &SCORINGS)?;
    let dead = arguments.given("dead", |a, key| a.choice(key, &DEADS))?;
    match (scoring, dead) {
        (Scoring::Territory(_), Some(dead)) => Ok(Scoring::Territory(dead)),
        (scoring, None) => Ok(scoring),
        (Scoring::Area, Some(_)) => Err(spec.error(
            "dead is asked for with scoring=territory only; with scoring=area all stones are alive",
        )),
    }
}

/// The default rules on 7x7.
impl Default for Parameters {
    fn default() -> Parameters {
        Parameters::usual(Grid { rows: 7, columns: 7 })
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Grid { rows, columns } = self.size;
        write!(f, "{}:{rows}x{columns}", FAMILY.name)?;
        match self.ko {
            Ko::Positional => {}
            Ko::Situational => f.write_str(",ko=situational")?,
            Ko::Basic => f.write_str(",ko=basic")?,
        }
        match self.suicide {
            Suicide::No => {}
            Suicide::Yes => f.write_str(",suicide=yes")?,
        }
        match self.scoring {
            Scoring::Area => {}
            Scoring::Territory(Dead::Playout) => f.write_str(",scoring=territory")?,
            Scoring::Territory(Dead::Stay) => f.write_str(",scoring=territory,dead=stay")?,
        }
        if self.komi == Komi::default() { Ok(()) } else { write!(f, ",komi={}", self.komi) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::testkit::{names_are_refused, names_round_trip};

    fn read(text: &str) -> Result<Parameters, TextError> {
        Parameters::from_spec(&Spec::parse(text).unwrap())
    }

    #[test]
    fn canonical_names_round_trip() {
        let canonical = [
            "go:7x7",
            "go:1x19",
            "go:9x9,komi=7",
            "go:19x19,suicide=yes",
            "go:5x5,ko=basic,suicide=yes,scoring=territory,dead=stay,komi=-0.5",
            "go:19x19,ko=basic,scoring=territory,komi=6.5",
            "go:7x7,ko=situational,komi=361",
        ];
        names_round_trip(Parameters::from_spec, &canonical.map(|name| (name, name)));
        names_round_trip(
            Parameters::from_spec,
            &[
                ("go", "go:7x7"),
                ("go:suicide", "go:7x7,suicide=yes"),
                ("go:komi=0.0,ko=positional,suicide=no,scoring=area", "go:7x7"),
                ("go:komi=-0", "go:7x7"),
                ("go:komi=007", "go:7x7,komi=7"),
                ("go:dead=playout,scoring=territory,3x4", "go:3x4,scoring=territory"),
            ],
        );
        for preset in FAMILY.presets {
            assert_eq!(read(preset.spec).unwrap().to_string(), preset.spec);
        }
    }

    #[test]
    fn wrong_names_say_what_would_be_right() {
        names_are_refused(
            Parameters::from_spec,
            &[
                ("go:0x7", "1x1 to 19x19"),
                ("go:7x20", "1x1 to 19x19"),
                ("go:7", "rows x columns"),
                ("go:ko=super", "positional or situational or basic"),
                ("go:suicide=maybe", "yes or no"),
                ("go:scoring=stones", "area or territory"),
                ("go:dead=stay", "scoring=territory"),
                ("go:scoring=territory,dead=agree", "playout or stay"),
                ("go:komi", "komi=6.5"),
                ("go:komi=", "-361 to 361"),
                ("go:komi=6.25", "-361 to 361"),
                ("go:komi=361.5", "-361 to 361"),
                ("go:komi=+7", "-361 to 361"),
                ("go:komi=--7", "-361 to 361"),
                ("go:komi=99999999999999999999", "-361 to 361"),
                ("go:handicap=2", "size, ko, suicide, scoring, dead, komi"),
            ],
        );
    }

    #[test]
    fn boards_get_the_narrowest_word() {
        let storage =
            |rows, columns| Parameters::new(Grid { rows, columns }).map(Parameters::storage);
        assert_eq!(storage(7, 7), Some(Storage::U64));
        assert_eq!(storage(8, 7), Some(Storage::U64));
        assert_eq!(storage(7, 8), Some(Storage::U128));
        assert_eq!(storage(11, 10), Some(Storage::U128));
        assert_eq!(storage(10, 11), Some(Storage::Wide));
        assert_eq!(storage(19, 19), Some(Storage::Wide));
        assert_eq!(storage(0, 5), None);
        assert_eq!(storage(20, 5), None);
    }
}
