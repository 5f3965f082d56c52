//! Flags of genetic sessions and of what reports on them.

use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use game::Expected;
use play::numbers::{self, number};
use tune::genetic::{BreedingSettings, Crossover, Mutation, OperatorWord, Selection};

use super::learning::Gate;
use super::values::{opening_plies, seed};
use crate::commands::tune::genetic::{USUAL_GENERATIONS, usual_settings};

/// `zermelo tune genetic`.
#[derive(Args, Debug)]
pub(crate) struct TuneGenetic {
    /// The game, as in draughts:english,draw=40-plies-captureless
    pub(crate) game: String,
    /// The session's folder, in which every generation is kept
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// Go on with the session: from its last generation, or from that of a file
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub(crate) resume: Option<Option<PathBuf>>,
    #[command(flatten)]
    pub(crate) breeding: Breeding,
    #[arg(long, value_name = "N", value_parser = seed,
          help = usual("Where the random numbers begin", |s| s.seed))]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_name = "N", value_parser = generation_count, help = format!(
        "Stop when there are so many generations [default: {USUAL_GENERATIONS}, or no limit with --time]"))]
    pub(crate) generations: Option<u64>,
    /// Stop after about so many seconds
    #[arg(long, value_name = "S", value_parser = numbers::seconds)]
    pub(crate) time: Option<Duration>,
    /// Write the champion's weights to this file, for bots
    #[arg(long, value_name = "FILE", required_if_eq("gate", "true"))]
    pub(crate) weights: Option<PathBuf>,
    /// How many games are played at once; the result is the same [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::thread_count)]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) gate: Gate,
}

/// A help text with what holds in a new session; one that is resumed keeps its own settings.
fn usual<T: Display>(what: &str, setting: fn(&BreedingSettings) -> T) -> String {
    format!("{what} [default: {}]", setting(&usual_settings("")))
}

/// How generations are bred. What is not given is as usual, or with --resume as it was.
#[derive(Args, Clone, Debug)]
pub(crate) struct Breeding {
    #[arg(long, value_name = "NAME",
          help = usual("The evaluation whose weights are bred", |s| s.evaluation.clone()))]
    pub(crate) evaluation: Option<String>,
    #[arg(long, value_name = "N", value_parser = member_count,
          help = usual("How many members, divisible by 4", |s| s.population))]
    pub(crate) population: Option<usize>,
    #[arg(long, value_name = "N", value_parser = duel_count, help = usual(
        "How many others each member meets in a generation, twice with colours swapped; 0 for all", |s| s.duels))]
    pub(crate) duels: Option<usize>,
    #[arg(long, value_name = "N", value_parser = duel_depth,
          help = usual("How many plies both players look ahead", |s| s.terms.depth))]
    pub(crate) depth: Option<u32>,
    #[arg(long, value_name = "N", value_parser = percentage, help = usual(
        "A random number up to this is added to the wins before the better half is chosen", |s| s.noise))]
    pub(crate) noise: Option<u32>,
    #[arg(long, value_name = "N", value_parser = percentage,
          help = usual("The chance that a weight of a child changes, in per cent", |s| s.mutation))]
    pub(crate) mutation: Option<u32>,
    /// Who becomes a parent: half (the better half) or tournament (the better of two drawn ones) [default: half]
    #[arg(long, value_name = "KIND", value_parser = Selection::read)]
    pub(crate) selection: Option<Selection>,
    /// How the weights of two parents are mixed: one-point or uniform [default: one-point]
    #[arg(long, value_name = "KIND", value_parser = Crossover::read)]
    pub(crate) crossover: Option<Crossover>,
    /// How a weight changes: redraw (anew from the whole range) or gaussian [default: redraw]
    #[arg(long, value_name = "KIND", value_parser = Mutation::read)]
    pub(crate) change: Option<Mutation>,
    #[arg(long, value_name = "N", value_parser = opening_plies,
          help = usual("How many random plies games begin with", |s| s.terms.opening))]
    pub(crate) opening: Option<usize>,
    #[arg(long, value_name = "N", value_parser = longest_game,
          help = usual("After so many plies a game is drawn", |s| s.terms.longest))]
    pub(crate) longest: Option<u32>,
    /// A file of names of weights that are 0 and stay so, as `zermelo tune report --reduced` writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) off: Option<PathBuf>,
}

/// `zermelo tune report`.
#[derive(Args, Debug)]
pub(crate) struct TuneReport {
    /// Sessions: folders, or files of generations, of which the champions are averaged
    #[arg(required = true, value_name = "SESSION")]
    pub(crate) sessions: Vec<PathBuf>,
    /// Write the names of the weights of low priority to this file, for `zermelo tune genetic --off`
    #[arg(long, value_name = "FILE")]
    pub(crate) reduced: Option<PathBuf>,
    /// Write the average weights to this file, for bots; those of low priority are 0 in it if --reduced is given
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
}

/// `zermelo tune depths`.
#[derive(Args, Debug)]
pub(crate) struct TuneDepths {
    /// The game, as in draughts:english,draw=40-plies-captureless
    pub(crate) game: String,
    /// A folder for the sessions; those that are there and finished are not run again
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// The two depths
    #[arg(long, value_name = "N,N", default_value = "4,5", value_parser = two_depths)]
    pub(crate) depths: (u32, u32),
    /// How many sessions at each depth, 2 to 20
    #[arg(long, value_name = "N", default_value = "4", value_parser = run_count)]
    pub(crate) runs: u64,
    /// How many generations each session has
    #[arg(long, value_name = "N", default_value = "30", value_parser = generation_count)]
    pub(crate) generations: u64,
    /// The sessions' seeds count from here
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) breeding: Breeding,
    /// How many games are played at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::thread_count)]
    pub(crate) threads: Option<usize>,
}

fn generation_count(text: &str) -> Result<u64, Expected> {
    number(text, 1, 999_999, "a number of generations")
}

fn member_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 10_000, "a population").map(|n| n as usize)
}

fn duel_count(text: &str) -> Result<usize, Expected> {
    number(text, 0, 9_999, "a number of duels").map(|n| n as usize)
}

fn duel_depth(text: &str) -> Result<u32, Expected> {
    number(text, 1, 64, "a depth").map(|n| n as u32)
}

fn percentage(text: &str) -> Result<u32, Expected> {
    number(text, 0, 100, "this").map(|n| n as u32)
}

fn longest_game(text: &str) -> Result<u32, Expected> {
    number(text, 1, 100_000, "a number of plies").map(|n| n as u32)
}

fn run_count(text: &str) -> Result<u64, Expected> {
    number(text, 2, 20, "a number of runs")
}

fn two_depths(text: &str) -> Result<(u32, u32), Expected> {
    let (one, other) = text.split_once(',').ok_or("two depths would be right, as in 4,5")?;
    let (one, other) = (duel_depth(one)?, duel_depth(other)?);
    if one == other { Err("two different depths would be right".into()) } else { Ok((one, other)) }
}
