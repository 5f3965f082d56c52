//! Trees that are stored before anything is worked at.

use std::sync::Arc;

use cluster::ClusterRecord;
use cluster::project::{Conducted, Conductor, Generation, ProjectPlan, Stored, TreeWalk};
use cluster::record::{NewProject, Portion, ProjectState};
use play::Stop;
use solve::coordinator::NodeRow;
use solve::store::Store;
use solve::{Goal, Method, NodeName, SolverRules, take_over};

use crate::project::row;
use crate::suite::Fresh;

const GAME: &str = "mnk:3x3,k=3";
const DEPTH: u32 = 4;

fn rules() -> Arc<dyn SolverRules> {
    let game = catalog::open(GAME).unwrap();
    game.solver_rules(&game.session().position()).unwrap()
}

fn project(record: &ClusterRecord, name: &str) -> u32 {
    let (depth, ready) = (Some(DEPTH), Some(100));
    let plan = ProjectPlan { depth, ready, certify: false, ..ProjectPlan::default() };
    let new = NewProject {
        name: name.to_owned(),
        game: GAME.to_owned(),
        position: catalog::open(GAME).unwrap().session().position(),
        goal: "value".to_owned(),
        plan: plan.to_json(),
        quorum: 1,
        trusted_alone: true,
        share: 1,
    };
    record.create_project(&new).unwrap().id
}

fn names(rules: &dyn SolverRules) -> Vec<NodeName> {
    TreeWalk::merged(rules, DEPTH).map(|node| node.unwrap().name()).collect()
}

fn rows(record: &ClusterRecord, project: u32, rules: &dyn SolverRules) -> Vec<NodeRow> {
    let mut rows = record.store(project).nodes(&names(rules)).unwrap();
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    rows
}

/// The units that a coordinator makes of what is stored.
fn units(record: &ClusterRecord, project: u32, rules: &dyn SolverRules) -> Vec<NodeName> {
    let plan = ProjectPlan::default().plan(Method::AlphaBeta, rules.version(), 1e6);
    let mut store = record.store(project);
    let (mut coordinator, _) = take_over(rules, Goal::Value, plan, &mut store, false).unwrap();
    let made = coordinator.step(1, &[], 1000).units;
    let mut made: Vec<_> = made.into_iter().map(|new| new.unit.node).collect();
    made.sort();
    made
}

/// In portions, with a new beginning after each of them, or at once: the same is stored, and the
/// same units are made of it.
pub(crate) fn trees_are_stored_in_portions(fresh: Fresh<'_>) {
    let record = ClusterRecord::open(&fresh()).unwrap();
    let rules = rules();
    let never = Stop::new();
    let [whole, parts] = ["whole", "parts"].map(|name| project(&record, name));
    let depth = DEPTH;
    let at_once =
        Generation { record: &record, project: whole, rules: &*rules, depth, stop: &never };
    let Stored::Whole(counts) = at_once.run(&mut |_| {}).unwrap() else { panic!() };
    let mut begun = 0;
    let counts_in_parts = loop {
        let stop = Stop::new();
        let generation = Generation { project: parts, stop: &stop, ..at_once };
        match generation.run_by(7, &mut |_| stop.stop()).unwrap() {
            Stored::Whole(counts) => break counts,
            stored => assert!(matches!(stored, Stored::Stopped(_)), "{stored:?}"),
        }
        begun += 1;
        assert!(record.silence(parts).unwrap() < 60, "others wait meanwhile");
    };
    assert_eq!(begun, counts.stored / 7);
    assert_eq!(counts_in_parts, counts);
    assert_eq!(record.status("parts").unwrap().nodes, counts.stored);
    assert_eq!(rows(&record, parts, &*rules), rows(&record, whole, &*rules));
    assert!(record.silence(parts).unwrap() > 60, "and then no longer");

    // Units begin where the tree ends.
    let made = units(&record, parts, &*rules);
    assert_eq!(made, units(&record, whole, &*rules));
    let frontier: Vec<_> = TreeWalk::merged(&*rules, DEPTH).map(Result::unwrap).collect();
    let is_unit =
        |name: &NodeName| frontier.iter().any(|node| node.is_unit && node.name() == *name);
    assert!(!made.is_empty() && made.iter().all(is_unit));

    // Nothing is stored twice, and nobody who is late writes.
    assert_eq!(at_once.run(&mut |_| {}).unwrap(), Stored::Whole(counts));
    let rows = [row(77, None)];
    let late = Portion { rows: &rows, before: None, after: b"{}", end: None };
    assert!(!record.add_portion(whole, &late).unwrap());
    assert_eq!(record.status("whole").unwrap().nodes, counts.stored);
}

/// What a kill left is stored by whoever drives the project, and the answer is right.
#[test]
fn whoever_drives_a_project_stores_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let record = ClusterRecord::open(folder.path().join("r.db").to_str().unwrap()).unwrap();
    let (rules, stop) = (rules(), Stop::new());
    let id = project(&record, "one");
    let generation =
        Generation { record: &record, project: id, rules: &*rules, depth: DEPTH, stop: &stop };
    generation.run_by(5, &mut |_| stop.stop()).unwrap();
    assert_eq!(record.status("one").unwrap().nodes, 5);
    record.release_project(id).unwrap();
    let stop = Stop::new();
    let conductor = Conductor::new(&record, "one", &stop).unwrap();
    std::thread::scope(|scope| {
        let versions = cluster::solver_versions();
        let (record, own) = (&record, &stop);
        let work = move || cluster::project::work_here(record, &versions, u32::MAX, own);
        let builder = std::thread::Builder::new().stack_size(search::STACK_BYTES);
        builder.spawn_scoped(scope, work).unwrap();
        let ended = conductor.run(&|_| {}).unwrap();
        stop.stop();
        assert_eq!(ended, Conducted::Ended(ProjectState::Solved));
    });
    let bounds = record.expect_project("one").unwrap().bounds.unwrap();
    assert_eq!(bounds.exact(), Some(0), "nobody wins");
    let log = record.last_lines(id, 100).unwrap();
    assert!(log.iter().any(|line| line.line.starts_with("the tree to depth 4 is stored: ")));
}

#[test]
fn trees_are_stored_in_portions_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    trees_are_stored_in_portions(&mut || folder.path().join("r.db").to_str().unwrap().to_owned());
}
