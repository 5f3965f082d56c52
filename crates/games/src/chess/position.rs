//! [`Chess`]: the rules.

use game::{Game, MoveSink, Path, Recall, Rng, Side, WinningSets, mix};

use super::board::{Board, Kind};
use super::groups::Groups;
use super::moves::{self, Black, Colour, White};
use super::parameters::Parameters;
use super::recall;

/// From a square to another, and what is special about it.
///
/// ```text
///   bit 14 13 12 | 11 … 6 | 5 … 0
///        special |     to |  from
/// ```
///
/// Castling goes from the king's square to the rook's, which leaves no doubt in Fischer random
/// chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// What a move does apart from going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Special {
    /// Nothing.
    None,
    /// A pawn goes two rows forward.
    Double,
    /// A pawn captures one that has just passed by.
    EnPassant,
    /// King and rook move together.
    Castling,
    /// A pawn becomes another piece.
    Promotion(Kind),
}

impl Move {
    /// From one bit to another.
    #[inline]
    #[must_use]
    pub fn new(from: usize, to: usize, special: Special) -> Move {
        debug_assert!(from < 64 && to < 64);
        let special = match special {
            Special::None => 0,
            Special::Double => 1,
            Special::EnPassant => 2,
            Special::Castling => 3,
            Special::Promotion(Kind::Knight) => 4,
            Special::Promotion(Kind::Bishop) => 5,
            Special::Promotion(Kind::Rook) => 6,
            Special::Promotion(_) => 7,
        };
        Move(special << 12 | (to as u16) << 6 | from as u16)
    }

    /// The bit of the square it leaves: row times eight plus column.
    #[inline]
    #[must_use]
    pub fn from(self) -> usize {
        usize::from(self.0 & 63)
    }

    /// The bit of the square it goes to; in castling that of the rook.
    #[inline]
    #[must_use]
    pub fn to(self) -> usize {
        usize::from(self.0 >> 6 & 63)
    }

    /// What is special about it.
    #[inline]
    #[must_use]
    pub fn special(self) -> Special {
        match self.0 >> 12 {
            0 => Special::None,
            1 => Special::Double,
            2 => Special::EnPassant,
            3 => Special::Castling,
            4 => Special::Promotion(Kind::Knight),
            5 => Special::Promotion(Kind::Bishop),
            6 => Special::Promotion(Kind::Rook),
            _ => Special::Promotion(Kind::Queen),
        }
    }
}

/// Where king and rook stand after castling, on the row where they stood before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Castled {
    pub(super) king: usize,
    pub(super) rook: usize,
}

/// The rook's square says which way: to columns g and f, or to columns c and d.
#[inline]
pub(super) fn castled(king: usize, rook: usize) -> Castled {
    let row = king & !7;
    if rook > king {
        Castled { king: row + 6, rook: row + 5 }
    } else {
        Castled { king: row + 2, rook: row + 3 }
    }
}

/// Everything but what the path tells.
///
/// **Invariant:** each side has one king, and that of the side that waits is not attacked; no pawn
/// stands on the first or the last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) board: Board,
    /// The rooks that may castle, one at most to each side of each king.
    pub(super) castling: u64,
    pub(super) side: Side,
    /// The square behind a pawn that has just moved two rows; else [`NOWHERE`].
    pub(super) passed: u8,
    /// The same, if that pawn can legally be captured; else [`NOWHERE`]. The rules tell positions
    /// apart by this one alone.
    pub(super) en_passant: u8,
    /// Moves of either side since the last capture or pawn move.
    pub(super) clock: u16,
    /// The number of the move, from 1, counted up when Black has moved.
    pub(super) number: u16,
}

/// No square.
pub(super) const NOWHERE: u8 = 64;

impl Position {
    /// The pieces.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The squares of rooks that may castle, as bits.
    #[inline]
    #[must_use]
    pub fn castling(&self) -> u64 {
        self.castling
    }

    /// The bit of the square where a pawn can legally capture en passant.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<usize> {
        (self.en_passant != NOWHERE).then_some(usize::from(self.en_passant))
    }

    /// The bit of the square behind a pawn that has just moved two rows, whether it can be captured
    /// or not.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Option<usize> {
        (self.passed != NOWHERE).then_some(usize::from(self.passed))
    }

    /// Moves of either side since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn clock(&self) -> u16 {
        self.clock
    }

    /// The number of the move, as score sheets count: up by one when Black has moved.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.number
    }
}

/// The rules of chess from one start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chess {
    parameters: Parameters,
}

impl Chess {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Chess {
        Chess { parameters }
    }

    /// What was chosen.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Whether the king of the side to move is attacked.
    #[inline]
    #[must_use]
    pub fn in_check(&self, p: &Position) -> bool {
        moves::attackers(&p.board, p.board.king(p.side), p.side.other()) != 0
    }
}

