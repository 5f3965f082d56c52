//! The conformance suite of rules and of sessions: one line per game runs it.
//!
//! ```ignore
//! #[test]
//! fn conforms() {
//!     play::testkit::conforms(&TicTacToe, Effort::default());
//! }
//! ```

use game::Notation;
use game::testkit::{Effort, random_games};

use crate::session::{GameSession, Session};

/// Checks rules and notation of a game ([`game::testkit::conforms`]), and that a session agrees
/// with the rules about every game.
///
/// # Panics
/// With the game, the moves and the broken promise.
pub fn conforms<G: Notation + Clone>(game: &G, effort: Effort) {
    game::testkit::conforms(game, effort);
    let few = Effort { games: effort.games.min(3), ..effort };
    random_games(game, few, |p, _, legal, played| check_session(game, p, legal, played));
}

/// The object-safe door shows the same game, and can be walked back to the start.
fn check_session<G: Notation + Clone>(
    game: &G,
    p: &G::Position,
    legal: &[G::Move],
    played: &[String],
) {
    // Walking to every position of a long game would be quadratic; the ends tell as much.
    if played.len() > 8 && !legal.is_empty() {
        return;
    }
    let mut session = GameSession::new(game.clone());
    let start = session.position();
    for text in played {
        assert_eq!(session.play(text).as_ref(), Ok(text), "{}: {played:?}", game.spec());
    }
    assert_eq!(session.current(), p);
    assert_eq!(session.legal(), legal, "{} after {played:?}", game.spec());
    assert_eq!(session.outcome().is_some(), legal.is_empty(), "{} after {played:?}", game.spec());
    assert!(!session.diagram().to_string().is_empty());
    while session.undo() {}
    assert_eq!(session.position(), start, "{}: undo does not lead back to the start", game.spec());
}
