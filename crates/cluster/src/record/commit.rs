//! A [`Batch`] as statements, inside of one transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use solve::NodeName;
use solve::coordinator::{AttemptVerdict, Batch, NodeLemma, NodeRow};
use solve::store::rows;

use super::attempt_state::{HEARD, JUDGED};
use super::count_waiting;
use super::error::RecordError;
use super::link::{Link, Tuple, tuple};
use super::store::{fact_checksum, lock_units};

/// All but the project's own row, which is locked.
pub(super) fn write(
    link: &mut dyn Link,
    project: u32,
    batch: &Batch,
    daily: u32,
) -> Result<(), RecordError> {
    lock_units(link, project, &touched(batch))?;
    write_nodes(link, project, &batch.nodes)?;
    write_units(link, project, batch)?;
    let heard = batch.heard.iter().map(|&(unit, attempt)| tuple![project, unit.number, attempt]);
    link.execute_of(SET_HEARD, &heard.collect::<Vec<_>>())?;
    write_facts(link, project, batch)?;
    write_judged(link, project, batch, daily)?;
    write_bans(link, project, &batch.banned)?;
    let log = batch.log.iter().map(|line| tuple![project, batch.number, line.as_str()]);
    link.execute_of(
        "WITH given (project, batch, line) AS ({rows short int text})
         INSERT INTO log (project, batch, made, line)
         SELECT project, batch, {now}, line FROM given",
        &log.collect::<Vec<_>>(),
    )
}

/// How the project stands now.
pub(super) fn write_project(
    link: &mut dyn Link,
    project: u32,
    batch: &Batch,
    seconds: f64,
    root: Option<&NodeName>,
) -> Result<(), RecordError> {
    let done = batch.done.len() as u64;
    link.execute(
        "UPDATE projects SET next_number = $2, batches = $3, nodes = $4, seconds = $5,
         done = done + $6, beat = {now} WHERE id = $1",
        &tuple![project, batch.next_number, batch.number, batch.spent, seconds, done],
    )?;
    let lemmas: Vec<_> = batch
        .lemmas
        .iter()
        .map(|NodeLemma { name, at_least, holds, hash }| {
            tuple![project, name.as_bytes(), *at_least, *holds, &hash.0[..]]
        })
        .collect();
    link.execute_of(
        "INSERT INTO node_lemmas (project, name, at_least, holds, hash)
         {rows short bytes short flag bytes} ON CONFLICT (project, name, at_least, holds)
         DO UPDATE SET hash = excluded.hash",
        &lemmas,
    )?;
    let bounds = root.and_then(|root| batch.nodes.iter().find(|row| row.name == *root));
    if let Some(NodeRow { bounds, .. }) = bounds {
        link.execute(
            "UPDATE projects SET lower_bound = $2, upper_bound = $3 WHERE id = $1",
            &tuple![project, bounds.lower, bounds.upper],
        )?;
    }
    Ok(())
}

/// Units that are there already and of which the batch says something.
fn touched(batch: &Batch) -> Vec<u64> {
    let again = batch.again.iter().map(|again| again.unit.number);
    let ended = batch.withdrawn.iter().chain(&batch.done).map(|unit| unit.number);
    let heard = batch.heard.iter().map(|(unit, _)| unit.number);
    let judged = batch.judged.iter().map(|judged| judged.unit.number);
    again.chain(ended).chain(heard).chain(judged).collect()
}

fn write_nodes(link: &mut dyn Link, project: u32, nodes: &[NodeRow]) -> Result<(), RecordError> {
    link.execute_of(
        "INSERT INTO nodes (project, name, state, moves) {rows short bytes bytes bytes}
         ON CONFLICT (project, name) DO UPDATE SET
         state = excluded.state, moves = coalesce(excluded.moves, nodes.moves)",
        &node_tuples(project, nodes),
    )
}

