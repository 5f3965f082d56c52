//! [`solve`]: threads as workers of a queue, on one machine.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use evaluation::Proofs;
use game::{Notation, TextError};
use play::Stop;
use search::{ProofTable, STACK_BYTES, Table};

use crate::question::{Bounds, Question};
use crate::queue::Queue;
use crate::store::{Row, Spent, Store, StoreError};
use crate::strong::{StrongError, Tiering, TieringProgress, by_tiers};
use crate::tree::{ROOT, Tree};
use crate::unit::{Method, Problem, With};

/// What to solve with.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is asked.
    pub question: Question,
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
    /// The longest line that a unit of this session looked at, in plies from its own place.
    pub depth: u32,
    /// Places in the tree.
    pub places: usize,
    /// Root moves answered, and all of them, once the root is cut up.
    pub root_moves: (usize, usize),
}

/// What a solve came to.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Between which margins the first player's lies.
    pub bounds: Bounds,
    /// Whether the question is answered.
    pub proved: bool,
    /// What it took, earlier sessions included.
    pub spent: Spent,
    /// Everything that is known near the root.
    pub tree: Tree,
}

/// Why there is no solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A place in the store makes no sense.
    #[error("the store is damaged: {0}")]
    Place(#[from] TextError),
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

/// Answers a question about a game, if it can before it is stopped.
///
/// # Errors
/// If the store fails or holds what the rules deny. What was saved before stays.
pub fn solve<G: Notation, H: Proofs<G> + Sync>(
    problem: &Problem<'_, G, H>,
    options: &Options,
    table: &Table,
    store: Option<&mut Store>,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Solution, SolveError> {
    if options.method == Method::Retrograde {
        return match store {
            None => solve_by_tiers(problem, options, stop, progress),
            Some(_) => Err(SolveError::NothingToKeep),
        };
    }
    let nobody = Stop::new();
    let proofs = RefCell::new(ProofTable::new(0));
    let with = With { method: options.method, table, proofs: &proofs, stop: &nobody };
    let (tree, before) = restore(problem, store.as_deref(), &with)?;
    let slice = options.slice.unwrap_or(options.method.slice());
    let queue = Queue::new(tree, options.question, slice);
    let work = Work {
        problem,
        options,
        table,
        began: Instant::now(),
        before,
        state: Mutex::new(State {
            queue,
            store,
            running: BTreeMap::new(),
            over: false,
            error: None,
        }),
        news: Condvar::new(),
        visited: AtomicU64::new(0),
        deepest: AtomicU32::new(0),
    };
    thread::scope(|scope| {
        for number in 0..options.threads.max(1) {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let work = &work;
            let spawned =
                builder.spawn_scoped(scope, move || work.run(&format!("thread {number}")));
            if let Err(error) = spawned
                && number == 0
            {
                work.end(Some(SolveError::Thread(error)));
            }
        }
        work.watch(stop, progress);
    });
    work.solution()
}

/// Answers every question at once, if all positions fit into memory.
fn solve_by_tiers<G: Notation, H: Proofs<G>>(
    problem: &Problem<'_, G, H>,
    options: &Options,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Solution, SolveError> {
    let began = Instant::now();
    let &Options { threads, hash_megabytes, nodes, .. } = options;
    let tiering = Tiering { threads, hash_megabytes, nodes };
    let mut root = problem.sight(&problem.root());
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
        });
    };
    let solved = by_tiers(problem.game, problem.start, &tiering, stop, &mut tell);
    let (proved, nodes) = match solved {
        Ok(solid) => {
            let margin = i32::from(solid.worth.margin);
            root.bounds = Bounds { lower: margin, upper: margin };
            (true, solid.nodes)
        }
        Err(StrongError::Stopped) => (false, last),
        Err(error) => return Err(error.into()),
    };
    let spent = Spent { nodes, time: began.elapsed() };
    let (bounds, tree) = (root.bounds, Tree::new(root, problem.manner(options.method)));
    Ok(Solution { bounds, proved, spent, tree })
}

/// What a store knows, or nothing but the root.
fn restore<G: Notation, H: Proofs<G>>(
    problem: &Problem<'_, G, H>,
    store: Option<&Store>,
    with: &With<'_>,
) -> Result<(Tree, Spent), SolveError> {
    let root = problem.root();
    let mut tree = Tree::new(problem.sight(&root), problem.manner(with.method));
    let Some(store) = store else { return Ok((tree, Spent::default())) };
    let (rows, spent) = store.load()?;
    let mut expanded = Vec::new();
    for Row { sight, tries, nodes, expanded: has_children } in rows {
        let here = problem.find(&sight.name)?;
        let seen = problem.sight(&here);
        let bounds = seen.bounds.and(sight.bounds);
        if bounds.lower > bounds.upper || seen.mover != sight.mover {
            return Err(store.damaged(format!("{} cannot be so", sight.name)).into());
        }
        let place = tree.restore(sight, tries, nodes);
        if has_children {
            expanded.push((place, here));
        }
    }
    for (place, here) in expanded {
        tree.expand(place, problem.children_in_order(&here, with));
    }
    tree.take_changed();
    Ok((tree, spent))
}

