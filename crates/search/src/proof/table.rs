//! The memory of a proof: fixed size, a few places for each key, the cheapest to find again goes
//! first.

use super::numbers::Numbers;
use crate::platform;

/// What is known of a position and a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) numbers: Numbers,
    /// Plies to the end of the game along the proof that was found, where there is an answer.
    pub(super) plies: u16,
}

/// A key, the numbers, and the plies with the effort: the binary logarithm of the nodes it took,
/// plus one. Zero throughout where nothing was written, as the system hands out memory: so a large
/// table takes none before it is used.
type Place = [u64; 3];

fn effort(place: &Place) -> u64 {
    place[2] & 0xff
}

fn pack(key: u64, Entry { numbers, plies }: Entry, nodes: u64) -> Place {
    let effort = u64::from(nodes.max(1).ilog2()) + 1;
    let Numbers { proof, disproof } = numbers;
    [key, u64::from(proof) << 32 | u64::from(disproof), u64::from(plies) << 8 | effort]
}

fn unpack(&[_, numbers, rest]: &Place) -> Entry {
    let numbers = Numbers { proof: (numbers >> 32) as u32, disproof: numbers as u32 };
    Entry { numbers, plies: (rest >> 8) as u16 }
}

/// Places for a key: as many as fill about two cache lines.
const PLACES: usize = 4;

#[derive(Debug)]
pub(super) struct Table {
    places: Vec<Place>,
}

impl Table {
    pub(super) fn new(megabytes: usize) -> Table {
        let buckets = (megabytes.saturating_mul(1 << 20) / (PLACES * size_of::<Place>())).max(1);
        let places = vec![[0; 3]; buckets * PLACES];
        platform::prefer_small_pages(&places);
        Table { places }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        let places = self.places[at..at + PLACES].iter();
        places.filter(|place| effort(place) > 0).find(|place| place[0] == key).map(unpack)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: Entry, nodes: u64) {
        let at = self.bucket(key);
        let places = &mut self.places[at..at + PLACES];
        let same = places.iter().position(|place| effort(place) > 0 && place[0] == key);
        let cheapest = || (0..PLACES).min_by_key(|&i| effort(&places[i])).unwrap_or(0);
        let chosen = same.unwrap_or_else(cheapest);
        places[chosen] = pack(key, entry, nodes);
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

    #[test]
    fn entries_survive_packing() {
        for numbers in [Numbers::YES, Numbers::NO, Numbers { proof: u32::MAX, disproof: 7 }] {
            for (plies, nodes) in [(0, 0), (1, 1), (u16::MAX, u64::MAX)] {
                let entry = Entry { numbers, plies };
                let place = pack(u64::MAX, entry, nodes);
                assert_eq!((unpack(&place), place[0]), (entry, u64::MAX));
                assert_eq!(effort(&place), u64::from(nodes.max(1).ilog2()) + 1);
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
        let mut table = Table::new(1024);
        for key in 1..=1000 {
            table.put(key, Entry { numbers: Numbers::YES, plies: 1 }, 1);
        }
        let taken = resident() - before;
        assert!(taken < 64 << 10, "{taken} kB");
        assert!((1..=1000).all(|key| table.get(key).is_some()));
    }

    #[test]
    fn a_full_table_forgets_the_cheapest() {
        let mut table = Table::new(0);
        let entry = |plies| Entry { numbers: Numbers::YES, plies };
        for key in 1..=5 {
            table.put(key, entry(key as u16), if key == 2 { 1 } else { 100 });
        }
        assert_eq!(table.get(2), None);
        for key in [1, 3, 4, 5] {
            assert_eq!(table.get(key), Some(entry(key as u16)));
        }
        table.put(3, entry(9), 1);
        assert_eq!(table.get(3), Some(entry(9)));
        assert_eq!(table.get(0), None);
    }
}
