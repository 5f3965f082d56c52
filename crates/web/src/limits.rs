//! How much visitors may take at once: each address, and all of them together. No address gets more than its share,
//! so that none can keep the others out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::platform;
use crate::refusal::Refusal;

/// How much of something may be taken at once.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// By one address; an IPv6 network of 64 bits counts as one.
    pub each: usize,
    /// By all addresses together.
    pub all: usize,
}

/// What visitors may take at once.
#[derive(Clone, Copy, Debug)]
pub struct VisitorLimits {
    /// Connections. Those of a named proxy have no limit of their own.
    pub connections: Share,
    /// WebSockets.
    pub sockets: Share,
    /// Requests that are worked at, whoever asks by a WebSocket counted too.
    pub work: Share,
    /// Requests that wait for that; more are refused.
    pub waiting: Share,
    /// Kilobytes of answers that were not taken yet.
    pub kilobytes: Share,
}

/// With fewer open files than that, there are fewer connections.
pub(crate) const MOST_CONNECTIONS: usize = 4096;
/// Of one address, however many connections there may be.
pub(crate) const MOST_SOCKETS: usize = 64;

impl Default for VisitorLimits {
    fn default() -> VisitorLimits {
        // What is left is for files, engines and their pipes.
        let files = platform::open_files().map_or(MOST_CONNECTIONS, |files| files / 4 * 3);
        let connections = files.clamp(8, MOST_CONNECTIONS);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        VisitorLimits {
            connections: Share { each: connections / 8, all: connections },
            sockets: Share { each: (connections / 8).min(MOST_SOCKETS), all: connections },
            work: Share { each: cores, all: 2 * cores },
            waiting: Share { each: 32, all: 1024 },
            kilobytes: Share { each: 16 << 10, all: 256 << 10 },
        }
    }
}

/// The limits, with what has been taken.
#[derive(Debug)]
pub(crate) struct Rooms {
    pub(crate) connections: Room,
    pub(crate) sockets: Room,
    pub(crate) work: Room,
    pub(crate) waiting: Room,
    pub(crate) kilobytes: Room,
}

impl Rooms {
    pub(crate) fn new(limits: VisitorLimits) -> Rooms {
        Rooms {
            connections: Room::new(limits.connections),
            sockets: Room::new(limits.sockets),
            work: Room::new(limits.work),
            waiting: Room::new(limits.waiting),
            kilobytes: Room::new(limits.kilobytes),
        }
    }
}

/// Whose share is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    Each,
    All,
}

impl From<Full> for Refusal {
    fn from(full: Full) -> Refusal {
        match full {
            Full::Each => Refusal::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too much at once from your address; please wait a little",
            ),
            Full::All => Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many visitors at once; please come back later",
            ),
        }
    }
}

/// So much of something, shared among addresses.
#[derive(Debug)]
pub(crate) struct Room {
    share: Share,
    all: Arc<Semaphore>,
    each: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

/// What was taken; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Taken {
    _each: Option<OwnedSemaphorePermit>,
    _all: OwnedSemaphorePermit,
}

/// With more addresses than this, those that hold nothing are forgotten.
const MOST_KNOWN: usize = 1024;

impl Room {
    pub(crate) fn new(share: Share) -> Room {
        Room { share, all: Arc::new(Semaphore::new(share.all)), each: Mutex::default() }
    }

    /// Takes so much now, or says whose share is used up.
    pub(crate) fn try_take(&self, from: IpAddr, units: usize) -> Result<Taken, Full> {
        let units = self.at_most_all(units);
        let each = self.of(from).try_acquire_many_owned(units).map_err(|_| Full::Each)?;
        Ok(Taken { _each: Some(each), ..self.try_take_for_many(units)? })
    }

    /// Takes so much for somebody who speaks for many.
    pub(crate) fn try_take_for_many(&self, units: u32) -> Result<Taken, Full> {
        let all = Arc::clone(&self.all).try_acquire_many_owned(units).map_err(|_| Full::All)?;
        Ok(Taken { _each: None, _all: all })
    }

    /// Takes so much as soon as there is so much, in the order of asking: first among those of the same address,
    /// then among all. None when the server ends.
    pub(crate) async fn take(&self, from: IpAddr, units: usize) -> Option<Taken> {
        let units = self.at_most_all(units);
        let each = self.of(from).acquire_many_owned(units).await.ok()?;
        let all = Arc::clone(&self.all).acquire_many_owned(units).await.ok()?;
        Some(Taken { _each: Some(each), _all: all })
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
