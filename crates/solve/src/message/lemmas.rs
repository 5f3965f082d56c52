//! The files of all lemmas that a report names, in one.

use super::MessageError;
use super::codec::{Frame, Sink};
use super::report::MOST_CERTIFIED;
use crate::certify::LemmaFile;

/// No file of lemmas has more bytes.
pub const LARGEST_LEMMAS: usize = 64 << 20;

const FRAME: Frame = Frame { what: "lemmas", magic: *b"ZLEM", version: 1, largest: LARGEST_LEMMAS };

/// As bytes, in their order.
#[must_use]
pub fn encode_lemmas(lemmas: &[LemmaFile]) -> Vec<u8> {
    let mut out = Sink::default();
    out.number(lemmas.len() as u64);
    lemmas.iter().for_each(|lemma| out.bytes(&lemma.bytes));
    FRAME.seal(&out)
}

/// Reads them. Whether each is what it says is for whoever checks it.
///
/// # Errors
/// Says what is wrong with the bytes.
pub fn decode_lemmas(bytes: &[u8]) -> Result<Vec<Vec<u8>>, MessageError> {
    let mut from = FRAME.open(bytes)?;
    let count = from.number(MOST_CERTIFIED as u64, "the number of lemmas")?;
    let lemma = |_| from.bytes(LARGEST_LEMMAS, "a lemma").map(<[u8]>::to_vec);
    let lemmas = (0..count).map(lemma).collect::<Result<_, _>>()?;
    from.end()?;
    Ok(lemmas)
}

#[cfg(test)]
mod tests {
    use certificate::{Claim, LemmaHash};

    use super::*;

    fn lemma(bytes: &[u8]) -> LemmaFile {
        let (hash, claim) = (LemmaHash([0; 32]), Claim::AtLeast(0));
        LemmaFile { hash, position: String::new(), claim, bytes: bytes.to_vec() }
    }

    #[test]
    fn lemmas_are_read_back_and_damage_is_told() {
        let bytes = encode_lemmas(&[lemma(b"one"), lemma(b""), lemma(&[7; 300])]);
        let read = decode_lemmas(&bytes).unwrap();
        assert_eq!(read, [b"one".to_vec(), Vec::new(), vec![7; 300]]);
        assert_eq!(decode_lemmas(&encode_lemmas(&[])).unwrap(), Vec::<Vec<u8>>::new());
        for at in 0..bytes.len() {
            assert!(decode_lemmas(&bytes[..at]).is_err());
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(decode_lemmas(&changed).is_err());
        }
    }
}
