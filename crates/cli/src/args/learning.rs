//! Flags of the commands of `zermelo tune` that learn from games and positions.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use arena::Sprt;
use clap::{Args, ValueEnum};
use play::{BotSpec, numbers};

use super::values::{
    bot, budget, evaluation, game_count, opening_plies, pull, seed, span_of_plies, sprt, step_count,
};

/// `zermelo tune data`.
#[derive(Args, Debug)]
pub(crate) struct TuneData {
    /// The game, as in reversi or draughts:english
    pub(crate) game: String,
    /// How many games are to be in the file
    #[arg(long, value_name = "N", default_value = "1000", value_parser = game_count)]
    pub(crate) games: usize,
    /// The file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Who plays
    #[arg(long, value_name = "BOT", default_value = "nodes=1000,hash=2", value_parser = bot)]
    pub(crate) bot: BotSpec,
    /// How many random plies games begin with, at least and at most
    #[arg(long, value_name = "FROM-TO", default_value = "4-10", value_parser = span_of_plies)]
    pub(crate) plies: RangeInclusive<usize>,
    /// How many nodes may be visited to prove what a position near the end is worth; 0 proves none
    #[arg(long, value_name = "N", default_value = "10000")]
    pub(crate) ending: u64,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
    /// How many games are played at once; the file is the same [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::thread_count)]
    pub(crate) threads: Option<usize>,
}

/// `zermelo tune logistic`.
#[derive(Args, Debug)]
pub(crate) struct TuneLogistic {
    /// The game, as in reversi or draughts:english
    pub(crate) game: String,
    /// Games to learn from, as `zermelo tune data` writes them
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The file to write the weights to
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The weights to begin with: the name of an evaluation or a file [default: the usual ones]
    #[arg(long, value_name = "NAME", value_parser = evaluation)]
    pub(crate) weights: Option<play::WeightsChoice>,
    /// What to predict
    #[arg(long, value_name = "WHAT", default_value = "result")]
    pub(crate) target: Prediction,
    /// How much changes are punished, as if so many positions spoke against them [default: what predicts best]
    #[arg(long, value_name = "X", value_parser = pull)]
    pub(crate) pull: Option<f64>,
    /// The most steps of the fit
    #[arg(long, value_name = "N", default_value = "200", value_parser = step_count)]
    pub(crate) steps: usize,
    /// Train a small network on the same positions, too, and say how well it predicts; it does not play
    #[arg(long)]
    pub(crate) network: bool,
    /// Where the network's random numbers begin
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
    /// How many threads work [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::thread_count)]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) gate: Gate,
}

/// What searches for weights by games have in common.
#[derive(Args, Debug)]
pub(crate) struct ByGames {
    /// The game, as in reversi or draughts:english
    pub(crate) game: String,
    /// How many games may be played, about
    #[arg(long, value_name = "N", default_value = "20000", value_parser = budget)]
    pub(crate) games: u64,
    /// The file to write the weights to
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The weights to begin with: the name of an evaluation or a file [default: the usual ones]
    #[arg(long, value_name = "NAME", value_parser = evaluation)]
    pub(crate) weights: Option<play::WeightsChoice>,
    /// How many plies both players look ahead
    #[arg(long, value_name = "N", default_value = "4", value_parser = numbers::depth)]
    pub(crate) depth: u32,
    /// How many positions they look at for a move, as bots do, instead of all of so many plies
    #[arg(long, value_name = "N", value_parser = numbers::node_count, conflicts_with = "depth")]
    pub(crate) nodes: Option<u64>,
    /// How many random plies games begin with
    #[arg(long, value_name = "N", default_value = "6", value_parser = opening_plies)]
    pub(crate) plies: usize,
    /// Pairs of games that two sets of weights meet in
    #[arg(long, value_name = "N", default_value = "16", value_parser = step_count)]
    pub(crate) pairs: usize,
    /// How far weights are changed at first: 1 is 15% of each, and at least 3% of the largest
    #[arg(long, value_name = "X", default_value = "1", value_parser = pull)]
    pub(crate) reach: f64,
    /// Keep the session in this file; with the same file and flags it goes on after an interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
    /// How many games are played at once; the result is the same [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::thread_count)]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) gate: Gate,
}

/// `zermelo tune spsa`.
#[derive(Args, Debug)]
pub(crate) struct TuneSpsa {
    #[command(flatten)]
    pub(crate) by_games: ByGames,
    /// How far weights go after a match that was won whole, as a share of how far they were changed
    #[arg(long, value_name = "X", default_value = "1", value_parser = pull)]
    pub(crate) rate: f64,
}

/// `zermelo tune cma`.
#[derive(Args, Debug)]
pub(crate) struct TuneCma {
    #[command(flatten)]
    pub(crate) by_games: ByGames,
    /// How many candidates a step has [default: what suits the number of weights]
    #[arg(long, value_name = "N", value_parser = step_count)]
    pub(crate) candidates: Option<usize>,
}

/// What a fit predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Prediction {
    /// Whether a game is won, drawn or lost
    Result,
    /// By how much it is won
    Margin,
}

/// The proof at the end.
#[derive(Args, Debug)]
pub(crate) struct Gate {
    /// End with a match against the weights before, in pairs from openings that nobody has learnt from, until a sequential test knows who is
    /// stronger; exit code 1 unless the new ones are
    #[arg(long)]
    pub(crate) gate: bool,
    /// How both think in that match
    #[arg(long, value_name = "BOT", default_value = "nodes=2000,hash=2", value_parser = bot)]
    pub(crate) gate_bot: BotSpec,
    /// The most games of the match
    #[arg(long, value_name = "N", default_value = "2000", value_parser = game_count)]
    pub(crate) gate_games: usize,
    /// What the test asks, as `zermelo match --sprt`
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", value_parser = sprt, allow_hyphen_values = true)]
    pub(crate) gate_sprt: Sprt,
    /// Where the openings of the match are drawn from
    #[arg(long, value_name = "N", default_value = "1913", value_parser = seed)]
    pub(crate) gate_seed: u64,
}
