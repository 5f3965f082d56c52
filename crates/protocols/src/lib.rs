//! The protocols that engines and their fronts speak, both ways.
//!
//! Each protocol has a folder: `codec`, its lines as plain functions; `server`, a [`Speaker`] that makes an engine of any
//! player; `client`, which makes a [`Player`](game::Player) of any engine. A front drives us through [`serve`], we drive
//! others as an [`Engine`].
//!
//! **Invariants:** no game is named here: games are opened by the text of a [`Host`], squares and positions are what a
//! [`Session`](game::Session) reads and writes. Nothing that comes in panics or blocks; what is not understood is passed over
//! or refused in one line.

mod cecp;
mod desk;
mod engine;
mod fault;
pub mod gomocup;
mod host;
mod line_game;
mod lines;
mod platform;
mod polyglot;
mod process;
mod protocol;
pub mod text;
pub mod uci;

pub use desk::{Desk, Flow, Speaker, serve};
pub use engine::{Engine, Patience, Setup};
pub use fault::Fault;
pub use host::Host;
pub use line_game::{LineGame, Point};
pub use polyglot::{Identity, Polyglot, speaker};
pub use process::{Process, Program};
pub use protocol::Protocol;

use engine::Driver;

/// Who drives engines of a protocol.
fn driver_of(protocol: Protocol) -> Option<Box<dyn Driver>> {
    match protocol {
        Protocol::Uci => Some(Box::new(uci::UciDriver::default())),
        Protocol::Cecp => Some(Box::new(cecp::CecpDriver::default())),
        Protocol::Gomocup => Some(Box::new(gomocup::GomocupDriver::default())),
        Protocol::Text => Some(Box::new(text::TextDriver::default())),
        Protocol::Gtp | Protocol::Hub | Protocol::NBoard => None,
    }
}
