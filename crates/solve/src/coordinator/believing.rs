//! What becomes of reports: who is heard, who is believed, who is tested.

use super::batch::{AttemptVerdict, Batch, JudgedAttempt, Voter};
use super::trust::{Opinion, Vote};
use super::{Coordinator, Finished, Issued};
use crate::message::{Finding, Unit, UnitId, UnitReport, UnitTask};

/// After so many failures a unit is for the project's own machines.
const MOST_FAILURES: u32 = 3;

impl Coordinator<'_> {
    /// A report came in.
    pub(super) fn take_in(
        &mut self,
        now: u64,
        voter: Voter,
        report: &UnitReport,
        batch: &mut Batch,
    ) {
        let number = report.unit.number;
        let judged = |verdict, credit| JudgedAttempt {
            unit: report.unit,
            attempt: report.attempt,
            user: voter.user,
            verdict,
            credit,
            checked: false,
        };
        if let Some(&done) = self.finished.get(&number) {
            // Late, but perhaps right.
            let is_right = done.hash == report.unit_hash && done.agreement == report.agreement();
            if done.vouched {
                self.trust.learn(voter.user, now, is_right, false);
            }
            let (verdict, credit) = verdict(is_right, done.vouched, done.nodes);
            batch.judged.push(judged(verdict, credit));
            return;
        }
        let is_known = |issued: &&mut Box<Issued>| issued.unit.id == report.unit;
        let Some(issued) = self.issued.get_mut(&number).filter(is_known) else {
            batch.log.push(format!(
                "a report about unit {} by user {}: no such unit",
                report.unit, voter.user
            ));
            batch.judged.push(judged(AttemptVerdict::Gone, 0));
            return;
        };
        if issued.votes.iter().any(|vote| vote.attempt == report.attempt) {
            batch.judged.push(judged(AttemptVerdict::Gone, 0));
            return;
        }
        // One voice each. An attempt that came to nothing leaves its place to somebody else.
        let is_other = issued.hash != report.unit_hash;
        let is_double = |vote: &Vote| vote.voter.user == voter.user && !voter.trusted;
        if is_other || issued.votes.iter().any(is_double) {
            if is_other {
                batch.log.push(format!(
                    "a report about unit {} by user {}: the unit has another hash",
                    report.unit, voter.user
                ));
            }
            issued.failures += 1;
            batch.again.push(issued.again());
            batch.judged.push(judged(AttemptVerdict::Gone, 0));
            return;
        }
        if issued.unit.task != UnitTask::Answer && !matches!(report.finding, Finding::Failed(_)) {
            self.take_lemmas(voter, report, batch);
            return;
        }
        if let Finding::Failed(failure) = report.finding {
            issued.failures += 1;
            issued.trusted_only |= issued.failures >= MOST_FAILURES;
            let id = issued.unit.id;
            batch.again.push(issued.again());
            batch.judged.push(judged(AttemptVerdict::Failed, 0));
            batch.log.push(format!("unit {id} failed for user {}: {failure}", voter.user));
            return;
        }
        self.trust.hear(voter, now, &self.plan.trust);
        issued.votes.push(Vote {
            voter,
            attempt: report.attempt,
            agreement: report.agreement(),
            finding: report.finding.clone(),
            nodes: report.nodes,
            checked: false,
        });
        if !self.spot_check(now, number, batch) {
            self.decide(now, number, batch);
        }
    }

    /// Sees whether a unit has votes enough.
    pub(super) fn decide(&mut self, now: u64, number: u64, batch: &mut Batch) {
        let Some(issued) = self.issued.get_mut(&number) else { return };
        let newest = issued.votes.last().map(|vote| (issued.unit.id, vote.attempt));
        if issued.asked.is_some() {
            batch.heard.extend(newest);
            return;
        }
        if issued.canary.is_some() {
            self.end_canary(now, number, batch);
            return;
        }
        let rule = issued.rule(&self.plan.trust);
        match self.trust.judge(&issued.votes, now, &rule, issued.lot) {
            Opinion::More { trusted_only, is_disputed } => {
                batch.heard.extend(newest);
                if !is_disputed || !self.ask_who_is_wrong(number, batch) {
                    self.wait_for_more(now, number, trusted_only, batch);
                }
            }
            Opinion::Canonical(nth) => self.accept(now, number, nth, true, batch),
            Opinion::Advice(nth) => self.accept(now, number, nth, false, batch),
        }
    }

    /// One more result of a unit is wanted, and it is looked at again as those who voted for it become
    /// established.
    fn wait_for_more(&mut self, now: u64, number: u64, trusted_only: bool, batch: &mut Batch) {
        const OFTEN: usize = 64;
        let Some(issued) = self.issued.get_mut(&number) else { return };
        issued.trusted_only |= trusted_only;
        batch.again.push(issued.again());
        let vouches = |user| self.trust.is_established(user, now, &self.plan.trust);
        let users = issued.votes.iter().map(|vote| vote.voter.user);
        let strangers: Vec<u64> = users.filter(|&user| !vouches(user)).collect();
        for user in strangers {
            let voted = self.voted.entry(user).or_default();
            // Those that are done meanwhile are forgotten now and then.
            if voted.insert(number) && voted.len().is_multiple_of(OFTEN) {
                voted.retain(|number| self.issued.contains_key(number));
            }
        }
    }

    /// Sees whether those who voted for a unit can be believed by now.
    pub(super) fn reconsider(&mut self, now: u64, number: u64, batch: &mut Batch) {
        // Lemmas wait for the checker, not for people.
        let waits = |issued: &&Issued| {
            let is_answer = issued.unit.task == UnitTask::Answer;
            is_answer && issued.canary.is_none() && issued.asked.is_none()
        };
        let Some(issued) = self.issued.get(&number).map(|issued| &**issued).filter(waits) else {
            return;
        };
        let rule = issued.rule(&self.plan.trust);
        let opinion = self.trust.judge(&issued.votes, now, &rule, issued.lot);
        if let Opinion::Canonical(nth) = opinion {
            self.accept(now, number, nth, true, batch);
        }
    }

    /// One of the votes for a unit is believed, and with it all that agree. Unless somebody vouches
    /// for it, nobody's record becomes better or worse.
    fn accept(&mut self, now: u64, number: u64, nth: usize, vouched: bool, batch: &mut Batch) {
        let Some(issued) = self.issued.remove(&number) else { return };
        self.leave(&issued);
        // Of one that was withdrawn somebody else may work at the node by now.
        if !issued.withdrawn {
            self.set_leased(&issued, false);
        }
        let canonical = &issued.votes[nth];
        self.settle((now, vouched), &issued, canonical.agreement, canonical.nodes, batch);
        self.spent = self.spent.saturating_add(canonical.nodes);
        if issued.withdrawn {
            self.wasted = self.wasted.saturating_add(canonical.nodes);
        }
        if issued.confirms.is_some() {
            self.take_confirmed(&issued, canonical, batch);
            return;
        }
        let applied = self.apply(&issued, canonical, batch);
        if let Err(error) = applied {
            batch.log.push(format!("unit {}: {error}", issued.unit.id));
        }
        if vouched {
            self.maybe_canary(&issued, canonical, batch);
        }
    }

    /// Says what became of all who voted.
    fn settle(
        &mut self,
        (now, vouched): (u64, bool),
        issued: &Issued,
        right: u128,
        nodes: u64,
        batch: &mut Batch,
    ) {
        let id = issued.unit.id;
        for vote in &issued.votes {
            // Where tables are kept, counts differ and only the answers can be compared.
            let is_right = vote.agreement == right || self.plan.keep_table && vote.voter.trusted;
            if vouched {
                self.trust.learn(vote.voter.user, now, is_right, vote.checked);
            }
            let (verdict, credit) = verdict(is_right, vouched, nodes);
            let Vote { attempt, voter: Voter { user, .. }, checked, .. } = *vote;
            batch.judged.push(JudgedAttempt { unit: id, attempt, user, verdict, credit, checked });
            if !is_right {
                batch.log.push(format!("unit {id}: user {user} reports what others do not"));
            }
        }
        batch.done.push(id);
        let hash = issued.hash;
        self.finished.insert(id.number, Finished { hash, agreement: right, nodes, vouched });
    }

    /// Issues a unit that was validated once more, to see who lies.
    fn maybe_canary(&mut self, issued: &Issued, vote: &Vote, batch: &mut Batch) {
        let one_in = u64::from(self.plan.trust.canary_one_in);
        if one_in == 0 || !issued.lot.is_multiple_of(one_in) || issued.votes.len() < 2 {
            return;
        }
        // The same but for its number, so that it cannot be told from others.
        let id = UnitId { number: self.next_number, ..issued.unit.id };
        let unit = Unit { id, ..issued.unit.clone() };
        self.hand_out(unit, issued.slot, Some(vote.agreement), batch);
    }

    /// Compares what came of a canary with what is known.
    fn end_canary(&mut self, now: u64, number: u64, batch: &mut Batch) {
        let Some(mut issued) = self.issued.remove(&number) else { return };
        // What is known is as good as a sub-job that is done again.
        issued.votes.iter_mut().for_each(|vote| vote.checked = true);
        let (Some(right), Some(vote)) = (issued.canary, issued.votes.last()) else { return };
        if vote.agreement != right {
            let (id, Voter { user, trusted, .. }) = (issued.unit.id, vote.voter);
            batch.log.push(format!("unit {id}: user {user} is wrong about what is known"));
            // Of the project itself and those it believed, the latter may be wrong.
            if !trusted {
                self.trust.ban(user);
                batch.banned.push(user);
            }
        }
        self.settle((now, true), &issued, right, vote.nodes, batch);
    }
}

/// What becomes of a report, and what it earns.
fn verdict(is_right: bool, vouched: bool, nodes: u64) -> (AttemptVerdict, u64) {
    match (is_right, vouched) {
        (true, true) => (AttemptVerdict::Valid, nodes),
        (false, true) => (AttemptVerdict::Invalid, 0),
        (true, false) => (AttemptVerdict::Unvouched, nodes),
        (false, false) => (AttemptVerdict::Unvouched, 0),
    }
}
