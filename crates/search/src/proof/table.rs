//! The memory of a proof: fixed size, a few places for each key, the cheapest to find again goes first.

use super::numbers::Numbers;

/// What is known of a position and a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) numbers: Numbers,
    /// Plies to the end of the game along the proof that was found, where there is an answer.
    pub(super) plies: u16,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    key: u64,
    entry: Entry,
    /// The binary logarithm of the nodes it took, plus one; 0 where the place is free.
    effort: u8,
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
        let entry = Entry { numbers: Numbers::NO, plies: 0 };
        Table { places: vec![Place { key: 0, entry, effort: 0 }; buckets * PLACES] }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        let places = self.places[at..at + PLACES].iter();
        places.filter(|place| place.effort > 0).find(|place| place.key == key).map(|p| p.entry)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: Entry, nodes: u64) {
        let at = self.bucket(key);
        let places = &mut self.places[at..at + PLACES];
        let effort = nodes.max(1).ilog2() as u8 + 1;
        let same = places.iter().position(|place| place.effort > 0 && place.key == key);
        let cheapest = || (0..PLACES).min_by_key(|&i| places[i].effort).unwrap_or(0);
        let chosen = same.unwrap_or_else(cheapest);
        places[chosen] = Place { key, entry, effort };
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
