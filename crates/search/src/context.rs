//! [`Context`]: what every algorithm needs at a node.

use evaluation::{Evaluation, Proofs};
#[cfg(feature = "study")]
use game::PositionName;
use game::{Game, Value, mix};
use play::{Info, InfoLine, Stop};

use crate::bounds::{Bound, Depth};
use crate::budget::{Budget, Saved};
use crate::driver::SearchRoot;
use crate::lazy_smp::LazySmp;
use crate::search_line::SearchLine;
use crate::settings::{Algorithm, Settings};
use crate::table::{Entry, Table};
use crate::table_names::TableNames;

/// The line being searched, the budget, the table, and what the values found so far rest on.
pub(crate) struct Context<'a, G: Game, H> {
    pub(crate) line: SearchLine<'a, G, H>,
    pub(crate) budget: Budget<'a>,
    pub(crate) names: TableNames,
    table: Option<&'a Table>,
    judgement: Judgement,
    /// Whether proofs that a side cannot win any more are used.
    bounds: bool,
    /// The greatest distance from the root at which the search has been, as far as that is kept.
    pub(crate) deepest: usize,
    /// How many guesses the values found so far rest on. A node that leaves it as it was is
    /// settled.
    pub(crate) guesses: u64,
    pub(crate) root: Root<G::Move>,
    progress: &'a mut dyn FnMut(&Info<G::Move>),
}

/// How far the current iteration has come at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root<M> {
    pub(crate) depth: Depth,
    pub(crate) best: Option<M>,
    pub(crate) moves_done: usize,
    pub(crate) moves: usize,
}

impl<M> Root<M> {
    /// An iteration begins.
    pub(crate) fn new(depth: Depth) -> Root<M> {
        Root { depth, best: None, moves_done: 0, moves: 0 }
    }
}

/// How positions at the horizon are judged.
#[derive(Clone, Copy, Debug)]
struct Judgement {
    /// How far it may be off: see [`Settings::noise`].
    noise: u32,
    seed: u64,
}

impl Judgement {
    /// The same for the same position; small errors are more likely than large ones, and none is
    /// preferred.
    fn noise_of(self, key: u64) -> i32 {
        let drawn = mix(key ^ self.seed);
        let most = u64::from(self.noise);
        let part = |bits: u64| (((bits & 0xffff_ffff) * (most + 1)) >> 32) as i32;
        part(drawn) - part(drawn >> 32)
    }
}

impl<'a, G: Game, H: Evaluation<G>> Context<'a, G, H> {
    pub(crate) fn new(
        root: &SearchRoot<'a, G>,
        heuristics: H,
        settings: &Settings,
        smp: LazySmp<'a>,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(&Info<G::Move>),
    ) -> Self {
        let playing = settings.algorithm == Algorithm::Playing;
        // Values may depend on the path: only a search that guesses anyway overlooks that.
        let with_table = settings.techniques.table && (playing || !root.game.looks_back());
        Context {
            line: SearchLine::new(root, heuristics),
            budget: Budget::new(stop, &settings.limits, smp),
            names: TableNames { symmetry: settings.techniques.symmetry },
            table: with_table.then_some(smp.table),
            judgement: Judgement { noise: settings.noise, seed: settings.seed.unwrap_or(0) },
            bounds: settings.techniques.bounds,
            deepest: 0,
            guesses: 0,
            root: Root::new(Depth::END),
            progress,
        }
    }

    /// Counts the current position and gives its value if the game is over.
    #[inline]
    pub(crate) fn ended(&mut self) -> Option<Value> {
        self.budget.count_node();
        self.line.ended()
    }

    /// What the evaluation says of the current position, as well as this player sees it.
    #[inline]
    pub(crate) fn judge(&mut self) -> i32 {
        let (game, Judgement { noise, .. }) = (self.line.game, self.judgement);
        let score = self.line.heuristics.evaluate(game, &self.line.p);
        if noise == 0 { score } else { score + self.judgement.noise_of(game.key(&self.line.p)) }
    }

    /// Whether a search of this depth sees what happens to a doomed move. With rules that look back
    /// the refutation might be forbidden.
    #[inline]
    pub(crate) fn sees_doom(&self, depth: Depth) -> bool {
        depth >= Depth::new(2) && !self.line.looks_back()
    }

    /// The name of the current position in the table; none is needed where there is no table.
    #[inline]
    pub(crate) fn key(&self) -> (u64, usize) {
        if self.table.is_some() { self.names.key(self.line.game, &self.line.p) } else { (0, 0) }
    }

    /// The same for whoever proves something.
    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn name(&self) -> PositionName {
        match self.table {
            Some(_) => self.names.name(self.line.game, &self.line.p),
            None => PositionName::default(),
        }
    }

