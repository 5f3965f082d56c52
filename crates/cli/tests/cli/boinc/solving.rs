//! Several volunteers solve a game, and the proof is accepted.

use std::time::Duration;

use serde_json::json as expect;

use super::SECONDS;
use super::project::{Volunteer, Volunteering};
use crate::support::json;

/// An ending of 6x6 whose value is known.
const ENDING: [&str; 5] = [
    "reversi:6x6",
    "--position",
    "000010211100122210212110200000000000;1",
    "--unit-nodes",
    "400000",
];
const VALUE: i32 = -26;

/// Has volunteers ask for work until something is so.
fn work_until(
    project: &Volunteering,
    volunteers: &[Volunteer],
    is_so: impl Fn(&serde_json::Value) -> bool,
) {
    for _ in 0..600 {
        let status = project.status();
        if is_so(&status) {
            return;
        }
        volunteers.iter().for_each(Volunteer::update);
        std::thread::sleep(Duration::from_secs(2));
    }
    panic!("it does not come: {}", project.status());
}

/// Has them solve the project and prove the answer; whatever each of them says, the proof is
/// verified.
fn solve(project: &Volunteering, volunteers: &[Volunteer], value: i32) {
    work_until(project, volunteers, |status| status["state"] == "solved");
    let status = project.status();
    assert_eq!((&status["lower"], &status["upper"]), (&expect!(value), &expect!(value)));
    assert_eq!((&status["proved"], &status["certified"]), (&expect!(true), &expect!(true)));
    let proof = project.path("proof");
    project.stored(&["project", "export", "it", &proof]);
    assert_eq!(json(&["verify", &proof]).0["proved"], true);
    let users: Vec<_> = volunteers.iter().map(Volunteer::user).collect();
    assert!(users.iter().all(|user| user.invalid == 0), "{users:?}");
    assert!(users.iter().filter(|user| user.valid > 0).count() > 1, "{users:?}");
}

fn three(project: &Volunteering) -> [Volunteer; 3] {
    [1, 2, 3].map(|nth| project.client(&format!("volunteer-{nth}"), nth))
}

#[test]
#[ignore = "takes 2 minutes: units of seconds, and the client asks every few seconds"]
fn three_volunteers_solve_reversi_4x4() {
    let mut project = Volunteering::new("boinc-small", &["reversi:4x4", "--unit-nodes", "200000"]);
    project.serve_without_threads();
    solve(&project, &three(&project), -10);
}

#[test]
#[ignore = "takes 5 minutes: units of seconds, and the client asks every few seconds"]
fn three_volunteers_solve_an_endgame_of_6x6() {
    let mut project = Volunteering::new("boinc-endgame", &ENDING);
    project.serve_without_threads();
    solve(&project, &three(&project), VALUE);
}

/// Nobody but two volunteers works: what both say is believed and paid.
#[test]
#[ignore = "takes 2 minutes: two clients compute the same units"]
fn two_volunteers_believe_each_other() {
    let mut project = Volunteering::large("boinc-quorum", SECONDS);
    project.serve_without_threads();
    let volunteers = [1, 2].map(|nth| project.client(&format!("volunteer-{nth}"), nth));
    let votes = rusqlite::Connection::open(&project.store).unwrap();
    let together = || -> i64 {
        let select = "SELECT count(*) FROM (SELECT unit FROM votes WHERE verdict IN (0, 4)
                      GROUP BY unit HAVING count(DISTINCT user_id) > 1 AND max(trusted) = 0)";
        votes.query_row(select, [], |row| row.get(0)).unwrap()
    };
    work_until(&project, &volunteers, |_| together() > 0);
    let is_paid = |one: &Volunteer| one.account().credit.total > 0;
    work_until(&project, &volunteers, |_| volunteers.iter().all(is_paid));
}
