//! Workers over real connections: right, whatever happens to them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use cluster::http::{DoorOptions, DoorServer};
use cluster::worker::{WorkerError, WorkerOptions, WorkerProgress, WorkerState, run_worker};
use play::Stop;
use serving::Tls;
use solve::Goal;
use solve::message::{Finding, SolverVersion, WorkFailure};

use crate::hall::{Asked, Hall, hasty, serve, serve_at, wide};
use crate::http::honest;

/// The first player's margin under perfect play.
const VALUES: [(&str, i32); 3] = [("mnk:3x3,k=3", 0), ("connect4:4x4", 0), ("reversi:4x4", -10)];

fn url(server: &DoorServer) -> String {
    format!("http://{}", server.addresses()[0])
}

fn open() -> DoorOptions {
    DoorOptions { limits: wide(), ..Default::default() }
}

fn run(options: &WorkerOptions) -> Result<WorkerProgress, WorkerError> {
    run_worker(options, &Stop::new(), &mut |_| {})
}

/// Waits for something that will be.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(300), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Solves a game with so many workers of one thread each, or one of so many threads.
fn solve_with(workers: usize, threads: usize, asked: Asked, value: i32) -> u64 {
    let hall = Hall::new(asked);
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let done: u64 = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers)
            .map(|number| {
                let folder = folder.path().join(number.to_string());
                let options =
                    WorkerOptions { threads, ..hasty(&url(&server), "own-token", &folder) };
                scope.spawn(move || run(&options).unwrap())
            })
            .collect();
        running.into_iter().map(|worker| worker.join().unwrap().done).sum()
    });
    assert!(hall.is_answered());
    assert_eq!(hall.bounds().exact(), Some(value), "{}", asked.game);
    assert_eq!(done, hall.taken().len() as u64, "what is done was taken, once");
    for report in hall.taken() {
        assert!(report.peak_bytes > 0 || !cfg!(target_os = "linux"));
    }
    done
}

#[test]
fn games_are_solved_by_one_two_and_four_workers() {
    for (game, value) in VALUES {
        for workers in [1, 2, 4] {
            solve_with(workers, 1, Asked::about(game), value);
        }
    }
}

#[test]
fn threads_and_kept_tables_find_the_same() {
    let keep = |game| Asked { keep_table: true, budget: 1000, slice: 1000, ..Asked::about(game) };
    for (game, value) in VALUES {
        solve_with(1, 3, Asked { budget: 500, slice: 100, ..Asked::about(game) }, value);
        solve_with(2, 2, keep(game), value);
    }
}

pub(crate) fn certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    (certificate, key)
}

#[test]
fn games_are_solved_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = certificate(folder.path());
    for (game, value) in VALUES {
        let hall = Hall::new(Asked::about(game));
        let tls = Some(Tls::from_files(&certificate, &key).unwrap());
        let server = serve(&hall, DoorOptions { tls, ..open() });
        let url = format!("https://{}", server.addresses()[0]);
        std::thread::scope(|scope| {
            for number in 0..2 {
                let folder = folder.path().join(format!("{game}{number}").replace(':', "-"));
                let certificates = Some(certificate.clone());
                let options = WorkerOptions { certificates, ..hasty(&url, "own-token", &folder) };
                scope.spawn(move || run(&options).unwrap());
            }
        });
        assert_eq!(hall.bounds().exact(), Some(value));
        // Who does not know the certificate does not send its token, and goes on trying.
        let other = tempfile::tempdir().unwrap();
        let (stranger, _) = crate::worker::certificate(other.path());
        let options = WorkerOptions {
            certificates: Some(stranger),
            ..hasty(&url, "own-token", &other.path().join("state"))
        };
        let drain = Stop::new();
        let mut heard = None;
        run_worker(&options, &drain, &mut |now| {
            if let WorkerState::Waiting(why) = &now.state {
                heard = Some(why.clone());
                drain.stop();
            }
        })
        .unwrap();
        assert!(heard.unwrap().contains("certificate"));
    }
}

#[test]
fn what_cannot_work_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let told = |options: &WorkerOptions| {
        let error = run(options).unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let at = |url: &str| hasty(url, "own-token", &folder.path().join("state"));
    assert!(told(&at("http://example.org")).contains("in the clear"));
    for url in ["", "example.org", "ftp://example.org", "https://", "https://a@b.example"] {
        assert!(told(&at(url)).contains("is no address"), "{url}");
    }
    let token = WorkerOptions { token: "a\nb".to_owned(), ..at("http://127.0.0.1:1") };
    assert!(told(&token).contains("the token has letters"));
    let missing = WorkerOptions {
        certificates: Some(folder.path().join("none.pem")),
        ..at("https://127.0.0.1:1")
    };
    assert!(told(&missing).contains("none.pem"));
    let hall = Hall::new(Asked { solver: Some(SolverVersion(5)), ..Asked::about("mnk:3x3,k=3") });
    let upgrade = "zermelo 0.2 has it, at example.org".to_owned();
    let server = serve(&hall, DoorOptions { upgrade, ..open() });
    let nobody = WorkerOptions { token: "nobody-token".to_owned(), ..at(&url(&server)) };
    assert!(told(&nobody).contains("not known here"));
    // Another version is told what would be right, and where to get it.
    let error = told(&at(&url(&server)));
    assert!(error.contains("mnk 0000000000000005") && error.contains("at example.org"), "{error}");
    assert!(hall.leased().is_empty());
    let own = catalog::solver_version("mnk");
    let hall = Hall::new(Asked { solver: own, ..Asked::about("mnk:3x3,k=3") });
    let server = serve(&hall, open());
    assert!(run(&at(&url(&server))).unwrap().done > 0);
    assert_eq!(hall.bounds().exact(), Some(0));
}

