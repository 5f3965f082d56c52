//! Flags of `zermelo tune`.

use clap::{Args, Subcommand};

use super::breeding::{TuneDepths, TuneGenetic, TuneReport};

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
}
