//! Volunteers with the real BOINC client of Debian, on this machine alone: from the address of a
//! project to credit, and everything that can go wrong on the way.
#![allow(clippy::print_stderr, reason = "read by whoever runs it")]

mod client;
mod faults;
mod project;
mod relay;
mod solving;
mod wire;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use client::wait_until;
use project::Volunteering;

use crate::support::json;

/// Some seconds of work, in positions.
const SECONDS: u64 = 30_000_000;

/// The projects of `examples/projects` are made as their scripts say.
#[test]
fn ready_projects_are_made() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("boinc-ready");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let store = folder.join("record.db").to_str().unwrap().to_owned();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/projects");
    for (name, game, question) in
        [("reversi-8x8", "reversi:8x8", "outcome"), ("go-7x7", "go:7x7", "value")]
    {
        let mut script = Command::new("sh");
        script.arg(scripts.join(format!("{name}.sh"))).args(["--store", &store, "--quiet"]);
        script.env("ZERMELO", env!("CARGO_BIN_EXE_zermelo"));
        assert!(script.status().unwrap().success());
        let (status, _) = json(&["project", "status", name, "--store", &store]);
        let told = (&status["game"], &status["question"], &status["quorum"]);
        assert_eq!(told, (&game.into(), &question.into(), &2.into()), "{status}");
    }
}

#[test]
fn accounts_and_notices_are_made_by_commands() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("boinc-accounts");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let store = folder.join("record.db").to_str().unwrap().to_owned();
    json(&["project", "create", "it", "reversi:4x4", "--store", &store]);
    let account = |email| json(&["project", "account", "create", email, "--store", &store]).0;
    let made = account("ann@example.org");
    let key = made["authenticator"].as_str().unwrap().to_owned();
    assert!(key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    assert_eq!(account("Ann@Example.org"), made, "an address is one account");
    assert_ne!(account("bob@example.org"), made);
    let record = cluster::ClusterRecord::open(&store).unwrap();
    assert_eq!(record.account(&key).unwrap().unwrap().shown, "ann");
    json(&["project", "notice", "A title", "Some words", "--store", &store]);
    let notices = record.notices(10).unwrap();
    assert_eq!((notices.len(), &*notices[0].title), (1, "A title"));
}

#[test]
fn a_volunteer_attaches_computes_checkpoints_uploads_and_gets_credit() {
    let mut project = Volunteering::large("boinc-first", SECONDS);
    project.serve();
    let anna = project.client("anna", 1);
    wait_until("a checkpoint", || {
        anna.update();
        anna.client.log().contains("checkpointed")
    });
    wait_until("a report that is paid", || {
        anna.update();
        anna.results().iter().any(|result| result.credit > 0)
    });
    wait_until("credit", || anna.account().credit.total > 0);
    let log = anna.client.log();
    for step in ["Started download of zermelo_", "Starting task unit_", "Finished upload of unit_"]
    {
        assert!(log.contains(step), "{step}: {log}");
    }
    // The volunteer sees it, too.
    wait_until("the client hears of its credit", || {
        anna.client.update(&project.url);
        let status = anna.client.command(&["--get_project_status"]).unwrap_or_default();
        let credit =
            status.lines().find_map(|line| line.trim().strip_prefix("user_total_credit: "));
        credit.is_some_and(|credit| credit.parse::<f64>().is_ok_and(|credit| credit > 0.0))
    });
    assert_eq!(anna.user().invalid + anna.user().failed, 0);
}
