//! [`Mnk`]: the rules, over any [`Shape`] and any [`Board`].

use game::{Game, MoveSink, Path, PositionName, Rng, Side, Square, moves_of, random_playout};

use super::board::Board;
use super::near::off_centre;
use super::parameters::Parameters;
use super::shape::{DIRECTIONS, RunShape, Shape};
use super::symmetry::Symmetries;
use super::turn::Turn;

/// The rules of one line game.
#[derive(Clone, Debug)]
pub struct Mnk<S: Shape, B: Board> {
    pub(super) shape: S,
    pub(super) tables: B::Tables,
    pub(super) symmetries: Symmetries,
    /// Squares to play on.
    pub(super) squares: usize,
    /// Of each square, whether it is one of them.
    pub(super) active: Box<[bool]>,
}

/// Stones and whose turn it is.
#[derive(Debug, PartialEq, Eq)]
pub struct Position<B> {
    pub(super) board: B,
    pub(super) turn: Turn,
}

/// A move: the square on which a stone is placed, as the grid numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stone(u16);

/// What taking back a stone needs.
#[derive(Clone, Copy, Debug)]
pub struct Undo<U> {
    turn: Turn,
    board: U,
}

impl Stone {
    /// On the square with this number.
    #[inline]
    pub(super) fn at(index: usize) -> Stone {
        Stone(index as u16)
    }

    /// The number of the square.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl<B: Clone> Clone for Position<B> {
    fn clone(&self) -> Position<B> {
        Position { board: self.board.clone(), turn: self.turn }
    }

    fn clone_from(&mut self, source: &Position<B>) {
        self.board.clone_from(&source.board);
        self.turn = source.turn;
    }
}

impl<B: Board> Mnk<RunShape, B> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// If the board is too small for it; [`Parameters::storage`] tells which one is not.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Mnk<RunShape, B> {
        Mnk::with_holes(parameters.shape(), parameters.holes())
    }
}

impl<S: Shape, B: Board> Mnk<S, B> {
    /// The game of a shape, without holes.
    ///
    /// # Panics
    /// If the board is too small for it, or a number of the shape outside 1 to 250.
    #[must_use]
    pub fn from_shape(shape: S) -> Mnk<S, B> {
        Mnk::with_holes(shape, &[])
    }

    /// The game of a shape on a board with holes.
    ///
    /// # Panics
    /// If the board is too small for it, a number of the shape outside 1 to 250, a hole outside the
    /// grid, or nothing left but holes.
    #[must_use]
    pub fn with_holes(shape: S, holes: &[Square]) -> Mnk<S, B> {
        let numbers = [shape.rows(), shape.columns(), shape.k(), shape.p(), shape.q()];
        assert!(
            numbers.iter().all(|number| (1..=250).contains(number)),
            "{shape:?} has a number outside 1 to 250"
        );
        let grid = shape.grid();
        let mut active: Box<[bool]> = vec![true; grid.squares()].into();
        for &hole in holes {
            active[grid.index(hole)] = false;
        }
        let squares = active.iter().filter(|&&active| active).count();
        assert!(squares > 0, "{shape:?} with {holes:?} has no squares");
        Mnk {
            shape,
            tables: B::tables(shape.values(), &active),
            symmetries: Symmetries::new(shape, &active),
            squares,
            active,
        }
    }

