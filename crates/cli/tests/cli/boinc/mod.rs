//! Volunteers with the real BOINC client of Debian, on this machine alone: from the address of a
//! project to credit, and everything that can go wrong on the way.
#![allow(clippy::print_stderr, reason = "read by whoever runs it")]

mod client;
mod faults;
mod project;
mod relay;
mod solving;
mod wire;

use client::wait_until;
use project::Volunteering;

/// Some seconds of work, in positions.
const SECONDS: u64 = 30_000_000;

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
