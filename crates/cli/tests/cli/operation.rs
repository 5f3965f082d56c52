//! Servers as whoever runs them sees them: the admin token, metrics, projects that come and go, what
//! is told of failures and what is told of nobody's secrets.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Ran, command, speak};

/// A folder of its own for a test, with a home and a record.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operation").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Place(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = command();
        command.env("ZERMELO_HOME", self.path("home"));
        command.env("ZERMELO_STORE", self.path("record.db"));
        speak(command.args(arguments), b"")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[arguments, &["--json"]].concat());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{arguments:?} {ran:?}");
        serde_json::from_str(&ran.out).unwrap()
    }

    /// Starts a server; what it says on standard error goes into a file.
    fn serve(&self, arguments: &[&str]) -> Served {
        let log = self.0.join("log");
        let errors = fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut command = command();
        command.env("ZERMELO_HOME", self.path("home"));
        command.env("ZERMELO_STORE", self.path("record.db"));
        command.args(arguments).arg("--json").stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(errors).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut served = Served { child, log, told: Value::Null };
        let told = serde_json::from_str(&line);
        served.told = told.unwrap_or_else(|e| panic!("{e}: {line} {}", served.log()));
        served
    }
}

/// A server that ends with its test.
struct Served {
    child: Child,
    log: PathBuf,
    told: Value,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    fn token(&self) -> Option<&str> {
        self.told["admin_token"].as_str()
    }

    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        let address = self.told["address"].as_str().unwrap();
        let host = address.trim_start_matches("http://").trim_end_matches('/');
        let host = host.replace("0.0.0.0", "127.0.0.1");
        let mut stream = TcpStream::connect(&host).unwrap();
        let length = body.len();
        let text = format!(
            "{request} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn metrics(&self, token: &str) -> (u16, String) {
        self.ask("GET /metrics", &format!("Authorization: Bearer {token}\r\n"), "")
    }
}

