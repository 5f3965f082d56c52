//! Flags of the commands that solve games and check proofs.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lab::compare::External;
use play::numbers;
use solve::{Goal, Method, Proof};

use super::Spot;
use super::values::{
    day_count, evaluation, leaf_budget, position_count, seed, span_of_squares, worker_count,
};

/// `zermelo solve`.
#[derive(Args, Debug)]
pub(crate) struct Solve {
    /// The game, as in tictactoe, reversi:6x6 or mnk:15x15,k=5 [default with --compare: reversi:6x6]
    #[arg(required_unless_present_any = ["compare", "simulate"])]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) spot: Spot,
    /// Write the position in the game's other texts too, where it has such, with who wins if that is known
    #[arg(long)]
    pub(crate) texts: bool,
    /// What to find out: value (by how much the game is won), outcome (who wins), or ge:K (whether the first player's margin is
    /// at least K points)
    #[arg(long, value_name = "Q", default_value = "value")]
    pub(crate) question: Goal,
    /// How: alphabeta (depth first with null windows), proof (depth-first proof numbers), bestfirst (proof numbers over the tree in
    /// the store) or retrograde (all positions of a small game, back from the end) [default: alphabeta, or proof where rules look back]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<Method>,
    /// The evaluation that says which moves to try first: a name, a file, or random; it changes how long an answer takes and never what it is
    /// [default: the game's own]
    #[arg(long, value_name = "NAME", value_parser = evaluation)]
    pub(crate) weights: Option<play::WeightsChoice>,
    /// How much to find out: ultraweak (what is known without a search or a way to play), weak (what this position is worth) or strong (what every position is worth that can come up from
    /// here, and how far the end is; kept in a table, for small games)
    #[arg(long, value_name = "KIND", default_value = "weak")]
    pub(crate) proof: Proof,
    /// Where to write the table of a strong proof [default: where the web table looks for it]
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Keep what is found out in this file, to go on after an interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Go on with the store that is there
    #[arg(long, requires = "store")]
    pub(crate) resume: bool,
    /// Write a proof of the answer to this file, for `zermelo verify`; with --lemmas to a new folder
    /// of this name
    #[arg(long, value_name = "PATH")]
    pub(crate) certificate: Option<PathBuf>,
    /// Cut the proof into files of at most about so many nodes, a root and the lemmas that it rests
    /// on: they are checked one by one, by several threads
    #[arg(long, value_name = "N", requires = "certificate", value_parser = numbers::node_count)]
    pub(crate) lemmas: Option<u64>,
    /// How many positions may be visited to check one leaf of the proof, 1 to 16777216: more makes a smaller file
    #[arg(long, value_name = "N", default_value = "10000", requires = "certificate", value_parser = leaf_budget)]
    pub(crate) leaf: u64,
    /// The most nodes of one piece of work, after which the moves of a position become pieces of their own
    #[arg(long, value_name = "N", value_parser = numbers::node_count)]
    pub(crate) slice: Option<u64>,
    /// Give up after about so many nodes
    #[arg(long, value_name = "N", value_parser = numbers::node_count)]
    pub(crate) nodes: Option<u64>,
    /// Give up after about so many seconds
    #[arg(long, value_name = "S", value_parser = numbers::seconds)]
    pub(crate) time: Option<Duration>,
    /// Megabytes for tables, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "256", value_parser = numbers::hash_megabytes)]
    pub(crate) hash: usize,
    /// Begin every piece of work with an empty table, as those do that are shared with strangers: slower, and node counts repeat on every machine
    #[arg(long, conflicts_with = "compare")]
    pub(crate) repeatable: bool,
    /// Say what the answer rests on: positions, and answers that are not taken apart any further
    #[arg(long, conflicts_with = "compare")]
    pub(crate) audit: bool,
    /// Megabytes for the tree near the root, 1 to 65536, beyond which answered parts of it leave the memory
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = memory_megabytes)]
    pub(crate) memory: usize,
    /// How many threads work, 1 to 256; only one does the same every time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::thread_count)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
    #[command(flatten)]
    pub(crate) simulating: Simulating,
}

