//! What the project's own server does about reports: it does one sub-job again, which takes its time.

use std::collections::HashMap;

use super::{Crowd, Event, Happening, TextError, World, failed};
use crate::coordinator::{Ruling, RulingRequest};
use crate::message::UnitReport;
use crate::store::Store;

/// One thread of the server, which takes one request after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Court {
    /// When it has done all it was asked for.
    free: u64,
    next: u64,
    /// What it will have found out.
    under_way: HashMap<u64, Event>,
    /// What the coordinator hears at its next step.
    ready: Vec<Event>,
}

impl Court {
    /// It is time to tell this.
    pub(super) fn ready(&mut self, number: u64) {
        self.ready.extend(self.under_way.remove(&number));
    }

    pub(super) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.ready)
    }

    /// Another coordinator has taken over, which asks anew.
    pub(super) fn clear(&mut self) {
        *self = Court { next: self.next, ..Court::default() };
    }
}

impl World<'_> {
    /// Does a sub-job again; a unit is one here.
    pub(super) fn rule(&mut self, request: &RulingRequest) -> Result<(), TextError> {
        let RulingRequest { unit, attempts, .. } = request;
        let reports = self.store.reports(unit.id, attempts).map_err(|error| failed(&error))?;
        let right = self.worked(unit, 0)?;
        let is_wrong = |report: &&UnitReport| report.agreement() != right.agreement();
        let wrong = reports.iter().filter(is_wrong).map(|report| report.attempt).collect();
        self.found.rulings += 1;
        self.found.ruling_nodes += right.nodes;
        let court = &mut self.court;
        court.free = court.free.max(self.now) + (right.nodes as f64 / Crowd::MEAN_SPEED) as u64;
        court.next += 1;
        court.under_way.insert(court.next, Event::Ruled(unit.id, Ruling::Wrong(wrong)));
        let (at, number) = (court.free, court.next);
        self.at(at, Happening::Ruled(number));
        Ok(())
    }
}
