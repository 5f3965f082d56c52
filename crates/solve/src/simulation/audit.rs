//! The audit: what an answer rests on is done again by the project's own machines.
//!
//! Only facts count; what follows from them is a cache, which is thrown away before. Whoever vouched
//! for a false fact is believed no longer, and what is then short of a quorum is struck out, too.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    AttemptVerdict, Batch, Coordinator, Epoch, NodeName, ProjectStanding, RandomGame, Simulation,
    TextError, World,
};
use crate::goal::Bounds;
use crate::method::Method;
use crate::rules::SolverRules;
use crate::store::Store;
use crate::tree::{NodeId, ROOT, Tree};

/// A node has an answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    name: NodeName,
    at_least: i32,
    holds: bool,
}

impl Claim {
    pub(super) fn is_true(&self, game: &RandomGame) -> bool {
        game.truth(&self.name).map(|value| value >= self.at_least) == Some(self.holds)
    }
}

/// A fact as it was written.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at_least: i32,
    holds: bool,
    unit: u64,
    /// One of the project's own machines says so.
    sure: bool,
}

impl Entry {
    fn implies(&self, claim: &Claim) -> bool {
        self.holds == claim.holds
            && match self.holds {
                true => self.at_least >= claim.at_least,
                false => self.at_least <= claim.at_least,
            }
    }
}

/// All facts, and who vouched for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    facts: HashMap<NodeName, Vec<Entry>>,
    /// Of the units that showed them.
    voters: HashMap<u64, Vec<u64>>,
}

impl Ledger {
    /// Enters what was written; how many of these facts are not true.
    pub(super) fn enter(&mut self, batch: &Batch, simulation: &Simulation) -> u64 {
        for fact in &batch.facts {
            self.voters.entry(fact.unit.number).or_default();
        }
        for judged in batch.judged.iter().filter(|one| one.verdict == AttemptVerdict::Valid) {
            if let Some(voters) = self.voters.get_mut(&judged.unit.number) {
                voters.push(judged.user);
            }
        }
        let mut false_facts = 0;
        for fact in &batch.facts {
            let (at_least, holds) = (fact.question.at_least, fact.question.holds(fact.proved));
            let claim = Claim { name: fact.name.clone(), at_least, holds };
            false_facts += u64::from(!claim.is_true(&simulation.game));
            let unit = fact.unit.number;
            let is_own = |&user: &u64| (user as usize) < simulation.crowd.trusted;
            let sure = self.voters.get(&unit).is_some_and(|voters| voters.iter().any(is_own));
            self.facts.entry(claim.name).or_default().push(Entry { at_least, holds, unit, sure });
        }
        false_facts
    }

    /// What facts say of a node.
    fn bounds(&self, name: &NodeName, limit: i32) -> Bounds {
        let all = Bounds { lower: -limit, upper: limit };
        let entries = self.facts.get(name).into_iter().flatten();
        let both = entries.fold(all, |known, entry| known.with(entry.at_least, entry.holds));
        if both.lower > both.upper { all } else { both }
    }

    fn is_sure(&self, claim: &Claim) -> bool {
        let mut entries = self.facts.get(&claim.name).into_iter().flatten();
        entries.any(|entry| entry.sure && entry.implies(claim))
    }

    /// The project's own machines confirm it.
    fn confirm(&mut self, claim: &Claim) {
        let &Claim { ref name, at_least, holds } = claim;
        let entry = Entry { at_least, holds, unit: u64::MAX, sure: true };
        self.facts.entry(name.clone()).or_default().push(entry);
    }

    /// Strikes out what is false, and with it whatever is short of a quorum without those who
    /// vouched for it. Says how many facts that are, and who is believed no longer.
    fn strike(&mut self, claims: &[Claim], quorum: usize) -> (u64, BTreeSet<u64>) {
        let mut struck = 0;
        let mut liars = BTreeSet::new();
        for claim in claims {
            let Some(entries) = self.facts.get_mut(&claim.name) else { continue };
            for entry in entries.iter().filter(|entry| entry.implies(claim)) {
                liars.extend(self.voters.get(&entry.unit).into_iter().flatten());
            }
            let before = entries.len();
            entries.retain(|entry| !entry.implies(claim));
            struck += (before - entries.len()) as u64;
        }
        let voters = &self.voters;
        let holds = |entry: &Entry| {
            let voters = voters.get(&entry.unit).map_or(&[][..], Vec::as_slice);
            let left = voters.iter().filter(|&user| !liars.contains(user)).count();
            entry.sure || left == voters.len() || left >= quorum
        };
        for entries in self.facts.values_mut() {
            let before = entries.len();
            entries.retain(holds);
            struck += (before - entries.len()) as u64;
        }
        (struck, liars)
    }
}

/// What the value of the root rests on.
pub(super) fn proof(tree: &Tree, limit: i32) -> BTreeSet<Claim> {
    let Some(value) = tree.bounds(ROOT).exact() else { return BTreeSet::new() };
    let claims = |at_least: i32| {
        let parts = tree.rests_on(at_least).unwrap_or_default();
        let claim = move |&node: &NodeId| claim(tree, node, at_least);
        parts.facts.iter().filter_map(claim).collect::<Vec<_>>()
    };
    let says_something = |at_least: &i32| *at_least > -limit && *at_least <= limit;
    [value, value + 1].into_iter().filter(says_something).flat_map(claims).collect()
}

