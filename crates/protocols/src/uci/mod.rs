//! UCI, the Universal Chess Interface (Huber and Meyer-Kahlen 2006), both ways.

mod client;
mod codec;
mod options;
mod server;

pub(crate) use client::UciDriver;
pub use codec::{Command, GoCommand, Reply, write_score};
pub use server::Uci;
