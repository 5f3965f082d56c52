//! [`ProofAudit`]: what an answer rests on, and who vouches for it.
//!
//! Only facts and rules count here; bounds that were backed up are a cache, which is left out. Whoever
//! drives a project brings what too few vouch for to a quorum before it says "solved"
//! ([`Coordinator::confirm`](crate::coordinator::Coordinator::confirm)), and looks again.

use std::collections::{BTreeSet, HashMap};

use game::MarginStep;

use crate::certify::{asked_by, claims};
use crate::goal::{Bounds, Goal};
use crate::method::Method;
use crate::name::NodeName;
use crate::plan::TrustPlan;
use crate::rules::SolverRules;
use crate::solver::SolveError;
use crate::store::{Store, StoredFact};
use crate::tree::{NodeId, ROOT, Tree};

/// What an answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofAudit {
    /// Nodes whose answers follow from others.
    pub inner: usize,
    /// Nodes that the rules settle.
    pub ends: usize,
    /// What was found by work, each with the best that is known of who vouches for it.
    pub facts: Vec<RestingFact>,
    /// Whether the whole answer follows from facts and rules, every node by nodes that were justified
    /// before it: no circle justifies anything.
    pub is_founded: bool,
    /// A node about which facts exclude each other.
    pub contradiction: Option<NodeName>,
}

/// A fact that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RestingFact {
    /// Where.
    pub name: NodeName,
    /// Whether the first player's margin is at least this.
    pub at_least: i32,
    /// It is, or it is not.
    pub holds: bool,
    /// How many users vouch for it; 0 if nobody does, and it was only in the cache.
    pub users: u32,
    /// Whether one of the project's own machines does.
    pub trusted: bool,
}

impl RestingFact {
    /// Whether enough vouch for it.
    #[must_use]
    pub fn is_vouched(&self, plan: &TrustPlan) -> bool {
        let own = self.trusted && plan.trusted_alone;
        own || !plan.audited_by_own && self.users >= u32::from(plan.quorum)
    }
}

/// How many facts are seen by how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactCounts {
    /// All together.
    pub facts: usize,
    /// By one user, or by none.
    pub of_one: usize,
    /// By two.
    pub of_two: usize,
    /// By three or more.
    pub of_three: usize,
    /// By one of the project's own machines, whoever else.
    pub trusted: usize,
}

impl ProofAudit {
    /// What this answer to the goal rests on, by what a store holds.
    ///
    /// # Errors
    /// If the store fails, or holds what the rules deny.
    pub fn of(
        rules: &dyn SolverRules,
        goal: Goal,
        answer: Bounds,
        store: &mut (impl Store + ?Sized),
    ) -> Result<ProofAudit, SolveError> {
        let limit = rules.margin_limit();
        let asked: Vec<(i32, bool)> =
            claims(goal, answer, limit).into_iter().map(asked_by).collect();
        let known = FactTree::load(rules, &asked, store)?;
        let contradiction = known.tree.contradiction();
        let name = |node: NodeId| NodeName::new(known.tree.name(node));
        let mut audit = ProofAudit {
            is_founded: contradiction.is_none(),
            contradiction: contradiction.map(|contradiction| name(contradiction.0)),
            ..ProofAudit::default()
        };
        let mut facts = BTreeSet::new();
        for (at_least, holds) in asked {
            let follows = known.tree.bounds(ROOT).answer(at_least) == Some(holds);
            let parts = known.tree.rests_on(at_least).filter(|_| follows);
            audit.is_founded &= parts.is_some();
            let parts = parts.unwrap_or_default();
            audit.inner += parts.inner.len();
            audit.ends += parts.ends.len();
            for node in parts.facts {
                let name = name(node);
                if rules.sight(&name)?.bounds.answer(at_least) == Some(holds) {
                    audit.ends += 1;
                } else {
                    facts.insert(known.resting(name, at_least, holds));
                }
            }
        }
        audit.facts = facts.into_iter().collect();
        Ok(audit)
    }

    /// What too few vouch for.
    pub fn short<'a>(&'a self, plan: &'a TrustPlan) -> impl Iterator<Item = &'a RestingFact> {
        self.facts.iter().filter(|fact| !fact.is_vouched(plan))
    }

    /// How many facts are seen by how many.
    #[must_use]
    pub fn counts(&self) -> FactCounts {
        let count = |is_one: &dyn Fn(&RestingFact) -> bool| {
            self.facts.iter().filter(|fact| is_one(fact)).count()
        };
        FactCounts {
            facts: self.facts.len(),
            of_one: count(&|fact| fact.users <= 1),
            of_two: count(&|fact| fact.users == 2),
            of_three: count(&|fact| fact.users >= 3),
            trusted: count(&|fact| fact.trusted),
        }
    }
}

/// A tree that knows nothing but facts and rules.
struct FactTree {
    tree: Tree,
    facts: HashMap<NodeName, Vec<StoredFact>>,
    step: MarginStep,
    /// What is known of a node of which nothing is.
    all: Bounds,
}

impl FactTree {
    /// From the root on, as far as these questions are not answered by facts about the node itself.
    fn load(
        rules: &dyn SolverRules,
        asked: &[(i32, bool)],
        store: &mut (impl Store + ?Sized),
    ) -> Result<FactTree, SolveError> {
        const AT_ONCE: usize = 1 << 14;
        let manner = rules.manner(Method::AlphaBeta);
        let mut tree = Tree::new(&rules.sight(&rules.root())?, manner);
        let mut facts: HashMap<NodeName, Vec<StoredFact>> = HashMap::new();
        let mut wanted = vec![rules.root()];
        while !wanted.is_empty() {
            let names: Vec<NodeName> = wanted.split_off(wanted.len().saturating_sub(AT_ONCE));
            for fact in store.facts(&names)? {
                if let Some(node) = tree.find(fact.name.as_bytes()) {
                    tree.narrow(node, fact.bounds());
                }
                facts.entry(fact.name.clone()).or_default().push(fact);
            }
            for row in store.nodes(&names)? {
                let Some(node) = tree.find(row.name.as_bytes()) else { continue };
                let Some(order) = &row.order else { continue };
                let is_open =
                    |&(at_least, _): &(i32, bool)| tree.bounds(node).answer(at_least).is_none();
                if tree.is_expanded(node) || !asked.iter().any(is_open) {
                    continue;
                }
                let children = rules.children(&row.name, order)?;
                let sights: Vec<_> = children.into_iter().map(|child| child.sight).collect();
                let mut new: Vec<NodeName> = sights
                    .iter()
                    .filter(|sight| tree.find(sight.name.as_bytes()).is_none())
                    .map(|sight| sight.name.clone())
                    .collect();
                new.sort();
                new.dedup();
                tree.expand(node, &sights);
                wanted.extend(new);
            }
        }
        let limit = rules.margin_limit();
        let all = Bounds { lower: -limit, upper: limit };
        Ok(FactTree { tree, facts, step: manner.step, all })
    }

    /// Who vouches for an answer of a node: whoever says the most.
    fn resting(&self, name: NodeName, at_least: i32, holds: bool) -> RestingFact {
        let implies = |fact: &&StoredFact| {
            let says = self.all.with(fact.at_least, fact.holds).in_steps(self.step);
            says.answer(at_least) == Some(holds)
        };
        let facts = self.facts.get(&name).into_iter().flatten().filter(implies);
        let (users, trusted) = facts.fold((0, false), |(users, trusted), fact| {
            (fact.users.max(users), fact.trusted || trusted)
        });
        RestingFact { name, at_least, holds, users, trusted }
    }
}
