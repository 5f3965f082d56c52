//! Openings drawn at random, so that players who always choose the same do not play the same game again.

use catalog::Workbench;
use game::{Rng, mix};

/// How many plies suit a game: enough for many different games, too few to decide them.
#[must_use]
pub fn usual_plies(bench: &dyn Workbench) -> usize {
    match bench.spec().split(':').next() {
        // The ballots that tournaments of draughts draw have three moves.
        Some("draughts" | "mnk") => 3,
        Some("go") => 2,
        _ => 6,
    }
}

/// Plays so many random plies from where the game is; fewer if it would end. Where stones are placed they go next to
/// one another, as people's do.
pub fn opening(bench: &mut dyn Workbench, plies: usize, seed: u64) {
    let mut rng = Rng::new(mix(seed));
    for _ in 0..plies {
        let moves = bench.moves();
        if moves.is_empty() {
            break;
        }
        let near = bench.adjacent_move(&mut rng);
        let text = near.unwrap_or_else(|| moves[rng.below(moves.len())].clone());
        let played = bench.play(&text);
        debug_assert!(played.is_ok(), "{text} is legal");
        if bench.outcome().is_some() {
            bench.undo();
            break;
        }
    }
}
