//! The transposition table: fixed size, entries of 16 bytes in buckets of a cache line.
//!
//! ```text
//!   word 0   what is compared XOR word 1: an entry torn or damaged no longer matches anything
//!   word 1   63        44 43   39     38    37 36 35      26 25        0
//!            move code    effort  settled  bound    depth       value
//! ```
//!
//! **Names:** a key says in which bucket to look, and is what is compared there, too. So of its 64 bits
//! those that chose the bucket say nothing new: with a full table of a gigabyte one in 2^38 lookups
//! finds the entry of another position. Whoever plays can live with that. Whoever proves compares a
//! number that is independent of the key ([`PositionName`]): one in 2^62.
//!
//! **Replacement:** an entry of the same position is overwritten. Otherwise the first three places
//! of a bucket keep what was most expensive to find (`effort`, the binary logarithm of its nodes),
//! and the last one takes whatever comes.
//!
//! **Memory** is taken page by page as the table is used. A large table of which an eighth is full
//! is then moved into pages of two megabytes, one at a time: a probe takes less time there, and by
//! now the whole table is in use anyway.
//!
//! **Threads** share a table without locks: both words of an entry are read and written on their
//! own, and an entry that two threads wrote at once matches no key (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

#[cfg(feature = "study")]
use game::PositionName;
use game::{Value, mix};

use crate::bounds::{Bound, Depth};
use crate::platform;

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

/// What searches remember, of fixed size. It can be kept from one search to the next of the same
/// game with the same heuristics.
#[derive(Debug)]
pub struct Table {
    /// Plain zeroed words, which the system hands out page by page as they are first used.
    words: Box<[AtomicU64]>,
    /// Where the first bucket begins, so that buckets and cache lines coincide.
    first: usize,
    buckets: usize,
    /// Entries in places that were empty, one in [`COUNTED`] of them.
    filled: AtomicUsize,
    /// How many of these a table has that moves into huge pages; `usize::MAX` if it never does.
    crowded: usize,
}

/// From here on a table is spread over so many usual pages that finding one takes as long as
/// reading it.
const LARGE_MEGABYTES: usize = 512;

/// One in so many entries is counted, by its key.
const COUNTED: usize = 1 << 12;

impl Table {
    /// An empty table. Memory is taken for granted: see [`Table::fits`].
    #[must_use]
    pub fn new(megabytes: usize) -> Table {
        Table::with(megabytes, LARGE_MEGABYTES)
    }

    /// An empty table of about so many bytes, for a search that will soon be over.
    #[must_use]
    pub fn of_bytes(bytes: usize) -> Table {
        Table::of_buckets((bytes / (BUCKET * size_of::<u64>())).max(1), usize::MAX)
    }

    /// An empty table that moves into huge pages if it has at least so many megabytes.
    fn with(megabytes: usize, large: usize) -> Table {
        let buckets = Table::buckets(megabytes);
        let eighth = buckets * (BUCKET / 2) / 8 / COUNTED;
        Table::of_buckets(buckets, if megabytes >= large { eighth } else { usize::MAX })
    }

    fn of_buckets(buckets: usize, crowded: usize) -> Table {
        let words = platform::zeroed_words((buckets + 1) * BUCKET);
        let first = words.as_ptr().align_offset(64).min(BUCKET);
        Table { words, first, buckets, filled: AtomicUsize::new(0), crowded }
    }

    /// Whether the system would give so much memory.
    #[must_use]
    pub fn fits(megabytes: usize) -> bool {
        Vec::<u64>::new().try_reserve_exact((Table::buckets(megabytes) + 1) * BUCKET).is_ok()
    }

    /// The largest size up to this one, in megabytes, for which there is memory now: the system may
    /// promise more, and end the program when a table fills up.
    #[must_use]
    pub fn largest(megabytes: usize) -> usize {
        // Something is left for everybody else.
        let free = platform::free_bytes().map(|bytes| ((bytes / 8 * 7) >> 20) as usize);
        let most = megabytes.min(free.unwrap_or(megabytes));
        if Table::fits(most) {
            return most;
        }
        let (mut fits, mut too_much) = (0, most);
        while too_much - fits > 1 {
            let middle = fits + (too_much - fits) / 2;
            if Table::fits(middle) { fits = middle } else { too_much = middle }
        }
        fits
    }