fn until(what: &str, is_so: &mut dyn FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// One token for the table and for projects: shown once, kept as a hash, replaced, and in no log.
#[test]
fn an_admin_token_is_made_at_the_first_opening() {
    let place = Place::new("token");
    assert_eq!(place.serve(&["serve", "--port", "0"]).token(), None, "nobody else comes in");
    // Behind a proxy others do.
    let project = ["project", "serve", "--listen", "127.0.0.1:0", "--proxy", "192.0.2.1", "-vvv"];
    let first = place.serve(&project);
    let token = first.token().unwrap().to_owned();
    let file = place.0.join("home/admin-token");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(token.len() == 64 && !kept.contains(&token), "{kept}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(first.metrics(&token).0, 200);
    assert_eq!(first.metrics("wrong").0, 401);
    assert_eq!(first.ask("GET /metrics", "", "").0, 401);
    let table = place.serve(&["serve", "--listen", "0.0.0.0:0", "-vvv"]);
    assert_eq!(table.token(), None, "there is one already");
    let everything = |token: &str| {
        let header = format!("Authorization: Bearer {token}\r\n");
        let (status, body) = table.ask("POST /api/history", &header, "{}");
        assert_eq!(status, 200);
        serde_json::from_str::<Value>(&body).unwrap()["everything"] == true
    };
    assert!(everything(&token) && !everything("wrong"));
    // The same command that replaces it, and both servers hear of it.
    let newer = place.serve(&[&project[..], &["--new-admin-token"]].concat());
    let new = newer.token().unwrap();
    assert_eq!((first.metrics(&token).0, first.metrics(new).0), (401, 200));
    assert!(everything(new) && !everything(&token));
    let body = json!({ "token": new }).to_string();
    assert_eq!(newer.ask("POST /api/admin/session", "", &body).0, 204);
    for secret in [&*token, new] {
        for part in [&first, &table, &newer] {
            assert!(!part.log().contains(secret), "{}", part.log());
        }
    }
    assert!(first.log().contains("starting"), "it was told what there is to tell");
    // What is written down by a service is no place for a token.
    let other = Place::new("journal");
    let mut service = command();
    service.env("ZERMELO_HOME", other.path("home")).env("JOURNAL_STREAM", "8:1");
    service.args(["project", "serve", "--store", &other.path("record.db"), "--json"]);
    service.args(["--until-solved", "--listen", "127.0.0.1:0"]);
    let ran = speak(&mut service, b"");
    assert!(ran.err.contains("start the same command once in a terminal"), "{ran:?}");
    assert!(!ran.out.contains("admin_token") && !other.0.join("home/admin-token").exists());
}

#[test]
fn both_servers_read_where_to_listen() {
    let place = Place::new("listen");
    for what in [&["serve"][..], &["project", "serve"]] {
        for listen in [&["--listen", "127.0.0.1:0"][..], &["--port", "0"]] {
            let served = place.serve(&[what, listen].concat());
            let address = served.told["address"].as_str().unwrap();
            assert!(address.starts_with("http://127.0.0.1:") && !address.ends_with(":0"));
        }
        let both = ["--listen", "127.0.0.2:1", "--port", "0"];
        let served = place.serve(&[what, &both].concat());
        assert!(served.told["address"].as_str().unwrap().starts_with("http://127.0.0.2:"));
        for wrong in ["everywhere", "127.0.0.1:x", ":80"] {
            let ran = place.run(&[what, &["--listen", wrong]].concat());
            assert!(ran.code == Some(2) && ran.err.contains("ADDR:PORT"), "{ran:?}");
        }
    }
}

/// Projects are made, paused, resumed and cancelled while a server runs.
#[test]
fn projects_come_and_go() {
    let place = Place::new("coming");
    let served = place.serve(&["project", "serve", "--port", "0", "--threads", "1"]);
    assert_eq!(served.told["projects"], json!([]));
    let status = |name: &str| place.json(&["project", "status", name]);
    place.json(&["project", "create", "one", "mnk:3x3,k=3", "--hash", "1"]);
    until("one is solved", &mut || status("one")["state"] == "solved");
    let one = status("one");
    assert_eq!(
        (&one["lower"], &one["upper"], &one["certified"]),
        (&json!(0), &json!(0), &json!(true))
    );
    assert!(
        one["units"]["valid"].as_u64() > Some(0) && one["rates"]["units_5m"].as_f64() > Some(0.0)
    );
    assert!(one["rates"]["nodes_1h"].as_f64() > Some(0.0), "{one}");
    // Too large to be solved here.
    let two = ["project", "create", "two", "connect4", "--hash", "1", "--unit-seconds", "1"];
    place.json(&two);
    until("two is driven", &mut || status("two")["silence"].is_u64());
    until("two has an edge", &mut || status("two")["frontier"]["open"].as_u64() > Some(1));
    let frontier = &status("two")["frontier"];
    let share = |name: &str| frontier[name].as_f64().unwrap();
    assert!(share("proved_share") + share("disproved_share") <= 1.0, "{frontier}");
    place.json(&["project", "pause", "two"]);
    until("nothing is handed out", &mut || status("two")["units"]["leased"] == 0);
    let (code, page) = served.ask("GET /metrics", "", "");
    assert_eq!(code, 200);
    assert!(page.contains("zermelo_project_state{project=\"two\",state=\"paused\"} 1"), "{page}");
    place.json(&["project", "resume", "two"]);
    until("work goes on", &mut || status("two")["units"]["leased"] == 1);
    place.json(&["project", "cancel", "two"]);
    until("two is let go", &mut || status("two")["silence"].is_null());
    place.json(&["project", "create", "three", "mnk:3x3,k=3", "--hash", "1", "--no-proof"]);
    until("three is solved", &mut || status("three")["state"] == "solved");
    assert!(served.log().contains("three: a new project"), "{}", served.log());
    let words = place.run(&["project", "status", "three"]).out;
    for line in ["margin     0 to 0, by quorum", "results    ", "rates      ", "spent      "] {
        assert!(words.contains(line), "{words}");
    }
}

/// What a program says of a unit that failed is shown, and steers no terminal.
#[test]
fn failures_are_shown_with_what_was_said() {
    let place = Place::new("failures");
    place.json(&["project", "create", "one", "mnk:3x4,k=3", "--hash", "1"]);
    let token = |user: &str| {
        let made = place.json(&["project", "token", "create", user, "--team", "greens"]);
        made["token"].as_str().unwrap().to_owned()
    };
    let served = place.serve(&["project", "serve", "one", "--port", "0"]);
    let games = place.json(&["games"]);
    let families = games.as_array().or(games["families"].as_array()).unwrap();
    let mnk = families.iter().find(|family| family["name"] == "mnk").unwrap();
    for user in ["ann", "bob", "cay"] {
        let header = format!("Authorization: Bearer {}\r\nWorker-Name: {user}-pc\r\n", token(user));
        let ask = json!({ "megabytes": 64, "versions": { "mnk": mnk["solver"] } }).to_string();
        let mut lease = Value::Null;
        until("there is a unit", &mut || {
            let (status, body) = served.ask("POST /api/v1/lease", &header, &ask);
            assert_eq!(status, 200, "{body}");
            lease = serde_json::from_str(&body).unwrap();
            lease["answer"] == "unit"
        });
        let unit = &lease["unit"];
        let report = json!({ "unit": unit["id"], "hash": unit["hash"], "attempt": lease["attempt"],
            "finding": { "kind": "failed", "failure": "fault" }, "nodes": 0 });
        let error = format!("{user}: \u{1b}[2Jstack overflow\nat line 7\0");
        let body = json!({ "report": report, "error": error }).to_string();
        let (status, body) = served.ask("POST /api/v1/deliver", &header, &body);
        assert!(status == 200 && body.contains("taken"), "{body}");
    }
    until("it is set aside", &mut || {
        let units = &place.json(&["project", "status", "one"])["units"];
        units["poison"] == 1 && units["failed"] == 3
    });
    let units = place.json(&["project", "unit", "list", "one", "--failed"]);
    let errors = units[0]["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 3, "{units}");
    assert_eq!((&errors[1]["user"], &errors[1]["machine"]), (&json!("bob"), &json!("bob-pc")));
    assert!(errors[1]["error"].as_str().unwrap().contains("stack overflow\nat line 7"), "{units}");
    let words = place.run(&["project", "unit", "list", "one", "--failed"]).out;
    assert!(words.contains("bob: \\u{1b}[2Jstack overflow\n        at line 7"), "{words}");
    assert!(words.contains("aside") && !words.contains('\u{1b}'), "{words}");
    let status = place.run(&["project", "status", "one"]).out;
    assert!(status.contains("set aside  1 units") && status.contains("3 failed"), "{status}");
    let teams = place.json(&["project", "team"]);
    assert_eq!((&teams[0]["name"], &teams[0]["users"]), (&json!("greens"), &json!(3)));
    let users = place.json(&["project", "user", "--project", "one"]);
    assert!(users.as_array().unwrap().iter().filter(|user| user["failed"] == 1).count() == 3);
    let hosts = place.json(&["project", "user", "--hosts"]);
    assert!(hosts.as_array().unwrap().iter().any(|host| host["name"] == "ann-pc"), "{hosts}");
}

/// Passwords and tokens are shown nowhere, whatever goes wrong.
#[test]
fn secrets_are_shown_nowhere() {
    let place = Place::new("secrets");
    let secret = "s3cret-word";
    let nowhere = format!("postgres://me:{secret}@127.0.0.1:1/x");
    for store in [
        nowhere.clone(),
        format!("postgress://me:{secret}@127.0.0.1:1/x"),
        format!("postgres://me:{secret}@127.0.0.1:port/x"),
        format!("postgres://me@127.0.0.1:1/x?password={secret}"),
        format!("postgres://me:{secret}@127.0.0.1:1/x?sslmode=maybe"),
    ] {
        for arguments in [&["project", "list", "-vvv"][..], &["project", "status", "one", "-vvv"]] {
            let mut given = command();
            let ran = speak(given.args(arguments).args(["--store", &store]), b"");
            assert_ne!(ran.code, Some(0));
            assert!(!ran.err.contains(secret) && !ran.out.contains(secret), "{ran:?}");
            let mut from_variable = command();
            let ran = speak(from_variable.args(arguments).env("ZERMELO_STORE", &store), b"");
            assert!(ran.code != Some(0) && !ran.err.contains(secret), "{ran:?}");
            let ran = speak(from_variable.arg("--help"), b"");
            assert!(!ran.out.contains(secret), "{ran:?}");
        }
    }
    let ran = place.run(&["project", "list", "too", &nowhere]);
    assert!(ran.code == Some(2) && !ran.err.contains(secret), "{ran:?}");
    for arguments in [
        &["project", "token", "revoke", secret, "-vvv"][..],
        &["worker", "http://127.0.0.1:1", "--token", secret, "--folder", "/dev/null/x", "-vvv"],
    ] {
        let ran = place.run(arguments);
        assert!(ran.code != Some(0) && !ran.err.contains(secret), "{ran:?}");
    }
}
