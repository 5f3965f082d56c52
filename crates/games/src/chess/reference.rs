//! The same rules written for being obviously right: a piece or nothing on each of 64 squares,
//! walks square by square, and every move tried on a copy to see whether it leaves the king
//! attacked. Tests and benchmarks compare [`Chess`](super::Chess) with it; it shares nothing with
//! the fast rules but [`Parameters`], [`Kind`] and the names of moves.

use game::{Game, MoveSink, Path, Recall, Side, mix};

use super::board::Kind;
use super::parameters::Parameters;
use super::position::{Move, Special};

const STRAIGHT: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(isize, isize); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The rules of chess from one start.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    parameters: Parameters,
}

/// What stands where, and what else a FEN says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By row times eight plus column.
    pub squares: [Option<(Side, Kind)>; 64],
    /// Who moves next.
    pub side: Side,
    /// The squares of rooks that may castle, in order.
    pub castling: Vec<usize>,
    /// The square that a pawn has just passed, whether it can be captured or not.
    pub passed: Option<usize>,
    /// Moves of either side since the last capture or pawn move.
    pub clock: usize,
    /// The number of the move.
    pub number: usize,
}

impl Plain {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Plain {
        Plain { parameters }
    }

    /// Whether the king of the side to move is attacked.
    #[must_use]
    pub fn in_check(&self, p: &Position) -> bool {
        attacked(p, king(p, p.side), p.side.other())
    }

    /// All legal moves.
    #[must_use]
    pub fn legal(&self, p: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in 0..64 {
            if let Some((side, kind)) = p.squares[from]
                && side == p.side
            {
                add_moves(p, from, kind, &mut moves);
            }
        }
        moves.retain(|&m| {
            let next = after(p, m);
            !attacked(&next, king(&next, p.side), p.side.other())
        });
        moves
    }

    /// The square where a pawn can legally capture en passant.
    #[must_use]
    pub fn en_passant(&self, p: &Position) -> Option<usize> {
        let captures = |m: &Move| m.special() == Special::EnPassant;
        p.passed.filter(|_| self.legal(p).iter().any(captures))
    }

    /// Whether there is too little to mate with: kings and one knight, or bishops of one colour.
    fn is_dead(&self, p: &Position) -> bool {
        let (mut knights, mut bishops) = (0, [0, 0]);
        for (square, piece) in p.squares.iter().enumerate() {
            match piece {
                None | Some((_, Kind::King)) => {}
                Some((_, Kind::Knight)) => knights += 1,
                Some((_, Kind::Bishop)) => bishops[(square / 8 + square % 8) % 2] += 1,
                Some(_) => return false,
            }
        }
        match knights {
            0 => bishops.contains(&0),
            1 => bishops == [0, 0],
            _ => false,
        }
    }
}

/// The square so many rows up and columns to the right, if the board has it.
fn step(from: usize, (up, right): (isize, isize)) -> Option<usize> {
    let row = (from / 8).checked_add_signed(up).filter(|&row| row < 8)?;
    let column = (from % 8).checked_add_signed(right).filter(|&column| column < 8)?;
    Some(row * 8 + column)
}

/// The squares a piece reaches by sliding, the first taken one with them.
fn slide(p: &Position, from: usize, directions: &[(isize, isize)]) -> Vec<usize> {
    let mut reached = Vec::new();
    for &direction in directions {
        let mut here = from;
        while let Some(next) = step(here, direction) {
            reached.push(next);
            if p.squares[next].is_some() {
                break;
            }
            here = next;
        }
    }
    reached
}

