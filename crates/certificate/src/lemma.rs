//! [`Lemma`]: a statement that a certificate uses and another one proves.

use std::fmt;

use crate::bytes::{push_claim, push_number, push_text};
use crate::claim::Claim;
use crate::sha256::Sha256;

/// What the hash of a lemma begins with, so that it is the hash of nothing else.
const DOMAIN: &[u8] = b"ZERMELO-LEMMA\x01";

/// What names a lemma: SHA-256 over its game, position, claim and the bytes of its file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LemmaHash(pub [u8; 32]);

/// A statement about a position of the same game, as the certificate that uses it knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma<'b> {
    /// Which certificate proves it.
    pub hash: LemmaHash,
    /// The position, as in a [`Header`](crate::Header).
    pub position: &'b str,
    /// What is claimed of it.
    pub claim: Claim,
}

impl LemmaHash {
    /// The hash of a certificate with this one claim. Everything that may vary in length is
    /// preceded by its length, so that different lemmas are different bytes.
    #[must_use]
    pub fn of(game: &str, position: &str, claim: Claim, file: &[u8]) -> LemmaHash {
        let mut front = DOMAIN.to_vec();
        push_text(&mut front, game);
        push_text(&mut front, position);
        push_claim(&mut front, claim);
        push_number(&mut front, file.len() as u64);
        let mut hash = Sha256::new();
        hash.update(&front);
        hash.update(file);
        LemmaHash(hash.finish())
    }

    /// Reads 64 hexadecimal digits in small letters, the one spelling that [`LemmaHash`] prints.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<LemmaHash> {
        let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut hash = [0; 32];
        if pairs.len() != hash.len() {
            return None;
        }
        for (byte, &[high, low]) in hash.iter_mut().zip(pairs) {
            *byte = digit(high)? << 4 | digit(low)?;
        }
        Some(LemmaHash(hash))
    }
}

impl fmt::Display for LemmaHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for LemmaHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LemmaHash({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_text() {
        let hash = LemmaHash::of("mnk:2x2,k=2", "", Claim::AtLeast(1), b"bytes");
        let text = hash.to_string();
        assert_eq!(LemmaHash::from_hex(&text), Some(hash));
        let wrong = [&text[1..], &text[2..], &text.to_uppercase(), &format!("{text}00"), ""];
        assert!(wrong.iter().all(|wrong| LemmaHash::from_hex(wrong).is_none()));
        assert_eq!(LemmaHash::from_hex(&"é".repeat(32)), None);
    }

    /// Each part counts, and none runs into the next.
    #[test]
    fn different_lemmas_have_different_hashes() {
        let [least, most] = [Claim::AtLeast, Claim::AtMost];
        let hashes = [
            LemmaHash::of("game", "position", least(1), b"file"),
            LemmaHash::of("gamep", "osition", least(1), b"file"),
            LemmaHash::of("game", "positio", least(1), b"nfile"),
            LemmaHash::of("game", "position", most(1), b"file"),
            LemmaHash::of("game", "position", least(2), b"file"),
            LemmaHash::of("game", "position", least(1), b"fil"),
            LemmaHash::of("game", "position", least(1), b"filf"),
        ];
        for (i, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..i].contains(hash), "{i}");
        }
    }
}
