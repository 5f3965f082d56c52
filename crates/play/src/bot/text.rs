//! Bots as text: the one parser, and how a bot is written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use game::{Expected, TextError};

use super::{BotSpec, Way, WeightsChoice};
use crate::algorithm::Algorithm;
use crate::levels::Level;
use crate::limits::Clock;
use crate::numbers::{clock, depth, hash_megabytes, node_count, number, seconds, thread_count};

impl FromStr for BotSpec {
    type Err = TextError;

    /// Reads a description as the module's page tells.
    fn from_str(text: &str) -> Result<BotSpec, TextError> {
        let mut bot = BotSpec::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut at = 0;
        for part in text.split(',') {
            let (key, value) = part.split_once('=').map_or((part, None), |(k, v)| (k, Some(v)));
            let kind = if value.is_none() { "a player" } else { key };
            if seen.contains(&kind) {
                return Err(TextError::new(text, format!("{kind} is said twice")).at(at));
            }
            seen.push(kind);
            bot.read_part(key, value).map_err(|why| why.of(text).at(at))?;
            at += part.chars().count() + 1;
        }
        Ok(bot)
    }
}

impl BotSpec {
    /// A search by its own name, as in `algorithm=NAME`; `threats` is the playing search that looks one ply ahead: it
    /// wins by threats if it can, and else plays what looks best.
    fn name_method(&mut self, name: &str) {
        self.algorithm = Algorithm::named(name).or(Some(Algorithm::Playing));
        if name == "threats" {
            self.limits.depth = self.limits.depth.or(Some(1));
        }
    }

    fn read_part(&mut self, key: &str, value: Option<&str>) -> Result<(), Expected> {
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
            "weights" => self.weights = WeightsChoice::read(value)?,
            "algorithm" => {
                let found = Algorithm::named(value);
                self.algorithm = Some(found.ok_or_else(|| one_of(&Algorithm::ALL))?);
            }
            _ => return Err(players()),
        }
        Ok(())
    }
}

/// What would be right where an algorithm is named that is not among these.
#[must_use]
pub fn one_of(algorithms: &[Algorithm]) -> Expected {
    let names: Vec<_> = algorithms.iter().map(|a| a.name()).collect();
    format!("an algorithm is one of {}", names.join(", ")).into()
}

/// Searches that are named without `algorithm=`.
const METHODS: [&str; 4] = ["threats", "playing", "alphabeta", "montecarlo"];

/// What would be right: every name that works.
fn players() -> Expected {
    let levels = Level::ALL.map(Level::name).join(", ");
    let methods = METHODS.join(", ");
    format!(
        "a bot is {levels}, random, adjacent, {methods}, elo=N, or limits depth=N, nodes=N, \
         time=S, clock=S+I with algorithm=NAME, weights=NAME, noise=N, threads=N, hash=MB, joined by commas"
    )
    .into()
}

impl fmt::Display for BotSpec {
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
        let written = |clock: Clock| {
            let moves = clock.moves.map_or_else(String::new, |moves| format!("{moves}/"));
            format!("clock={moves}{}+{}", seconds(clock.left), seconds(clock.increment))
        };
        parts.extend(self.limits.clock.map(written));
        parts.extend(self.algorithm.map(|algorithm| format!("algorithm={algorithm}")));
        if self.weights != WeightsChoice::Usual {
            parts.push(format!("weights={}", self.weights));
        }
        parts.extend(self.noise.map(|noise| format!("noise={noise}")));
        parts.extend(self.threads.map(|threads| format!("threads={threads}")));
        parts.extend(self.hash_megabytes.map(|hash| format!("hash={hash}")));
        if parts.is_empty() {
            parts.push(format!("time={}", seconds(BotSpec::USUAL_TIME)));
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
            let bot: BotSpec = text.parse().unwrap();
            assert_eq!(bot.to_string(), text);
        }
        assert_eq!(BotSpec::default().to_string(), "time=1");
    }

    #[test]
    fn every_name_that_works_is_listed() {
        let why = "foo".parse::<BotSpec>().unwrap_err();
        let names: Vec<&str> = why.why().split(", or limits").next().unwrap()["a bot is ".len()..]
            .split(", ")
            .collect();
        for name in names.iter().filter(|name| !name.contains('=')) {
            assert!(name.parse::<BotSpec>().is_ok(), "{name}");
        }
        let known = ["random", "adjacent", "threats", "playing", "alphabeta", "montecarlo"];
        for name in known.into_iter().chain(Level::ALL.map(Level::name)) {
            assert!(names.contains(&name), "{name}: {why}");
        }
    }

    #[test]
    fn a_search_is_what_it_is_called() {
        for name in ["playing", "alphabeta", "montecarlo"] {
            let bot: BotSpec = name.parse().unwrap();
            assert_eq!(bot.algorithm.map(Algorithm::name), Some(name));
            assert_eq!(Ok(bot), format!("algorithm={name}").parse());
        }
        let threats: BotSpec = "threats".parse().unwrap();
        assert_eq!(Ok(threats), "depth=1,algorithm=playing".parse());
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
            let error = text.parse::<BotSpec>().expect_err(text);
            assert_eq!(error.character(), Some(at), "{text}");
            assert!(!error.why().is_empty());
        }
    }
}
