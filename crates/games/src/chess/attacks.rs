//! Which squares a piece attacks.
//!
//! A slider attacks along two of four *lines*: row, column, and the two diagonals. `simd` looks
//! both up at once with PEXT, in a table of 840 kB; taking single lines apart and together again
//! with PEXT and PDEP needs one kilobyte, but perft took a third longer. `lines` is its twin in
//! plain code.

#[cfg(not(target_feature = "bmi2"))]
use super::lines as fastest;
#[cfg(target_feature = "bmi2")]
use super::simd as fastest;

/// What a rook attacks, the first piece in each direction with it.
#[inline]
pub(super) fn rook(bit: usize, occupied: u64) -> u64 {
    fastest::rook(bit, occupied)
}

/// What a bishop attacks, the first piece in each direction with it.
#[inline]
pub(super) fn bishop(bit: usize, occupied: u64) -> u64 {
    fastest::bishop(bit, occupied)
}

/// The place of the bit that has `n` bits of the set below it.
#[inline]
pub(super) fn nth_bit(set: u64, n: usize) -> usize {
    debug_assert!(n < set.count_ones() as usize);
    fastest::nth_bit(set, n)
}

/// Rows and columns through a square, without it.
#[inline]
pub(super) fn straight_lines(bit: usize) -> u64 {
    let [row, column, _, _] = LINES[bit & 63];
    row | column
}

/// Diagonals through a square, without it.
#[inline]
pub(super) fn diagonal_lines(bit: usize) -> u64 {
    let [_, _, up, down] = LINES[bit & 63];
    up | down
}

#[inline]
pub(super) fn knight(bit: usize) -> u64 {
    KNIGHT[bit & 63]
}

#[inline]
pub(super) fn king(bit: usize) -> u64 {
    KING[bit & 63]
}

/// The squares strictly between two on one line; none if they are on no line.
#[inline]
pub(super) fn between(a: usize, b: usize) -> u64 {
    BETWEEN[a & 63][b & 63]
}

/// What a slider attacks along one line: hyperbola quintessence (Kannan 2007). Taking the slider
/// from the other pieces of its line flips all bits up to the next piece; the same on the reversed
/// line finds the other end.
#[inline]
pub(super) const fn along(bit: usize, occupied: u64, line: u64) -> u64 {
    let (pieces, slider) = (occupied & line, 1_u64 << bit);
    let forward = pieces.wrapping_sub(slider);
    let backward = pieces.reverse_bits().wrapping_sub(slider.reverse_bits());
    (forward ^ backward.reverse_bits()) & line
}

/// A step up and to the right along each line: row, column, diagonal `/`, diagonal `\`.
const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The four lines through each square, without it.
pub(super) static LINES: [[u64; 4]; 64] = LINE_MASKS;

pub(super) const LINE_MASKS: [[u64; 4]; 64] = {
    let mut lines = [[0; 4]; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut i = 0;
        while i < 4 {
            let (up, right) = STEPS[i];
            lines[bit][i] = ray(bit, up, right) | ray(bit, -up, -right);
            i += 1;
        }
        bit += 1;
    }
    lines
};

static KNIGHT: [u64; 64] =
    leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [u64; 64] =
    leaps([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

static BETWEEN: [[u64; 64]; 64] = {
    let mut between = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 4 {
            let (up, right) = STEPS[i];
            // Beyond a square on a ray lies the rest of that ray: what is left lies between.
            let whole = ray(a, up, right);
            let mut rest = whole;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                between[a][b] = whole & !(ray(b, up, right) | 1 << b);
                between[b][a] = between[a][b];
            }
            i += 1;
        }
        a += 1;
    }
    between
};

/// The squares from one to the border, without itself.
const fn ray(bit: usize, up: i32, right: i32) -> u64 {
    let mut ray = 0;
    let mut at = step(bit, up, right);
    while let Some(bit) = at {
        ray |= 1 << bit;
        at = step(bit, up, right);
    }
    ray
}

const fn leaps(steps: [(i32, i32); 8]) -> [u64; 64] {
    let mut attacks = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        let mut i = 0;
        while i < 8 {
            let (up, right) = steps[i];
            if let Some(to) = step(bit, up, right) {
                attacks[bit] |= 1 << to;
            }
            i += 1;
        }
        bit += 1;
    }
    attacks
}

/// The square so many rows up and columns to the right, if the board has it.
const fn step(bit: usize, up: i32, right: i32) -> Option<usize> {
    let (row, column) = ((bit / 8) as i32 + up, (bit % 8) as i32 + right);
    let inside = row >= 0 && row < 8 && column >= 0 && column < 8;
    if inside { Some((row * 8 + column) as usize) } else { None }
}

#[cfg(test)]
mod tests {
    use game::Rng;

    use super::*;

    /// Walks square by square.
    fn walked(bit: usize, occupied: u64, directions: [(i32, i32); 4]) -> u64 {
        let mut attacked = 0;
        for (up, right) in directions {
            let mut at = step(bit, up, right);
            while let Some(here) = at {
                attacked |= 1 << here;
                at = step(here, up, right).filter(|_| occupied >> here & 1 == 0);
            }
        }
        attacked
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        let mut rng = Rng::new(1);
        for i in 0..2_000 {
            let mut occupied = rng.next_u64();
            for _ in 0..i % 4 {
                occupied &= rng.next_u64();
            }
            for bit in 0..64 {
                let straight = walked(bit, occupied, [(0, 1), (0, -1), (1, 0), (-1, 0)]);
                assert_eq!(rook(bit, occupied), straight);
                let diagonal = walked(bit, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                assert_eq!(bishop(bit, occupied), diagonal);
            }
        }
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(knight(0), 1 << 10 | 1 << 17);
        assert_eq!(king(63), 1 << 62 | 1 << 55 | 1 << 54);
        assert_eq!((0..64).map(|bit| knight(bit).count_ones()).sum::<u32>(), 336);
        assert_eq!((0..64).map(|bit| king(bit).count_ones()).sum::<u32>(), 420);
    }

    #[test]
    fn squares_lie_between_others_on_one_line_only() {
        assert_eq!(between(0, 63), 0x0040_2010_0804_0200);
        assert_eq!(between(7, 0), 0x7e);
        assert_eq!((between(0, 1), between(0, 10), between(5, 5)), (0, 0, 0));
    }
}
