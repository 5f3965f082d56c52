//! Random interleavings on a record, beside a store in memory as the model.

use std::collections::HashSet;

use cluster::record::WorkLimits;
use cluster::{ClusterRecord, Visitor, WorkDoor};
use game::Rng;
use solve::coordinator::{
    Again, AttemptVerdict, Batch, Event, JudgedAttempt, NewUnit, NodeRow, Voter,
};
use solve::message::{Unit, UnitId, UnitReport};
use solve::store::{Door, Epoch, Lease, MemoryStore, Receipt, Store};

use crate::project::{Running, lease, name, report, row, visitor};

/// Everything that may happen, in any order: both say the same at every step.
pub(crate) fn interleavings(place: &str, steps: u32) {
    // The model has no quota, and whoever reports in another's name loses half of it each time.
    let limits = WorkLimits { daily: 1 << 30, ..WorkLimits::default() };
    let record = ClusterRecord::open(place).unwrap().with_limits(limits);
    for seed in 0..4 {
        Interleaving::new(&record, seed).run(steps);
    }
}

struct Interleaving<'r> {
    record: &'r ClusterRecord,
    project: Running,
    model: MemoryStore,
    epochs: (Epoch, Epoch),
    people: Vec<(Visitor, Voter)>,
    held: Vec<(usize, Lease)>,
    said: Vec<(usize, Vec<u8>)>,
    judged: HashSet<(UnitId, u32)>,
    unit: Unit,
    numbers: u64,
    batches: u64,
    rng: Rng,
}

