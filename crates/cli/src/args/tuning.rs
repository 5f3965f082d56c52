//! Flags of `zermelo tune`.

use clap::{Args, Subcommand};

use super::breeding::{TuneDepths, TuneGenetic, TuneReport};
use super::learning::{TuneCma, TuneData, TuneLogistic, TuneSpsa};

/// `zermelo tune`.
#[derive(Args, Debug)]
pub(crate) struct Tune {
    #[command(subcommand)]
    pub(crate) command: TuneCommand,
}

/// How to find weights.
#[derive(Debug, Subcommand)]
pub(crate) enum TuneCommand {
    /// Breed weights: members of a population play each other, and the better half have children
    ///
    /// Every generation is kept in a file of its own in the session's folder; after Ctrl-C, a crash or a kill, --resume goes on
    /// from the last one.
    Genetic(Box<TuneGenetic>),
    /// Average sessions: the priority of every weight in words, and those that hardly matter
    Report(TuneReport),
    /// Run the same session at two depths, several times each, and say whether the depth makes a difference
    Depths(Box<TuneDepths>),
    /// Play games to learn from, and write them to a file
    ///
    /// A bot plays against itself from random openings. The last positions of each game are searched to the end, and what was proved of them is
    /// kept with how the game ended. With the same file and flags, playing goes on where it was left.
    Data(TuneData),
    /// Fit weights to how games ended (logistic regression, known as Texel tuning) or to their margins
    ///
    /// Quiet positions of the games are judged by the evaluation as it is; then its weights are changed so that its scores predict the results
    /// best. One game in ten is held out, to see what was learnt and not just remembered.
    Logistic(TuneLogistic),
    /// Find weights by games: all are changed at once to either side, and go to the side that wins (SPSA)
    Spsa(TuneSpsa),
    /// Find weights by games: a cloud of candidates that takes the shape of what helps (CMA-ES)
    Cma(TuneCma),
}
