//! An open-loop load on a real `project serve` with PostgreSQL. Not a test: it only prints.
//!
//! ```text
//! cargo nextest run --cargo-profile release -p zermelo --all-features --test cli \
//!     --run-ignored only --no-capture -E 'test(open_loop)'
//! ```
//!
//! Requests have their times before anything is measured, and how long one took is counted from its
//! time, not from when a connection was free to send it. `ZERMELO_LOAD_RATE` (default 200 leases and
//! 200 deliveries a second), `ZERMELO_LOAD_SECONDS` (default 30), `ZERMELO_LOAD_DEPTH` (default 10, of
//! `reversi:6x6`) and `ZERMELO_TEST_PROGRAM` say otherwise; `ZERMELO_LOAD_PROFILE`
//! adds the statements that took longest.

use std::collections::VecDeque;
use std::io::BufReader;
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use cluster::solver_versions;
use cluster::wire::{LeaseRequest, versions_json};
use serde_json::{Value, json};

use super::postgres::Server;
use super::processes::{Program, answer, processor_seconds_of, zermelo};
use super::relay::Message;

/// Which statements take the database's time.
const PROFILE: &str = "SELECT round(total_exec_time) AS ms, calls, rows,
    left(regexp_replace(query, '\\s+', ' ', 'g'), 110)
    FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 16";
/// Kept-alive connections for each kind of request.
const CONNECTIONS: usize = 64;
/// Deliveries begin so much later than leases: what is delivered has to be leased first.
const LATER: Duration = Duration::from_secs(3);

/// Requests of one kind: when each is due, and what came of it.
struct Arrivals {
    period: Duration,
    begin: Instant,
    count: usize,
    next: AtomicUsize,
    took: Mutex<Vec<Duration>>,
    failed: AtomicU64,
}

impl Arrivals {
    fn new(rate: f64, begin: Instant, seconds: f64) -> Arrivals {
        Arrivals {
            period: Duration::from_secs_f64(1.0 / rate),
            begin,
            count: (rate * seconds) as usize,
            next: AtomicUsize::new(0),
            took: Mutex::default(),
            failed: AtomicU64::new(0),
        }
    }

    /// Sends what is due as long as something is; `ask` says whether it was done.
    fn work(&self, mut ask: impl FnMut() -> bool) {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.count {
                return;
            }
            let due = self.begin + self.period * number as u32;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            match ask() {
                true => self.took.lock().unwrap().push(due.elapsed()),
                false => drop(self.failed.fetch_add(1, Relaxed)),
            }
        }
    }

    fn tell(&self, what: &str) {
        let mut took = self.took.lock().unwrap();
        took.sort_unstable();
        let at = |share: f64| {
            let place = (took.len() as f64 * share) as usize;
            took.get(place.min(took.len() - 1)).map_or(0.0, |took| took.as_secs_f64() * 1000.0)
        };
        println!(
            "  {what}: {} done, {} not; p50 {:.1} ms, p90 {:.1}, p99 {:.1}, p99.9 {:.1}, most {:.1}",
            took.len(),
            self.failed.load(Relaxed),
            at(0.5),
            at(0.9),
            at(0.99),
            at(0.999),
            at(1.0)
        );
    }
}

/// A kept-alive connection.
struct Connection {
    stream: BufReader<TcpStream>,
    token: String,
    name: String,
}

impl Connection {
    fn new(address: SocketAddr, token: &str, name: String) -> Connection {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream: BufReader::new(stream), token: token.to_owned(), name }
    }

    fn post(&mut self, path: &str, body: Vec<u8>) -> Value {
        let headers = [
            &*format!("Authorization: Bearer {}", self.token),
            &*format!("Worker-Name: {}", self.name),
        ];
        let request = Message::request(&format!("POST /api/v1/{path}"), &headers, body);
        request.write(self.stream.get_mut(), &[], &[]).unwrap();
        let answer = Message::read(&mut self.stream).unwrap().unwrap();
        serde_json::from_slice(&answer.body).unwrap()
    }
}

fn setting(name: &str, usual: f64) -> f64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What somebody says who has found nothing.
fn open_report(lease: &Value) -> Vec<u8> {
    let unit = &lease["unit"];
    let report = json!({
        "unit": unit["id"], "hash": unit["hash"], "attempt": lease["attempt"],
        "finding": {"kind": "open"}, "nodes": 1000, "trace": [], "cpu_milliseconds": 1,
    });
    serde_json::to_vec(&json!({ "report": report })).unwrap()
}

