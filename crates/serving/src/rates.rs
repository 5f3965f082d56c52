//! How often something may be done, by address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How often something may be done: at once so many times, and then so many a second.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// At once.
    pub burst: f64,
    /// And then.
    pub per_second: f64,
}

/// What is left of a rate.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    /// Of which nothing is used.
    #[must_use]
    pub fn full(rate: Rate) -> Bucket {
        Bucket { left: rate.burst, at: Instant::now() }
    }

    /// Whether once more is fine.
    pub fn take(&mut self, rate: Rate) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * rate.per_second;
        (self.left, self.at) = ((self.left + gained).min(rate.burst), now);
        let fine = self.left >= 1.0;
        if fine {
            self.left -= 1.0;
        }
        fine
    }
}

/// Somebody asks more often than they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many requests; please wait a little")]
pub struct TooOften;

/// Rates by address.
#[derive(Debug)]
pub struct Rates {
    rate: Rate,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

/// With more addresses than this, those that have waited are forgotten.
const MOST_BUCKETS: usize = 4096;

impl Rates {
    /// Of which nobody has used anything.
    #[must_use]
    pub fn new(rate: Rate) -> Rates {
        Rates { rate, buckets: Mutex::default() }
    }

    /// Once more for this address.
    ///
    /// # Errors
    /// If that is too often.
    pub fn take(&self, from: IpAddr) -> Result<(), TooOften> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_BUCKETS {
            let full_again = self.rate.burst / self.rate.per_second;
            buckets.retain(|_, bucket| bucket.at.elapsed().as_secs_f64() < full_again);
        }
        let bucket = buckets.entry(from).or_insert_with(|| Bucket::full(self.rate));
        if bucket.take(self.rate) { Ok(()) } else { Err(TooOften) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_run_out_for_one_and_not_for_others() {
        let rates = Rates::new(Rate { burst: 3.0, per_second: 0.001 });
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        for _ in 0..3 {
            assert!(rates.take(one).is_ok());
        }
        assert!(rates.take(one).is_err());
        assert!(rates.take(other).is_ok());
    }
}
