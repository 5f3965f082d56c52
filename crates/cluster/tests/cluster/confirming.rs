//! The server itself: who lies is found out by one sub-job, and facts that too few vouch for are found
//! again before "solved" is said.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use cluster::project::{Conducted, Conductor, ProjectPlan};
use cluster::record::{NewProject, ProjectState};
use cluster::{ClusterRecord, Handed, Refused, Visitor, WorkDoor};
use play::Stop;
use solve::coordinator::ProjectStanding;
use solve::message::{Finding, Unit, UnitReport};
use solve::store::{Receipt, Store};
use solve::{Goal, Method, Plan, SolverRules, TrustPlan, answers, take_over, work_through};

use crate::project::visitor;

const GAME: &str = "connect4:4x4";

/// Two users have to agree; whoever has been right once is established.
fn plan(spot_check_one_in: u32) -> ProjectPlan {
    ProjectPlan {
        quorum: 2,
        unit_nodes: Some(16_000),
        table_megabytes: 1,
        established_results: 1,
        established_days: 0,
        established_checks: 0,
        spot_check_one_in,
        canary_one_in: 0,
        certify: false,
        ..ProjectPlan::default()
    }
}

fn rules() -> Arc<dyn SolverRules> {
    let game = catalog::open(GAME).unwrap();
    game.solver_rules(&game.session().position()).unwrap()
}

fn project(record: &ClusterRecord, spot_check_one_in: u32) -> u32 {
    let new = NewProject {
        name: "one".to_owned(),
        game: GAME.to_owned(),
        position: catalog::open(GAME).unwrap().session().position(),
        goal: "value".to_owned(),
        plan: plan(spot_check_one_in).to_json(),
        quorum: 2,
        trusted_alone: true,
        share: 1,
    };
    record.create_project(&new).unwrap().id
}

fn honest(rules: &dyn SolverRules, unit: &Unit, attempt: u32) -> UnitReport {
    work_through(rules, unit).unwrap().report(unit, attempt)
}

fn lie(rules: &dyn SolverRules, unit: &Unit, attempt: u32) -> UnitReport {
    let mut report = honest(rules, unit, attempt);
    report.finding = match report.finding {
        Finding::Proved => Finding::Refuted,
        _ => Finding::Proved,
    };
    report
}

/// Who, what it says, and when it begins.
type Person<'p> = (Visitor, Tell, &'p (dyn Fn() -> bool + Sync));
type Tell = fn(&dyn SolverRules, &Unit, u32) -> UnitReport;

/// Takes one unit and reports; whether there was one.
fn work(record: &ClusterRecord, rules: &dyn SolverRules, who: &Visitor, tell: Tell) -> bool {
    let versions = [("connect4".to_owned(), rules.version())];
    match record.lease(who, &versions, 1024).unwrap() {
        Handed::Unit(lease, _) => {
            let report = tell(rules, &lease.unit, lease.attempt);
            assert_eq!(record.deliver(who, &report.encode()).unwrap(), Receipt::Taken);
            true
        }
        Handed::Later(_) | Handed::Refused(Refused::Over | Refused::Quota(_) | Refused::Banned) => {
            false
        }
        Handed::Refused(why) => panic!("{why:?}"),
    }
}

/// What is written where one user is believed alone, and the project answered by it.
fn answered_by_one(record: &ClusterRecord, id: u32, who: &Visitor, tell: Tell) {
    let rules = rules();
    let trust = TrustPlan { quorum: 1, vouched: false, canary_one_in: 0, ..TrustPlan::STRANGERS };
    let trust = TrustPlan { spot_check_one_in: 0, ..trust };
    let usual = plan(0).plan(Method::AlphaBeta, rules.version(), 1e6);
    let plan = Plan { trust, lemmas: None, ..usual };
    let mut store = record.store(id).with_root(rules.root());
    let (mut coordinator, claimed) =
        take_over(&*rules, Goal::Value, plan, &mut store, false).unwrap();
    while *coordinator.standing() == ProjectStanding::Open {
        let mut events = store.events(100).unwrap();
        loop {
            let batch = coordinator.step(record.now().unwrap(), &events, 1);
            store.commit(claimed.epoch, &batch, 0.0).unwrap();
            events = answers(&*rules, &mut store, &batch, &Stop::new()).unwrap();
            if events.is_empty() {
                break;
            }
        }
        work(record, &*rules, who, tell);
    }
    assert_eq!(*coordinator.standing(), ProjectStanding::Answered);
    record.release_project(id).unwrap();
}

