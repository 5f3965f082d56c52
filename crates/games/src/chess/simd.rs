//! Sliders by PEXT: the pieces that can stand in a slider's way, taken together, are a place in a
//! table of what it then attacks. `lines` says the same in plain code.
//!
//! **Invariant:** this file is compiled only where BMI2 is enabled for the whole build.
#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::attacks::{LINE_MASKS, along};
use super::board::{COLUMN_A, COLUMN_H, ROW_1, ROW_8};

#[inline]
pub(super) fn rook(bit: usize, occupied: u64) -> u64 {
    SLIDERS[bit & 63].rook.attacks(occupied)
}

#[inline]
pub(super) fn bishop(bit: usize, occupied: u64) -> u64 {
    SLIDERS[bit & 63].bishop.attacks(occupied)
}

#[inline]
pub(super) fn nth_bit(set: u64, n: usize) -> usize {
    // SAFETY: BMI2 is there, by the invariant of this file.
    unsafe { _pdep_u64(1 << n, set).trailing_zeros() as usize }
}

/// The slider on one square: where pieces can stand in its way, and where its part of the table
/// begins. The last square of a line stops nothing.
#[derive(Clone, Copy)]
struct Slider {
    way: u64,
    begin: usize,
}

#[derive(Clone, Copy)]
struct Sliders {
    rook: Slider,
    bishop: Slider,
}

impl Slider {
    #[inline]
    fn attacks(&self, occupied: u64) -> u64 {
        // SAFETY: BMI2 is there, by the invariant of this file.
        let pieces = unsafe { _pext_u64(occupied, self.way) };
        ATTACKS[self.begin + pieces as usize]
    }
}

/// Two to the number of squares in the way, summed over both sliders on all squares.
const PLACES: usize = 102_400 + 5_248;

static SLIDERS: [Sliders; 64] = ALL_SLIDERS;

const ALL_SLIDERS: [Sliders; 64] = {
    let nothing = Slider { way: 0, begin: 0 };
    let mut sliders = [Sliders { rook: nothing, bishop: nothing }; 64];
    let (mut bit, mut begin) = (0, 0);
    while bit < 64 {
        let [row, column, up, down] = inner_lines(bit);
        sliders[bit].rook = Slider { way: row | column, begin };
        begin += 1 << sliders[bit].rook.way.count_ones();
        sliders[bit].bishop = Slider { way: up | down, begin };
        begin += 1 << sliders[bit].bishop.way.count_ones();
        bit += 1;
    }
    assert!(begin == PLACES);
    sliders
};

/// A slider's two lines are looked at one by one and then put together, which keeps compilers from
/// evaluating a hundred thousand walks.
static ATTACKS: [u64; PLACES] = {
    let mut attacks = [0; PLACES];
    let mut bit = 0;
    while bit < 64 {
        let [row, column, up, down] = inner_lines(bit);
        let lines = LINE_MASKS[bit];
        let sliders = ALL_SLIDERS[bit];
        fill(&mut attacks, bit, sliders.rook, [row, column], [lines[0], lines[1]]);
        fill(&mut attacks, bit, sliders.bishop, [up, down], [lines[2], lines[3]]);
        bit += 1;
    }
    attacks
};

/// The lines through a square without it and without their last squares.
const fn inner_lines(bit: usize) -> [u64; 4] {
    let [row, column, up, down] = LINE_MASKS[bit];
    let (sides, ends) = (COLUMN_A | COLUMN_H, ROW_1 | ROW_8);
    [row & !sides, column & !ends, up & !(sides | ends), down & !(sides | ends)]
}

const fn fill(
    attacks: &mut [u64; PLACES],
    bit: usize,
    slider: Slider,
    ways: [u64; 2],
    lines: [u64; 2],
) {
    let first = one_line(bit, slider.way, ways[0], lines[0]);
    let second = one_line(bit, slider.way, ways[1], lines[1]);
    let (first_count, second_count) = (1 << ways[0].count_ones(), 1 << ways[1].count_ones());
    let mut i = 0;
    while i < first_count {
        let (place, attacked) = first[i];
        let mut j = 0;
        while j < second_count {
            attacks[slider.begin + place + second[j].0] = attacked | second[j].1;
            j += 1;
        }
        i += 1;
    }
}

/// For all pieces in the way along one line: what they add to the place in the table, and the
/// attack.
const fn one_line(bit: usize, all: u64, way: u64, line: u64) -> [(usize, u64); 64] {
    let mut found = [(0, 0); 64];
    let (mut pieces, mut i) = (0_u64, 0);
    loop {
        found[i] = (place_of(pieces, all), along(bit, pieces, line));
        pieces = pieces.wrapping_sub(way) & way;
        i += 1;
        if pieces == 0 {
            return found;
        }
    }
}

/// PEXT in plain code.
const fn place_of(mut pieces: u64, way: u64) -> usize {
    let mut place = 0;
    while pieces != 0 {
        let below = (pieces & pieces.wrapping_neg()) - 1;
        place |= 1 << (way & below).count_ones();
        pieces &= pieces - 1;
    }
    place
}

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
