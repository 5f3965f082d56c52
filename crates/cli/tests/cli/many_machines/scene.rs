//! [`Scene`]: a project on PostgreSQL with two servers that may drive it, a front end, and workers,
//! all of them processes, behind one [`Relay`].

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::postgres::Server;
use super::processes::{Program, answer, zermelo};
use super::relay::Relay;

pub(crate) const GAME: &str = "reversi:6x6";
pub(crate) const POSITION: &str = "000010211100122210212110200000000000;1";
pub(crate) const PROJECT: &str = "end";
/// So long a lease lasts here.
pub(crate) const LEASE_SECONDS: u64 = 4;
/// Servers that drive; the others are front ends.
const DRIVERS: usize = 2;
const SERVERS: usize = 3;

/// Who takes part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cast {
    pub(crate) quorum: u8,
    pub(crate) workers: usize,
    /// The clocks of processes can be set.
    pub(crate) clocks: bool,
}

pub(crate) struct Scene<'s> {
    pub(crate) server: &'s Server,
    pub(crate) database: String,
    pub(crate) place: String,
    pub(crate) relay: Arc<Relay>,
    pub(crate) servers: Vec<Option<Program>>,
    pub(crate) workers: Vec<WorkerPlace>,
    folder: TempDir,
    cast: Cast,
}

/// A machine that works, whether or not its program runs.
pub(crate) struct WorkerPlace {
    pub(crate) user: String,
    token: String,
    pub(crate) program: Option<Program>,
}

impl<'s> Scene<'s> {
    pub(crate) fn new(server: &'s Server, seed: u64, cast: Cast) -> Scene<'s> {
        let database = format!("round{seed}");
        let place = server.database(&database);
        let quorum = cast.quorum.to_string();
        let unit_nodes = if cast.quorum == 1 { "25000" } else { "100000" };
        answer(&[
            "project",
            "create",
            PROJECT,
            GAME,
            "--position",
            POSITION,
            "--unit-nodes",
            unit_nodes,
            "--hash",
            "1",
            "--quorum",
            &quorum,
            "--established-results",
            "3",
            "--established-days",
            "0",
            "--established-checks",
            "1",
            "--store",
            &place,
        ]);
        let folder = tempfile::tempdir().unwrap();
        let relay = Arc::new(Relay::start(seed));
        let mut scene = Scene {
            server,
            database,
            place,
            relay,
            servers: (0..SERVERS).map(|_| None).collect(),
            workers: Vec::new(),
            folder,
            cast,
        };
        for number in 0..SERVERS {
            scene.start_server(number);
        }
        for number in 0..cast.workers {
            let user = format!("worker{number}");
            let token = scene.token(&user);
            scene.workers.push(WorkerPlace { user, token, program: None });
            scene.start_worker(number);
        }
        scene
    }

    /// A new token, known to the relay.
    pub(crate) fn token(&self, user: &str) -> String {
        let made = answer(&["project", "token", "create", user, "--store", &self.place]);
        let token = made["token"].as_str().unwrap().to_owned();
        self.relay.know(&token, user);
        token
    }

    /// Starts a server, again and again until the record answers, as a system would.
    pub(crate) fn start_server(&mut self, number: usize) {
        let lease = LEASE_SECONDS.to_string();
        let began = Instant::now();
        loop {
            let mut command = self.command(&format!("server{number}"));
            command.args(["project", "serve", PROJECT, "--json", "--store", &self.place]);
            command.args(["--listen", "127.0.0.1:0", "--proxy", "127.0.0.1"]);
            command.args(["--lease-seconds", &lease, "--requests", "100000"]);
            if number >= DRIVERS {
                command.arg("--door-only");
            }
            let mut program = Program::start(command, &self.path(&format!("server{number}.log")));
            if let Some(told) = program.first_answer() {
                let address = told["address"].as_str().unwrap().strip_prefix("http://").unwrap();
                self.relay.set_door(number, Some(address.parse().unwrap()));
                self.servers[number] = Some(program);
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{}", program.log());
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// `kill -9`.
    pub(crate) fn kill_server(&mut self, number: usize) {
        self.relay.set_door(number, None);
        self.servers[number] = None;
    }

    /// The server that drives the project, as far as they say.
    pub(crate) fn driver(&self) -> Option<usize> {
        (0..DRIVERS).find(|&number| {
            let log = self.servers[number].as_ref().map(Program::log).unwrap_or_default();
            let told = log.lines().rev().find_map(|line| {
                let is_so = line.contains("this coordinator drives the project");
                let is_not = line.contains("somebody else drives") || line.contains("taken over");
                (is_so || is_not).then_some(is_so)
            });
            told == Some(true)
        })
    }

    pub(crate) fn start_worker(&mut self, number: usize) {
        let WorkerPlace { user, token, .. } = &self.workers[number];
        let mut command = self.command(user);
        command.args(["worker", &format!("http://{}", self.relay.address), "--token", token]);
        command.args(["--hash", "4", "--stay", "--name", user, "--folder"]).arg(self.path(user));
        let program = Program::start(command, &self.path(&format!("{user}.log")));
        self.workers[number].program = Some(program);
    }

    /// Sets the clock of a process this far off, in seconds.
    pub(crate) fn set_clock(&self, process: &str, seconds: i64) {
        let file = self.path(&format!("{process}.clock"));
        let (new, text) = (file.with_extension("new"), format!("{seconds:+}\n"));
        fs::write(&new, text).unwrap();
        fs::rename(new, file).unwrap();
    }

    fn command(&self, process: &str) -> Command {
        let mut command = zermelo();
        command.env("ZERMELO_HOME", self.path("home"));
        if let Some(library) = faketime().filter(|_| self.cast.clocks) {
            let file = self.path(&format!("{process}.clock"));
            if !file.exists() {
                self.set_clock(process, 0);
            }
            command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", file);
            // A clock that is set leaves the time since the start of the machine alone.
            command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("DONT_FAKE_MONOTONIC", "1");
            command.env("FAKETIME_CACHE_DURATION", "1");
        }
        command
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What all processes said, for whoever reads why a test has failed.
    pub(crate) fn logs(&self) -> String {
        let mut files: Vec<_> = fs::read_dir(self.folder.path()).unwrap().flatten().collect();
        files.sort_by_key(fs::DirEntry::path);
        let logs = files.iter().map(fs::DirEntry::path);
        let logs = logs.filter(|file| file.extension().is_some_and(|end| end == "log"));
        logs.map(|file| format!("{}:\n{}", file.display(), fs::read_to_string(&file).unwrap()))
            .collect()
    }

    pub(crate) fn query(&self, statement: &str) -> Option<Vec<Vec<String>>> {
        self.server.query(&self.database, statement)
    }

    pub(crate) fn is_solved(&self) -> bool {
        let state = self.query("SELECT state FROM projects");
        state.is_some_and(|rows| rows == [["solved"]])
    }

    pub(crate) fn status(&self) -> Value {
        answer(&["project", "status", PROJECT, "--store", &self.place])
    }
}

/// The library that sets the clocks of processes, if it is installed.
pub(crate) fn faketime() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    folders.map(|folder| folder.join("faketime/libfaketime.so.1")).find(|file| file.exists())
}
