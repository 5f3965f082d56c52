//! How much less deeply a late move is searched, and how many moves are late.

use crate::bounds::Depth;

const SIZE: usize = 64;

/// Plies by depth and number of moves tried before, growing with the logarithm of both.
#[derive(Debug)]
pub(super) struct Reductions([[u8; SIZE]; SIZE]);

impl Reductions {
    pub(super) fn new() -> Reductions {
        let mut plies = [[0; SIZE]; SIZE];
        for (depth, row) in plies.iter_mut().enumerate().skip(1) {
            for (tried, less) in row.iter_mut().enumerate().skip(1) {
                let logarithms = (depth as f64).ln() * (tried as f64).ln();
                *less = (0.5 + logarithms / 2.1) as u8;
            }
        }
        Reductions(plies)
    }

    #[inline]
    pub(super) fn get(&self, depth: Depth, tried: usize) -> i32 {
        if depth == Depth::END {
            return 0;
        }
        i32::from(self.0[(depth.raw() as usize).min(SIZE - 1)][tried.min(SIZE - 1)])
    }
}

/// After how many moves quiet ones come too late at this depth.
#[inline]
pub(super) fn late_after(depth: Depth, improves: bool) -> usize {
    let depth = depth.raw() as usize;
    let moves = 4 + depth * depth;
    if improves { moves } else { moves / 2 }
}
