//! Evaluations, move orders and what is proved without a search.

use crate::{DOOMED, LEFT_OUT, Proofs};
use game::testkit::{Effort, random_games};
use game::{Game, Side};
use game::{Notation, moves_of};

/// Checks that an evaluation which follows the moves says the same as one that begins afresh, that
/// its ranking stays within its bounds, that doomed moves lose, and that who is said to be unable
/// to win is not favoured and does not win.
///
/// # Panics
/// With the game, the moves and the broken promise.
pub fn evaluation_conforms<G: Notation, H: Proofs<G>>(
    game: &G,
    fresh: impl Fn() -> H,
    effort: Effort,
) {
    let evaluate_afresh = |p: &G::Position| {
        let mut heuristics = fresh();
        heuristics.begin(game, p);
        heuristics.evaluate(game, p)
    };
    let mut hopeless = [false; 2];
    random_games(game, effort, |p, _, _, played| {
        let at = format!("{} after {played:?}", game.spec());
        let mut follower = fresh();
        follower.begin(game, p);
        if played.is_empty() {
            hopeless = [false; 2];
        }
        check_hopes(game, p, &mut follower, &mut hopeless, &at);
        let moves = moves_of(game, p);
        let mut promise = vec![0; moves.len()];
        follower.rank(game, p, &moves, &mut promise);
        check_ranks(game, p, &moves, &promise, &at);
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

/// Who could not win before cannot win now, is not favoured, and has not won.
fn check_hopes<G: Game>(
    game: &G,
    p: &G::Position,
    heuristics: &mut impl Proofs<G>,
    hopeless: &mut [bool; 2],
    at: &str,
) {
    for side in [Side::First, Side::Second] {
        let before = hopeless[side.index()];
        if let Some(margin) = game.margin(p) {
            assert!(
                !before || margin * side.sign() <= 0,
                "{at}: {side:?} has won, but was said to be unable to"
            );
            continue;
        }
        let now = !heuristics.can_win(game, p, side);
        assert!(now || !before, "{at}: {side:?} was said to be unable to win, and no longer is");
        let score = heuristics.evaluate(game, p) * if side == game.to_move(p) { 1 } else { -1 };
        assert!(!now || score <= 0, "{at}: {side:?} cannot win, but is favoured by {score}");
        hopeless[side.index()] = now;
    }
}

fn check_ranks<G: Game>(game: &G, p: &G::Position, moves: &[G::Move], promise: &[i32], at: &str) {
    for (&m, &rank) in moves.iter().zip(promise) {
        if rank == LEFT_OUT {
            continue;
        }
        if rank != DOOMED {
            assert!((-1_000_000..=1_000_000).contains(&rank), "{at}: the rank of {m:?} is {rank}");
            continue;
        }
        let mut next = p.clone();
        game.make(&mut next, m);
        let opponent = game.to_move(p).other();
        let loses = game.margin_limit() == 1
            && game.margin(&next).is_none()
            && game.to_move(&next) == opponent
            && moves_of(game, &next).into_iter().any(|reply| wins(game, &next, reply, opponent));
        assert!(loses, "{at}: {m:?} is called doomed and does not lose");
    }
}

fn wins<G: Game>(game: &G, p: &G::Position, m: G::Move, side: Side) -> bool {
    let mut next = p.clone();
    game.make(&mut next, m);
    game.margin(&next).is_some_and(|margin| margin * side.sign() > 0)
}
