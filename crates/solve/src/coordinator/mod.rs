//! [`Coordinator`]: one for each project. It keeps the proof tree near the root, reads what came in,
//! decides whom to believe, backs up, and says what to write and what to hand out.
//!
//! It is a pure function of its events, the clock and a seed: no thread, no file, no game. Whatever
//! order events come in, twice or never, what is in the tree follows from results that were believed
//! and from the rules.

mod batch;
mod believing;
mod certifying;
mod confirming;
mod estimating;
mod fitting;
mod issuing;
mod remembering;
mod ruling;
mod trust;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use game::{Rng, TextError};

use crate::goal::{Bounds, Goal};
use crate::message::{Finding, Question, SubFact, Unit, UnitId, UnitTask};
use crate::method::Method;
use crate::name::NodeName;
use crate::plan::{Plan, TRIES};
use crate::rules::SolverRules;
use crate::tree::{NodeId, ROOT, SLOTS, Slot, Tree};
use crate::work::is_cut;
pub use batch::{
    Again, AttemptVerdict, Batch, Event, Fact, JudgedAttempt, LemmaCheck, NewUnit, NodeLemma,
    NodeRow, Ruling, RulingRequest, Voter,
};
pub use certifying::Certification;
use certifying::LemmaWork;
use confirming::{Confirmation, ConfirmingWork};
pub use estimating::LeftRange;
pub use fitting::CostModel;
pub use trust::{Trust, UserRecord};
use trust::{Vote, agreeing, distinct};

/// How things stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectStanding {
    /// There is work.
    Open,
    /// The goal is reached.
    Answered,
    /// All that can be worked at has been, and the goal is not reached: play goes round in circles.
    Undecided,
    /// Two facts exclude each other; says which, and who vouched for them.
    Contradicted(String),
}

/// Which project, and how often it was claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProjectId {
    /// Its number.
    pub project: u32,
    /// How often it was claimed or restored: rises every time.
    pub incarnation: u32,
}

/// See the module.
#[derive(Clone)]
pub struct Coordinator<'r> {
    rules: &'r dyn SolverRules,
    goal: Goal,
    plan: Plan,
    project: ProjectId,
    game: String,
    root_text: String,
    limit: i32,
    tree: Tree,
    /// Facts about nodes that are not in the tree.
    loose: HashMap<NodeName, Bounds>,
    /// Units that wait for results, or for late ones.
    issued: BTreeMap<u64, Box<Issued>>,
    /// Units that are done, as long as late results may come.
    finished: BTreeMap<u64, Finished>,
    /// Nodes of which the store was asked.
    awaited: HashSet<NodeId>,
    /// Whether the store may know nodes that are not in the tree.
    has_forgotten: bool,
    /// The last unit of which it was seen whether anybody still needs it.
    reviewed: u64,
    /// Units that wait for others, by those who voted for them and are not established yet.
    voted: BTreeMap<u64, BTreeSet<u64>>,
    /// The last of these of whom it was seen whether it is by now.
    reviewed_voter: u64,
    /// Units of which a report is checked.
    checking: BTreeSet<u64>,
    /// Units that were withdrawn, the oldest first.
    withdrawn: VecDeque<u64>,
    /// The questions of that time.
    reviewed_for: [Option<i32>; SLOTS],
    /// The unit of a node and question, canaries apart.
    unit_at: HashMap<(NodeName, Slot), u64>,
    next_number: u64,
    trust: Trust,
    lemmas: LemmaWork,
    confirming: ConfirmingWork,
    /// Nodes that somebody asks about.
    wishes: Vec<NodeName>,
    fitting: CostModel,
    rng: Rng,
    batches: u64,
    spent: u64,
    /// What was spent when the question under way was asked, if that was here.
    asked_at: Option<u64>,
    wasted: u64,
    /// Budgets of units that were of use only if others turned out otherwise.
    speculated: u64,
    /// These are at most one in so many of all nodes; `None` for as many as anybody asks for.
    speculation: Option<u64>,
    standing: ProjectStanding,
}

