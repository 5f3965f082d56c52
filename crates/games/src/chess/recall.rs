//! The draws: dead positions, repetition and the clock.

use game::{Decisive, DrawCount, EndReason, Game, Path, Recall};

use super::board::{DARK, Kind};
use super::position::{Chess, Position};

/// Moves of either side without capture or pawn move after which a draw may be claimed.
const FIFTY_MOVES: u16 = 100;
/// And after which the game is drawn.
const SEVENTY_FIVE_MOVES: u16 = 150;

/// FIDE Laws of Chess (2023): a dead position, the fifth time the same position and 75 moves end
/// the game (5.2.2, 9.6); the third time and 50 moves let a player claim (9.2, 9.3). Mate comes
/// before the clock (9.6.2).
#[inline]
pub(super) fn recall(game: &Chess, p: &Position, path: &Path) -> Recall {
    if is_dead(p) {
        return Recall::Over(0);
    }
    let times = 1 + occurrences(game, p, path);
    if times < 3 && p.clock < FIFTY_MOVES {
        return Recall::Fresh;
    }
    let mated = || game.in_check(p) && game.count(p) == 0;
    if times >= 5 {
        Recall::Over(0)
    } else if p.clock >= FIFTY_MOVES && mated() {
        Recall::Fresh
    } else if p.clock >= SEVENTY_FIVE_MOVES {
        Recall::Over(0)
    } else {
        Recall::Claim(0)
    }
}

/// Why the game is over, or which draw may be claimed.
pub(super) fn end_reason(game: &Chess, p: &Position, path: &Path) -> EndReason {
    if game.is_stuck(p) {
        return if game.in_check(p) { EndReason::Checkmate } else { EndReason::Stalemate };
    }
    if is_dead(p) {
        return EndReason::InsufficientMaterial;
    }
    let times = 1 + occurrences(game, p, path);
    if times >= 3 && p.clock < SEVENTY_FIVE_MOVES {
        return EndReason::Repetition(times);
    }
    let plies = if p.clock < SEVENTY_FIVE_MOVES { FIFTY_MOVES } else { SEVENTY_FIVE_MOVES };
    EndReason::Quiet { plies, without: Decisive::CaptureOrPawn }
}

/// How far the clock and repetition have come, towards a claim and then towards the end.
pub(super) fn counts(game: &Chess, p: &Position, path: &Path) -> Vec<DrawCount> {
    let plies = if p.clock < FIFTY_MOVES { FIFTY_MOVES } else { SEVENTY_FIVE_MOVES };
    let quiet = EndReason::Quiet { plies, without: Decisive::CaptureOrPawn };
    let times = 1 + occurrences(game, p, path);
    let repeated = EndReason::Repetition(if times < 3 { 3 } else { 5 });
    let clock = (p.clock > 0).then(|| DrawCount { done: p.clock.into(), end: quiet });
    let repetition = (times > 1).then_some(DrawCount { done: times, end: repeated });
    [clock, repetition].into_iter().flatten().collect()
}

/// Whether the position was there before.
#[inline]
pub(super) fn repeats(game: &Chess, p: &Position, path: &Path) -> bool {
    occurrences(game, p, path) > 0
}

/// Whether nobody can mate, whatever is played, by the pieces alone: kings with one knight at most
/// or with bishops on squares of one colour.
#[inline]
fn is_dead(p: &Position) -> bool {
    let board = p.board();
    let pawns_rooks_queens = board.all(Kind::Pawn) | board.straight();
    if pawns_rooks_queens != 0 {
        return false;
    }
    let (knights, bishops) = (board.all(Kind::Knight), board.all(Kind::Bishop));
    match knights.count_ones() {
        0 => bishops & DARK == 0 || bishops & !DARK == 0,
        1 => bishops == 0,
        _ => false,
    }
}

/// How often the position was there before. Captures and pawn moves cannot be taken back, and with
/// the same side to move nothing is the same again before the fourth move.
#[inline]
fn occurrences(game: &Chess, p: &Position, path: &Path) -> usize {
    let reversible = usize::from(p.clock);
    if reversible < 4 || path.len() < 4 {
        return 0;
    }
    let key = game.path_key(p);
    let earlier = path.newest_first().take(reversible);
    earlier.skip(3).step_by(2).filter(|&k| k == key).count()
}