fn claim(tree: &Tree, node: NodeId, at_least: i32) -> Option<Claim> {
    let holds = tree.bounds(node).answer(at_least)?;
    Some(Claim { name: NodeName::new(tree.name(node)), at_least, holds })
}

impl World<'_> {
    /// Does again whatever an answer, or a contradiction, rests on and is not sure. Whether something
    /// false was found, or the answer does not follow from facts.
    pub(super) fn audit(&mut self, coordinator: &Coordinator<'_>) -> Result<bool, TextError> {
        let game = &self.simulation.game;
        let tree = self.facts_alone()?;
        let all = match (tree.contradiction(), coordinator.tree().contradiction()) {
            (Some(contradiction), _) => self.claims_below(&tree, contradiction.0),
            (_, Some(contradiction)) => self.claims_below(coordinator.tree(), contradiction.0),
            _ => proof(&tree, game.limit),
        };
        let is_answered = *coordinator.standing() == ProjectStanding::Answered;
        if is_answered && self.found.answer_before.is_none() {
            let is_false = |claim: &&Claim| !claim.is_true(game);
            self.found.answer_before = Some(self.is_right(coordinator));
            self.found.facts_in_proof = all.len() as u64;
            self.found.false_in_proof = all.iter().filter(is_false).count() as u64;
        }
        self.found.audits += 1;
        let redone: Vec<&Claim> = all.iter().filter(|claim| !self.ledger.is_sure(claim)).collect();
        if !self.people.iter().any(|person| person.voter.trusted) {
            return Ok(false);
        }
        self.pass_audit(&redone);
        let (right, wrong): (Vec<_>, Vec<_>) =
            redone.into_iter().cloned().partition(|claim| claim.is_true(game));
        right.iter().for_each(|claim| self.ledger.confirm(claim));
        let quorum = usize::from(self.simulation.trust.quorum);
        let (struck, liars) = self.ledger.strike(&wrong, quorum);
        liars.into_iter().for_each(|liar| self.store.ban(liar));
        self.found.struck += struck;
        Ok(!wrong.is_empty() || tree.bounds(ROOT) != coordinator.bounds())
    }

    /// A tree of all nodes in the store that knows nothing but facts and rules.
    pub(super) fn facts_alone(&mut self) -> Result<Tree, TextError> {
        let rules = &self.simulation.game;
        let mut tree = Tree::new(&rules.sight(&rules.root())?, rules.manner(Method::AlphaBeta));
        let mut wanted = vec![rules.root()];
        while !wanted.is_empty() {
            let rows = self.store.nodes(&wanted).map_err(|error| super::failed(&error))?;
            for name in wanted.drain(..) {
                if let Some(node) = tree.find(name.as_bytes()) {
                    tree.narrow(node, self.ledger.bounds(&name, rules.limit));
                }
            }
            for row in rows {
                let Some(node) = tree.find(row.name.as_bytes()) else { continue };
                let Some(order) = &row.order else { continue };
                let children = rules.children(&row.name, order)?;
                let sights: Vec<_> = children.into_iter().map(|child| child.sight).collect();
                tree.expand(node, &sights);
                wanted.extend(sights.into_iter().map(|sight| sight.name));
            }
        }
        Ok(tree)
    }

    /// All facts about a node and what is below it.
    fn claims_below(&self, tree: &Tree, top: NodeId) -> BTreeSet<Claim> {
        let (mut seen, mut todo) = (HashSet::from([top]), vec![top]);
        let mut claims = BTreeSet::new();
        while let Some(node) = todo.pop() {
            let name = NodeName::new(tree.name(node));
            for &Entry { at_least, holds, .. } in self.ledger.facts.get(&name).into_iter().flatten()
            {
                claims.insert(Claim { name: name.clone(), at_least, holds });
            }
            let children = tree.children(node).into_iter().flatten();
            todo.extend(children.filter(|&child| seen.insert(child)));
        }
        claims
    }

    /// The project's own machines share the work, each taking the next piece when it is free.
    fn pass_audit(&mut self, redone: &[&Claim]) {
        let mut machines: Vec<(f64, f64)> = self
            .people
            .iter()
            .filter(|person| person.voter.trusted)
            .map(|person| (0.0, person.speed))
            .collect();
        for claim in redone {
            let nodes = self.simulation.game.nodes(&claim.name).unwrap_or_default();
            self.found.audit_nodes += nodes;
            let first = machines.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((free, speed)) = first {
                *free += nodes as f64 / *speed;
            }
        }
        let seconds = machines.iter().map(|machine| machine.0).fold(0.0, f64::max) as u64;
        self.now += seconds;
        // Whoever waits for the audit gives up no sooner for it.
        self.end += seconds;
        self.found.audit_days += seconds as f64 / 86_400.0;
    }

    /// A coordinator that begins again with facts alone, and with nothing handed out.
    pub(super) fn reloaded<'r>(
        &mut self,
        rules: &'r RandomGame,
    ) -> Result<(Coordinator<'r>, Epoch), TextError> {
        let (ledger, limit) = (&self.ledger, rules.limit);
        self.store.rewrite_bounds(|name| ledger.bounds(name, limit));
        self.claimed(rules, true)
    }

    pub(super) fn is_right(&self, coordinator: &Coordinator<'_>) -> bool {
        let value = coordinator.bounds().exact();
        value.is_some() && value == self.simulation.game.truth(&coordinator.root())
    }
}
