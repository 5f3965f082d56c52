//! `kill -9` in the middle of commits: nothing that was acknowledged is lost.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use cluster::ClusterRecord;
use solve::coordinator::Batch;
use solve::store::Store;

use crate::project::{Running, batch, name, new_project, row};
use crate::server::Server;

/// Tells the program of tests to be the client that is killed.
const PLACE: &str = "ZERMELO_TEST_CLIENT_OF";
const NODES: u32 = 50;

/// Commits as long as it lives, and says what was acknowledged.
fn client(place: &str) {
    let record = ClusterRecord::open(place).unwrap();
    let row_of = record.expect_project("one").unwrap();
    let mut store = record.store(row_of.id);
    let claimed = store.claim(false).unwrap();
    for number in claimed.batches + 1.. {
        let first = number as u32 * NODES;
        let nodes = (first..first + NODES).map(|node| row(node, None)).collect();
        let committed = store.commit(claimed.epoch, &Batch { nodes, ..batch(number) }, 0.0);
        if committed.is_err() {
            return;
        }
        println!("acknowledged {number}");
    }
}

/// Only does something when another test says so.
#[test]
fn client_that_is_killed() {
    if let Ok(place) = std::env::var(PLACE) {
        client(&place);
    }
}

/// The last batch that a client said was acknowledged before it was killed, or the server.
fn acknowledged(place: &str, after: Duration, kill_server: Option<&Server>) -> u64 {
    let program = std::env::current_exe().unwrap();
    let mut child = Command::new(program)
        .args(["--exact", "crashes::client_that_is_killed", "--nocapture"])
        .env(PLACE, place)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let numbers = told.lines().map_while(Result::ok).filter_map(|line| {
            let (_, number) = line.split_once("acknowledged ")?;
            number.parse::<u64>().ok()
        });
        numbers.last()
    });
    std::thread::sleep(after);
    match kill_server {
        None => child.kill().unwrap(),
        Some(server) => server.kill_and_restart(),
    }
    child.wait().unwrap();
    reader.join().unwrap().unwrap_or(0)
}

/// All batches up to the last that was acknowledged are there, and at most one more; each whole.
fn check(place: &str, acknowledged: u64) -> u64 {
    let record = ClusterRecord::open(place).unwrap();
    let project = || record.expect_project("one").unwrap();
    // What a killed client sent last may be written while we look.
    let (last, nodes) = loop {
        let (last, nodes) = (project().batches, record.status("one").unwrap().nodes);
        if project().batches == last {
            break (last, nodes);
        }
    };
    assert!(last >= acknowledged, "batch {acknowledged} is lost, the last is {last}");
    assert_eq!(nodes, last * u64::from(NODES), "a batch is half there");
    let newest: Vec<_> = (0..NODES).map(|node| name(last as u32 * NODES + node)).collect();
    let known = record.store(project().id).nodes(&newest).unwrap();
    assert_eq!(known.len(), if last == 0 { 0 } else { NODES as usize });
    last
}

fn rounds(place: &str, server: Option<&Server>) {
    let record = ClusterRecord::open(place).unwrap();
    record.create_project(&new_project("one")).unwrap();
    let mut told = 0;
    for round in 0..4_u64 {
        let after = Duration::from_millis(300 + 137 * round);
        told = told.max(acknowledged(place, after, server.filter(|_| round % 2 == 1)));
        check(place, told);
        // Connections that were cut are made anew.
        record.status("one").unwrap();
    }
    assert!(told > 0, "nothing was acknowledged, so nothing was shown");
}

#[test]
fn sqlite_survives_a_killed_client() {
    let folder = tempfile::tempdir().unwrap();
    rounds(folder.path().join("record.db").to_str().unwrap(), None);
}

/// And a coordinator that was stopped in the middle does not block its heir.
#[test]
fn postgresql_survives_being_killed() {
    let Some(server) = Server::start() else { return };
    let place = server.database("crashes");
    rounds(&place, Some(&server));
    let record = ClusterRecord::open(&place).unwrap();
    let project = Running::new(&record, "two");
    drop(project);
    // Somebody holds the project's row and is gone without a word.
    let mut stopped = postgres::Client::connect(&place, postgres::NoTls).unwrap();
    stopped
        .batch_execute(
            "SET idle_in_transaction_session_timeout = '300ms'; BEGIN;
             SELECT * FROM projects FOR UPDATE",
        )
        .unwrap();
    let row = record.expect_project("two").unwrap();
    record.store(row.id).claim(false).unwrap();
}
