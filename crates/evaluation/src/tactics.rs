//! [`Tactics`]: what the playing search may rely on when it looks closer, or less closely.

use game::{Game, Path};

use crate::evaluation::Evaluation;

/// What allows the selective techniques of the playing search. A game that says nothing gets none
/// of them.
pub trait Tactics<G: Game>: Evaluation<G> {
    /// Whether the playing search goes on beyond its horizon until no [noisy](Tactics::is_noisy)
    /// move is left (quiescence search).
    const QUIESCENCE: bool = false;

    /// How much the playing search may leave out because the evaluation says that it will not help;
    /// with nothing said, it leaves out nothing. Not for games in which one may be forced to make a
    /// noisy move.
    const MARGINS: Option<Margins> = None;

    /// By how many plies more than usual late quiet moves are first searched less deeply.
    const LATE_MOVE_REDUCTION: i32 = 0;

    /// Whether a move changes so much that what comes after it must be seen before a position is
    /// judged: a capture, a promotion.
    #[inline]
    fn is_noisy(&mut self, _game: &G, _p: &G::Position, _m: G::Move) -> bool {
        false
    }

    /// The noisy moves of a position in which nothing [must be answered](Tactics::must_answer), and
    /// whether there are others too: who has no other cannot stand still. Worth overriding where
    /// they can be generated alone.
    #[inline]
    fn noisy_moves(&mut self, game: &G, p: &G::Position, out: &mut Vec<G::Move>) -> bool {
        game.generate(p, out);
        let all = out.len();
        out.retain(|&m| self.is_noisy(game, p, m));
        out.len() < all
    }

    /// Static exchange evaluation: whether the exchange that a move begins brings at least so much,
    /// in the evaluation's own score, if both sides go on capturing on that square as long as it
    /// pays.
    #[inline]
    fn see_at_least(&mut self, _game: &G, _p: &G::Position, _m: G::Move, _least: i32) -> bool {
        true
    }

    /// Whether the side to move must answer a threat now, as in check.
    #[inline]
    fn must_answer(&mut self, _game: &G, _p: &G::Position) -> bool {
        false
    }

    /// Whether a move makes such a threat, as one that gives check: what
    /// [`must_answer`](Tactics::must_answer) will say after it. `None` if that is only seen then.
    #[inline]
    fn threatens(&mut self, _game: &G, _p: &G::Position, _m: G::Move) -> Option<bool> {
        None
    }

    /// The position after a null move, with the other side to move, where to pass is surely worse
    /// than to move: then who could even pass is well off. Not for evaluations that follow the
    /// moves.
    #[inline]
    fn null_move(&mut self, _game: &G, _p: &G::Position) -> Option<G::Position> {
        None
    }

    /// Whether the position was there before, so that playing on leads nowhere: the playing search
    /// takes it for a draw before the rules do.
    #[inline]
    fn repeats(&mut self, _game: &G, _p: &G::Position, _path: &Path) -> bool {
        false
    }
}

/// What the playing search may leave out by evaluation, in the game's own score: a guess each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// What the side to move will not lose any more in a ply, if it is better by so much.
    pub reverse_futility: i32,
    /// What quiet moves will not win in a ply.
    pub futility: i32,
    /// What a noisy move may bring apart from what it captures (delta pruning).
    pub delta: i32,
    /// A move that gives away so much in a ply, by static exchange evaluation, is not looked at
    /// near the horizon.
    pub exchange_loss: i32,
}
