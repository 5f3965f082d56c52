//! [`Driving`]: the projects that a server drives, as they come and go.

use std::collections::HashSet;
use std::thread::{self, Scope, ScopedJoinHandle};

use anyhow::{Result, anyhow};
use cluster::project::{ConductError, Conducted, Conductor, ProjectPlan, work_here};
use cluster::record::ProjectRow;
use cluster::{ClusterRecord, DoorError, solver_versions};
use play::Stop;

use super::notes::Notes;
use crate::output::Answer;

type Worked<'s> = ScopedJoinHandle<'s, Result<(), DoorError>>;

/// See the module. Its threads live in a scope.
pub(super) struct Driving<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    record: &'e ClusterRecord,
    notes: &'e Notes<'e>,
    stop: &'e Stop,
    own_stop: Stop,
    driven: Vec<Driven<'s>>,
    workers: Vec<Worked<'s>>,
    /// Projects that cannot be driven.
    given_up: HashSet<u32>,
    wants_own: bool,
    failed: Option<anyhow::Error>,
}

struct Driven<'s> {
    id: u32,
    name: String,
    thread: ScopedJoinHandle<'s, Result<Conducted, ConductError>>,
}

impl<'s, 'e> Driving<'s, 'e> {
    pub(super) fn new(
        scope: &'s Scope<'s, 'e>,
        record: &'e ClusterRecord,
        notes: &'e Notes<'e>,
        stop: &'e Stop,
    ) -> Driving<'s, 'e> {
        Driving {
            scope,
            record,
            notes,
            stop,
            own_stop: Stop::new(),
            driven: Vec::new(),
            workers: Vec::new(),
            given_up: HashSet::new(),
            wants_own: false,
            failed: None,
        }
    }

    /// Whether every project is at an end.
    pub(super) fn is_done(&self) -> bool {
        self.driven.is_empty()
    }

    /// Whether a project needs somebody who is trusted.
    pub(super) fn wants_own(&self) -> bool {
        self.wants_own
    }

    /// Drives a project from now on.
    pub(super) fn take_up(&mut self, row: &ProjectRow) -> Result<()> {
        let name = row.made_of.name.clone();
        let conductor = Conductor::new(self.record, &name, self.stop)?;
        self.wants_own |= !ProjectPlan::from_json(&row.made_of.plan)?.is_trusting();
        let (notes, told) = (self.notes, name.clone());
        let thread =
            self.scope.spawn(move || conductor.run_noting(&|note| notes.hear(&told, note)));
        self.driven.push(Driven { id: row.id, name, thread });
        Ok(())
    }

    /// Those among these that nobody here drives yet.
    pub(super) fn take_up_new(&mut self, projects: &[ProjectRow]) {
        for row in projects {
            let is_known = self.driven.iter().any(|driven| driven.id == row.id);
            if is_known || self.given_up.contains(&row.id) {
                continue;
            }
            match self.take_up(row) {
                Ok(()) => self.notes.line(&format!("{}: a new project", row.made_of.name)),
                Err(error) => self.give_up(row.id, &row.made_of.name, error),
            }
        }
    }

    /// Looks which projects are at an end.
    pub(super) fn reap(&mut self) {
        let (ended, driven): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.driven).into_iter().partition(|d| d.thread.is_finished());
        self.driven = driven;
        for Driven { id, name, thread } in ended {
            match thread.join() {
                Ok(Ok(Conducted::Ended(_) | Conducted::Stopped)) => {}
                Ok(Err(error)) => self.give_up(id, &name, error.into()),
                Err(_) => self.give_up(id, &name, anyhow!("a coordinator broke down")),
            }
        }
    }

    fn give_up(&mut self, id: u32, name: &str, error: anyhow::Error) {
        self.notes.line(&format!("{name}: {error}; given up"));
        self.given_up.insert(id);
        self.failed = Some(error);
    }

    /// So many threads of this machine work.
    pub(super) fn work(&mut self, threads: u32) {
        while self.workers.len() < threads as usize {
            let (record, stop) = (self.record.clone(), self.own_stop.clone());
            let work = move || work_here(&record, &solver_versions(), u32::MAX, &stop);
            let builder = thread::Builder::new().stack_size(search::STACK_BYTES);
            match builder.spawn_scoped(self.scope, work) {
                Ok(worker) => self.workers.push(worker),
                Err(error) => {
                    self.failed = Some(error.into());
                    return;
                }
            }
        }
    }

    /// Waits for all threads; whoever drives was told to stop, or has ended.
    pub(super) fn end(mut self) -> Result<Answer> {
        self.own_stop.stop();
        for Driven { id, name, thread } in std::mem::take(&mut self.driven) {
            match thread.join() {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => self.give_up(id, &name, error.into()),
                Err(_) => self.give_up(id, &name, anyhow!("a coordinator broke down")),
            }
        }
        for worker in std::mem::take(&mut self.workers) {
            if let Ok(Err(error)) = worker.join() {
                self.failed = Some(error.into());
            }
        }
        self.failed.map_or(Ok(Answer::Yes), Err)
    }
}
