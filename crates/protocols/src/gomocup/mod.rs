//! The protocol of the Gomocup tournaments (Petricek and Lastovicka 2005–2023), through pipes, both ways.

mod client;
mod codec;
mod server;
mod swap2;

pub(crate) use client::GomocupDriver;
pub use codec::{Command, Reply, Wrong};
pub use server::Gomocup;