impl<'r> Interleaving<'r> {
    fn new(record: &'r ClusterRecord, seed: u64) -> Interleaving<'r> {
        // Those of before have nothing to hand out any longer.
        for old in record.projects().unwrap() {
            record.set_state(old.id, cluster::record::ProjectState::Cancelled).unwrap();
        }
        let mut project = Running::new(record, &format!("random-{seed}"));
        let unit = project.coordinator.step(0, &[], 1).units[0].unit.clone();
        let mut model = MemoryStore::new(project.row.id);
        let claimed = model.claim(false).unwrap();
        let people = (0..4).map(|number| {
            let user = format!("user-{seed}-{number}");
            let who = visitor(record, &user, number == 0, number);
            let voter = Voter { user: who.user, network: who.network, trusted: who.trusted };
            (who, voter)
        });
        let people = people.collect();
        let epochs = (project.claimed.epoch, claimed.epoch);
        let (held, said, judged) = (Vec::new(), Vec::new(), HashSet::new());
        let rng = Rng::new(seed);
        let (numbers, batches) = (0, 0);
        Interleaving {
            record,
            project,
            model,
            epochs,
            people,
            held,
            said,
            judged,
            unit,
            numbers,
            batches,
            rng,
        }
    }

    fn run(mut self, steps: u32) {
        for _ in 0..steps {
            match self.rng.below(12) {
                0..=3 => self.lease(),
                4..=6 => self.deliver(),
                7 => self.release(),
                8 => self.claim(),
                9 => self.fenced(),
                _ => self.commit(),
            }
            self.compare();
        }
    }

    fn lease(&mut self) {
        let at = self.rng.below(self.people.len());
        let (who, voter) = self.people[at].clone();
        let model = self.model.lease(voter, 100, 600).unwrap();
        match (lease(self.record, &who), model) {
            (Some(found), Some(model)) if found.unit == model.unit => {
                assert_eq!(found.attempt, model.attempt);
                self.held.push((at, found));
            }
            (None, None) => {}
            (found, model) => panic!("{found:?} is not {model:?}"),
        }
    }

    fn deliver(&mut self) {
        let (at, bytes) = match self.rng.below(4) {
            0 if !self.said.is_empty() => self.said[self.rng.below(self.said.len())].clone(),
            _ if self.held.is_empty() => return,
            _ => {
                let (at, lease) = self.held[self.rng.below(self.held.len())].clone();
                let mut told = report(&self.unit, lease.attempt);
                (told.unit, told.unit_hash) = (lease.unit.id, lease.unit.hash());
                told.nodes += self.rng.below(2) as u64;
                (at, told.encode())
            }
        };
        // Sometimes in somebody else's name.
        let at = if self.rng.below(5) == 0 { self.rng.below(self.people.len()) } else { at };
        let (who, voter) = &self.people[at];
        let found = self.record.deliver(who, &bytes).unwrap();
        let model = self.model.deliver(*voter, &bytes, 100).unwrap();
        let told = UnitReport::decode(&bytes).unwrap();
        let same = (found == Receipt::Taken) == (model == Receipt::Taken);
        // The model does not remember the bytes of what was judged.
        let is_judged = self.judged.contains(&(told.unit, told.attempt));
        assert!(same || is_judged && model == Receipt::Taken, "{found:?} {model:?}");
        if found == Receipt::Taken {
            self.said.push((at, bytes));
        }
    }

    fn release(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let nth = self.rng.below(self.held.len());
        let (at, lease) = self.held[nth].clone();
        // A stranger may have again what it gave back, if there is nothing else; the model says no.
        if !self.people[at].1.trusted {
            return;
        }
        let is_said = |bytes: &Vec<u8>| {
            let told = UnitReport::decode(bytes).unwrap();
            (told.unit, told.attempt) == (lease.unit.id, lease.attempt)
        };
        if self.said.iter().any(|(_, bytes)| is_said(bytes)) {
            return;
        }
        self.held.swap_remove(nth);
        self.record.release(&self.people[at].0, lease.unit.id, lease.attempt).unwrap();
        self.model.release(lease.unit.id, lease.attempt).unwrap();
    }

    fn claim(&mut self) {
        let found = self.project.store.claim(false).unwrap();
        let model = self.model.claim(false).unwrap();
        assert_eq!((found.next_number, found.batches), (model.next_number, model.batches));
        self.epochs = (found.epoch, model.epoch);
    }

    fn fenced(&mut self) {
        let batch = Batch { number: self.batches + 1, ..Batch::default() };
        let old = Epoch(self.epochs.0.0 - 1);
        assert!(self.project.store.commit(old, &batch, 0.0).is_err());
        let batch = Batch { number: self.batches + 2, ..Batch::default() };
        assert!(self.project.store.commit(self.epochs.0, &batch, 0.0).is_err());
    }

    /// A batch of everything: new units, old ones wanted once more or no longer, rows.
    fn commit(&mut self) {
        self.batches += 1;
        let mut batch = Batch { number: self.batches, ..Batch::default() };
        for _ in 0..self.rng.below(3) {
            let id = UnitId { number: self.numbers, ..self.unit.id };
            self.numbers += 1;
            let unit = Unit { id, ..self.unit.clone() };
            batch.units.push(NewUnit { unit, trusted_only: self.rng.below(4) == 0 });
        }
        let order = (self.rng.below(2) == 0).then(|| vec![1, 0]);
        batch
            .nodes
            .push(NodeRow { tries: self.batches as u32, ..row(self.rng.below(9) as u32, order) });
        let open: Vec<UnitId> =
            self.model.units().unwrap().iter().map(|(unit, _)| unit.id).collect();
        if !open.is_empty() {
            let unit = open[self.rng.below(open.len())];
            let wanted = self.rng.below(4) as u32 + 1;
            let trusted_only = self.rng.below(4) == 0;
            let again = Again { unit, wanted, trusted_only };
            match self.rng.below(4) {
                0 => batch.withdrawn.push(unit),
                1 => batch.done.push(unit),
                _ => batch.again.push(again),
            }
        }
        let events = self.model.events(2).unwrap();
        for event in events {
            let Event::Delivered(voter, report) = event else { continue };
            let (unit, attempt) = (report.unit, report.attempt);
            match self.rng.below(2) {
                0 => batch.heard.push((unit, attempt)),
                _ => {
                    // The model counts attempts that failed also after a claim.
                    batch.done.push(unit);
                    let (user, verdict, credit) = (voter.user, AttemptVerdict::Valid, 7);
                    batch.judged.push(JudgedAttempt {
                        unit,
                        attempt,
                        user,
                        verdict,
                        credit,
                        checked: self.rng.below(2) == 0,
                    });
                }
            }
        }
        self.judged.extend(batch.judged.iter().map(|judged| (judged.unit, judged.attempt)));
        batch.next_number = self.numbers;
        self.project.store.commit(self.epochs.0, &batch, 0.0).unwrap();
        self.model.commit(self.epochs.1, &batch, 0.0).unwrap();
    }

    fn compare(&mut self) {
        let store = &mut self.project.store;
        assert_eq!(store.units().unwrap(), self.model.units().unwrap());
        let names: Vec<_> = (0..9).map(name).collect();
        assert_eq!(store.nodes(&names).unwrap(), self.model.nodes(&names).unwrap());
        let key = |event: &Event| format!("{event:?}");
        let mut found: Vec<_> = store.events(1000).unwrap().iter().map(key).collect();
        let mut model: Vec<_> = self.model.events(1000).unwrap().iter().map(key).collect();
        found.sort();
        model.sort();
        assert_eq!(found, model);
        for (_, voter) in &self.people {
            let users = store.users().unwrap();
            let found = users.iter().find(|(user, _)| *user == voter.user);
            let known = self.model.users().unwrap();
            let model = known.iter().find(|(user, _)| *user == voter.user);
            assert_eq!(found.map(|u| u.1.valid), model.map(|u| u.1.valid));
        }
    }
}

#[test]
fn sqlite_does_what_memory_does() {
    let folder = tempfile::tempdir().unwrap();
    interleavings(folder.path().join("record.db").to_str().unwrap(), 400);
}
