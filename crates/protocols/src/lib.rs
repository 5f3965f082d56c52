//! The protocols that engines and their fronts speak, both ways.
//!
//! Each protocol has a folder: `codec`, its lines as plain functions; `server`, a [`Speaker`] that makes an engine of any
//! player; `client`, which makes a [`Player`](play::Player) of any engine. A front drives us through [`serve`], we drive
//! others as an [`Engine`].
//!
//! **Invariants:** no game is named here: games are opened by the text of a [`Host`], squares and positions are what a
//! [`Session`](play::Session) reads and writes. Nothing that comes in panics or blocks; what is not understood is passed over
//! or refused in one line.

mod bot;
mod cecp;
mod clock;
mod command_error;
mod desk;
pub mod dxp;
mod engine;
mod fault;
pub mod ggf;
pub mod gomocup;
pub mod gtp;
mod heard;
mod host;
pub mod hub;
#[cfg(target_os = "linux")]
mod keeper;
mod kept;
mod line_game;
mod lines;
pub mod nboard;
mod platform;
mod polyglot;
mod process;
mod protocol;
pub mod text;
pub mod uci;

pub use desk::{Desk, Flow, Speaker, serve};
pub use engine::{Engine, Patience, Setup};
pub use fault::Fault;
pub use heard::Heard;
pub use host::{Host, HostError};
pub use kept::{Kept, Spare, keep_programs};
pub use line_game::{LineGame, Point};
pub use polyglot::{Identity, Polyglot, help, speaker};
pub use process::{Process, Program};
pub use protocol::Protocol;

use engine::Driver;

/// Who drives engines of a protocol.
fn driver_of(protocol: Protocol) -> Box<dyn Driver> {
    match protocol {
        Protocol::Uci => Box::new(uci::UciDriver::default()),
        Protocol::Cecp => Box::new(cecp::CecpDriver::default()),
        Protocol::Gtp => Box::new(gtp::GtpDriver::default()),
        Protocol::Hub => Box::new(hub::HubDriver::default()),
        Protocol::Gomocup => Box::new(gomocup::GomocupDriver::default()),
        Protocol::NBoard => Box::new(nboard::NBoardDriver::default()),
        Protocol::Text => Box::new(text::TextDriver::default()),
    }
}
