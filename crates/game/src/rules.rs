//! [`Game`]: the rules, and nothing but the rules.

use std::fmt::Debug;

use crate::margin_step::MarginStep;
use crate::path::{Path, Recall};
use crate::position_name::PositionName;
use crate::rng::Rng;

/// One of the two players. `First` is whoever makes the first move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Black in line games, Reversi and Go; White in chess and most draughts.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// The opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// +1 for the first player, -1 for the second: turns a first player's number into this side's.
    #[inline]
    #[must_use]
    pub fn sign(self) -> i32 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }

    /// 0 or 1, to index arrays by side.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Where generated moves go: a list, a counter, a picker.
pub trait MoveSink<M> {
    /// Takes one generated move.
    fn push(&mut self, m: M);
}

impl<M> MoveSink<M> for Vec<M> {
    #[inline]
    fn push(&mut self, m: M) {
        Vec::push(self, m);
    }
}

/// Counts moves without keeping them.
struct Counter(usize);

impl<M> MoveSink<M> for Counter {
    #[inline]
    fn push(&mut self, _: M) {
        self.0 += 1;
    }
}

/// Keeps the move with a given number.
struct Nth<M> {
    left: usize,
    found: Option<M>,
}

impl<M> MoveSink<M> for Nth<M> {
    #[inline]
    fn push(&mut self, m: M) {
        if self.left == 0 && self.found.is_none() {
            self.found = Some(m);
        }
        self.left = self.left.wrapping_sub(1);
    }
}

