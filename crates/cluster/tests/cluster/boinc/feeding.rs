//! Which unit a machine gets first, of which project, and what it hears when there is none for it.

use std::net::Ipv4Addr;

use cluster::boinc::{BoincKey, BoincOptions, Scheduler};
use cluster::record::{FeedOrder, WorkLimits};
use solve::TrustPlan;
use solve::coordinator::{Again, Batch};
use solve::message::UnitId;

use super::client::{Asker, BoincProject, add_units, commit, element};
use crate::project::{Running, new_project};
use crate::suite::Fresh;

/// The units that a new volunteer gets who asks for so many, in this order.
fn fed(project: &BoincProject, order: FeedOrder, name: &str, count: u32) -> Vec<UnitId> {
    let limits = WorkLimits { order, ..project.record.limits() };
    let record = project.record.clone().with_limits(limits);
    let usual = BoincOptions::new(&project.url, "Test");
    let options = BoincOptions { per_request: count, in_progress: count, min_interval: 0, ..usual };
    let scheduler = Scheduler::new(&record, options, BoincKey::generate().unwrap());
    let asker = Asker::new(project, &project.account(name), 1);
    let request = asker.request(1e7, "", "7.20.5", "x86_64-pc-linux-gnu");
    let reply = scheduler.reply(request.as_bytes(), Ipv4Addr::LOCALHOST.into(), 0.0);
    let unit = |result: &str| {
        let mut parts = element(result, "wu_name", 0).unwrap().split('_').skip(1);
        let mut number = || parts.next().unwrap().parse::<u64>().unwrap();
        let (project, incarnation) = (number() as u32, number() as u32);
        UnitId { project, incarnation, number: number() }
    };
    reply.split("\n<result>\n").skip(1).map(unit).collect()
}

fn numbers(units: &[UnitId]) -> Vec<u64> {
    units.iter().map(|unit| unit.number).collect()
}

pub(super) fn units_come_in_the_order_that_was_set(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |_| {});
    project.add_units(15);
    let taken = fed(&project, FeedOrder::Age, "ann", 4);
    let first = taken[0].number;
    assert_eq!(numbers(&taken), [0, 1, 2, 3].map(|nth| first + nth), "the oldest");
    // One more answer is wanted of some that others have; first comes the one that most have.
    let again = |nth: usize, wanted: u32| Again { unit: taken[nth], wanted, trusted_only: false };
    let wanted = Batch { again: vec![again(1, 2), again(2, 2)], ..Batch::default() };
    commit(&project.record, &mut project.running, wanted);
    assert_eq!(numbers(&fed(&project, FeedOrder::Age, "bob", 1)), [first + 1]);
    let wanted = Batch { again: vec![again(1, 3), again(0, 2)], ..Batch::default() };
    commit(&project.record, &mut project.running, wanted);
    let priority = fed(&project, FeedOrder::Priority, "cid", 5);
    assert_eq!(numbers(&priority), [1, 0, 2, 4, 5].map(|nth| first + nth));
    // At random all of them come, in an order that nobody foresees.
    let random = fed(&project, FeedOrder::Random, "dan", 10);
    let mut sorted = numbers(&random);
    sorted.sort_unstable();
    assert_eq!(sorted, (6..16).map(|nth| first + nth).collect::<Vec<_>>());
    assert_ne!(sorted, numbers(&random), "once in ten factorial runs");
}

pub(super) fn projects_share_as_was_set(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |_| {});
    let row = project.record.create_project(&new_project("three")).unwrap();
    let mut other = Running::claim(&project.record, row, TrustPlan::OWN);
    other.step(1);
    add_units(&project.record, &mut other, 120, |_| {});
    project.add_units(200);
    let share = |share: u32| project.record.set_share(other.row.id, share).unwrap();
    let of_other = |name: &str| {
        let units = fed(&project, FeedOrder::Age, name, 100);
        assert_eq!(units.len(), 100);
        units.iter().filter(|unit| unit.project == other.row.id).count()
    };
    share(3);
    let second = of_other("ann");
    assert!((55..=95).contains(&second), "{second} of 100 for a share of three quarters");
    share(0);
    assert_eq!(of_other("bob"), 0, "no share is nothing");
}

pub(super) fn whoever_gets_nothing_hears_why(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |_| {});
    let (ann, bob) = (project.account("ann"), project.account("bob"));
    let mut small = Asker { memory: 2e9, ..Asker::new(&project, &ann, 1) };
    let reply = small.ask(1.0, "");
    let given = small.given(&reply).remove(0);
    let hears = |asker: &mut Asker, more: &str, words: &str| {
        let reply = asker.ask(1.0, more);
        let told = format!("<message priority=\"low\">{words}</message>");
        assert!(reply.contains(&told) && !reply.contains("<workunit>"), "{words}: {reply}");
    };
    let mut large = Asker::new(&project, &bob, 2);
    hears(&mut large, "", "No work is available just now");
    // One more answer is wanted, and not of the one who has the unit.
    let again = vec![Again { unit: given.unit.id, wanted: 2, trusted_only: false }];
    commit(&project.record, &mut project.running, Batch { again, ..Batch::default() });
    hears(&mut small, "", "Other volunteers have to answer what is ready just now");
    // Only the projects' own machines may have it.
    let again = vec![Again { unit: given.unit.id, wanted: 2, trusted_only: true }];
    commit(&project.record, &mut project.running, Batch { again, ..Batch::default() });
    hears(&mut large, "", "No work is available just now");
    add_units(&project.record, &mut project.running, 1, |unit| unit.table_megabytes = 2048);
    hears(&mut small, "", "A task needs 4096 MB of memory for each processor");
    let full = "<disk_usage>\n<d_boinc_used_project>1e9</d_boinc_used_project>\n\
                <d_project_share>1.1e9</d_project_share>\n</disk_usage>\n";
    hears(&mut large, full, "A task needs 300 MB of disk, and BOINC has 100 MB");
    assert!(large.ask(1.0, "").contains("<workunit>"));
}