/// The same for nodes that nobody has worked at: what is there already is known better.
pub(super) fn insert_nodes(
    link: &mut dyn Link,
    project: u32,
    nodes: &[NodeRow],
) -> Result<(), RecordError> {
    link.execute_of(
        "INSERT INTO nodes (project, name, state, moves) {rows short bytes bytes bytes}
         ON CONFLICT (project, name) DO UPDATE SET
         moves = coalesce(nodes.moves, excluded.moves)",
        &node_tuples(project, nodes),
    )
}

/// One statement takes a row once: the last word counts, and an order if there was one.
fn node_tuples(project: u32, nodes: &[NodeRow]) -> Vec<Tuple> {
    let mut at: HashMap<&NodeName, usize> = HashMap::with_capacity(nodes.len());
    let mut given: Vec<Tuple> = Vec::with_capacity(nodes.len());
    for row in nodes {
        let moves = row.order.as_ref().map(|order| rows::moves_bytes(&row.name, order));
        let mut tuple = tuple![project, row.name.as_bytes(), rows::state_bytes(row), moves];
        match at.get(&row.name) {
            Some(&before) => {
                if row.order.is_none() {
                    tuple.0.swap_remove(3);
                    tuple.0.extend(given[before].0.pop());
                }
                given[before] = tuple;
            }
            None => {
                at.insert(&row.name, given.len());
                given.push(tuple);
            }
        }
    }
    given
}

fn write_units(link: &mut dyn Link, project: u32, batch: &Batch) -> Result<(), RecordError> {
    let new = batch.units.iter().map(|new| {
        let unit = &new.unit;
        tuple![
            project,
            unit.id.number,
            unit.id.incarnation,
            unit.encode(),
            unit.solver.0,
            unit.table_megabytes,
            new.trusted_only,
        ]
    });
    link.execute_of(
        "WITH given (project, number, incarnation, unit, solver, megabytes, trusted_only)
         AS ({rows short int int bytes int int flag})
         INSERT INTO units (project, number, incarnation, unit, solver, megabytes, wanted, waiting,
             trusted_only, open, created)
         SELECT project, number, incarnation, unit, solver, megabytes, 1, 1, trusted_only, 1, {now}
         FROM given",
        &new.collect::<Vec<_>>(),
    )?;
    let again = batch.again.iter().map(|again| {
        (
            (project, again.unit.number),
            tuple![project, again.unit.number, again.wanted, again.trusted_only],
        )
    });
    // The last word counts.
    let again: BTreeMap<(u32, u64), Tuple> = again.collect();
    let (numbers, again): (Vec<_>, Vec<_>) = again.into_iter().unzip();
    link.execute_of(
        "WITH given (project, number, wanted, trusted_only) AS ({rows short int int flag})
         UPDATE units SET wanted = given.wanted, trusted_only = given.trusted_only
         FROM given WHERE units.project = given.project AND units.number = given.number",
        &again,
    )?;
    count_waiting(link, &numbers)?;
    let ended: BTreeSet<u64> =
        batch.withdrawn.iter().chain(&batch.done).map(|unit| unit.number).collect();
    let ended: Vec<_> = ended.into_iter().map(|number| tuple![project, number]).collect();
    link.execute_of(
        "WITH given (project, number) AS ({rows short int})
         UPDATE units SET open = 0, closed = coalesce(closed, {now})
         FROM given WHERE units.project = given.project AND units.number = given.number",
        &ended,
    )
}

const SET_HEARD: &str = "WITH given (project, unit, attempt) AS ({rows short int int})
    UPDATE attempts SET state = 4 FROM given WHERE attempts.project = given.project
    AND attempts.unit = given.unit AND attempts.attempt = given.attempt AND attempts.state = 2";
const _: () = assert!(HEARD == 4);

fn write_facts(link: &mut dyn Link, project: u32, batch: &Batch) -> Result<(), RecordError> {
    let facts = batch.facts.iter().map(|fact| {
        let (at_least, holds) = (fact.question.at_least, fact.question.holds(fact.proved));
        let unit = fact.unit.number;
        let checksum = fact_checksum(&fact.name, at_least, holds, unit);
        tuple![project, fact.name.as_bytes(), at_least, holds, unit, checksum]
    });
    link.execute_of(
        "WITH given (project, name, at_least, holds, unit, checksum)
         AS ({rows short bytes short flag int int})
         INSERT INTO facts (project, name, at_least, holds, unit, users, trusted, checksum)
         SELECT project, name, at_least, holds, unit, 0, 0, checksum FROM given WHERE 1 = 1
         ON CONFLICT DO NOTHING",
        &facts.collect::<Vec<_>>(),
    )
}

