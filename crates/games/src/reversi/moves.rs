//! Mobility and flips: the two questions that all of Reversi comes down to, asked of two words.
//!
//! The eight directions are four lanes, each walked both ways: along rows (1 bit), the diagonal `/`
//! (7 bits), columns (8 bits) and the diagonal `\` (9 bits). All four lanes fit one AVX2 register;
//! `simd` keeps them there, and `lanes` is its twin in plain code.
//!
//! Discs on columns a and h cannot be turned along a row or a diagonal. Not walking over them is all
//! that keeps a walk from wrapping around, on smaller boards too, since outside them lies no disc.

#[cfg(not(all(target_feature = "avx2", target_feature = "bmi2")))]
use super::lanes as fastest;
#[cfg(all(target_feature = "avx2", target_feature = "bmi2"))]
use super::simd as fastest;

/// One word for each pair of opposite directions.
pub(super) type Lanes = [u64; 4];

const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// From one square to the next in each lane.
pub(super) const STEP: Lanes = [1, 7, 8, 9];
/// The squares that a walk may cross in each lane.
pub(super) const INNER: Lanes = [INNER_COLUMNS, INNER_COLUMNS, u64::MAX, INNER_COLUMNS];

/// Squares at the end of a line of `other`'s discs that begins at one of `own`'s. Some may be taken
/// or outside the board: the caller keeps the empty ones.
#[inline]
#[must_use]
pub fn mobility(own: u64, other: u64) -> u64 {
    fastest::mobility(own, other)
}

/// The discs of `other` that a disc of `own` on the empty square `bit` turns.
#[inline]
#[must_use]
pub fn flips(bit: usize, own: u64, other: u64) -> u64 {
    debug_assert!(bit < 64);
    fastest::flips(&RAYS[bit & 63], own, other)
}

/// The place of the bit that has `n` bits of the set below it.
#[inline]
pub(super) fn nth_bit(set: u64, n: usize) -> usize {
    debug_assert!(n < set.count_ones() as usize);
    fastest::nth_bit(set, n)
}

/// From one square to the border, by lane: towards higher bits and towards lower ones.
pub(super) struct Rays {
    pub(super) up: Lanes,
    pub(super) down: Lanes,
}

pub(super) static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let lanes = [(0, 1), (1, -1), (1, 0), (1, 1)];
    let mut bit = 0;
    while bit < 64 {
        let mut i = 0;
        while i < 4 {
            let (down, right) = lanes[i];
            rays[bit].up[i] = ray(bit, down, right);
            rays[bit].down[i] = ray(bit, -down, -right);
            i += 1;
        }
        bit += 1;
    }
    rays
};

/// The squares from one to the border, without itself.
const fn ray(bit: usize, down: i32, right: i32) -> u64 {
    let (mut row, mut column) = ((bit / 8) as i32 + down, (bit % 8) as i32 + right);
    let mut ray = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        ray |= 1 << (row * 8 + column);
        row += down;
        column += right;
    }
    ray
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board drawn in rows: its X, its O, and its '?'.
    fn sets(rows: [&str; 8]) -> [u64; 3] {
        let squares = rows.iter().flat_map(|row| row.bytes()).enumerate();
        let set = |glyph| {
            let hits = squares.clone().filter(|&(_, c)| c == glyph);
            hits.map(|(bit, _)| 1 << bit).sum()
        };
        [set(b'X'), set(b'O'), set(b'?')]
    }

    #[test]
    fn lines_of_every_length_are_walked() {
        let [own, other, ends] = sets([
            "XO?.....", "XOO?....", "XOOO?...", "XOOOO?..", "XOOOOO?.", "XOOOOOO?", "........",
            "........",
        ]);
        // Downwards and diagonally these discs also end lines; only rows are asked about here.
        assert_eq!(mobility(own, other) & ends, ends);
        for bit in (0..64).filter(|bit| ends >> bit & 1 == 1) {
            let row = 0xff << (bit & !7);
            assert_eq!(flips(bit, own & row, other & row), other & row);
        }
    }

    #[test]
    fn lines_do_not_wrap() {
        let [own, other, _] = sets([
            "........", "......XO", "........", ".......X", "O.......", "O.......", "........",
            "........",
        ]);
        let turned = [own, other].map(u64::reverse_bits);
        for [own, other] in [[own, other], turned] {
            assert_eq!(mobility(own, other) & !(own | other), 0);
            for bit in (0..64).filter(|bit| (own | other) >> bit & 1 == 0) {
                assert_eq!(flips(bit, own, other), 0, "{bit}");
            }
        }
    }
}
