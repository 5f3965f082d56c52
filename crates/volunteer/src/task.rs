//! [`Task`]: the work at one unit, and what the two threads of the program know of it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use play::Stop;
use solve::message::{Unit, WorkFailure};
use solve::{Attempted, CheckpointFile, WorkDesk, WorkFault, Worked, attempt, check_unit, work};
use storage::WriteError;

use crate::platform;

/// See the module.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) unit: Unit,
    /// Which attempt at it this is.
    number: u32,
    /// The processor time of earlier starts, until their last checkpoint.
    before: Duration,
    stop: Stop,
    suspended: AtomicBool,
    nodes: AtomicU64,
    checkpoints: Mutex<CheckpointFile>,
    /// Milliseconds of processor time at the last checkpoint, earlier starts included.
    at_checkpoint: AtomicU64,
}

/// How often it is looked whether a pause is over.
const LOOKS: Duration = Duration::from_millis(50);

impl Task {
    pub(crate) fn new(
        unit: Unit,
        number: u32,
        before: Duration,
        checkpoints: CheckpointFile,
    ) -> Task {
        Task {
            unit,
            number,
            before,
            stop: Stop::new(),
            suspended: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            checkpoints: Mutex::new(checkpoints),
            at_checkpoint: AtomicU64::new(before.as_millis() as u64),
        }
    }

    /// Works from the last checkpoint to the report; `None` if somebody said stop.
    pub(crate) fn work(
        &self,
        checkpoint: Option<&[u8]>,
        note: &(dyn Fn(&str) + Sync),
    ) -> Option<Attempted> {
        let done = attempt(&self.unit, self.number, || self.find_out(checkpoint, note));
        done.map(|mut done| {
            let before = u64::try_from(self.before.as_millis()).unwrap_or(u64::MAX);
            let spent = &mut done.report.cpu_milliseconds;
            *spent = spent.saturating_add(before);
            done
        })
    }

    fn find_out(
        &self,
        checkpoint: Option<&[u8]>,
        note: &(dyn Fn(&str) + Sync),
    ) -> Result<Option<Worked>, WorkFault> {
        let unit = &self.unit;
        let unreadable = |error: &dyn std::fmt::Display| WorkFault {
            failure: WorkFailure::Unreadable,
            why: error.to_string(),
        };
        let game = catalog::open(&unit.game).map_err(|error| unreadable(&error))?;
        let rules = game.solver_rules(&unit.root).map_err(|error| unreadable(&error))?;
        check_unit(&*rules, unit, u32::MAX)?;
        let mut visited = |nodes: u64, _| {
            self.nodes.fetch_max(nodes, Relaxed);
            while self.suspended.load(Relaxed) && !self.stop.is_stopped() {
                std::thread::sleep(LOOKS);
            }
        };
        let mut keep = |bytes: &[u8]| match self.lock().keep(bytes) {
            Ok(true) => self.mark(),
            Ok(false) => {}
            Err(error) => note(&error.to_string()),
        };
        let desk = &mut WorkDesk {
            tables: None,
            nodes_left: None,
            stop: &self.stop,
            visited: &mut visited,
            checkpoint,
            keep: &mut keep,
        };
        work(&*rules, unit, desk).map_err(|error| unreadable(&error))
    }

    /// Work rests, or goes on.
    pub(crate) fn set_suspended(&self, suspended: bool) {
        self.suspended.store(suspended, Relaxed);
    }

    pub(crate) fn is_suspended(&self) -> bool {
        self.suspended.load(Relaxed)
    }

    /// Positions visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// How much of the budget is used up, and never all of it: the end may come much earlier.
    pub(crate) fn fraction(&self) -> f64 {
        (self.nodes() as f64 / self.unit.budget.max(1) as f64).min(0.99)
    }

    /// Processor time, earlier starts included.
    pub(crate) fn processor(&self) -> Duration {
        self.before + platform::processor_time()
    }

    /// The same at the last checkpoint.
    pub(crate) fn at_checkpoint(&self) -> Duration {
        Duration::from_millis(self.at_checkpoint.load(Relaxed))
    }

    /// The program is about to end: what is not on the disk yet goes there.
    pub(crate) fn save(&self) -> Result<(), WriteError> {
        if self.lock().write()? {
            self.mark();
        }
        Ok(())
    }

    fn mark(&self) {
        self.at_checkpoint.store(self.processor().as_millis() as u64, Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CheckpointFile> {
        self.checkpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
