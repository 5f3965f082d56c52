//! Sliders by PEXT and PDEP. `lines` says the same in plain code.
//!
//! **Invariant:** this file is compiled only where BMI2 is enabled for the whole build.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::attacks::LINES;

#[inline]
pub(super) fn rook(bit: usize, occupied: u64) -> u64 {
    let [row, column, _, _] = LINES[bit & 63];
    along(bit, occupied, row) | along(bit, occupied, column)
}

#[inline]
pub(super) fn bishop(bit: usize, occupied: u64) -> u64 {
    let [_, _, up, down] = LINES[bit & 63];
    along(bit, occupied, up) | along(bit, occupied, down)
}

#[inline]
pub(super) fn nth_bit(set: u64, n: usize) -> usize {
    deposit(1 << n, set).trailing_zeros() as usize
}

/// The squares of a line are numbered from its low end, the slider's own left out; those that a
/// short line lacks are lost on the way back.
#[inline]
fn along(bit: usize, occupied: u64, line: u64) -> u64 {
    let below = (line & ((1 << bit) - 1)).count_ones() as usize;
    let pieces = extract(occupied, line) as usize;
    deposit(u64::from(ATTACKS[below & 7][pieces & 127]), line)
}

#[inline]
fn extract(set: u64, mask: u64) -> u64 {
    // SAFETY: BMI2 is there, by the invariant of this file.
    unsafe { _pext_u64(set, mask) }
}

#[inline]
fn deposit(set: u64, mask: u64) -> u64 {
    // SAFETY: BMI2 is there, by the invariant of this file.
    unsafe { _pdep_u64(set, mask) }
}

/// What a slider attacks on a line, by how many squares are below it and which of the seven others
/// hold pieces.
static ATTACKS: [[u8; 128]; 8] = {
    let mut attacks = [[0; 128]; 8];
    let mut below = 0;
    while below < 8 {
        let mut pieces = 0;
        while pieces < 128 {
            let mut at = below;
            while at < 7 {
                attacks[below][pieces] |= 1 << at;
                if pieces >> at & 1 == 1 {
                    break;
                }
                at += 1;
            }
            let mut at = below;
            while at > 0 {
                at -= 1;
                attacks[below][pieces] |= 1 << at;
                if pieces >> at & 1 == 1 {
                    break;
                }
            }
            pieces += 1;
        }
        below += 1;
    }
    attacks
};

#[cfg(test)]
mod tests {
    use game::Rng;

    use super::super::lines;
    use super::*;

    #[test]
    fn instructions_agree_with_plain_lines() {
        let mut rng = Rng::new(1);
        for i in 0..5_000 {
            let mut occupied = rng.next_u64();
            for _ in 0..i % 4 {
                occupied &= rng.next_u64();
            }
            for bit in 0..64 {
                assert_eq!(rook(bit, occupied), lines::rook(bit, occupied));
                assert_eq!(bishop(bit, occupied), lines::bishop(bit, occupied));
            }
            for n in 0..occupied.count_ones() as usize {
                assert_eq!(nth_bit(occupied, n), lines::nth_bit(occupied, n));
            }
        }
    }
}
