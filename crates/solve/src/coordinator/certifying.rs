//! Proofs of the answer, once there is one: every fact that it rests on becomes a unit that makes
//! lemmas. Nobody has to be believed about those: a checker looks at each file before it counts.

use std::collections::BTreeMap;

use certificate::LemmaHash;
use game::Side;

use super::batch::{AttemptVerdict, Batch, JudgedAttempt, LemmaCheck, NodeLemma, Voter};
use super::trust::Vote;
use super::{Coordinator, ProjectStanding};
use crate::certify::{LemmaPlan, asked_by, claims};
use crate::message::{Finding, Question, Unit, UnitId, UnitReport, UnitTask};
use crate::name::NodeName;
use crate::tree::{NodeId, ROOT};

/// How far the proof of the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certification {
    /// Nobody asked for one, or there can be none, or there is no answer yet.
    Unwanted,
    /// Lemmas are being made: so many of so many facts have theirs; 0 of 0 while it is found out
    /// what the answer rests on.
    UnderWay(usize, usize),
    /// Every fact has its lemma: they can be bound together.
    Complete,
}

/// An answer of one node.
type Answer = (NodeName, i32, bool);

/// What is left to prove.
#[derive(Clone, Debug, Default)]
pub(super) struct LemmaWork {
    /// Facts that the answer rests on, once that is known; so many have become units.
    wanted: Option<(Vec<Answer>, usize)>,
    /// Lemmas that the checker has accepted.
    made: BTreeMap<Answer, LemmaHash>,
}

