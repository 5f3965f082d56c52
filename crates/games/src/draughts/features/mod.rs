//! [`Sixty`]: what a draughts position looks like to a player, in sixty numbers.
//!
//! The features of a thesis on English draughts, in its order, defined for every variant: thirty of the viewer and
//! thirty of the opponent. `docs/features.md` draws a board for each.
//!
//! `regions` knows the parts of a board, `survey` what a side may do, `camp` counts one side's thirty, `patterns` holds
//! the patterns as parameters.
//!
//! **Invariant:** both sides go through the same code, so that a position turned by half a turn with the colours
//! swapped has the same features for the other colour.

mod camp;
mod patterns;
#[cfg(feature = "reference")]
pub mod reference;
mod regions;
mod survey;
#[cfg(test)]
mod tests;

use evaluation::Features;
use game::Side;

use self::camp::{Camp, neighbours};
use super::position::{Colour, Position};
use super::rules::Draughts;
use super::switches::Rules;

/// How many there are.
pub(super) const COUNT: usize = 60;

/// The sixty features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sixty;

impl<R: Rules> Features<Draughts<R>> for Sixty {
    const NAMES: &'static [&'static str] = &NAMES;

    #[inline]
    fn write(game: &Draughts<R>, p: &Position, viewer: Side, out: &mut [i32]) {
        let Some(out) = out.first_chunk_mut::<COUNT>() else {
            debug_assert!(false, "room for {COUNT} features");
            return;
        };
        *out = [0; COUNT];
        let (rules, near) = (game.rules(), neighbours(game.rules().switches().size, p));
        let (mover, waiting) = (*p, waiting(p));
        let (white, black) = match p.colour {
            Colour::White => (&mover, &waiting),
            Colour::Black => (&waiting, &mover),
        };
        match game.side(Colour::White) == viewer {
            true => {
                Camp::<R, true>::new(rules, white, near).write(&OWN, out);
                Camp::<R, false>::new(rules, black, near).write(&OPPOSING, out);
            }
            false => {
                Camp::<R, true>::new(rules, white, near).write(&OPPOSING, out);
                Camp::<R, false>::new(rules, black, near).write(&OWN, out);
            }
        }
    }
}

/// The same pieces if the other side were on the move.
#[inline]
fn waiting(p: &Position) -> Position {
    Position {
        own: p.other,
        other: p.own,
        colour: p.colour.other(),
        runs: [p.runs[1], p.runs[0]],
        ..*p
    }
}

/// Where each of a side's thirty numbers stands among the sixty, in the order in which `camp` counts them.
type Places = [usize; COUNT / 2];

const OWN: Places = [
    0, 1, 4, 5, 8, 9, 12, 14, 15, 16, 20, 22, 24, 25, 28, 29, 32, 33, 36, 37, 40, 41, 42, 46, 47,
    48, 49, 54, 55, 56,
];
const OPPOSING: Places = [
    2, 3, 6, 7, 10, 11, 13, 17, 18, 19, 21, 23, 26, 27, 30, 31, 34, 35, 38, 39, 43, 44, 45, 50, 51,
    52, 53, 57, 58, 59,
];

/// In the order of the thesis, which counts from 1.
pub(super) const NAMES: [&str; COUNT] = [
    "own.men",
    "own.kings",
    "opposing.men",
    "opposing.kings",
    "own.men.wall",
    "own.kings.wall",
    "opposing.men.wall",
    "opposing.kings.wall",
    "own.men.movable",
    "own.kings.movable",
    "opposing.men.movable",
    "opposing.kings.movable",
    "own.moves",
    "opposing.moves",
    "own.capture_exists",
    "own.captures",
    "own.longest_capture",
    "opposing.capture_exists",
    "opposing.captures",
    "opposing.longest_capture",
    "own.men.distance",
    "opposing.men.distance",
    "own.free_promotion_squares",
    "opposing.free_promotion_squares",
    "own.men.bottom",
    "own.kings.bottom",
    "opposing.men.bottom",
    "opposing.kings.bottom",
    "own.men.middle",
    "own.kings.middle",
    "opposing.men.middle",
    "opposing.kings.middle",
    "own.men.top",
    "own.kings.top",
    "opposing.men.top",
    "opposing.kings.top",
    "own.men.lonely",
    "own.kings.lonely",
    "opposing.men.lonely",
    "opposing.kings.lonely",
    "own.man_in_corner",
    "own.king_in_corner",
    "own.both_corners",
    "opposing.man_in_corner",
    "opposing.king_in_corner",
    "opposing.both_corners",
    "own.triangle",
    "own.oreo",
    "own.bridge",
    "own.dog",
    "opposing.triangle",
    "opposing.oreo",
    "opposing.bridge",
    "opposing.dog",
    "own.blocking",
    "own.block_lines",
    "own.longest_block_line",
    "opposing.blocking",
    "opposing.block_lines",
    "opposing.longest_block_line",
];
