//! GTP, the Go Text Protocol, version 2 (Farnebäck 2002), both ways; for every game in which the two colours place stones.

mod client;
mod clock;
mod codec;
mod handicap;
mod load;
mod server;

pub(crate) use client::GtpDriver;
pub use clock::{Clocks, TimeSettings};
pub use codec::{Answers, Failure, GtpAnswer, Request, colour_name, read_colour, write_answer};
pub use server::Gtp;

const SYNTAX: &str = "syntax error";