/// `zermelo solve --simulate`.
#[derive(Args, Debug)]
pub(crate) struct Simulating {
    /// Let workers that are not there solve a made-up game: how much of their work is useful, and what becomes of those who lie
    #[arg(long, conflicts_with_all = ["compare", "position", "file", "moves", "question", "method", "proof", "store", "certificate", "slice", "threads"])]
    pub(crate) simulate: bool,
    /// How many workers, 10 to 100000
    #[arg(long, value_name = "N", default_value = "2000", requires = "simulate", value_parser = worker_count)]
    pub(crate) workers: usize,
    /// How many days pass, 1 to 365
    #[arg(long, value_name = "N", default_value = "21", requires = "simulate", value_parser = day_count)]
    pub(crate) days: u32,
    /// Which run
    #[arg(long, value_name = "N", default_value = "1", requires = "simulate", value_parser = seed)]
    pub(crate) run: u64,
    /// How many runs of each way to count leased nodes, from --run on, 1 to 100
    #[arg(long, value_name = "N", default_value = "1", requires = "simulate", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeat: u32,
    /// Draw the useful share of the work and the false facts to this file, as SVG
    #[arg(long, value_name = "FILE", requires = "simulate")]
    pub(crate) figure: Option<PathBuf>,
}

/// `zermelo solve --compare`.
#[derive(Args, Debug)]
pub(crate) struct Comparing {
    /// Compare alpha-beta, NegaScout and MTD(f), with and without what helps them, the solver and other programs on endgames; --nodes and
    /// --time limit each run
    #[arg(long, conflicts_with_all = ["position", "file", "moves", "question", "method", "weights", "proof", "store", "certificate", "lemmas", "slice", "threads"])]
    pub(crate) compare: bool,
    /// How many squares are empty, as in 14-19
    #[arg(long, value_name = "N-M", default_value = "14-19", requires = "compare", value_parser = span_of_squares)]
    pub(crate) empties: RangeInclusive<usize>,
    /// How many positions of each kind, from games of bots and from random moves, for each number of empty squares, 1 to 1000
    #[arg(long, value_name = "N", default_value = "1", requires = "compare", value_parser = position_count)]
    pub(crate) count: usize,
    /// Take the positions of this file, one in each line; a word in brackets, as real or random, names those that follow
    #[arg(long, value_name = "FILE", requires = "compare", conflicts_with_all = ["empties", "count"])]
    pub(crate) positions: Option<PathBuf>,
    /// Another solver, as a command line that gets {game} and {position} and says the value last; may be given several times
    #[arg(long, value_name = "CMD", requires = "compare")]
    pub(crate) external: Vec<External>,
    /// Draw the comparison to this file, as SVG
    #[arg(long, value_name = "FILE", requires = "compare")]
    pub(crate) plot: Option<PathBuf>,
    /// Which positions are made
    #[arg(long, value_name = "N", default_value = "1", requires = "compare", value_parser = seed)]
    pub(crate) seed: u64,
}

/// `zermelo verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// The certificate, or the folder of a bundle: a root and the lemmas that it rests on
    #[arg(value_name = "PATH")]
    pub(crate) file: PathBuf,
    /// Check only so many leaves of a certificate, drawn at random: quicker, and no proof
    #[arg(long, value_name = "N", value_parser = numbers::node_count)]
    pub(crate) sample: Option<u64>,
    /// Which leaves are drawn
    #[arg(long, value_name = "N", default_value = "1", requires = "sample", value_parser = seed)]
    pub(crate) seed: u64,
    /// How many threads check the lemmas of a bundle, 1 to 256
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::thread_count)]
    pub(crate) threads: usize,
    /// Note in this file which lemmas of a bundle are verified, and go on from what it says; it must
    /// be yours, since its word is taken
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    pub(crate) resume: Option<PathBuf>,
    /// Megabytes for files and the positions that they lead to, all threads together, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = memory_megabytes)]
    pub(crate) memory: usize,
    /// Give up after about so many seconds
    #[arg(long, value_name = "S", default_value = "3600", value_parser = numbers::seconds)]
    pub(crate) time: Duration,
}

fn memory_megabytes(text: &str) -> Result<usize, game::Expected> {
    numbers::number(text, 1, 65536, "an amount of memory").map(|megabytes| megabytes as usize)
}
