//! What the playing search asks of chess: which moves are noisy, what must be answered, and when passing is a
//! fair test.

use super::board::Kind;
use super::position::{Chess, Move, NOWHERE, Position, Special};

/// Captures and new queens.
#[inline]
pub(super) fn is_noisy(p: &Position, m: Move) -> bool {
    match m.special() {
        Special::EnPassant | Special::Promotion(Kind::Queen) => true,
        Special::Castling => false,
        _ => p.board.occupied() >> m.to() & 1 == 1,
    }
}

/// The position with the other side to move. In check that would be illegal, and with king and pawns alone
/// passing may be the best move there is.
#[inline]
pub(super) fn passed(game: &Chess, p: &Position) -> Option<Position> {
    let pieces = p.board.of(p.side) & !p.board.all(Kind::Pawn) & !p.board.all(Kind::King);
    let sound = pieces != 0 && !game.in_check(p);
    sound.then(|| Position {
        side: p.side.other(),
        en_passant: NOWHERE,
        // Nothing before a pass comes back after it.
        clock: 0,
        ..*p
    })
}

/// How much quiet moves can change in hundredths of a pawn.
#[inline]
pub(super) fn hope(depth: u32) -> Option<i32> {
    match depth {
        1 => Some(200),
        2 => Some(350),
        3 => Some(550),
        _ => None,
    }
}
