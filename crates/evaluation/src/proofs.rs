//! [`Proofs`]: what a look at a position proves, without a search.

use game::{Game, PositionName, Side};

use crate::move_order::MoveOrder;

/// What a game can prove about its positions. Unlike an evaluation none of it is a guess: solvers
/// believe it.
pub trait Proofs<G: Game>: MoveOrder<G> {
    /// Whether this side can still win from an unfinished position; `false` is a proof that it
    /// cannot, for all that may follow. Then `evaluate` never favours that side again, so that a
    /// search may use the proof without changing its value.
    #[inline]
    fn can_win(&mut self, _game: &G, _p: &G::Position, _side: Side) -> bool {
        true
    }

    /// A win for the side to move that needs no ordinary search, if one is found within about so
    /// many nodes, which are taken from the budget: the first move, and the plies to the end at
    /// most.
    #[inline]
    fn forced_win(
        &mut self,
        _game: &G,
        _p: &G::Position,
        _budget: &mut u64,
    ) -> Option<(G::Move, u32)> {
        None
    }

    /// Looks at an unfinished position for a search that asks nothing but whether `attacker` wins,
    /// in a game that is just won or lost and whose rules do not look back: says so where it is
    /// clear, and else appends the moves to try and how promising each looks, with what
    /// [`rank`](MoveOrder::rank) says of that. A move may be left out if it surely loses, or one of
    /// the others is surely no worse for the side to move. None of what is said depends on how the
    /// position came about.
    fn examine(
        &mut self,
        game: &G,
        p: &G::Position,
        attacker: Side,
        moves: &mut Vec<G::Move>,
        promise: &mut Vec<i32>,
    ) -> Examination {
        examine_by_rank(self, game, p, attacker, moves, promise)
    }

    /// Whether `attacker` wins by at least so much, if the end of the game is so near that it can
    /// be counted out here, quicker than a search would. Positions visited are added to `nodes`.
    /// For games with margins whose rules do not look back.
    #[inline]
    fn finish(
        &mut self,
        _game: &G,
        _p: &G::Position,
        _attacker: Side,
        _least: i32,
        _nodes: &mut u64,
    ) -> Option<bool> {
        None
    }

    /// How to find out which moves to try first where the end of a game with margins is so far that
    /// it is worth a small search. With nothing said, [`rank`](MoveOrder::rank) alone decides.
    #[inline]
    fn foresight(&self, _game: &G, _p: &G::Position) -> Option<Foresight> {
        None
    }
}

/// How moves are judged before a search to the end of the game tries them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// How many plies to look ahead, at least 1; what is there is evaluated.
    pub plies: u32,
    /// What every reply takes from a move, in the evaluation's own score: among moves that look
    /// equally good, few replies make a small proof.
    pub reply: i32,
}

/// What [`Proofs::examine`] sees in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// Whether the attacker wins, if that is clear.
    pub wins: Option<bool>,
    /// A name for the position, where more positions can share one than
    /// [`canonical`](game::Game::canonical) knows of: all of the same name have the same winner,
    /// with the same side to move.
    pub name: Option<PositionName>,
}

/// [`Proofs::examine`] for positions of which nothing more is known than whether the attacker
/// [can win](Proofs::can_win): all moves, by their [rank](MoveOrder::rank).
pub fn examine_by_rank<G: Game>(
    proofs: &mut impl Proofs<G>,
    game: &G,
    p: &G::Position,
    attacker: Side,
    moves: &mut Vec<G::Move>,
    promise: &mut Vec<i32>,
) -> Examination {
    if !proofs.can_win(game, p, attacker) {
        return Examination { wins: Some(false), name: None };
    }
    game.generate(p, moves);
    promise.resize(moves.len(), 0);
    proofs.rank(game, p, moves, promise);
    Examination::default()
}
