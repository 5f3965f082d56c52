//! The patterns, as parameters: which squares make one.
//!
//! The thesis shows them only as pictures. These squares are those of Mańdziuk, Kusiak and Wałędzik (*Evolutionary-based
//! heuristic generators for checkers and give-away checkers*, 2007) as they are remembered. White's, on squares 21 to 32 of 8x8:
//!
//! ```text
//!     Triangle          Oreo           Bridge           Dog
//!      27 31 32       26 30 31         30 32        own 32, opposing 28
//!
//!   . . . . . .     . . . . . .     . . . . . .     . . . . . .
//!    . . . m . .     . m . . . .     . . . . . .     . . . . . x
//!   . . . m . m     . m . m . .     . m . . . m     . . . . . m
//! ```
//!
//! Other boards have them in the same corner.

use crate::draughts::board::Size;

/// A square as White has it: its row from the bottom and its place in the row from the right, both from 0.
type Corner = (usize, usize);

/// Squares that must all be taken by men.
struct Pattern {
    own: &'static [Corner],
    opposing: &'static [Corner],
}

const TRIANGLE: Pattern = Pattern { own: &[(1, 1), (0, 1), (0, 0)], opposing: &[] };
const OREO: Pattern = Pattern { own: &[(1, 2), (0, 2), (0, 1)], opposing: &[] };
const BRIDGE: Pattern = Pattern { own: &[(0, 2), (0, 0)], opposing: &[] };
const DOG: Pattern = Pattern { own: &[(0, 0)], opposing: &[(1, 0)] };

const ALL: [Pattern; 4] = [TRIANGLE, OREO, BRIDGE, DOG];

/// How many patterns there are.
pub(super) const COUNT: usize = ALL.len();

/// The men that make each pattern: own, opposing. White's first; Black's are the same after half a turn.
pub(super) const fn masks(size: Size) -> [[[u64; 2]; COUNT]; 2] {
    let mut masks = [[[0; 2]; COUNT]; 2];
    let mut i = 0;
    while i < COUNT {
        masks[0][i] = [mask(size, ALL[i].own, false), mask(size, ALL[i].opposing, false)];
        masks[1][i] = [mask(size, ALL[i].own, true), mask(size, ALL[i].opposing, true)];
        i += 1;
    }
    masks
}

const fn mask(size: Size, corners: &[Corner], turned: bool) -> u64 {
    let (last, most) = (size.side() - 1, size.half() - 1);
    let mut mask = 0;
    let mut i = 0;
    while i < corners.len() {
        let (row, place) = corners[i];
        let bit = if turned { size.bit(row, place) } else { size.bit(last - row, most - place) };
        mask |= 1 << bit;
        i += 1;
    }
    mask
}
