//! [`Histogram`]: how long something took, counted by many threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// From a millisecond to half a minute.
const LIMITS: [Duration; 12] = [
    Duration::from_millis(1),
    Duration::from_micros(2500),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_millis(2500),
    Duration::from_secs(10),
    Duration::from_secs(30),
];

/// Times by their length. The last count is of those that took longer than any limit.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    counts: [AtomicU64; LIMITS.len() + 1],
    microseconds: AtomicU64,
}

impl Histogram {
    pub(crate) fn observe(&self, took: Duration) {
        let at = LIMITS.iter().position(|&limit| took <= limit).unwrap_or(LIMITS.len());
        self.counts[at].fetch_add(1, Relaxed);
        self.microseconds.fetch_add(took.as_micros() as u64, Relaxed);
    }

    /// How many took at most so long, for each limit; how many there are, and how long they took
    /// together.
    pub(super) fn read(&self) -> (Vec<(Duration, u64)>, u64, Duration) {
        let mut below = 0;
        let mut add = |count: &AtomicU64| {
            below += count.load(Relaxed);
            below
        };
        let buckets =
            LIMITS.iter().zip(&self.counts).map(|(&limit, count)| (limit, add(count))).collect();
        let all = add(&self.counts[LIMITS.len()]);
        (buckets, all, Duration::from_micros(self.microseconds.load(Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_all_that_is_below() {
        let histogram = Histogram::default();
        for millis in [0, 1, 30, 40_000] {
            histogram.observe(Duration::from_millis(millis));
        }
        let (buckets, all, sum) = histogram.read();
        assert_eq!((all, sum), (4, Duration::from_millis(40_031)));
        let counts: Vec<u64> = buckets.iter().map(|(_, below)| *below).collect();
        assert_eq!(counts, [2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3]);
    }
}
