//! A project of a million nodes: how long a step takes, and how much room everything needs.

use std::time::{Duration, Instant};

use solve::coordinator::{Batch, Coordinator, Event, NodeRow};
use solve::message::{Finding, Unit, UnitReport};
use solve::simulation::RandomGame;
use solve::store::{SqliteStore, Store};
use solve::{Goal, Method, take_over};

use crate::circles::plan;
use crate::coordinating::OWN;

const NODES: usize = 1_000_000;
const LEASES: usize = 1_000;

/// Comes to nothing, so that the tree grows; the moves are as good as any.
fn in_vain(unit: &Unit) -> Event {
    let finding = Finding::Open { facts: Vec::new(), order: Vec::new() };
    let report = UnitReport {
        unit: unit.id,
        unit_hash: unit.hash(),
        attempt: 0,
        finding,
        nodes: unit.budget,
        trace: Vec::new(),
        cpu_milliseconds: 0,
        peak_bytes: 0,
    };
    Event::Delivered(OWN, Box::new(report))
}

#[test]
#[ignore = "a minute: prints the times of steps at a million nodes, bytes in memory and on disk"]
fn a_million_nodes() {
    let game = RandomGame { seed: 1, plies: 60, limit: 1, root_bits: 1000.0, first_is_right: 0.5 };
    let plan = plan(Method::BestFirst);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let mut store = SqliteStore::open(&file, false, &game, Method::AlphaBeta).unwrap();
    let claimed = store.claim(true).unwrap();
    let mut coordinator = Coordinator::new(&game, Goal::Value, plan, claimed.project, 1).unwrap();
    let mut leased: std::collections::VecDeque<Unit> = Default::default();
    let mut kept: Vec<NodeRow> = Vec::new();
    let mut batches = 0;
    let mut write = |rows: &mut Vec<NodeRow>, store: &mut SqliteStore| {
        batches += 1;
        let batch = Batch { number: batches, nodes: std::mem::take(rows), ..Batch::default() };
        store.commit(claimed.epoch, &batch, 0.0).unwrap();
    };
    let (mut all, mut worst, mut steps) = (Duration::ZERO, Duration::ZERO, 0u32);
    let mut events = Vec::new();
    while coordinator.tree().len() < NODES {
        let is_large = coordinator.tree().len() > NODES * 9 / 10;
        let began = Instant::now();
        let batch = coordinator.step(0, &events, LEASES - leased.len());
        let took = began.elapsed();
        if is_large {
            (all, worst, steps) = (all + took, worst.max(took), steps + 1);
        }
        leased.extend(batch.units.into_iter().map(|new| new.unit));
        events = leased.pop_front().iter().map(in_vain).collect();
        kept.extend(batch.nodes);
        if kept.len() > 10_000 {
            write(&mut kept, &mut store);
        }
    }
    write(&mut kept, &mut store);
    let tree = coordinator.tree();
    println!(
        "{} nodes, {LEASES} leases: a step takes {:.3} ms in the mean of {steps}, {:.1} ms at worst",
        tree.len(),
        all.as_secs_f64() * 1e3 / f64::from(steps),
        worst.as_secs_f64() * 1e3
    );
    println!("{:.1} bytes a node in memory", tree.bytes() as f64 / tree.len() as f64);
    drop(store);
    let mut store = SqliteStore::open(&file, true, &game, Method::AlphaBeta).unwrap();
    let began = Instant::now();
    let (heir, _) = take_over(&game, Goal::Value, plan, &mut store, true).unwrap();
    println!("{} nodes loaded in {:.1} s", heir.tree().len(), began.elapsed().as_secs_f64());
    drop(store);
    let connection = rusqlite::Connection::open(&file).unwrap();
    let count = "SELECT count(*) FROM nodes";
    let rows: i64 = connection.query_row(count, [], |row| row.get(0)).unwrap();
    let bytes = std::fs::metadata(&file).unwrap().len();
    println!("{rows} rows, {:.1} bytes each on disk", bytes as f64 / rows as f64);
    // What is answered stays on the disk.
    assert_eq!(heir.bounds(), coordinator.bounds());
    assert!(heir.tree().len() > NODES / 4);
}
