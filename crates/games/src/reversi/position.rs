//! [`Reversi`]: the rules.

use game::{Game, Grid, MarginStep, MoveSink, PositionName, Rng, Side, Square, WinningSets, mix};

use super::board::{Board, bit_of, square_of};
use super::moves::{flips, mobility, nth_bit};
use super::parameters::{Parameters, Start};
use super::shape::{RunShape, Shape};

/// An odd number with bits everywhere.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A square by the number of its bit, or 64 for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// The forced pass.
    pub const PASS: Move = Move(64);

    /// A disc on a square.
    #[must_use]
    pub fn at(square: Square) -> Move {
        Move::on_bit(bit_of(square))
    }

    #[inline]
    pub(super) fn on_bit(bit: usize) -> Move {
        debug_assert!(bit < 64);
        Move(bit as u8)
    }

    /// The number of the bit of its square: row times eight plus column, also on smaller boards;
    /// `None` for a pass.
    #[inline]
    #[must_use]
    pub fn bit(self) -> Option<usize> {
        (self != Move::PASS).then_some(usize::from(self.0))
    }

    /// Where the disc goes; `None` for a pass.
    #[must_use]
    pub fn square(self) -> Option<Square> {
        self.bit().map(square_of)
    }
}

/// Discs as seen by the side to move, so that moves need not ask whose they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) side: Side,
    /// Passes just made, one after the other; 2 end the game.
    pub(super) passes: u8,
}

impl Position {
    /// The discs of the side to move, as bits.
    #[inline]
    #[must_use]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the side that waits, as bits.
    #[inline]
    #[must_use]
    pub fn other(&self) -> u64 {
        self.other
    }

    /// The discs of one player, as bits.
    #[inline]
    #[must_use]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.side { self.own } else { self.other }
    }

    /// How many passes were just made, one after the other.
    #[inline]
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.passes
    }
}

/// The discs before the move. The flips alone would be smaller, but the next move would then wait
/// for those of this one: perft took half as long again.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    own: u64,
    other: u64,
    passes: u8,
}

/// The rules of Reversi on one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reversi<S = RunShape> {
    shape: S,
}

impl Reversi {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Reversi {
        Reversi::from_shape(RunShape::new(parameters))
    }
}

impl<S: Shape> Reversi<S> {
    /// The game of this shape.
    #[must_use]
    pub fn from_shape(shape: S) -> Reversi<S> {
        Reversi { shape }
    }

    /// What was chosen.
    #[inline]
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.shape.parameters()
    }

    /// The squares.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        self.shape.board()
    }

    /// The squares where the side to move can place a disc, as bits; none if it must pass.
    #[inline]
    #[must_use]
    pub fn placements(&self, p: &Position) -> u64 {
        mobility(p.own, p.other) & self.empties(p)
    }

    /// The empty squares, as bits.
    #[inline]
    #[must_use]
    pub fn empties(&self, p: &Position) -> u64 {
        self.board().squares & !(p.own | p.other)
    }
}

/// Othello.
impl Default for Reversi {
    fn default() -> Reversi {
        Reversi::new(Parameters::default())
    }
}

impl<S: Shape> Game for Reversi<S> {
    type Position = Position;
    type Move = Move;
    type Undo = Undo;

    const ALTERNATES: bool = true;
    const GETS_STUCK: bool = false;
    const CANONICAL: bool = true;

    fn start(&self) -> Position {
        let Grid { rows, columns } = self.parameters().size();
        let centre = bit_of(Square { row: rows / 2 - 1, column: columns / 2 - 1 });
        // The four central squares, the upper row in the low bits.
        let (black, white) = match self.parameters().start() {
            Start::Cross => (0x0102, 0x0201),
            Start::Parallel => (0x0003, 0x0300),
        };
        Position { own: black << centre, other: white << centre, side: Side::First, passes: 0 }
    }

    #[inline]
    fn to_move(&self, p: &Position) -> Side {
        p.side
    }

