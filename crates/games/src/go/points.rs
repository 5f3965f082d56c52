//! [`PointSet`]: sets of points as bits, one layout for each width of word.
//!
//! A step right is one bit up, a step up is one row of bits up. After the last column of the widest
//! board that fits lies at least one bit that never holds a stone, so that nothing wraps from one
//! row into the next.
//!
//! ```text
//!             u64, 8 rows of 7                  u128 has rows of 10 and one bit between,
//!      A  B  C  D  E  F  G                      at most 11 rows: 121 bits
//!  8  56 57 58 59 60 61 62 | 63
//!  …   …                                        Wide has rows of 19 and one bit between,
//!  2   8  9 10 11 12 13 14 | 15                 at most 19 rows: 380 bits
//!  1   0  1  2  3  4  5  6 |  7
//! ```

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use game::{Grid, Square, mix};

#[cfg(all(target_feature = "avx2", target_feature = "bmi2"))]
use super::simd::nth_bit;

/// A set of points. What lies outside the board must be masked by who asks: [`Not`],
/// [`sideways`](PointSet::sideways) and [`upright`](PointSet::upright) reach there. One step of either kind
/// may be taken before that, not two of the same.
pub trait PointSet:
    Copy
    + Eq
    + Debug
    + Default
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Bits from one row to the next: one more than the columns of the widest board.
    const STRIDE: usize;
    /// How many rows there is room for.
    const ROWS: usize;

    /// The set whose bits these are, as far as there is room.
    fn of_words(words: [u64; WORDS]) -> Self;

    /// One point, by the number of its bit.
    fn single(bit: usize) -> Self;

    /// Whether there is none.
    fn is_empty(self) -> bool;

    /// How many there are.
    fn len(self) -> usize;

    /// The number of the lowest bit of a set that is not empty.
    fn lowest(self) -> usize;

    /// All but the lowest.
    #[must_use]
    fn without_lowest(self) -> Self;

    /// The number of the bit that has `n` bits of the set below it.
    fn nth(self, n: usize) -> usize;

    /// All points to the left and to the right of these.
    #[must_use]
    fn sideways(self) -> Self;

    /// All points above and below these.
    #[must_use]
    fn upright(self) -> Self;

    /// The three by three points around a bit, a row of three bits above the other; none outside the word.
    fn block(self, bit: usize) -> u16;

    /// A number for two sets that share no point; other sets have other numbers, but for bad luck.
    fn fingerprint(self, other: Self) -> u64;

    /// Columns in reverse order.
    #[inline]
    #[must_use]
    fn mirrored(self, grid: Grid) -> Self {
        moved(self, |Square { row, column }| Square { row, column: grid.columns - 1 - column })
    }

    /// Rows in reverse order.
    #[inline]
    #[must_use]
    fn upended(self, grid: Grid) -> Self {
        moved(self, |Square { row, column }| Square { row: grid.rows - 1 - row, column })
    }

    /// Rows become columns, on a board with as many of either.
    #[inline]
    #[must_use]
    fn transposed(self) -> Self {
        moved(self, |Square { row, column }| Square { row: column, column: row })
    }

    /// All points next to one of these; perhaps some of these too.
    #[inline]
    #[must_use]
    fn around(self) -> Self {
        self.sideways() | self.upright()
    }

    /// Whether there is any.
    #[inline]
    fn any(self) -> bool {
        !self.is_empty()
    }

    /// Whether a board of this size has room.
    #[must_use]
    fn fits(grid: Grid) -> bool {
        grid.rows <= Self::ROWS && grid.columns < Self::STRIDE
    }
}

/// The number of a point's bit.
#[inline]
pub(super) fn bit_of<S: PointSet>(square: Square) -> usize {
    square.row * S::STRIDE + square.column
}

/// The point of a bit's number.
#[inline]
pub(super) fn square_of<S: PointSet>(bit: usize) -> Square {
    Square { row: bit / S::STRIDE, column: bit % S::STRIDE }
}

/// The numbers of the bits, lowest first.
#[inline]
pub(super) fn bits<S: PointSet>(mut set: S) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.any().then(|| set.lowest())?;
        set = set.without_lowest();
        Some(bit)
    })
}

