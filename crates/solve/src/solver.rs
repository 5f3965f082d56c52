//! [`solve`]: a coordinator and its workers in one process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use evaluation::Proofs;
use game::{Notation, TextError, WinningSets};
use play::Stop;
use search::{ProofTable, STACK_BYTES, Table};

use crate::coordinator::{Coordinator, LeftRange, ProjectStanding, Voter};
use crate::goal::{Bounds, Goal};
use crate::message::{Finding, UnitId, WorkFailure};
use crate::method::Method;
use crate::plan::{Plan, TrustPlan};
use crate::rules::{Problem, SolverRules};
use crate::ruling::answers;
use crate::store::{Door, Epoch, Lease, MemoryStore, Store, StoreError};
use crate::strong::{StrongError, Tiering, TieringProgress, by_tiers};
use crate::takeover::take_over;
use crate::tree::{ProofParts, ROOT, Tree, WhileLeased};
use crate::work::{WorkDesk, Worked, work};

/// What to solve with.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is asked.
    pub question: Goal,
    /// How.
    pub method: Method,
    /// The largest budget of a unit, if it is not the usual one.
    pub slice: Option<u64>,
    /// How many threads work. Only one does the same every time.
    pub threads: usize,
    /// Memory for tables, all threads together.
    pub hash_megabytes: usize,
    /// When to give up, in nodes of this session.
    pub nodes: Option<u64>,
    /// The most memory for the tree near the root, in bytes.
    pub memory: usize,
    /// Whether every sub-job begins with an empty table, as units do that strangers work at: node
    /// counts then repeat on every machine, with any number of threads.
    pub repeatable: bool,
}

/// How far a solve has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is known.
    pub bounds: Bounds,
    /// The question under way: is the first player's margin at least this?
    pub at_least: i32,
    /// Positions visited, earlier sessions included.
    pub nodes: u64,
    /// Time spent, likewise.
    pub time: Duration,
    /// The longest line that a unit of this session looked at, in plies from its own node.
    pub depth: u32,
    /// Nodes in the tree.
    pub places: usize,
    /// Root moves answered, and all of them, once the root is cut up.
    pub root_moves: (usize, usize),
    /// How many positions are probably left to visit for the question under way: see
    /// [`Coordinator::left`].
    pub left: Option<LeftRange>,
}

/// What was spent so far, by all sessions together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Positions visited.
    pub nodes: u64,
    /// How long.
    pub time: Duration,
}

/// What a solve came to.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Between which margins the first player's lies.
    pub bounds: Bounds,
    /// Whether the question is answered.
    pub proved: bool,
    /// Whether all was done that can be, without an answer: play goes round in circles.
    pub undecided: bool,
    /// What it took, earlier sessions included.
    pub spent: Spent,
    /// Rows of the store that were damaged, and worked at again.
    pub damaged: u64,
    /// Everything that is known near the root.
    pub tree: Tree,
}

/// What one bound of an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditedBound {
    /// Whether the first player's margin is at least this.
    pub at_least: i32,
    /// It is, or it is not.
    pub holds: bool,
    /// Nodes near the root whose answers follow from others.
    pub inner: usize,
    /// Nodes whose answers were found by work, and are not taken apart any further.
    pub facts: usize,
    /// Ends of the game among them.
    pub ends: usize,
}

impl Solution {
    /// What both bounds rest on, where they are not just the limit of the game: every node by nodes
    /// that were justified before it. `None` if something is not justified, which cannot be.
    #[must_use]
    pub fn audit(&self, limit: i32) -> Option<Vec<AuditedBound>> {
        let Bounds { lower, upper } = self.bounds;
        let lower = (lower > -limit).then_some((lower, true));
        let upper = (upper < limit).then_some((upper + 1, false));
        let bound = |(at_least, holds)| {
            let ProofParts { inner, facts, ends } = self.tree.rests_on(at_least)?;
            let (inner, facts, ends) = (inner.len(), facts.len(), ends.len());
            Some(AuditedBound { at_least, holds, inner, facts, ends })
        };
        lower.into_iter().chain(upper).map(bound).collect()
    }
}

