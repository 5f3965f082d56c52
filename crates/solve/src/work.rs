//! [`work`]: what a worker does with a unit.
//!
//! A unit is a small project of its own: a tree grows from its node, and the most promising leaf is
//! searched in a *sub-job* of bounded size. Unless the unit says otherwise every sub-job begins with
//! an empty table whose size follows from its budget, so that node counts repeat on every machine;
//! the *trace* is what came of each. The tree is a function of what the sub-jobs found, so that a
//! *checkpoint* is the list of these findings: whoever goes on plays them back.
//!
//! A unit of one sub-job may [ask on](Unit::ask_on): further questions about its node, with the table
//! of the first, are sub-jobs of their own. There is no checkpoint between them.

use certificate::Claim;
use game::{Side, TextError};
use play::Stop;
use search::{ProofTable, Table};

use crate::certify::{CertifyError, LemmaFile, LemmaPlan};
use crate::goal::{Bounds, Goal};
use crate::message::{
    CostFit, Finding, LONG_TRACE, LONGEST_PATH, MOST_CERTIFIED, MOST_FACTS, MOST_SUB_JOBS,
    Question, SubFact, Unit, UnitReport, UnitTask, WorkFailure, read_checkpoint, trace_bytes,
    write_checkpoint,
};
use crate::method::Method;
use crate::name::NodeName;
use crate::plan::{allotted, is_surely_larger};
use crate::rules::{Child, Searched, SolverRules, VisitedFn, With};
use crate::tree::{NodeId, ROOT, Tree};

/// Where a worker sits.
#[allow(missing_debug_implementations, reason = "functions")]
pub struct WorkDesk<'a> {
    /// Kept from one sub-job to the next, where the unit allows it: one that threads share, and one
    /// for proof numbers.
    pub tables: Option<(&'a Table, &'a mut ProofTable)>,
    /// How many nodes may be visited before the work is given up, as if it was stopped.
    pub nodes_left: Option<u64>,
    /// Ends the work early.
    pub stop: &'a Stop,
    /// Hears of all nodes of this unit, and of the longest line.
    pub visited: &'a mut VisitedFn<'a>,
    /// The last checkpoint of this unit, if there was one.
    pub checkpoint: Option<&'a [u8]>,
    /// Gets every checkpoint; it is complete in itself.
    pub keep: &'a mut dyn FnMut(&[u8]),
}

/// What came of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// What was found.
    pub finding: Finding,
    /// Positions visited.
    pub nodes: u64,
    /// What came of each sub-job; empty where the table was kept.
    pub trace: Vec<Searched>,
    /// The files of all lemmas that the finding names, in its order.
    pub lemmas: Vec<LemmaFile>,
}

impl Worked {
    /// Without sub-jobs and lemmas.
    #[must_use]
    pub fn bare(finding: Finding, nodes: u64) -> Worked {
        Worked { finding, nodes, trace: Vec::new(), lemmas: Vec::new() }
    }

    /// What to deliver for this attempt at the unit.
    #[must_use]
    pub fn report(self, unit: &Unit, attempt: u32) -> UnitReport {
        let Worked { finding, nodes, trace, .. } = self;
        UnitReport {
            unit: unit.id,
            unit_hash: unit.hash(),
            attempt,
            finding,
            nodes,
            trace,
            cpu_milliseconds: 0,
            peak_bytes: 0,
        }
    }
}

