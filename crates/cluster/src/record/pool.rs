//! [`Pool`]: a few connections for many threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::error::RecordError;
use super::link::Link;
use crate::metrics::Histogram;

/// More than this are never open at once.
const MOST: usize = 12;
/// A transaction that collided with another is tried again so often.
const TRIES: u32 = 8;

pub(super) type Connect = dyn Fn() -> Result<Box<dyn Link>, RecordError> + Send + Sync;

pub(super) struct Pool {
    connect: Box<Connect>,
    links: Mutex<Links>,
    freed: Condvar,
    /// Where one may write at a time, those of this process queue here: the engine would have them
    /// try again and again.
    writing: Option<Mutex<()>>,
    counters: PoolCounters,
}

/// What was done by the connections of a pool.
#[derive(Debug, Default)]
pub(crate) struct PoolCounters {
    /// How long transactions took, with the wait for a connection.
    pub(crate) reads: Histogram,
    pub(crate) writes: Histogram,
    pub(crate) errors: AtomicU64,
    /// Transactions that collided with others and were begun again.
    pub(crate) retries: AtomicU64,
}

#[derive(Default)]
struct Links {
    idle: Vec<Box<dyn Link>>,
    lent: usize,
}

impl Pool {
    pub(super) fn new(connect: Box<Connect>, one_writer: bool) -> Pool {
        let writing = one_writer.then(Mutex::default);
        let (links, counters) = (Mutex::default(), PoolCounters::default());
        Pool { connect, links, freed: Condvar::new(), writing, counters }
    }

    pub(super) fn counters(&self) -> &PoolCounters {
        &self.counters
    }

    /// Connections that somebody uses, and those that wait for somebody.
    pub(super) fn connections(&self) -> (usize, usize) {
        let links = self.lock();
        (links.lent, links.idle.len())
    }

    /// Does something in one transaction, all of it or nothing. It is done again from the beginning
    /// if it collided with somebody else's. After an error of the connection while it commits it is
    /// not known whether it was done.
    pub(super) fn transact<T>(
        &self,
        writes: bool,
        act: impl FnMut(&mut dyn Link) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let began = Instant::now();
        let done = self.tried(writes, act);
        let PoolCounters { reads, writes: written, errors, .. } = &self.counters;
        if writes { written } else { reads }.observe(began.elapsed());
        if matches!(done, Err(RecordError::Postgres(_) | RecordError::Sqlite(..))) {
            errors.fetch_add(1, Relaxed);
        }
        done
    }

    fn tried<T>(
        &self,
        writes: bool,
        mut act: impl FnMut(&mut dyn Link) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let writing = self.writing.as_ref().filter(|_| writes);
        let _writing = writing.map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner));
        let mut tries = 0;
        loop {
            tries += 1;
            let (permit, mut link) = self.begun(writes)?;
            let done = act(&mut *link);
            let ended = link.end(done.is_ok());
            if ended.is_ok() && !link.is_broken() {
                self.lock().idle.push(link);
            }
            drop(permit);
            match done.and_then(|done| ended.map(|()| done)) {
                Err(error) if error.is_collision() && tries < TRIES => {
                    self.counters.retries.fetch_add(1, Relaxed);
                }
                end => return end,
            }
        }
    }

    /// One statement that is a transaction of its own: one round trip instead of three. It is said
    /// again if the connection was gone, so that it must not matter whether it was done before.
    pub(super) fn tell<T>(
        &self,
        statement: impl FnMut(&mut dyn Link) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let began = Instant::now();
        let writing = self.writing.as_ref();
        let _writing = writing.map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner));
        let told = self.ask(statement);
        self.counters.writes.observe(began.elapsed());
        told
    }

    /// Asks one statement that changes nothing, with no transaction around it.
    pub(super) fn ask<T>(
        &self,
        mut statement: impl FnMut(&mut dyn Link) -> Result<T, RecordError>,
    ) -> Result<T, RecordError> {
        let _permit = self.permit();
        loop {
            let idle = self.lock().idle.pop();
            let is_fresh = idle.is_none();
            let mut link = idle.map_or_else(|| (self.connect)(), Ok)?;
            let heard = statement(&mut *link);
            let is_broken = link.is_broken();
            if !is_broken {
                self.lock().idle.push(link);
            }
            // One that was idle may have been cut off meanwhile.
            if heard.is_ok() || is_fresh || !is_broken {
                return heard;
            }
        }
    }

    /// Waits for the right to one more connection.
    fn permit(&self) -> Permit<'_> {
        let mut links = self.lock();
        while links.lent >= MOST {
            links = self.freed.wait(links).unwrap_or_else(PoisonError::into_inner);
        }
        links.lent += 1;
        Permit(self)
    }

    /// A connection in a transaction. One that was idle may have been cut off meanwhile.
    fn begun(&self, writes: bool) -> Result<(Permit<'_>, Box<dyn Link>), RecordError> {
        let permit = self.permit();
        loop {
            let idle = self.lock().idle.pop();
            let is_fresh = idle.is_none();
            let mut link = idle.map_or_else(|| (self.connect)(), Ok)?;
            match link.begin(writes) {
                Ok(()) => return Ok((permit, link)),
                Err(error) if is_fresh => return Err(error),
                Err(_) => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Links> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to one of the connections.
struct Permit<'p>(&'p Pool);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().lent -= 1;
        self.0.freed.notify_one();
    }
}