/// Both kinds of requests at once, from 64 connections each.
fn load(address: SocketAddr, token: &str) {
    let (rate, seconds) =
        (setting("ZERMELO_LOAD_RATE", 200.0), setting("ZERMELO_LOAD_SECONDS", 30.0));
    let begin = Instant::now() + Duration::from_millis(500);
    let leases = Arrivals::new(rate, begin, seconds);
    let deliveries = Arrivals::new(rate, begin + LATER, seconds);
    let held: Mutex<VecDeque<Vec<u8>>> = Mutex::default();
    let request = LeaseRequest {
        program: "load".to_owned(),
        versions: versions_json(&solver_versions()),
        megabytes: 1024,
    };
    let request = serde_json::to_vec(&request).unwrap();
    std::thread::scope(|scope| {
        for number in 0..CONNECTIONS {
            let (leases, deliveries, held, request) = (&leases, &deliveries, &held, &request);
            let connect = move || Connection::new(address, token, format!("host{number}"));
            scope.spawn(move || {
                let mut connection = connect();
                leases.work(|| {
                    let lease = connection.post("lease", request.clone());
                    let is_unit = lease["answer"] == "unit";
                    if is_unit {
                        held.lock().unwrap().push_back(open_report(&lease));
                    }
                    is_unit
                });
            });
            scope.spawn(move || {
                let mut connection = connect();
                deliveries.work(|| {
                    let Some(report) = held.lock().unwrap().pop_front() else { return false };
                    connection.post("deliver", report)["receipt"] == "taken"
                });
            });
        }
    });
    println!("{rate} leases and {rate} deliveries a second for {seconds} s:");
    leases.tell("leases");
    deliveries.tell("deliveries");
}

#[test]
#[ignore = "it only prints"]
fn open_loop_load_on_postgresql() {
    let Some(server) = Server::start() else { return };
    let is_profiled = std::env::var_os("ZERMELO_LOAD_PROFILE").is_some();
    if is_profiled {
        server.restart_with("shared_preload_libraries = 'pg_stat_statements'");
    }
    let store = server.database("load");
    let depth = setting("ZERMELO_LOAD_DEPTH", 10.0).to_string();
    let began = Instant::now();
    let create = ["project", "create", "load", "reversi:6x6", "--depth", &depth];
    let more = ["--ready", "4000", "--no-proof", "--hash", "1", "--store", &store];
    let made = answer(&[&create[..], &more[..]].concat());
    let stored = made["generated"]["stored"].as_f64().unwrap();
    let size = "SELECT pg_total_relation_size('nodes')";
    let bytes: f64 = server.query("load", size).unwrap()[0][0].parse().unwrap();
    println!(
        "{stored} nodes stored in {:.1} s, {:.1} bytes a node",
        began.elapsed().as_secs_f64(),
        bytes / stored
    );
    let token = answer(&["project", "token", "create", "own", "--trusted", "--store", &store]);
    let folder = tempfile::tempdir().unwrap();
    let mut command = zermelo();
    command.args(["project", "serve", "--json", "--listen", "127.0.0.1:0", "--store", &store]);
    command.args(["--requests", "100000", "--in-progress", "100000"]);
    let mut program = Program::start(command, &folder.path().join("log"));
    let told = program.first_answer().unwrap();
    let address = told["address"].as_str().unwrap().strip_prefix("http://").unwrap();
    let ready = "SELECT count(*) FROM units WHERE open = 1 AND waiting > 0";
    while server.query("load", ready).unwrap()[0][0].parse::<u64>().unwrap() < 4000 {
        std::thread::sleep(Duration::from_millis(500));
    }
    if is_profiled {
        server.query("load", "CREATE EXTENSION pg_stat_statements").unwrap();
    }
    let before = (program.processor_seconds(), processor_seconds_of(&server));
    load(address.parse().unwrap(), token["token"].as_str().unwrap());
    println!(
        "  processor time: server {:.1} s, PostgreSQL {:.1} s",
        program.processor_seconds() - before.0,
        processor_seconds_of(&server) - before.1
    );
    for row in server.query("load", PROFILE).filter(|_| is_profiled).unwrap_or_default() {
        println!("  {}", row.join(" "));
    }
    println!("{}", program.log());
}
