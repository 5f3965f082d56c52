//! [`work_here`]: the machine of the project itself, which is trusted.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use play::Stop;
use search::{ProofTable, Table};
use solve::message::SolverVersion;
use solve::store::Lease;
use solve::{Method, WorkDesk, work};

use crate::door::{DoorError, Handed, Visitor, WorkDoor};
use crate::problems::Problems;
use crate::record::ClusterRecord;

/// The user that the machine of a project works under.
pub(super) const OWN_USER: &str = "server";

/// How long to wait where there is nothing to do.
const WAIT: Duration = Duration::from_millis(100);
/// How often somebody says that it is still at work.
const RENEWAL: Duration = Duration::from_secs(60);

/// Works at units of any project of this record, on the thread that calls it, until somebody says
/// stop. What only a trusted machine may decide comes first.
///
/// # Errors
/// If the record does not know this machine.
pub fn work_here(
    record: &ClusterRecord,
    versions: &[(String, SolverVersion)],
    megabytes: u32,
    stop: &Stop,
) -> Result<(), DoorError> {
    let failed = |error: crate::record::RecordError| DoorError::Record(error.into());
    let token = record.create_token(OWN_USER, true).map_err(failed)?;
    let home = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let who = record.admit(token.reveal(), home, OWN_USER)?;
    record.revoke_token(token.reveal()).map_err(failed)?;
    let problems = Problems::default();
    while !stop.is_stopped() {
        match record.lease(&who, versions, megabytes) {
            Ok(Handed::Unit(lease, _)) => {
                let renew = || record.renew(&who, &[(lease.unit.id, lease.attempt)]);
                let wanted = &mut || renew().map_or(true, |wanted| wanted == [true]);
                match worked(&problems, &lease, stop, wanted) {
                    Some(made) => hand_in(record, &who, &lease, &made, stop),
                    // If nobody hears of it, the lease runs out.
                    None => drop(record.release(&who, lease.unit.id, lease.attempt)),
                }
            }
            // What does not answer now may answer later.
            Ok(Handed::Later(_) | Handed::Refused(_)) | Err(_) => std::thread::sleep(WAIT),
        }
    }
    Ok(())
}

/// What came of a unit: its report, and the files of its lemmas.
struct Made {
    report: Vec<u8>,
    lemmas: Vec<Vec<u8>>,
}

/// Delivers, as soon as the record answers.
fn hand_in(record: &ClusterRecord, who: &Visitor, lease: &Lease, made: &Made, stop: &Stop) {
    let (unit, attempt) = (lease.unit.id, lease.attempt);
    let deliver = || {
        for lemma in &made.lemmas {
            record.keep_lemma(who, unit, attempt, lemma)?;
        }
        record.deliver(who, &made.report)
    };
    while let Err(error) = deliver() {
        tracing::warn!(%error, %unit, "a report waits");
        if stop.is_stopped() {
            return;
        }
        std::thread::sleep(WAIT);
    }
}

/// What comes of a unit; `None` if it is not wanted any longer.
fn worked(
    problems: &Problems,
    lease: &Lease,
    stop: &Stop,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Option<Made> {
    let unit = &lease.unit;
    let problem = problems.open(&unit.game, &unit.root).ok()?;
    let own_stop = Stop::new();
    let mut renewed = Instant::now();
    let mut visited = |_, _| {
        let is_due = renewed.elapsed() >= RENEWAL;
        if is_due {
            renewed = Instant::now();
        }
        if stop.is_stopped() || is_due && !is_wanted() {
            own_stop.stop();
        }
    };
    // A table of its own for every unit: what others say is compared with this.
    let megabytes = if unit.keep_table { unit.table_megabytes as usize } else { 0 };
    let by_proof_numbers = unit.method == Method::ProofNumber;
    let table = Table::new(if by_proof_numbers { 0 } else { megabytes });
    let mut proofs = ProofTable::new(if by_proof_numbers { megabytes } else { 0 });
    let mut keep = |_: &[u8]| {};
    let desk = &mut WorkDesk {
        tables: unit.keep_table.then_some((&table, &mut proofs)),
        nodes_left: None,
        stop: &own_stop,
        visited: &mut visited,
        checkpoint: None,
        keep: &mut keep,
    };
    let worked = work(&*problem.rules, unit, desk).ok()??;
    let lemmas = worked.lemmas.iter().map(|lemma| lemma.bytes.clone()).collect();
    Some(Made { report: worked.report(unit, lease.attempt).encode(), lemmas })
}
