//! `zermelo project`: trees that are listed before they are stored, and then stored.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{command, json, zermelo};

/// The examples of a report of 2008, as a plain tree and with images merged.
#[test]
fn a_dry_run_lists_the_tree() {
    let position = "000010211100122210212110200000000000;1";
    let example = ["project", "create", "x", "reversi:6x6", "--dry-run", "--depth"];
    for (arguments, counts) in [
        (&["2", "--position", position, "--plain"][..], [53, 65, 0, 0]),
        (&["2", "--position", position], [53, 65, 0, 0]),
        (&["3", "--plain"], [56, 73, 0, 2]),
        (&["3"], [14, 19, 0, 3]),
    ] {
        let (tree, _) = json(&[&example[..], arguments].concat());
        let [made, stored, skipped, duplicate] = counts;
        let told =
            json!({"made": made, "stored": stored, "skipped": skipped, "duplicate": duplicate});
        assert_eq!(tree["counts"], told, "{arguments:?}");
        let nodes = tree["nodes"].as_array().unwrap();
        let units = nodes.iter().filter(|node| node["unit"] == true).count();
        assert_eq!((nodes.len(), units), (stored, made), "{arguments:?}");
        let said = zermelo(&[&example[..], arguments].concat()).out;
        assert_eq!(said.lines().filter(|line| line.ends_with(" B")).count(), made);
    }
    for (arguments, why) in [
        (&["--depth", "2"][..], "--store"),
        (&["--store", "x.db", "--dry-run"], "--depth"),
        (&["--store", "x.db", "--depth", "2", "--plain"], "--dry-run"),
    ] {
        let ran = zermelo(&[&["project", "create", "x", "reversi:6x6"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(why), "{ran:?}");
    }
}

#[test]
fn a_tree_is_stored() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("generated.db");
    // An older record has a project of this name.
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
    let store = file.to_str().unwrap();
    let made = ["project", "create", "one", "reversi:6x6", "--depth", "5", "--store", store];
    let (created, _) = json(&made);
    assert_eq!(created["generated"]["whole"], true);
    let (status, _) = json(&["project", "status", "one", "--store", store]);
    assert_eq!(status["stored_nodes"], created["generated"]["stored"]);
    let log = zermelo(&["project", "log", "one", "--store", store]).out;
    assert!(log.contains("the tree to depth 5 is stored: "), "{log}");
}

/// A program that is killed with the test, if it still runs.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(arguments: &[&str]) -> Running {
    let mut command = command();
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    Running(command.spawn().unwrap())
}

/// Serves, and says where.
fn serve(store: &str, listen: &str) -> (Running, String) {
    let mut server = start(&[
        "project",
        "serve",
        "--json",
        "--until-solved",
        "--store",
        store,
        "--listen",
        listen,
    ]);
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    (server, told["address"].as_str().unwrap().to_owned())
}

/// Server and worker are killed on the way; others go on, and the proof is accepted.
#[test]
fn a_project_is_solved_by_workers_that_are_killed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed-project");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let store = path("record.db");
    let position = "000010211100122210212110200000000000;1";
    json(&[
        "project",
        "create",
        "end",
        "reversi:6x6",
        "--position",
        position,
        "--unit-nodes",
        "20000",
        "--hash",
        "16",
        "--store",
        &store,
    ]);
    let (token, _) = json(&["project", "token", "create", "alice", "--store", &store]);
    let token = token["token"].as_str().unwrap();
    let (server, address) = serve(&store, "127.0.0.1:0");
    let (one, two) = (path("one"), path("two"));
    let worker = |folder: &str| start(&["worker", &address, "--token", token, "--folder", folder]);
    let (first, second) = (worker(&one), worker(&two));
    let status = || json(&["project", "status", "end", "--store", &store]).0;
    let wait = |is_so: &dyn Fn(&Value) -> bool| {
        let began = Instant::now();
        while !is_so(&status()) {
            assert!(began.elapsed() < Duration::from_secs(150), "{}", status());
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    wait(&|status| status["units"]["done"].as_u64() > Some(3));
    drop((server, first));
    let (_server, again) = serve(&store, address.strip_prefix("http://").unwrap());
    assert_eq!(again, address);
    let _first = worker(&one);
    wait(&|status| status["state"] == "solved");
    drop(second);
    let status = status();
    assert_eq!((&status["lower"], &status["upper"]), (&json!(-26), &json!(-26)));
    assert_eq!((&status["proved"], &status["certified"]), (&json!(true), &json!(true)));
    json(&["project", "export", "end", &path("proof"), "--store", &store]);
    assert_eq!(json(&["verify", &path("proof")]).0["proved"], true);

    // What cannot be is said in one line.
    for (arguments, why) in [
        (&["project", "status", "other", "--store", &store][..], "there is no project other"),
        (&["project", "resume", "end", "--store", &store], "project end is solved, and stays so"),
        (&["project", "serve", "--door-only", "--store", &store], "needs a record in PostgreSQL"),
        (&["worker", &address, "--token", "", "--folder", &one], "the token is empty"),
        (&["worker", "http://example.org", "--token", "x", "--folder", &one], "https"),
    ] {
        let ran = zermelo(arguments);
        assert!(ran.code != Some(0) && ran.err.contains(why), "{ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    }
}
