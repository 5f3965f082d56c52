//! What must hold after a round of faults, by what the relay saw and what the tables say.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::processes::answer;
use super::relay::Delivery;
use super::scene::{LEASE_SECONDS, PROJECT, Scene};

/// A row of `attempts` with its vote.
struct Attempt {
    user: String,
    state: i64,
    digest: String,
    votes: i64,
}

/// The answer is right and proved; nothing acknowledged is lost, nothing counts twice; whoever lies
/// gets nothing.
pub(crate) fn judge(scene: &Scene<'_>, value: i64, liars: &[&str]) {
    let status = scene.status();
    assert_eq!(status["state"], "solved", "{status}");
    assert_eq!((&status["lower"], &status["upper"]), (&value.into(), &value.into()), "{status}");
    assert_eq!(status["certified"], true, "{status}");
    let proof = scene.path("proof");
    answer(&["project", "export", PROJECT, proof.to_str().unwrap(), "--store", &scene.place]);
    assert_eq!(answer(&["verify", proof.to_str().unwrap()])["proved"], true);
    judge_deliveries(scene);
    judge_credit(scene, liars);
    judge_clock(scene);
}

fn rows(scene: &Scene<'_>, statement: &str) -> Vec<Vec<String>> {
    scene.query(statement).unwrap_or_else(|| panic!("the record answers: {statement}"))
}

fn judge_deliveries(scene: &Scene<'_>) {
    let select = "SELECT a.unit, a.attempt, u.name, a.state, coalesce(encode(a.digest, 'hex'), ''),
                      (SELECT count(*) FROM votes v WHERE v.project = a.project
                       AND v.unit = a.unit AND v.attempt = a.attempt AND v.user_id = a.user_id)
                  FROM attempts a JOIN users u ON u.id = a.user_id";
    let attempts: HashMap<(u64, u32), Attempt> = rows(scene, select)
        .into_iter()
        .map(|row| {
            let number = |column: usize| row[column].parse::<i64>().unwrap();
            let attempt = Attempt {
                user: row[2].clone(),
                state: number(3),
                digest: row[4].clone(),
                votes: number(5),
            };
            ((number(0) as u64, number(1) as u32), attempt)
        })
        .collect();
    let seen = scene.relay.seen();
    for delivery in &seen.acknowledged {
        let Delivery { user, unit, attempt, digest, .. } = delivery;
        let what = format!("{user}'s delivery of {unit}, attempt {attempt}");
        let found = attempts.get(&(unit.number, *attempt));
        let found = found.unwrap_or_else(|| panic!("{what} is lost"));
        assert_eq!(&found.user, user, "{what} counts for somebody else");
        assert_eq!(found.digest, format!("{digest:032x}"), "{what} is not what was sent");
        let is_there = [2, 3, 4, 6].contains(&found.state);
        assert!(is_there, "{what} is not there: state {}", found.state);
        // What came to nothing has its vote, what waits for others has none yet.
        let is_judged = [3, 6].contains(&found.state);
        assert_eq!(found.votes, i64::from(is_judged), "votes of {what}, state {}", found.state);
    }
    let sent: HashSet<(u64, u32)> =
        seen.sent.iter().map(|delivery| (delivery.unit.number, delivery.attempt)).collect();
    for (key, found) in attempts.iter().filter(|(_, found)| found.votes > 0) {
        let is_own = !scene.workers.iter().any(|worker| worker.user == found.user);
        assert!(is_own || sent.contains(key), "{key:?} has a vote, and nobody sent it");
    }
}

fn judge_credit(scene: &Scene<'_>, liars: &[&str]) {
    let select = "SELECT u.name, r.valid, r.invalid, r.failed, r.credit,
                      count(*) FILTER (WHERE v.verdict = 0), count(*) FILTER (WHERE v.verdict = 1),
                      count(*) FILTER (WHERE v.verdict = 2), coalesce(sum(v.credit), 0)
                  FROM user_records r JOIN users u ON u.id = r.user_id
                  LEFT JOIN votes v ON v.project = r.project AND v.user_id = r.user_id
                  GROUP BY u.name, r.valid, r.invalid, r.failed, r.credit";
    for row in rows(scene, select) {
        assert_eq!(row[1..5], row[5..9], "{} is not counted vote by vote", row[0]);
        if liars.contains(&&*row[0]) {
            assert_eq!((&*row[1], &*row[4]), ("0", "0"), "{} is paid for lies", row[0]);
        }
    }
    // Nobody is paid for a unit twice.
    let twice = "SELECT unit, user_id FROM votes WHERE credit > 0
                 GROUP BY project, unit, user_id HAVING count(*) > 1";
    assert_eq!(rows(scene, twice), Vec::<Vec<String>>::new(), "units paid twice to one user");
}

/// Leases last as long as the database's clock says, whatever time it is elsewhere.
fn judge_clock(scene: &Scene<'_>) {
    let select = format!(
        "SELECT count(*) FROM attempts, (SELECT extract(epoch FROM clock_timestamp()) AS now) clock
         WHERE since > now + 1 OR since < now - 3600 OR until > now + {} OR delivered > now + 1",
        LEASE_SECONDS + 1
    );
    assert_eq!(rows(scene, &select), [["0"]], "leases by another clock");
}

/// The audit log, one line each.
pub(crate) fn log(scene: &Scene<'_>) -> Vec<String> {
    let most = "1000000";
    let log = answer(&["project", "log", PROJECT, "--store", &scene.place, "--most", most]);
    let line = |line: &Value| line["line"].as_str().unwrap().to_owned();
    log.as_array().unwrap().iter().map(line).collect()
}

/// Servers and workers say one line for one thing, and never broke down.
pub(crate) fn judge_notes(scene: &Scene<'_>) {
    let logs = scene.logs();
    assert!(!logs.contains("panicked"), "{logs}");
    let notes = logs.lines().filter(|line| !line.is_empty() && !line.ends_with(".log:"));
    for note in notes {
        assert!(note.starts_with("zermelo: "), "no line of its own: {note:?}\n{logs}");
    }
}