    /// How much of it is in use, in thousandths, by a sample.
    #[must_use]
    pub fn used_per_mille(&self) -> u32 {
        const SAMPLE: usize = 250;
        let sample = self.buckets.min(SAMPLE) * BUCKET;
        let entries = self.words[self.first..self.first + sample].chunks_exact(2);
        let used = entries.filter(|entry| entry[1].load(Relaxed) != 0).count();
        (used * 1000 / (sample / 2)) as u32
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let words = self.words.len();
        // Both at once might not fit.
        self.words = Box::default();
        self.words = platform::zeroed_words(words);
        self.first = self.words.as_ptr().align_offset(64).min(BUCKET);
        self.filled = AtomicUsize::new(0);
    }

    /// Puts something into every place, so that all of the table is in memory, and in huge pages if
    /// it is a large one. For [`Table::probe`].
    pub fn fill(&self) {
        for (number, word) in self.words.iter().enumerate() {
            word.store(number as u64 | 1, Relaxed);
        }
        if self.crowded < usize::MAX {
            (0..platform::huge_pages(&self.words))
                .for_each(|page| platform::make_huge(&self.words, page));
        }
    }

    /// Looks up so many positions drawn at random, each after the one before, to see how long that
    /// takes; says how many were found.
    pub fn probe(&self, probes: u64) -> u64 {
        let (mut key, mut found) = (1, 0);
        for _ in 0..probes {
            found += u64::from(self.get(key).is_some());
            // The next key depends on what was found.
            key = mix(key ^ found);
        }
        found
    }

    fn buckets(megabytes: usize) -> usize {
        (megabytes.saturating_mul(1 << 20) / (BUCKET * size_of::<u64>())).max(1)
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.find(key, key)
    }

    #[inline]
    pub(crate) fn put(&self, key: u64, entry: Entry, nodes: u64) {
        self.place(key, key, entry, nodes);
    }

    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn get_named(&self, name: PositionName) -> Option<Entry> {
        self.find(name.key, name.compared())
    }

    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn put_named(&self, name: PositionName, entry: Entry, nodes: u64) {
        self.place(name.key, name.compared(), entry, nodes);
    }

    #[inline]
    fn find(&self, key: u64, compared: u64) -> Option<Entry> {
        let (entries, _) = self.bucket(key).as_chunks::<2>();
        entries.iter().find_map(|[check, word]| {
            let word = word.load(Relaxed);
            if check.load(Relaxed) ^ word == compared { Entry::unpack(word) } else { None }
        })
    }

    #[inline]
    fn place(&self, key: u64, compared: u64, entry: Entry, nodes: u64) {
        let (entries, _) = self.bucket(key).as_chunks::<2>();
        let old = |i: usize| entries[i][1].load(Relaxed);
        let word = entry.pack(nodes);
        let is_same = |i: usize| entries[i][0].load(Relaxed) ^ old(i) == compared;
        let same = (0..4).find(|&i| old(i) != 0 && is_same(i));
        let place = same.unwrap_or_else(|| {
            let cheapest = (0..3).min_by_key(|&i| effort(old(i))).unwrap_or(0);
            if effort(old(cheapest)) <= effort(word) { cheapest } else { 3 }
        });
        if old(place) == 0 && (key as usize).is_multiple_of(COUNTED) {
            self.count_filled();
        }
        entries[place][0].store(compared ^ word, Relaxed);
        entries[place][1].store(word, Relaxed);
    }

    /// Counts an entry, and moves the next part of a crowded table into a huge page. A part takes
    /// about a millisecond, so that nobody who plays by the clock is kept waiting.
    #[cold]
    fn count_filled(&self) {
        let counted = self.filled.fetch_add(1, Relaxed);
        if let Some(page) = counted.checked_sub(self.crowded) {
            platform::make_huge(&self.words, page);
        }
    }

    /// Canonical keys are the smallest of several, so their upper bits alone would fill only the
    /// lower part of the table: multiplying spreads them.
    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let number = ((u128::from(spread) * self.buckets as u128) >> 64) as usize;
        let at = self.first + number * BUCKET;
        &self.words[at..at + BUCKET]
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

    /// Names that share a key are told apart, and each is overwritten by itself alone.
    #[cfg(feature = "study")]
    #[test]
    fn names_with_the_same_key_are_not_confused() {
        let table = Table::new(0);
        let name = |check| PositionName { key: 42, check, symmetry: 0 };
        for (check, raw) in [(0, 1), (1, 2), (u64::MAX, 3), (1, 4)] {
            table.put_named(name(check), entry(raw, 0), 1 << raw);
        }
        let found = [0, 1, 2, u64::MAX].map(|check| table.get_named(name(check)));
        assert_eq!(found, [Some(entry(1, 0)), Some(entry(4, 0)), None, Some(entry(3, 0))]);
        // Without a check it is what a key alone names.
        assert_eq!(table.get(42), Some(entry(1, 0)));
    }

