//! Hub, the protocol of draughts engines (Letouzey 2017, version 2 of 2019), both ways.

mod client;
mod codec;
mod sentence;
mod server;

pub(crate) use client::HubDriver;
pub use codec::{Command, LevelLimits, Mode, Param, Reply, write_score};
pub use sentence::Sentence;
pub use server::Hub;

/// What the protocol calls the rules that everybody plays, and what names of games call them.
const NORMAL: (&str, &str) = ("normal", "international");

/// A game's arguments as a value of the parameter `variant`.
fn variant_word(spec: &str) -> &str {
    let arguments = spec.split_once(':').map_or(NORMAL.1, |(_, arguments)| arguments);
    if arguments == NORMAL.1 { NORMAL.0 } else { arguments }
}
