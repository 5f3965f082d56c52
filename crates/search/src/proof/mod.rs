//! Proof-number search, depth first with a table (df-pn, Nagai 2002): answers a question about the
//! end of the game by looking first where the answer seems nearest.
//!
//! A question is "is the first player's margin at least k?". At a node the side that hopes needs
//! one move, the other must be denied all of its moves; numbers say how many leaves that takes. The
//! search stays below a node until its numbers show that the answer is nearer elsewhere:
//!
//! ```text
//!   mover's hope     = smallest hope of a move          searched until hope >= its threshold
//!   mover's fear     = largest fear of a move, and         or fear >= its threshold
//!                      one for each other open move
//! ```
//!
//! The fear would be the sum of all fears if moves led to places of their own. Where they lead to
//! the same ones again that counts some leaves a million times over, and the search gets lost (weak
//! proof numbers, Ueda et al. 2008).
//!
//! A move gets a little more than it takes to fall behind the second best (1 + ε, Pawlewicz and Lew
//! 2007), so that the search does not jump to and fro. Nobody is assumed to move in turn: each node
//! says whose choice it is.
//!
//! **Rules that look back:** there a position alone has no value, so the table knows a node by the
//! whole way that led to it from the root. Nothing found on one way is used on another, at the
//! price of transpositions; and since other roots have other ways, a prover of such a game begins
//! with a cleared table.
//!
//! **Invariants:** what a node learns of its moves stays with it while it is searched, so that a
//! table of any size only costs time; an answer rests on no guess, but on the 64 bits and more that
//! the table compares where it gave the answer.

mod line;
mod node;
mod numbers;
mod table;
mod value;

use std::time::Instant;

use evaluation::Proofs;
use game::{Game, Path, PositionName, Recall, mix};
use play::{Info, Limits, Stop};

use crate::deep_stack::most_plies;
use crate::driver::SearchRoot;
use crate::table_names::TableNames;
use node::Child;
use numbers::NEVER;
pub use numbers::Numbers;
use table::ProofName;
pub use table::ProofTable;
pub(crate) use value::find_value;

/// How many nodes pass between two looks at the clock, and two reports.
const CLOCK_INTERVAL: u64 = 1 << 10;
const PROGRESS_INTERVAL: u64 = 1 << 16;

/// Answers questions about one position.
pub struct Prover<'a, G: Game, H> {
    game: &'a G,
    heuristics: H,
    names: TableNames,
    table: &'a mut ProofTable,
    looks_back: bool,
    /// Whether [`Proofs::can_win`] is asked.
    bounds: bool,
    /// Whether [`rank`](evaluation::MoveOrder::rank) is asked which moves are doomed. With rules
    /// that look back the refutation might be forbidden.
    sees_doom: bool,
    p: G::Position,
    path: Path,
    /// The way from the root, in games that look back.
    way: Way,
    /// The question under way: is the first player's margin at least this?
    at_least: i32,
    /// The moves of all nodes on the way, those of a node side by side.
    children: Vec<Child<G::Move>>,
    /// Room for generated moves and their ranks.
    moves: Vec<G::Move>,
    ranks: Vec<i32>,
    nodes: u64,
    /// How far the current position is from the one asked about, and how far it may be.
    depth: usize,
    most_plies: usize,
    clock: Clock<'a>,
    progress: &'a mut dyn FnMut(&Info<G::Move>),
}

/// When to stop.
#[derive(Debug)]
struct Clock<'a> {
    began: Instant,
    stop: &'a Stop,
    deadline: Option<Instant>,
    node_limit: u64,
    expired: bool,
}

/// What a question came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// Whether the first player's margin is at least what was asked; `None` if a limit came first.
    pub holds: Option<bool>,
    /// Who hopes for this answer needs at most so many plies to the end of the game.
    pub plies: u32,
    /// A move that leads to the answer, if it is what the side to move hopes for.
    pub best: Option<M>,
}

/// What to prove with.
#[derive(Clone, Copy, Debug)]
pub struct Proving {
    /// Whether all images of a position are one in the table, in games that have
    /// [such](game::Game::CANONICAL).
    pub symmetry: bool,
    /// Whether to use proofs of the heuristics that a side can no longer win.
    pub bounds: bool,
    /// Whether to leave out moves that the heuristics call doomed.
    pub ranking: bool,
    /// When to give up.
    pub limits: Limits,
}

impl<'a, G: Game, H: Proofs<G>> Prover<'a, G, H> {
    /// Knows what the table knows: what earlier provers of the same game found out, if its rules
    /// do not look back. A limit of depth means nothing here; others are for all questions
    /// together.
    pub fn new(
        table: &'a mut ProofTable,
        from: &SearchRoot<'a, G>,
        heuristics: H,
        proving: &Proving,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(&Info<G::Move>),
    ) -> Self {
        let Proving { symmetry, bounds, ranking, limits } = *proving;
        if from.game.looks_back() {
            table.clear();
        }
        let began = Instant::now();
        let deadline = limits.usual_time().and_then(|time| began.checked_add(time));
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let mut prover = Prover {
            game: from.game,
            heuristics,
            names: TableNames { symmetry },
            table,
            looks_back: from.game.looks_back(),
            bounds,
            sees_doom: ranking && !from.game.looks_back() && from.game.margin_limit() == 1,
            p: from.position.clone(),
            path: from.path.clone(),
            way: Way::default(),
            at_least: 0,
            children: Vec::new(),
            moves: Vec::new(),
            ranks: Vec::new(),
            nodes: 0,
            depth: 0,
            most_plies: most_plies(from.game, from.position),
            clock: Clock { began, stop, deadline, node_limit, expired: false },
            progress,
        };
        prover.heuristics.begin(prover.game, &prover.p);
        prover
    }

