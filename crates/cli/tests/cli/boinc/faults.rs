//! What goes wrong at volunteers and at the server, with the real client.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;
use std::time::Duration;

use cluster::record::{ResultOutcome, VolunteerResult};
use serde_json::json as expect;

use super::SECONDS;
use super::client::wait_until;
use super::project::{PROGRAM, Volunteer, Volunteering, volunteer_program};
use crate::support::json;

/// Five to ten seconds of work, in positions.
const LONGER: u64 = 100_000_000;

/// Waits until a task runs and has a checkpoint; its name.
fn running(one: &Volunteer) -> String {
    let mut found = None;
    wait_until("a task with a checkpoint", || {
        one.update();
        let tasks = one.client.tasks();
        found = tasks.into_iter().find(|task| task.is_running() && task.checkpoint > 0.0);
        found.is_some()
    });
    found.unwrap().name
}

/// Waits for the verdict on a result; whether it is paid.
fn is_valid(one: &Volunteer, name: &str) -> bool {
    let mut found = None;
    wait_until("a verdict", || {
        one.client.command(&["--network_available"]);
        one.update();
        let mut results = one.results().into_iter();
        found = results.find(|result| result.name == name && result.verdict.is_some());
        found.is_some()
    });
    found.unwrap().credit > 0
}

/// What the program has said about a result that was reported.
fn words(project: &Volunteering, name: &str) -> String {
    let read = rusqlite::Connection::open(&project.store).unwrap();
    let select = "SELECT words FROM volunteer_results WHERE name = ?1";
    read.query_row(select, [name], |row| row.get(0)).unwrap()
}

#[test]
#[ignore = "takes 2 minutes: a unit is killed on the way, twice"]
fn killed_programs_and_clients_go_on_from_the_checkpoint() {
    let mut project = Volunteering::large("boinc-killed", LONGER);
    project.serve();
    let mut anna = project.client("anna", 1);
    let name = running(&anna);
    assert_eq!(anna.client.kill_programs(), 1);
    wait_until("it runs again", || !anna.client.programs().is_empty());
    assert_eq!(running(&anna), name);
    anna.client.kill();
    wait_until("the program sees that the client is gone", || anna.client.programs().is_empty());
    anna.client.go_on();
    wait_until("it runs again", || !anna.client.programs().is_empty());
    assert!(is_valid(&anna, &name));
    let words = words(&project, &name);
    assert!(words.contains("goes on, a client"), "{words}");
}

#[test]
#[ignore = "takes 2 minutes: a unit rests on the way"]
fn a_suspended_task_rests_and_is_valid_in_the_end() {
    let mut project = Volunteering::large("boinc-suspended", LONGER);
    project.serving = ["--boinc-trickle", "1"].map(str::to_owned).to_vec();
    project.serve();
    let anna = project.client("anna", 1);
    let name = running(&anna);
    // The program has told how far it is, and the client has passed it on.
    let progress = || project.record.volunteer_result(&name).unwrap().unwrap().progress;
    wait_until("the server hears of progress", || progress().is_some_and(|done| done > 0.0));
    anna.client.command(&["--task", &project.url, &name, "suspend"]).unwrap();
    let task = || anna.client.tasks().into_iter().find(|task| task.name == name).unwrap();
    wait_until("it is suspended", || task().state == "SUSPENDED");
    sleep(Duration::from_secs(2));
    let before = task().fraction;
    sleep(Duration::from_secs(4));
    assert_eq!(task().fraction.to_bits(), before.to_bits());
    anna.client.command(&["--task", &project.url, &name, "resume"]).unwrap();
    wait_until("it goes on", || task().fraction > before);
    assert!(is_valid(&anna, &name));
}

#[test]
#[ignore = "takes 1 minute: the server is away for a while"]
fn a_server_that_is_killed_takes_what_was_computed_meanwhile() {
    let mut project = Volunteering::large("boinc-away", SECONDS);
    project.serve();
    let anna = project.client("anna", 1);
    let name = running(&anna);
    project.kill_server();
    let finished = format!("Computation for task {name} finished");
    wait_until("it is computed", || anna.client.log().contains(&finished));
    project.serve();
    assert!(is_valid(&anna, &name));
}

