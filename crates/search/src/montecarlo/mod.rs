//! Monte-Carlo tree search: UCT with RAVE and proofs, for games that no evaluation understands.
//!
//! A [`Tree`] holds what random games have told about a position. Each trial walks down to a leaf, by
//! what is known on the way, plays the rest at random and tells every node it passed how that ended.
//! Beside its mean every node has two bounds on the margin, and what the tree has proved is never
//! tried again: with enough memory and time the value is exact. Nobody is assumed to move in turn:
//! each node says whose choice it is.
//!
//! Nodes are tree nodes, not positions: a node has one path, so rules that look back hold in the tree
//! just as on the board, and a proof that rests on them is sound. What may be claimed is a choice of the
//! mover beside the moves.
//!
//! **Invariants:** a node that is not proved has a child that is not, once it has children; bounds only
//! ever close; one seed gives one tree.
//!
//! **Threads:** there is one. Several could each grow a tree from their own seed and add up the
//! statistics of the root moves (root parallelism); or share one, since nodes are only ever appended and
//! tallies only ever added to: that takes atomic tallies, a virtual loss on the way down and a lock
//! per expansion, and gives up the last invariant.

mod amaf;
mod arena;
mod node;
mod report;
mod trial;

use std::time::Instant;

use game::{Game, Limits, Path, Rng, Stop};

use crate::driver::{Position, Progress, Report};
use crate::settings::Settings;
use amaf::Amaf;
use arena::{Arena, ROOT};
use node::{Bounds, Index, Node};

pub use report::Statistics;

/// How many trials pass between two reports.
const PROGRESS_INTERVAL: u64 = 1 << 12;

/// What to search with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonteCarlo {
    /// How much the little tried is favoured over the successful; rewards go from -1 to 1.
    pub exploration: f32,
    /// After how many trials of a move itself those count as much as what other moments told of the same
    /// move (RAVE): strong where a move means much the same whenever it is made. With it playouts are
    /// played move by move to see their moves; `None` leaves them to [`Game::playout`], which may be
    /// quicker.
    pub rave: Option<f32>,
    /// How much of the reward is for the size of the margin, in games that have one.
    pub margin_bonus: f32,
    /// After how many trials a leaf gets its children.
    pub expand_after: u32,
    /// Room for nodes. When it is used up no leaf gets children any more. While a tree advances, the
    /// part that is kept takes its room twice.
    pub memory_megabytes: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo {
            exploration: 0.3,
            rave: Some(1_500.0),
            margin_bonus: 0.1,
            expand_after: 4,
            memory_megabytes: 256,
            seed: 1,
        }
    }
}

impl MonteCarlo {
    /// The usual numbers, with the memory and seed of these settings.
    #[must_use]
    pub fn of(settings: &Settings) -> MonteCarlo {
        let usual = MonteCarlo::default();
        MonteCarlo {
            memory_megabytes: settings.hash_megabytes,
            seed: settings.seed.unwrap_or(usual.seed),
            ..usual
        }
    }
}

/// A position and what trials have told about it; follows the game by [`advance`](Tree::advance). All
/// its methods want the game it was made for.
#[derive(Debug)]
pub struct Tree<G: Game> {
    settings: MonteCarlo,
    arena: Arena<G::Move>,
    root_position: G::Position,
    looks_back: bool,
    rewards: Rewards,
    rng: Rng,
    /// Whether a leaf was left without children for lack of memory.
    full: bool,
    // The trial under way: the position reached, those before it, the nodes passed, the moves made.
    p: G::Position,
    /// Between two searches it ends at the root.
    path: Path,
    root_path_length: usize,
    trail: Vec<Index>,
    amaf: Amaf,
    /// Room for generated moves.
    moves: Vec<G::Move>,
}

impl<G: Game> Tree<G> {
    /// A tree that knows nothing yet.
    #[must_use]
    pub fn new(from: &Position<'_, G>, settings: &MonteCarlo) -> Tree<G> {
        let Position { game, position, path } = *from;
        let root = root_at(game, position, path);
        let slots = if settings.rave.is_some() { game.slots() } else { 0 };
        Tree {
            settings: *settings,
            arena: Arena::new(root, settings.memory_megabytes.saturating_mul(1 << 20)),
            root_position: position.clone(),
            looks_back: game.looks_back(),
            rewards: Rewards::new(game.margin_limit(), settings.margin_bonus),
            rng: Rng::new(settings.seed),
            full: false,
            p: position.clone(),
            path: path.clone(),
            root_path_length: path.len(),
            trail: Vec::new(),
            amaf: Amaf::new(slots),
            moves: Vec::new(),
        }
    }

    /// Searches on until a limit is reached, somebody says stop, or the root is proved; without limits
    /// also when the memory is full. Nodes are trials, of which nearly all are playouts; a limit of depth
    /// means nothing here. A score is the mean reward of the best move in thousandths; a win or loss in
    /// n plies is proved, but may not be the quickest.
    pub fn search(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Report<G::Move> {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let most = limits.nodes.unwrap_or(u64::MAX);
        let endless = limits.nodes.is_none() && limits.time.is_none();
        let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut trials = 0;
        while trials < most && !self.is_proved() && !stop.is_stopped() && !late() {
            if endless && self.full {
                break;
            }
            self.try_once(game);
            trials += 1;
            if trials.is_multiple_of(PROGRESS_INTERVAL) {
                progress(&self.progress(trials));
            }
        }
        self.path_to_root();
        self.report(game, trials)
    }

    /// Follows a legal move of the root, and keeps what is known below it.
    pub fn advance(&mut self, game: &G, m: G::Move) {
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

    /// The position at the root.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        &self.root_position
    }

    /// How many trials went through the root.
    #[must_use]
    pub fn trials(&self) -> u32 {
        self.arena[ROOT].tried.count
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.arena.len()
    }

    /// Whether the value of the root is known.
    fn is_proved(&self) -> bool {
        self.arena[ROOT].bounds.is_proved()
    }

    /// Forgets the positions a trial went through.
    fn path_to_root(&mut self) {
        while self.path.len() > self.root_path_length {
            self.path.pop();
        }
    }
}

/// A root is legal, whatever rules that look back might say.
fn root_at<G: Game>(game: &G, p: &G::Position, path: &Path) -> Node<G::Move> {
    let bounds =
        trial::bounds_at(game, p, path).unwrap_or_else(|| Bounds::open(game.margin_limit()));
    Node::new(None, game.to_move(p), bounds)
}

/// What a finished game is worth to the first player, from -1 to 1.
#[derive(Clone, Copy, Debug)]
struct Rewards {
    outcome: f32,
    unit: f32,
}

impl Rewards {
    fn new(margin_limit: i32, bonus: f32) -> Rewards {
        if margin_limit <= 1 {
            return Rewards { outcome: 1.0, unit: 0.0 };
        }
        Rewards { outcome: 1.0 - bonus, unit: bonus / margin_limit as f32 }
    }

    #[inline]
    fn of(self, margin: i32) -> f32 {
        margin.signum() as f32 * self.outcome + margin as f32 * self.unit
    }
}
