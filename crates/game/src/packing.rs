//! [`Packer`] and [`Unpacker`]: numbers whose ranges are known, as few bytes and in one spelling.
//!
//! A number is a *digit*, smaller than its *radix*. Digits of any radices make up one word of at
//! most 64 bits, the first digit lowest:
//!
//! ```text
//!   word = d0 + r0 * (d1 + r1 * (d2 + …))         r0 * r1 * r2 * … <= 2^64
//! ```
//!
//! Where the next digit does not fit, the word is written as eight bytes, lowest first, and another
//! begins; the last one is written in as many bytes as its radices need. So squares with three
//! states take 1.6 bits each, hardly more than the 1.585 that must be.

use crate::notation::Notation;
use crate::rules::Side;
use crate::text_error::TextError;

/// Writes digits.
///
/// ```
/// use game::{Packer, Unpacker};
///
/// let mut packer = Packer::new();
/// packer.digit(5, 6);
/// packer.digit(39, 40);
/// let bytes = packer.finish();
/// assert_eq!(bytes, [5 + 6 * 39]);
///
/// let mut unpacker = Unpacker::new(&bytes);
/// assert_eq!((unpacker.digit(6), unpacker.digit(40)), (5, 39));
/// assert!(unpacker.finish().is_ok());
///
/// // 240 and more is nothing that two such digits make.
/// let mut unpacker = Unpacker::new(&[240]);
/// let _ = (unpacker.digit(6), unpacker.digit(40));
/// assert!(unpacker.finish().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Packer {
    bytes: Vec<u8>,
    word: u64,
    /// How many different words there could be so far.
    states: u128,
}

/// Reads the digits that a [`Packer`] wrote: the same radices must be asked for in the same order.
///
/// Digits are below their radix whatever the bytes are; whether a packer would have written these
/// bytes is known when all digits have been read, and [`finish`](Unpacker::finish) tells.
#[derive(Clone, Debug)]
pub struct Unpacker<'b> {
    bytes: &'b [u8],
    /// Bytes of the words so far, as if all were there.
    at: usize,
    /// What is left of the word.
    word: u64,
    states: u128,
    /// A word held more than its digits.
    excess: bool,
}

const WORD: usize = 8;
const WORD_STATES: u128 = 1 << 64;

impl Packer {
    /// Nothing so far.
    #[must_use]
    pub fn new() -> Packer {
        Packer { bytes: Vec::new(), word: 0, states: 1 }
    }

    /// A number below `radix`.
    pub fn digit(&mut self, digit: u64, radix: u64) {
        debug_assert!(digit < radix, "{digit} is no digit of radix {radix}");
        if self.states * u128::from(radix) > WORD_STATES {
            self.bytes.extend(self.word.to_le_bytes());
            (self.word, self.states) = (0, 1);
        }
        // With all states taken the radix is 1 and the digit 0.
        self.word += digit * self.states as u64;
        self.states *= u128::from(radix);
    }

    /// One of the players.
    pub fn side(&mut self, side: Side) {
        self.digit(side.index() as u64, 2);
    }

    /// A square that may hold somebody's stone.
    pub fn stone(&mut self, stone: Option<Side>) {
        self.digit(stone.map_or(0, |side| 1 + side.index() as u64), 3);
    }

    /// All bytes.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(&self.word.to_le_bytes()[..bytes_for(self.states)]);
        self.bytes
    }
}

impl Default for Packer {
    fn default() -> Packer {
        Packer::new()
    }
}

