//! [`random_branching`]: how many moves there are at each ply of a random game, from which the size
//! of a game tree is estimated.

use game::{Game, Path, Recall, Rng};

/// How many legal moves there were at each ply of a random game, from a position to the end.
pub fn random_branching<G: Game>(
    game: &G,
    position: &G::Position,
    path: &Path,
    rng: &mut Rng,
) -> Vec<u32> {
    let (mut p, mut path) = (position.clone(), path.clone());
    let (mut counts, mut moves) = (Vec::new(), Vec::new());
    while game.margin(&p).is_none() && !matches!(game.recall(&p, &path), Recall::Over(_)) {
        moves.clear();
        game.generate(&p, &mut moves);
        path.push(game.path_key(&p));
        if game.looks_back() {
            moves.retain(|&m: &G::Move| {
                let undo = game.make(&mut p, m);
                let legal = game.recall(&p, &path) != Recall::Forbidden;
                game.unmake(&mut p, m, undo);
                legal
            });
        }
        if moves.is_empty() {
            break;
        }
        counts.push(moves.len() as u32);
        game.make(&mut p, moves[rng.below(moves.len())]);
    }
    counts
}