    /// The numbers of this game.
    #[must_use]
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The parameters of this game.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        let grid = self.shape.grid();
        let holes = grid.iter().filter(|&square| !self.active[grid.index(square)]).collect();
        Parameters::from_parts(self.shape.values(), holes)
    }

    /// Whose stone is on a square.
    #[must_use]
    pub fn stone(&self, p: &Position<B>, square: Square) -> Option<Side> {
        p.board.stone(&self.tables, self.shape.grid().index(square))
    }

    /// Stones left in this turn, the next one included.
    #[must_use]
    pub fn stones_left(&self, p: &Position<B>) -> usize {
        p.turn.left()
    }

    /// The squares of a winning run, if somebody has won.
    #[must_use]
    pub fn winning_line(&self, p: &Position<B>) -> Option<Vec<Square>> {
        [Side::First, Side::Second].into_iter().find_map(|side| self.winning_line_of(p, side))
    }

    /// The squares of a winning run of one side, found by looking at the whole board.
    pub(super) fn winning_line_of(&self, p: &Position<B>, side: Side) -> Option<Vec<Square>> {
        let grid = self.shape.grid();
        let owns = |square: &Square| self.stone(p, *square) == Some(side);
        for square in grid.iter().filter(owns) {
            for direction in DIRECTIONS {
                let before = direction.step(grid, square, -1);
                if before.is_some_and(|before| owns(&before)) {
                    continue;
                }
                let run: Vec<Square> =
                    (0..).map_while(|n| direction.step(grid, square, n)).take_while(owns).collect();
                if self.shape.run_wins(run.len()) {
                    return Some(run);
                }
            }
        }
        None
    }

    #[inline]
    pub(super) fn is_bare(&self, p: &Position<B>) -> bool {
        p.turn.stones() == 0
    }

    /// Whether the first player, before the first stone, could steal the second player's strategy (Nash 1949, as told
    /// by Hales and Jewett 1963), so that the second player cannot win.
    ///
    /// Suppose the second player could. Then let the first player place the stones of the first turn anywhere, and
    /// from then on play as if they were not there and the other side had moved first: with p = q all turns are as
    /// long as they would be. Where the stolen strategy asks for a square on which one of these stones is, it is
    /// replaced by a stone anywhere else, of which the same holds; if no square is left the board is full. A further
    /// stone of one's own never harms, unless it falls below another one or makes a line too long. So the first
    /// player would win too, which cannot be. Holes change nothing.
    pub fn can_steal(&self, p: &Position<B>) -> bool {
        let shape = self.shape;
        self.is_bare(p) && shape.p() == shape.q() && !shape.exact() && !shape.gravity()
    }

    /// The moves near the centre of an empty board, or as near as there are any: the sensible first
    /// ones. None where all are, or
    /// where there is a stone already.
    #[must_use]
    pub fn central_moves(&self, p: &Position<B>) -> Vec<Stone> {
        if !self.is_bare(p) {
            return Vec::new();
        }
        // With gravity a stone cannot choose its row.
        let off = |m: &Stone| {
            let mut square = self.shape.grid().square(m.index());
            if self.shape.gravity() {
                square.row = self.shape.rows() / 2;
            }
            off_centre(self.shape.grid(), square)
        };
        let mut moves = moves_of(self, p);
        let all = moves.len();
        let nearest = moves.iter().map(off).min();
        moves.retain(|m| Some(off(m)) == nearest);
        if moves.len() == all { Vec::new() } else { moves }
    }

    /// A move next to a stone, each with the same chance; `None` if there is none.
    #[inline]
    pub(super) fn sample_near(&self, p: &Position<B>, rng: &mut Rng) -> Option<Stone> {
        p.board.sample_near(&self.tables, self.shape, self.free(p), rng).map(Stone::at)
    }

    #[inline]
    fn free(&self, p: &Position<B>) -> usize {
        self.squares - p.turn.stones()
    }
}

impl<S: Shape, B: Board> Game for Mnk<S, B> {
    type Position = Position<B>;
    type Move = Stone;
    type Undo = Undo<B::Undo>;

    const ALTERNATES: bool = S::ALTERNATES;
    const GETS_STUCK: bool = false;
    const CANONICAL: bool = B::CANONICAL;

    fn start(&self) -> Position<B> {
        Position { board: B::empty(&self.tables), turn: Turn::first(self.shape) }
    }

    #[inline]
    fn to_move(&self, p: &Position<B>) -> Side {
        p.turn.side()
    }

