//! One suite for every store.

use std::path::Path as FilePath;

use certificate::LemmaHash;
use game::{Game, Path, Side, Spec};
use games::mnk::{self, Lines, Mnk, RunShape, WordBoard};
use solve::coordinator::{Batch, Coordinator, Fact, NodeLemma, NodeRow, Voter};
use solve::message::{Question, SolverVersion, UnitId};
use solve::store::{Door, Epoch, MemoryStore, Receipt, SqliteStore, Store, StoreError};
use solve::{Bounds, Goal, Method, NodeName, Plan, Problem, SolverRules, TrustPlan};

use crate::circles::plan;
use crate::coordinating::report;

const ONE: Voter = Voter { user: 1, network: 1, trusted: false };
const TWO: Voter = Voter { user: 2, network: 2, trusted: false };

type LineGame = Mnk<RunShape, WordBoard<u32>>;

fn with_rules(act: impl FnOnce(&dyn SolverRules)) {
    let spec = Spec::parse("mnk:4x4,k=4").unwrap();
    let game: LineGame = Mnk::new(&mnk::Parameters::from_spec(&spec).unwrap());
    let (start, path, heuristics) = (game.start(), Path::new(), Lines::default());
    act(&Problem { game, start, path, heuristics, solver: SolverVersion(1) });
}

fn sqlite(file: &FilePath, resume: bool, rules: &dyn SolverRules) -> SqliteStore {
    let mut store = SqliteStore::open(file, resume, rules, Method::AlphaBeta).unwrap();
    store.keep_votes();
    store
}

fn row(number: u8, order: Option<Vec<u16>>) -> NodeRow {
    NodeRow {
        name: NodeName::new([number, 7]),
        bounds: Bounds { lower: -1, upper: i32::from(number) },
        tries: 2,
        effort: 1 << 40,
        order,
    }
}

fn batch(number: u64) -> Batch {
    Batch { number, ..Batch::default() }
}

/// What is promised, whatever holds it.
fn suite<S: Store + Door>(store: &mut S, rules: &dyn SolverRules) {
    // Rows are kept; an order stays until there is another.
    let first = store.claim(false).unwrap();
    let rows = vec![row(1, Some(vec![3, 1, 2])), row(2, None)];
    store.commit(first.epoch, &Batch { nodes: rows, ..batch(1) }, 1.0).unwrap();
    let changed = NodeRow { tries: 3, ..row(1, None) };
    store.commit(first.epoch, &Batch { nodes: vec![changed], ..batch(2) }, 2.0).unwrap();
    let names = [1, 2, 3].map(|number| NodeName::new([number, 7]));
    let known = store.nodes(&names).unwrap();
    assert_eq!(known, [NodeRow { tries: 3, ..row(1, Some(vec![3, 1, 2])) }, row(2, None)]);

    // Batches come in order, and only from whoever claimed last.
    let error = store.commit(first.epoch, &batch(2), 0.0).unwrap_err();
    assert!(matches!(error, StoreError::OutOfOrder { last: 2, found: 2 }), "{error}");
    let second = store.claim(false).unwrap();
    assert_eq!(second.batches, 2);
    assert!(second.project.incarnation > first.project.incarnation);
    let fenced = Batch { nodes: vec![row(9, None)], ..batch(3) };
    assert!(matches!(store.commit(first.epoch, &fenced, 0.0), Err(StoreError::Fenced)));
    assert!(store.nodes(&[NodeName::new([9, 7])]).unwrap().is_empty());

    // Facts count, whether or not there is a row of their node; lemmas are remembered.
    let fact = |number: u8, at_least, proved| Fact {
        name: NodeName::new([number, 7]),
        question: Question { at_least, prover: Side::First },
        proved,
        unit: UnitId { project: 0, incarnation: 1, number: 0 },
        users: 1,
        trusted: true,
    };
    let facts = vec![fact(2, 0, true), fact(4, 1, false), fact(4, -1, true)];
    let lemma = NodeLemma {
        name: NodeName::new([4, 7]),
        at_least: 1,
        holds: false,
        hash: LemmaHash([5; 32]),
    };
    let more = Batch { facts, lemmas: vec![lemma.clone()], ..batch(3) };
    store.commit(second.epoch, &more, 0.0).unwrap();
    let known = store.nodes(&[2, 3, 4].map(|number| NodeName::new([number, 7]))).unwrap();
    let bounds: Vec<Bounds> = known.iter().map(|row| row.bounds).collect();
    let two = row(2, None).bounds.and(Bounds { lower: 0, ..Bounds::ANY });
    assert_eq!(bounds, [two, Bounds { lower: -1, upper: 0 }]);
    assert_eq!(store.lemmas().unwrap(), [lemma]);

    leases(store, rules, second.epoch);
}

