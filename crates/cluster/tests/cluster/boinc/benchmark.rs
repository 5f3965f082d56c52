//! A thousand machines that ask the scheduler. Not a test: it only prints.
//!
//! ```text
//! cargo nextest run --cargo-profile release -p zermelo-cluster --run-ignored only \
//!     --no-capture -E 'test(a_thousand_clients)'
//! ```

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::client::{Asker, BoincProject};
use crate::server::Server;

const CLIENTS: usize = 1000;
const ROUNDS: usize = 4;
const THREADS: usize = 32;

/// Each client asks for work, brings a result, and asks again; connections are new each time.
fn measure(place: &str) {
    let mut project = BoincProject::new(place, |options| {
        options.limits.creations = serving::Rate { burst: 1e6, per_second: 1e6 };
        options.limits.waiting = serving::Share { each: 4096, all: 4096 };
    });
    project.add_units((CLIENTS * ROUNDS * 2) as u64);
    let account = |number: usize| {
        let email = format!("u{number}@example.org");
        project.record.create_account(&email, None, "u").unwrap().reveal().to_owned()
    };
    let askers: Vec<Mutex<Asker>> = (0..CLIENTS)
        .map(|number| Mutex::new(Asker::new(&project, &account(number), (number % 250) as u8)))
        .collect();
    let (next, times) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let turn = next.fetch_add(1, Relaxed);
                    if turn >= CLIENTS * ROUNDS {
                        return;
                    }
                    let mut asker = askers[turn % CLIENTS].lock().unwrap();
                    let began = Instant::now();
                    let reply = asker.ask(1e-9, "");
                    let time = began.elapsed();
                    assert!(reply.contains("<workunit>"), "{reply}");
                    times.lock().unwrap().push(time);
                }
            });
        }
    });
    told("requests with work handed out", &mut times.into_inner().unwrap(), began.elapsed());
}

fn told(what: &str, times: &mut [Duration], all: Duration) {
    times.sort();
    let at = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!(
        "  {what}: {} in {:.1} s, {:.0}/s; latency p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms",
        times.len(),
        all.as_secs_f64(),
        times.len() as f64 / all.as_secs_f64(),
        at(0.5),
        at(0.95),
        at(0.99)
    );
}

#[test]
#[ignore = "a benchmark, which only prints"]
fn a_thousand_clients() {
    println!("{CLIENTS} machines, {THREADS} of them at once");
    let folder = tempfile::tempdir().unwrap();
    println!(" SQLite");
    measure(folder.path().join("record.db").to_str().unwrap());
    let Some(server) = Server::start() else { return };
    println!(" PostgreSQL");
    measure(&server.database("boinc"));
}
