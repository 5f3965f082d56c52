//! Solves over HTTPS and PostgreSQL by workers on machines of their own: each a network namespace,
//! joined to the server's by a bridge. It takes root, and says so where nobody is.
//!
//! ```text
//! cargo nextest run --cargo-profile release -p zermelo --all-features --test cli \
//!     --run-ignored only --no-capture -E 'test(machines)'
//! ```
//!
//! `ZERMELO_MACHINES` names other games, with flags of `solve` and, after a bar, flags of `project
//! create` alone: `reversi:6x6 --hash 512 | --unit-seconds 10; go:3x3`. `ZERMELO_MACHINES_WORKERS`
//! (default `1,2,4`) says how many, `ZERMELO_MACHINES_JSON` names a file to which each row of the table
//! is added as a line of JSON, and `ZERMELO_TEST_PROGRAM` another program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::postgres::Server;
use super::processes::{Program, answer, ended_children_seconds, processor_seconds_of, zermelo};

/// A line game, a small Go board and an endgame of Reversi.
const JOBS: &str = "connect4:5x6 | --unit-nodes 200000; go:3x3 | --unit-nodes 100000; reversi:6x6 \
    --position 000010211100122210212110200000000000;1 | --unit-nodes 100000";
const ADDRESS: &str = "10.213.0.1";
/// So long the whole of `reversi:6x6` may take.
const PATIENCE: Duration = Duration::from_secs(6 * 3600);

/// A network of this test's own: the server's machine, and one for each worker.
struct Network {
    names: Vec<String>,
}

impl Network {
    /// `None` if this user may not have one.
    fn new(workers: usize) -> Option<Network> {
        let own = std::process::id();
        let names = (0..=workers).map(|number| format!("zermelo{own}-{number}")).collect();
        let network = Network { names };
        let is_allowed = ip(&["netns", "add", &network.names[0]]);
        if !is_allowed {
            eprintln!("network namespaces cannot be made here (that takes root and iproute2)");
            return None;
        }
        let server = &network.names[0];
        let inside = |name: &str, arguments: &str| {
            let words: Vec<&str> = ["-n", name].into_iter().chain(arguments.split(' ')).collect();
            assert!(ip(&words), "ip {words:?}");
        };
        inside(server, "link set lo up");
        inside(server, "link add bridge type bridge");
        inside(server, &format!("addr add {ADDRESS}/24 dev bridge"));
        inside(server, "link set bridge up");
        for (number, worker) in network.names.iter().enumerate().skip(1) {
            assert!(ip(&["netns", "add", worker]));
            inside(server, &format!("link add w{number} type veth peer name eth0 netns {worker}"));
            inside(server, &format!("link set w{number} master bridge"));
            inside(server, &format!("link set w{number} up"));
            inside(worker, "link set lo up");
            inside(worker, &format!("addr add 10.213.0.{}/24 dev eth0", 10 + number));
            inside(worker, "link set eth0 up");
        }
        Some(network)
    }

    /// `zermelo` on one of these machines; 0 is the server's.
    fn on(&self, machine: usize, arguments: &[&str]) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[machine]]);
        command.arg(zermelo().get_program()).args(arguments);
        command
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&["netns", "del", name]);
        }
    }
}

fn ip(arguments: &[&str]) -> bool {
    Command::new("ip").args(arguments).output().is_ok_and(|told| told.status.success())
}

fn certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let made = rcgen::generate_simple_self_signed([ADDRESS.to_owned()]).unwrap();
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    fs::write(&certificate, made.cert.pem()).unwrap();
    fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    (certificate, key)
}

/// What is to be solved, and how.
struct Job {
    game: Vec<String>,
    create: Vec<String>,
}

impl Job {
    fn read(text: &str) -> Job {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let (game, create) = text.split_once('|').unwrap_or((text, ""));
        Job { game: words(game), create: words(create) }
    }

    fn has_proof(&self) -> bool {
        !self.create.iter().any(|word| word == "--no-proof") && !self.game[0].starts_with("go")
    }
}

/// Processor time and nodes of plain `solve`, and what it found.
struct Plain {
    bounds: (Value, Value),
    nodes: f64,
    seconds: f64,
}

fn plain(job: &Job) -> Plain {
    let before = ended_children_seconds();
    let words: Vec<&str> =
        ["solve"].into_iter().chain(job.game.iter().map(String::as_str)).collect();
    let solved = answer(&words);
    assert_eq!(solved["proved"], true, "{solved}");
    Plain {
        bounds: (solved["lower"].clone(), solved["upper"].clone()),
        nodes: solved["nodes"].as_f64().unwrap(),
        seconds: ended_children_seconds() - before,
    }
}

