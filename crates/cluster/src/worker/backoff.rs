//! [`Backoff`]: how long to wait before asking once more.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use game::Rng;

/// Waits that grow, and differ from those of other workers: a server that comes back is not to be
/// asked by all of them at once.
#[derive(Debug)]
pub(super) struct Backoff {
    first: Duration,
    most: Duration,
    failures: u32,
    rng: Rng,
}

impl Backoff {
    pub(super) fn new(first: Duration, most: Duration) -> Backoff {
        let seed = RandomState::new().hash_one(0);
        Backoff { first, most, failures: 0, rng: Rng::new(seed) }
    }

    /// It has worked.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }

    /// It has not: twice as long as before, up to a limit, half of it by chance; never shorter than
    /// what the server asked for.
    pub(super) fn next(&mut self, asked: Option<Duration>) -> Duration {
        let longest = self.first.saturating_mul(1 << self.failures.min(20)).min(self.most);
        self.failures += 1;
        self.vary(longest).max(asked.map(|asked| self.vary(asked * 2)).unwrap_or_default())
    }

    /// Between half of it and all of it.
    pub(super) fn vary(&mut self, time: Duration) -> Duration {
        let share = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        time.mul_f64((1.0 + share) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_limit_and_the_server_is_heard() {
        let second = Duration::from_secs(1);
        let mut backoff = Backoff::new(second, second * 60);
        for (nth, longest) in [1, 2, 4, 8, 16, 32, 60, 60, 60].into_iter().enumerate() {
            let wait = backoff.next(None);
            let longest = second * longest;
            assert!((longest / 2..=longest).contains(&wait), "{nth}: {wait:?}");
        }
        assert!((0..100).all(|_| backoff.next(Some(second * 300)) >= second * 300));
        backoff.reset();
        assert!(backoff.next(None) <= second);
    }
}
