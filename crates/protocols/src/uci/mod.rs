//! UCI, the Universal Chess Interface (Huber and Meyer-Kahlen 2006), both ways.

mod client;
mod codec;
mod server;

pub(crate) use client::{UciDriver, analysis};
pub use codec::{Command, Go, Heard, Reply, write_score};
pub use server::Uci;
