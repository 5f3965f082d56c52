//! What one side's pieces are worth to [`Classic`](super::Classic): sets of squares, counted and weighed.
//!
//! **Invariant:** both sides go through the same code, compiled for each of them, so that a position
//! turned by half a turn with the colours swapped has the opposite worth.

use evaluation::Tapered;

use super::landmarks::Landmarks;
use super::weights::Weights;
use crate::draughts::board::{DIAGONAL, Size};
use crate::draughts::captures::forward;
use crate::draughts::position::{Colour, Position};
use crate::draughts::switches::Switches;

/// The terms of the side to move less the other's.
#[inline]
pub(super) fn balance(weights: &Weights, switches: Switches, p: &Position) -> Tapered {
    let scene = Scene { weights, switches, empty: switches.size.all() & !(p.own | p.other) };
    let (own, other) = (Camp::new(p.own, p.kings), Camp::new(p.other, p.kings));
    match p.colour {
        Colour::White => scene.worth::<true>(own, other, 0) - scene.worth::<false>(other, own, 1),
        Colour::Black => scene.worth::<false>(own, other, 0) - scene.worth::<true>(other, own, 1),
    }
}

/// How many pieces are left, of how many that are usual at the start.
#[inline]
pub(super) fn phase(size: Size, p: &Position) -> (i32, i32) {
    let all = 2 * size.half() * (size.half() - 1);
    let left = (p.own | p.other).count_ones() as usize;
    (left.min(all) as i32, all as i32)
}

#[derive(Clone, Copy)]
struct Camp {
    men: u64,
    kings: u64,
}

impl Camp {
    #[inline]
    fn new(pieces: u64, kings: u64) -> Camp {
        Camp { men: pieces & !kings, kings: pieces & kings }
    }
}

struct Scene<'a> {
    weights: &'a Weights,
    switches: Switches,
    empty: u64,
}

impl Scene<'_> {
    /// `waits` is 0 for the side to move and 1 for the other.
    #[inline(always)]
    fn worth<const WHITE: bool>(&self, us: Camp, them: Camp, waits: usize) -> Tapered {
        let hanging = self.hanging::<WHITE>(us, them) != 0;
        let kings = if us.kings == 0 { Tapered::default() } else { self.kings(us) };
        self.men::<WHITE>(us) + kings + self.weights.hanging[waits] * i32::from(hanging)
    }

    #[inline(always)]
    fn men<const WHITE: bool>(&self, us: Camp) -> Tapered {
        let (weights, size, men) = (self.weights, self.switches.size, us.men);
        let (colour, landmarks) = (colour(WHITE), Landmarks::of(self.switches.size));
        let row_bits = landmarks.row_bits[colour as usize];
        let rows: i32 = row_bits.iter().zip(0..).map(|(&set, i)| count(men & set) << i).sum();
        let steps: i32 = DIAGONAL
            .into_iter()
            .filter(|&direction| forward(colour, direction))
            .map(|direction| count(size.step(men, direction) & self.empty))
            .sum();
        let left = count(men & landmarks.left);
        weights.man * count(men)
            + weights.advance * rows
            + weights.home * count(men & size.last_row(colour.other()))
            + weights.centre * count(men & landmarks.centre)
            + weights.border * count(men & landmarks.border)
            + weights.step * steps
            + weights.wings * (2 * left - count(men)).abs()
    }

    #[inline]
    fn kings(&self, us: Camp) -> Tapered {
        let (weights, size, kings) = (self.weights, self.switches.size, us.kings);
        let (flying, landmarks) = (usize::from(self.switches.flying), Landmarks::of(size));
        let (mut steps, mut movable) = (0, 0);
        for direction in DIAGONAL {
            let free = kings & size.step_back(self.empty, direction);
            steps += count(free);
            movable |= free;
        }
        weights.king[flying] * count(kings)
            + weights.king_centre[flying] * count(kings & landmarks.centre)
            + weights.long_diagonal[flying] * count(kings & landmarks.long_diagonal)
            + weights.king_step * steps
            + weights.trapped * count(kings & !movable)
    }

    /// The pieces that have a capturer beside them and a free square behind. Flying kings from afar
    /// and captures along rows and columns are left to the search.
    #[inline(always)]
    fn hanging<const WHITE: bool>(&self, us: Camp, them: Camp) -> u64 {
        let (size, pieces) = (self.switches.size, us.men | us.kings);
        let mut hanging = 0;
        for direction in DIAGONAL {
            let men = self.switches.back || forward(colour(WHITE).other(), direction);
            let capturers = if men { them.men | them.kings } else { them.kings };
            hanging |= size.step(capturers, direction) & size.step_back(self.empty, direction);
        }
        hanging & pieces
    }
}

#[inline]
const fn colour(white: bool) -> Colour {
    if white { Colour::White } else { Colour::Black }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}
