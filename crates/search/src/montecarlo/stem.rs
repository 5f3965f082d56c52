//! [`Stem`]: the tree of one thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use evaluation::Playouts;
use game::{Game, Path, Rng, mix};
use play::{Limits, Stop};

use super::amaf::Amaf;
use super::arena::{Arena, ROOT};
use super::node::{Bounds, Index, Node};
use super::trial::bounds_at;
use super::{MonteCarlo, Rewards};
use crate::driver::SearchRoot;

/// How many trials of a thread pass between two reports.
const PROGRESS_INTERVAL: u64 = 1 << 12;

#[derive(Debug)]
pub(super) struct Stem<G: Game, H> {
    pub(super) settings: MonteCarlo,
    pub(super) heuristics: H,
    pub(super) arena: Arena<G::Move>,
    pub(super) root_position: G::Position,
    /// The moves of the root to choose among; all if there are none.
    pub(super) among: Vec<G::Move>,
    pub(super) looks_back: bool,
    pub(super) rewards: Rewards,
    pub(super) rng: Rng,
    /// Whether a leaf was left without children for lack of memory.
    pub(super) full: bool,
    // The trial under way: the position reached, those before it, the nodes passed, the moves made.
    pub(super) p: G::Position,
    /// Between two searches it ends at the root.
    pub(super) path: Path,
    root_path_length: usize,
    pub(super) trail: Vec<Index>,
    pub(super) amaf: Amaf,
    /// Room for generated moves and how they look.
    pub(super) moves: Vec<G::Move>,
    pub(super) priors: Vec<f32>,
}

impl<G: Game, H: Playouts<G>> Stem<G, H> {
    /// The stem with this number among those of a tree.
    pub(super) fn new(
        from: &SearchRoot<'_, G>,
        heuristics: H,
        rewards: Rewards,
        settings: &MonteCarlo,
        number: u64,
    ) -> Stem<G, H> {
        let SearchRoot { game, position, path, among } = *from;
        let root = root_at(game, position, path);
        let slots = if settings.rave.is_some() { game.slots() } else { 0 };
        let bytes = settings.memory_megabytes.saturating_mul(1 << 20) / settings.threads.max(1);
        // The first one draws what a single one would.
        let seed = if number == 0 { settings.seed } else { mix(settings.seed ^ mix(number)) };
        Stem {
            settings: *settings,
            heuristics,
            arena: Arena::new(root, bytes),
            root_position: position.clone(),
            among: among.to_vec(),
            looks_back: game.looks_back(),
            rewards,
            rng: Rng::new(seed),
            full: false,
            p: position.clone(),
            path: path.clone(),
            root_path_length: path.len(),
            trail: Vec::new(),
            amaf: Amaf::new(slots),
            moves: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// Makes at most so many trials, until the watch ends it or the root is proved. `tell` hears
    /// now and then how many trials all threads have made.
    pub(super) fn grow(
        &mut self,
        game: &G,
        most: u64,
        watch: &Watch<'_>,
        tell: &mut dyn FnMut(&Self, u64),
    ) {
        let mut trials = 0;
        while trials < most && !watch.is_over() && !(watch.endless && self.full) {
            if self.is_proved() {
                watch.end();
                break;
            }
            self.try_once(game);
            trials += 1;
            let together = watch.count();
            if trials.is_multiple_of(PROGRESS_INTERVAL) {
                tell(self, together);
            }
        }
        self.path_to_root();
    }

    /// Follows a legal move of the root, and keeps what is known below it.
    pub(super) fn advance(&mut self, game: &G, m: G::Move) {
        self.among.clear();
        self.path.push(game.path_key(&self.root_position));
        self.root_path_length = self.path.len();
        game.make(&mut self.root_position, m);
        let known = self.arena.children(ROOT).iter().position(|child| child.m == Some(m));
        match known {
            Some(i) => self.arena.keep(self.arena[ROOT].first_child + i as Index),
            None => self.arena.reset(root_at(game, &self.root_position, &self.path)),
        }
        self.full = false;
    }

    pub(super) fn position(&self) -> &G::Position {
        &self.root_position
    }

    /// Whether the value of the root is known.
    pub(super) fn is_proved(&self) -> bool {
        self.arena[ROOT].bounds.is_proved()
    }

    /// Forgets the positions a trial went through.
    pub(super) fn path_to_root(&mut self) {
        while self.path.len() > self.root_path_length {
            self.path.pop();
        }
    }
}

/// A root is legal, whatever rules that look back might say.
fn root_at<G: Game>(game: &G, p: &G::Position, path: &Path) -> Node<G::Move> {
    let bounds = bounds_at(game, p, path).unwrap_or_else(|| Bounds::open(game.margin_limit()));
    Node::new(None, game.to_move(p), bounds)
}

/// What the threads of a search share: when to stop, and how many trials they have made.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    stop: &'a Stop,
    deadline: Option<Instant>,
    /// Without limits the end of the memory is one.
    endless: bool,
    over: AtomicBool,
    trials: AtomicU64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(limits: &Limits, stop: &'a Stop) -> Watch<'a> {
        Watch {
            stop,
            deadline: limits.usual_time().and_then(|time| Instant::now().checked_add(time)),
            endless: limits.nodes.is_none() && limits.usual_time().is_none(),
            over: AtomicBool::new(false),
            trials: AtomicU64::new(0),
        }
    }

    pub(super) fn trials(&self) -> u64 {
        self.trials.load(Ordering::Relaxed)
    }

    /// One more trial; gives all of them.
    fn count(&self) -> u64 {
        self.trials.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A thread knows all: the others need not go on.
    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.over.load(Ordering::Relaxed) || self.stop.is_stopped() || late()
    }
}
