//! NBoard (Welty, versions 1 and 2), the protocol of Othello programs, both ways.

mod client;
mod codec;
mod server;

pub(crate) use client::NBoardDriver;
pub use codec::{Command, Reply, read_discs, write_discs, write_line};
pub use server::NBoard;