#[test]
fn a_program_that_was_changed_on_the_server_is_refused_by_the_client() {
    let mut project = Volunteering::large("boinc-tampered", SECONDS);
    // Whoever breaks in can change everything but the signature.
    let mut bytes = fs::read(volunteer_program()).unwrap();
    bytes.extend(b"something evil");
    let md5 = cluster::boinc::md5_text(&bytes);
    let changed = rusqlite::Connection::open(&project.store).unwrap();
    let set = "UPDATE app_versions SET bytes = ?1, md5 = ?2, size = ?3";
    assert_eq!(changed.execute(set, rusqlite::params![bytes, md5, bytes.len() as i64]).unwrap(), 1);
    drop(changed);
    project.serve_without_threads();
    let anna = project.client("anna", 1);
    wait_until("it is reported", || {
        anna.update();
        anna.results().iter().any(|result| result.reported.is_some())
    });
    let reported = anna.results().into_iter().find(|result| result.reported.is_some()).unwrap();
    let words = words(&project, &reported.name);
    assert!(words.contains("RSA key check failed"), "{words}");
    assert!(!anna.client.log().contains("Starting task"), "{}", anna.client.log());
    assert_eq!(anna.account().credit.total, 0);
}

/// Does the work, and then says the opposite, or more than it knows.
const LIAR: &str = r#"#!/usr/bin/env python3
import os, re, subprocess, sys, zlib
subprocess.run(["PROGRAM"] + sys.argv[1:], check=True)
link = open("report").read()
path = re.search("<soft_link>(.*)</soft_link>", link).group(1)
body = open(path, "rb").read()[:-4]
def number(at):
    while body[at] >= 128: at += 1
    return at + 1
# Magic, version, unit, hash, attempt, and then the finding: 0 proved, 1 refuted, 2 open.
at = 5
for _ in range(3): at = number(at)
at = number(at + 16)
lie = bytes([1]) if body[at] == 0 else bytes([0])
rest = body[at + 1:]
# Proved after 7 positions in one sub-job, which has an answer, 7 positions, no order and no moves.
if body[at] > 1: rest = bytes([7, 1, 1, 7, 0, 0, 0, 0])
body = body[:at] + lie + rest
open(path, "wb").write(body + zlib.crc32(body).to_bytes(4, "little"))
"#;

#[test]
#[ignore = "takes 1 minute: the server finds out what a liar says"]
fn a_liar_gets_no_credit_and_what_it_says_is_not_believed() {
    let mut project = Volunteering::large("boinc-liar", SECONDS);
    let honest = fs::read(volunteer_program()).unwrap();
    project.serve();
    let liar = project.client("liar", 3);
    // Its signature is looked at when it comes, and not again.
    wait_until("the program runs", || {
        liar.update();
        liar.client.log().contains("Starting task")
    });
    let place = format!("projects/127.0.0.1_{}/{PROGRAM}", project.port);
    let place = liar.client.folder().join(place);
    // The client looks at the size again before it starts a program, and at nothing else.
    let mut script = LIAR.replace("PROGRAM", volunteer_program().to_str().unwrap()).into_bytes();
    script.push(b'#');
    script.resize(honest.len(), b'#');
    fs::remove_file(&place).unwrap();
    fs::write(&place, script).unwrap();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    let begun = || -> Vec<String> {
        let log = liar.client.log();
        let name = |line: &str| Some(line.split_once("Starting task ")?.1.trim().to_owned());
        log.lines().filter_map(name).collect()
    };
    let honest = begun();
    let lies = || {
        let results = liar.results().into_iter();
        results.filter(|result| !honest.contains(&result.name)).collect::<Vec<_>>()
    };
    wait_until("a lie is seen", || {
        liar.update();
        let lies = lies();
        let is_read = |result: &VolunteerResult| result.outcome != Some(ResultOutcome::Refused);
        assert!(lies.iter().all(is_read), "a lie, and no nonsense: {lies:?}");
        lies.iter().any(|result| result.verdict == Some(1))
    });
    let log = project.log();
    // By a spot check, or by what the server's own thread has found.
    let ways = ["is wrong about a sub-job that was done again", "reports what others do not"];
    assert!(ways.iter().any(|way| log.contains(way)), "{log}");
    assert_eq!(project.status()["state"], "running");
    // Nobody answers anything here so soon: every fact would be a lie.
    let read = rusqlite::Connection::open(&project.store).unwrap();
    let facts: i64 = read.query_row("SELECT count(*) FROM facts", [], |row| row.get(0)).unwrap();
    assert_eq!(facts, 0);
    assert!(lies().iter().all(|result| result.credit == 0), "{:?}", lies());
}

