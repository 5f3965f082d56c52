//! The audit: what an answer rests on is confirmed by the project's own machines, by the coordinator
//! that every project has. What follows here is what people do when something false comes to light.
//!
//! Whoever vouched for a false fact is believed no longer, and what is then short of a quorum is
//! struck out, too.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    AttemptVerdict, Batch, Coordinator, Epoch, NodeName, RandomGame, Simulation, TextError, World,
    failed,
};
use crate::audit::{ProofAudit, RestingFact};
use crate::goal::Goal;
use crate::rules::SolverRules;
use crate::store::{Store, StoredFact};

/// Who vouched for facts, by the units that showed them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(HashMap<u64, Vec<u64>>);

impl Ledger {
    /// Enters what was written; how many of these facts are not true.
    pub(super) fn enter(&mut self, batch: &Batch, simulation: &Simulation) -> u64 {
        for fact in &batch.facts {
            self.0.entry(fact.unit.number).or_default();
        }
        for judged in batch.judged.iter().filter(|one| one.verdict == AttemptVerdict::Valid) {
            if let Some(voters) = self.0.get_mut(&judged.unit.number) {
                voters.push(judged.user);
            }
        }
        let game = &simulation.game;
        let is_false = |fact: &&crate::coordinator::Fact| {
            let (at_least, holds) = (fact.question.at_least, fact.question.holds(fact.proved));
            !is_true(game, &fact.name, at_least, holds)
        };
        batch.facts.iter().filter(is_false).count() as u64
    }

    fn voters(&self, unit: u64) -> &[u64] {
        self.0.get(&unit).map_or(&[], Vec::as_slice)
    }
}

fn is_true(game: &RandomGame, name: &NodeName, at_least: i32, holds: bool) -> bool {
    game.truth(name).map(|value| value >= at_least) == Some(holds)
}

