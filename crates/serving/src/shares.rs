//! How much may be taken at once: by each address, and by all of them together. No address gets
//! more than its share, so that none can keep the others out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How much of something may be taken at once.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// By one address; an IPv6 network of 64 bits counts as one.
    pub each: usize,
    /// By all addresses together.
    pub all: usize,
}

/// Whose share is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    /// That of the address.
    #[error("too much at once from your address; please wait a little")]
    Each,
    /// That of all together.
    #[error("too many visitors at once; please come back later")]
    All,
}

impl Full {
    /// What HTTP says to that.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Full::Each => StatusCode::TOO_MANY_REQUESTS,
            Full::All => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// So much of something, shared among addresses.
#[derive(Debug)]
pub struct Room {
    share: Share,
    all: Arc<Semaphore>,
    each: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
    refused: AtomicU64,
}

/// What was taken; dropping it gives it back.
#[derive(Debug)]
pub struct Taken {
    _each: Option<OwnedSemaphorePermit>,
    _all: OwnedSemaphorePermit,
}

/// With more addresses than this, those that hold nothing are forgotten.
const MOST_KNOWN: usize = 1024;

impl Room {
    /// Of which nothing is taken.
    #[must_use]
    pub fn new(share: Share) -> Room {
        let all = Arc::new(Semaphore::new(share.all));
        Room { share, all, each: Mutex::default(), refused: AtomicU64::new(0) }
    }

    /// How much is taken, and how much there is.
    #[must_use]
    pub fn in_use(&self) -> (usize, usize) {
        (self.share.all.saturating_sub(self.all.available_permits()), self.share.all)
    }

    /// How often somebody got nothing.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Takes so much now.
    ///
    /// # Errors
    /// Says whose share is used up.
    pub fn try_take(&self, from: IpAddr, units: usize) -> Result<Taken, Full> {
        let units = self.at_most_all(units);
        let each = self.of(from).try_acquire_many_owned(units);
        let each = each.map_err(|_| self.refuse(Full::Each))?;
        Ok(Taken { _each: Some(each), ..self.try_take_for_many(units)? })
    }

    /// Takes so much for somebody who speaks for many.
    ///
    /// # Errors
    /// If there is not so much left.
    pub fn try_take_for_many(&self, units: u32) -> Result<Taken, Full> {
        let all = Arc::clone(&self.all).try_acquire_many_owned(units);
        Ok(Taken { _each: None, _all: all.map_err(|_| self.refuse(Full::All))? })
    }

    fn refuse(&self, full: Full) -> Full {
        self.refused.fetch_add(1, Relaxed);
        full
    }

    /// Takes so much as soon as there is so much, in the order of asking: first among those of the
    /// same address, then among all. None when the server ends.
    pub async fn take(&self, from: IpAddr, units: usize) -> Option<Taken> {
        let units = self.at_most_all(units);
        let each = self.of(from).acquire_many_owned(units).await.ok()?;
        let all = Arc::clone(&self.all).acquire_many_owned(units).await.ok()?;
        Some(Taken { _each: Some(each), _all: all })
    }

    /// How much is left for all together.
    #[must_use]
    pub fn left(&self) -> usize {
        self.all.available_permits()
    }

    /// What is more than a whole share has to be alone, but it is not kept out for ever.
    fn at_most_all(&self, units: usize) -> u32 {
        units.min(self.share.each).min(self.share.all).try_into().unwrap_or(u32::MAX)
    }

    fn of(&self, from: IpAddr) -> Arc<Semaphore> {
        let mut known = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.retain(|_, room| room.strong_count() > 0);
        }
        let entry = known.entry(from).or_default();
        entry.upgrade().unwrap_or_else(|| {
            let room = Arc::new(Semaphore::new(self.share.each));
            *entry = Arc::downgrade(&room);
            room
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_takes_its_share_and_leaves_the_rest_to_others() {
        let room = Room::new(Share { each: 2, all: 3 });
        let ip = |last| IpAddr::from([10, 0, 0, last]);
        let one = room.try_take(ip(1), 1).unwrap();
        let two = room.try_take(ip(1), 1).unwrap();
        assert_eq!(room.try_take(ip(1), 1).unwrap_err(), Full::Each);
        let three = room.try_take(ip(2), 1).unwrap();
        assert_eq!(room.try_take(ip(2), 1).unwrap_err(), Full::All);
        assert_eq!((room.in_use(), room.refused()), ((3, 3), 2));
        drop((one, three));
        assert!(room.try_take(ip(1), 1).is_ok());
        assert_eq!(room.try_take(ip(1), 1_000_000).unwrap_err(), Full::Each);
        drop(two);
        assert!(room.try_take(ip(1), 1_000_000).is_ok(), "alone, what is large has room too");
    }

    #[test]
    fn addresses_that_hold_nothing_are_forgotten() {
        let room = Room::new(Share { each: 1, all: 1 });
        let kept = room.try_take(IpAddr::from([9, 9, 9, 9]), 1).unwrap();
        for number in 0..10 * MOST_KNOWN as u32 {
            let _ = room.try_take(IpAddr::from(number.to_be_bytes()), 1);
        }
        assert!(room.each.lock().unwrap().len() <= MOST_KNOWN + 1);
        assert_eq!(room.try_take(IpAddr::from([9, 9, 9, 9]), 1).unwrap_err(), Full::Each);
        drop(kept);
    }
}