/// Solves a game by so many workers, and gives a row of the table.
fn solved_by(workers: usize, job: &Job, plain: &Plain, server: &Server) -> Option<Value> {
    let network = Network::new(workers)?;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (certificate, key) = certificate(folder.path());
    let (certificate, key) = (certificate.to_str().unwrap(), key.to_str().unwrap());
    let database = format!("job{}", job_number());
    let store = server.database(&database);
    let database_before = processor_seconds_of(server);
    let mut create = vec!["project", "create", "one"];
    create.extend(job.game.iter().chain(&job.create).map(String::as_str));
    answer(&[&create[..], &["--store", &store]].concat());
    let token = answer(&["project", "token", "create", "own", "--trusted", "--store", &store]);
    let token = token["token"].as_str().unwrap();
    let listen = format!("{ADDRESS}:8610");
    let serve = ["project", "serve", "one", "--json", "--store", &store, "--listen", &listen];
    let mut serve = network.on(0, &serve);
    serve.args(["--certificate", certificate, "--key", key]);
    let began = Instant::now();
    let mut serve = Program::start(serve, &folder.path().join("serve.log"));
    assert!(serve.first_answer().is_some(), "{}", serve.log());
    let url = format!("https://{listen}");
    let hash = job.game.iter().skip_while(|word| *word != "--hash").nth(1);
    let hash = hash.map_or("256", String::as_str);
    let working: Vec<Program> = (1..=workers)
        .map(|number| {
            let name = format!("worker{number}");
            let mut worker = network.on(number, &["worker", &url, "--token", token, "--stay"]);
            worker.args(["--certificates", certificate, "--hash", hash, "--name", &name]);
            worker.args(["--folder", &path(&name)]);
            Program::start(worker, &folder.path().join(format!("{name}.log")))
        })
        .collect();
    let status = || answer(&["project", "status", "one", "--store", &store]);
    while status()["state"] != "solved" {
        let logs = || working.iter().map(Program::log).collect::<String>();
        assert!(began.elapsed() < PATIENCE, "{}\n{}", serve.log(), logs());
        std::thread::sleep(Duration::from_millis(500));
    }
    let seconds = began.elapsed().as_secs_f64();
    let searching: f64 = working.iter().map(Program::processor_seconds).sum();
    let (serving, keeping) =
        (serve.processor_seconds(), processor_seconds_of(server) - database_before);
    let status = status();
    let found = (status["lower"].clone(), status["upper"].clone());
    assert_eq!(found, plain.bounds, "{status}");
    let mut lemmas = Value::Null;
    if job.has_proof() {
        assert_eq!(status["certified"], true, "{status}\n{}", serve.log());
        let proof = path("proof");
        lemmas = answer(&["project", "export", "one", &proof, "--store", &store])["lemmas"].clone();
        assert_eq!(answer(&["verify", &proof])["proved"], true);
    }
    let nodes = status["nodes"].as_f64().unwrap();
    Some(json!({
        "game": job.game.join(" "), "create": job.create.join(" "), "workers": workers,
        "lower": found.0, "upper": found.1, "lemmas": lemmas, "units": status["units"]["done"],
        "nodes": nodes, "solve_nodes": plain.nodes, "nodes_ratio": nodes / plain.nodes,
        "solve_seconds": plain.seconds, "workers_seconds": searching,
        "server_seconds": serving, "database_seconds": keeping,
        "coordination": (serving + keeping) / searching, "wall_seconds": seconds,
    }))
}

/// Databases need names of their own.
fn job_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[test]
#[ignore = "some minutes"]
fn machines_solve_over_https() {
    let Some(server) = Server::start() else { return };
    let jobs = std::env::var("ZERMELO_MACHINES").unwrap_or_else(|_| JOBS.to_owned());
    let workers = std::env::var("ZERMELO_MACHINES_WORKERS").unwrap_or_else(|_| "1,2,4".to_owned());
    println!(
        "| game | workers | value | nodes | to `solve` | units | lemmas | `solve` s | workers s \
         | server s | database s | coordination | wall s |\n{}|",
        "|---".repeat(13)
    );
    for job in jobs.split("; ").map(Job::read) {
        let plain = plain(&job);
        for workers in workers.split(',').map(|number| number.trim().parse().unwrap()) {
            let Some(row) = solved_by(workers, &job, &plain, &server) else { return };
            let number = |field: &str| row[field].as_f64().unwrap();
            println!(
                "| `{}` | {workers} | {} to {} | {} | {:.2} | {} | {} | {:.1} | {:.1} | {:.2} \
                 | {:.2} | {:.1}% | {:.0} |",
                job.game.join(" "),
                row["lower"],
                row["upper"],
                number("nodes"),
                number("nodes_ratio"),
                row["units"],
                row["lemmas"],
                number("solve_seconds"),
                number("workers_seconds"),
                number("server_seconds"),
                number("database_seconds"),
                100.0 * number("coordination"),
                number("wall_seconds")
            );
            if let Some(file) = std::env::var_os("ZERMELO_MACHINES_JSON") {
                let mut file = fs::File::options().create(true).append(true).open(file).unwrap();
                writeln!(file, "{row}").unwrap();
            }
        }
    }
}