/// The rules of one game with its parameters: `reversi:6x6`, `mnk:15x15,k=5`.
///
/// A value of this type is immutable and shared; positions are plain values changed in place by
/// [`make`](Game::make) and [`unmake`](Game::unmake). Text is checked where it enters; `make`
/// trusts its move and only `debug_assert!`s.
///
/// Margins are always the **first player's**: positive when the first player wins.
///
/// A whole game: five matches, a move takes one or two, and who takes the last one wins.
///
/// ```
/// use game::{Game, MoveSink, Side, perft};
///
/// struct Matches;
///
/// impl Game for Matches {
///     type Position = (u8, Side);
///     type Move = u8;
///     type Undo = ();
///     const ALTERNATES: bool = true;
///     const GETS_STUCK: bool = false;
///
///     fn start(&self) -> (u8, Side) {
///         (5, Side::First)
///     }
///     fn to_move(&self, p: &(u8, Side)) -> Side {
///         p.1
///     }
///     fn generate(&self, p: &(u8, Side), out: &mut impl MoveSink<u8>) {
///         (1..=p.0.min(2)).for_each(|taken| out.push(taken));
///     }
///     fn margin(&self, p: &(u8, Side)) -> Option<i32> {
///         (p.0 == 0).then(|| p.1.other().sign())
///     }
///     fn stuck(&self, _: &(u8, Side)) -> i32 {
///         0
///     }
///     fn margin_limit(&self) -> i32 {
///         1
///     }
///     fn make(&self, p: &mut (u8, Side), taken: u8) {
///         *p = (p.0 - taken, p.1.other());
///     }
///     fn unmake(&self, p: &mut (u8, Side), taken: u8, (): ()) {
///         *p = (p.0 + taken, p.1.other());
///     }
///     fn key(&self, p: &(u8, Side)) -> u64 {
///         game::mix(u64::from(p.0) << 1 | p.1.index() as u64)
///     }
///     fn slots(&self) -> usize {
///         3
///     }
///     fn slot(&self, taken: u8) -> usize {
///         taken.into()
///     }
///     fn code(&self, taken: u8) -> u32 {
///         taken.into()
///     }
/// }
///
/// let mut p = Matches.start();
/// Matches.make(&mut p, 2);
/// assert_eq!(Matches.to_move(&p), Side::Second);
/// Matches.unmake(&mut p, 2, ());
/// assert_eq!(p, Matches.start());
/// assert_eq!(perft(&Matches, &p, 3), 7);
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// Everything the rules need to go on, apart from what [`recall`](Game::recall) looks up.
    type Position: Clone + Eq + Debug + Send + Sync;
    /// As small as the game allows.
    type Move: Copy + Eq + Debug + Send + Sync;
    /// What `unmake` needs and cannot work out.
    type Undo: Debug + Send;

    /// Whether the side to move changes with every move. False where a turn has several moves.
    const ALTERNATES: bool;

    /// Whether an unfinished position may have no moves, as in mate: searches then look before they
    /// guess.
    const GETS_STUCK: bool = true;

    /// The position at the start of the game.
    fn start(&self) -> Self::Position;

    /// Who moves next.
    fn to_move(&self, p: &Self::Position) -> Side;

    /// All moves that are legal but for [`recall`](Game::recall), each once. Not called once
    /// [`margin`](Game::margin) is `Some`. Passes are moves, generated where the rules force or
    /// allow them.
    fn generate(&self, p: &Self::Position, out: &mut impl MoveSink<Self::Move>);

    /// The first player's margin if the game is over as can be seen **without** generating moves.
    fn margin(&self, p: &Self::Position) -> Option<i32>;

    /// The first player's margin where `margin` is `None` and nothing was generated: mate,
    /// stalemate, blocked. Families in which that cannot happen answer 0, and say so by
    /// [`GETS_STUCK`](Game::GETS_STUCK).
    fn stuck(&self, p: &Self::Position) -> i32;

    /// No margin lies outside `-margin_limit() ..= margin_limit()`. A limit of 1 means a game that
    /// is just won, drawn or lost: searches then prefer the quicker win, else the larger margin.
    fn margin_limit(&self) -> i32;

    /// Which margins there can be, so that nobody asks about what lies between. The limits
    /// themselves keep to it, and so does what [`recall`](Game::recall) awards.
    fn margin_step(&self) -> MarginStep {
        MarginStep::ONE
    }

    /// No game goes on from here for more plies, if that is known without a search: tells how much
    /// work a position is.
    fn plies_left(&self, _p: &Self::Position) -> Option<u32> {
        None
    }

    /// How many units of margin make a point: 2 where there are half points, as komi has them.
    fn margin_scale(&self) -> i32 {
        1
    }

    /// Plays a move that was generated for this position.
    fn make(&self, p: &mut Self::Position, m: Self::Move) -> Self::Undo;

    /// Takes back the move that was made last.
    fn unmake(&self, p: &mut Self::Position, m: Self::Move, undo: Self::Undo);

    /// For tables: equal for equal positions whatever the moves that led there. Says who moves and
    /// what is left of the turn; leaves out move clocks.
    fn key(&self, p: &Self::Position) -> u64;

    /// For repetition: equal for positions that the rules call the same.
    fn path_key(&self, p: &Self::Position) -> u64 {
        self.key(p)
    }

    /// Whether [`recall`](Game::recall) can ever answer anything but `Fresh`. Values of such a game
    /// may depend on the moves that led to a position, so tables and proofs must not trust the
    /// position alone.
    fn looks_back(&self) -> bool {
        false
    }

    /// Every rule that looks back, asked of the position just reached: repetition, superko, move
    /// clocks. `path` holds the positions before it.
    fn recall(&self, _p: &Self::Position, _path: &Path) -> Recall {
        Recall::Fresh
    }

    /// How many different numbers [`slot`](Game::slot) gives.
    fn slots(&self) -> usize;

    /// A small number for history tables; different moves may share one.
    fn slot(&self, m: Self::Move) -> usize;

    /// Names a move in a table, of which the low 20 bits are kept. It is matched against generated
    /// moves and never played unseen. Moves generated together have different codes, as far as 20
    /// bits allow: a clash costs move order, nothing else.
    fn code(&self, m: Self::Move) -> u32;

    /// Whether tables hold one image of a position for all of them, the
    /// [canonical](Game::canonical) one. Left false where there are no symmetries, and on boards so
    /// large that images are hardly ever met again and finding them costs more than it brings.
    const CANONICAL: bool = false;

    /// How many symmetries the game has, at least 1; they are numbered from 0, which is the
    /// identity.
    ///
    /// A symmetry takes positions to positions and moves to moves so that everything commutes: the
    /// image of a legal move is legal in the image of the position, leads to the image of the
    /// result, and nobody's margin changes.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of a position under a symmetry.
    #[inline]
    fn transform(&self, p: &Self::Position, _symmetry: usize) -> Self::Position {
        p.clone()
    }

    /// The image of a move of this position under a symmetry.
    #[inline]
    fn transform_move(&self, _p: &Self::Position, m: Self::Move, _symmetry: usize) -> Self::Move {
        m
    }

    /// The key of one chosen image, the same one for all images, and a symmetry that leads to it:
    /// by default that with the smallest key. A search asks this at every node, so an override must
    /// not allocate.
    fn canonical(&self, p: &Self::Position) -> (u64, usize) {
        (0..self.symmetries())
            .map(|s| (self.key(&self.transform(p, s)), s))
            .min()
            .unwrap_or_default()
    }

    /// The name of a position in a table, and the symmetry that leads to the image it stands for.
    #[inline]
    fn table_key(&self, p: &Self::Position) -> (u64, usize) {
        if Self::CANONICAL { self.canonical(p) } else { (self.key(p), 0) }
    }

    /// [`table_key`](Game::table_key) for solvers, who must not take one position for another.
    /// Worth overriding where the key has fewer bits than the position and solving is in reach; the
    /// default trusts the key.
    #[inline]
    fn table_name(&self, p: &Self::Position) -> PositionName {
        let (key, symmetry) = self.table_key(p);
        PositionName { key, check: 0, symmetry }
    }

    /// The [code](Game::code) of a move of this position in the image of it under a symmetry, which
    /// [`table_key`](Game::table_key) gave.
    #[inline]
    fn table_code(&self, p: &Self::Position, m: Self::Move, symmetry: usize) -> u32 {
        if Self::CANONICAL { self.code(self.transform_move(p, m, symmetry)) } else { self.code(m) }
    }

    /// How many bytes a position takes, with what it keeps on the heap: for those who keep many. To
    /// be overridden where a position keeps anything there.
    fn position_bytes(&self, p: &Self::Position) -> usize {
        size_of_val(p)
    }

    /// How many moves `generate` would give. Worth overriding where that is a population count.
    #[inline]
    fn count(&self, p: &Self::Position) -> usize {
        let mut counter = Counter(0);
        self.generate(p, &mut counter);
        counter.0
    }

    /// Whether `generate` would give nothing. Worth overriding where one move is found sooner than
    /// all are counted.
    #[inline]
    fn is_stuck(&self, p: &Self::Position) -> bool {
        self.count(p) == 0
    }

    /// One of the generated moves, each with the same chance; `None` where there are none. The
    /// default generates twice; playouts want an override.
    #[inline]
    fn sample(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        let count = self.count(p);
        if count == 0 {
            return None;
        }
        let mut nth = Nth { left: rng.below(count), found: None };
        self.generate(p, &mut nth);
        nth.found
    }

    /// Plays random moves to the end of the game, at every turn each legal move with the same
    /// chance, and gives the first player's margin there. What may be claimed is claimed. `path`
    /// holds the positions before `p`; a game that looks back adds those it went through, up to the
    /// last.
    #[inline]
    fn playout(&self, p: &mut Self::Position, path: &mut Path, rng: &mut Rng) -> i32 {
        random_playout(self, p, path, rng)
    }
}

