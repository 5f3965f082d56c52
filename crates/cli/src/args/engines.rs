//! The flags of `zermelo engines`.

use clap::{Args, Subcommand};

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
        /// The family that it plays, or a game of it, if not what most engines of the protocol play
        #[arg(long, value_name = "FAMILY")]
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