/// Every point taken to another.
#[inline]
fn moved<S: PointSet>(set: S, to: impl Fn(Square) -> Square) -> S {
    let image = |bit| S::single(bit_of::<S>(to(square_of::<S>(bit))));
    bits(set).fold(S::default(), |all, bit| all | image(bit))
}

/// Where a symmetry of the board takes a set, numbered as in [`Grid::transform`].
#[inline]
pub(super) fn transformed<S: PointSet>(mut set: S, grid: Grid, symmetry: usize) -> S {
    if symmetry & 1 != 0 {
        set = set.mirrored(grid);
    }
    if symmetry & 2 != 0 {
        set = set.upended(grid);
    }
    if symmetry & 4 != 0 {
        set = set.transposed();
    }
    set
}

/// Every point of a board.
#[inline]
pub(super) fn board_points<S: PointSet>(grid: Grid) -> S {
    S::of_words(board_words(grid, S::STRIDE))
}

/// The same in the words of a layout, which the compiler can work out.
pub(super) const fn board_words(grid: Grid, stride: usize) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let mut number = 0;
    while number < grid.rows * grid.columns {
        let bit = number / grid.columns * stride + number % grid.columns;
        words[bit / 64] |= 1 << (bit % 64);
        number += 1;
    }
    words
}

impl PointSet for u64 {
    const STRIDE: usize = 8;
    const ROWS: usize = 8;

    #[inline]
    fn of_words(words: [u64; WORDS]) -> u64 {
        words[0]
    }

    #[inline]
    fn single(bit: usize) -> u64 {
        1 << bit
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline]
    fn len(self) -> usize {
        self.count_ones() as usize
    }

    #[inline]
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }

    #[inline]
    fn without_lowest(self) -> u64 {
        self & self.wrapping_sub(1)
    }

    #[inline]
    fn nth(self, n: usize) -> usize {
        nth_bit(self, n)
    }

    #[inline]
    fn sideways(self) -> u64 {
        self << 1 | self >> 1
    }

    #[inline]
    fn upright(self) -> u64 {
        self << Self::STRIDE | self >> Self::STRIDE
    }

    #[inline]
    fn block(self, bit: usize) -> u16 {
        let first = Self::STRIDE + 1;
        let low = if bit < first { self << (first - bit) } else { self >> (bit - first) };
        let row = |n: usize| (low >> (n * Self::STRIDE)) as u16 & 7;
        row(0) | row(1) << 3 | row(2) << 6
    }

    #[inline]
    fn fingerprint(self, other: u64) -> u64 {
        mix(mix(self) ^ other)
    }

    #[inline]
    fn mirrored(self, grid: Grid) -> u64 {
        self.swap_bytes().reverse_bits() >> (Self::STRIDE - grid.columns)
    }

    #[inline]
    fn upended(self, grid: Grid) -> u64 {
        self.swap_bytes() >> (Self::STRIDE * (Self::ROWS - grid.rows))
    }

    /// The layout is that of a chess board: blocks of one, two and four points change places across
    /// the diagonal.
    #[inline]
    fn transposed(self) -> u64 {
        let set = exchanged(self, 7, 0x00aa_00aa_00aa_00aa);
        let set = exchanged(set, 14, 0x0000_cccc_0000_cccc);
        exchanged(set, 28, 0x0000_0000_f0f0_f0f0)
    }
}

impl PointSet for u128 {
    const STRIDE: usize = 11;
    const ROWS: usize = 11;

    #[inline]
    fn of_words(words: [u64; WORDS]) -> u128 {
        u128::from(words[0]) | u128::from(words[1]) << 64
    }

    #[inline]
    fn single(bit: usize) -> u128 {
        1 << bit
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline]
    fn len(self) -> usize {
        self.count_ones() as usize
    }

