//! [`Level`]: five names for how strong a player is, whatever the game.

use std::fmt;
use std::time::Duration;

use game::Limits;

/// How strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For those who have just learnt the rules.
    Beginner,
    /// For those who play now and then.
    Easy,
    /// For those who play often.
    Medium,
    /// Hard to beat, and quick.
    Hard,
    /// As strong as it gets in a second or so.
    Master,
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Level; 5] =
        [Level::Beginner, Level::Easy, Level::Medium, Level::Hard, Level::Master];

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Master => "master",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a level means in a game: how far a player looks, and how well it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// When it stops thinking.
    pub limits: Limits,
    /// How far its judgement is off.
    pub noise: u32,
}

/// The levels of a game up to hard. Weak ones look less far and see less well, but never play a move without a
/// thought.
#[derive(Clone, Copy, Debug)]
pub struct Levels(pub(crate) [Strength; 4]);

impl Levels {
    /// What a master takes for a move.
    const MASTER: Strength = Strength {
        limits: Limits {
            time: Some(Duration::from_secs(1)),
            depth: None,
            nodes: None,
            clock: None,
        },
        noise: 0,
    };

    pub(crate) fn of(&self, level: Level) -> Strength {
        self.0.get(level as usize).copied().unwrap_or(Levels::MASTER)
    }
}

/// So many plies.
pub(crate) const fn depth(plies: u32, noise: u32) -> Strength {
    let limits = Limits { depth: Some(plies), nodes: None, time: None, clock: None };
    Strength { limits, noise }
}

/// So many nodes, or random games.
pub(crate) const fn nodes(nodes: u64) -> Strength {
    let limits = Limits { depth: None, nodes: Some(nodes), time: None, clock: None };
    Strength { limits, noise: 0 }
}
