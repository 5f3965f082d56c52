//! Monte-Carlo tree search: UCT with RAVE and proofs, for games that no evaluation understands.
//!
//! A [`MonteCarloTree`] holds what random games have told about a position. Each trial walks down to a leaf,
//! by what is known on the way, plays the rest at random and tells every node it passed how that
//! ended. Beside its mean every node has two bounds on the margin, and what the tree has proved is
//! never tried again: with enough memory and time the value is exact. Nobody is assumed to move in
//! turn: each node says whose choice it is.
//!
//! Nodes are tree nodes, not positions: a node has one path, so rules that look back hold in the
//! tree just as on the board, and a proof that rests on them is sound. What may be claimed is a
//! choice of the mover beside the moves.
//!
//! **Threads:** each grows a stem of its own from its own seed, with its part of the memory. What
//! they know of the root and its moves is added up when somebody asks (root parallelism, Cazenave
//! and Jouandeau 2007): nothing is shared while they grow, so they do not slow each other down.
//!
//! **Invariants:** a node that is not proved has a child that is not, once it has children; bounds
//! only ever close; one seed gives one tree, and as long as trials are the only limit and nothing
//! is proved, so do a seed and a number of threads.

mod amaf;
mod arena;
mod node;
mod proofs;
mod report;
mod stem;
mod trial;

use std::thread;
use std::time::Instant;

use evaluation::Playouts;
use game::Game;
use play::{Info, Limits, Stop};

use crate::driver::{Report, SearchRoot};
use crate::settings::Settings;
use arena::ROOT;
use stem::{Stem, Watch};

pub use report::Statistics;

/// What to search with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonteCarlo {
    /// How much the little tried is favoured over the successful; rewards go from -1 to 1.
    pub exploration: f32,
    /// After how many trials of a move itself those count as much as what other moments told of the
    /// same move (RAVE): strong where a move means much the same whenever it is made. With it
    /// playouts are played move by move to see their moves; `None` leaves them to
    /// [`Game::playout`], which may be quicker, unless the heuristics play more sensibly.
    pub rave: Option<f32>,
    /// How much of the reward is for the size of the margin, in games that have one.
    pub margin_bonus: f32,
    /// After how many trials a leaf gets its children.
    pub expand_after: u32,
    /// How much a move that looks good before it was tried is favoured, by [`Playouts::prior`].
    pub bias: f32,
    /// How many threads grow the tree; 0 counts as 1.
    pub threads: usize,
    /// Room for the nodes of all threads. When it is used up no leaf gets children any more. While
    /// a tree advances, the part that is kept takes its room twice.
    pub memory_megabytes: usize,
    /// How many of the best moves to report.
    pub lines: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo {
            exploration: 0.2,
            rave: Some(1_500.0),
            margin_bonus: 0.1,
            expand_after: 1,
            bias: 3.0,
            threads: 1,
            memory_megabytes: 256,
            lines: 1,
            seed: 1,
        }
    }
}

impl MonteCarlo {
    /// The usual numbers, with the memory, threads and seed of these settings.
    #[must_use]
    pub fn of(settings: &Settings) -> MonteCarlo {
        let usual = MonteCarlo::default();
        MonteCarlo {
            memory_megabytes: settings.hash_megabytes,
            threads: settings.threads,
            lines: settings.lines,
            seed: settings.seed.unwrap_or(usual.seed),
            ..usual
        }
    }
}

/// A position and what trials have told about it; follows the game by [`advance`](MonteCarloTree::advance).
/// All its methods want the game it was made for.
#[derive(Debug)]
pub struct MonteCarloTree<G: Game, H> {
    /// One for each thread, all with the same root.
    stems: Vec<Stem<G, H>>,
    rewards: Rewards,
    lines: usize,
}

impl<G: Game, H: Playouts<G>> MonteCarloTree<G, H> {
    /// A tree that knows nothing yet.
    #[must_use]
    pub fn new(
        from: &SearchRoot<'_, G>,
        heuristics: &H,
        settings: &MonteCarlo,
    ) -> MonteCarloTree<G, H> {
        let rewards = Rewards::new(from.game.margin_limit(), settings.margin_bonus);
        let stems = (0..settings.threads.max(1) as u64)
            .map(|number| Stem::new(from, heuristics.clone(), rewards, settings, number))
            .collect();
        MonteCarloTree { stems, rewards, lines: settings.lines }
    }

    /// Searches on until a limit is reached, somebody says stop, or the root is proved; without
    /// limits also when the memory is full. Nodes are trials, of which nearly all are playouts; a
    /// limit of depth means nothing here. A score is the mean reward of the best move in
    /// thousandths; a win or loss in n plies is proved, but may not be the quickest.
    pub fn search(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Info<G::Move>),
    ) -> Report<G::Move> {
        let (watch, began) = (Watch::new(limits, stop), Instant::now());
        let threads = self.stems.len() as u64;
        let share = |number: u64| {
            limits
                .nodes
                .map_or(u64::MAX, |most| most / threads + u64::from(number < most % threads))
        };
        let proved = self.stems.iter().any(Stem::is_proved);
        if let Some((first, others)) = self.stems.split_first_mut().filter(|_| !proved) {
            thread::scope(|scope| {
                for (number, stem) in (1..).zip(others) {
                    let watch = &watch;
                    scope.spawn(move || stem.grow(game, share(number), watch, &mut |_, _| {}));
                }
                first.grow(game, share(0), &watch, &mut |stem, trials| {
                    progress(&stem.info(trials, began.elapsed()));
                });
            });
        }
        self.report(game, watch.trials())
    }

    /// Follows a legal move of the root, and keeps what is known below it.
    pub fn advance(&mut self, game: &G, m: G::Move) {
        self.stems.iter_mut().for_each(|stem| stem.advance(game, m));
    }

    /// The position at the root.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        self.stems[0].position()
    }

    /// The moves of the root it chooses among; all if there are none.
    #[must_use]
    pub fn among(&self) -> &[G::Move] {
        &self.stems[0].among
    }

    /// How many trials went through the root.
    #[must_use]
    pub fn trials(&self) -> u32 {
        self.stems.iter().map(|stem| stem.arena[ROOT].tried.count).sum()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.stems.iter().map(|stem| stem.arena.len()).sum()
    }
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
