//! The transposition table: fixed size, entries of 16 bytes in buckets of a cache line.
//!
//! ```text
//!   word 0   key XOR word 1: an entry torn or damaged no longer matches any key
//!   word 1   63        44 43   39     38    37 36 35      26 25        0
//!            move code    effort  settled  bound    depth       value
//! ```
//!
//! **Replacement:** an entry of the same position is overwritten. Otherwise the first three places of
//! a bucket keep what was most expensive to find (`effort`, the binary logarithm of its nodes), and
//! the last one takes whatever comes.

use game::Value;

use crate::bounds::{Bound, Depth};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) depth: Depth,
    /// Nothing below was guessed: the value holds for every greater depth too.
    pub(crate) settled: bool,
    /// The low 20 bits of the best move's code.
    pub(crate) code: u32,
}

const CODE_BITS: u32 = 20;
const EFFORT_LIMIT: u64 = 31;

impl Entry {
    /// The part of a move's code that an entry keeps.
    #[inline]
    pub(crate) fn cut(code: u32) -> u32 {
        code & ((1 << CODE_BITS) - 1)
    }

    #[inline]
    fn pack(self, nodes: u64) -> u64 {
        let value = self.value.raw() as u64 & 0x3ff_ffff;
        let effort = u64::from(nodes.max(1).ilog2()).min(EFFORT_LIMIT);
        value
            | self.depth.raw() << 26
            | (self.bound as u64) << 36
            | u64::from(self.settled) << 38
            | effort << 39
            | u64::from(Entry::cut(self.code)) << 44
    }

    #[inline]
    fn unpack(word: u64) -> Option<Entry> {
        Some(Entry {
            // Shifted up and down again to bring the sign back.
            value: Value::from_raw((word as i32) << 6 >> 6),
            bound: Bound::from_raw(word >> 36 & 3)?,
            depth: Depth::from_raw(word >> 26 & 0x3ff),
            settled: word >> 38 & 1 == 1,
            code: (word >> 44) as u32,
        })
    }
}

fn effort(word: u64) -> u64 {
    word >> 39 & EFFORT_LIMIT
}

/// Words of a bucket: four entries of two words fill a cache line.
const BUCKET: usize = 8;

/// A table of fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    /// Plain zeroed words, which the system hands out page by page as they are first used.
    words: Vec<u64>,
    /// Where the first bucket begins, so that buckets and cache lines coincide.
    first: usize,
    buckets: usize,
}

impl Table {
    pub(crate) fn new(megabytes: usize) -> Table {
        let buckets = Table::buckets(megabytes);
        let words = vec![0; (buckets + 1) * BUCKET];
        let first = words.as_ptr().align_offset(64).min(BUCKET);
        Table { words, first, buckets }
    }

    /// Whether the system would give so much memory.
    pub(crate) fn fits(megabytes: usize) -> bool {
        Vec::<u64>::new().try_reserve_exact((Table::buckets(megabytes) + 1) * BUCKET).is_ok()
    }

    fn buckets(megabytes: usize) -> usize {
        (megabytes.saturating_mul(1 << 20) / (BUCKET * size_of::<u64>())).max(1)
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        let (entries, _) = self.words[at..at + BUCKET].as_chunks::<2>();
        entries
            .iter()
            .find(|[check, word]| check ^ word == key)
            .and_then(|[_, word]| Entry::unpack(*word))
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, entry: Entry, nodes: u64) {
        let at = self.bucket(key);
        let (entries, _) = self.words[at..at + BUCKET].as_chunks_mut::<2>();
        let word = entry.pack(nodes);
        let same = entries.iter().position(|[check, old]| check ^ old == key && *old != 0);
        let place = same.unwrap_or_else(|| {
            let cheapest = (0..3).min_by_key(|&i| effort(entries[i][1])).unwrap_or(0);
            if effort(entries[cheapest][1]) <= effort(word) { cheapest } else { 3 }
        });
        entries[place] = [key ^ word, word];
    }

    /// Canonical keys are the smallest of several, so their upper bits alone would fill only the
    /// lower part of the table: multiplying spreads them.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let number = ((u128::from(spread) * self.buckets as u128) >> 64) as usize;
        self.first + number * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    fn entry(raw: i32, code: u32) -> Entry {
        Entry {
            value: Value::from_raw(raw),
            bound: Bound::Lower,
            depth: Depth::new(7),
            settled: true,
            code,
        }
    }

    #[test]
    fn entries_survive_packing() {
        for raw in [0, 1, -1, Value::INFINITY.raw(), -Value::INFINITY.raw(), Value::won_in(9).raw()]
        {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                for (depth, settled) in
                    [(Depth::END, true), (Depth::new(0), false), (Depth::new(1000), false)]
                {
                    let entry = Entry {
                        value: Value::from_raw(raw),
                        bound,
                        depth,
                        settled,
                        code: 0xf_ffff,
                    };
                    assert_eq!(Entry::unpack(entry.pack(u64::MAX)), Some(entry));
                }
            }
        }
    }

    #[test]
    fn a_full_table_keeps_the_expensive_and_never_confuses_keys() {
        let mut table = Table::new(0);
        let mut rng = Rng::new(5);
        let keys: Vec<u64> = (0..100).map(|_| rng.next_u64()).collect();
        for (i, &key) in keys.iter().enumerate() {
            table.put(key, entry(i as i32, i as u32), if i < 3 { 1 << 20 } else { 2 });
        }
        let kept: Vec<usize> = (0..100).filter(|&i| table.get(keys[i]).is_some()).collect();
        assert_eq!(kept, [0, 1, 2, 99]);
        for i in kept {
            assert_eq!(table.get(keys[i]), Some(entry(i as i32, i as u32)));
        }
        table.put(keys[0], entry(-5, 1), 1);
        assert_eq!(table.get(keys[0]), Some(entry(-5, 1)));
    }

    #[test]
    fn a_damaged_entry_is_not_found() {
        let mut table = Table::new(0);
        table.put(42, entry(7, 3), 10);
        let used: Vec<usize> = (0..table.words.len()).filter(|&i| table.words[i] != 0).collect();
        assert_eq!(used.len(), 2);
        for i in used {
            for bit in 0..64 {
                table.words[i] ^= 1 << bit;
                assert_eq!(table.get(42), None, "word {i} bit {bit}");
                table.words[i] ^= 1 << bit;
            }
        }
        assert_eq!(table.get(42), Some(entry(7, 3)));
    }
}