/// Drives the project as the server does while these people work; what it said, and how it ended.
fn served(
    record: &ClusterRecord,
    people: &[Person<'_>],
    is_over: &(dyn Fn(&[String]) -> bool + Sync),
) -> (Vec<String>, Conducted) {
    let (stop, rules) = (Stop::new(), rules());
    let conductor = Conductor::new(record, "one", &stop).unwrap();
    let said = Mutex::new(Vec::new());
    let ended = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        for (who, tell, begins) in people {
            let (rules, stop, ended) = (&rules, &stop, &ended);
            let work = move || {
                while !stop.is_stopped() && !ended.load(SeqCst) {
                    if !begins() || !work(record, &**rules, who, *tell) {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                    }
                }
            };
            let builder = std::thread::Builder::new().stack_size(search::STACK_BYTES);
            builder.spawn_scoped(scope, work).unwrap();
        }
        let conducted = conductor.run(&|line| {
            let mut said = said.lock().unwrap();
            said.push(line.to_owned());
            if is_over(&said) {
                stop.stop();
            }
        });
        ended.store(true, SeqCst);
        conducted.unwrap()
    });
    (said.into_inner().unwrap(), ended)
}

/// An answer that one user found is found again by another one before it counts; nobody is enough
/// alone.
#[test]
fn facts_below_the_quorum_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let record = ClusterRecord::open(folder.path().join("r.db").to_str().unwrap()).unwrap();
    let id = project(&record, 0);
    let [ann, bob] = [("ann", 1), ("bob", 2)].map(|(name, net)| visitor(&record, name, false, net));
    answered_by_one(&record, id, &ann, honest);
    let before = Conductor::new(&record, "one", &Stop::new()).unwrap().audit().unwrap().0;
    let facts = before.facts.len();
    assert!(facts > 1 && before.is_founded);
    assert_eq!(
        (before.counts().of_one, before.short(&TrustPlan::STRANGERS).count()),
        (facts, facts)
    );

    // The one who found it does so again, as often as it likes: that is still one.
    let (told, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let rules = rules();
    let alone = |record: &ClusterRecord, stop: &Stop| {
        while told.load(SeqCst) < facts {
            told.fetch_add(usize::from(work(record, &*rules, &ann, honest)), SeqCst);
        }
        // What was delivered is taken in, and some steps later nothing has become of it.
        while record.status("one").unwrap().units.pending < facts as u64 {
            std::thread::yield_now();
        }
        seen.store(1, SeqCst);
        let state = record.expect_project("one").unwrap().state;
        stop.stop();
        state
    };
    let stop = Stop::new();
    let conductor = Conductor::new(&record, "one", &stop).unwrap();
    let (state, lines) = std::thread::scope(|scope| {
        let lines = Mutex::new(Vec::new());
        let builder = std::thread::Builder::new().stack_size(search::STACK_BYTES);
        let ann = builder.spawn_scoped(scope, || alone(&record, &stop)).unwrap();
        let ended = conductor.run(&|line| lines.lock().unwrap().push(line.to_owned())).unwrap();
        assert_eq!(ended, Conducted::Stopped);
        (ann.join().unwrap(), lines.into_inner().unwrap())
    });
    assert_eq!((state, seen.load(SeqCst)), (ProjectState::Auditing, 1));
    let again = format!("{facts} of {facts} facts lack a quorum and are found again");
    assert!(lines.contains(&again), "{lines:?}");

    let people: [Person<'_>; 2] = [(ann, honest, &|| true), (bob, honest, &|| true)];
    let (said, ended) = served(&record, &people, &|_| false);
    assert_eq!(ended, Conducted::Ended(ProjectState::Solved), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("the answer rests on ")), "{said:?}");
    let (after, trust) = Conductor::new(&record, "one", &Stop::new()).unwrap().audit().unwrap();
    assert_eq!((after.counts().of_one, after.short(&trust).count()), (0, 0));
    assert!(after.is_founded && after.counts().of_two == after.facts.len());
    assert_eq!(record.expect_project("one").unwrap().bounds.unwrap().exact(), Some(0));
    let log = record.last_lines(id, 1000).unwrap();
    assert!(log.iter().any(|line| line.line == again));
}

