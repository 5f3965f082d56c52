//! [`Heuristics`]: what an engine believes about a game, kept apart from the rules.

use game::Rng;
use game::{Game, Side};
use game::{Path, Recall};

/// The rank of a move that loses in two plies.
pub const DOOMED: i32 = i32::MIN;

/// The rank of a move that the playing search need not look at as long as there are others.
pub const LEFT_OUT: i32 = i32::MIN + 1;

/// The prior of a move that is the image of another one in a position, with all that led there, that looks
/// the same either way: it need not be tried.
pub const TWIN: f32 = f32::NEG_INFINITY;

/// The decisions a search leaves to the game: what an unfinished position is worth, and which move
/// to try first. One value belongs to one search thread and may carry state that follows the moves; each
/// thread of a search has a copy.
pub trait Heuristics<G: Game>: Clone + Send {
    /// A search begins at this position: builds the incremental state, if there is any. An evaluation may see all that
    /// follows from the side that moves here.
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

    /// How much the playing search may leave out because the evaluation says that it will not help; with
    /// nothing said, it leaves out nothing. Not for games in which one may be forced to make a noisy move.
    const MARGINS: Option<Margins> = None;

    /// By how many plies more than usual late quiet moves are first searched less deeply.
    const HASTE: i32 = 0;

    /// Whether a move changes so much that what comes after it must be seen before a position is judged: a
    /// capture, a promotion.
    #[inline]
    fn is_noisy(&mut self, _game: &G, _p: &G::Position, _m: G::Move) -> bool {
        false
    }

    /// The noisy moves of a position in which nothing [must be answered](Heuristics::must_answer), and
    /// whether there are others too: who has no other cannot stand still. Worth overriding where they can be
    /// generated alone.
    #[inline]
    fn noisy_moves(&mut self, game: &G, p: &G::Position, out: &mut Vec<G::Move>) -> bool {
        game.generate(p, out);
        let all = out.len();
        out.retain(|&m| self.is_noisy(game, p, m));
        out.len() < all
    }

    /// Whether the exchange that a move begins brings at least so much, in the evaluation's own score, if
    /// both sides go on capturing on that square as long as it pays.
    #[inline]
    fn pays(&mut self, _game: &G, _p: &G::Position, _m: G::Move, _least: i32) -> bool {
        true
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

    /// Looks at an unfinished position for a search that asks nothing but whether `attacker` wins, in a game that is
    /// just won or lost and whose rules do not look back: says so where it is clear, and else appends the moves to
    /// try and how promising each looks, with what [`rank`](Heuristics::rank) says of that. A move may be left out if
    /// it surely loses, or one of the others is surely no worse for the side to move. Everything said is a proof, and none of it depends
    /// on how the position came about.
    fn examine(
        &mut self,
        game: &G,
        p: &G::Position,
        attacker: Side,
        moves: &mut Vec<G::Move>,
        promise: &mut Vec<i32>,
    ) -> Finding {
        if !self.can_win(game, p, attacker) {
            return Finding { wins: Some(false), key: None };
        }
        game.generate(p, moves);
        promise.resize(moves.len(), 0);
        self.rank(game, p, moves, promise);
        Finding::default()
    }

    /// Whether `attacker` wins by at least so much, if the end of the game is so near that it can be counted out here, quicker than a search would.
    /// Positions visited are added to `nodes`. It is a proof; for games with margins whose rules do not look back.
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

    /// How to find out which moves to try first where the end of a game with margins is so far that it is worth a small search. With nothing
    /// said, [`rank`](Heuristics::rank) alone decides.
    #[inline]
    fn foresight(&self, _game: &G, _p: &G::Position) -> Option<Foresight> {
        None
    }

    /// Whether an argument about the game as a whole, not a look at the position, proves that this side does not win
    /// from here. No search asks: a solver may, and then says so.
    #[inline]
    fn is_argued_out(&self, _game: &G, _p: &G::Position, _side: Side) -> bool {
        false
    }

    /// Whether a move makes such a threat: what `must_answer` will say after it. `None` if that is only seen
    /// then.
    #[inline]
    fn threatens(&mut self, _game: &G, _p: &G::Position, _m: G::Move) -> Option<bool> {
        None
    }

    /// The position with the other side to move, where to pass is surely worse than to move: then who
    /// could even pass is well off (null move). Not for heuristics that follow the moves.
    #[inline]
    fn passed(&mut self, _game: &G, _p: &G::Position) -> Option<G::Position> {
        None
    }

    /// Whether the position was there before, so that playing on leads nowhere: the playing search takes it
    /// for a draw before the rules do.
    #[inline]
    fn comes_back(&mut self, _game: &G, _p: &G::Position, _path: &Path) -> bool {
        false
    }

    /// How many different numbers [`gist`](Heuristics::gist) gives, or none: then a search does not remember
    /// which move is a good answer to which, for which it needs a number for each pair. Where there are few
    /// [slots](Game::slots), gists are slots and sides.
    #[inline]
    fn gists(&self, game: &G) -> usize {
        const FEW: usize = 128;
        if game.slots() <= FEW { 2 * game.slots() } else { 0 }
    }

    /// What matters of a move to whoever answers it: who goes where.
    #[inline]
    fn gist(&mut self, game: &G, p: &G::Position, m: G::Move) -> usize {
        2 * game.slot(m) + game.to_move(p).index()
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

    /// How much better than other moves each of these looks before any was tried, from -1 to 1, or that
    /// it is a [`TWIN`]. All start at 0. `last` is the move that led to `p`, of which the same holds as for
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

/// How moves are judged before a search to the end of the game tries them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// How many plies to look ahead, at least 1; what is there is evaluated.
    pub plies: u32,
    /// What every reply takes from a move, in the evaluation's own score: among moves that look equally good, few replies make a small proof.
    pub reply: i32,
}

/// What [`Heuristics::examine`] sees in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// Whether the attacker wins, if that is clear.
    pub wins: Option<bool>,
    /// A name for the position and the symmetry that leads to the position it stands for, where more positions can
    /// share a name than [`canonical`](game::Symmetric::canonical) knows of: all of the same name have the same
    /// winner, with the same side to move.
    pub key: Option<(u64, usize)>,
}

/// What the playing search may leave out by evaluation, in the game's own score: a guess each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// What the side to move will not lose any more in a ply, if it is better by so much (reverse
    /// futility).
    pub secure: i32,
    /// What quiet moves will not win in a ply (futility).
    pub futile: i32,
    /// What a noisy move may bring apart from what it captures.
    pub surprise: i32,
    /// A move that gives away so much in a ply is not looked at near the horizon.
    pub sacrifice: i32,
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