#[test]
#[ignore = "takes 1 minute: a program that crashes is tried several times"]
fn a_program_that_crashes_is_set_aside_after_some_attempts() {
    let crash = b"#!/bin/sh\necho something is broken >&2\nexit 7\n";
    let mut project = Volunteering::with_program("boinc-crash", &["reversi:6x6"], crash);
    project.serve();
    let volunteers = [1, 2, 3].map(|nth| project.client(&format!("volunteer-{nth}"), nth));
    wait_until("a unit is set aside", || {
        volunteers.iter().for_each(Volunteer::update);
        project.status()["units"]["poison"].as_u64() > Some(0)
    });
    // A failure is in the record before the coordinator has heard of it.
    let failed = || volunteers.iter().map(|one| one.user().failed).sum::<u64>();
    wait_until("the coordinator knows", || failed() >= 3);
    let poisoned = volunteers[0].results()[0].unit;
    // From now on it is for machines of one's own.
    let fourth = project.client("volunteer-4", 4);
    wait_until("there is nothing for anybody else", || {
        fourth.update();
        fourth.client.log().contains("No work is available just now")
    });
    assert!(fourth.results().iter().all(|result| result.unit != poisoned));
    assert!(volunteers.iter().all(|one| one.account().credit.total == 0));
}

#[test]
#[ignore = "takes 2 minutes: a deadline passes"]
fn what_comes_after_its_deadline_is_taken_and_paid() {
    let mut project = Volunteering::large("boinc-late", LONGER);
    let short = ["--boinc-deadline", "30", "--boinc-grace", "1"];
    project.serving = short.map(str::to_owned).to_vec();
    project.serve();
    let anna = project.client("anna", 1);
    let name = running(&anna);
    anna.client.command(&["--task", &project.url, &name, "suspend"]).unwrap();
    let late = project.record.volunteer_result(&name).unwrap().unwrap();
    let attempts = rusqlite::Connection::open(&project.store).unwrap();
    let others = || -> i64 {
        let select = "SELECT count(*) FROM attempts WHERE unit = ?1 AND user_id <> ?2";
        let given = [late.unit.number as i64, late.user as i64];
        attempts.query_row(select, given, |row| row.get(0)).unwrap()
    };
    assert_eq!(others(), 0);
    wait_until("the server's own thread has the unit", || others() > 0);
    anna.client.command(&["--task", &project.url, &name, "resume"]).unwrap();
    assert!(is_valid(&anna, &name));
    wait_until("credit", || anna.account().credit.total > 0);
}

#[test]
#[ignore = "takes 2 minutes: a unit is begun twice"]
fn what_a_client_has_lost_is_sent_again() {
    let mut project = Volunteering::large("boinc-lost", LONGER);
    project.serve();
    let anna = project.client("anna", 1);
    let name = running(&anna);
    anna.client.command(&["--project", &project.url, "reset"]).unwrap();
    wait_until("it has the same task again", || {
        anna.update();
        anna.client.tasks().iter().any(|task| task.name == name && task.is_running())
    });
    assert!(is_valid(&anna, &name));
}

#[test]
#[ignore = "takes 2 minutes: two programs, one after the other"]
fn a_new_key_is_believed_because_the_old_one_has_signed_it() {
    let mut project = Volunteering::large("boinc-keys", SECONDS);
    project.serve();
    let anna = project.client("anna", 1);
    let name = running(&anna);
    let (next, public) = (project.path("next.pem"), project.path("next.pem.pub"));
    json(&["project", "app", "key", "create", &next]);
    json(&["project", "app", "sign", &public, "--key", &project.path("key.pem")]);
    project.stored(&["project", "app", "key", "set", &public]);
    let second = "zermelo_101_x86_64-pc-linux-gnu";
    fs::copy(volunteer_program(), project.path(second)).unwrap();
    json(&["project", "app", "sign", &project.path(second), "--key", &next]);
    project.stored(&["project", "app", "add", &project.path(second), "--supersede"]);
    assert!(is_valid(&anna, &name));
    wait_until("the next program", || {
        anna.update();
        anna.client.log().contains(&format!("Finished download of {second}"))
    });
    let versions = project.stored(&["project", "app", "list"]);
    assert_eq!((&versions[0]["version"], &versions[0]["signed"]), (&expect!(101), &expect!(true)));
    let newest = running(&anna);
    assert!(is_valid(&anna, &newest));
    assert!(!anna.client.log().contains("doesn't validate"), "{}", anna.client.log());
}

#[test]
#[ignore = "takes 2 minutes: two clients on one machine"]
fn a_second_client_of_one_volunteer_is_a_machine_of_its_own() {
    let mut project = Volunteering::large("boinc-two", SECONDS);
    project.serve();
    let one = project.client("one", 1);
    let two = project.client_of("two", &one.authenticator, 1);
    let names = [running(&one), running(&two)];
    for (client, name) in [&one, &two].into_iter().zip(&names) {
        assert!(is_valid(client, name), "{name}");
    }
    let results = one.results();
    let host = |name: &String| results.iter().find(|result| result.name == *name).unwrap().host;
    assert_ne!(host(&names[0]), host(&names[1]));
}
