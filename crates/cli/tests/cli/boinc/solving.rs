//! Several volunteers solve a game, and the proof is accepted.

use serde_json::json as expect;

use super::project::{Volunteer, Volunteering};
use crate::support::json;

/// Has three volunteers solve a project and prove the answer; whatever each of them says, the proof
/// is verified.
fn solve(name: &str, create: &[&str], value: i32) {
    let mut project = Volunteering::new(name, create);
    project.serving = ["--threads", "0"].map(str::to_owned).to_vec();
    project.serve();
    let volunteers = [1, 2, 3].map(|nth| project.client(&format!("volunteer-{nth}"), nth));
    let mut waits = 0;
    loop {
        let status = project.status();
        if status["state"] == "solved" {
            break;
        }
        waits += 1;
        assert!(waits < 600, "{status}");
        volunteers.iter().for_each(Volunteer::update);
        std::thread::sleep(std::time::Duration::from_secs(2));
    }
    let status = project.status();
    assert_eq!((&status["lower"], &status["upper"]), (&expect!(value), &expect!(value)));
    assert_eq!((&status["proved"], &status["certified"]), (&expect!(true), &expect!(true)));
    let proof = project.path("proof");
    project.stored(&["project", "export", "it", &proof]);
    assert_eq!(json(&["verify", &proof]).0["proved"], true);
    let users = volunteers.each_ref().map(Volunteer::user);
    assert!(users.iter().all(|user| user.invalid == 0), "{users:?}");
    assert!(users.iter().filter(|user| user.valid > 0).count() > 1, "{users:?}");
}

#[test]
#[ignore = "several minutes: units of seconds, and the client asks every few seconds"]
fn three_volunteers_solve_reversi_4x4() {
    solve("boinc-small", &["reversi:4x4", "--unit-nodes", "200000"], -8);
}

#[test]
#[ignore = "several minutes: units of seconds, and the client asks every few seconds"]
fn three_volunteers_solve_an_endgame_of_6x6() {
    let position = "000010211100122210212110200000000000;1";
    let create = ["reversi:6x6", "--position", position, "--unit-nodes", "400000"];
    solve("boinc-endgame", &create, -26);
}