/// Verdicts become votes; those that are new are counted, so that credit is granted once for an
/// attempt, and to a user once for a unit.
fn write_judged(
    link: &mut dyn Link,
    project: u32,
    batch: &Batch,
    daily: u32,
) -> Result<(), RecordError> {
    // Whoever has done a unit twice, since its first lease ran out, is paid for it once.
    let mut paid = BTreeSet::new();
    let judged: Vec<_> = batch
        .judged
        .iter()
        .map(|one| {
            let is_new = one.credit == 0 || paid.insert((one.unit.number, one.user));
            let credit = if is_new { one.credit } else { 0 };
            tuple![project, one.unit.number, one.attempt, one.verdict as i64, credit]
        })
        .collect();
    let votes = link.query_of(
        "WITH given (project, unit, attempt, verdict, credit) AS ({rows short int int int int})
         INSERT INTO votes (project, unit, attempt, user_id, host_id, network, trusted, verdict,
             credit, revoked, made)
         SELECT a.project, a.unit, a.attempt, a.user_id, a.host_id, a.network, a.trusted,
             given.verdict, CASE WHEN EXISTS (SELECT 1 FROM votes v WHERE v.project = a.project
                 AND v.unit = a.unit AND v.user_id = a.user_id AND v.credit > 0)
             THEN 0 ELSE given.credit END, 0, {now}
         FROM given JOIN attempts a ON a.project = given.project AND a.unit = given.unit
             AND a.attempt = given.attempt
         WHERE a.state <> 5
         ON CONFLICT DO NOTHING RETURNING user_id, host_id, verdict, credit, unit, attempt",
        &judged,
    )?;
    let ended: Vec<_> = batch
        .judged
        .iter()
        .map(|judged| tuple![project, judged.unit.number, judged.attempt, JUDGED])
        .collect();
    link.execute_of(
        "WITH given (project, unit, attempt, state) AS ({rows short int int flag})
         UPDATE attempts SET state = given.state, report = NULL
         FROM given WHERE attempts.project = given.project AND attempts.unit = given.unit
         AND attempts.attempt = given.attempt AND attempts.state <> 5",
        &ended,
    )?;
    let checked = batch.judged.iter().filter(|judged| judged.checked);
    let checked = checked.map(|judged| (judged.unit.number, u64::from(judged.attempt))).collect();
    count_votes(link, project, &votes, &checked, daily)
}

/// A ban outlives the coordinator that spoke it.
fn write_bans(link: &mut dyn Link, project: u32, users: &[u64]) -> Result<(), RecordError> {
    let users: BTreeSet<u64> = users.iter().copied().collect();
    let users: Vec<_> = users.into_iter().map(|user| tuple![project, user]).collect();
    link.execute_of(
        "WITH given (project, user_id) AS ({rows short int})
         INSERT INTO user_records (project, user_id, valid, invalid, failed, since, banned, credit)
         SELECT project, user_id, 0, 0, 0, {now}, 1, 0 FROM given WHERE 1 = 1
         ON CONFLICT (project, user_id) DO UPDATE SET banned = 1",
        &users,
    )
}

#[derive(Default)]
struct Counted {
    valid: u64,
    invalid: u64,
    failed: u64,
    credit: u64,
    checked: u64,
}

