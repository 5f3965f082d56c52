//! The audit at the end of a turn: what the answer rests on is brought to a quorum before anybody says
//! that the project is solved.

use solve::{Bounds, FactCounts, ProofAudit, TrustPlan};

use super::conductor::{ConductError, Conductor, Turn, contradicted};
use super::jobs::JobPlace;
use crate::record::ProjectState;

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AuditStage {
    /// It is to be found out what the answer rests on.
    #[default]
    Due,
    /// Somebody finds out.
    UnderWay,
    /// Facts that too few vouch for are being confirmed.
    Confirming,
    /// All that the answer rests on has its quorum.
    Complete,
}

impl Conductor {
    /// What the answer of the project rests on, as far as there is one, and whom it believes. It can
    /// be asked while somebody drives the project.
    ///
    /// # Errors
    /// If the record does not answer, or holds what the rules deny.
    pub fn audit(&self) -> Result<(ProofAudit, TrustPlan), ConductError> {
        let limit = self.rules.margin_limit();
        let all = Bounds { lower: -limit, upper: limit };
        let known = self.record.expect_project(&self.name)?.bounds;
        let answer = known.map_or(all, |bounds| bounds.and(all));
        let mut store = self.record.store(self.project);
        let audit = ProofAudit::of(&*self.rules, self.goal, answer, &mut store)?;
        Ok((audit, self.trust()))
    }
}

impl Turn<'_> {
    /// Whether all that the answer rests on has its quorum; goes on with finding out.
    pub(super) fn is_audited(&mut self) -> bool {
        if self.audit == AuditStage::Confirming && self.coordinator.confirming() == 0 {
            self.audit = AuditStage::Due;
        }
        if self.audit == AuditStage::Due {
            let answer = (self.conductor.goal, self.coordinator.bounds());
            let job = move |place: &JobPlace| place.audit(answer);
            if self.place.spawn(&self.done.0, job).is_ok() {
                (self.audit, self.jobs) = (AuditStage::UnderWay, self.jobs + 1);
            }
        }
        self.audit == AuditStage::Complete
    }

    /// What the answer rests on is known.
    pub(super) fn take_audit(
        &mut self,
        audit: &ProofAudit,
        told: &dyn Fn(&str),
    ) -> Result<(), ConductError> {
        let trust = self.conductor.trust();
        let short: Vec<_> = audit.short(&trust).collect();
        let Conductor { record, project, rules, .. } = self.conductor;
        if let Some(node) = &audit.contradiction {
            let text = rules.text(node).unwrap_or_else(|_| node.to_string());
            return self.halt(told, &contradicted(&text));
        }
        if !audit.is_founded {
            let why = "the answer does not follow from the facts that are stored: what was backed \
                       up is forgotten, and what is missing worked at";
            self.store.forget_cache(self.claimed.epoch, why)?;
            told(why);
            return Ok(());
        }
        let line = if short.is_empty() {
            self.audit = AuditStage::Complete;
            format!("the answer rests on {}", counted(&audit.counts()))
        } else {
            self.coordinator.confirm(short.iter().copied());
            self.audit = AuditStage::Confirming;
            format!(
                "{} of {} facts lack a quorum and are found again",
                short.len(),
                audit.facts.len()
            )
        };
        record.log(Some(*project), &line)?;
        told(&line);
        Ok(())
    }

    /// The project stops until somebody looks at it.
    pub(super) fn halt(&mut self, told: &dyn Fn(&str), why: &str) -> Result<(), ConductError> {
        if self.state != ProjectState::Paused {
            let (record, project) = (&self.conductor.record, self.conductor.project);
            record.log(Some(project), why)?;
            self.state = self.store.advance(self.claimed.epoch, ProjectState::Paused)?;
            told(why);
        }
        Ok(())
    }
}

fn counted(counts: &FactCounts) -> String {
    let FactCounts { facts, of_one, of_two, of_three, trusted } = counts;
    format!(
        "{facts} facts: {of_one} seen by one user, {of_two} by two, {of_three} by three or more, \
         {trusted} by trusted machines"
    )
}