/// A playout by [`Game::sample`] and [`Game::make`].
#[inline]
pub fn random_playout<G: Game>(
    game: &G,
    p: &mut G::Position,
    path: &mut Path,
    rng: &mut Rng,
) -> i32 {
    let looks_back = game.looks_back();
    let mut verdict = if looks_back { game.recall(p, path) } else { Recall::Fresh };
    loop {
        if let Some(margin) = game.margin(p) {
            return margin;
        }
        if !looks_back {
            match game.sample(p, rng) {
                Some(m) => drop(game.make(p, m)),
                None => return game.stuck(p),
            }
            continue;
        }
        if let Recall::Over(margin) | Recall::Claim(margin) = verdict {
            return margin;
        }
        path.push(game.path_key(p));
        let Some(next) = random_step(game, p, path, rng) else {
            path.pop();
            return game.stuck(p);
        };
        verdict = next;
    }
}

/// Makes a random move that no rule forbids, and says what the rules that look back think of it;
/// `None` if there is no such move.
#[inline]
fn random_step<G: Game>(
    game: &G,
    p: &mut G::Position,
    path: &Path,
    rng: &mut Rng,
) -> Option<Recall> {
    /// Forbidden moves are rare; who meets so many in a row had better list what is left.
    const TRIES: usize = 8;
    for _ in 0..TRIES {
        let m = game.sample(p, rng)?;
        if let Some(verdict) = step(game, p, path, m) {
            return Some(verdict);
        }
    }
    let mut moves = Vec::new();
    game.generate(p, &mut moves);
    rng.shuffle(&mut moves);
    moves.into_iter().find_map(|m| step(game, p, path, m))
}

/// Makes a move unless a rule forbids it.
#[inline]
fn step<G: Game>(game: &G, p: &mut G::Position, path: &Path, m: G::Move) -> Option<Recall> {
    let undo = game.make(p, m);
    let verdict = game.recall(p, path);
    if verdict == Recall::Forbidden {
        game.unmake(p, m, undo);
        return None;
    }
    Some(verdict)
}
