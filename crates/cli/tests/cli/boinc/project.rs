//! [`Volunteering`]: a project with its server, its signed program and its volunteers.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use cluster::ClusterRecord;
use cluster::record::{AccountRow, UserRow, VolunteerResult};
use serde_json::Value;

use super::client::{RealClient, free_port};
use super::relay::Relay;
use crate::support::{command, json};

pub(crate) const PROGRAM: &str = "zermelo_100_x86_64-pc-linux-gnu";

/// See the module.
pub(crate) struct Volunteering {
    pub(crate) folder: PathBuf,
    pub(crate) store: String,
    pub(crate) url: String,
    pub(crate) port: u16,
    pub(crate) record: ClusterRecord,
    server: Option<Child>,
    /// More flags of `project serve`.
    pub(crate) serving: Vec<String>,
}

/// A volunteer with a client. The proxy ends after the client.
pub(crate) struct Volunteer {
    pub(crate) client: RealClient,
    pub(crate) authenticator: String,
    record: ClusterRecord,
    url: String,
    _relay: Relay,
}

impl Volunteering {
    /// With a game and other arguments of `project create`, the program of this workspace, and keys.
    pub(crate) fn new(name: &str, create: &[&str]) -> Volunteering {
        Volunteering::with_program(name, create, &fs::read(volunteer_program()).unwrap())
    }

    /// A game of which nothing is answered while a test looks on, so that units take all of their
    /// budget and no other makes them moot; each has so many positions in several sub-jobs. Two have
    /// to agree; the server's own thread is the second.
    pub(crate) fn large(name: &str, nodes: u64) -> Volunteering {
        let create = ["reversi:8x8", "--quorum", "2", "--unit-nodes", &nodes.to_string()];
        let project = Volunteering::new(name, &create);
        // Units of positions that somebody asks about have the largest budget at once.
        for position in openings() {
            project.stored(&["project", "unit", "add", "it", "--position", &position]);
        }
        project
    }

