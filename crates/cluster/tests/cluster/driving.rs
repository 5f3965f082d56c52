//! Who may say how a project stands, and what is left of units that were purged.

use cluster::record::ProjectState;
use cluster::{ClusterRecord, WorkDoor};
use solve::TrustPlan;
use solve::store::{Receipt, Store, StoreError};

use crate::project::{Running, lease, new_project, report, visitor};

fn is_fenced(told: &Result<(), StoreError>) -> bool {
    matches!(told, Err(StoreError::Fenced))
}

/// Whoever claimed last decides how a project stands, and what people have decided stays.
pub(crate) fn only_the_driver_decides(record: &ClusterRecord) {
    let mut project = Running::new(record, "one");
    let id = project.row.id;
    let silence = || record.silence(id).unwrap();
    assert!(silence() < 60, "a claim is a sign of life");
    let old = project.claimed.epoch;
    let new = project.store.claim(false).unwrap().epoch;
    let store = &project.store;
    assert!(is_fenced(&store.advance(old, ProjectState::Solved).map(drop)));
    assert!(is_fenced(&store.forget_cache(old, "an old coordinator woke up")));
    assert!(is_fenced(&store.release(old)));
    assert_eq!(record.expect_project("one").unwrap().state, ProjectState::Running);
    assert!(silence() < 60);

    let advance = |state| store.advance(new, state).unwrap();
    assert_eq!(advance(ProjectState::Auditing), ProjectState::Auditing);
    record.set_state(id, ProjectState::Paused).unwrap();
    assert_eq!(advance(ProjectState::Auditing), ProjectState::Paused);
    assert_eq!(advance(ProjectState::Solved), ProjectState::Solved);
    record.set_state(id, ProjectState::Cancelled).unwrap();
    assert_eq!(advance(ProjectState::Solved), ProjectState::Cancelled);
    store.release(new).unwrap();
    assert!(silence() > 1_000_000, "nobody waits");
    store.forget_cache(new, "what was backed up is forgotten").unwrap();
    assert!(is_fenced(&store.release(new)), "whoever drove it has to load it again");
}

/// Who vouches for a fact is known for good: it can be taken back after its unit was purged.
pub(crate) fn votes_outlive_units(record: &ClusterRecord) {
    let row = record.create_project(&new_project("one")).unwrap();
    let mut project = Running::claim(record, row, TrustPlan { quorum: 1, ..TrustPlan::OWN });
    let own = visitor(record, "own", true, 1);
    project.coordinator.set_budget(1 << 30, 1 << 30);
    project.step(1);
    let lease = lease(record, &own).unwrap();
    let told = report(&lease.unit, lease.attempt).encode();
    assert_eq!(record.deliver(&own, &told).unwrap(), Receipt::Taken);
    project.step(0);
    let facts = record.status("one").unwrap().facts;
    assert!(facts > 0);
    assert_eq!(record.purge(0).unwrap().units, 1);
    assert_eq!(record.status("one").unwrap().facts, facts);
    assert_eq!(record.revoke_user("own").unwrap(), facts);
    assert_eq!(record.status("one").unwrap().facts, 0);
}