/// What all threads share.
struct Work<'a, G: game::Game, H> {
    problem: &'a Problem<'a, G, H>,
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
    queue: Queue,
    store: Option<&'a mut Store>,
    /// How to stop whoever works at a unit.
    running: BTreeMap<u64, Stop>,
    over: bool,
    error: Option<SolveError>,
}

impl<'a, G: Notation, H: Proofs<G>> Work<'a, G, H> {
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        // Who panicked has told everybody already; what is in the queue is still true.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker's life.
    fn run(&self, name: &str) {
        let hash_megabytes = match self.options.method {
            Method::ProofNumber => self.options.hash_megabytes / self.options.threads.max(1),
            _ => 0,
        };
        let proofs = RefCell::new(ProofTable::new(hash_megabytes));
        loop {
            let mut state = self.lock();
            if state.over {
                return;
            }
            let Some(unit) = state.queue.lease(name, u64::MAX) else {
                if state.running.is_empty() {
                    state.over = true;
                    self.news.notify_all();
                    return;
                }
                drop(self.news.wait_timeout(state, PATIENCE));
                continue;
            };
            let stop = Stop::new();
            state.running.insert(unit.number, stop.clone());
            let is_last_try =
                state.queue.is_last_try(unit.number) || self.options.method == Method::BestFirst;
            drop(state);
            let with = With {
                method: self.options.method,
                table: self.table,
                proofs: &proofs,
                stop: &stop,
            };
            let mut counted = 0;
            let mut visited = |nodes: u64, depth: u32| {
                self.deepest.fetch_max(depth, Relaxed);
                self.visited.fetch_add(nodes - counted, Relaxed);
                counted = nodes;
            };
            let worked = self.problem.work(&unit, is_last_try, &with, &mut visited);
            if let Ok(Some((_, nodes))) = worked {
                visited(nodes, 0);
            }
            self.take_in(unit.number, worked);
        }
    }

    /// Takes in what came of a unit, and writes it down before anybody builds on it.
    fn take_in(
        &self,
        number: u64,
        worked: Result<Option<(crate::queue::Finding, u64)>, TextError>,
    ) {
        let mut state = self.lock();
        state.running.remove(&number);
        let saved = match worked {
            Ok(Some((finding, nodes))) => {
                for moot in state.queue.complete(number, finding, nodes) {
                    if let Some(stop) = state.running.get(&moot) {
                        stop.stop();
                    }
                }
                self.save(&mut state)
            }
            Ok(None) => {
                state.queue.release(number);
                Ok(())
            }
            Err(error) => Err(SolveError::Place(error)),
        };
        if let Err(error) = saved {
            state.error = Some(error);
        }
        let spent = self.options.nodes.is_some_and(|most| self.visited.load(Relaxed) >= most);
        if state.error.is_some() || spent || state.queue.is_answered() {
            state.over = true;
            state.running.values().for_each(Stop::stop);
        }
        self.news.notify_all();
    }

    fn save(&self, state: &mut State<'_>) -> Result<(), SolveError> {
        let changed = state.queue.take_changed();
        if let Some(store) = &mut state.store {
            store.save(state.queue.tree(), &changed, self.spent(&state.queue))?;
        }
        Ok(())
    }

    /// What was spent on units that came back.
    fn spent(&self, queue: &Queue) -> Spent {
        let Spent { nodes, time } = self.before;
        Spent { nodes: nodes + queue.nodes(), time: time + self.began.elapsed() }
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
        loop {
            let state = self.lock();
            if state.over && state.running.is_empty() {
                return;
            }
            let tree = state.queue.tree();
            let now = Progress {
                bounds: tree.bounds(),
                at_least: tree.asked(),
                nodes: self.before.nodes + self.visited.load(Relaxed),
                time: self.before.time + self.began.elapsed(),
                depth: self.deepest.load(Relaxed),
                places: tree.len(),
                root_moves: tree.root_moves(),
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
        let proved = state.queue.is_answered();
        let tree = state.queue.tree().clone();
        debug_assert!(tree.get(ROOT).sight.bounds.lower <= tree.bounds().upper);
        Ok(Solution { bounds: tree.bounds(), proved, spent, tree })
    }
}
