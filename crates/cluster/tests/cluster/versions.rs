//! Lemmas and the version of the solver.

use cluster::solver_versions;
use solve::coordinator::{Certification, Voter};
use solve::message::{SolverVersion, UnitTask};
use solve::store::{Door, MemoryStore, Receipt, Store};
use solve::{Goal, LemmaPlan, Method, Plan, TrustPlan, take_over, work_through};

fn plan(solver: SolverVersion) -> Plan {
    Plan {
        method: Method::AlphaBeta,
        budget: 300,
        slice: 300,
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
        let events = store.events(100).unwrap();
        let batch = coordinator.step(1, &events, 4);
        store.commit(claimed.epoch, &batch, 0.0).unwrap();
        let is_lemma = |task: UnitTask| task != UnitTask::Answer;
        let lemmas: Vec<_> =
            batch.units.into_iter().filter(|new| is_lemma(new.unit.task)).collect();
        if !lemmas.is_empty() {
            break lemmas;
        }
        while let Some(lease) = store.lease(own, 1, 600).unwrap() {
            let report =
                work_through(&*rules, &lease.unit).unwrap().report(&lease.unit, lease.attempt);
            assert_eq!(store.deliver(own, &report.encode(), 1).unwrap(), Receipt::Taken);
        }
    };
    assert!(old.len() > 1, "{old:?}");
    let (mut heir, claimed) =
        take_over(&*rules, Goal::Value, plan(SolverVersion(77)), &mut store, false).unwrap();
    let batch = heir.step(2, &[], 100);
    store.commit(claimed.epoch, &batch, 0.0).unwrap();
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
    let batch = same.step(3, &[], 100);
    store.commit(claimed.epoch, &batch, 0.0).unwrap();
    assert!(batch.withdrawn.is_empty() && batch.units.is_empty(), "{batch:?}");
}
