//! Flags of the commands that solve games and check proofs.

use std::path::PathBuf;
use std::time::Duration;

use catalog::bots;
use clap::Args;
use solve::{Method, Proof, Question};

use super::Place;
use super::values::{leaf_budget, seed};

/// `zermelo solve`.
#[derive(Args, Debug)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) place: Place,
    /// What to find out: value (by how much the game is won), outcome (who wins), or ge:K (whether the first player's margin is
    /// at least K points)
    #[arg(long, value_name = "Q", default_value = "value")]
    pub(crate) question: Question,
    /// How: alphabeta (depth first with null windows; the default), proof (depth-first proof numbers), bestfirst (proof numbers
    /// over the tree in the store) or retrograde (all positions of a small game, back from the end)
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<Method>,
    /// How much to find out: weak (what this position is worth) or strong (what every position is worth that can come up from
    /// here, and how far the end is; kept in a table, for small games)
    #[arg(long, value_name = "KIND", default_value = "weak")]
    pub(crate) proof: Proof,
    /// Where to write the table of a strong proof; without, where the web table looks for it
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Keep what is found out in this file, to go on after an interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Go on with the store that is there
    #[arg(long, requires = "store")]
    pub(crate) resume: bool,
    /// Write a proof of the answer to this file, for `zermelo verify`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// How many positions may be visited to check one leaf of the proof, 1 to 16777216: more makes a smaller file
    #[arg(long, value_name = "N", default_value = "10000", requires = "certificate", value_parser = leaf_budget)]
    pub(crate) leaf: u64,
    /// The most nodes of one piece of work, after which the moves of a position become pieces of their own
    #[arg(long, value_name = "N", value_parser = bots::node_count)]
    pub(crate) slice: Option<u64>,
    /// Give up after about so many nodes
    #[arg(long, value_name = "N", value_parser = bots::node_count)]
    pub(crate) nodes: Option<u64>,
    /// Give up after about so many seconds
    #[arg(long, value_name = "S", value_parser = bots::seconds)]
    pub(crate) time: Option<Duration>,
    /// Megabytes for tables, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "256", value_parser = bots::hash_megabytes)]
    pub(crate) hash: usize,
    /// How many threads work, 1 to 256; only one does the same every time
    #[arg(long, value_name = "N", default_value = "1", value_parser = bots::thread_count)]
    pub(crate) threads: usize,
}

/// `zermelo verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The certificate
    pub(crate) file: PathBuf,
    /// Check only so many leaves, drawn at random: quicker, and no proof
    #[arg(long, value_name = "N", value_parser = bots::node_count)]
    pub(crate) sample: Option<u64>,
    /// Which leaves are drawn
    #[arg(long, value_name = "N", default_value = "1", requires = "sample", value_parser = seed)]
    pub(crate) seed: u64,
}
