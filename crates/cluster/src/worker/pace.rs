//! [`Pace`]: when a worker works and when it rests. It sleeps between pieces of work, which changes
//! when a unit is done and nothing else.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use play::Stop;

/// See the module.
#[derive(Debug)]
pub(super) struct Pace<'w> {
    /// Of a hundred.
    share: u8,
    paused: AtomicBool,
    /// Ends every rest.
    drain: &'w Stop,
}

/// So long work goes on before it rests.
const STINT: Duration = Duration::from_millis(100);
/// How often it is looked whether a rest is over.
const LOOKS: Duration = Duration::from_millis(50);

impl<'w> Pace<'w> {
    pub(super) fn new(share: u8, drain: &'w Stop) -> Pace<'w> {
        Pace { share: share.clamp(1, 100), paused: AtomicBool::new(false), drain }
    }

    pub(super) fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Relaxed);
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Relaxed)
    }

    /// Since when somebody works.
    pub(super) fn begin(&self) -> Instant {
        Instant::now()
    }

    /// Between two pieces of work: rests if it is time to, but not once the work is stopped.
    pub(super) fn rest(&self, since: &mut Instant, stop: &Stop) {
        let is_over = || stop.is_stopped() || self.drain.is_stopped();
        let worked = since.elapsed();
        if self.share < 100 && worked >= STINT {
            let rest = worked * u32::from(100 - self.share) / u32::from(self.share);
            let until = Instant::now() + rest;
            while Instant::now() < until && !is_over() {
                std::thread::sleep(LOOKS.min(until.saturating_duration_since(Instant::now())));
            }
        }
        while self.is_paused() && !is_over() {
            std::thread::sleep(LOOKS);
        }
        if worked >= STINT {
            *since = Instant::now();
        }
    }
}