fn count_votes(
    link: &mut dyn Link,
    project: u32,
    votes: &[Tuple],
    checked: &BTreeSet<(u64, u64)>,
    daily: u32,
) -> Result<(), RecordError> {
    const VALID: i64 = AttemptVerdict::Valid as i64;
    const INVALID: i64 = AttemptVerdict::Invalid as i64;
    const FAILED: i64 = AttemptVerdict::Failed as i64;
    let mut users: BTreeMap<i64, Counted> = BTreeMap::new();
    let mut hosts: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    let mut units = BTreeSet::new();
    for vote in votes {
        let user = users.entry(vote.int(0)?).or_default();
        let host = hosts.entry(vote.int(1)?).or_default();
        user.credit += vote.word(3)?;
        match vote.int(2)? {
            VALID => {
                (user.valid, host.0) = (user.valid + 1, host.0 + 1);
                user.checked += u64::from(checked.contains(&(vote.word(4)?, vote.word(5)?)));
                units.insert(vote.word(4)?);
            }
            INVALID => (user.invalid, host.1) = (user.invalid + 1, host.1 + 1),
            FAILED => user.failed += 1,
            _ => {}
        }
    }
    let users = users.into_iter().map(|(user, counted)| {
        let Counted { valid, invalid, failed, credit, checked } = counted;
        tuple![project, user, valid, invalid, failed, credit, checked]
    });
    link.execute_of(
        "WITH given (project, user_id, valid, invalid, failed, credit, checked)
         AS ({rows short int int int int int int})
         INSERT INTO user_records
             (project, user_id, valid, invalid, failed, since, banned, credit, checked)
         SELECT project, user_id, valid, invalid, failed, {now}, 0, credit, checked
         FROM given WHERE 1 = 1
         ON CONFLICT (project, user_id) DO UPDATE SET
         since = CASE WHEN user_records.valid = 0 THEN excluded.since ELSE user_records.since END,
         valid = user_records.valid + excluded.valid,
         invalid = user_records.invalid + excluded.invalid,
         failed = user_records.failed + excluded.failed,
         credit = user_records.credit + excluded.credit,
         checked = user_records.checked + excluded.checked",
        &users.collect::<Vec<_>>(),
    )?;
    write_quotas(link, &hosts, daily)?;
    let units: Vec<_> = units.into_iter().map(|unit| tuple![project, unit]).collect();
    link.execute_of(
        "WITH given (project, unit) AS ({rows short int})
         UPDATE facts SET users = (SELECT CASE WHEN count(DISTINCT v.user_id) < count(DISTINCT v.network)
             THEN count(DISTINCT v.user_id) ELSE count(DISTINCT v.network) END FROM votes v
             WHERE v.project = facts.project AND v.unit = facts.unit
             AND v.verdict = 0 AND v.revoked = 0),
         trusted = (SELECT coalesce(max(v.trusted), 0) FROM votes v
             WHERE v.project = facts.project AND v.unit = facts.unit
             AND v.verdict = 0 AND v.revoked = 0)
         FROM given WHERE facts.project = given.project AND facts.unit = given.unit",
        &units,
    )
}

/// A wrong result halves what a host may have on a day, a right one doubles it again.
fn write_quotas(
    link: &mut dyn Link,
    hosts: &BTreeMap<i64, (u64, u64)>,
    daily: u32,
) -> Result<(), RecordError> {
    let right = hosts.iter().filter(|(_, (valid, invalid))| *valid > 0 && *invalid == 0);
    link.execute_of(
        "WITH given (id, daily) AS ({rows int int})
         UPDATE hosts SET quota = CASE WHEN hosts.quota * 2 > given.daily THEN given.daily
             ELSE hosts.quota * 2 END
         FROM given WHERE hosts.id = given.id AND hosts.quota < given.daily",
        &right.map(|(&id, _)| tuple![id, daily]).collect::<Vec<_>>(),
    )?;
    let wrong = hosts.iter().filter(|(_, (_, invalid))| *invalid > 0);
    let wrong: Vec<_> = wrong.map(|(&id, (_, invalid))| tuple![id, *invalid]).collect();
    link.execute_of(
        "WITH given (id, wrong) AS ({rows int int})
         UPDATE hosts SET errors = hosts.errors + given.wrong,
             quota = CASE WHEN hosts.quota > 1 THEN hosts.quota / 2 ELSE 1 END
         FROM given WHERE hosts.id = given.id",
        &wrong,
    )
}
