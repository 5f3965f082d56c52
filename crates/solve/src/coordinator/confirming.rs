//! Facts of the proof that too few vouch for are worked at again, before "solved" is said.

use std::collections::{HashMap, VecDeque};

use super::batch::{Again, Batch, Fact};
use super::trust::Vote;
use super::{Coordinator, Issued, ProjectStanding};
use crate::audit::RestingFact;
use crate::message::{CostFit, Finding, Unit, UnitTask};
use crate::name::NodeName;
use crate::plan::{TRIES, TrustPlan};

/// What is left to confirm.
#[derive(Clone, Debug, Default)]
pub(super) struct ConfirmingWork {
    waiting: VecDeque<Confirmation>,
    /// Units that are out.
    issued: usize,
}

/// An answer that is found once more.
#[derive(Clone, Debug)]
pub(super) struct Confirmation {
    name: NodeName,
    at_least: i32,
    holds: bool,
    /// How often it was tried, with more work each time.
    rounds: u32,
}

impl Coordinator<'_> {
    /// Has these facts found once more, by a quorum of users or one of the project's own machines,
    /// whichever the plan says. One that is not found again contradicts the answer. Units that were
    /// handed out for that before a claim are gone on with.
    pub fn confirm<'f>(&mut self, facts: impl IntoIterator<Item = &'f RestingFact>) {
        let at = |issued: &Issued| (issued.unit.node.clone(), issued.unit.question.at_least);
        let is_one = |issued: &&Issued| {
            issued.unit.task == UnitTask::Answer && issued.canary.is_none() && !issued.withdrawn
        };
        let begun: HashMap<(NodeName, i32), u64> = self
            .issued
            .values()
            .map(|issued| &**issued)
            .filter(is_one)
            .map(|issued| (at(issued), issued.unit.id.number))
            .collect();
        for fact in facts {
            let &RestingFact { ref name, at_least, holds, .. } = fact;
            let confirms = Confirmation { name: name.clone(), at_least, holds, rounds: 0 };
            let begun = begun.get(&(name.clone(), at_least));
            match begun.and_then(|number| self.issued.get_mut(number)) {
                Some(issued) => {
                    issued.confirms = Some(confirms);
                    self.confirming.issued += 1;
                }
                None => self.confirming.waiting.push_back(confirms),
            }
        }
    }

    /// How many facts are still to be confirmed.
    #[must_use]
    pub fn confirming(&self) -> usize {
        self.confirming.waiting.len() + self.confirming.issued
    }

    /// Makes units of them.
    pub(super) fn issue_confirmations(&mut self, more: usize, batch: &mut Batch) {
        const GROWTH_BITS: u32 = 4;
        if matches!(self.standing, ProjectStanding::Open | ProjectStanding::Undecided) {
            return;
        }
        for _ in 0..more {
            let Some(next) = self.confirming.waiting.pop_front() else { return };
            let unit = self.unit(next.name.clone(), next.at_least, TRIES - 1);
            let grown = 1u64.checked_shl(GROWTH_BITS * next.rounds).unwrap_or(u64::MAX);
            let budget = unit.budget.saturating_mul(grown);
            // What was found once is not given up for being too large by what was learned since.
            let unit = Unit { budget, fit: CostFit::default(), ask_on: false, ..unit };
            // Whoever said so often that the work is not enough may lie about it.
            let trusted_only = self.plan.trust.audited_by_own || next.rounds > 0;
            self.confirming.issued += 1;
            self.hand_out_for(unit, trusted_only, Some(next), batch);
        }
    }

    /// A unit is withdrawn: what it was to confirm waits for another one.
    pub(super) fn confirm_again(&mut self, issued: &mut Issued) {
        if let Some(confirms) = issued.confirms.take() {
            self.confirming.issued -= 1;
            self.confirming.waiting.push_back(confirms);
        }
    }

    /// What was found of a fact that is confirmed.
    pub(super) fn take_confirmed(&mut self, issued: &Issued, vote: &Vote, batch: &mut Batch) {
        let Some(confirms) = issued.confirms.clone() else { return };
        self.confirming.issued -= 1;
        let proved = match vote.finding {
            Finding::Proved => true,
            Finding::Refuted => false,
            _ => {
                let rounds = confirms.rounds + 1;
                self.confirming.waiting.push_back(Confirmation { rounds, ..confirms });
                return;
            }
        };
        let (users, trusted) = self.vouching(issued, vote);
        let Unit { node, question, id, .. } = &issued.unit;
        let (name, unit, question) = (node.clone(), *id, *question);
        if question.holds(proved) != confirms.holds {
            let text = self.rules.text(&name).unwrap_or_else(|_| name.to_string());
            batch.log.push(format!(
                "unit {unit}: the audit of {text} finds otherwise than what the answer rests on"
            ));
            self.standing = ProjectStanding::Contradicted(text);
        }
        self.learn(Fact { name, question, proved, unit, users, trusted }, batch);
    }
}

impl Issued {
    /// Whom to believe about it: nobody confirms a fact alone but the project itself.
    pub(super) fn rule(&self, plan: &TrustPlan) -> TrustPlan {
        TrustPlan { adaptive: plan.adaptive && self.confirms.is_none(), ..*plan }
    }

    /// One more result than there are.
    pub(super) fn again(&self) -> Again {
        let wanted = self.votes.len() as u32 + self.failures + 1;
        Again { unit: self.unit.id, wanted, trusted_only: self.trusted_only }
    }
}
