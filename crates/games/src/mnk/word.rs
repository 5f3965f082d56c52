//! [`Word`]: the unsigned integers that can be a board.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use game::mix;

/// An unsigned integer with one bit for each square. Shifts by the width or more are allowed, and
/// `shift_*` say what comes out of them.
pub trait Word:
    Copy
    + Ord
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
{
    /// Its width.
    const BITS: usize;

    /// No squares.
    const NONE: Self;

    /// The set of one square.
    fn square(square: usize) -> Self;

    /// Squares from 0 to `squares - 1`.
    fn first(squares: usize) -> Self;

    /// Moves squares up; what leaves the word is lost.
    fn shift_up(self, squares: usize) -> Self;

    /// Moves squares down; what leaves the word is lost.
    fn shift_down(self, squares: usize) -> Self;

    /// Moves squares down by a number taken modulo the width.
    fn shift_down_within(self, squares: usize) -> Self;

    /// How many squares there are.
    fn count(self) -> usize;

    /// The square of the lowest bit; the width if there is none.
    fn lowest(self) -> usize;

    /// Without the lowest bit.
    fn without_lowest(self) -> Self;

    /// The square with so many below it.
    fn select(self, below: usize) -> usize;

    /// All bits in reverse order.
    fn reversed(self) -> Self;

    /// The low 64 bits.
    fn low(self) -> u64;

    /// The word with these low bits.
    fn from_low(low: u64) -> Self;

    /// A well mixed number for two words.
    fn key(first: Self, second: Self) -> u64;

    /// Another one, which tells words apart whose keys are the same; 0 where there are none.
    fn check(first: Self, second: Self) -> u64;

    /// Calls `visit` for every square, the lowest first.
    #[inline]
    fn for_each(mut self, mut visit: impl FnMut(usize)) {
        while self != Self::NONE {
            visit(self.lowest());
            self = self.without_lowest();
        }
    }
}

macro_rules! word {
    ($word:ty, $select:expr, $key:expr, $check:expr) => {
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const NONE: $word = 0;

            #[inline]
            fn square(square: usize) -> $word {
                1 << square
            }

            #[inline]
            fn first(squares: usize) -> $word {
                <$word>::MAX.shift_down(<Self as Word>::BITS - squares)
            }

            #[inline]
            fn shift_up(self, squares: usize) -> $word {
                self.checked_shl(squares as u32).unwrap_or(0)
            }

            #[inline]
            fn shift_down(self, squares: usize) -> $word {
                self.checked_shr(squares as u32).unwrap_or(0)
            }

            #[inline]
            fn shift_down_within(self, squares: usize) -> $word {
                self.wrapping_shr(squares as u32)
            }

            #[inline]
            fn count(self) -> usize {
                self.count_ones() as usize
            }

            #[inline]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn without_lowest(self) -> $word {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn select(self, below: usize) -> usize {
                debug_assert!(below < self.count());
                $select(self, below)
            }

            #[inline]
            fn reversed(self) -> $word {
                self.reverse_bits()
            }

            #[inline]
            #[allow(clippy::cast_lossless, reason = "for some words it is not")]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_low(low: u64) -> $word {
                low as $word
            }

            #[inline]
            fn key(first: $word, second: $word) -> u64 {
                $key(first, second)
            }

            #[inline]
            fn check(first: $word, second: $word) -> u64 {
                $check(first, second)
            }
        }
    };
}

// Two words of 32 bits fill a key. The key of two words of 64 bits gives back the first as soon as the second is known.
word!(u16, select16, |a, b| mix(u64::from(a) | u64::from(b) << 16), |_, _| 0);
word!(
    u32,
    |w, n| select64(u64::from(w), n),
    |a, b| mix(u64::from(a) | u64::from(b) << 32),
    |_, _| 0
);
word!(u64, select64, |a, b| mix(a ^ mix(b)), |_, b| mix(b));
word!(
    u128,
    select128,
    |a: u128, b: u128| mix(fold(a, KEY) ^ mix(fold(b, KEY))),
    |a: u128, b: u128| mix(fold(a, CHECK)) ^ fold(b, CHECK)
);

/// A word to half of it by a long multiplication, as in wyhash (Wang Yi 2019). The constants keep a
/// board half without stones from being a factor 0.
#[inline]
fn fold(word: u128, [low, high]: [u64; 2]) -> u64 {
    let product = u128::from(word as u64 ^ low) * u128::from((word >> 64) as u64 ^ high);
    product as u64 ^ (product >> 64) as u64
}

const KEY: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];
const CHECK: [u64; 2] = [0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];

/// `SELECT[byte][n]` is the place of the bit of a byte that has n set bits below it.
static SELECT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[inline]
fn select_in_byte(byte: u8, below: usize) -> usize {
    usize::from(SELECT[usize::from(byte)][below & 7])
}

#[inline]
fn select16(word: u16, below: usize) -> usize {
    let low = (word & 0xff).count_ones() as usize;
    let (shift, below) = if below < low { (0, below) } else { (8, below - low) };
    shift + select_in_byte((word >> shift) as u8, below)
}

/// Sums bits by byte, finds the byte, looks up the bit (Vigna 2008, "Broadword implementation of
/// rank/select queries").
#[inline]
fn select64(word: u64, below: usize) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let up_to = bytes.wrapping_mul(EACH);
    let passed = (((below as u64 * EACH) | TOPS) - up_to) & TOPS;
    let shift = passed.count_ones() * 8;
    let before = (up_to << 8 >> shift & 0xff) as usize;
    shift as usize + select_in_byte((word >> shift) as u8, below - before)
}

#[inline]
fn select128(word: u128, below: usize) -> usize {
    let (low, high) = (word as u64, (word >> 64) as u64);
    let in_low = low.count_ones() as usize;
    let (shift, half, below) =
        if below < in_low { (0, low, below) } else { (64, high, below - in_low) };
    shift + select64(half, below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    fn check_select<W: Word>(word: W) {
        let mut n = 0;
        word.for_each(|square| {
            assert_eq!(word.select(n), square, "{word:?}");
            n += 1;
        });
        assert_eq!(n, word.count());
    }

    #[test]
    fn select_finds_every_bit() {
        let mut rng = Rng::new(1);
        for word in 0..=u16::MAX {
            check_select(word);
        }
        for density in 0..4 {
            for _ in 0..1000 {
                let mut word = (0..=density).fold(u64::MAX, |w, _| w & rng.next_u64());
                for _ in 0..2 {
                    check_select(word as u32);
                    check_select(word);
                    check_select(u128::from(word) << 64 | u128::from(rng.next_u64()));
                    word = !word;
                }
            }
        }
        check_select(u64::MAX);
        check_select(u128::MAX);
    }

    #[test]
    fn shifts_may_leave_the_word() {
        assert_eq!(u16::MAX.shift_up(16), 0);
        assert_eq!(u16::MAX.shift_down(99), 0);
        assert_eq!(u16::first(16), u16::MAX);
        assert_eq!(u64::first(0), 0);
        assert_eq!(u64::first(3), 7);
    }
}
