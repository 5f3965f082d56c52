//! The flags of the commands about engines: to be one, to make, check, talk to and name them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use play::{BotSpec, numbers};
use protocols::Protocol;

use super::values::{bot, game_count, protocol, text_bot};

/// `zermelo engines`.
#[derive(Args, Debug)]
pub(crate) struct Engines {
    #[command(subcommand)]
    pub(crate) command: EnginesCommand,
}

/// What to do with engines that have names.
#[derive(Debug, Subcommand)]
pub(crate) enum EnginesCommand {
    /// Give an engine a name; it is started once, to see that it plays
    Add {
        /// What to call it
        name: String,
        /// The engine as PROTOCOL:COMMAND, in quotation marks where it has arguments, or a command alone, which is tried in
        /// every protocol
        command: String,
        /// The family that it plays, or the one game [default: what it says, or what most engines of the protocol play]
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
    },
    /// List the engines that have names
    List,
    /// Forget an engine
    Remove {
        /// What it is called
        name: String,
    },
}

/// `zermelo engine`.
#[derive(Args, Debug)]
pub(crate) struct Engine {
    /// The game, as in chess, go:9x9 or gomoku
    pub(crate) game: String,
    /// What to speak: uci, gtp, hub, gomocup, nboard or text [default: what the first line tells]
    #[arg(long, value_name = "NAME", value_parser = protocol)]
    pub(crate) protocol: Option<Protocol>,
    /// The bot that plays, as in hard or depth=6, within what the other side sets [default: the game's best search]
    #[arg(long, value_name = "BOT", value_parser = bot)]
    pub(crate) ai: Option<BotSpec>,
}

/// `zermelo generate`.
#[derive(Args, Debug)]
pub(crate) struct Generate {
    /// The games, as in gomoku, mnk:8x8,k=5,p=2 or reversi:6x6
    #[arg(value_name = "GAME", required_unless_present = "batch")]
    pub(crate) games: Vec<String>,
    /// The folder for the engines
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// A file with more games, one a line; ranges as in mnk:m=5..20,n=4,k=4 stand for many. thesis is a batch of 164 that comes with the
    /// program
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    /// The processor they are made for, as rustc names it; native is this one
    #[arg(long, value_name = "NAME", default_value = "native")]
    pub(crate) target_cpu: String,
    /// What else the compiler is told, with spaces between
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) flags: Option<String>,
    /// The bot that plays in the text protocol until the other side chooses: random, adjacent, threats, playing,
    /// montecarlo, or any other [default: the game's best search]
    #[arg(long, value_name = "BOT", value_parser = text_bot)]
    pub(crate) ai: Option<BotSpec>,
    /// Overwrite engines that are there and are not the same
    #[arg(long)]
    pub(crate) force: bool,
    /// Write what each engine is built from beside it
    #[arg(long)]
    pub(crate) keep_source: bool,
    /// Build each anew and by itself, and say how long that took
    #[arg(long)]
    pub(crate) measure: bool,
}

/// `zermelo check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The engines, each as PROTOCOL:COMMAND or as a command alone, which is tried in every
    /// protocol. Of several, folders and files that are no programs are passed over
    #[arg(value_name = "ENGINE", num_args = 1.., required = true)]
    pub(crate) engines: Vec<String>,
    /// The game [default: what the engine says, or what most engines of the protocol play]
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// How many games each plays
    #[arg(long, value_name = "N", default_value = "4", value_parser = game_count)]
    pub(crate) games: usize,
    /// How many seconds an engine of the text protocol may take for an answer
    #[arg(long, value_name = "S", default_value = "10", value_parser = numbers::seconds)]
    pub(crate) timeout: Duration,
    /// Write what was found into this file, as build servers read it (JUnit)
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Play this transcript as a test, too, or all *.transcript files of a folder (text protocol)
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) transcript: Vec<PathBuf>,
    /// Only play this transcript, as another check has written it
    #[arg(long, value_name = "FILE", conflicts_with = "transcript")]
    pub(crate) replay: Option<PathBuf>,
    /// Write the transcript of each failure into a file of this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) failures: Option<PathBuf>,
}

/// `zermelo measure`.
#[derive(Args, Debug)]
pub(crate) struct Measure {
    /// The engines, each as text:COMMAND or as a command alone
    #[arg(value_name = "ENGINE", num_args = 1.., required = true)]
    pub(crate) engines: Vec<String>,
    /// How many games each plays; a hundredth of them on boards of more than 10,000 squares
    #[arg(long, value_name = "N", default_value = "1000", value_parser = game_count)]
    pub(crate) iterations: usize,
    /// Who plays: random, adjacent, threats, alphabeta, montecarlo, or what else the engine knows [default: adjacent]
    #[arg(long, value_name = "NAME")]
    pub(crate) ai: Option<String>,
    /// Write tables and plots into this file, as one page for any browser
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// An earlier report to compare with, such a page or what --json wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) before: Option<PathBuf>,
    /// How many seconds an engine may take for an answer
    #[arg(long, value_name = "S", default_value = "10", value_parser = numbers::seconds)]
    pub(crate) timeout: Duration,
}

/// `zermelo talk`.
#[derive(Args, Debug)]
pub(crate) struct Talk {
    /// The engine, as PROTOCOL:COMMAND, or as a command alone, which is tried in every protocol
    #[arg(value_name = "ENGINE")]
    pub(crate) engine: String,
}
