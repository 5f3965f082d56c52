//! [`Level`]: five names for how strong a player is, whatever the game; and what they mean in one.
//!
//! A game says its [`Levels`] by [`plies`] and [`nodes`], and its [`Ratings`] if they were measured.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use game::Expected;

use crate::limits::Limits;

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

    /// What somebody meets who asks for none, at the terminal as on the page.
    pub const USUAL: Level = Level::Easy;

    /// As people write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
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
pub struct Levels(pub [Strength; 4]);

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

    /// What a level means.
    #[must_use]
    pub fn of(&self, level: Level) -> Strength {
        self.0.get(level as usize).copied().unwrap_or(Levels::MASTER)
    }
}

/// Players whose ratings were measured, the weakest first: Elo and the nodes that one looks at for
/// a move.
#[derive(Clone, Copy, Debug)]
pub struct Ratings(pub &'static [(u32, u64)]);

impl Ratings {
    /// The weakest and the strongest.
    #[must_use]
    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        Some(self.0.first()?.0..=self.0.last()?.0)
    }

    /// A player of this rating: between two that were measured the logarithm of the nodes grows
    /// evenly with it.
    ///
    /// # Errors
    /// If it is not between any two.
    pub fn of(&self, elo: u32) -> Result<Strength, Expected> {
        let range = self.range().ok_or("elo=N is for games whose players were rated")?;
        if !range.contains(&elo) {
            let (low, high) = range.into_inner();
            return Err(format!("elo is from {low} to {high} in this game").into());
        }
        let above = self.0.partition_point(|&(rating, _)| rating < elo);
        let (high, most) = self.0[above];
        let (low, least) = self.0[above.saturating_sub(1)];
        let part = f64::from(elo - low.min(elo)) / f64::from((high - low).max(1));
        let [least, most] = [least, most].map(|nodes| (nodes as f64).ln());
        let [least, most] = if above == 0 { [most; 2] } else { [least, most] };
        Ok(nodes((least + part * (most - least)).exp().round() as u64))
    }
}

/// A player that looks so many plies ahead and misjudges positions by up to `noise`, in the units
/// of its evaluation.
#[must_use]
pub const fn plies(depth: u32, noise: u32) -> Strength {
    let limits = Limits { depth: Some(depth), nodes: None, time: None, clock: None };
    Strength { limits, noise }
}

/// A player that looks at so many nodes, or random games, for a move.
#[must_use]
pub const fn nodes(nodes: u64) -> Strength {
    let limits = Limits { depth: None, nodes: Some(nodes), time: None, clock: None };
    Strength { limits, noise: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_between_those_measured_grow_evenly() {
        let ratings = Ratings(&[(1000, 10), (1200, 1000), (1500, 8000)]);
        assert_eq!(ratings.range(), Some(1000..=1500));
        for (elo, expected) in [(1000, 10), (1100, 100), (1200, 1000), (1300, 2000), (1500, 8000)] {
            assert_eq!(ratings.of(elo), Ok(nodes(expected)), "{elo}");
        }
        for elo in [0, 999, 1501, u32::MAX] {
            assert_eq!(ratings.of(elo), Err("elo is from 1000 to 1500 in this game".into()));
        }
        assert!(Ratings(&[]).of(1000).is_err() && Ratings(&[]).range().is_none());
    }
}
