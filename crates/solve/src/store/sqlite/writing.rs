//! A batch, as rows.

use rusqlite::{Connection, params};

use super::{EXPIRED, HEARD, JUDGED};
use crate::coordinator::{AttemptVerdict, Batch, Fact, JudgedAttempt, NodeLemma, NodeRow};
use crate::store::schema::{moves_bytes, state_bytes};

pub(super) fn write(
    connection: &Connection,
    batch: &Batch,
    seconds: f64,
    keeps_votes: bool,
) -> rusqlite::Result<()> {
    let prepare = |text| connection.prepare_cached(text);
    write_nodes(connection, &batch.nodes)?;
    let mut facts = prepare("INSERT OR IGNORE INTO facts VALUES (?1, ?2, ?3, ?4)")?;
    for fact in &batch.facts {
        let Fact { name, question, proved, unit, .. } = fact;
        let holds = question.holds(*proved);
        facts.execute(params![name.as_bytes(), question.at_least, holds, unit.number as i64])?;
    }
    let mut units = prepare("INSERT INTO units VALUES (?1, ?2, 1, ?3, 1)")?;
    for new in &batch.units {
        units.execute(params![new.unit.id.number as i64, new.unit.encode(), new.trusted_only])?;
    }
    let mut again = prepare("UPDATE units SET wanted = ?2, trusted_only = ?3 WHERE number = ?1")?;
    for more in &batch.again {
        again.execute(params![more.unit.number as i64, more.wanted, more.trusted_only])?;
    }
    let mut withdraw = prepare("UPDATE units SET open = 0 WHERE number = ?1")?;
    for unit in &batch.withdrawn {
        withdraw.execute([unit.number as i64])?;
    }
    let mut heard = prepare("UPDATE attempts SET state = ?3 WHERE unit = ?1 AND attempt = ?2")?;
    for &(unit, attempt) in &batch.heard {
        heard.execute(params![unit.number as i64, attempt, HEARD])?;
    }
    for judged in &batch.judged {
        write_judged(connection, judged, keeps_votes)?;
    }
    let mut banned = prepare(
        "INSERT INTO users VALUES (?1, 0, 0, unixepoch(), 1, 0, 0)
         ON CONFLICT (user) DO UPDATE SET banned = 1",
    )?;
    for &user in &batch.banned {
        banned.execute([user as i64])?;
    }
    let mut attempts = prepare("DELETE FROM attempts WHERE unit = ?1 AND state IN (?2, ?3)")?;
    let mut done = prepare(
        "DELETE FROM units WHERE number = ?1
         AND NOT EXISTS (SELECT 1 FROM attempts WHERE unit = ?1)",
    )?;
    for unit in &batch.done {
        withdraw.execute([unit.number as i64])?;
        attempts.execute(params![unit.number as i64, JUDGED, EXPIRED])?;
        done.execute([unit.number as i64])?;
    }
    let mut lemmas = prepare("INSERT OR REPLACE INTO lemmas VALUES (?1, ?2, ?3, ?4)")?;
    for NodeLemma { name, at_least, holds, hash } in &batch.lemmas {
        lemmas.execute(params![name.as_bytes(), at_least, holds, hash.0])?;
    }
    let mut log = prepare("INSERT INTO log (batch, line) VALUES (?1, ?2)")?;
    for line in &batch.log {
        log.execute(params![batch.number as i64, line])?;
    }
    let mut project =
        prepare("UPDATE project SET next_number = ?1, batches = ?2, nodes = ?3, seconds = ?4")?;
    project.execute(params![
        batch.next_number as i64,
        batch.number as i64,
        batch.spent as i64,
        seconds
    ])?;
    Ok(())
}

pub(super) fn write_nodes(connection: &Connection, rows: &[NodeRow]) -> rusqlite::Result<()> {
    let mut nodes = connection.prepare_cached(
        "INSERT INTO nodes VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET
         state = excluded.state, moves = coalesce(excluded.moves, moves)",
    )?;
    for row in rows {
        let moves = row.order.as_ref().map(|order| moves_bytes(&row.name, order));
        nodes.execute(params![row.name.as_bytes(), state_bytes(row), moves])?;
    }
    Ok(())
}

fn write_judged(
    connection: &Connection,
    judged: &JudgedAttempt,
    keeps_votes: bool,
) -> rusqlite::Result<()> {
    let &JudgedAttempt { unit, attempt, user, verdict, credit, checked } = judged;
    let mut attempts = connection.prepare_cached(
        "UPDATE attempts SET state = ?3, report = NULL WHERE unit = ?1 AND attempt = ?2",
    )?;
    attempts.execute(params![unit.number as i64, attempt, JUDGED])?;
    if !keeps_votes {
        return Ok(());
    }
    let mut votes =
        connection.prepare_cached("INSERT OR IGNORE INTO votes VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let kept = votes.execute(params![
        unit.number as i64,
        attempt,
        user as i64,
        verdict as i64,
        credit as i64
    ])?;
    // Credit is granted once.
    if kept == 1 {
        let mut users = connection.prepare_cached(
            "INSERT INTO users VALUES (?1, ?2, ?3, unixepoch(), 0, ?4, ?5)
             ON CONFLICT (user) DO UPDATE SET valid = valid + ?2, invalid = invalid + ?3,
             credit = credit + ?4, checked = checked + ?5",
        )?;
        let (valid, invalid) =
            (verdict == AttemptVerdict::Valid, verdict == AttemptVerdict::Invalid);
        users.execute(params![user as i64, valid, invalid, credit as i64, checked && valid])?;
    }
    Ok(())
}