    #[inline]
    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        let mut placements = self.placements(p);
        if placements == 0 {
            out.push(Move::PASS);
        }
        while placements != 0 {
            out.push(Move::on_bit(placements.trailing_zeros() as usize));
            placements &= placements - 1;
        }
    }

    #[inline]
    fn margin(&self, p: &Position) -> Option<i32> {
        if p.passes < 2 && p.own | p.other != self.board().squares {
            return None;
        }
        let count = |side| p.discs(side).count_ones() as i32;
        let difference = count(Side::First) - count(Side::Second);
        let empties = self.empties(p).count_ones() as i32;
        Some(difference + difference.signum() * empties)
    }

    /// Cannot happen: who cannot place a disc passes.
    fn stuck(&self, _: &Position) -> i32 {
        0
    }

    /// Every square is filled once, after a pass at most, and two passes end the game.
    fn plies_left(&self, p: &Position) -> Option<u32> {
        Some(2 * self.empties(p).count_ones() + 2)
    }

    fn margin_limit(&self) -> i32 {
        self.board().grid().squares() as i32
    }

    /// Empty squares go to the winner, and the number of squares is even.
    fn margin_step(&self) -> MarginStep {
        MarginStep::new(2, 0)
    }

    #[inline]
    fn make(&self, p: &mut Position, m: Move) -> Undo {
        let undo = Undo { own: p.own, other: p.other, passes: p.passes };
        let (flipped, placed, passes) = match m.bit() {
            Some(bit) => (flips(bit, p.own, p.other), 1 << bit, 0),
            None => (0, 0, p.passes + 1),
        };
        debug_assert!(m == Move::PASS || flipped != 0, "{m:?} turns nothing");
        debug_assert!(m != Move::PASS || self.placements(p) == 0, "needless pass");
        p.own = undo.other ^ flipped;
        p.other = undo.own ^ flipped ^ placed;
        p.side = p.side.other();
        p.passes = passes;
        undo
    }

    #[inline]
    fn unmake(&self, p: &mut Position, _: Move, undo: Undo) {
        p.own = undo.own;
        p.other = undo.other;
        p.side = p.side.other();
        p.passes = undo.passes;
    }

    #[inline]
    fn key(&self, p: &Position) -> u64 {
        // Each step is a bijection of what it takes in: positions that differ in one part only
        // never collide. The turn is spread over all bits: else it would look like a disc on the first squares.
        let turn = (p.side as u64) << 2 | u64::from(p.passes);
        mix(mix(p.own).wrapping_add(turn.wrapping_mul(SPREAD)) ^ p.other)
    }

    fn slots(&self) -> usize {
        65
    }

    #[inline]
    fn slot(&self, m: Move) -> usize {
        usize::from(m.0)
    }

    #[inline]
    fn code(&self, m: Move) -> u32 {
        u32::from(m.0)
    }

    #[inline]
    fn count(&self, p: &Position) -> usize {
        // Without a placement there is one move, the pass.
        self.placements(p).count_ones().max(1) as usize
    }

    #[inline]
    fn sample(&self, p: &Position, rng: &mut Rng) -> Option<Move> {
        let placements = self.placements(p);
        if placements == 0 {
            return Some(Move::PASS);
        }
        let n = rng.below(placements.count_ones() as usize);
        Some(Move::on_bit(nth_bit(placements, n)))
    }

    fn symmetries(&self) -> usize {
        self.board().grid().symmetries()
    }

    #[inline]
    fn transform(&self, p: &Position, symmetry: usize) -> Position {
        self.image(p, symmetry)
    }

    #[inline]
    fn transform_move(&self, _: &Position, m: Move, symmetry: usize) -> Move {
        self.image_of_move(m, symmetry)
    }

    #[inline]
    fn canonical(&self, p: &Position) -> (u64, usize) {
        let PositionName { key, symmetry, .. } = self.smallest_image(p);
        (key, symmetry)
    }

    #[inline]
    fn table_name(&self, p: &Position) -> PositionName {
        self.smallest_image(p)
    }
}

impl<S: Shape> WinningSets for Reversi<S> {}