/// A unit that was made.
#[derive(Clone, Debug)]
struct Issued {
    unit: Unit,
    slot: Slot,
    hash: u128,
    votes: Vec<Vote>,
    failures: u32,
    trusted_only: bool,
    withdrawn: bool,
    /// Somebody wants its node worked at, whatever it is good for.
    wished: bool,
    /// What is known to be right, where that is only a test.
    canary: Option<u128>,
    /// What is found once more, for the audit.
    confirms: Option<Confirmation>,
    /// What is being found out about its votes.
    asked: Option<ruling::Asked>,
    /// Who is wrong about it cannot be found out here.
    is_unruled: bool,
    /// Draws lots about this unit.
    lot: u64,
}

/// A unit that is done.
#[derive(Clone, Copy, Debug)]
struct Finished {
    hash: u128,
    agreement: u128,
    nodes: u64,
    /// Whether somebody vouched for it.
    vouched: bool,
}

impl<'r> Coordinator<'r> {
    /// Knows the root alone.
    ///
    /// # Errors
    /// If the rules do not know their own root.
    pub fn new(
        rules: &'r dyn SolverRules,
        goal: Goal,
        plan: Plan,
        project: ProjectId,
        seed: u64,
    ) -> Result<Coordinator<'r>, TextError> {
        let mut tree = Tree::new(&rules.sight(&rules.root())?, rules.manner(plan.method));
        tree.set_while_leased(plan.while_leased);
        let mut coordinator = Coordinator {
            rules,
            goal,
            plan,
            project,
            game: rules.game(),
            root_text: rules.root_text(),
            limit: rules.margin_limit(),
            tree,
            loose: HashMap::new(),
            issued: BTreeMap::new(),
            finished: BTreeMap::new(),
            awaited: HashSet::new(),
            has_forgotten: false,
            reviewed: 0,
            voted: BTreeMap::new(),
            reviewed_voter: 0,
            checking: BTreeSet::new(),
            withdrawn: VecDeque::new(),
            reviewed_for: [None; SLOTS],
            unit_at: HashMap::new(),
            next_number: 0,
            trust: Trust::default(),
            lemmas: LemmaWork::default(),
            confirming: ConfirmingWork::default(),
            wishes: Vec::new(),
            fitting: CostModel::default(),
            rng: Rng::new(seed),
            batches: 0,
            spent: 0,
            asked_at: None,
            wasted: 0,
            speculated: 0,
            speculation: None,
            standing: ProjectStanding::Open,
        };
        coordinator.ask_on();
        Ok(coordinator)
    }

    /// The node that everything begins with.
    #[must_use]
    pub fn root(&self) -> NodeName {
        NodeName::new(self.tree.name(ROOT))
    }

    /// What is known.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The bounds of the root.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.tree.bounds(ROOT)
    }

    /// How things stand.
    #[must_use]
    pub fn standing(&self) -> &ProjectStanding {
        &self.standing
    }

    /// Positions visited by units that were believed.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Of these, how many were about a question that was answered otherwise.
    #[must_use]
    pub fn wasted(&self) -> u64 {
        self.wasted
    }

    /// Who has been right.
    #[must_use]
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// Who has been right, to put back what a store kept.
    pub fn trust_mut(&mut self) -> &mut Trust {
        &mut self.trust
    }

    /// What nodes cost, as far as it is known.
    #[must_use]
    pub fn fitting(&self) -> &CostModel {
        &self.fitting
    }

    /// Units that wait for results and are still needed.
    pub fn open_units(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.issued.values().filter(|issued| !issued.withdrawn).map(|issued| issued.unit.id)
    }

    /// Goes on from what a store kept: numbers are never used twice.
    pub fn resume(&mut self, next_number: u64, batches: u64, spent: u64) {
        (self.next_number, self.batches, self.spent) = (next_number, batches, spent);
        // Of what was spent before, nobody knows how much was for the question under way.
        self.asked_at = (spent == 0).then_some(0);
    }

    /// Somebody wants to have this node worked at, whatever it is good for.
    pub fn wish(&mut self, name: NodeName) {
        self.wishes.push(name);
    }

    /// How large units are from now on, and their sub-jobs.
    pub fn set_budget(&mut self, budget: u64, slice: u64) {
        (self.plan.budget, self.plan.slice) = (budget, slice);
    }

    /// Units that are of use only if others turn out otherwise are made no longer once they are more
    /// than one in so many of all nodes: whoever asks then waits for what is needed. That is for few
    /// machines that share no table, where such work costs more than it brings.
    pub fn limit_speculation(&mut self, one_in: u64) {
        self.speculation = Some(one_in);
    }

    /// Takes over a unit that was handed out before a claim. Its reports come as events.
    pub fn adopt(&mut self, unit: &Unit, trusted_only: bool) {
        let at_least = unit.question.at_least;
        let slot = (0..SLOTS).find(|&slot| self.tree.asked(slot) == Some(at_least));
        let issued = Issued {
            unit: unit.clone(),
            slot: slot.unwrap_or(0),
            hash: unit.hash(),
            votes: Vec::new(),
            failures: 0,
            trusted_only,
            // If nobody asks for it any longer, that is found out and written at the next step.
            withdrawn: false,
            // Every other unit was made of a node of the tree.
            wished: self.tree.find(unit.node.as_bytes()).is_none(),
            canary: None,
            confirms: None,
            asked: None,
            is_unruled: false,
            lot: self.rng.next_u64(),
        };
        if slot.is_some() {
            self.set_leased(&issued, true);
        }
        self.enter(issued);
    }

    /// Takes in what happened, and makes units until so many wait to be handed out beside those that
    /// wait already.
    pub fn step(&mut self, now: u64, events: &[Event], more: usize) -> Batch {
        self.batches += 1;
        let mut batch = Batch { number: self.batches, ..Batch::default() };
        for event in events {
            match event {
                Event::Delivered(voter, report) => self.take_in(now, *voter, report, &mut batch),
                Event::Known(rows) => self.take_rows(rows, &mut batch),
                Event::Checked(unit, attempt, accepted) => {
                    self.take_check(now, (*unit, *attempt), accepted, &mut batch);
                }
                Event::Ruled(unit, ruling) => self.take_ruling(now, *unit, ruling, &mut batch),
            }
        }
        self.tree.refresh();
        self.ask_on();
        self.review(&mut batch);
        self.review_voters(now, &mut batch);
        self.issue_wishes(&mut batch);
        self.issue(more, &mut batch);
        self.issue_confirmations(more, &mut batch);
        self.issue_lemmas(more, &mut batch);
        self.write_changed(&mut batch);
        self.forget();
        (batch.next_number, batch.spent) = (self.next_number, self.spent);
        batch
    }

    /// The next questions, once one is answered.
    fn ask_on(&mut self) {
        let mover = self.tree.mover(ROOT);
        let bounds = self.bounds();
        let step = self.tree.manner().step;
        let first = self.goal.next(bounds, mover, step);
        let second = first.filter(|_| self.plan.second_share > 0).and_then(|asked| {
            let numbers = self.tree.numbers(0, ROOT);
            let likely = numbers.proof <= numbers.disproof;
            self.goal.next(bounds.with(asked, likely), mover, step).filter(|&next| next != asked)
        });
        for (slot, asked) in [first, second].into_iter().enumerate() {
            // A second question stays until it is answered, whatever becomes likely meanwhile.
            let open = |now: i32| bounds.answer(now).is_none();
            let is_kept = slot == 1 && first.is_some() && self.tree.asked(1).is_some_and(open);
            if self.tree.asked(slot) != asked && !(is_kept && self.tree.asked(1) != first) {
                self.tree.ask(slot, asked);
                if slot == 0 {
                    self.asked_at = Some(self.spent);
                }
            }
        }
        if let Some(contradiction) = self.tree.contradiction() {
            let name = NodeName::new(self.tree.name(contradiction.0));
            let text = self.rules.text(&name).unwrap_or_else(|_| name.to_string());
            self.standing = ProjectStanding::Contradicted(text);
        } else if first.is_none() && !matches!(self.standing, ProjectStanding::Contradicted(_)) {
            self.standing = ProjectStanding::Answered;
        }
    }

    /// What follows from a result that is believed.
    fn apply(&mut self, issued: &Issued, vote: &Vote, batch: &mut Batch) -> Result<(), TextError> {
        let Unit { node: name, question, id, .. } = &issued.unit;
        let (users, trusted) = self.vouching(issued, vote);
        let fact = |name: NodeName, question: Question, proved: bool| Fact {
            name,
            question,
            proved,
            unit: *id,
            users,
            trusted,
        };
        let node = self.tree.find(name.as_bytes());
        let proved = match &vote.finding {
            Finding::Proved => Some(true),
            Finding::Refuted => Some(false),
            _ => None,
        };
        let is_answered = proved.is_some() || vote.finding.answers(*question);
        if let Some(node) = node {
            self.tree.add_effort(node, vote.nodes, !is_answered);
        }
        if let Some(proved) = proved {
            self.learn(fact(name.clone(), *question, proved), batch);
            let measures = self.rules.measures(name)?;
            // With a table that is kept, earlier tries have done a part of the work.
            let effort = node.filter(|_| self.plan.keep_table).map(|node| self.tree.effort(node));
            self.fitting.learn(&measures, effort.unwrap_or(vote.nodes));
        }
        let Finding::Open { facts, order } = &vote.finding else { return Ok(()) };
        if let Some(node) = node
            && !self.tree.is_expanded(node)
            && !is_answered
            && (self.tree.tries(node) >= TRIES
                || issued.unit.budget >= self.plan.budget
                || self.plan.method == Method::BestFirst
                || is_cut(self.rules, &issued.unit, name)?)
        {
            self.expand(node, name, order, batch)?;
        }
        for found in facts {
            let at = self.follow(name, found)?;
            self.learn(fact(at, found.question, found.proved), batch);
        }
        Ok(())
    }

    /// How many vouch for what is believed of a unit, and whether one of the project's own machines
    /// does. Those who were seen to lie do not count.
    fn vouching(&self, issued: &Issued, vote: &Vote) -> (u32, bool) {
        let mut agreeing = agreeing(&issued.votes, vote.agreement);
        agreeing.retain(|voter| !self.trust.record(voter.user).banned);
        (distinct(&agreeing) as u32, agreeing.iter().any(|voter| voter.trusted))
    }

    /// A fact about a node, wherever it is.
    fn learn(&mut self, fact: Fact, batch: &mut Batch) {
        let bounds = fact.question.bounds(self.limit, fact.proved);
        match self.tree.find(fact.name.as_bytes()) {
            Some(node) => self.tree.narrow(node, bounds),
            None => {
                let known = self.loose.entry(fact.name.clone()).or_insert(bounds);
                *known = known.and(bounds);
            }
        }
        batch.facts.push(fact);
    }

    /// The node that a fact is about: its moves are checked by the rules.
    fn follow(&self, from: &NodeName, fact: &SubFact) -> Result<NodeName, TextError> {
        let mut here = from.clone();
        for &place in &fact.path {
            let children = self.rules.children(&here, &[place])?;
            let child = children.into_iter().next().filter(|child| child.place == place);
            let none = || TextError::new(&place.to_string(), "not the place of a legal move");
            here = child.ok_or_else(none)?.sight.name;
        }
        Ok(here)
    }

    /// The moves of a node become nodes of their own. The rules make them; their order is advice.
    fn expand(
        &mut self,
        node: NodeId,
        name: &NodeName,
        order: &[u16],
        batch: &mut Batch,
    ) -> Result<(), TextError> {
        let children = self.rules.children(name, order)?;
        let sights: Vec<_> = children.iter().map(|child| child.sight.clone()).collect();
        let new = self.unknown(&sights);
        if self.tree.expand(node, &sights).is_none() {
            return Err(TextError::new(&name.to_string(), "the tree is full"));
        }
        for sight in &sights {
            let loose = self.loose.remove(&sight.name);
            if let (Some(bounds), Some(child)) = (loose, self.tree.find(sight.name.as_bytes())) {
                self.tree.narrow(child, bounds);
            }
        }
        let row = self.row(node, Some(children.iter().map(|child| child.place).collect()));
        batch.nodes.push(row);
        // A position that was removed and is met again is not worked at again.
        if self.has_forgotten {
            self.want(new, batch);
        }
        Ok(())
    }

    fn set_leased(&mut self, issued: &Issued, leased: bool) {
        if issued.canary.is_none()
            && issued.confirms.is_none()
            && issued.unit.task == UnitTask::Answer
            && let Some(node) = self.tree.find(issued.unit.node.as_bytes())
        {
            self.tree.set_leased(issued.slot, node, leased);
        }
    }
}

impl std::fmt::Debug for Coordinator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coordinator")
            .field("goal", &self.goal)
            .field("bounds", &self.bounds())
            .field("issued", &self.issued.len())
            .finish_non_exhaustive()
    }
}
