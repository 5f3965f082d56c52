//! [`Playouts`]: random games with some sense, for Monte Carlo tree search.

use game::{Game, Path, Recall, Rng, Side};

/// The prior of a move that is the image of another one in a position, with all that led there,
/// that looks the same either way: it need not be tried.
pub const TWIN: f32 = f32::NEG_INFINITY;

/// Random games and first impressions of moves. Both are asked of any position: state that follows
/// the moves of a search does not hear of random games.
pub trait Playouts<G: Game>: Clone + Send {
    /// Whether [`playout`](Playouts::playout) is more sensible than [`Game::playout`].
    const PLAYS_OUT: bool = false;

    /// Plays a position to its end, or so near that the first player's margin there is clear, and
    /// gives that margin. `path` holds the positions before `p`, and may be added to; `last` is the
    /// move that led to `p`; `saw` hears every move and who makes it.
    #[inline]
    fn playout(
        &mut self,
        game: &G,
        p: &mut G::Position,
        path: &mut Path,
        _last: Option<G::Move>,
        rng: &mut Rng,
        saw: &mut impl FnMut(Side, G::Move),
    ) -> i32 {
        random_playout(game, p, path, rng, saw)
    }

    /// How much better than other moves each of these looks before any was tried, from -1 to 1, or
    /// that it is a [`TWIN`]. All start at 0. `last` is the move that led to `p`.
    #[inline]
    fn prior(
        &mut self,
        _game: &G,
        _p: &G::Position,
        _last: Option<G::Move>,
        _moves: &[G::Move],
        _prior: &mut [f32],
    ) {
    }
}

/// A playout by [`Game::sample`]. What may be claimed is claimed.
fn random_playout<G: Game>(
    game: &G,
    p: &mut G::Position,
    path: &mut Path,
    rng: &mut Rng,
    saw: &mut impl FnMut(Side, G::Move),
) -> i32 {
    /// Forbidden moves are rare; who meets so many had better leave it to the rules.
    const REFUSALS: usize = 8;
    let looks_back = game.looks_back();
    let mut refusals = 0;
    if looks_back && let Recall::Over(margin) | Recall::Claim(margin) = game.recall(p, path) {
        return margin;
    }
    loop {
        if let Some(margin) = game.margin(p) {
            return margin;
        }
        let Some(m) = game.sample(p, rng) else {
            return game.stuck(p);
        };
        let mover = game.to_move(p);
        if !looks_back {
            game.make(p, m);
            saw(mover, m);
            continue;
        }
        path.push(game.path_key(p));
        let undo = game.make(p, m);
        match game.recall(p, path) {
            Recall::Fresh => saw(mover, m),
            Recall::Over(margin) | Recall::Claim(margin) => {
                saw(mover, m);
                return game.margin(p).unwrap_or(margin);
            }
            Recall::Forbidden => {
                game.unmake(p, m, undo);
                path.pop();
                refusals += 1;
                if refusals == REFUSALS {
                    return game.playout(p, path, rng);
                }
            }
        }
    }
}
