//! Genetic sessions: weights that play against each other, and of which the better ones have children.
//!
//! A [`Breeder`] takes a [`Population`] from one generation to the next: a pure function of the population, so that a
//! session that was ended at any point goes on as if it had not been. A generation's file is written before the next one
//! is played.

mod folder;
mod operators;
mod population;
mod settings;

use std::ops::RangeInclusive;
use std::time::Instant;

use compiled::duels::{Duel, Seeds};
use game::{Rng, Side, mix};
use play::Stop;

pub use folder::{Folder, load};
pub use population::Population;
pub use settings::{BreedingSettings, Crossover, Mutation, OperatorWord, Selection};

use crate::error::TuneError;
use crate::hall::{Bout, Hall};
use operators::{breed, fresh, ranking, schedule};

/// What plays a session's games and breeds its generations.
#[derive(Debug)]
pub struct Breeder {
    hall: Hall,
    ranges: Vec<RangeInclusive<i32>>,
    names: Vec<String>,
}

/// How a generation did.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationOutcome {
    /// Games played, the final with them.
    pub games: u64,
    /// Games drawn, of the generation's own.
    pub drawn: u64,
    /// The wins of the best member.
    pub wins: u32,
    /// Whether the best member is the new champion.
    pub succeeded: bool,
}

/// What decides a draw of lots: one stream for each purpose and generation.
#[derive(Clone, Copy)]
enum Stream {
    First = 1,
    Schedule,
    Games,
    Ranking,
    Children,
    Final,
}

impl Breeder {
    /// For these settings.
    ///
    /// # Errors
    /// If there is no such game, evaluation or weight, or nothing can be bred so.
    pub fn new(settings: &BreedingSettings, threads: usize) -> Result<Breeder, TuneError> {
        settings.check()?;
        let hall = Hall::open(&settings.game, &settings.evaluation, threads)?;
        let names: Vec<String> = hall.weights().iter().map(|weight| weight.name.clone()).collect();
        if let Some(unknown) = settings.off.iter().find(|off| !names.contains(off)) {
            let (evaluation, name) = (settings.evaluation.clone(), unknown.clone());
            return Err(TuneError::NoWeight { evaluation, name });
        }
        let range = |weight: &compiled::duels::DuelWeight| match settings.off.contains(&weight.name)
        {
            true => 0..=0,
            false => weight.range.clone(),
        };
        let ranges = hall.weights().iter().map(range).collect();
        Ok(Breeder { hall, ranges, names })
    }

    /// The first generation: all drawn at random.
    #[must_use]
    pub fn first(&self, settings: &BreedingSettings) -> Population {
        let mut rng = stream(settings, 0, Stream::First);
        let members = (0..settings.population).map(|_| fresh(&self.ranges, &mut rng)).collect();
        Population {
            settings: settings.clone(),
            generation: 0,
            games: 0,
            seconds: 0.0,
            names: self.names.clone(),
            champion: None,
            members,
        }
    }

    /// A population that was bred with other settings, for these: members beyond the new number go, fresh ones
    /// fill up, and what is switched off becomes 0, as do weights that came after it.
    ///
    /// # Errors
    /// If it has other weights.
    pub fn adopt(
        &self,
        mut population: Population,
        settings: &BreedingSettings,
    ) -> Result<Population, TuneError> {
        let same = population.settings.game == settings.game
            && population.settings.evaluation == settings.evaluation;
        if same {
            population.add_weights(&self.names);
        }
        if population.names != self.names {
            let what = |of: &BreedingSettings| format!("{} {}", of.game, of.evaluation);
            let (found, wanted) = (what(&population.settings), what(settings));
            return Err(TuneError::OtherWeights { found, wanted });
        }
        let mut rng = stream(settings, population.generation, Stream::First);
        let members = &mut population.members;
        members.truncate(settings.population);
        members.resize_with(settings.population, || fresh(&self.ranges, &mut rng));
        for genotype in members.iter_mut().chain(&mut population.champion) {
            for (weight, range) in genotype.iter_mut().zip(&self.ranges) {
                *weight = (*weight).clamp(*range.start(), *range.end());
            }
        }
        population.settings = settings.clone();
        Ok(population)
    }

