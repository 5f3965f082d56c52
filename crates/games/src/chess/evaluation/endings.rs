//! Endings in which the sum of the terms misleads: too little to mate with, and a lone king to be mated.

use game::Side;

use super::weights::Weights;
use crate::chess::board::{Board, DARK, Kind};
use crate::chess::position::Position;

/// The score for the side to move, corrected where the better side has no pawns.
#[inline]
pub(super) fn adjusted(weights: &Weights, p: &Position, score: i32) -> i32 {
    let (board, strong) = (&p.board, if score < 0 { p.side.other() } else { p.side });
    if board.all(Kind::Pawn) & board.of(strong) != 0 {
        return score;
    }
    without_pawns(weights, board, strong, score.abs()) * if score < 0 { -1 } else { 1 }
}

#[cold]
fn without_pawns(weights: &Weights, board: &Board, strong: Side, score: i32) -> i32 {
    let weak = strong.other();
    if is_barren(weights, board, strong) {
        return score * weights.barren / 64;
    }
    let alone = board.of(weak) & !board.all(Kind::King) == 0;
    if !alone {
        return score;
    }
    let (hunter, prey) = (place(board.king(strong)), place(board.king(weak)));
    let steps = (hunter.0 - prey.0).abs().max((hunter.1 - prey.1).abs());
    let [driven, near] = weights.lone_king;
    score + driven * cornered(board, strong, prey) + near * (7 - steps)
}

/// Whether a side without pawns has no more than a minor piece more, or just two knights.
fn is_barren(weights: &Weights, board: &Board, strong: Side) -> bool {
    let force = |side: Side| {
        let own = board.of(side);
        let kinds = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        let counts = kinds.map(|kind| (own & board.all(kind)).count_ones() as i32);
        counts.iter().zip(weights.phase).map(|(count, share)| count * share).sum::<i32>()
    };
    let others = board.of(strong) & !board.all(Kind::King) & !board.all(Kind::Knight);
    let knights = (board.of(strong) & board.all(Kind::Knight)).count_ones();
    force(strong) - force(strong.other()) <= 1 || others == 0 && knights <= 2
}

/// How far a king is from the centre; against bishop and knight, how near to a corner of the bishop's colour.
fn cornered(board: &Board, strong: Side, (row, column): (i32, i32)) -> i32 {
    let pieces = board.of(strong) & !board.all(Kind::King);
    let (bishops, knights) = (pieces & board.all(Kind::Bishop), pieces & board.all(Kind::Knight));
    let mates_in_corner =
        pieces == bishops | knights && bishops.count_ones() == 1 && knights.count_ones() == 1;
    if !mates_in_corner {
        let off_centre = |n: i32| (3 - n).max(n - 4);
        return off_centre(row) + off_centre(column);
    }
    // Dark corners are a1 and h8.
    let column = if bishops & DARK != 0 { column } else { 7 - column };
    14 - (row + column).min(14 - row - column)
}

fn place(bit: usize) -> (i32, i32) {
    ((bit / 8) as i32, (bit % 8) as i32)
}