/// Works at a unit. `None` if it was stopped before it was done. A unit for another solver, or with
/// a table that cannot be had, has failed.
///
/// # Errors
/// If its node is none of the game.
pub fn work(
    rules: &dyn SolverRules,
    unit: &Unit,
    desk: &mut WorkDesk<'_>,
) -> Result<Option<Worked>, TextError> {
    if let Some(failure) = failure(rules, unit, desk.tables.is_some()) {
        return Ok(Some(Worked::bare(Finding::Failed(failure), 0)));
    }
    if let UnitTask::Certify { holds, leaf_budget, most_nodes } = unit.task {
        let plan = LemmaPlan { leaf_budget, most_nodes };
        return Ok(prove(rules, unit, holds, plan, desk));
    }
    // One that is damaged costs time, no more.
    let known = desk.checkpoint.and_then(|bytes| read_checkpoint(unit, bytes).ok());
    let mut work = Work::begin(rules, unit, known.unwrap_or_default())?;
    loop {
        if let Some(mut finding) = work.finding() {
            if unit.ask_on && unit.budget <= unit.slice && work.tree.answer(0, ROOT).is_some() {
                match work.ask_on(finding, desk)? {
                    Some(more) => finding = more,
                    None => return Ok(None),
                }
            }
            let trace = if unit.keep_table { Vec::new() } else { work.done };
            return Ok(Some(Worked { finding, nodes: work.nodes, trace, lemmas: Vec::new() }));
        }
        if !work.sub_job(desk)? {
            return Ok(None);
        }
    }
}

/// Works at a unit from the beginning to its end.
///
/// # Errors
/// If its node is none of the game.
pub fn work_through(rules: &dyn SolverRules, unit: &Unit) -> Result<Worked, TextError> {
    let (stop, mut visited, mut keep) = (Stop::new(), |_, _| {}, |_: &[u8]| {});
    let desk = &mut WorkDesk {
        tables: None,
        nodes_left: None,
        stop: &stop,
        visited: &mut visited,
        checkpoint: None,
        keep: &mut keep,
    };
    // Nobody says stop.
    let failed = || Worked::bare(Finding::Failed(WorkFailure::Fault), 0);
    Ok(work(rules, unit, desk)?.unwrap_or_else(failed))
}

/// Proves an answer; `None` if it was stopped.
fn prove(
    rules: &dyn SolverRules,
    unit: &Unit,
    holds: bool,
    plan: LemmaPlan,
    desk: &mut WorkDesk<'_>,
) -> Option<Worked> {
    let Some(certifier) = rules.certifier() else {
        return Some(Worked::bare(Finding::Failed(WorkFailure::Unreadable), 0));
    };
    let asked = unit.question.at_least;
    let claim = if holds { Claim::AtLeast(asked) } else { Claim::AtMost(asked - 1) };
    let table = Table::of_bytes((unit.table_megabytes as usize) << 20);
    let mut nodes = 0;
    let visited = &mut desk.visited;
    let mut told = |now: usize| {
        nodes = now as u64;
        visited(nodes, 0);
    };
    let proved = certifier.lemmas(&unit.node, claim, plan, &table, desk.stop, &mut told);
    (desk.visited)(nodes, 0);
    match proved {
        Ok(lemmas) if lemmas.len() <= MOST_CERTIFIED => {
            let finding = Finding::Certified(lemmas.iter().map(|lemma| lemma.hash).collect());
            Some(Worked { finding, nodes, trace: Vec::new(), lemmas })
        }
        Err(CertifyError::Stopped) => None,
        Err(CertifyError::Untrue) => Some(Worked::bare(Finding::Refuted, nodes)),
        Ok(_) | Err(_) => Some(Worked::bare(Finding::Failed(WorkFailure::Fault), nodes)),
    }
}

/// Why a unit cannot be worked at here just as it says. A smaller table, or another solver, would
/// come to other nodes.
pub(crate) fn failure(
    rules: &dyn SolverRules,
    unit: &Unit,
    has_tables: bool,
) -> Option<WorkFailure> {
    if unit.solver != rules.version() {
        return Some(WorkFailure::OtherVersion);
    }
    let has_table = unit.keep_table && has_tables;
    let largest = table_bytes(unit.budget.min(unit.slice), unit.table_megabytes) >> 20;
    let fits = has_table || Table::largest(largest) == largest;
    (!fits).then_some(WorkFailure::Memory)
}

/// What comes after sub-jobs that are known.
pub(crate) struct Replayed {
    /// These, as far as they are needed, and perhaps the next.
    pub(crate) done: Vec<Searched>,
    /// What is reported then and how many positions were visited, if it is time to.
    pub(crate) end: Option<(Finding, u64)>,
}

