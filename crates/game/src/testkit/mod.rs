//! The conformance suite: one line per game runs it.
//!
//! ```ignore
//! #[test]
//! fn conforms() {
//!     game::testkit::conforms(&TicTacToe, Effort::default());
//! }
//! ```
//!
//! It plays random games and checks at every position what every search and every front end relies
//! on; a failure names the game, the moves that led there and the promise that was broken.

mod asymmetric;
mod conformance;
mod packing;
#[cfg(test)]
mod packing_faults;
mod symmetry;
mod texts;

pub use asymmetric::Asymmetric;
pub use conformance::conforms;
pub use packing::packing_conforms;
pub use symmetry::symmetry_conforms;
pub use texts::{mutated, names_are_refused, names_round_trip};

use crate::notation::{Notation, moves_of};
use crate::path::{Path, Recall, allows};
use crate::perft::perft;
use crate::rng::Rng;

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games to play.
    pub games: usize,
    /// A random game longer than this is an error: the rules must end it.
    pub longest: usize,
    /// A game is looked at so many plies deep; the rest is only played out.
    pub plies: usize,
    /// The first random game; the others follow.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 50, longest: 10_000, plies: usize::MAX, seed: 1 }
    }
}

/// Checks leaves at depth 1, 2, 3, … from the start against a table.
///
/// # Panics
/// Where a number differs.
pub fn perft_matches<G: Notation>(game: &G, table: &[u64]) {
    let start = game.start();
    for (depth, &leaves) in (1..).zip(table) {
        assert_eq!(perft(game, &start, depth), leaves, "perft of {} at depth {depth}", game.spec());
    }
}

/// Plays random games and shows every position on the way, with the moves legal there and the text
/// of those that led to it, until the game is over.
pub fn random_games<G: Notation>(
    game: &G,
    effort: Effort,
    mut look: impl FnMut(&G::Position, &Path, &[G::Move], &[String]),
) {
    for number in 0..effort.games {
        let mut rng = Rng::new(effort.seed + number as u64);
        let (mut p, mut path, mut played) = (game.start(), Path::new(), Vec::new());
        loop {
            let moves = match game.recall(&p, &path) {
                Recall::Over(_) => Vec::new(),
                _ => allowed_moves(game, &p, &path),
            };
            if played.len() < effort.plies {
                look(&p, &path, &moves, &played);
            }
            if moves.is_empty() {
                break;
            }
            let m = moves[rng.below(moves.len())];
            played.push(game.write_move(&p, m));
            path.push(game.path_key(&p));
            game.make(&mut p, m);
            assert!(played.len() <= effort.longest, "{}: a random game does not end", game.spec());
        }
    }
}

/// Generated moves without those that `recall` forbids.
fn allowed_moves<G: Notation>(game: &G, p: &G::Position, path: &Path) -> Vec<G::Move> {
    let mut moves = moves_of(game, p);
    moves.retain(|&m| allows(game, p, path, m));
    moves
}