    #[test]
    fn a_full_table_keeps_the_expensive_and_never_confuses_keys() {
        let table = Table::new(0);
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
        let table = Table::new(0);
        table.put(42, entry(7, 3), 10);
        let used: Vec<usize> =
            (0..table.words.len()).filter(|&i| table.words[i].load(Relaxed) != 0).collect();
        assert_eq!(used.len(), 2);
        for i in used {
            for bit in 0..64 {
                table.words[i].fetch_xor(1 << bit, Relaxed);
                assert_eq!(table.get(42), None, "word {i} bit {bit}");
                table.words[i].fetch_xor(1 << bit, Relaxed);
            }
        }
        assert_eq!(table.get(42), Some(entry(7, 3)));
    }

    /// Each thread writes entries that tell their own key: whoever finds one must find a true one.
    #[test]
    fn threads_never_see_half_of_an_entry() {
        let table = Table::new(0);
        let of = |key: u64| entry(key as i32 & 0xffff, key as u32 & 0xf_ffff);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    for _ in 0..200_000 {
                        let key = rng.next_u64() % 64;
                        table.put(key, of(key), 1 << (key % 8));
                        let other = rng.next_u64() % 64;
                        if let Some(found) = table.get(other) {
                            assert_eq!(found, of(other));
                        }
                    }
                });
            }
        });
        assert_eq!(table.used_per_mille(), 1000);
    }

    /// Kilobytes of a table that are in memory, as the system counts them.
    #[cfg(target_os = "linux")]
    fn resident(table: &Table) -> usize {
        let address = table.words.as_ptr() as usize + size_of_val(&*table.words) / 2;
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut is_ours = false;
        for line in maps.lines() {
            let mut words = line.split_whitespace();
            let (head, next) = (words.next().unwrap(), words.next());
            if let Some((from, to)) = head.split_once('-') {
                let bound = |text| usize::from_str_radix(text, 16).unwrap();
                is_ours = (bound(from)..bound(to)).contains(&address);
            } else if is_ours && head == "Rss:" {
                return next.unwrap().parse().unwrap();
            }
        }
        panic!("no map holds the table");
    }

    /// Entries take the pages that they are in and no others, also after the table was cleared.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_large_table_is_touched_as_it_is_used() {
        let mut table = Table::new(2 * LARGE_MEGABYTES);
        for _ in 0..2 {
            assert!(resident(&table) < 100, "{} kB", resident(&table));
            let mut rng = Rng::new(1);
            for _ in 0..1000 {
                let key = rng.next_u64();
                assert_eq!(table.get(key), None);
                table.put(key, entry(1, 1), 1);
            }
            assert!((1000..=1100 * 4).contains(&resident(&table)), "{} kB", resident(&table));
            table.clear();
        }
    }

    /// A table that moves into huge pages loses nothing on the way, and has moved when it is full.
    #[test]
    fn a_crowded_table_moves_into_huge_pages() {
        let table = Table::with(16, 16);
        let pages = platform::huge_pages(&table.words);
        assert!((7..=8).contains(&pages), "{pages}");
        let of = |key: u64| entry(key as i32 & 0xffff, key as u32 & 0xf_ffff);
        let (mut rng, mut kept) = (Rng::new(2), Vec::new());
        while table.filled.load(Relaxed) < table.crowded + pages {
            let key = rng.next_u64();
            table.put(key, of(key), 4);
            kept.push(key);
        }
        let found = kept.iter().filter(|&&key| table.get(key) == Some(of(key))).count();
        let known = kept.iter().filter(|&&key| table.get(key).is_some()).count();
        assert_eq!(found, known);
        assert!(found * 10 > kept.len() * 8, "{found} of {}", kept.len());
        let entries = table.buckets * 4;
        assert!((entries / 8..entries / 4).contains(&kept.len()), "{} of {entries}", kept.len());
    }

    /// No system has all the memory that a number can name.
    #[test]
    fn what_does_not_fit_is_cut_to_what_does() {
        assert_eq!(Table::largest(3), 3);
        let most = Table::largest(usize::MAX);
        assert!(0 < most && most < usize::MAX >> 20, "{most} MB");
        assert!(Table::fits(most));
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = Table::new(0);
        table.put(42, entry(7, 3), 10);
        assert_eq!(table.used_per_mille(), 250);
        table.clear();
        assert_eq!((table.get(42), table.used_per_mille()), (None, 0));
        table.fill();
        assert_eq!((table.used_per_mille(), table.probe(100)), (1000, 0));
    }
}