/// Why there is no solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A node in the store makes no sense.
    #[error("the store is damaged: {0}")]
    Place(#[from] TextError),
    /// Two facts exclude each other.
    #[error("what was found about {0} contradicts itself: this is a fault of the program")]
    Contradiction(String),
    /// A unit cannot be worked at here.
    #[error("a unit of work cannot be done: {0}")]
    Unit(WorkFailure),
    /// The system has no more threads.
    #[error("the system gives no thread: {0}")]
    Thread(std::io::Error),
    /// It cannot be done by tiers.
    #[error(transparent)]
    Tiers(#[from] StrongError),
    /// Tiers are of no use before they are complete.
    #[error("the method retrograde keeps nothing to go on with, so that it needs no store")]
    NothingToKeep,
}

/// How long somebody waits before it looks again.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often it is estimated what is left.
const LOOKS: Duration = Duration::from_millis(500);

/// The largest sub-jobs that a repeatable unit takes.
const SUB_JOBS: u64 = 16;

/// Who works here.
const OURSELVES: Voter = Voter { user: 0, network: 0, trusted: true };

/// Answers a question about a game, if it can before it is stopped.
///
/// # Errors
/// If the store fails or holds what the rules deny. What was saved before stays.
pub fn solve<G: Notation + WinningSets, H: Proofs<G> + Sync>(
    problem: &Problem<G, H>,
    options: &Options,
    table: &Table,
    store: Option<&mut dyn LocalStore>,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Solution, SolveError> {
    if options.method == Method::Retrograde {
        return match store {
            None => solve_by_tiers(problem, options, stop, progress),
            Some(_) => Err(SolveError::NothingToKeep),
        };
    }
    match store {
        Some(store) => solve_in(problem, options, table, store, stop, progress),
        None => {
            let mut memory = MemoryStore::forgetful();
            solve_in(problem, options, table, &mut memory, stop, progress)
        }
    }
}

/// Answers every question at once, if all positions fit into memory.
fn solve_by_tiers<G: Notation + WinningSets, H: Proofs<G> + Sync>(
    problem: &Problem<G, H>,
    options: &Options,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Solution, SolveError> {
    let began = Instant::now();
    let &Options { threads, hash_megabytes, nodes, .. } = options;
    let tiering = Tiering { threads, hash_megabytes, nodes };
    let mut root = problem.sight(&problem.root())?;
    let (unknown, mut last) = (root.bounds, 0);
    let mut tell = |now: &TieringProgress| {
        last = now.nodes;
        progress(&Progress {
            bounds: unknown,
            at_least: unknown.lower,
            nodes: now.nodes,
            time: now.time,
            depth: 0,
            places: now.positions as usize,
            root_moves: (0, 0),
            left: None,
        });
    };
    let solved = by_tiers(&problem.game, &problem.start, &tiering, stop, &mut tell);
    let (proved, nodes) = match solved {
        Ok(solid) => {
            root.bounds = Bounds::exactly(solid.worth.margin.into());
            (true, solid.nodes)
        }
        Err(StrongError::Stopped) => (false, last),
        Err(error) => return Err(error.into()),
    };
    let spent = Spent { nodes, time: began.elapsed() };
    let (bounds, tree) = (root.bounds, Tree::new(&root, problem.manner(options.method)));
    Ok(Solution { bounds, proved, undecided: false, spent, damaged: 0, tree })
}

/// Where one process keeps everything.
pub trait LocalStore: Store + Door + Send {
    /// Rows that were left out because they are damaged.
    fn damaged_rows(&self) -> u64;
}

impl LocalStore for MemoryStore {
    fn damaged_rows(&self) -> u64 {
        0
    }
}

#[cfg(feature = "sqlite")]
impl LocalStore for crate::store::SqliteStore {
    fn damaged_rows(&self) -> u64 {
        self.damaged()
    }
}

fn solve_in(
    rules: &dyn SolverRules,
    options: &Options,
    table: &Table,
    store: &mut dyn LocalStore,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Solution, SolveError> {
    let slice = options.slice.unwrap_or(options.method.slice()).max(1);
    // A unit that shares nothing with others is worth handing out if it has several sub-jobs.
    let budget = if options.repeatable { slice.saturating_mul(SUB_JOBS) } else { slice };
    let plan = Plan {
        method: options.method,
        budget,
        slice,
        table_megabytes: options.hash_megabytes.min(1 << 16) as u32,
        keep_table: !options.repeatable,
        solver: rules.version(),
        second_share: 0,
        while_leased: WhileLeased::Flag,
        memory: options.memory,
        trust: TrustPlan::OWN,
        lemmas: None,
    };
    let (coordinator, claimed) = take_over(rules, options.question, plan, store, true)?;
    let before = Spent {
        nodes: claimed.nodes,
        time: Duration::try_from_secs_f64(claimed.seconds).unwrap_or_default(),
    };
    let state = State {
        coordinator,
        store,
        epoch: claimed.epoch,
        running: BTreeMap::new(),
        over: false,
        error: None,
    };
    let shared = Shared {
        rules,
        options,
        table,
        began: Instant::now(),
        before,
        state: Mutex::new(state),
        news: Condvar::new(),
        visited: AtomicU64::new(0),
        deepest: AtomicU32::new(0),
    };
    thread::scope(|scope| {
        for number in 0..options.threads.max(1) {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let shared = &shared;
            let spawned = builder.spawn_scoped(scope, move || shared.run());
            if let Err(error) = spawned
                && number == 0
            {
                shared.end(Some(SolveError::Thread(error)));
            }
        }
        shared.watch(stop, progress);
    });
    shared.solution()
}

/// What all threads share.
struct Shared<'a> {
    rules: &'a dyn SolverRules,
    options: &'a Options,
    table: &'a Table,
    began: Instant,
    before: Spent,
    state: Mutex<State<'a>>,
    news: Condvar,
    /// Nodes of this session, units under way included.
    visited: AtomicU64,
    /// The longest line of any unit.
    deepest: AtomicU32,
}

struct State<'a> {
    coordinator: Coordinator<'a>,
    store: &'a mut dyn LocalStore,
    epoch: Epoch,
    /// How to stop whoever works at a unit.
    running: BTreeMap<u64, Stop>,
    over: bool,
    error: Option<SolveError>,
}

impl<'a> Shared<'a> {
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        // Who panicked has told everybody already; what is known is still true.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker's life.
    fn run(&self) {
        let hash_megabytes = match self.options.method {
            Method::ProofNumber => self.options.hash_megabytes / self.options.threads.max(1),
            _ => 0,
        };
        let mut proofs = ProofTable::new(hash_megabytes);
        loop {
            let mut state = self.lock();
            if state.over {
                return;
            }
            let lease = match self.next(&mut state) {
                Ok(Some(lease)) => lease,
                Ok(None) if state.running.is_empty() => {
                    state.over = true;
                    self.news.notify_all();
                    return;
                }
                Ok(None) => {
                    drop(self.news.wait_timeout(state, PATIENCE));
                    continue;
                }
                Err(error) => {
                    drop(state);
                    self.end(Some(error));
                    return;
                }
            };
            let stop = Stop::new();
            state.running.insert(lease.unit.id.number, stop.clone());
            drop(state);
            let worked = self.work(&lease, &mut proofs, &stop);
            self.take_in(&lease, worked);
        }
    }

    /// The next unit, made now if none waits: what is known is then newest.
    fn next(&self, state: &mut State<'_>) -> Result<Option<Lease>, SolveError> {
        if let Some(lease) = state.store.lease(OURSELVES, 0, u64::MAX)? {
            return Ok(Some(lease));
        }
        self.step(state, 1)?;
        Ok(state.store.lease(OURSELVES, 0, u64::MAX)?)
    }

    /// One step of the coordinator: takes in what was delivered and writes what follows, before
    /// anybody builds on it.
    fn step(&self, state: &mut State<'_>, more: usize) -> Result<(), SolveError> {
        let mut events = state.store.events(usize::MAX >> 1)?;
        loop {
            let batch = state.coordinator.step(0, &events, more);
            let seconds = (self.before.time + self.began.elapsed()).as_secs_f64();
            state.store.commit(state.epoch, &batch, seconds)?;
            for unit in &batch.withdrawn {
                if let Some(stop) = state.running.get(&unit.number) {
                    stop.stop();
                }
            }
            // All who work are this program itself, so that there is nobody to disagree.
            events = answers(self.rules, state.store, &batch, &Stop::new())?;
            if events.is_empty() {
                break;
            }
        }
        match state.coordinator.standing() {
            ProjectStanding::Contradicted(text) => Err(SolveError::Contradiction(text.clone())),
            _ => Ok(()),
        }
    }

    /// Works at a unit; `None` if it was stopped.
    fn work(
        &self,
        lease: &Lease,
        proofs: &mut ProofTable,
        stop: &Stop,
    ) -> Result<Option<Worked>, TextError> {
        let left = self.options.nodes.map(|most| most.saturating_sub(self.visited.load(Relaxed)));
        let mut counted = 0;
        let mut visited = |nodes: u64, depth: u32| {
            self.deepest.fetch_max(depth, Relaxed);
            self.visited.fetch_add(nodes.saturating_sub(counted), Relaxed);
            counted = counted.max(nodes);
        };
        let mut keep = |_: &[u8]| {};
        let desk = &mut WorkDesk {
            tables: Some((self.table, proofs)),
            nodes_left: left,
            stop,
            visited: &mut visited,
            checkpoint: None,
            keep: &mut keep,
        };
        work(self.rules, &lease.unit, desk)
    }

    /// Takes in what came of a unit.
    fn take_in(&self, lease: &Lease, worked: Result<Option<Worked>, TextError>) {
        let mut state = self.lock();
        let state = &mut *state;
        let id = lease.unit.id;
        state.running.remove(&id.number);
        let taken = match worked {
            Ok(Some(worked)) => self.deliver(state, lease, worked),
            Ok(None) => self.give_up(state, id, lease.attempt),
            Err(error) => Err(SolveError::Place(error)),
        };
        if let Err(error) = taken {
            state.error.get_or_insert(error);
        }
        let spent = self.options.nodes.is_some_and(|most| self.visited.load(Relaxed) >= most);
        let done = *state.coordinator.standing() != ProjectStanding::Open;
        if state.error.is_some() || spent || done {
            state.over = true;
            state.running.values().for_each(Stop::stop);
        }
        self.news.notify_all();
    }

    fn deliver(
        &self,
        state: &mut State<'_>,
        lease: &Lease,
        worked: Worked,
    ) -> Result<(), SolveError> {
        // Nobody else is here who could.
        if let Finding::Failed(failure) = worked.finding {
            return Err(SolveError::Unit(failure));
        }
        let report = worked.report(&lease.unit, lease.attempt);
        state.store.deliver(OURSELVES, &report.encode(), 0)?;
        // With the next unit for whoever delivers: one wait for the disk instead of two.
        self.step(state, 1)
    }

    fn give_up(&self, state: &mut State<'_>, unit: UnitId, attempt: u32) -> Result<(), SolveError> {
        state.store.release(unit, attempt)?;
        Ok(())
    }

    fn end(&self, error: Option<SolveError>) {
        let mut state = self.lock();
        state.over = true;
        state.error = state.error.take().or(error);
        state.running.values().for_each(Stop::stop);
        self.news.notify_all();
    }

    /// Tells how far the others have come, and stops them when told to.
    fn watch(&self, stop: &Stop, progress: &mut dyn FnMut(&Progress)) {
        let (mut left, mut looked, mut asked) = (None, Instant::now(), None);
        loop {
            let state = self.lock();
            if state.over && state.running.is_empty() {
                return;
            }
            // An estimate is about one question.
            let now_asked = state.coordinator.tree().asked(0);
            if looked.elapsed() >= LOOKS || asked != now_asked {
                (left, looked, asked) = (state.coordinator.left(), Instant::now(), now_asked);
            }
            let tree = state.coordinator.tree();
            let now = Progress {
                bounds: tree.bounds(ROOT),
                at_least: tree.asked(0).unwrap_or_default(),
                nodes: self.before.nodes + self.visited.load(Relaxed),
                time: self.before.time + self.began.elapsed(),
                depth: self.deepest.load(Relaxed),
                places: tree.len(),
                root_moves: tree.root_moves(),
                left,
            };
            let state = self.news.wait_timeout(state, PATIENCE);
            drop(state);
            progress(&now);
            if stop.is_stopped() {
                self.end(None);
            }
        }
    }

    fn solution(self) -> Result<Solution, SolveError> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let Spent { nodes, time } = self.before;
        let spent =
            Spent { nodes: nodes + self.visited.load(Relaxed), time: time + self.began.elapsed() };
        let standing = state.coordinator.standing();
        Ok(Solution {
            bounds: state.coordinator.bounds(),
            proved: *standing == ProjectStanding::Answered,
            undecided: *standing == ProjectStanding::Undecided,
            spent,
            damaged: state.store.damaged_rows(),
            tree: state.coordinator.tree().clone(),
        })
    }
}
