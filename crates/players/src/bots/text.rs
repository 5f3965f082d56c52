//! Bots and numbers as text.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use game::TextError;
use play::Clock;
use search::{Algorithm, Table};

use super::{Bot, Level, Way, Weights};

/// A number in plain digits within a range.
///
/// # Errors
/// Says what would be right.
pub fn number(text: &str, low: u64, high: u64, what: &str) -> Result<u64, String> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|n| is_plain && (low..=high).contains(n));
    number.ok_or_else(|| match high {
        u64::MAX => format!("{what} is a number from {low} up"),
        _ => format!("{what} is a number from {low} to {high}"),
    })
}

/// How many plies to search.
///
/// # Errors
/// Says what would be right.
pub fn depth(text: &str) -> Result<u32, String> {
    number(text, 1, 999, "a depth").map(|n| n as u32)
}

/// How many nodes to visit.
///
/// # Errors
/// Says what would be right.
pub fn node_count(text: &str) -> Result<u64, String> {
    number(text, 1, u64::MAX, "a node count")
}

/// How long to search. A clock cannot be set further ahead than it can count, hence the upper end.
///
/// # Errors
/// Says what would be right.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 1e9;
    let seconds = text.parse().ok().filter(|&s: &f64| s > 0.0 && s <= LONGEST);
    let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    // What is too little to measure is nothing.
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| format!("a time is a number of seconds above 0, at most {LONGEST}"))
}

/// How many threads to search with.
///
/// # Errors
/// Says what would be right.
pub fn thread_count(text: &str) -> Result<usize, String> {
    number(text, 1, 256, "a number of threads").map(|n| n as usize)
}

/// How much memory to search with.
///
/// # Errors
/// Says what would be right.
pub fn hash_megabytes(text: &str) -> Result<usize, String> {
    number(text, 1, 65536, "a table size").map(|n| n as usize)
}

/// The largest table up to this size, in megabytes, for which there is memory.
#[must_use]
pub fn fitting_hash(megabytes: u32) -> u32 {
    u32::try_from(Table::largest(megabytes as usize)).unwrap_or(megabytes)
}

/// Seconds for the whole game and for each move, as in 60+0.5; or for so many moves, as in 40/60+0.5.
fn clock(text: &str) -> Result<Clock, String> {
    let right = "a clock is seconds for the game plus seconds a move, as in 60+0.5 or 40/60";
    let wrong = |_| right.to_owned();
    let (moves, text) = match text.split_once('/') {
        Some((moves, text)) => (Some(number(moves, 1, 1000, "moves").map_err(wrong)? as u32), text),
        None => (None, text),
    };
    let (left, increment) = text.split_once('+').unwrap_or((text, "0"));
    let increment = match increment {
        "0" => Duration::ZERO,
        increment => seconds(increment).map_err(wrong)?,
    };
    Ok(Clock { left: seconds(left).map_err(wrong)?, increment, moves })
}

impl FromStr for Bot {
    type Err = TextError;

    /// Reads a description as the module's page tells.
    fn from_str(text: &str) -> Result<Bot, TextError> {
        let mut bot = Bot::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut at = 0;
        for part in text.split(',') {
            let (key, value) = part.split_once('=').map_or((part, None), |(k, v)| (k, Some(v)));
            let kind = if value.is_none() { "a player" } else { key };
            if seen.contains(&kind) {
                return Err(TextError::new(text, format!("{kind} is said twice")).at(at));
            }
            seen.push(kind);
            bot.read_part(key, value).map_err(|why| TextError::new(text, why).at(at))?;
            at += part.chars().count() + 1;
        }
        Ok(bot)
    }
}

impl Bot {
    /// The methods that generated engines offer by name. Who looks for threats wins by them if it can, and else plays
    /// what looks best.
    fn name_method(&mut self, name: &str) {
        self.algorithm = match name {
            "montecarlo" => Some(Algorithm::MonteCarlo),
            _ => Some(Algorithm::Playing),
        };
        if name == "threats" {
            self.limits.depth = self.limits.depth.or(Some(1));
        }
    }

    fn read_part(&mut self, key: &str, value: Option<&str>) -> Result<(), String> {
        let Some(value) = value else {
            self.way = match key {
                "random" => Way::Random,
                "adjacent" => Way::Adjacent,
                method if METHODS.contains(&method) => {
                    self.name_method(method);
                    return Ok(());
                }
                name => {
                    let level = Level::ALL.into_iter().find(|level| level.name() == name);
                    Way::Search(Some(level.ok_or_else(players)?))
                }
            };
            return Ok(());
        };
        match key {
            "depth" => self.limits.depth = Some(depth(value)?),
            "nodes" => self.limits.nodes = Some(node_count(value)?),
            "time" => self.limits.time = Some(seconds(value)?),
            "clock" => self.limits.clock = Some(clock(value)?),
            "elo" => self.elo = Some(number(value, 0, 9999, "a rating")? as u32),
            "noise" => self.noise = Some(number(value, 0, 1_000_000, "noise")? as u32),
            "threads" => self.threads = Some(thread_count(value)?),
            "hash" => self.hash_megabytes = Some(hash_megabytes(value)?),
            "weights" => self.weights = Weights::read(value)?,
            "algorithm" => {
                let found = Algorithm::ALL.iter().copied().find(|a| a.name() == value);
                let names: Vec<_> = Algorithm::ALL.iter().map(|a| a.name()).collect();
                let wrong = || format!("an algorithm is one of {}", names.join(", "));
                self.algorithm = Some(found.ok_or_else(wrong)?);
            }
            _ => return Err(players()),
        }
        Ok(())
    }
}

