//! Why a piece may not go where somebody wants it, in words.

use game::Side;

use super::board::{Kind, name_of};
use super::position::{Chess, NOWHERE, Position};
use super::{attacks, fen, moves};

/// What is wrong with moving the piece on a square, to another one or at all. Only asked where no such
/// move is legal.
pub(super) fn reason(game: &Chess, p: &Position, from: usize, to: Option<usize>) -> String {
    let square = name_of(from);
    let Some((side, kind)) = p.board.piece_at(from) else {
        return format!("no piece stands on {square}");
    };
    let (piece, mover) = (kind.name(), fen::name(p.side));
    if side != p.side {
        return format!("the {piece} on {square} is {}'s, and {mover} is to move", fen::name(side));
    }
    let reached = reach(p, from, kind);
    match to {
        Some(to) if reached >> to & 1 == 0 => return out_of_reach(p, from, to, kind),
        None if reached == 0 => return format!("the {piece} on {square} has nowhere to go"),
        _ => {}
    }
    // It could go there, and the rules forbid it: so its king would be in check.
    match (kind, to) {
        (Kind::King, Some(to)) => format!("the king would be in check on {}", name_of(to)),
        (Kind::King, None) => "the king would be in check wherever it goes".to_owned(),
        (_, Some(_)) if game.in_check(p) => {
            format!("{mover} is in check, and this does not answer it")
        }
        (_, None) if game.in_check(p) => {
            format!("{mover} is in check, and the {piece} on {square} cannot help")
        }
        _ => format!("the {piece} on {square} is pinned: the king would be in check"),
    }
}

fn out_of_reach(p: &Position, from: usize, to: usize, kind: Kind) -> String {
    let far = kind == Kind::King && from / 8 == to / 8 && from.abs_diff(to) > 1;
    let own_rook = p.board.piece_at(to) == Some((p.side, Kind::Rook));
    if kind == Kind::King && (far || own_rook) {
        return "castling is not possible here".to_owned();
    }
    match p.board.piece_at(to) {
        Some((side, other)) if side == p.side => {
            format!("{}'s own {} stands on {}", fen::name(side), other.name(), name_of(to))
        }
        _ => format!("the {} on {} does not go to {}", kind.name(), name_of(from), name_of(to)),
    }
}

/// Where a piece of the side to move could go if its king did not matter; castling aside.
fn reach(p: &Position, from: usize, kind: Kind) -> u64 {
    let occupied = p.board.occupied();
    let attacked = match kind {
        Kind::Pawn => return pawn_reach(p, from),
        Kind::Knight => attacks::knight(from),
        Kind::King => attacks::king(from),
        Kind::Bishop => attacks::bishop(from, occupied),
        Kind::Rook => attacks::rook(from, occupied),
        Kind::Queen => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
    };
    attacked & !p.board.of(p.side)
}

fn pawn_reach(p: &Position, from: usize) -> u64 {
    let ahead = |set: u64| match p.side {
        Side::First => set << 8,
        Side::Second => set >> 8,
    };
    let home = match p.side {
        Side::First => from / 8 == 1,
        Side::Second => from / 8 == 6,
    };
    let (pawn, free) = (1 << from, !p.board.occupied());
    let one = ahead(pawn) & free;
    let two = if home { ahead(one) & free } else { 0 };
    let passed = if p.en_passant == NOWHERE { 0 } else { 1 << p.en_passant };
    one | two | moves::sideways(ahead(pawn)) & (p.board.of(p.side.other()) | passed)
}
