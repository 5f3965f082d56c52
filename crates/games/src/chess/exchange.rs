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
pub(super) fn see_at_least(p: &Position, m: Move, least: i32) -> bool {
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

#[cfg(test)]
mod tests {
    use game::{Game, Notation, Rng, moves_of};

    use super::*;
    use crate::chess::position::Chess;

    /// The most that `see_at_least` says a move brings.
    fn gain(p: &Position, m: Move) -> i32 {
        (-25_000..=25_000).rev().step_by(10).find(|&least| see_at_least(p, m, least)).unwrap()
    }

    #[test]
    fn exchanges_bring_what_a_player_would_count() {
        let game = Chess::default();
        for (position, m, expected) in [
            // A rook takes a pawn that nobody guards, and one that a knight guards twice over.
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - -", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -", "d3e5", -220),
            // A rook behind a rook, and a queen behind a bishop.
            ("4k3/4r3/8/4p3/8/8/4R3/K3R3 w - -", "e2e5", 100),
            ("4k3/4r3/4r3/4p3/8/8/4R3/K3R3 w - -", "e2e5", -400),
            ("6k1/8/5p2/4p3/8/2B5/1Q6/K7 w - -", "c3e5", -130),
            // En passant, a promotion, and one that is captured.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 100),
            ("8/P6k/8/8/8/8/8/K7 w - -", "a7a8q", 850),
            ("1r6/P6k/8/8/8/8/8/K7 w - -", "a7a8q", -100),
            // The king takes what nobody guards.
            ("8/8/8/8/4k3/8/1p6/K7 w - -", "a1b2", 100),
            // Quiet moves can be refuted too.
            ("4k3/8/3p4/8/8/5N2/8/4K3 w - -", "f3e5", -320),
            ("4k3/8/3p4/8/3P4/5N2/8/4K3 w - -", "f3e5", -220),
        ] {
            let p = game.read_position(position).unwrap();
            let m = game.read_move(&p, m).unwrap();
            assert_eq!(gain(&p, m), expected, "{position} {m:?}");
        }
    }

    /// The same by trying all captures on the square, the least piece first, whoever gains stops.
    fn by_trying(board: &mut Board, target: usize, side: Side) -> i32 {
        let own = moves::attackers(board, target, side);
        let Some(kind) = Kind::ALL.into_iter().find(|&kind| own & board.all(kind) != 0) else {
            return 0;
        };
        if kind == Kind::King && moves::attackers(board, target, side.other()) != 0 {
            return 0;
        }
        let from = (own & board.all(kind)).trailing_zeros() as usize;
        let prey = captured(board, target);
        let before = *board;
        board.carry(side, from, target);
        let value = prey - by_trying(board, target, side.other());
        *board = before;
        value.max(0)
    }

    #[test]
    fn exchanges_agree_with_playing_them() {
        let (game, mut rng) = (Chess::default(), Rng::new(8));
        for _ in 0..60 {
            let mut p = game.start();
            for _ in 0..120 {
                for m in moves_of(&game, &p) {
                    if m.special() != Special::None {
                        continue;
                    }
                    let (mut board, prey) = (p.board, captured(&p.board, m.to()));
                    board.carry(p.side, m.from(), m.to());
                    let value = prey - by_trying(&mut board, m.to(), p.side.other());
                    assert!(see_at_least(&p, m, value), "{m:?} in {p:?} brings {value}");
                    assert!(!see_at_least(&p, m, value + 1), "{m:?} in {p:?} brings {value} only");
                }
                let Some(m) = game.sample(&p, &mut rng) else { break };
                game.make(&mut p, m);
            }
        }
    }
}