/// Plays back what sub-jobs of a unit found, searching nothing, and then does `more` further ones.
/// `None` if it was stopped.
///
/// # Errors
/// If the node of the unit is none of the game, or what is known cannot have been found.
pub(crate) fn replay(
    rules: &dyn SolverRules,
    unit: &Unit,
    known: &[Searched],
    more: usize,
    stop: &Stop,
) -> Result<Option<Replayed>, TextError> {
    let (mut visited, mut keep) = (|_, _| {}, |_: &[u8]| {});
    let desk = &mut WorkDesk {
        tables: None,
        nodes_left: None,
        stop,
        visited: &mut visited,
        checkpoint: None,
        keep: &mut keep,
    };
    let mut work = Work::begin(rules, unit, known.to_vec())?;
    loop {
        let end = work.finding().map(|finding| (finding, work.nodes));
        if end.is_some() || work.done.len() >= known.len() + more {
            return Ok(Some(Replayed { done: work.done, end }));
        }
        if !work.sub_job(desk)? {
            return Ok(None);
        }
    }
}

struct Work<'a> {
    rules: &'a dyn SolverRules,
    unit: &'a Unit,
    tree: Tree,
    /// Of each node, a parent and the place of the move that leads from there.
    ways: Vec<(NodeId, u16)>,
    nodes: u64,
    /// What is known to have come of the first sub-jobs.
    known: Vec<Searched>,
    /// What came of all so far, for the next checkpoint and the trace.
    done: Vec<Searched>,
    /// So many bytes of a trace.
    bytes: usize,
    /// What the last search of the root thought of its moves.
    root_order: Vec<u16>,
    /// The tables of the last sub-job, where they were not lent.
    fresh: Option<(Table, ProofTable)>,
}