    /// Weights as a file that bots can load.
    #[must_use]
    pub fn text(&self, weights: &[i32]) -> String {
        self.hall.ring().text(weights)
    }

    /// Plays a generation and breeds the next one; `None` if it was stopped before the end. `tell` hears how many
    /// games are done, of how many.
    pub fn next(
        &mut self,
        population: &Population,
        stop: &Stop,
        tell: &(dyn Fn(usize, usize) + Sync),
    ) -> Option<(Population, GenerationOutcome)> {
        let start = Instant::now();
        let settings = &population.settings;
        let of = |purpose| stream(settings, population.generation, purpose);
        let pairs = schedule(settings.population, settings.duels, &mut of(Stream::Schedule));
        let (wins, drawn) =
            self.play(population, &pairs, of(Stream::Games).next_u64(), stop, tell)?;
        let ranked = ranking(&wins, settings.noise, &mut of(Stream::Ranking));
        let best = &population.members[ranked[0]];
        let succeeded = match &population.champion {
            Some(champion) => {
                self.wins_final(population, best, champion, of(Stream::Final).next_u64(), stop)?
            }
            None => true,
        };
        let champion = if succeeded { Some(best.clone()) } else { population.champion.clone() };
        let members =
            breed(&population.members, &ranked, settings, &self.ranges, &mut of(Stream::Children));
        let final_games = if population.champion.is_some() { 2 } else { 0 };
        let games = 2 * pairs.len() as u64 + final_games;
        let next = Population {
            settings: settings.clone(),
            generation: population.generation + 1,
            games: population.games + games,
            seconds: population.seconds + start.elapsed().as_secs_f64(),
            names: population.names.clone(),
            champion,
            members,
        };
        Some((next, GenerationOutcome { games, drawn, wins: wins[ranked[0]], succeeded }))
    }

    /// Double duels with colours swapped: the wins of each member, and how many games were drawn.
    fn play(
        &mut self,
        population: &Population,
        pairs: &[(usize, usize)],
        seed: u64,
        stop: &Stop,
        tell: &(dyn Fn(usize, usize) + Sync),
    ) -> Option<(Vec<u32>, u64)> {
        let members = &population.members;
        let seats = |n: usize| {
            let (one, other) = pairs[n / 2];
            if n.is_multiple_of(2) { [one, other] } else { [other, one] }
        };
        let bouts: Vec<Bout<'_>> = (0..2 * pairs.len())
            .map(|n| bout(seats(n).map(|i| &members[i][..]), seed, n as u64))
            .collect();
        let all = bouts.len();
        let duels =
            self.hall.play(&bouts, &population.settings.terms, stop, &|done| tell(done, all))?;
        let mut wins = vec![0; members.len()];
        for (n, duel) in duels.iter().enumerate() {
            if let Some(winner) = duel.winner {
                wins[seats(n)[winner.index()]] += 1;
            }
        }
        let drawn = duels.iter().filter(|duel| duel.winner.is_none()).count() as u64;
        Some((wins, drawn))
    }

    /// Two games of the best against the champion, who is replaced on a tie or better.
    fn wins_final(
        &mut self,
        population: &Population,
        best: &[i32],
        champion: &[i32],
        seed: u64,
        stop: &Stop,
    ) -> Option<bool> {
        let bouts = [bout([best, champion], seed, 0), bout([champion, best], seed, 1)];
        let duels = self.hall.play(&bouts, &population.settings.terms, stop, &|_| {})?;
        let points = |side: Side, duel: &Duel| match duel.winner {
            Some(winner) if winner == side => 1,
            Some(_) => -1,
            None => 0,
        };
        Some(points(Side::First, &duels[0]) + points(Side::Second, &duels[1]) >= 0)
    }
}

/// The two games of a pair begin alike.
fn bout(seats: [&[i32]; 2], seed: u64, number: u64) -> Bout<'_> {
    let [first, second] = seats;
    let seeds = Seeds { opening: mix(seed ^ mix(number / 2)), play: mix(seed ^ mix(!number)) };
    Bout { first, second, seeds }
}

fn stream(settings: &BreedingSettings, generation: u64, purpose: Stream) -> Rng {
    Rng::new(mix(settings.seed ^ mix(generation << 8 | purpose as u64)))
}

#[cfg(test)]
mod tests;