impl Game for Chess {
    type Position = Position;
    type Move = Move;
    /// The old position: copying its six words is cheaper than working out what was there.
    type Undo = Position;

    const ALTERNATES: bool = true;

    fn start(&self) -> Position {
        let mut board = Board::default();
        for (column, kind) in self.parameters.pieces().into_iter().enumerate() {
            for (side, pieces, pawns) in [(Side::First, 0, 8), (Side::Second, 56, 48)] {
                board.put(side, kind, 1 << (pieces + column));
                board.put(side, Kind::Pawn, 1 << (pawns + column));
            }
        }
        Position {
            castling: board.all(Kind::Rook),
            board,
            side: Side::First,
            passed: NOWHERE,
            en_passant: NOWHERE,
            clock: 0,
            number: 1,
        }
    }

    #[inline]
    fn to_move(&self, p: &Position) -> Side {
        p.side
    }

    #[inline]
    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        moves::collect(p, &mut moves::Each(out));
    }

    /// Never: mate and stalemate are seen when nothing is generated, and draws look back.
    #[inline]
    fn margin(&self, _: &Position) -> Option<i32> {
        None
    }

    /// Mate or stalemate.
    fn stuck(&self, p: &Position) -> i32 {
        if self.in_check(p) { -p.side.sign() } else { 0 }
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    #[inline]
    fn make(&self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        match p.side {
            Side::First => play::<White>(p, m),
            Side::Second => play::<Black>(p, m),
        }
        before
    }

    #[inline]
    fn unmake(&self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    /// Worked out when asked, from six words mixed side by side: nothing is kept up to date where no
    /// key is wanted.
    #[inline]
    fn key(&self, p: &Position) -> u64 {
        let Board { white, low, mid, high } = p.board;
        let turn = u64::from(p.en_passant) << 1 | p.side as u64;
        let words = [white, low, mid, high, p.castling, turn];
        // Each word gets a mixer of its own.
        let salted = words.iter().zip(1_u64..).map(|(&word, i)| mix(word ^ i << 58 ^ i));
        mix(salted.fold(0, u64::wrapping_add))
    }

    fn looks_back(&self) -> bool {
        true
    }

    #[inline]
    fn recall(&self, p: &Position, path: &Path) -> Recall {
        recall::recall(self, p, path)
    }

    fn slots(&self) -> usize {
        64 * 64
    }

    #[inline]
    fn slot(&self, m: Move) -> usize {
        usize::from(m.0 & 0xfff)
    }

    #[inline]
    fn code(&self, m: Move) -> u32 {
        u32::from(m.0)
    }

    #[inline]
    fn count(&self, p: &Position) -> usize {
        let mut count = moves::Count(0);
        moves::collect(p, &mut count);
        count.0
    }

    #[inline]
    fn sample(&self, p: &Position, rng: &mut Rng) -> Option<Move> {
        let mut groups = Groups::new();
        moves::collect(p, &mut groups);
        (groups.count() > 0).then(|| groups.nth(rng.below(groups.count())))
    }
}

impl WinningSets for Chess {}

#[inline]
fn play<Us: Colour>(p: &mut Position, m: Move) {
    let (from, to) = (m.from(), m.to());
    let (origin, target) = (1 << from, 1 << to);
    debug_assert!(p.board.of(Us::SIDE) & origin != 0, "{m:?} moves nothing");
    let irreversible =
        p.board.all(Kind::Pawn) & origin | p.board.of(Us::SIDE.other()) & target != 0;
    let king_moves = p.board.all(Kind::King) & origin != 0;
    (p.passed, p.en_passant) = (NOWHERE, NOWHERE);
    p.clock = if irreversible { 0 } else { p.clock.saturating_add(1) };
    p.castling &= !(origin | target);
    if king_moves {
        p.castling &= !Us::FIRST_ROW;
    }
    p.side = Us::SIDE.other();
    if Us::SIDE == Side::Second {
        p.number = p.number.saturating_add(1);
    }
    match m.special() {
        Special::None => p.board.carry(Us::SIDE, from, to),
        Special::Double => {
            p.board.carry(Us::SIDE, from, to);
            let passed = (from + to) / 2;
            p.passed = passed as u8;
            if moves::en_passant_capturers::<Us::Other>(&p.board, passed) != 0 {
                p.en_passant = passed as u8;
            }
        }
        Special::EnPassant => {
            p.board.carry(Us::SIDE, from, to);
            p.board.lift(Us::back(target));
        }
        Special::Castling => {
            let castled = castled(from, to);
            p.board.lift(origin | target);
            p.board.put(Us::SIDE, Kind::King, 1 << castled.king);
            p.board.put(Us::SIDE, Kind::Rook, 1 << castled.rook);
        }
        Special::Promotion(kind) => {
            p.board.lift(origin | target);
            p.board.put(Us::SIDE, kind, target);
        }
    }
}
