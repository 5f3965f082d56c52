//! DXP, the DamExchange Protocol (<http://www.mesander.nl/damexchange/edxpmain.htm>), version 1: two programs play draughts over a wire, each for itself.
//!
//! One of them, the initiator, asks for games; the other one, the follower, takes them. Who listens and who connects has nothing
//! to do with it. The protocol knows boards of 50 squares only.

mod codec;
mod game;
mod link;

pub use codec::{Acceptance, BackAnswer, DxpColour, DxpMove, LONGEST, Message, Reason, Request};
pub use game::{Follower, Initiator, Offer, Patience, Seat, Summary, Thinking, can_play};
pub use link::{Connection, Stream, Trouble};

/// The default port of programs that listen.
pub const PORT: u16 = 27531;
