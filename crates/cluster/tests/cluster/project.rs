//! A small project with users, for every test.

use std::net::{IpAddr, Ipv4Addr};

use cluster::record::{NewProject, ProjectRow};
use cluster::{ClusterRecord, Handed, ProjectStore, Refused, Visitor, WorkDoor};
use play::Stop;
use solve::coordinator::{Batch, Coordinator, NodeRow};
use solve::message::{Finding, SolverVersion, Unit, UnitReport};
use solve::simulation::RandomGame;
use solve::store::{Claimed, Lease, Store};
use solve::{Bounds, Goal, Method, NodeName, Plan, SolverRules, TrustPlan, answers, work_through};

pub(crate) static GAME: RandomGame =
    RandomGame { limit: 1, seed: 3, plies: 8, root_bits: 18.0, first_is_right: 0.7 };

pub(crate) fn versions() -> Vec<(String, SolverVersion)> {
    vec![("test".to_owned(), GAME.version())]
}

pub(crate) fn plan(trust: TrustPlan) -> Plan {
    Plan {
        method: Method::AlphaBeta,
        budget: 4096,
        slice: 4096,
        table_megabytes: 1,
        keep_table: false,
        solver: GAME.version(),
        second_share: 0,
        while_leased: Default::default(),
        memory: usize::MAX,
        trust,
        lemmas: None,
    }
}

pub(crate) fn new_project(name: &str) -> NewProject {
    NewProject {
        name: name.to_owned(),
        game: "test:1".to_owned(),
        position: String::new(),
        goal: "value".to_owned(),
        plan: "{}".to_owned(),
        quorum: 2,
        trusted_alone: true,
        share: 1,
    }
}

/// Somebody who comes from a network of its own.
pub(crate) fn visitor(record: &ClusterRecord, user: &str, trusted: bool, net: u8) -> Visitor {
    let token = record.create_token(user, trusted).unwrap();
    let from = IpAddr::V4(Ipv4Addr::new(10, 0, net, 7));
    record.admit(token.reveal(), from, "a-host").unwrap()
}

pub(crate) fn lease(record: &ClusterRecord, who: &Visitor) -> Option<Lease> {
    match record.lease(who, &versions(), 1024).unwrap() {
        Handed::Unit(lease, _) => Some(*lease),
        Handed::Later(_) | Handed::Refused(Refused::Quota(_) | Refused::Banned) => None,
        Handed::Refused(why) => panic!("{why:?}"),
    }
}

/// What an honest worker reports.
pub(crate) fn report(unit: &Unit, attempt: u32) -> UnitReport {
    work_through(&GAME, unit).unwrap().report(unit, attempt)
}

pub(crate) fn lie(unit: &Unit, attempt: u32) -> UnitReport {
    let honest = report(unit, attempt);
    let finding = match honest.finding {
        Finding::Proved => Finding::Refuted,
        _ => Finding::Proved,
    };
    UnitReport { finding, ..honest }
}

/// A coordinator with its store.
pub(crate) struct Running {
    pub(crate) row: ProjectRow,
    pub(crate) store: ProjectStore,
    pub(crate) claimed: Claimed,
    pub(crate) coordinator: Coordinator<'static>,
}

impl Running {
    pub(crate) fn new(record: &ClusterRecord, name: &str) -> Running {
        let row = record.create_project(&new_project(name)).unwrap();
        Running::claim(record, row, TrustPlan::STRANGERS)
    }

    /// Takes a project over and loads what is there.
    pub(crate) fn claim(record: &ClusterRecord, row: ProjectRow, trust: TrustPlan) -> Running {
        Running::claim_as(record, row, plan(trust))
    }

    pub(crate) fn claim_as(record: &ClusterRecord, row: ProjectRow, plan: Plan) -> Running {
        let mut store = record.store(row.id).with_root(GAME.root());
        let claimed = store.claim(false).unwrap();
        let mut coordinator =
            Coordinator::new(&GAME, Goal::Value, plan, claimed.project, 1).unwrap();
        coordinator.resume(claimed.next_number, claimed.batches, claimed.nodes);
        for (user, known) in store.users().unwrap() {
            coordinator.trust_mut().restore(user, known);
        }
        let mut wanted = vec![coordinator.root()];
        while !wanted.is_empty() {
            wanted = coordinator.restore(&store.nodes(&wanted).unwrap()).unwrap();
        }
        for (unit, trusted_only) in store.units().unwrap() {
            coordinator.adopt(&unit, trusted_only);
        }
        Running { row, store, claimed, coordinator }
    }

    /// One step: what came in, so many new units.
    pub(crate) fn step(&mut self, more: usize) -> Batch {
        let events = self.store.events(1000).unwrap();
        let batch = self.coordinator.step(1 << 40, &events, more);
        self.store.commit(self.claimed.epoch, &batch, 0.0).unwrap();
        let mut asked = batch.clone();
        loop {
            let events = answers(&GAME, &mut self.store, &asked, &Stop::new()).unwrap();
            if events.is_empty() {
                return batch;
            }
            asked = self.coordinator.step(1 << 40, &events, 0);
            self.store.commit(self.claimed.epoch, &asked, 0.0).unwrap();
        }
    }
}

pub(crate) fn row(number: u32, order: Option<Vec<u16>>) -> NodeRow {
    NodeRow {
        name: name(number),
        bounds: Bounds { lower: -1, upper: 1 + (number % 7) as i32 },
        tries: 2,
        effort: 1 << 40,
        order,
    }
}

/// As long as those of a small board.
pub(crate) fn name(number: u32) -> NodeName {
    let mut bytes = number.wrapping_mul(0x9e37_79b1).to_be_bytes().to_vec();
    bytes.extend(number.to_le_bytes());
    bytes.push(7);
    NodeName::new(bytes)
}

pub(crate) fn batch(number: u64) -> Batch {
    Batch { number, ..Batch::default() }
}