impl<'b> Unpacker<'b> {
    /// Before the first digit.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Unpacker<'b> {
        let mut unpacker = Unpacker { bytes, at: 0, word: 0, states: 1, excess: false };
        unpacker.next_word();
        unpacker
    }

    /// A number below `radix`.
    pub fn digit(&mut self, radix: u64) -> u64 {
        if self.states * u128::from(radix) > WORD_STATES {
            self.excess |= self.word != 0;
            self.next_word();
        }
        let digit = self.word % radix;
        self.word /= radix;
        self.states *= u128::from(radix);
        digit
    }

    /// One of the players.
    pub fn side(&mut self) -> Side {
        if self.digit(2) == 0 { Side::First } else { Side::Second }
    }

    /// What a square holds.
    pub fn stone(&mut self) -> Option<Side> {
        match self.digit(3) {
            0 => None,
            1 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// An error unless these are the bytes that a [`Packer`] makes of the digits that were read.
    pub fn finish(&self) -> Result<(), TextError> {
        let right = self.at - WORD + bytes_for(self.states);
        if self.bytes.len() != right {
            return Err(self.wrong(format!("{right} bytes are right")));
        }
        if self.excess || self.word != 0 {
            return Err(self.wrong("a number in it is larger than any that is packed there"));
        }
        Ok(())
    }

    /// What is wrong with the whole; the bytes themselves would tell a reader nothing.
    #[must_use]
    pub fn wrong(&self, why: impl Into<String>) -> TextError {
        TextError::new(&format!("a packed position of {} bytes", self.bytes.len()), why)
    }

    /// Missing bytes count as zeros until [`finish`](Unpacker::finish) notices.
    fn next_word(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let mut word = [0; WORD];
        for (place, &byte) in word.iter_mut().zip(rest) {
            *place = byte;
        }
        (self.word, self.states) = (u64::from_le_bytes(word), 1);
        self.at += WORD;
    }
}

/// The position that these bytes mean by way of text, if they are those that it is packed as. For
/// games in which the reader of text alone knows what the rules need.
pub fn read_unpacked<G: Notation>(
    game: &G,
    text: &str,
    bytes: &[u8],
) -> Result<G::Position, TextError> {
    let p = game.read_position(text)?;
    if game.pack(&p) == bytes {
        return Ok(p);
    }
    Err(TextError::new(text, "this position is packed as other bytes"))
}

/// How many bytes tell so many states apart.
fn bytes_for(states: u128) -> usize {
    let bits = u128::BITS - (states - 1).leading_zeros();
    bits.div_ceil(8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Radices of all magnitudes, with a digit each.
    fn digits(rng: &mut Rng) -> Vec<(u64, u64)> {
        let radix = |rng: &mut Rng| match rng.below(4) {
            0 => 1 + rng.below(3) as u64,
            1 => 1 + rng.below(300) as u64,
            2 => 1 << rng.below(64),
            _ => 1 + rng.next_u64() / 2,
        };
        let count = rng.below(20);
        let pair = |rng: &mut Rng| {
            let radix = radix(rng);
            (rng.next_u64() % radix, radix)
        };
        (0..count).map(|_| pair(rng)).collect()
    }

    fn packed(digits: &[(u64, u64)]) -> Vec<u8> {
        let mut packer = Packer::new();
        for &(digit, radix) in digits {
            packer.digit(digit, radix);
        }
        packer.finish()
    }

    #[test]
    fn digits_come_back() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let digits = digits(&mut rng);
            let bytes = packed(&digits);
            let mut unpacker = Unpacker::new(&bytes);
            for &(digit, radix) in &digits {
                assert_eq!(unpacker.digit(radix), digit, "{digits:?}");
            }
            assert_eq!(unpacker.finish(), Ok(()), "{digits:?}");
        }
    }

    /// Whatever the bytes are: they are refused, or packing the digits gives them back.
    #[test]
    fn there_is_one_spelling() {
        let mut rng = Rng::new(2);
        let mut taken = 0;
        for _ in 0..20_000 {
            let digits = digits(&mut rng);
            let mut bytes = packed(&digits);
            match rng.below(4) {
                0 => bytes.push(0),
                1 => drop(bytes.pop()),
                _ if bytes.is_empty() => {}
                _ => {
                    let at = rng.below(bytes.len());
                    bytes[at] = bytes[at].wrapping_add(1 << rng.below(8));
                }
            }
            let mut unpacker = Unpacker::new(&bytes);
            let read: Vec<(u64, u64)> =
                digits.iter().map(|&(_, radix)| (unpacker.digit(radix), radix)).collect();
            let is_right = packed(&read) == bytes;
            assert_eq!(unpacker.finish().is_ok(), is_right, "{digits:?} {bytes:?}");
            taken += u32::from(is_right);
        }
        assert!((1_000..19_000).contains(&taken), "{taken} of 20,000 are taken");
    }

    #[test]
    fn words_are_full() {
        assert_eq!(packed(&[]), [0; 0]);
        assert_eq!(packed(&[(0, 1); 9]), [0; 0]);
        assert_eq!(packed(&[(2, 3); 5]), [242]);
        assert_eq!(packed(&[(2, 3); 40]).len(), 8);
        assert_eq!(packed(&[(2, 3); 41]).len(), 9);
        assert_eq!(packed(&[(u64::MAX >> 32, 1 << 32); 2]), [255; 8]);
    }

    #[test]
    fn errors_say_how_many_bytes_are_right() {
        let mut unpacker = Unpacker::new(&[1, 2, 3]);
        unpacker.digit(300);
        assert_eq!(
            unpacker.finish().unwrap_err().to_string(),
            r#""a packed position of 3 bytes": 2 bytes are right"#
        );
    }
}
