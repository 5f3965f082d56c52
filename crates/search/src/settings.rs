//! What to search with.

use std::time::Duration;

pub(crate) use play::Algorithm;
use play::Limits;

/// The algorithms that are compiled here.
#[cfg(feature = "study")]
pub const ALGORITHMS: &[Algorithm] = &Algorithm::ALL;

/// The algorithms that are compiled here: those that play.
#[cfg(not(feature = "study"))]
pub const ALGORITHMS: &[Algorithm] = &[Algorithm::Playing, Algorithm::MonteCarlo];

/// Switches for what makes a search look at less. None of them changes the value that a classic
/// search finds. Minimax looks at everything and heeds none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Remember positions in a transposition table.
    pub table: bool,
    /// Treat mirrored and turned positions as one in the table.
    pub symmetry: bool,
    /// Try moves first that refuted a sibling.
    pub killers: bool,
    /// Try moves first that were good elsewhere in the tree.
    pub history: bool,
    /// Try moves first that the game's heuristics find promising, and leave out doomed ones.
    pub ranking: bool,
    /// Stop where the game's heuristics prove that a side can no longer win.
    pub bounds: bool,
    /// Search to depth 1, 2, 3, … so that each depth orders the moves of the next.
    pub deepening: bool,
}

impl Techniques {
    /// Everything.
    pub const ALL: Techniques = Techniques {
        table: true,
        symmetry: true,
        killers: true,
        history: true,
        ranking: true,
        bounds: true,
        deepening: true,
    };
    /// Nothing: the bare algorithm.
    pub const NONE: Techniques = Techniques {
        table: false,
        symmetry: false,
        killers: false,
        history: false,
        ranking: false,
        bounds: false,
        deepening: false,
    };
    /// The names of the switches, as the command line writes them.
    pub const NAMES: [&'static str; 7] =
        ["table", "symmetry", "killers", "history", "ranking", "bounds", "deepening"];

    /// The switch of that name.
    pub fn switch(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "table" => Some(&mut self.table),
            "symmetry" => Some(&mut self.symmetry),
            "killers" => Some(&mut self.killers),
            "history" => Some(&mut self.history),
            "ranking" => Some(&mut self.ranking),
            "bounds" => Some(&mut self.bounds),
            "deepening" => Some(&mut self.deepening),
            _ => None,
        }
    }
}

/// What to search with, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which search.
    pub algorithm: Algorithm,
    /// With what.
    pub techniques: Techniques,
    /// How far; with nothing set, to the end of the game, which may never come.
    pub limits: Limits,
    /// Size of the transposition table, or of the tree of random games.
    pub hash_megabytes: usize,
    /// How many threads search. Only one gives the same answer every time.
    pub threads: usize,
    /// How many of the best moves to find, each with its value and line.
    pub lines: usize,
    /// How far a judgement may be off, in the evaluation's own units: a player that sees worse.
    /// Positions are misjudged alike as long as the seed stays the same.
    pub noise: u32,
    /// With a seed, all moves that share the best value are found and one is drawn, each with the
    /// same chance. Without, the first one found is taken. Random games are drawn from it too.
    pub seed: Option<u64>,
}

impl Settings {
    /// The default but for its limit: to the end of the game, however long that takes.
    #[must_use]
    pub fn exhaustive() -> Settings {
        Settings { limits: Limits::default(), ..Settings::default() }
    }
}

/// A search that stops by itself, after a second.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::NegaScout,
            techniques: Techniques::ALL,
            limits: Limits { time: Some(Duration::from_secs(1)), ..Limits::default() },
            hash_megabytes: 64,
            threads: 1,
            lines: 1,
            noise: 0,
            seed: None,
        }
    }
}