#[test]
fn no_two_workers_share_a_folder() {
    let hall = Hall::new(long());
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let options = hasty(&url(&server), "own-token", folder.path());
    let drain = Stop::new();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| run_worker(&options, &drain, &mut |_| {}));
        until("a lease", || !hall.leased().is_empty());
        let second = run(&options).unwrap_err();
        assert!(second.to_string().contains("in use by another program"), "{second}");
        drain.stop();
        first.join().unwrap().unwrap();
    });
}

/// A unit that takes some seconds.
fn long() -> Asked {
    Asked {
        goal: Goal::AtLeast(1),
        budget: 1 << 30,
        slice: 2_000_000,
        ..Asked::about("reversi:6x6")
    }
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

/// Whoever is asked to end gives back what it has.
#[test]
fn a_worker_that_drains_gives_its_units_back() {
    let hall = Hall::new(long());
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let options = hasty(&url(&server), "own-token", folder.path());
    let drain = Stop::new();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| run_worker(&options, &drain, &mut |_| {}));
        until("a checkpoint", || !files(folder.path(), "checkpoint").is_empty());
        drain.stop();
        let progress = worker.join().unwrap().unwrap();
        assert_eq!((progress.done, progress.running.len()), (0, 0));
    });
    let leased: Vec<_> = hall.leased().iter().map(|(unit, attempt)| (unit.id, *attempt)).collect();
    assert_eq!(hall.released(), leased);
    assert!(
        files(folder.path(), "lease").is_empty() && files(folder.path(), "checkpoint").is_empty()
    );
}

/// What nobody wants any longer is not worked at.
#[test]
fn withdrawn_units_are_dropped() {
    let hall = Hall::new(Asked { budget: 1 << 40, ..long() });
    hall.lease_seconds.store(3, Relaxed);
    hall.withdrawn.store(true, Relaxed);
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let options =
        WorkerOptions { most_units: Some(1), ..hasty(&url(&server), "own-token", folder.path()) };
    let progress = run(&options).unwrap();
    assert_eq!((progress.withdrawn, progress.done), (1, 0));
    assert!(hall.released().is_empty() && files(folder.path(), "lease").is_empty());
}

/// Run by the tests below as a process of its own, which they kill.
#[test]
#[ignore = "a part of other tests: it does nothing by itself"]
fn a_worker_as_a_process() {
    let Ok(url) = std::env::var("ZERMELO_TEST_WORKER_URL") else { return };
    let folder = PathBuf::from(std::env::var("ZERMELO_TEST_WORKER_FOLDER").unwrap());
    run(&hasty(&url, "own-token", &folder)).unwrap();
}

fn process(url: &str, folder: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "worker::a_worker_as_a_process", "--ignored", "--nocapture"])
        .env("ZERMELO_TEST_WORKER_URL", url)
        .env("ZERMELO_TEST_WORKER_FOLDER", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// `kill -9` in the middle of a unit, several times: the same attempt goes on, and what is found is
/// what a worker finds that nobody killed.
#[test]
fn a_killed_worker_goes_on_from_its_checkpoint() {
    let hall = Hall::new(long());
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let mut sizes = vec![0];
    for _ in 0..3 {
        let mut worker = process(&url(&server), folder.path());
        let size = || {
            let found = files(folder.path(), "checkpoint");
            found.first().map_or(0, |file| file.metadata().map_or(0, |about| about.len()))
        };
        until("a larger checkpoint", || {
            size() > *sizes.last().unwrap() || !hall.taken().is_empty()
        });
        worker.kill().unwrap();
        worker.wait().unwrap();
        sizes.push(size());
    }
    assert!(hall.taken().is_empty(), "the unit must be long enough to be killed thrice");
    assert!(sizes.is_sorted_by(|a, b| a < b), "it goes on and does not begin again: {sizes:?}");
    assert_eq!(hall.leased().len(), 1, "and asks for nothing else");
    let options =
        WorkerOptions { most_units: Some(0), ..hasty(&url(&server), "own-token", folder.path()) };
    assert_eq!(run(&options).unwrap().done, 1);
    let (unit, attempt) = hall.leased().remove(0);
    let [report] = &hall.taken()[..] else { panic!("one report") };
    assert_eq!(report.attempt, attempt);
    assert_eq!(report.agreement(), honest(&hall, &unit, attempt).agreement());
    assert!(files(folder.path(), "lease").is_empty() && files(folder.path(), "report").is_empty());
}

/// The server goes away and comes back while workers compute; reports wait in the folder.
#[test]
fn workers_outlive_their_server() {
    let asked = Asked { budget: 600, slice: 150, ..Asked::about("connect4:4x4") };
    let hall = Hall::new(asked);
    let server = serve(&hall, open());
    let address = server.addresses()[0].to_string();
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|number| {
                let folder = folder.path().join(number.to_string());
                let options = hasty(&url(&server), "own-token", &folder);
                scope.spawn(move || run(&options).unwrap())
            })
            .collect();
        let mut server = Some(server);
        for round in 1..=4 {
            until("more reports", || hall.taken().len() > 3 * round || hall.is_answered());
            drop(server.take());
            std::thread::sleep(Duration::from_millis(150));
            server = Some(serve_at(&hall, &address, open()));
        }
        let done: u64 = workers.into_iter().map(|worker| worker.join().unwrap().done).sum();
        assert_eq!(done, hall.taken().len() as u64);
    });
    assert_eq!(hall.bounds().exact(), Some(0));
}