    /// The same with a program of one's own.
    pub(crate) fn with_program(name: &str, create: &[&str], program: &[u8]) -> Volunteering {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let store = path("record.db");
        let stored = |arguments: &[&str]| json(&[arguments, &["--store", &store]].concat()).0;
        stored(&[&["project", "create", "it"], create, &["--hash", "16"]].concat());
        json(&["project", "app", "key", "create", &path("key.pem")]);
        stored(&["project", "app", "key", "set", &path("key.pem.pub")]);
        let port = free_port();
        let project = Volunteering {
            record: ClusterRecord::open(&store).unwrap(),
            url: format!("http://127.0.0.1:{port}/"),
            port,
            folder,
            store,
            server: None,
            serving: Vec::new(),
        };
        project.add_program(PROGRAM, program);
        project
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Signs a program with the first key and adds it.
    pub(crate) fn add_program(&self, name: &str, bytes: &[u8]) {
        let file = self.path(name);
        fs::write(&file, bytes).unwrap();
        json(&["project", "app", "sign", &file, "--key", &self.path("key.pem")]);
        self.stored(&["project", "app", "add", &file, "--supersede"]);
    }

    /// A command about the record.
    pub(crate) fn stored(&self, arguments: &[&str]) -> Value {
        json(&[arguments, &["--store", &self.store]].concat()).0
    }

    /// Starts the server; it is there when this returns.
    pub(crate) fn serve(&mut self) {
        let notes = fs::File::options().create(true).append(true).open(self.folder.join("notes"));
        let mut server = command()
            .args(["project", "serve", "it", "--json", "--store", &self.store])
            .args([
                "--listen",
                &format!("127.0.0.1:{}", self.port),
                "--boinc",
                &self.url,
                "--boinc-delay",
                "2",
            ])
            .args(&self.serving)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(notes.unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        self.server = Some(server);
        assert!(line.contains("address"), "{line}{}", self.notes());
    }

    /// The same where volunteers alone work.
    pub(crate) fn serve_without_threads(&mut self) {
        self.serving = ["--threads", "0"].map(str::to_owned).to_vec();
        self.serve();
    }

    /// What the server said.
    pub(crate) fn notes(&self) -> String {
        fs::read_to_string(self.folder.join("notes")).unwrap_or_default()
    }

    /// `kill -9` of the server.
    pub(crate) fn kill_server(&mut self) {
        let mut server = self.server.take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
    }

    pub(crate) fn account(&self, name: &str) -> String {
        let email = format!("{name}@example.org");
        self.record.create_account(&email, None, name).unwrap().reveal().to_owned()
    }

    /// A new volunteer whose client is attached, from a network of its own.
    pub(crate) fn client(&self, name: &str, network: u8) -> Volunteer {
        self.client_of(name, &self.account(name), network)
    }

    /// A client for an account that is there.
    pub(crate) fn client_of(&self, name: &str, authenticator: &str, network: u8) -> Volunteer {
        let relay = Relay::start(self.port, network);
        let client = RealClient::start(self.folder.join(name), Some(relay.port));
        client.attach(&self.url, authenticator);
        let (authenticator, record) = (authenticator.to_owned(), self.record.clone());
        Volunteer { client, authenticator, record, url: self.url.clone(), _relay: relay }
    }

    pub(crate) fn status(&self) -> Value {
        self.stored(&["project", "status", "it"])
    }

    /// The audit log of the project and of the record.
    pub(crate) fn log(&self) -> String {
        let id = self.record.expect_project("it").unwrap().id;
        let lines = [0, id].map(|project| self.record.last_lines(project, 1000).unwrap());
        let lines = lines.into_iter().flatten().map(|line| line.line);
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Volunteering {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
        if std::thread::panicking() {
            eprintln!("the server said:\n{}\nthe log:\n{}", self.notes(), self.log());
        }
    }
}

impl Volunteer {
    /// Has its client ask now; otherwise it asks less and less often when there is no work.
    pub(crate) fn update(&self) {
        self.client.update(&self.url);
    }

    pub(crate) fn account(&self) -> AccountRow {
        self.record.account(&self.authenticator).unwrap().unwrap()
    }

    pub(crate) fn user(&self) -> UserRow {
        let id = self.account().user;
        let rows = self.record.user_rows(None).unwrap();
        rows.into_iter().find(|row| row.id == id).unwrap()
    }

    /// What was sent to this volunteer, the newest first.
    pub(crate) fn results(&self) -> Vec<VolunteerResult> {
        self.record.results_of_user(self.account().user, 1000).unwrap()
    }
}

/// The program of this workspace, beside the one that is tested here.
pub(crate) fn volunteer_program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_zermelo")).with_file_name("zermelo-volunteer");
    let how = "cargo build --profile ci -p zermelo-volunteer";
    assert!(program.exists(), "{} is not built: `{how}` does it", program.display());
    program
}

/// Positions after three moves that are no images of each other.
fn openings() -> Vec<String> {
    let game = catalog::open("reversi:8x8").unwrap();
    let start = game.session().position();
    let rules = game.solver_rules(&start).unwrap();
    let mut found: Vec<(solve::NodeName, String)> = Vec::new();
    let first = game.session().moves().swap_remove(0);
    let mut after = game.session();
    after.play_all(&first).unwrap();
    for second in after.moves() {
        let mut session = game.session();
        session.play_all(&format!("{first} {second}")).unwrap();
        for third in session.moves() {
            let mut session = game.session();
            session.play_all(&format!("{first} {second} {third}")).unwrap();
            let position = session.position();
            let name = rules.read(&position).unwrap();
            if found.iter().all(|(known, _)| *known != name) {
                found.push((name, position));
            }
        }
    }
    found.truncate(8);
    found.into_iter().map(|(_, position)| position).collect()
}
