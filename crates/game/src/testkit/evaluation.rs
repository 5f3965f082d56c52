//! Heuristics.

use super::{Effort, random_games};
use crate::heuristics::Heuristics;
use crate::notation::{Notation, moves_of};

/// Checks that an evaluation which follows the moves says the same as one that begins afresh, and
/// that its ranking stays within its bounds.
///
/// # Panics
/// With the game, the moves and the broken promise.
pub fn evaluation_conforms<G: Notation, H: Heuristics<G>>(
    game: &G,
    fresh: impl Fn() -> H,
    effort: Effort,
) {
    let evaluate_afresh = |p: &G::Position| {
        let mut heuristics = fresh();
        heuristics.begin(game, p);
        heuristics.evaluate(game, p)
    };
    random_games(game, effort, |p, _, _, played| {
        let at = format!("{} after {played:?}", game.spec());
        let mut follower = fresh();
        follower.begin(game, p);
        let moves = moves_of(game, p);
        let mut promise = vec![0; moves.len()];
        follower.rank(game, p, &moves, &mut promise);
        assert!(
            promise.iter().all(|r| r.abs() <= 1_000_000),
            "{at}: a rank is out of bounds"
        );
        for &m in &moves {
            let mut next = p.clone();
            let undo = game.make(&mut next, m);
            follower.pushed(game, &next, m);
            if game.margin(&next).is_none() {
                assert_eq!(
                    follower.evaluate(game, &next),
                    evaluate_afresh(&next),
                    "{at}: wrong after {m:?}"
                );
            }
            game.unmake(&mut next, m, undo);
            follower.popped(game, &next, m);
        }
        if game.margin(p).is_none() {
            assert_eq!(
                follower.evaluate(game, p),
                evaluate_afresh(p),
                "{at}: wrong after taking moves back"
            );
        }
    });
}
