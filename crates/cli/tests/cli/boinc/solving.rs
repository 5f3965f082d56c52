//! Several volunteers solve a game, and the proof is accepted.

use serde_json::json as expect;

use super::client::wait_until;
use super::project::Volunteering;
use crate::support::json;

/// Three volunteers from three networks; two have to agree, and new ones may decide.
const STRANGERS: [&str; 6] =
    ["--quorum", "2", "--established-results", "0", "--established-days", "0"];

/// Solves a project, and has its proof verified.
fn solve(name: &str, create: &[&str], value: i32) {
    let mut project = Volunteering::new(name, &[create, &STRANGERS].concat());
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
        volunteers.iter().for_each(|one| one.client.update(&project.url));
        std::thread::sleep(std::time::Duration::from_secs(2));
    }
    let status = project.status();
    assert_eq!((&status["lower"], &status["upper"]), (&expect!(value), &expect!(value)));
    assert_eq!((&status["proved"], &status["certified"]), (&expect!(true), &expect!(true)));
    let proof = project.path("proof");
    project.stored(&["project", "export", "it", &proof]);
    assert_eq!(json(&["verify", &proof]).0["proved"], true);
    for one in &volunteers {
        wait_until("credit", || one.account().credit.total > 0);
        assert_eq!(one.user().invalid, 0);
    }
}

#[test]
#[ignore = "several minutes: units of seconds, and the client asks every few seconds"]
fn three_volunteers_solve_reversi_4x4() {
    solve("boinc-small", &["reversi:4x4", "--unit-nodes", "20000"], -8);
}

#[test]
#[ignore = "several minutes: units of seconds, and the client asks every few seconds"]
fn three_volunteers_solve_an_endgame_of_6x6() {
    let position = "000010211100122210212110200000000000;1";
    let create = ["reversi:6x6", "--position", position, "--unit-nodes", "2000000"];
    solve("boinc-endgame", &create, -26);
}