/// The squares a piece attacks.
fn attacks(p: &Position, from: usize, side: Side, kind: Kind) -> Vec<usize> {
    let near = |steps: &[(isize, isize)]| steps.iter().filter_map(|&s| step(from, s)).collect();
    let up = side.sign() as isize;
    match kind {
        Kind::Pawn => near(&[(up, -1), (up, 1)]),
        Kind::Knight => near(&LEAPS),
        Kind::King => near(&[STRAIGHT, DIAGONAL].concat()),
        Kind::Bishop => slide(p, from, &DIAGONAL),
        Kind::Rook => slide(p, from, &STRAIGHT),
        Kind::Queen => slide(p, from, &[STRAIGHT, DIAGONAL].concat()),
    }
}

/// Whether one side attacks a square.
fn attacked(p: &Position, square: usize, by: Side) -> bool {
    (0..64).any(|from| match p.squares[from] {
        Some((side, kind)) => side == by && attacks(p, from, side, kind).contains(&square),
        None => false,
    })
}

fn king(p: &Position, side: Side) -> usize {
    p.squares.iter().position(|&piece| piece == Some((side, Kind::King))).unwrap_or_default()
}

/// The moves of one piece, whether they leave the king attacked or not.
fn add_moves(p: &Position, from: usize, kind: Kind, out: &mut Vec<Move>) {
    if kind == Kind::Pawn {
        return add_pawn_moves(p, from, out);
    }
    for to in attacks(p, from, p.side, kind) {
        if p.squares[to].is_none_or(|(side, _)| side != p.side) {
            out.push(Move::new(from, to, Special::None));
        }
    }
    if kind == Kind::King {
        let row = from / 8;
        for &rook in p.castling.iter().filter(|&&rook| rook / 8 == row) {
            if p.squares[rook] == Some((p.side, Kind::Rook)) && can_castle(p, from, rook) {
                out.push(Move::new(from, rook, Special::Castling));
            }
        }
    }
}

/// No other piece in the way of king or rook, and no attack on the king's way.
fn can_castle(p: &Position, king: usize, rook: usize) -> bool {
    let (king_to, rook_to) = castled(king, rook);
    let way = |from: usize, to: usize| from.min(to)..=from.max(to);
    let free = |square: usize| square == king || square == rook || p.squares[square].is_none();
    way(king, king_to).chain(way(rook, rook_to)).all(free)
        && way(king, king_to).all(|square| {
            let mut moved = p.clone();
            moved.squares[king] = None;
            moved.squares[square] = moved.squares[square].or(Some((p.side, Kind::King)));
            !attacked(&moved, square, p.side.other())
        })
}

/// Where king and rook stand after castling.
fn castled(king: usize, rook: usize) -> (usize, usize) {
    let row = king / 8 * 8;
    if rook > king { (row + 6, row + 5) } else { (row + 2, row + 3) }
}

fn add_pawn_moves(p: &Position, from: usize, out: &mut Vec<Move>) {
    let up = p.side.sign() as isize;
    let (start, last) = if p.side == Side::First { (1, 7) } else { (6, 0) };
    let mut add = |to: usize, special: Special| {
        if to / 8 == last {
            let becomes = |kind| Move::new(from, to, Special::Promotion(kind));
            out.extend(Kind::PROMOTIONS.map(becomes));
        } else {
            out.push(Move::new(from, to, special));
        }
    };
    let empty = |square: &usize| p.squares[*square].is_none();
    if let Some(ahead) = step(from, (up, 0)).filter(empty) {
        add(ahead, Special::None);
        if let Some(two) = step(ahead, (up, 0)).filter(empty)
            && from / 8 == start
        {
            add(two, Special::Double);
        }
    }
    for to in attacks(p, from, p.side, Kind::Pawn) {
        match p.squares[to] {
            Some((side, _)) if side != p.side => add(to, Special::None),
            None if p.passed == Some(to) => add(to, Special::EnPassant),
            _ => {}
        }
    }
}

