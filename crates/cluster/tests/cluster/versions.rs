//! Lemmas and the version of the solver.

use cluster::solver_versions;
use solve::coordinator::{Batch, Certification, Coordinator, Event, NewUnit, Voter};
use solve::message::{SolverVersion, UnitTask};
use solve::store::{Door, Epoch, MemoryStore, Receipt, Store};
use solve::{Goal, LemmaPlan, Method, Plan, TrustPlan, take_over, work_through};

fn plan(solver: SolverVersion) -> Plan {
    Plan {
        method: Method::AlphaBeta,
        budget: 60,
        slice: 60,
        table_megabytes: 1,
        keep_table: false,
        solver,
        second_share: 0,
        while_leased: Default::default(),
        memory: usize::MAX,
        trust: TrustPlan::OWN,
        lemmas: Some(LemmaPlan { leaf_budget: 20, most_nodes: 1000 }),
    }
}

/// One step with what came in, and with all that the store is asked for: its batches as one.
fn step(
    coordinator: &mut Coordinator<'_>,
    store: &mut MemoryStore,
    epoch: Epoch,
    more: usize,
) -> Batch {
    let mut events = store.events(100).unwrap();
    let mut all = Batch::default();
    loop {
        let batch = coordinator.step(1, &events, more);
        store.commit(epoch, &batch, 0.0).unwrap();
        all.units.extend(batch.units);
        all.withdrawn.extend(batch.withdrawn);
        if batch.wanted.is_empty() {
            return all;
        }
        events = vec![Event::Known(store.nodes(&batch.wanted).unwrap())];
    }
}

/// Whoever takes over with another version withdraws the units of lemmas that are open, and makes
/// them anew; lemmas that come late are taken.
#[test]
fn units_of_lemmas_are_made_anew_for_another_version() {
    let game = catalog::open("mnk:3x3,k=3").unwrap();
    let rules = game.solver_rules(&game.session().position()).unwrap();
    let (_, version) = solver_versions().into_iter().find(|(family, _)| family == "mnk").unwrap();
    let mut store = MemoryStore::new(7);
    let own = Voter { user: 1, network: 1, trusted: true };
    let (mut coordinator, claimed) =
        take_over(&*rules, Goal::Value, plan(version), &mut store, true).unwrap();
    let old = loop {
        let batch = step(&mut coordinator, &mut store, claimed.epoch, 4);
        let is_lemma = |new: &NewUnit| new.unit.task != UnitTask::Answer;
        let lemmas: Vec<_> = batch.units.into_iter().filter(is_lemma).collect();
        if !lemmas.is_empty() {
            break lemmas;
        }
        assert_ne!(coordinator.certification(), Certification::Complete, "nothing is to be proved");
        while let Some(lease) = store.lease(own, 1, 600).unwrap() {
            let worked = work_through(&*rules, &lease.unit).unwrap();
            let report = worked.report(&lease.unit, lease.attempt);
            assert_eq!(store.deliver(own, &report.encode(), 1).unwrap(), Receipt::Taken);
        }
    };
    assert!(old.len() > 1, "{old:?}");
    let (mut heir, claimed) =
        take_over(&*rules, Goal::Value, plan(SolverVersion(77)), &mut store, false).unwrap();
    let batch = step(&mut heir, &mut store, claimed.epoch, 100);
    let old_ids: Vec<_> = old.iter().map(|new| new.unit.id).collect();
    assert_eq!(batch.withdrawn, old_ids);
    let made: Vec<_> = batch.units.iter().map(|new| &new.unit).collect();
    assert!(made.iter().all(|unit| unit.solver == SolverVersion(77)), "{made:?}");
    for new in &old {
        let is_same = |unit: &&&solve::message::Unit| {
            unit.node == new.unit.node
                && unit.question == new.unit.question
                && unit.task == new.unit.task
        };
        assert_eq!(made.iter().filter(is_same).count(), 1, "{new:?}");
    }
    let Certification::UnderWay(0, wanted) = heir.certification() else { panic!() };
    assert_eq!(made.len(), wanted, "each fact has one unit");
    // With the same version they stay.
    let (mut same, claimed) =
        take_over(&*rules, Goal::Value, plan(SolverVersion(77)), &mut store, false).unwrap();
    let batch = step(&mut same, &mut store, claimed.epoch, 100);
    assert!(batch.withdrawn.is_empty() && batch.units.is_empty(), "{batch:?}");
}