    /// Whether the first player's margin is at least this from the position the prover stands at.
    pub fn ask(&mut self, at_least: i32) -> Answer<G::Move> {
        // Questions that come to the same are one in the table.
        self.at_least = self.game.margin_step().at_least(at_least);
        let mover = self.game.to_move(&self.p);
        if let Some(holds) = self.settled() {
            return Answer { holds: Some(holds), plies: 0, best: None };
        }
        self.clock.expired = false;
        self.look_at_clock();
        let everything = Numbers { proof: NEVER, disproof: NEVER };
        let searched = self.search(everything);
        let best = searched.best.filter(|_| searched.numbers.seen_by(mover).proof == 0);
        Answer { holds: searched.numbers.known(), plies: searched.plies.into(), best }
    }

    /// Positions visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The answer in the current position, if it can be seen without a search.
    fn settled(&mut self) -> Option<bool> {
        let (game, p) = (self.game, &self.p);
        let mover = game.to_move(p);
        let recall = if self.looks_back { game.recall(p, &self.path) } else { Recall::Fresh };
        let over = match (game.margin(p), recall) {
            (Some(margin), _) | (None, Recall::Over(margin)) => Some(margin),
            _ => None,
        };
        if let Some(margin) = over {
            return Some(margin >= self.at_least);
        }
        // Who may claim what it hopes for does so.
        if let Recall::Claim(margin) = recall
            && (margin >= self.at_least) == (mover == game::Side::First)
        {
            return Some(margin >= self.at_least);
        }
        if !self.bounds {
            return None;
        }
        let too_much = self.at_least > 0 && !self.heuristics.can_win(game, p, game::Side::First);
        let enough = self.at_least <= 0 && !self.heuristics.can_win(game, p, game::Side::Second);
        (too_much || enough).then_some(enough)
    }

    /// Makes a move, unless a rule that looks back forbids it.
    fn enter(&mut self, m: G::Move) -> Option<Step<G>> {
        self.enter_from(self.path_key(), m)
    }

    /// The current position for the path, where it matters.
    fn path_key(&self) -> u64 {
        if self.looks_back { self.game.path_key(&self.p) } else { 0 }
    }

    /// [`enter`](Prover::enter) for one of many moves of a position whose path key is this.
    fn enter_from(&mut self, path_key: u64, m: G::Move) -> Option<Step<G>> {
        let way = self.way;
        if self.looks_back {
            self.path.push(path_key);
        }
        let undo = self.game.make(&mut self.p, m);
        if self.looks_back {
            if self.game.recall(&self.p, &self.path) == Recall::Forbidden {
                self.game.unmake(&mut self.p, m, undo);
                self.path.pop();
                return None;
            }
            self.way = way.on(self.game.key(&self.p));
        }
        self.heuristics.pushed(self.game, &self.p, m);
        Some(Step { m, undo, way })
    }

    /// Takes back what `enter` did.
    fn leave(&mut self, step: Step<G>) {
        self.game.unmake(&mut self.p, step.m, step.undo);
        self.heuristics.popped(self.game, &self.p, step.m);
        if self.looks_back {
            self.path.pop();
        }
        self.way = step.way;
    }

    /// The name of the current position and the question in the table.
    fn name(&self) -> ProofName {
        let (key, check) = match self.looks_back {
            true => (self.way.key, self.way.check),
            false => {
                let PositionName { key, check, .. } = self.names.name(self.game, &self.p);
                (key, check)
            }
        };
        let question = mix(self.at_least as u64);
        // Keys of positions may be mixed in the same way: the check tells which is which.
        ProofName { key: mix(key ^ question), check: check.wrapping_add(question) }
    }

    /// Whether a limit is reached.
    fn expired(&mut self) -> bool {
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) || self.nodes >= self.clock.node_limit {
            self.look_at_clock();
        }
        self.clock.expired
    }

    fn look_at_clock(&mut self) {
        let late = self.clock.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let spent = self.nodes >= self.clock.node_limit;
        self.clock.expired |= late || spent || self.clock.stop.is_stopped();
        if self.nodes > 0 && self.nodes.is_multiple_of(PROGRESS_INTERVAL) {
            (self.progress)(&Info {
                depth: None,
                nodes: self.nodes,
                elapsed: self.clock.began.elapsed(),
                root_moves: (0, 0),
                best: None,
                selective_depth: 0,
                table_per_mille: 0,
                lines: Vec::new(),
                scores: None,
            });
        }
    }
}

/// A move that was made.
struct Step<G: Game> {
    m: G::Move,
    undo: G::Undo,
    way: Way,
}

/// The keys of the positions on the way from the root, taken together twice.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    key: u64,
    check: u64,
}

impl Way {
    #[inline]
    fn on(self, next: u64) -> Way {
        const ODD: u64 = 0xd1b5_4a32_d192_ed03;
        let check = (self.check.rotate_left(23) ^ next).wrapping_mul(ODD);
        Way { key: mix(self.key ^ next), check }
    }
}

impl<G: Game, H> std::fmt::Debug for Prover<'_, G, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prover")
            .field("p", &self.p)
            .field("at_least", &self.at_least)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