/// The position after a move.
fn after(p: &Position, m: Move) -> Position {
    let (from, to) = (m.from(), m.to());
    let piece = p.squares[from];
    let pawn = matches!(piece, Some((_, Kind::Pawn)));
    let captures = p.squares[to].is_some() && m.special() != Special::Castling;
    let mut next = p.clone();
    next.squares[from] = None;
    next.passed = None;
    match m.special() {
        Special::None => next.squares[to] = piece,
        Special::Double => {
            next.squares[to] = piece;
            next.passed = Some((from + to) / 2);
        }
        Special::EnPassant => {
            next.squares[to] = piece;
            next.squares[from / 8 * 8 + to % 8] = None;
        }
        Special::Castling => {
            let (king_to, rook_to) = castled(from, to);
            next.squares[to] = None;
            next.squares[king_to] = Some((p.side, Kind::King));
            next.squares[rook_to] = Some((p.side, Kind::Rook));
        }
        Special::Promotion(kind) => next.squares[to] = Some((p.side, kind)),
    }
    let king_moves = matches!(piece, Some((_, Kind::King)));
    let row = from / 8;
    next.castling.retain(|&r| r != from && r != to && !(king_moves && r / 8 == row));
    next.clock = if pawn || captures { 0 } else { p.clock + 1 };
    next.number += usize::from(p.side == Side::Second);
    next.side = p.side.other();
    next
}

impl Game for Plain {
    type Position = Position;
    type Move = Move;
    type Undo = Position;

    const ALTERNATES: bool = true;

    fn start(&self) -> Position {
        let mut squares = [None; 64];
        let mut castling = Vec::new();
        for (column, kind) in self.parameters.pieces().into_iter().enumerate() {
            squares[column] = Some((Side::First, kind));
            squares[8 + column] = Some((Side::First, Kind::Pawn));
            squares[48 + column] = Some((Side::Second, Kind::Pawn));
            squares[56 + column] = Some((Side::Second, kind));
            if kind == Kind::Rook {
                castling.extend([column, 56 + column]);
            }
        }
        castling.sort_unstable();
        Position { squares, side: Side::First, castling, passed: None, clock: 0, number: 1 }
    }

    fn to_move(&self, p: &Position) -> Side {
        p.side
    }

    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        for m in self.legal(p) {
            out.push(m);
        }
    }

    fn margin(&self, _: &Position) -> Option<i32> {
        None
    }

    fn stuck(&self, p: &Position) -> i32 {
        if self.in_check(p) { -p.side.sign() } else { 0 }
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    fn make(&self, p: &mut Position, m: Move) -> Position {
        let next = after(p, m);
        std::mem::replace(p, next)
    }

    fn unmake(&self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn key(&self, p: &Position) -> u64 {
        let digit = |piece: &Option<(Side, Kind)>| {
            piece.map_or(0, |(side, kind)| side as u64 * 8 + kind as u64)
        };
        let squares = p.squares.iter().fold(mix(p.side as u64), |key, s| mix(key ^ digit(s)));
        let rights = p.castling.iter().fold(squares, |key, &rook| mix(key ^ rook as u64));
        mix(rights ^ self.en_passant(p).map_or(64, |square| square as u64) << 8)
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn recall(&self, p: &Position, path: &Path) -> Recall {
        let times = 1 + path.count(self.path_key(p));
        let mate = self.legal(p).is_empty() && self.in_check(p);
        if self.is_dead(p) || times >= 5 || (p.clock >= 150 && !mate) {
            Recall::Over(0)
        } else if times >= 3 || (p.clock >= 100 && !mate) {
            Recall::Claim(0)
        } else {
            Recall::Fresh
        }
    }

    fn slots(&self) -> usize {
        64 * 64
    }

    fn slot(&self, m: Move) -> usize {
        m.from() * 64 + m.to()
    }

    fn code(&self, m: Move) -> u32 {
        let special = match m.special() {
            Special::None => 0,
            Special::Double => 1,
            Special::EnPassant => 2,
            Special::Castling => 3,
            Special::Promotion(kind) => 8 + kind as u32,
        };
        special << 12 | self.slot(m) as u32
    }
}