    /// The code of a move in the image of the current position under this symmetry.
    #[inline]
    pub(crate) fn code(&self, m: G::Move, symmetry: usize) -> u32 {
        self.names.code(self.line.game, &self.line.p, m, symmetry)
    }

    /// Whether positions are remembered.
    #[inline]
    pub(crate) fn has_table(&self) -> bool {
        self.table.is_some()
    }

    #[inline]
    pub(crate) fn look_up(&self, key: u64) -> Option<Entry> {
        self.table.and_then(|table| table.get(key))
    }

    /// [`look_up`](Context::look_up) by more than a key, for what was remembered so.
    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn look_up_named(&self, name: PositionName) -> Option<Entry> {
        self.table.and_then(|table| table.get_named(name))
    }

    #[cfg(feature = "study")]
    #[inline]
    pub(crate) fn remember_named(&mut self, name: PositionName, entry: Entry, nodes: u64) {
        if let Some(table) = self.table {
            table.put_named(name, entry, nodes);
        }
    }

    #[inline]
    pub(crate) fn remember(&mut self, key: u64, entry: Entry, nodes: u64) {
        if let Some(table) = self.table {
            table.put(key, entry, nodes);
        }
    }

    /// Forgets the guesses below a node whose value is a proved win or loss all the same.
    #[inline]
    pub(crate) fn settle(&mut self, value: Value, bound: Bound, guesses_before: u64) -> bool {
        if bound.is_proof(value) {
            self.guesses = guesses_before;
        }
        self.guesses == guesses_before
    }

    /// Whether time, nodes or patience are used up. What a search returns after that means nothing.
    #[inline]
    pub(crate) fn expired(&mut self) -> bool {
        if self.budget.is_look_due() {
            self.look_at_clock();
        }
        self.budget.is_expired()
    }

    #[cold]
    fn look_at_clock(&mut self) {
        if self.budget.look() {
            self.report(&[]);
        }
    }

    /// Moves were generated.
    #[inline]
    pub(crate) fn count_moves(&mut self, ply: usize, count: usize) {
        self.budget.count_moves(count);
        if ply == 0 {
            (self.root.moves, self.root.moves_done) = (count, 0);
        }
    }

    pub(crate) fn root_move_done(&mut self, value: Value, floor: Value, m: G::Move) {
        self.root.moves_done += 1;
        if value > floor {
            self.root.best = Some(m);
        }
        self.report(&[]);
    }

    /// Tells whoever asked how far the search has come.
    pub(crate) fn report(&mut self, lines: &[InfoLine<G::Move>]) {
        let Root { depth, best, moves_done, moves } = self.root;
        let depth = (depth != Depth::END).then(|| depth.raw() as u32);
        let now = Info {
            depth,
            selective_depth: self.deepest as u32,
            nodes: self.budget.all_nodes(),
            elapsed: self.budget.elapsed(),
            table_per_mille: self.table.map_or(0, Table::used_per_mille),
            root_moves: (moves_done, moves),
            best,
            lines: lines.to_vec(),
            scores: None,
        };
        (self.progress)(&now);
    }

    /// Something is done on the side that may visit so many nodes: what it does not finish is left,
    /// and neither its nodes nor its guesses count. [`restore`](Context::restore) ends it.
    pub(crate) fn lend(&mut self, nodes: u64) -> (Saved, u64) {
        (self.budget.lend(nodes), self.guesses)
    }

    pub(crate) fn restore(&mut self, (saved, guesses): &(Saved, u64)) {
        self.budget.restore(saved);
        self.guesses = *guesses;
    }
}

impl<G: Game, H: Proofs<G>> Context<'_, G, H> {
    /// Whether a draw answers the question of this window, since a side that would have to win to
    /// give another answer no longer can.
    #[inline]
    pub(crate) fn is_drawn_enough(&mut self, alpha: Value, beta: Value) -> bool {
        if !self.bounds {
            return false;
        }
        let SearchLine { game, p, heuristics, .. } = &mut self.line;
        let mover = game.to_move(p);
        let at_most_draw = !heuristics.can_win(game, p, mover);
        if at_most_draw && alpha >= Value::DRAW {
            return true;
        }
        if !at_most_draw && beta > Value::DRAW {
            return false;
        }
        let at_least_draw = !heuristics.can_win(game, p, mover.other());
        at_least_draw && (at_most_draw || beta <= Value::DRAW)
    }

    /// A win that the game proves within so many nodes: the move and its value.
    pub(crate) fn forced_win(&mut self, nodes: u64) -> Option<(G::Move, Value)> {
        let mut budget = nodes;
        let SearchLine { game, p, heuristics, .. } = &mut self.line;
        let win = heuristics.forced_win(game, p, &mut budget);
        self.budget.count_nodes(nodes - budget);
        win.map(|(m, plies)| (m, Value::won_in(plies)))
    }
}

impl<G: Game, H> std::fmt::Debug for Context<'_, G, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("p", &self.line.p)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