/// A report that nobody has taken is delivered by whoever comes after.
#[test]
fn reports_wait_for_the_server() {
    let hall = Hall::new(Asked { goal: Goal::AtLeast(1), ..Asked::about("connect4:4x4") });
    let server = serve(&hall, open());
    let address = server.addresses()[0].to_string();
    let folder = tempfile::tempdir().unwrap();
    let options =
        WorkerOptions { most_units: Some(1), ..hasty(&url(&server), "own-token", folder.path()) };
    // It leases, and finds nobody there when it is done.
    std::fs::write(folder.path().join("pause"), "").unwrap();
    let drain = Stop::new();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| run_worker(&options, &drain, &mut |_| {}).unwrap());
        std::thread::sleep(Duration::from_millis(300));
        assert!(hall.leased().is_empty(), "a worker that pauses asks for nothing");
        hall.delay.store(100, Relaxed);
        std::fs::remove_file(folder.path().join("pause")).unwrap();
        until("a lease", || !hall.leased().is_empty());
        std::fs::write(folder.path().join("pause"), "").unwrap();
        drop(server);
        std::fs::remove_file(folder.path().join("pause")).unwrap();
        until("a report", || {
            !files(folder.path(), "report").is_empty() || !hall.taken().is_empty()
        });
        drain.stop();
        worker.join().unwrap();
    });
    let before = hall.taken().len();
    let server = serve_at(&hall, &address, open());
    let again = WorkerOptions { most_units: Some(0), ..options };
    let progress = run(&again).unwrap();
    assert_eq!((before as u64 + progress.done, progress.undelivered), (1, 0));
    assert!(files(folder.path(), "report").is_empty());
    drop(server);
}

/// Outside of its share and its hours a worker rests; what it finds is the same.
#[test]
fn rest_changes_nothing() {
    let hall = Hall::new(Asked::about("reversi:4x4"));
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let options =
        WorkerOptions { cpu_share: 50, ..hasty(&url(&server), "own-token", folder.path()) };
    run(&options).unwrap();
    assert_eq!(hall.bounds().exact(), Some(-10));
    let leased = hall.leased();
    for report in hall.taken() {
        let (unit, _) = leased.iter().find(|(unit, _)| unit.id == report.unit).unwrap();
        assert_eq!(report.agreement(), honest(&hall, unit, report.attempt).agreement());
    }
}

#[test]
fn a_table_that_does_not_fit_fails_by_memory() {
    let hall = Hall::new(Asked { table_megabytes: 64, ..Asked::about("mnk:3x3,k=3") });
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let options = WorkerOptions {
        megabytes: 63,
        most_units: Some(1),
        ..hasty(&url(&server), "own-token", folder.path())
    };
    let progress = run(&options).unwrap();
    assert_eq!((progress.done, progress.failed), (1, 1));
    assert_eq!(hall.taken()[0].finding, Finding::Failed(WorkFailure::Memory));
    let options = WorkerOptions { megabytes: 64, ..options };
    assert_eq!(run(&options).unwrap().failed, 0);
}

/// Progress tells what is under way.
#[test]
fn progress_is_told() {
    let hall = Hall::new(Asked { budget: 1 << 40, ..long() });
    let server = serve(&hall, open());
    let folder = tempfile::tempdir().unwrap();
    let options = hasty(&url(&server), "own-token", folder.path());
    let drain = Stop::new();
    let mut seen: Option<WorkerProgress> = None;
    run_worker(&options, &drain, &mut |now| {
        if now.running.first().is_some_and(|unit| unit.nodes > 0) {
            seen.get_or_insert_with(|| now.clone());
            drain.stop();
        }
    })
    .unwrap();
    let seen = seen.unwrap();
    assert_eq!(seen.state, WorkerState::Working);
    assert_eq!(seen.running[0].game, "reversi:6x6");
    assert!(seen.running[0].fraction > 0.0 && seen.running[0].fraction < 1.0);
}