impl World<'_> {
    /// Facts of the proof that are not true.
    pub(super) fn false_of(&self, facts: &[RestingFact]) -> u64 {
        let game = &self.simulation.game;
        let is_false = |fact: &&RestingFact| !is_true(game, &fact.name, fact.at_least, fact.holds);
        facts.iter().filter(is_false).count() as u64
    }

    /// What the answer rests on.
    pub(super) fn proof(&mut self, coordinator: &Coordinator<'_>) -> Result<ProofAudit, TextError> {
        let (rules, answer) = (&self.simulation.game, coordinator.bounds());
        let audit = ProofAudit::of(rules, Goal::Value, answer, &mut self.store);
        audit.map_err(|error| failed(&error))
    }

    /// Has the answer confirmed; whether it stands. If not, what is false was struck out, and the
    /// project is to be loaded again.
    pub(super) fn audit<'r>(
        &mut self,
        rules: &'r RandomGame,
        (coordinator, epoch): (&mut Coordinator<'r>, &mut Epoch),
        progress: &mut dyn FnMut(f64),
    ) -> Result<bool, TextError> {
        self.found.audits += 1;
        let trust = self.simulation.plan().trust;
        loop {
            let audit = self.proof(coordinator)?;
            if self.found.answer_before.is_none() {
                self.found.answer_before = Some(self.is_right(coordinator));
                self.found.facts_in_proof = audit.facts.len() as u64;
                self.found.false_in_proof = self.false_of(&audit.facts);
            }
            if let Some(node) = audit.contradiction {
                self.resolve(&node)?;
                return Ok(false);
            }
            let short: Vec<RestingFact> = audit.short(&trust).cloned().collect();
            let has_own = self.people.iter().any(|person| person.voter.trusted);
            if !audit.is_founded || short.is_empty() || !has_own {
                return Ok(audit.is_founded);
            }
            let (began, spent) = (self.now, coordinator.spent());
            coordinator.confirm(&short);
            self.is_auditing = true;
            self.crowd_works(rules, (&mut *coordinator, &mut *epoch), progress)?;
            self.is_auditing = false;
            // Whoever waits for the audit gives up no sooner for it.
            self.end += self.now - began;
            self.found.audit_days += (self.now - began) as f64 / 86_400.0;
            self.audit_spent += coordinator.spent() - spent;
            let names: Vec<NodeName> = short.into_iter().map(|fact| fact.name).collect();
            let facts = self.store.facts(&names).map_err(|error| failed(&error))?;
            if self.strike_false(&facts) {
                return Ok(false);
            }
        }
    }

    /// What is still to be confirmed, for a coordinator that has taken over meanwhile.
    pub(super) fn confirm_on(
        &mut self,
        coordinator: &mut Coordinator<'_>,
    ) -> Result<(), TextError> {
        let trust = self.simulation.plan().trust;
        let audit = self.proof(coordinator)?;
        coordinator.confirm(audit.short(&trust));
        Ok(())
    }

    /// Facts exclude each other here: all below it are done again.
    pub(super) fn resolve(&mut self, node: &NodeName) -> Result<(), TextError> {
        let rules = &self.simulation.game;
        let (mut seen, mut todo) = (HashSet::from([node.clone()]), vec![node.clone()]);
        let mut facts = Vec::new();
        while !todo.is_empty() {
            facts.extend(self.store.facts(&todo).map_err(|error| failed(&error))?);
            let rows = self.store.nodes(&todo).map_err(|error| failed(&error))?;
            todo.clear();
            for row in rows {
                let Some(order) = &row.order else { continue };
                let children = rules.children(&row.name, order)?;
                let names = children.into_iter().map(|child| child.sight.name);
                todo.extend(names.filter(|name| seen.insert(name.clone())));
            }
        }
        self.pass_audit(&facts);
        self.strike_false(&facts);
        Ok(())
    }

    /// The project's own machines share the work, each taking the next piece when it is free.
    fn pass_audit(&mut self, redone: &[StoredFact]) {
        let mut machines: Vec<(f64, f64)> = self
            .people
            .iter()
            .filter(|person| person.voter.trusted)
            .map(|person| (0.0, person.speed))
            .collect();
        for fact in redone.iter().filter(|fact| !fact.trusted) {
            let nodes = self.simulation.game.nodes(&fact.name).unwrap_or_default();
            self.found.audit_nodes += nodes;
            let first = machines.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((free, speed)) = first {
                *free += nodes as f64 / *speed;
            }
        }
        let seconds = machines.iter().map(|machine| machine.0).fold(0.0, f64::max) as u64;
        self.now += seconds;
        self.end += seconds;
        self.found.audit_days += seconds as f64 / 86_400.0;
    }

    /// Of facts that were done again, strikes out the false ones, and with them whatever is short of
    /// a quorum without those who vouched for them. Whether there are any.
    fn strike_false(&mut self, redone: &[StoredFact]) -> bool {
        let game = &self.simulation.game;
        let is_false = |fact: &StoredFact| !is_true(game, &fact.name, fact.at_least, fact.holds);
        let wrong: HashSet<u64> =
            redone.iter().filter(|fact| is_false(fact)).map(|fact| fact.unit).collect();
        if wrong.is_empty() {
            return false;
        }
        let (ledger, quorum) = (&self.ledger, usize::from(self.simulation.trust.quorum));
        let liars: BTreeSet<u64> =
            wrong.iter().flat_map(|&unit| ledger.voters(unit)).copied().collect();
        self.found.struck += self.store.strike(|fact| {
            let voters = ledger.voters(fact.unit);
            let left = voters.iter().filter(|&user| !liars.contains(user)).count();
            let holds = fact.trusted || left == voters.len() || left >= quorum;
            holds && !wrong.contains(&fact.unit)
        });
        liars.into_iter().for_each(|liar| self.store.ban(liar));
        true
    }

    /// A coordinator that begins again with facts alone, and with nothing handed out.
    pub(super) fn reloaded<'r>(
        &mut self,
        rules: &'r RandomGame,
    ) -> Result<(Coordinator<'r>, Epoch), TextError> {
        self.store.strike(|_| true);
        self.claimed(rules, true)
    }

    pub(super) fn is_right(&self, coordinator: &Coordinator<'_>) -> bool {
        let value = coordinator.bounds().exact();
        value.is_some() && value == self.simulation.game.truth(&coordinator.root())
    }
}