/// An answer that rests on a lie is not confirmed: the project stops with words.
#[test]
fn an_answer_that_is_not_found_again_stops_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let record = ClusterRecord::open(folder.path().join("r.db").to_str().unwrap()).unwrap();
    let id = project(&record, 0);
    let liar = visitor(&record, "liar", false, 1);
    answered_by_one(&record, id, &liar, lie);
    let own = visitor(&record, "own", true, 9);
    let stopped = |said: &[String]| said.iter().any(|line| line.contains("contradicts itself"));
    let (said, ended) = served(&record, &[(own, honest, &|| true)], &stopped);
    assert_eq!(ended, Conducted::Stopped);
    assert!(said.iter().any(|line| line.contains("facts lack a quorum")), "{said:?}");
    assert_eq!(record.expect_project("one").unwrap().state, ProjectState::Paused);
    let log = record.last_lines(id, 1000).unwrap();
    assert!(log.iter().any(|line| line.line.contains("finds otherwise")), "{said:?}");
}

/// Somebody who lies is found out by the server itself, since others disagree or because its reports are
/// checked; it is not paid and not believed again. Those who are honest are, and the answer is right.
#[test]
fn the_server_finds_out_who_lies() {
    for spot_check_one_in in [0, 1] {
        let folder = tempfile::tempdir().unwrap();
        let record = ClusterRecord::open(folder.path().join("r.db").to_str().unwrap()).unwrap();
        let id = project(&record, spot_check_one_in);
        let known = |user: u64| {
            let records = record.store(id).users().unwrap();
            records.into_iter().find(|(known, _)| *known == user).map(|(_, record)| record)
        };
        let liar = visitor(&record, "liar", false, 3);
        let user = liar.user;
        // The project's own machine waits until the liar is found without it.
        let is_found = || known(user).is_some_and(|record| record.banned);
        let people: [Person<'_>; 4] = [
            (visitor(&record, "own", true, 9), honest, &is_found),
            (visitor(&record, "ann", false, 1), honest, &|| true),
            (visitor(&record, "bob", false, 2), honest, &|| true),
            (liar, lie, &|| true),
        ];
        let users: Vec<u64> = people.iter().map(|person| person.0.user).collect();
        let (said, ended) = served(&record, &people, &|_| false);
        assert_eq!(ended, Conducted::Ended(ProjectState::Solved), "{said:?}");
        assert_eq!(record.expect_project("one").unwrap().bounds.unwrap().exact(), Some(0));
        let mut checked = 0;
        for honest in &users[..3] {
            let record = known(*honest).unwrap_or_default();
            assert!(!record.banned && record.invalid == 0, "{record:?}");
            checked += record.checked;
        }
        assert_eq!(checked > 0, spot_check_one_in > 0);
        let record_of_liar = known(user).unwrap();
        assert!(record_of_liar.valid == 0 && record_of_liar.invalid > 0, "{record_of_liar:?}");
        let log = record.last_lines(id, 10_000).unwrap();
        let line = format!("user {user} is wrong about a sub-job that was done again");
        assert!(log.iter().any(|one| one.line.contains(&line)), "nobody looked");
    }
}