/// The methods that generated engines offer by name.
const METHODS: [&str; 3] = ["threats", "alphabeta", "montecarlo"];

/// What would be right: every name that works.
fn players() -> String {
    let levels = Level::ALL.map(Level::name).join(", ");
    let methods = METHODS.join(", ");
    format!(
        "a bot is {levels}, random, adjacent, {methods}, elo=N, or limits depth=N, nodes=N, \
         time=S, clock=S+I with algorithm=NAME, weights=NAME, noise=N, threads=N, hash=MB, joined by commas"
    )
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: Duration| time.as_secs_f64();
        let mut parts = Vec::new();
        match self.way {
            Way::Random => parts.push("random".to_owned()),
            Way::Adjacent => parts.push("adjacent".to_owned()),
            Way::Search(level) => parts.extend(level.map(|level| level.to_string())),
        }
        parts.extend(self.elo.map(|elo| format!("elo={elo}")));
        parts.extend(self.limits.depth.map(|n| format!("depth={n}")));
        parts.extend(self.limits.nodes.map(|n| format!("nodes={n}")));
        parts.extend(self.limits.time.map(|time| format!("time={}", seconds(time))));
        let clock = |clock: Clock| {
            let moves = clock.moves.map_or_else(String::new, |moves| format!("{moves}/"));
            format!("clock={moves}{}+{}", seconds(clock.left), seconds(clock.increment))
        };
        parts.extend(self.limits.clock.map(clock));
        parts.extend(self.algorithm.map(|algorithm| format!("algorithm={algorithm}")));
        if self.weights != Weights::Usual {
            parts.push(format!("weights={}", self.weights));
        }
        parts.extend(self.noise.map(|noise| format!("noise={noise}")));
        parts.extend(self.threads.map(|threads| format!("threads={threads}")));
        parts.extend(self.hash_megabytes.map(|hash| format!("hash={hash}")));
        if parts.is_empty() {
            parts.push(format!("time={}", seconds(Bot::USUAL_TIME)));
        }
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_round_trip() {
        for text in [
            "beginner",
            "master",
            "random",
            "adjacent",
            "depth=7,algorithm=negascout",
            "hard,time=0.5",
            "nodes=100,noise=20,threads=2,hash=16",
            "easy,depth=3,nodes=5,time=0.1,clock=60+0.5,algorithm=montecarlo,noise=0",
            "clock=5+0",
            "clock=40/60+0.5",
            "depth=3,weights=zones",
            "elo=1500,threads=2",
            "medium,weights=random,noise=3",
            "easy,weights=mine.weights",
        ] {
            let bot: Bot = text.parse().unwrap();
            assert_eq!(bot.to_string(), text);
        }
        assert_eq!(Bot::default().to_string(), "time=1");
    }

    #[test]
    fn every_name_that_works_is_listed() {
        let why = "foo".parse::<Bot>().unwrap_err();
        let names: Vec<&str> = why.why().split(", or limits").next().unwrap()["a bot is ".len()..]
            .split(", ")
            .collect();
        for name in names.iter().filter(|name| !name.contains('=')) {
            assert!(name.parse::<Bot>().is_ok(), "{name}");
        }
        let known = ["random", "adjacent", "threats", "alphabeta", "montecarlo"];
        for name in known.into_iter().chain(Level::ALL.map(Level::name)) {
            assert!(names.contains(&name), "{name}: {why}");
        }
    }

    #[test]
    fn what_is_no_bot_is_refused_with_its_place() {
        for (text, at) in [
            ("", 0),
            ("grandmaster", 0),
            ("hard,easy", 5),
            ("hard,random", 5),
            ("depth=3,depth=4", 8),
            ("depth=0", 0),
            ("depth", 0),
            ("time=0", 0),
            ("time=-1", 0),
            ("time=inf", 0),
            ("clock=5+x", 0),
            ("clock=+1", 0),
            ("algorithm=best", 0),
            ("hard,", 5),
            ("noise=-3", 0),
            ("threads=0", 0),
            ("level=3", 0),
            ("elo=strong", 0),
            ("easy,weights=", 5),
        ] {
            let error = text.parse::<Bot>().expect_err(text);
            assert_eq!(error.character(), Some(at), "{text}");
            assert!(!error.why().is_empty());
        }
    }
}