    #[inline]
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }

    #[inline]
    fn without_lowest(self) -> u128 {
        self & self.wrapping_sub(1)
    }

    #[inline]
    fn nth(self, n: usize) -> usize {
        let low = self as u64;
        let below = low.len();
        if n < below { nth_bit(low, n) } else { 64 + nth_bit((self >> 64) as u64, n - below) }
    }

    #[inline]
    fn sideways(self) -> u128 {
        self << 1 | self >> 1
    }

    #[inline]
    fn upright(self) -> u128 {
        self << Self::STRIDE | self >> Self::STRIDE
    }

    #[inline]
    fn block(self, bit: usize) -> u16 {
        let first = Self::STRIDE + 1;
        let low = if bit < first { self << (first - bit) } else { self >> (bit - first) };
        let row = |n: usize| (low >> (n * Self::STRIDE)) as u16 & 7;
        row(0) | row(1) << 3 | row(2) << 6
    }

    #[inline]
    fn fingerprint(self, other: u128) -> u64 {
        let halves = |set: u128| [set as u64, (set >> 64) as u64];
        fingerprint(halves(self), halves(other))
    }
}

/// Words of the widest layout.
pub(super) const WORDS: usize = 8;

/// Eight words, of which six hold points: boards up to 19x19. The other two fill vector registers, and
/// take what is shifted over either end: a fifth more random games than with six.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(align(32))]
pub struct Wide([u64; WORDS]);

impl Wide {
    /// Bits moved up, with `by` from 1 to 20. What leaves one end enters the unused words at the other.
    #[inline]
    fn up(self, by: usize) -> Wide {
        let carried = |i: usize| self.0[(i + WORDS - 1) % WORDS] >> (64 - by);
        Wide(std::array::from_fn(|i| self.0[i] << by | carried(i)))
    }

    /// Bits moved down, likewise.
    #[inline]
    fn down(self, by: usize) -> Wide {
        let carried = |i: usize| self.0[(i + 1) % WORDS] << (64 - by);
        Wide(std::array::from_fn(|i| self.0[i] >> by | carried(i)))
    }
}

impl BitAnd for Wide {
    type Output = Wide;

    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for Wide {
    type Output = Wide;

    #[inline]
    fn bitxor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(u64::not))
    }
}

impl PointSet for Wide {
    const STRIDE: usize = 20;
    const ROWS: usize = 19;

    #[inline]
    fn of_words(words: [u64; WORDS]) -> Wide {
        Wide(words)
    }

    #[inline]
    fn single(bit: usize) -> Wide {
        let mut words = [0; WORDS];
        words[bit / 64] = 1 << (bit % 64);
        Wide(words)
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0.into_iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn len(self) -> usize {
        self.0.into_iter().map(PointSet::len).sum()
    }

    #[inline]
    fn lowest(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        word * 64 + self.0[word].lowest()
    }

    #[inline]
    fn without_lowest(mut self) -> Wide {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word = word.without_lowest();
        }
        self
    }

    #[inline]
    fn nth(self, mut n: usize) -> usize {
        let mut word = 0;
        while word + 1 < WORDS && n >= self.0[word].len() {
            n -= self.0[word].len();
            word += 1;
        }
        word * 64 + nth_bit(self.0[word], n)
    }

    #[inline]
    fn sideways(self) -> Wide {
        self.up(1) | self.down(1)
    }

    #[inline]
    fn upright(self) -> Wide {
        self.up(Self::STRIDE) | self.down(Self::STRIDE)
    }

    #[inline]
    fn block(self, bit: usize) -> u16 {
        // The words wrap around: what would lie below the first is read from the unused ones.
        let row = |n: usize| {
            let at = (bit + WORDS * 64 + n * Self::STRIDE - Self::STRIDE - 1) % (WORDS * 64);
            let (word, shift) = (at / 64, at % 64);
            let next = self.0[(word + 1) % WORDS] << 1 << (63 - shift);
            (self.0[word] >> shift | next) as u16 & 7
        };
        row(0) | row(1) << 3 | row(2) << 6
    }

    #[inline]
    fn fingerprint(self, other: Wide) -> u64 {
        fingerprint(self.0, other.0)
    }
}

/// Mixes each pair of words alone, so that none waits for another; salt keeps the pairs apart.
#[inline]
fn fingerprint<const N: usize>(one: [u64; N], two: [u64; N]) -> u64 {
    let salt =
        |i: usize| const { [mix(1), mix(2), mix(3), mix(4), mix(5), mix(6), mix(7), mix(8)] }[i];
    (0..N).fold(0, |all, i| all ^ mix(mix(one[i] ^ salt(i)) ^ two[i]))
}

