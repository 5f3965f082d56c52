//! Flags of `zermelo weights`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::values::{assignment, evaluation, seed};

/// `zermelo weights`.
#[derive(Args, Debug)]
pub(crate) struct Weights {
    #[command(subcommand)]
    pub(crate) command: WeightsCommand,
}

/// What to do with weights.
#[derive(Debug, Subcommand)]
pub(crate) enum WeightsCommand {
    /// Write an evaluation to standard output, as a file that bots can load, or explained
    Show(WeightsShow),
    /// Put two evaluations side by side
    Diff(WeightsDiff),
    /// Change some weights and write a new file
    Edit(WeightsEdit),
    /// Write weights as text, JSON or CSV, whichever of these they come in; bring old files up to date
    Convert(WeightsConvert),
}

/// `zermelo weights show`.
#[derive(Args, Debug)]
pub(crate) struct WeightsShow {
    /// The game, as in chess or draughts:english, or a file of weights
    #[arg(value_name = "GAME|FILE")]
    pub(crate) subject: String,
    /// Which evaluation of the game: a name, a file to check, or random [default: the usual one]
    #[arg(long, value_name = "NAME", value_parser = evaluation)]
    pub(crate) weights: Option<play::WeightsChoice>,
    /// Draw random weights from here
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
    /// Say what the weights mean, each in one of five words and as a bar
    #[arg(long)]
    pub(crate) words: bool,
    /// Draw them into this file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// `zermelo weights diff`.
#[derive(Args, Debug)]
pub(crate) struct WeightsDiff {
    /// A file of weights, or the name of an evaluation
    #[arg(value_parser = evaluation)]
    pub(crate) one: play::WeightsChoice,
    /// What to compare it with
    #[arg(value_parser = evaluation)]
    pub(crate) other: play::WeightsChoice,
    /// The game; needed if neither is a file
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// List weights that do not differ, too
    #[arg(long)]
    pub(crate) all: bool,
    /// Draw both into this file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// `zermelo weights edit`.
#[derive(Args, Debug)]
pub(crate) struct WeightsEdit {
    /// A file of weights, or a game, whose usual weights are changed then
    #[arg(value_name = "FILE|GAME")]
    pub(crate) subject: String,
    /// What to change, as in man.opening=105
    #[arg(value_name = "NAME=VALUE", required = true, value_parser = assignment)]
    pub(crate) changes: Vec<(String, String)>,
    /// The file to write; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// `zermelo weights convert`.
#[derive(Args, Debug)]
pub(crate) struct WeightsConvert {
    /// A file of weights as text, JSON or CSV
    pub(crate) file: PathBuf,
    /// What to write
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) to: WeightForm,
    /// The file is from an older version of the program: weights it lacks are the usual ones, those that are gone are left out
    #[arg(long)]
    pub(crate) upgrade: bool,
    /// The file to write; - is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
}

/// What weights can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightForm {
    /// What bots load
    Text,
    /// One object
    Json,
    /// A table with the columns game, evaluation, name, value
    Csv,
}
