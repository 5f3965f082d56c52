//! What a capture brings once all exchanges on its square are over.
//!
//! Both sides capture with the least piece they have, and stop where going on would cost more. Pieces behind
//! others on a line join in; pins are not looked at.

use game::Side;

use super::attacks;
use super::board::{Board, Kind};
use super::moves;
use super::position::{Move, Position, Special};

/// Hundredths of a pawn.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 100,
        Kind::Knight => 320,
        Kind::Bishop => 330,
        Kind::Rook => 500,
        Kind::Queen => 950,
        // More than all others together: it captures last.
        Kind::King => 20_000,
    }
}

/// Whether the exchange that a move begins brings at least so much.
pub(super) fn pays(p: &Position, m: Move, least: i32) -> bool {
    let (board, target) = (&p.board, m.to());
    let Some(mover) = board.kind_at(m.from()) else { return false };
    let mut occupied = board.occupied() & !(1 << m.from());
    let (prey, stake) = match m.special() {
        Special::Castling => return least <= 0,
        Special::EnPassant => {
            occupied &= !(1 << (m.from() & !7 | target & 7));
            (worth(Kind::Pawn), mover)
        }
        Special::Promotion(kind) => {
            (captured(board, target) + worth(kind) - worth(Kind::Pawn), kind)
        }
        Special::None | Special::Double => (captured(board, target), mover),
    };
    // What is left for whoever has just moved, if the other side takes back and nothing follows.
    let sure = prey - least;
    if sure < 0 {
        return false;
    }
    sure >= worth(stake) || exchange(board, target, occupied, p.side, sure - worth(stake))
}

fn captured(board: &Board, target: usize) -> i32 {
    board.kind_at(target).map_or(0, worth)
}

/// Whether `side`, whose piece on the target may be captured, comes out with a balance of zero or more.
fn exchange(board: &Board, target: usize, mut occupied: u64, side: Side, balance: i32) -> bool {
    let mut attackers = (moves::attackers_through(board, target, Side::First, occupied)
        | moves::attackers_through(board, target, Side::Second, occupied))
        & occupied;
    let (mut turn, mut balance) = (side, balance);
    loop {
        turn = turn.other();
        let own = attackers & board.of(turn);
        let Some(kind) = Kind::ALL.into_iter().find(|&kind| own & board.all(kind) != 0) else {
            break;
        };
        // The king may capture only what nobody guards.
        if kind == Kind::King && attackers & board.of(turn.other()) != 0 {
            break;
        }
        let piece = own & board.all(kind);
        occupied &= !(piece & piece.wrapping_neg());
        balance = -balance - 1 - worth(kind);
        if balance >= 0 {
            turn = turn.other();
            break;
        }
        if matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Queen) {
            attackers |= attacks::bishop(target, occupied) & board.diagonal();
        }
        if matches!(kind, Kind::Rook | Kind::Queen) {
            attackers |= attacks::rook(target, occupied) & board.straight();
        }
        attackers &= occupied;
    }
    turn != side
}
