//! Reports that are checked: where they disagree one sub-job is done again by the project itself, and
//! of some a random one is before they count. Whoever is wrong about it is never believed again.

use super::batch::{AttemptVerdict, Batch, JudgedAttempt, Ruling, RulingRequest};
use super::trust::Vote;
use super::{Coordinator, Issued};
use crate::message::{SolverVersion, UnitId, UnitTask};

/// So many spot checks are under way at once; beyond that reports count unchecked, and users become
/// established later.
const MOST_SPOT_CHECKS: usize = 64;

/// What is being found out about the votes for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Who is wrong.
    Dispute,
    /// Whether this attempt is right about one of its sub-jobs.
    SpotCheck(u32),
}

impl Coordinator<'_> {
    /// Whether a sub-job of the newest vote is done again before it counts: a lot is drawn now, so
    /// that nobody knew it who worked.
    pub(super) fn spot_check(&mut self, now: u64, number: u64, batch: &mut Batch) -> bool {
        let trust = &self.plan.trust;
        let Some(issued) = self.issued.get_mut(&number) else { return false };
        let can_check = issued.can_be_ruled(self.plan.solver)
            && issued.canary.is_none()
            && issued.asked.is_none()
            && self.checking.len() < MOST_SPOT_CHECKS;
        let Some(&Vote { voter, attempt, .. }) = issued.votes.last().filter(|_| can_check) else {
            return false;
        };
        let one_in = self.trust.spot_check_one_in(voter.user, now, trust);
        if voter.trusted || one_in == 0 || !self.rng.next_u64().is_multiple_of(one_in) {
            return false;
        }
        issued.asked = Some(Asked::SpotCheck(attempt));
        self.checking.insert(number);
        batch.heard.push((issued.unit.id, attempt));
        let (unit, spot) = (issued.unit.clone(), Some(self.rng.next_u64()));
        batch.rulings.push(RulingRequest { unit, attempts: vec![attempt], spot });
        true
    }

    /// Has it found out which of the votes for a unit are wrong, if that can be.
    pub(super) fn ask_who_is_wrong(&mut self, number: u64, batch: &mut Batch) -> bool {
        let solver = self.plan.solver;
        let can_be = |issued: &&mut Box<Issued>| issued.can_be_ruled(solver) && !issued.is_unruled;
        let Some(issued) = self.issued.get_mut(&number).filter(can_be) else { return false };
        let counts = |vote: &&Vote| !self.trust.record(vote.voter.user).banned;
        let attempts = issued.votes.iter().filter(counts).map(|vote| vote.attempt).collect();
        issued.asked = Some(Asked::Dispute);
        batch.rulings.push(RulingRequest { unit: issued.unit.clone(), attempts, spot: None });
        true
    }

    /// What was found out about votes for a unit.
    pub(super) fn take_ruling(&mut self, now: u64, id: UnitId, ruling: &Ruling, batch: &mut Batch) {
        self.checking.remove(&id.number);
        let is_known = |issued: &&mut Box<Issued>| issued.unit.id == id;
        let Some(issued) = self.issued.get_mut(&id.number).filter(is_known) else { return };
        let Some(asked) = issued.asked.take() else { return };
        let wrong = match ruling {
            Ruling::Wrong(wrong) => wrong.as_slice(),
            Ruling::Unknown => {
                issued.is_unruled |= asked == Asked::Dispute;
                &[]
            }
        };
        let (struck, left) = std::mem::take(&mut issued.votes)
            .into_iter()
            .partition(|vote: &Vote| wrong.contains(&vote.attempt));
        issued.votes = left;
        for vote in &mut issued.votes {
            vote.checked |= *ruling != Ruling::Unknown && asked == Asked::SpotCheck(vote.attempt);
        }
        // An attempt that came to nothing leaves its place to somebody else.
        issued.failures += struck.len() as u32;
        for vote in struck {
            self.strike(now, id, &vote, batch);
        }
        self.decide(now, id.number, batch);
    }

    /// Somebody was shown to lie, or has a machine that nobody can rely on.
    fn strike(&mut self, now: u64, unit: UnitId, vote: &Vote, batch: &mut Batch) {
        let Vote { attempt, voter, .. } = *vote;
        let user = voter.user;
        self.trust.learn(user, now, false, true);
        let (verdict, credit, checked) = (AttemptVerdict::Invalid, 0, true);
        batch.judged.push(JudgedAttempt { unit, attempt, user, verdict, credit, checked });
        let line = match voter.trusted {
            true => format!("unit {unit}: one of the project's own machines is wrong"),
            false => {
                format!("unit {unit}: user {user} is wrong about a sub-job that was done again")
            }
        };
        batch.log.push(line);
        if !voter.trusted {
            self.trust.ban(user);
            batch.banned.push(user);
        }
    }
}

impl Issued {
    /// Whether anybody can do a sub-job of it again and has to come to the same.
    fn can_be_ruled(&self, solver: SolverVersion) -> bool {
        let unit = &self.unit;
        unit.task == UnitTask::Answer
            && !unit.keep_table
            && unit.solver == solver
            && solver != SolverVersion::default()
    }
}