fn leases<S: Store + Door>(store: &mut S, rules: &dyn SolverRules, epoch: Epoch) {
    let plan =
        Plan { budget: 50, slice: 50, trust: TrustPlan::STRANGERS, ..plan(Method::AlphaBeta) };
    let project = solve::coordinator::ProjectId { project: 0, incarnation: 2 };
    let mut coordinator = Coordinator::new(rules, Goal::Value, plan, project, 1).unwrap();
    coordinator.resume(0, 3, 0);
    let made = coordinator.step(0, &[], 1);
    store.commit(epoch, &made, 0.0).unwrap();

    // One at a time, and nobody twice.
    let lease = store.lease(ONE, 100, 50).unwrap().unwrap();
    assert_eq!(lease.unit, made.units[0].unit);
    assert_eq!(store.lease(TWO, 120, 50).unwrap(), None);
    assert!(store.renew(lease.unit.id, lease.attempt, 140, 50).unwrap());
    assert_eq!(store.lease(TWO, 160, 50).unwrap(), None, "it was renewed");
    let late = store.lease(TWO, 200, 50).unwrap().expect("the first is late");
    assert_ne!(late.attempt, lease.attempt);
    assert_eq!(store.lease(ONE, 300, 50).unwrap(), None, "it has had it");

    // Late, but taken; the same bytes again, too; others not.
    let told = report(rules, &lease.unit, lease.attempt);
    assert_eq!(store.deliver(ONE, &told.encode(), 300).unwrap(), Receipt::Taken);
    store.sync().unwrap();
    assert_eq!(store.deliver(ONE, &told.encode(), 300).unwrap(), Receipt::Taken);
    let other = solve::message::UnitReport { nodes: 1, ..told.clone() };
    assert!(matches!(store.deliver(ONE, &other.encode(), 300).unwrap(), Receipt::Refused(_)));
    assert!(matches!(store.deliver(TWO, &told.encode(), 300).unwrap(), Receipt::Refused(_)));

    // It is heard once, and again by whoever takes over.
    let events = store.events(10).unwrap();
    assert_eq!(events.len(), 1);
    let heard = coordinator.step(0, &events, 0);
    assert_eq!(heard.heard, [(lease.unit.id, lease.attempt)]);
    store.commit(epoch, &heard, 0.0).unwrap();
    assert!(store.events(10).unwrap().is_empty());
    let third = store.claim(false).unwrap();
    assert_eq!(store.events(10).unwrap(), events);
    assert_eq!(store.units().unwrap(), [(lease.unit.clone(), false)]);

    // Credit is granted once, with the verdict.
    let mut heir = Coordinator::new(rules, Goal::Value, plan, project, 1).unwrap();
    heir.resume(third.next_number, third.batches, third.nodes);
    heir.adopt(&lease.unit, false);
    let own = Voter { user: 0, network: 0, trusted: true };
    let sure = report(rules, &late.unit, 9);
    let mut both = events;
    both.push(solve::coordinator::Event::Delivered(own, Box::new(sure)));
    let done = heir.step(0, &both, 0);
    assert_eq!(done.done, [lease.unit.id]);
    store.commit(third.epoch, &done, 0.0).unwrap();
    let users = store.users().unwrap();
    assert_eq!(users.iter().find(|(user, _)| *user == 1).unwrap().1.valid, 1);
    // Whoever is alone forgets what was handed out.
    store.claim(true).unwrap();
    assert!(store.units().unwrap().is_empty() && store.events(10).unwrap().is_empty());
}

#[test]
fn memory_keeps_its_promises() {
    with_rules(|rules| suite(&mut MemoryStore::new(0), rules));
}

#[test]
fn sqlite_keeps_its_promises() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    with_rules(|rules| suite(&mut sqlite(&file, false, rules), rules));
}

/// What was not committed is not there after a crash; what was is.
#[test]
fn a_store_is_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    with_rules(|rules| {
        let mut store = sqlite(&file, false, rules);
        let claimed = store.claim(false).unwrap();
        store.commit(claimed.epoch, &Batch { nodes: vec![row(1, None)], ..batch(1) }, 0.0).unwrap();
        drop(store);
        let mut store = sqlite(&file, true, rules);
        assert_eq!(store.nodes(&[NodeName::new([1, 7])]).unwrap(), [row(1, None)]);
    });
}

/// Flips every bit of a row on the disk: none of them becomes another fact.
#[test]
fn a_damaged_row_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    with_rules(|rules| {
        let mut store = sqlite(&file, false, rules);
        let claimed = store.claim(false).unwrap();
        let rows = vec![row(1, Some(vec![2, 0, 1]))];
        store.commit(claimed.epoch, &Batch { nodes: rows.clone(), ..batch(1) }, 0.0).unwrap();
        drop(store);
        let (mut flipped, mut dropped) = (0, 0);
        for column in ["state", "moves"] {
            let read = |connection: &rusqlite::Connection| -> Vec<u8> {
                let question = format!("SELECT {column} FROM nodes");
                connection.query_row(&question, [], |row| row.get(0)).unwrap()
            };
            let write = |bytes: &[u8]| {
                let connection = rusqlite::Connection::open(&file).unwrap();
                connection.execute(&format!("UPDATE nodes SET {column} = ?1"), [bytes]).unwrap();
            };
            let whole = read(&rusqlite::Connection::open(&file).unwrap());
            for bit in 0..whole.len() * 8 {
                let mut damaged = whole.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                write(&damaged);
                let mut store = sqlite(&file, true, rules);
                let known = store.nodes(&[rows[0].name.clone()]).unwrap();
                flipped += 1;
                dropped += usize::from(known.is_empty());
                assert!(known.is_empty() && store.damaged() == 1, "bit {bit} of {column}");
            }
            write(&whole);
        }
        assert_eq!((flipped, dropped), (dropped, flipped));
        assert!(flipped > 150, "{flipped}");
    });
}
