//! What fronts may set of the engine.

use std::ops::RangeInclusive;
use std::time::Duration;

use game::Expected;

use crate::bot::{MOST_MEGABYTES, MOST_THREADS, Means, SKILLS};

/// What fronts may set, beside the protocol's own defaults.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) means: Means,
    pub(super) lines: usize,
    pub(super) overhead: Duration,
    pub(super) fischer: bool,
    pub(super) show_chances: bool,
    /// The ratings that can be asked for, where there are such.
    ratings: Option<RangeInclusive<u32>>,
    limit_strength: bool,
    elo: u32,
}

impl Options {
    pub(super) fn new(fischer: bool) -> Options {
        Options {
            means: Means::default(),
            lines: 1,
            overhead: Duration::from_millis(10),
            fischer,
            show_chances: false,
            ratings: None,
            limit_strength: false,
            elo: 0,
        }
    }

    /// From now on these ratings can be asked for; the highest is the default.
    pub(super) fn rate(&mut self, ratings: Option<RangeInclusive<u32>>) {
        if self.ratings != ratings {
            self.elo = ratings.as_ref().map_or(0, |range| *range.end());
            self.ratings = ratings;
        }
    }

    /// All of them, as they are told to a front.
    pub(super) fn lines(&self) -> Vec<String> {
        let Options { means, lines, overhead, fischer, limit_strength, elo, .. } = self;
        let Means { hash_megabytes, threads, .. } = means;
        let overhead = overhead.as_millis();
        let skills = SKILLS.map(|skill| format!("var {skill}")).join(" ");
        let mut told = vec![
            format!("Hash type spin default {hash_megabytes} min 1 max {MOST_MEGABYTES}"),
            format!("Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("MultiPV type spin default {lines} min 1 max 255"),
            "Ponder type check default false".to_owned(),
            format!("Move Overhead type spin default {overhead} min 0 max 5000"),
            format!("UCI_Chess960 type check default {fischer}"),
            format!("UCI_ShowWDL type check default {}", self.show_chances),
            format!("Skill type combo default full {skills}"),
            "Clear Hash type button".to_owned(),
        ];
        if let Some(range) = &self.ratings {
            let (low, high) = (range.start(), range.end());
            told.push(format!("UCI_LimitStrength type check default {limit_strength}"));
            told.push(format!("UCI_Elo type spin default {elo} min {low} max {high}"));
        }
        told.into_iter().map(|option| format!("option name {option}")).collect()
    }

    /// Sets what needs nobody else; the name is in small letters.
    ///
    /// # Errors
    /// If there is no such option or value.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), Expected> {
        match name {
            "hash" => self.means.hash_megabytes = number(name, value, 1..=MOST_MEGABYTES)?,
            "threads" => self.means.threads = number(name, value, 1..=MOST_THREADS)?,
            "multipv" => self.lines = number(name, value, 1..=255)? as usize,
            "move overhead" => {
                let millis = number(name, value, 0..=5000)?;
                self.overhead = Duration::from_millis(millis.into());
            }
            "uci_showwdl" => self.show_chances = switch(name, value)?,
            "skill" => self.means.set_skill(name, value)?,
            "uci_limitstrength" if self.ratings.is_some() => {
                self.limit_strength = switch(name, value)?;
            }
            "uci_elo" if self.ratings.is_some() => {
                let range = self.ratings.clone().unwrap_or(0..=0);
                self.elo = number(name, value, range)?;
            }
            // Whether the front ponders is its own business.
            "ponder" => {}
            _ => return Err(format!("there is no option {name}").into()),
        }
        self.means.elo = self.limit_strength.then_some(self.elo);
        Ok(())
    }
}

fn number(name: &str, value: &str, range: RangeInclusive<u32>) -> Result<u32, Expected> {
    let number = value.parse().ok().filter(|n| range.contains(n));
    number.ok_or_else(|| {
        format!("{name} is a number from {} to {}", range.start(), range.end()).into()
    })
}

/// A switch is on or off.
pub(super) fn switch(name: &str, value: &str) -> Result<bool, Expected> {
    value.parse().map_err(|_| format!("{name} is true or false").into())
}
