//! What the description of a bot says, as far as a protocol has to know, and what fronts add to it.

use game::Expected;
use play::{BotSpec, Level, Limits, Way};

use crate::host::Host;

/// How strong a front may ask for; the first is all it can.
pub(crate) const SKILLS: [&str; 6] = [
    "full",
    Level::Beginner.name(),
    Level::Easy.name(),
    Level::Medium.name(),
    Level::Hard.name(),
    Level::Master.name(),
];
pub(crate) const MOST_MEGABYTES: u32 = 65536;
pub(crate) const MOST_THREADS: u32 = 256;

/// What a front sets of a player.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    pub(crate) hash_megabytes: u32,
    pub(crate) threads: u32,
    /// A level, or none for all it can.
    pub(crate) skill: Option<String>,
    /// A rating, which counts before a level.
    pub(crate) elo: Option<u32>,
}

impl Default for Means {
    fn default() -> Means {
        Means { hash_megabytes: 64, threads: 1, skill: None, elo: None }
    }
}

impl Means {
    /// Takes one of [`SKILLS`], in either case.
    pub(crate) fn set_skill(&mut self, name: &str, value: &str) -> Result<(), Expected> {
        let skill = SKILLS.iter().find(|skill| skill.eq_ignore_ascii_case(value));
        let skill = skill.ok_or_else(|| format!("{name} is one of {}", SKILLS.join(", ")))?;
        self.skill = (*skill != SKILLS[0]).then(|| (*skill).to_owned());
        Ok(())
    }

    /// Cuts the table to what fits into memory, and says so if it had to.
    pub(crate) fn fit(&mut self, host: &dyn Host) -> Option<String> {
        let asked = self.hash_megabytes;
        self.hash_megabytes = host.fitting_hash(asked).clamp(1, asked);
        (self.hash_megabytes < asked).then(|| {
            format!(
                "a table of {asked} MB does not fit into memory; {} MB are used",
                self.hash_megabytes
            )
        })
    }

    /// The description of a bot with these means, where it says nothing itself.
    pub(crate) fn describe(&self, bot: &str) -> String {
        let rating = self.elo.map(|elo| format!("elo={elo}"));
        let own = rating.as_deref().or(self.skill.as_deref()).unwrap_or(bot);
        // What cannot be read is told by whoever is to play as it.
        let said: BotSpec = own.parse().unwrap_or_default();
        let threads = said.threads.is_none().then(|| format!("threads={}", self.threads));
        let hash = said.hash_megabytes.is_none().then(|| format!("hash={}", self.hash_megabytes));
        let own = Some(own.to_owned()).filter(|own| !own.is_empty());
        own.into_iter().chain(threads).chain(hash).collect::<Vec<_>>().join(",")
    }
}

/// A description that is never empty.
pub(crate) fn described(bot: &str) -> String {
    // Every player has threads; nothing else is said by that.
    if bot.is_empty() { "threads=1".to_owned() } else { bot.to_owned() }
}

/// Whether a bot says itself how long it thinks.
pub(crate) fn has_limits(bot: &str) -> bool {
    bot.parse().is_ok_and(|bot: BotSpec| {
        bot.way != Way::Search(None) || bot.elo.is_some() || bot.limits != Limits::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_limits_are_told_from_the_rest() {
        for bot in [
            "hard",
            "depth=3",
            "elo=1500",
            "threads=2,time=1",
            "easy,hash=1",
            "adjacent",
            "threats",
        ] {
            assert!(has_limits(bot), "{bot}");
        }
        for bot in [
            "",
            "threads=1",
            "alphabeta,hash=4",
            "playing",
            "montecarlo",
            "hash=64,noise=3",
            "algorithm=negascout",
        ] {
            assert!(!has_limits(bot), "{bot}");
        }
    }

    #[test]
    fn fronts_add_what_a_bot_does_not_say() {
        let mut means = Means { threads: 2, ..Means::default() };
        assert_eq!(means.describe(""), "threads=2,hash=64");
        assert_eq!(means.describe("depth=3,hash=1"), "depth=3,hash=1,threads=2");
        assert!(
            means.set_skill("skill", "Easy").is_ok() && means.set_skill("skill", "no").is_err()
        );
        assert_eq!(means.describe("depth=3"), "easy,threads=2,hash=64");
        means.elo = Some(1500);
        assert_eq!(means.describe("depth=3"), "elo=1500,threads=2,hash=64");
        assert!(means.set_skill("skill", "full").is_ok() && means.skill.is_none());
    }
}
