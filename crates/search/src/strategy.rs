//! [`Strategy`]: the moves of one who cannot do better, whatever the other side does.

/// Moves by the keys of positions, in bytes that a program can carry along: for each position the
/// key and the code of the move, the lowest key first, the lowest byte of a number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy<'a>(pub &'a [u8]);

const KEY_BYTES: usize = 8;
const CODE_BYTES: usize = 2;
pub(crate) const RECORD: usize = KEY_BYTES + CODE_BYTES;

impl Strategy<'_> {
    /// The code of the move in a position with this key, if it is part of the strategy.
    #[must_use]
    pub fn find(self, key: u64) -> Option<u32> {
        let (records, _) = self.0.as_chunks::<RECORD>();
        let key_of = |record: &[u8; RECORD]| {
            let mut bytes = [0; KEY_BYTES];
            bytes.copy_from_slice(&record[..KEY_BYTES]);
            u64::from_le_bytes(bytes)
        };
        let at = records.binary_search_by_key(&key, key_of).ok()?;
        let record = &records[at];
        Some(u32::from(u16::from_le_bytes([record[KEY_BYTES], record[KEY_BYTES + 1]])))
    }
}
