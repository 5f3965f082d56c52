//! How much less deeply a late move is searched, and how many moves are late.

use std::sync::LazyLock;

use crate::bounds::Depth;

const SIZE: usize = 64;

/// Plies by depth and number of moves tried before, growing with the logarithm of both.
#[derive(Debug)]
pub(super) struct Reductions([[u8; SIZE]; SIZE]);

impl Reductions {
    /// One table for all: small searches are begun by the million.
    pub(super) fn usual() -> &'static Reductions {
        static USUAL: LazyLock<Reductions> = LazyLock::new(Reductions::new);
        &USUAL
    }

    fn new() -> Reductions {
        let logarithms: [f32; SIZE] = std::array::from_fn(|n| (n.max(1) as f32).ln());
        let mut plies = [[0; SIZE]; SIZE];
        for (row, by_depth) in plies.iter_mut().zip(logarithms) {
            for (less, by_number) in row.iter_mut().zip(logarithms) {
                *less = (0.5 + by_depth * by_number / 2.1) as u8;
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