    #[inline]
    fn generate(&self, p: &Position<B>, out: &mut impl MoveSink<Stone>) {
        p.board.for_each_playable(&self.tables, self.shape, |square| {
            out.push(Stone::at(square));
        });
    }

    #[inline]
    fn margin(&self, p: &Position<B>) -> Option<i32> {
        p.turn.margin()
    }

    fn position_bytes(&self, p: &Position<B>) -> usize {
        size_of_val(p) + p.board.heap_bytes()
    }

    /// Cannot happen: a full board is seen by [`margin`](Game::margin).
    fn stuck(&self, _: &Position<B>) -> i32 {
        0
    }

    fn plies_left(&self, p: &Position<B>) -> Option<u32> {
        Some((self.squares - p.turn.stones()) as u32)
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    #[inline(always)]
    fn make(&self, p: &mut Position<B>, m: Stone) -> Undo<B::Undo> {
        debug_assert!(self.active[m.index()], "{m:?} is a hole");
        debug_assert_eq!(p.board.stone(&self.tables, m.index()), None, "{m:?}");
        let turn = p.turn;
        let (board, won) = p.board.place(&self.tables, self.shape, m.index(), turn.side());
        p.turn = turn.next(self.shape, won, self.squares);
        Undo { turn, board }
    }

    #[inline(always)]
    fn unmake(&self, p: &mut Position<B>, m: Stone, undo: Undo<B::Undo>) {
        let Undo { turn, board } = undo;
        p.turn = turn;
        p.board.remove(&self.tables, self.shape, m.index(), turn.side(), board);
    }

    #[inline]
    fn key(&self, p: &Position<B>) -> u64 {
        p.board.key()
    }

    fn slots(&self) -> usize {
        self.shape.grid().squares()
    }

    #[inline]
    fn slot(&self, m: Stone) -> usize {
        m.index()
    }

    #[inline]
    fn code(&self, m: Stone) -> u32 {
        u32::from(m.0)
    }

    #[inline]
    fn count(&self, p: &Position<B>) -> usize {
        p.board.count_playable(&self.tables, self.shape, self.free(p))
    }

    #[inline]
    fn sample(&self, p: &Position<B>, rng: &mut Rng) -> Option<Stone> {
        p.board.sample_playable(&self.tables, self.shape, self.free(p), rng).map(Stone::at)
    }

    /// Without gravity a random game is a random order of the empty squares: it is dealt one by one
    /// from a list (Fisher and Yates), which needs no guess at what is empty.
    #[inline]
    fn playout(&self, p: &mut Position<B>, path: &mut Path, rng: &mut Rng) -> i32 {
        const LISTED: usize = 256;
        if self.shape.gravity() || self.slots() > LISTED {
            return random_playout(self, p, path, rng);
        }
        let (mut empty, mut left) = ([0; LISTED], 0);
        p.board.for_each_playable(&self.tables, self.shape, |square| {
            empty[left % LISTED] = square as u8;
            left += 1;
        });
        loop {
            if let Some(margin) = p.turn.margin() {
                return margin;
            }
            let drawn = rng.below(left) % LISTED;
            left -= 1;
            let square = empty[drawn];
            empty[drawn] = empty[left % LISTED];
            self.make(p, Stone::at(usize::from(square)));
        }
    }

    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    #[inline]
    fn transform(&self, p: &Position<B>, symmetry: usize) -> Position<B> {
        self.image(p, symmetry)
    }

    #[inline]
    fn transform_move(&self, _: &Position<B>, m: Stone, symmetry: usize) -> Stone {
        self.image_of_move(m, symmetry)
    }

    #[inline]
    fn canonical(&self, p: &Position<B>) -> (u64, usize) {
        self.smallest_image(p)
    }

    #[inline]
    fn table_name(&self, p: &Position<B>) -> PositionName {
        if B::CANONICAL {
            self.name(p)
        } else {
            PositionName { key: self.key(p), check: 0, symmetry: 0 }
        }
    }
}
