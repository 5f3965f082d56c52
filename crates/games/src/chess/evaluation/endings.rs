//! Endings in which the sum of the terms misleads: too little to mate with, and a lone king to be mated.

use game::Side;

use super::weights::Weights;
use crate::chess::attacks;
use crate::chess::board::{Board, COLUMN_A, COLUMN_H, DARK, Kind};
use crate::chess::position::Position;

/// Whether a side may still win. A bare king never does; nor do bishops with pawns of a border
/// column if they are of the wrong colour and a bare king stands on or next to the corner where
/// these would become queens. Nothing but the other king could attack that corner, and would have
/// to stand next to this one for it: so it can always be entered, and from there a king without a
/// move is stalemated. A pawn that becomes something there is captured.
#[inline]
pub(super) fn can_win(board: &Board, side: Side) -> bool {
    let kings = board.all(Kind::King);
    if board.of(side) & !kings == 0 {
        return false;
    }
    if board.of(side.other()) & !kings != 0 {
        return true;
    }
    let pawns = board.all(Kind::Pawn) & board.of(side);
    pawns == 0 || !on_border(pawns) || !has_wrong_bishop(board, side, pawns)
}

/// Whether pawns all stand on the same border column.
#[inline]
fn on_border(pawns: u64) -> bool {
    pawns & !COLUMN_A == 0 || pawns & !COLUMN_H == 0
}

/// The score for the side to move, corrected where the better side has no pawns, or none that ever
/// become a queen.
#[inline]
pub(super) fn adjusted(weights: &Weights, p: &Position, score: i32) -> i32 {
    let (board, strong) = (&p.board, if score < 0 { p.side.other() } else { p.side });
    let pawns = board.all(Kind::Pawn) & board.of(strong);
    if pawns != 0 {
        let drawn = on_border(pawns) && has_wrong_bishop(board, strong, pawns);
        return if drawn { 0 } else { score };
    }
    without_pawns(weights, board, strong, score.abs()) * if score < 0 { -1 } else { 1 }
}

#[cold]
fn without_pawns(weights: &Weights, board: &Board, strong: Side, score: i32) -> i32 {
    let weak = strong.other();
    let pieces = board.of(strong) & !board.all(Kind::King);
    let alone = board.of(weak) & !board.all(Kind::King) == 0;
    // Nobody is mated by two knights who does not help.
    let two_knights = pieces & !board.all(Kind::Knight) == 0 && pieces.count_ones() == 2;
    if pieces == 0 || alone && two_knights {
        return 0;
    }
    if is_barren(weights, board, strong) {
        return score * weights.barren / 64;
    }
    if !alone {
        return score;
    }
    let (hunter, prey) = (place(board.king(strong)), place(board.king(weak)));
    let steps = (hunter.0 - prey.0).abs().max((hunter.1 - prey.1).abs());
    let [driven, near] = weights.lone_king;
    score + driven * cornered(board, strong, prey) + near * (7 - steps)
}

/// Whether bishops are all that stands beside pawns of a border column, none of them guards the
/// corner where these would become queens, and the other king, without a pawn to lose, is there
/// first: nobody drives it out.
#[cold]
fn has_wrong_bishop(board: &Board, strong: Side, pawns: u64) -> bool {
    let bishops = board.of(strong) & !board.all(Kind::King) & !pawns;
    let row = if strong == Side::First { 56 } else { 0 };
    let corner = row + if pawns & COLUMN_A == 0 { 7 } else { 0 };
    let corner_colour = if DARK >> corner & 1 == 1 { DARK } else { !DARK };
    let weak = strong.other();
    bishops != 0
        && bishops & !board.all(Kind::Bishop) == 0
        && bishops & corner_colour == 0
        && board.of(weak) & board.all(Kind::Pawn) == 0
        && (attacks::king(corner) | 1 << corner) >> board.king(weak) & 1 == 1
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
