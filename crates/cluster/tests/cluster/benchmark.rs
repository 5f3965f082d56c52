//! What the record does in a second, and how much room it takes. Not a test: it only prints.
//!
//! ```text
//! cargo nextest run --cargo-profile release -p zermelo-cluster --run-ignored only \
//!     --no-capture -E 'test(benchmark)'
//! ```

use std::sync::Mutex;
use std::time::{Duration, Instant};

use cluster::record::WorkLimits;
use cluster::{ClusterRecord, WorkDoor};
use solve::coordinator::{Batch, NewUnit};
use solve::store::{Lease, Store};

use crate::project::{Running, batch, lease, report, row, visitor};
use crate::server::Server;

const MANY: u32 = 1_000_000;
const UNITS: u64 = 4000;
const THREADS: usize = 8;

fn told(what: &str, count: u64, since: Instant) {
    told_in(what, count, since.elapsed());
}

fn told_in(what: &str, count: u64, time: Duration) {
    let seconds = time.as_secs_f64();
    println!("  {what}: {count} in {seconds:.2} s, {:.0}/s", count as f64 / seconds);
}

fn measure(place: &str, bytes: &dyn Fn() -> u64) {
    let limits =
        WorkLimits { in_progress: u32::MAX, daily: u32::MAX >> 1, ..WorkLimits::default() };
    let record = ClusterRecord::open(place).unwrap().with_limits(limits);
    let mut project = Running::new(&record, "one");
    let epoch = project.claimed.epoch;
    let empty = bytes();

    let since = Instant::now();
    let mut number = 0;
    for first in (0..MANY).step_by(10_000) {
        number += 1;
        let order = |n: u32| n.is_multiple_of(8).then(|| (0..10).collect());
        let nodes = (first..first + 10_000).map(|n| row(n, order(n))).collect();
        project.store.commit(epoch, &Batch { nodes, ..batch(number) }, 0.0).unwrap();
    }
    told("nodes in batches of 10,000", u64::from(MANY), since);
    println!("  {:.1} bytes a node", (bytes() - empty) as f64 / f64::from(MANY));

    let since = Instant::now();
    for round in 0..20 {
        number += 1;
        let nodes = (0..1000).map(|n| row(n * 977 + round, None)).collect();
        project.store.commit(epoch, &Batch { nodes, ..batch(number) }, 0.0).unwrap();
    }
    told("commits of 1,000 nodes that are there", 20, since);

    let unit = project.coordinator.step(0, &[], 1).units[0].unit.clone();
    let new = |number| {
        let mut unit = unit.clone();
        unit.id.number = number;
        NewUnit { unit, trusted_only: false }
    };
    let units = (0..UNITS).map(new).collect();
    let made = Batch { units, next_number: UNITS, ..batch(number + 1) };
    let since = Instant::now();
    project.store.commit(epoch, &made, 0.0).unwrap();
    told("units in one batch", UNITS, since);
    hand_out(&record, UNITS);
}

fn hand_out(record: &ClusterRecord, units: u64) {
    let single = units / 4;
    let own = visitor(record, "own", true, 1);
    let (mut leasing, mut delivering) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..single / 50 {
        let since = Instant::now();
        let leases: Vec<Lease> = (0..50).map(|_| lease(record, &own).unwrap()).collect();
        leasing += since.elapsed();
        let told_by: Vec<Vec<u8>> =
            leases.iter().map(|lease| report(&lease.unit, lease.attempt).encode()).collect();
        let since = Instant::now();
        told_by.iter().for_each(|bytes| drop(record.deliver(&own, bytes).unwrap()));
        delivering += since.elapsed();
    }
    told_in("leases by one", single, leasing);
    told_in("deliveries by one", single, delivering);

    let leases = Mutex::new(Vec::new());
    let many = units / 2;
    let each = many as usize / THREADS;
    let since = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let leases = &leases;
            scope.spawn(move || {
                let who = visitor(record, &format!("worker-{thread}"), false, thread as u8);
                for _ in 0..each {
                    let lease = lease(record, &who).unwrap();
                    leases.lock().unwrap().push((who.clone(), lease));
                }
            });
        }
    });
    told("leases by eight", many, since);
    let leases = leases.into_inner().unwrap();
    let told_by: Vec<_> = leases
        .iter()
        .map(|(who, lease)| (who, report(&lease.unit, lease.attempt).encode()))
        .collect();
    let since = Instant::now();
    std::thread::scope(|scope| {
        for part in told_by.chunks(each) {
            scope.spawn(move || {
                part.iter().for_each(|(who, bytes)| drop(record.deliver(who, bytes).unwrap()));
            });
        }
    });
    told("deliveries by eight", many, since);
}

#[test]
#[ignore = "it only prints"]
fn benchmark_of_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.db");
    println!("SQLite");
    measure(file.to_str().unwrap(), &|| {
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        std::fs::metadata(&file).unwrap().len()
    });
}

#[test]
#[ignore = "it only prints"]
fn benchmark_of_postgresql() {
    let Some(server) = Server::start() else { return };
    let place = server.database("bench");
    println!("PostgreSQL");
    measure(&place, &|| {
        let mut client = postgres::Client::connect(&place, postgres::NoTls).unwrap();
        let size = "SELECT pg_total_relation_size('nodes')";
        client.query_one(size, &[]).unwrap().get::<_, i64>(0) as u64
    });
}