impl<'a> Work<'a> {
    fn begin(
        rules: &'a dyn SolverRules,
        unit: &'a Unit,
        known: Vec<Searched>,
    ) -> Result<Work<'a>, TextError> {
        let mut tree = Tree::new(&rules.sight(&unit.node)?, rules.manner(unit.method));
        tree.ask(0, Some(unit.question.at_least));
        Ok(Work {
            rules,
            unit,
            tree,
            ways: vec![(ROOT, 0)],
            nodes: 0,
            known,
            done: Vec::new(),
            bytes: 0,
            root_order: Vec::new(),
            fresh: None,
        })
    }

    /// What can be reported, if it is time to.
    fn finding(&self) -> Option<Finding> {
        let holds = self.tree.answer(0, ROOT);
        if holds.is_none_or(|holds| self.has_more(holds))
            && self.unit.method == Method::BestFirst
            && !self.done.is_empty()
        {
            return Some(self.open());
        }
        if let Some(holds) = holds {
            let proved = holds == self.unit.question.holds(true);
            return Some(if proved { Finding::Proved } else { Finding::Refuted });
        }
        let is_single = self.unit.budget <= self.unit.slice;
        let is_spent = !self.done.is_empty() && (is_single || self.nodes >= self.unit.budget);
        let is_long = !self.unit.keep_table && self.bytes >= LONG_TRACE;
        let is_over = is_spent || is_long || self.done.len() >= MOST_SUB_JOBS;
        let is_stuck = || self.tree.most_promising(0).is_none();
        (is_over || is_stuck()).then(|| self.open())
    }

    /// Whether the moves alone say more than the answer does. Then somebody else who looks at them
    /// knows it, too.
    fn has_more(&self, holds: bool) -> bool {
        let limit = self.rules.margin_limit();
        let all = Bounds { lower: -limit, upper: limit };
        self.tree.bounds(ROOT) != all.with(self.unit.question.at_least, holds)
    }

    /// Looks for the value of the node, with what the table holds by now. `None` if somebody said
    /// stop.
    fn ask_on(
        &mut self,
        finding: Finding,
        desk: &mut WorkDesk<'_>,
    ) -> Result<Option<Finding>, TextError> {
        let (mover, step) = (self.tree.mover(ROOT), self.tree.manner().step);
        let limit = self.rules.margin_limit();
        let all = Bounds { lower: -limit, upper: limit };
        while let Some(at_least) = Goal::Value.next(self.tree.bounds(ROOT), mover, step)
            && self.done.len() < MOST_SUB_JOBS
        {
            let searched = self.search(&self.unit.node, at_least, self.unit.budget, desk)?;
            (desk.visited)(self.nodes + searched.nodes, 0);
            if searched.holds.is_none() && self.is_given_up(self.unit.budget, desk) {
                return Ok(None);
            }
            self.nodes += searched.nodes;
            let holds = searched.holds;
            self.done.push(searched);
            let Some(holds) = holds else { break };
            self.tree.narrow(ROOT, all.with(at_least, holds));
        }
        let Bounds { lower, upper } = self.tree.bounds(ROOT);
        let fact = |at_least: i32, holds: bool| SubFact {
            path: Vec::new(),
            question: Question { at_least, prover: self.unit.question.prover },
            proved: holds == self.unit.question.holds(true),
        };
        let mut facts = Vec::new();
        facts.extend((lower > -limit).then(|| fact(lower, true)));
        facts.extend((upper < limit).then(|| fact(upper + 1, false)));
        Ok(Some(match facts.len() {
            0 | 1 if self.done.len() == 1 => finding,
            _ => Finding::Open { facts, order: Vec::new() },
        }))
    }

    /// Whether a search without an answer was ended from outside.
    fn is_given_up(&self, budget: u64, desk: &WorkDesk<'_>) -> bool {
        desk.nodes_left.is_some_and(|left| left < self.nodes + budget) || desk.stop.is_stopped()
    }

    /// Does one piece of work; `false` if somebody said stop.
    fn sub_job(&mut self, desk: &mut WorkDesk<'_>) -> Result<bool, TextError> {
        let Some(leaf) = self.tree.most_promising(0) else { return Ok(true) };
        let name = NodeName::new(self.tree.name(leaf));
        let unit = self.unit;
        let budget = match unit.budget <= unit.slice {
            true => unit.budget,
            // Nobody makes such a unit before smaller ones have failed.
            false if leaf == ROOT => unit.slice,
            false => allotted(unit.slice, self.tree.tries(leaf)),
        };
        let is_large = is_cut(self.rules, unit, &name)?;
        let searched = match self.known.get(self.done.len()) {
            Some(known) => known.clone(),
            // The order in which a search would try its moves costs nothing.
            None if is_large => self.search(&name, unit.question.at_least, 0, desk)?,
            None => self.search(&name, unit.question.at_least, budget, desk)?,
        };
        // What others say that they found may be any number.
        (desk.visited)(self.nodes.saturating_add(searched.nodes), 0);
        if searched.holds.is_none() && self.is_given_up(budget, desk) {
            return Ok(false);
        }
        self.take_in(leaf, &name, budget, is_large, searched)?;
        if self.done.len() > self.known.len() && unit.budget > unit.slice {
            (desk.keep)(&write_checkpoint(unit, &self.done));
        }
        Ok(true)
    }

    fn search(
        &mut self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
        desk: &mut WorkDesk<'_>,
    ) -> Result<Searched, TextError> {
        let unit = self.unit;
        let before = self.nodes;
        if unit.budget > unit.slice {
            self.fresh = None;
        }
        let (table, proofs) = match &mut desk.tables {
            Some((table, proofs)) if unit.keep_table => (*table, &mut **proofs),
            _ => {
                let new = || fresh_tables(unit.method, table_bytes(budget, unit.table_megabytes));
                let (table, proofs) = self.fresh.get_or_insert_with(new);
                (&*table, proofs)
            }
        };
        let visited = &mut desk.visited;
        let mut visited = |nodes: u64, depth: u32| visited(before + nodes, depth);
        let with = &mut With {
            method: unit.method,
            table,
            proofs,
            stop: desk.stop,
            visited: &mut visited,
        };
        let left = desk.nodes_left.map_or(u64::MAX, |left| left.saturating_sub(self.nodes));
        self.rules.search(name, at_least, budget.min(left), with)
    }

    /// Puts what a sub-job found into the tree.
    fn take_in(
        &mut self,
        leaf: NodeId,
        name: &NodeName,
        budget: u64,
        is_large: bool,
        searched: Searched,
    ) -> Result<(), TextError> {
        let at_least = self.unit.question.at_least;
        let limit = self.rules.margin_limit();
        self.nodes = self.nodes.saturating_add(searched.nodes);
        self.bytes += trace_bytes(&searched);
        self.tree.add_effort(leaf, searched.nodes, searched.holds.is_none());
        let all = Bounds { lower: -limit, upper: limit };
        if let Some(holds) = searched.holds {
            self.tree.narrow(leaf, all.with(at_least, holds));
        } else if is_large || budget >= self.unit.slice || self.unit.budget <= self.unit.slice {
            let children = self.rules.children(name, &searched.order)?;
            let fails = self.tree.mover(leaf) != Side::First;
            let sights: Vec<_> = children
                .iter()
                .map(|child| {
                    let mut sight = child.sight.clone();
                    if searched.refuted.contains(&child.place) {
                        sight.bounds = sight.bounds.and(all.with(at_least, fails));
                    }
                    sight
                })
                .collect();
            if self.tree.expand(leaf, &sights).is_some() {
                self.remember_ways(leaf, &children);
            }
        }
        if leaf == ROOT {
            self.root_order.clone_from(&searched.order);
        }
        self.done.push(searched);
        Ok(())
    }

    fn remember_ways(&mut self, parent: NodeId, children: &[Child]) {
        for child in children {
            let node = self.tree.find(child.sight.name.as_bytes());
            if node == Some(self.ways.len() as NodeId) {
                self.ways.push((parent, child.place));
            }
        }
    }

    /// What is known without an answer: the order of the moves, and every fact that no other one
    /// implies, the dearest first.
    fn open(&self) -> Finding {
        let at_least = self.unit.question.at_least;
        let question = |holds: bool| {
            let prover = if holds { Side::First } else { Side::Second };
            Question { at_least, prover }
        };
        let mut found: Vec<(u64, NodeId, bool)> = Vec::new();
        for node in 0..self.tree.len() as NodeId {
            let parent = self.ways[node as usize].0;
            if let Some(holds) = self.tree.answer(0, node)
                && self.tree.answer(0, parent).is_none()
            {
                found.push((self.tree.effort(node), node, holds));
            }
        }
        found.sort_by_key(|&(effort, node, _)| (std::cmp::Reverse(effort), node));
        let fact = |(_, node, holds): (u64, NodeId, bool)| {
            let path = self.way_to(node);
            (path.len() <= LONGEST_PATH).then(|| SubFact {
                path,
                question: question(holds),
                proved: true,
            })
        };
        let facts = found.into_iter().filter_map(fact).take(MOST_FACTS).collect();
        Finding::Open { facts, order: self.root_order.clone() }
    }

    fn way_to(&self, mut node: NodeId) -> Vec<u16> {
        let mut path = Vec::new();
        while node != ROOT {
            let (parent, place) = self.ways[node as usize];
            path.push(place);
            node = parent;
        }
        path.reverse();
        path
    }
}

/// Whether a node is cut up without a try, since no sub-job of the unit will surely be enough. Where
/// tables are kept a try is never lost.
pub(crate) fn is_cut(
    rules: &dyn SolverRules,
    unit: &Unit,
    name: &NodeName,
) -> Result<bool, TextError> {
    let is_fitted = !unit.keep_table && unit.fit != CostFit::default();
    Ok(is_fitted && is_surely_larger(&unit.fit, &rules.measures(name)?, unit.slice))
}

fn fresh_tables(method: Method, bytes: usize) -> (Table, ProofTable) {
    let by_proof_numbers = method == Method::ProofNumber;
    let table = Table::of_bytes(if by_proof_numbers { 0 } else { bytes });
    (table, ProofTable::new(if by_proof_numbers { bytes >> 20 } else { 0 }))
}

/// How large the table of a sub-job is: 16 bytes for each node of its budget, since a fresh table
/// costs more than it brings where it is larger than the search.
fn table_bytes(budget: u64, most_megabytes: u32) -> usize {
    const SMALLEST: u64 = 64 << 10;
    let most = u64::from(most_megabytes) << 20;
    budget.saturating_mul(16).clamp(SMALLEST, most.max(SMALLEST)) as usize
}
