//! [`Pieces`]: what a chess position looks like to a player, in forty-four numbers.
//!
//! What the classic evaluation counts first, twenty-two numbers of the viewer and twenty-two of the opponent, without
//! tables by squares and the same from the opening to the end.

use evaluation::Features;
use evaluation::features::opposed;
use game::Side;

use super::terms::{Camp, OFFICERS, Pawns, attacks_of, count, way_of};
use crate::chess::attacks;
use crate::chess::board::{Kind, bits};
use crate::chess::moves::{Black, Colour, White};
use crate::chess::position::{Chess, Position};

/// Numbers of each side.
const HALF: usize = 22;
/// How many there are.
pub(super) const COUNT: usize = 2 * HALF;

/// The forty-four features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces;

impl Features<Chess> for Pieces {
    const NAMES: &'static [&'static str] = &NAMES;

    /// Never part of its caller, where it would be in the way of the usual evaluation.
    #[inline(never)]
    fn write(_: &Chess, p: &Position, viewer: Side, out: &mut [i32]) {
        let Some(out) = out.first_chunk_mut::<COUNT>() else {
            debug_assert!(false, "room for {COUNT} features");
            return;
        };
        let (own, opposing) = out.split_at_mut(HALF);
        let [white, black] = match viewer {
            Side::First => [own, opposing],
            Side::Second => [opposing, own],
        };
        let board = p.board();
        let mut camps = (Camp::new::<White>(board), Camp::new::<Black>(board));
        let officers = [
            Officers::new::<White>(p, &mut camps.0, &camps.1),
            Officers::new::<Black>(p, &mut camps.1, &camps.0),
        ];
        write_side::<White>(p, &camps.0, &camps.1, &officers[0], white);
        write_side::<Black>(p, &camps.1, &camps.0, &officers[1], black);
    }
}

/// What the knights, bishops, rooks and queens of a side attack.
struct Officers {
    /// The squares worth going to, counted for each piece, by kind.
    mobility: [i32; 4],
    /// The squares by the other king, counted for each piece.
    siege: i32,
}

impl Officers {
    /// The camp hears what they attack.
    #[inline]
    fn new<Us: Colour>(p: &Position, us: &mut Camp, them: &Camp) -> Officers {
        let (board, occupied) = (p.board(), p.board().occupied());
        let (targets, by_king) = (us.targets(them), attacks::king(them.king));
        let mut officers = Officers { mobility: [0; 4], siege: 0 };
        for (officer, kind) in OFFICERS.into_iter().enumerate() {
            for bit in bits(us.own & board.all(kind)) {
                let attacked = attacks_of(officer, bit, occupied);
                us.by_all |= attacked;
                officers.mobility[officer] += count(attacked & targets);
                officers.siege += count(attacked & by_king);
            }
        }
        officers
    }
}

/// The twenty-two numbers of one side.
#[inline]
fn write_side<Us: Colour>(
    p: &Position,
    us: &Camp,
    them: &Camp,
    officers: &Officers,
    out: &mut [i32],
) {
    const CENTRE: u64 = 0x0000_0018_1800_0000;
    let board = p.board();
    let [knights, bishops, rooks, queens] = OFFICERS.map(|kind| us.own & board.all(kind));
    let pawns = Pawns::new::<Us>(us, them);
    let [open, half_open] = us.open_columns(them, rooks);
    let [near, far] = us.shelter::<Us>();
    let king = 1 << us.king;
    let [by_knights, by_bishops, by_rooks, by_queens] = officers.mobility;
    let numbers: [i32; HALF] = [
        count(us.pawns),
        count(knights),
        count(bishops),
        count(rooks),
        count(queens),
        i32::from(count(bishops) > 1),
        by_knights,
        by_bishops,
        by_rooks,
        by_queens,
        count(pawns.doubled),
        count(pawns.isolated),
        count(pawns.passed),
        bits(pawns.passed).map(|bit| way_of(Us::SIDE, bit)).sum(),
        count(open),
        count(half_open),
        count(us.pawns & (near | far)),
        officers.siege,
        count(us.by_all & CENTRE),
        count(us.hanging(them) & !board.all(Kind::King)),
        count(us.own & p.castling()),
        count(king & them.by_all),
    ];
    out.copy_from_slice(&numbers);
}

pub(super) const NAMES: [&str; COUNT] = evaluation::names_of_both![
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "bishop_pair",
    "mobility.knights",
    "mobility.bishops",
    "mobility.rooks",
    "mobility.queens",
    "doubled",
    "isolated",
    "passed",
    "passed.way",
    "rooks.open",
    "rooks.half_open",
    "shield",
    "siege",
    "centre",
    "hanging",
    "castling",
    "in_check",
];

/// Eighths of a hundredth of a pawn, set by hand: what pieces are usually worth, and a little for squares to go to and for
/// passed pawns on their way.
pub(super) const USUAL: [i32; COUNT] = opposed([
    800, 2560, 2640, 4000, 7600, 240, 32, 32, 16, 8, 0, 0, 80, 80, 0, 0, 40, 0, 0, 0, 0, 0,
]);

#[cfg(test)]
mod tests;