/// The bits in `low` change places with those `by` above them; all others stay.
#[inline]
fn exchanged(set: u64, by: u32, low: u64) -> u64 {
    let change = (set ^ set >> by) & low;
    set ^ change ^ change << by
}

/// The place of the bit that has `n` bits of the set below it.
#[cfg(any(test, not(all(target_feature = "avx2", target_feature = "bmi2"))))]
pub(super) mod plain {
    #[inline]
    pub(in crate::go) fn nth_bit(mut set: u64, n: usize) -> usize {
        for _ in 0..n {
            set &= set.wrapping_sub(1);
        }
        set.trailing_zeros() as usize
    }
}

#[cfg(not(all(target_feature = "avx2", target_feature = "bmi2")))]
use plain::nth_bit;

#[cfg(test)]
mod tests {
    use game::Rng;

    use super::*;

    fn sizes() -> impl Iterator<Item = Grid> {
        let sides = || [1, 2, 5, 7, 8, 9, 10, 11, 13, 19].into_iter();
        sides().flat_map(move |rows| sides().map(move |columns| Grid { rows, columns }))
    }

    fn random<S: PointSet>(grid: Grid, rng: &mut Rng) -> S {
        let all = bits(board_points::<S>(grid)).filter(|_| rng.below(3) == 0);
        all.fold(S::default(), |set, bit| set | S::single(bit))
    }

    fn agrees_with_squares<S: PointSet>() {
        let mut rng = Rng::new(1);
        for grid in sizes().filter(|&grid| S::fits(grid)) {
            let (all, set) = (board_points::<S>(grid), random::<S>(grid, &mut rng));
            let squares: Vec<Square> = bits(set).map(square_of::<S>).collect();
            assert_eq!(all.len(), grid.squares());
            assert_eq!(squares.len(), set.len());
            assert!((0..set.len()).map(|n| set.nth(n)).eq(bits(set)));
            let near = |a: Square, b: Square| {
                (a.row.abs_diff(b.row), a.column.abs_diff(b.column)) == (0, 1)
                    || (a.row.abs_diff(b.row), a.column.abs_diff(b.column)) == (1, 0)
            };
            let around = grid.iter().filter(|&s| squares.iter().any(|&t| near(s, t)));
            assert!(bits(set.around() & all).map(square_of::<S>).eq(around), "{grid:?}");
            for square in grid.iter() {
                let row = |n: usize| (square.row + n).checked_sub(1);
                let column = |n: usize| (square.column + n).checked_sub(1);
                let holds = |n: usize| match (row(n / 3), column(n % 3)) {
                    (Some(row), Some(column)) => squares.contains(&Square { row, column }),
                    _ => false,
                };
                let block = (0..9).fold(0, |block, n| block | u16::from(holds(n)) << n);
                assert_eq!(set.block(bit_of::<S>(square)), block, "{grid:?} {square:?}");
            }
            for symmetry in 0..grid.symmetries() {
                let image: S = squares.iter().fold(S::default(), |image, &s| {
                    image | S::single(bit_of::<S>(grid.transform(s, symmetry)))
                });
                assert_eq!(transformed(set, grid, symmetry), image, "{grid:?} {symmetry}");
            }
        }
    }

    #[test]
    fn words_agree_with_squares() {
        agrees_with_squares::<u64>();
        agrees_with_squares::<u128>();
        agrees_with_squares::<Wide>();
    }

    #[test]
    fn fingerprints_tell_points_and_colours_apart() {
        fn check<S: PointSet>(grid: Grid) {
            let mut seen = vec![S::default().fingerprint(S::default())];
            for bit in bits(board_points::<S>(grid)) {
                seen.push(S::single(bit).fingerprint(S::default()));
                seen.push(S::default().fingerprint(S::single(bit)));
            }
            let all = seen.len();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), all);
        }
        check::<u64>(Grid { rows: 8, columns: 7 });
        check::<u128>(Grid { rows: 11, columns: 10 });
        check::<Wide>(Grid { rows: 19, columns: 19 });
    }
}
