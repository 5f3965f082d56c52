//! Zermelo as a UCI engine.
#![allow(clippy::unwrap_used)]

mod common;

use game::Session;
use protocols::Speaker;
use protocols::uci::Uci;

fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    Box::new(Uci::new("Zermelo", session, ""))
}

#[test]
fn dialogues() {
    common::play_dialogues("uci", speaker);
}
