//! The plain text protocol of (m,n,k,p,q) engines, and its second version, both ways. `docs/mnk-protocol.md` describes it.

mod client;
mod codec;
mod replies;
mod server;

pub(crate) use client::TextDriver;
pub(crate) use codec::HELP;
pub use codec::{Command, GoCommand, Seat, Wrong, bot_named};
pub use replies::{CLASSIC_TIMES, NODE, PLAYOUT, Reply, Thought, ThoughtWorth, classic_time};
pub use server::Text;
