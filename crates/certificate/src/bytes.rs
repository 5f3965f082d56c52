//! Numbers and text as bytes.
//!
//! A number is a varint (LEB128): seven bits a byte, low bits first, the top bit set in all bytes but the last. Only the
//! shortest form is right, so that every certificate has one spelling.

use crate::claim::Claim;
use crate::refusal::{Refusal, RefusalPlace};

pub(crate) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …
pub(crate) fn push_signed(out: &mut Vec<u8>, number: i32) {
    let folded = (number << 1 ^ number >> 31) as u32;
    push_number(out, u64::from(folded));
}

pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    push_number(out, text.len() as u64);
    out.extend(text.as_bytes());
}

/// A byte for the kind, and the bound.
pub(crate) fn push_claim(out: &mut Vec<u8>, claim: Claim) {
    let (kind, bound) = match claim {
        Claim::AtLeast(bound) => (0, bound),
        Claim::AtMost(bound) => (1, bound),
    };
    out.push(kind);
    push_signed(out, bound);
}

/// Bytes of a certificate and how far they have been read.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Cursor<'b> {
        Cursor { bytes, at: 0 }
    }

    /// The number of the byte that comes next.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// What is wrong with something that begins at byte `at`.
    pub(crate) fn wrong(at: usize, why: impl Into<String>) -> Refusal {
        Refusal::new(RefusalPlace::Byte(at), why)
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, Refusal> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => Err(Self::wrong(self.at, "is missing")),
        }
    }

    pub(crate) fn take(&mut self, length: u64) -> Result<&'b [u8], Refusal> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = usize::try_from(length).ok().and_then(|length| rest.get(..length)) else {
            let why =
                format!("is where {length} bytes should begin, of which {} are there", rest.len());
            return Err(Self::wrong(self.at, why));
        };
        self.at += taken.len();
        Ok(taken)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, Refusal> {
        let from = self.at;
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                if byte == 0 && shift > 0 {
                    return Err(Self::wrong(
                        from,
                        "begins a number that is not in its shortest form",
                    ));
                }
                return Ok(number);
            }
        }
        Err(Self::wrong(from, "begins a number of more than 64 bits"))
    }

    /// A number within bounds; `what` says of which kind.
    pub(crate) fn number_within(&mut self, from: u64, to: u64, what: &str) -> Result<u64, Refusal> {
        let at = self.at;
        match self.number()? {
            number if (from..=to).contains(&number) => Ok(number),
            number => Err(Self::wrong(
                at,
                format!("gives {number} for {what}; it is from {from} to {to}"),
            )),
        }
    }

    pub(crate) fn signed(&mut self, what: &str) -> Result<i32, Refusal> {
        let folded = self.number_within(0, u64::from(u32::MAX), what)? as u32;
        Ok((folded >> 1) as i32 ^ -((folded & 1) as i32))
    }

    pub(crate) fn claim(&mut self) -> Result<Claim, Refusal> {
        let at = self.at;
        match self.byte()? {
            0 => Ok(Claim::AtLeast(self.signed("a bound")?)),
            1 => Ok(Claim::AtMost(self.signed("a bound")?)),
            _ => Err(Self::wrong(at, "is neither 0 (at least) nor 1 (at most)")),
        }
    }

    pub(crate) fn text(&mut self, what: &str) -> Result<&'b str, Refusal> {
        let length = self.number()?;
        let at = self.at;
        let why = |_| Self::wrong(at, format!("begins the text of {what}, which is not UTF-8"));
        str::from_utf8(self.take(length)?).map_err(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for number in [0, 1, 127, 128, 300, 1 << 14, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            let mut cursor = Cursor::new(&bytes);
            assert_eq!(cursor.number(), Ok(number));
            assert!(cursor.is_at_end());
        }
        for number in [0, 1, -1, 2, -64, 64, i32::MAX, i32::MIN] {
            let mut bytes = Vec::new();
            push_signed(&mut bytes, number);
            assert_eq!(Cursor::new(&bytes).signed("it"), Ok(number));
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for bytes in [
            &[][..],
            &[0x80],
            &[0x80, 0],
            &[0xff, 0x80, 0x00],
            // 2^64, and eleven bytes.
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
        ] {
            assert!(Cursor::new(bytes).number().is_err(), "{bytes:?}");
        }
    }
}
