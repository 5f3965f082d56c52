//! Positions as few bytes: the squares that hold a piece, the side to move, the column of a pawn
//! that has just moved two rows, clock and number of the move, and what stands on those squares; a
//! rook that may castle counts as a kind of its own. 28 bytes with all pieces on the board.

use game::{Notation, Packer, Side, TextError, Unpacker, read_unpacked};

use super::board::{Board, Kind, bits};
use super::position::{Chess, NOWHERE, Position};

/// Half of the squares at a time.
const HALF: u64 = 1 << 32;
/// No column, or one of eight.
const COLUMNS: u64 = 9;
const NUMBER: u64 = 1 << u16::BITS;
/// The kinds of pieces, and the rook that may castle.
const KINDS: u64 = Kind::ALL.len() as u64 + 1;
const CASTLING: u64 = KINDS - 1;

pub(super) fn pack(p: &Position) -> Vec<u8> {
    let occupied = p.board.occupied();
    let mut packer = Packer::new();
    packer.digit(occupied % HALF, HALF);
    packer.digit(occupied / HALF, HALF);
    packer.side(p.side);
    packer.digit(p.passed().map_or(0, |bit| 1 + (bit % 8) as u64), COLUMNS);
    packer.digit(p.clock.into(), NUMBER);
    packer.digit(p.number.into(), NUMBER);
    for (bit, (side, kind)) in bits(occupied).filter_map(|bit| Some((bit, p.board.piece_at(bit)?)))
    {
        let number = Kind::ALL.iter().position(|&other| other == kind).unwrap_or(0);
        let kind = if p.castling >> bit & 1 == 1 { CASTLING } else { number as u64 };
        packer.side(side);
        packer.digit(kind, KINDS);
    }
    packer.finish()
}

pub(super) fn unpack(game: &Chess, bytes: &[u8]) -> Result<Position, TextError> {
    let mut unpacker = Unpacker::new(bytes);
    let occupied = unpacker.digit(HALF) + HALF * unpacker.digit(HALF);
    let side = unpacker.side();
    let passed = unpacker.digit(COLUMNS) as u8;
    let (clock, number) = (unpacker.digit(NUMBER) as u16, unpacker.digit(NUMBER) as u16);
    let (mut board, mut castling) = (Board::default(), 0);
    for square in bits(occupied).map(|bit| 1 << bit) {
        let (owner, kind) = (unpacker.side(), unpacker.digit(KINDS));
        if kind == CASTLING {
            castling |= square;
        }
        let kind = Kind::ALL.get(kind as usize).copied().unwrap_or(Kind::Rook);
        board.put(owner, kind, square);
    }
    unpacker.finish()?;
    // Whoever waits has moved that pawn.
    let row = if side == Side::First { 5 } else { 2 };
    let passed = passed.checked_sub(1).map_or(NOWHERE, |column| 8 * row + column);
    // Text has what was passed; whether a pawn can capture there is for its reader to find out.
    let p = Position { board, castling, side, passed, en_passant: NOWHERE, clock, number };
    read_unpacked(game, &game.write_position(&p), bytes)
}
