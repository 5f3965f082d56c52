//! The memory of proofs: fixed size, a few places for each key, the cheapest to find again goes
//! first.
//!
//! ```text
//!   word 0   what is compared
//!   word 1   63       proof       32 31     disproof     0
//!   word 2   63     generation    24 23  plies  8 7 effort 0
//! ```
//!
//! An entry counts only in the generation that wrote it, so that forgetting everything is counting
//! one up. Zero throughout is a place that was never written, as the system hands out memory: so a
//! large table takes none before it is used.

use super::numbers::Numbers;
use crate::platform;

/// What is known of a position and a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) numbers: Numbers,
    /// Plies to the end of the game along the proof that was found, where there is an answer.
    pub(super) plies: u16,
}

/// A position and a question: where to look, and beside it what tells others apart that are looked
/// for there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofName {
    pub(super) key: u64,
    pub(super) check: u64,
}

impl ProofName {
    /// The key has chosen the bucket already, so that by itself it would say little new there.
    #[inline]
    fn compared(self) -> u64 {
        self.key.wrapping_add(self.check)
    }
}

/// As drawn above. The effort is the binary logarithm of the nodes that an entry took, plus one.
type Place = [u64; 3];

/// Where the generation stands in its word.
const GENERATION: u32 = 24;
const LAST_GENERATION: u64 = u64::MAX >> GENERATION;

/// What an entry cost; 0 where there is none, or one of another generation.
#[inline]
fn effort(place: &Place, generation: u64) -> u64 {
    if place[2] >> GENERATION == generation { place[2] & 0xff } else { 0 }
}

#[inline]
fn pack(compared: u64, Entry { numbers, plies }: Entry, nodes: u64, generation: u64) -> Place {
    let effort = u64::from(nodes.max(1).ilog2()) + 1;
    let Numbers { proof, disproof } = numbers;
    let rest = generation << GENERATION | u64::from(plies) << 8 | effort;
    [compared, u64::from(proof) << 32 | u64::from(disproof), rest]
}

fn unpack(&[_, numbers, rest]: &Place) -> Entry {
    let numbers = Numbers { proof: (numbers >> 32) as u32, disproof: numbers as u32 };
    Entry { numbers, plies: (rest >> 8) as u16 }
}

/// Places for a key: as many as fill about two cache lines.
const PLACES: usize = 4;

/// What [provers](super::Prover) remember, of fixed size: made once, and lent to one after the
/// other. They may ask about different positions and margins, but of one game only.
#[derive(Debug)]
pub struct ProofTable {
    places: Vec<Place>,
    /// What older ones wrote is forgotten.
    generation: u64,
}

impl ProofTable {
    /// An empty table. Memory is taken for granted: see [`Table::fits`](crate::Table::fits).
    #[must_use]
    pub fn new(megabytes: usize) -> ProofTable {
        let buckets = (megabytes.saturating_mul(1 << 20) / (PLACES * size_of::<Place>())).max(1);
        let places = vec![[0; 3]; buckets * PLACES];
        platform::prefer_small_pages(&places);
        ProofTable { places, generation: 0 }
    }

    /// Forgets everything, in no time: the table then does what a new one would.
    pub fn clear(&mut self) {
        if self.generation == LAST_GENERATION {
            self.places.fill([0; 3]);
            self.generation = 0;
        } else {
            self.generation += 1;
        }
    }

    #[inline]
    pub(super) fn get(&self, name: ProofName) -> Option<Entry> {
        let (at, compared) = (self.bucket(name.key), name.compared());
        let known = |place: &&Place| place[0] == compared && effort(place, self.generation) > 0;
        self.places[at..at + PLACES].iter().find(known).map(unpack)
    }

    #[inline]
    pub(super) fn put(&mut self, name: ProofName, entry: Entry, nodes: u64) {
        let (at, compared, generation) = (self.bucket(name.key), name.compared(), self.generation);
        let places = &mut self.places[at..at + PLACES];
        let effort = |place: &Place| effort(place, generation);
        let same = places.iter().position(|place| place[0] == compared && effort(place) > 0);
        let cheapest = || (0..PLACES).min_by_key(|&i| effort(&places[i])).unwrap_or(0);
        let chosen = same.unwrap_or_else(cheapest);
        places[chosen] = pack(compared, entry, nodes, generation);
    }

    fn bucket(&self, key: u64) -> usize {
        let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let buckets = self.places.len() / PLACES;
        ((u128::from(spread) * buckets as u128) >> 64) as usize * PLACES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(key: u64) -> ProofName {
        ProofName { key, check: key.rotate_left(9) }
    }

    #[test]
    fn entries_survive_packing() {
        for numbers in [Numbers::YES, Numbers::NO, Numbers { proof: u32::MAX, disproof: 7 }] {
            for (plies, nodes) in [(0, 0), (1, 1), (u16::MAX, u64::MAX)] {
                for generation in [0, 1, LAST_GENERATION] {
                    let entry = Entry { numbers, plies };
                    let place = pack(u64::MAX, entry, nodes, generation);
                    assert_eq!((unpack(&place), place[0]), (entry, u64::MAX));
                    assert_eq!(effort(&place, generation), u64::from(nodes.max(1).ilog2()) + 1);
                    assert_eq!(effort(&place, 7), 0);
                }
            }
        }
    }

    /// An empty table of a gigabyte takes no memory: `cargo nextest` runs every test by itself, so
    /// what the process has is what the table takes.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_large_table_is_touched_as_it_is_used() {
        let resident = || {
            let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
            pages.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4
        };
        let before = resident();
        let mut table = ProofTable::new(1024);
        for key in 1..=1000 {
            table.put(named(key), Entry { numbers: Numbers::YES, plies: 1 }, 1);
        }
        let taken = resident() - before;
        assert!(taken < 64 << 10, "{taken} kB");
        assert!((1..=1000).all(|key| table.get(named(key)).is_some()));
    }

    #[test]
    fn a_full_table_forgets_the_cheapest() {
        let mut table = ProofTable::new(0);
        let entry = |plies| Entry { numbers: Numbers::YES, plies };
        for key in 1..=5 {
            table.put(named(key), entry(key as u16), if key == 2 { 1 } else { 100 });
        }
        assert_eq!(table.get(named(2)), None);
        for key in [1, 3, 4, 5] {
            assert_eq!(table.get(named(key)), Some(entry(key as u16)));
        }
        table.put(named(3), entry(9), 1);
        assert_eq!(table.get(named(3)), Some(entry(9)));
        assert_eq!(table.get(named(0)), None);
    }

    /// A cleared table does what a new one does, whatever was in it and however often.
    #[test]
    fn a_cleared_table_is_as_good_as_new() {
        let mut rng = game::Rng::new(3);
        let mut table = ProofTable::new(0);
        table.generation = LAST_GENERATION - 3;
        for _ in 0..7 {
            table.clear();
            let mut new = ProofTable::new(0);
            for _ in 0..50 {
                let (key, nodes) = (rng.next_u64() % 8, rng.next_u64() % 64);
                assert_eq!(table.get(named(key)), new.get(named(key)));
                let entry = Entry { numbers: Numbers::NO, plies: rng.next_u64() as u16 };
                table.put(named(key), entry, nodes);
                new.put(named(key), entry, nodes);
            }
        }
        assert_eq!(table.generation, 3);
    }
}
