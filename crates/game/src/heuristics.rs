//! [`Heuristics`]: what an engine believes about a game, kept apart from the rules.

use crate::path::{Path, Recall};
use crate::rng::Rng;
use crate::rules::{Game, Side};

/// The rank of a move that loses in two plies.
pub const DOOMED: i32 = i32::MIN;

/// The rank of a move that the playing search need not look at as long as there are others.
pub const LEFT_OUT: i32 = i32::MIN + 1;

/// The decisions a search leaves to the game: what an unfinished position is worth, and which move
/// to try first. One value belongs to one search thread and may carry state that follows the moves; each
/// thread of a search has a copy.
pub trait Heuristics<G: Game>: Clone + Send {
    /// A search begins at this position: builds the incremental state, if there is any.
    fn begin(&mut self, _game: &G, _p: &G::Position) {}

    /// A move was made and led to `p`.
    #[inline]
    fn pushed(&mut self, _game: &G, _p: &G::Position, _m: G::Move) {}

    /// A move was unmade, back to `p`.
    #[inline]
    fn popped(&mut self, _game: &G, _p: &G::Position, _m: G::Move) {}

    /// The worth of an unfinished position for the **side to move**; kept to the score band.
    fn evaluate(&mut self, game: &G, p: &G::Position) -> i32;

    /// Whether this side can still win from an unfinished position; `false` is a proof that it cannot,
    /// for all that may follow. Then `evaluate` never favours that side again, so that a search may
    /// use the proof without changing its value.
    #[inline]
    fn can_win(&mut self, _game: &G, _p: &G::Position, _side: Side) -> bool {
        true
    }

    /// How promising each move looks, higher first. All start at 0; all in one call, so that the
    /// position is looked at once. Keep within ±1,000,000, where a difference above 100 outdoes
    /// whatever a search has learnt. A move after which the opponent surely wins with the next one, in a
    /// game that is just won or lost, may be [`DOOMED`]; one that is hardly worth a look [`LEFT_OUT`], for the
    /// playing search only: others try it last.
    #[inline]
    fn rank(&mut self, _game: &G, _p: &G::Position, _moves: &[G::Move], _promise: &mut [i32]) {}

    /// Whether the playing search goes on beyond its horizon until no [noisy](Heuristics::is_noisy) move is
    /// left.
    const QUIESCES: bool = false;

    /// Whether a move changes so much that what comes after it must be seen before a position is judged: a
    /// capture, a promotion. Such moves are never left out or searched less deeply.
    #[inline]
    fn is_noisy(&mut self, _game: &G, _p: &G::Position, _m: G::Move) -> bool {
        false
    }

    /// Whether the side to move must answer a threat now, as in check.
    #[inline]
    fn must_answer(&mut self, _game: &G, _p: &G::Position) -> bool {
        false
    }

    /// A win for the side to move that needs no ordinary search, if one is found within about so many
    /// nodes, which are taken from the budget: the first move, and the plies to the end at most. It is a
    /// proof.
    #[inline]
    fn forced_win(
        &mut self,
        _game: &G,
        _p: &G::Position,
        _budget: &mut u64,
    ) -> Option<(G::Move, u32)> {
        None
    }

    /// The position with the other side to move, where to pass is surely worse than to move: then who
    /// could even pass is well off (null move). Not for heuristics that follow the moves.
    #[inline]
    fn passed(&mut self, _game: &G, _p: &G::Position) -> Option<G::Position> {
        None
    }

    /// The most that quiet moves will change the evaluation within so many plies, if that is known: where
    /// it is not enough, they are left out.
    #[inline]
    fn hope(&self, _depth: u32) -> Option<i32> {
        None
    }

    /// Whether [`playout`](Heuristics::playout) is more sensible than [`Game::playout`].
    const PLAYS_OUT: bool = false;

    /// A move of a random game, sensible as far as that is cheap; `None` where there is no move. Asked of
    /// any position: what follows the moves does not hear of random games.
    #[inline]
    fn playout_move(&mut self, game: &G, p: &G::Position, rng: &mut Rng) -> Option<G::Move> {
        game.sample(p, rng)
    }

    /// Plays a position to its end, or so near that the first player's margin there is clear, and gives
    /// that margin. `path` holds the positions before `p`, and may be added to; `last` is the move that
    /// led to `p`; `saw` hears every move and who makes it.
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
        play_out(game, self, p, path, rng, saw)
    }

    /// How much better than other moves each of these looks before any was tried, from -1 to 1. All
    /// start at 0. `last` is the move that led to `p`, of which the same holds as for
    /// [`playout_move`](Heuristics::playout_move).
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

/// A playout by [`Heuristics::playout_move`]. What may be claimed is claimed.
fn play_out<G: Game>(
    game: &G,
    heuristics: &mut impl Heuristics<G>,
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
        let Some(m) = heuristics.playout_move(game, p, rng) else {
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

/// Knows nothing: every unfinished position is even, every move as good as another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<G: Game> Heuristics<G> for Blind {
    #[inline]
    fn evaluate(&mut self, _game: &G, _p: &G::Position) -> i32 {
        0
    }
}