impl Coordinator<'_> {
    /// How far the proof of the answer is.
    #[must_use]
    pub fn certification(&self) -> Certification {
        let is_wanted = self.lemma_plan().is_some() && self.standing == ProjectStanding::Answered;
        match &self.lemmas.wanted {
            _ if !is_wanted => Certification::Unwanted,
            None => Certification::UnderWay(0, 0),
            Some((wanted, _)) => {
                let is_made = |answer: &&Answer| self.lemmas.made.contains_key(*answer);
                match wanted.iter().filter(is_made).count() {
                    made if made == wanted.len() => Certification::Complete,
                    made => Certification::UnderWay(made, wanted.len()),
                }
            }
        }
    }

    /// The lemma about a node that shows this answer, if there is one.
    #[must_use]
    pub fn lemma(&self, name: &NodeName, at_least: i32, holds: bool) -> Option<LemmaHash> {
        self.lemmas.made.get(&(name.clone(), at_least, holds)).copied()
    }

    /// All lemmas that the checker has accepted, by node, question and answer.
    pub fn lemmas(&self) -> impl Iterator<Item = ((NodeName, i32, bool), LemmaHash)> + '_ {
        self.lemmas.made.iter().map(|(answer, hash)| (answer.clone(), *hash))
    }

    /// Puts back a lemma that the checker accepted before.
    pub fn restore_lemma(&mut self, lemma: &NodeLemma) {
        let NodeLemma { name, at_least, holds, hash } = lemma.clone();
        self.lemmas.made.insert((name, at_least, holds), hash);
    }

    /// Nodes of the proof: these answers follow from each other, from facts and from the rules.
    #[must_use]
    pub fn proof_nodes(&self) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for claim in claims(self.goal, self.bounds(), self.limit) {
            let parts = self.tree.rests_on(asked_by(claim).0).unwrap_or_default();
            nodes.extend(parts.inner.into_iter().chain(parts.facts).chain(parts.ends));
        }
        nodes
    }

    fn lemma_plan(&self) -> Option<LemmaPlan> {
        self.plan.lemmas.filter(|_| self.rules.certifier().is_some())
    }

    /// Whether answered nodes are needed in memory, too.
    pub(super) fn is_proving(&self) -> bool {
        self.standing == ProjectStanding::Answered && self.lemma_plan().is_some()
    }

    /// Makes units of what is left to prove.
    pub(super) fn issue_lemmas(&mut self, more: usize, batch: &mut Batch) {
        let Some(plan) = self.lemma_plan() else { return };
        if !self.is_proving() || !self.awaited.is_empty() {
            return;
        }
        if self.lemmas.wanted.is_none() {
            self.find_facts(batch);
        }
        let mut left = more;
        while left > 0 {
            let Some((wanted, begun)) = &mut self.lemmas.wanted else { return };
            let Some((name, at_least, holds)) = wanted.get(*begun).cloned() else { return };
            *begun += 1;
            let is_begun = self.lemma(&name, at_least, holds).is_some()
                || self.issued.values().filter(|issued| !issued.withdrawn).any(|issued| {
                    let Unit { task, node, question, .. } = &issued.unit;
                    let same =
                        matches!(task, UnitTask::Certify { holds: known, .. } if *known == holds);
                    same && *node == name && question.at_least == at_least
                });
            if is_begun {
                continue;
            }
            let LemmaPlan { leaf_budget, most_nodes } = plan;
            let unit = Unit {
                task: UnitTask::Certify { holds, leaf_budget, most_nodes },
                question: Question { at_least, prover: Side::First },
                ..self.unit(name, at_least, 0)
            };
            self.hand_out(unit, 0, None, batch);
            left -= 1;
        }
    }

    /// A unit of a lemma was withdrawn: another has to be made.
    pub(super) fn look_for_lemmas_again(&mut self) {
        if let Some((_, begun)) = &mut self.lemmas.wanted {
            *begun = 0;
        }
    }

    /// What the answer rests on. Where parts of the proof left the memory the store is asked first.
    fn find_facts(&mut self, batch: &mut Batch) {
        let (mut wanted, mut absent): (Vec<Answer>, Vec<NodeName>) = (Vec::new(), Vec::new());
        for claim in claims(self.goal, self.bounds(), self.limit) {
            let (at_least, holds) = asked_by(claim);
            let facts = self.tree.rests_on(at_least).unwrap_or_default().facts;
            for node in facts {
                let name = NodeName::new(self.tree.name(node));
                match self.tree.is_absent(node) {
                    true => absent.push(name),
                    // The root of the bundle is no lemma.
                    false if node == ROOT => {}
                    false => wanted.push((name, at_least, holds)),
                }
            }
        }
        match absent.is_empty() {
            true => self.lemmas.wanted = Some((wanted, 0)),
            false => self.want(absent, batch),
        }
    }

    /// What came of a unit that makes lemmas. Whoever drives this has them checked.
    pub(super) fn take_lemmas(&mut self, voter: Voter, report: &UnitReport, batch: &mut Batch) {
        let Some(issued) = self.issued.get_mut(&report.unit.number) else { return };
        let (unit, attempt) = (&issued.unit, report.attempt);
        match &report.finding {
            Finding::Certified(lemmas) if !lemmas.is_empty() => {
                let lemmas = lemmas.clone();
                batch.checks.push(LemmaCheck { unit: unit.clone(), attempt, lemmas });
                batch.heard.push((unit.id, attempt));
                issued.votes.push(Vote {
                    voter,
                    attempt,
                    agreement: 0,
                    finding: report.finding.clone(),
                    nodes: report.nodes,
                    checked: false,
                });
            }
            Finding::Refuted if voter.trusted => {
                let text = self.rules.text(&unit.node).unwrap_or_else(|_| unit.node.to_string());
                batch.log.push(format!("unit {}: what it was to prove is not true", unit.id));
                self.standing = ProjectStanding::Contradicted(text);
            }
            _ => {
                let line = format!("unit {}: user {} made no lemmas", unit.id, voter.user);
                batch.log.push(line);
                issued.failures += 1;
                issued.trusted_only = true;
                batch.again.push(issued.again());
                let (unit, user, verdict) = (report.unit, voter.user, AttemptVerdict::Invalid);
                let checked = false;
                batch.judged.push(JudgedAttempt {
                    unit,
                    attempt,
                    user,
                    verdict,
                    credit: 0,
                    checked,
                });
            }
        }
    }

    /// What the checker says of the lemmas of an attempt: `Err` says why it refuses one.
    pub(super) fn take_check(
        &mut self,
        now: u64,
        (id, attempt): (UnitId, u32),
        accepted: &Result<(), String>,
        batch: &mut Batch,
    ) {
        let Some(issued) = self.issued.get_mut(&id.number) else { return };
        let Some(at) = issued.votes.iter().position(|vote| vote.attempt == attempt) else { return };
        let vote = issued.votes.remove(at);
        let user = vote.voter.user;
        let checked = accepted.is_ok();
        self.trust.learn(user, now, accepted.is_ok(), checked);
        let (verdict, credit) = match accepted {
            Ok(()) => (AttemptVerdict::Valid, vote.nodes),
            Err(_) => (AttemptVerdict::Invalid, 0),
        };
        batch.judged.push(JudgedAttempt { unit: id, attempt, user, verdict, credit, checked });
        if let Err(why) = accepted {
            batch.log.push(format!("unit {id}: a lemma of user {user} is refused: {why}"));
            issued.failures += 1;
            batch.again.push(issued.again());
            return;
        }
        let Some(issued) = self.issued.remove(&id.number) else { return };
        let unit = issued.unit;
        batch.done.push(id);
        self.spent = self.spent.saturating_add(vote.nodes);
        if let (Finding::Certified(lemmas), UnitTask::Certify { holds, .. }) =
            (vote.finding, unit.task)
            && let Some(&hash) = lemmas.last()
        {
            let lemma =
                NodeLemma { name: unit.node, at_least: unit.question.at_least, holds, hash };
            self.restore_lemma(&lemma);
            batch.lemmas.push(lemma);
        }
    }
}
