//! [`Worker`]: what every algorithm needs at a node: the position and its way back, leaves, the
//! table, the clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use evaluation::{Proofs, Tactics};
use game::{Game, Path, Recall, Value, mix};
use play::{Allotment, Limits, Stop};

use crate::bounds::{Bound, Depth};
use crate::driver::{Line, Position, Progress};
use crate::order::{Moves, Order};
use crate::playing::State;
use crate::settings::{Algorithm, Settings};
use crate::table::{Entry, Table};
use crate::table_names::TableNames;

/// How much work passes between two looks at the clock, in nodes with a hundred moves or so.
const CLOCK_INTERVAL: u64 = 1 << 10;
/// What the first depth may take beyond the limits.
const FIRST_DEPTH_TIME: Duration = Duration::from_secs(1);
const FIRST_DEPTH_NODES: u64 = 1_000_000;
const MOVES_OF_A_NODE: u64 = 1 << 7;
/// How many nodes pass between two reports.
const PROGRESS_INTERVAL: u64 = 1 << 16;

/// A search under way.
pub(crate) struct Worker<'a, G: Game, H> {
    pub(crate) game: &'a G,
    pub(crate) p: G::Position,
    path: Path,
    looks_back: bool,
    /// Whether this is the playing search.
    pub(crate) playing: bool,
    bounds: bool,
    /// A search to the end of the game needs no guesses: the iterations on the way there, which only
    /// find quick wins and good first moves, are fastest if every unfinished position is even.
    guess_even: bool,
    margin_limit: i32,
    noise: Noise,
    /// What the rules that look back say of the current position; fresh after `enter` and
    /// `look_back`.
    recall: Recall,
    pub(crate) heuristics: H,
    pub(crate) names: TableNames,
    table: Option<&'a Table>,
    pub(crate) order: Order<G>,
    /// What the playing search keeps.
    pub(crate) play: State<G>,
    pub(crate) nodes: u64,
    /// The greatest distance from the root at which the playing search has been.
    pub(crate) deepest: usize,
    /// How many guesses the values found so far rest on. A node that leaves it as it was is settled.
    pub(crate) guesses: u64,
    pub(crate) root: Root<G::Move>,
    /// The moves of the root, if a yes-or-no question about it was left open.
    #[cfg(feature = "study")]
    pub(crate) root_order: Vec<G::Move>,
    clock: Clock<'a>,
    company: Company<'a>,
    /// The nodes that a helper has told of.
    counted: u64,
    progress: &'a mut dyn FnMut(&Progress<G::Move>),
}

/// What a search shares with the other threads that work at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Company<'a> {
    pub(crate) table: &'a Table,
    /// The nodes of all helpers.
    pub(crate) helped: &'a AtomicU64,
    pub(crate) role: Role,
}

/// One thread leads: it decides, and tells how far it has come. Helpers fill the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Leader,
    Helper,
}

/// How far the current iteration has come at the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root<M> {
    pub(crate) depth: Depth,
    pub(crate) best: Option<M>,
    pub(crate) moves_done: usize,
    pub(crate) moves: usize,
}

/// How positions are misjudged.
#[derive(Clone, Copy, Debug)]
struct Noise {
    most: u32,
    seed: u64,
}

impl Noise {
    /// The same for the same position; small errors are more likely than large ones, and none is preferred.
    fn of(self, key: u64) -> i32 {
        let drawn = mix(key ^ self.seed);
        let most = u64::from(self.most);
        let part = |bits: u64| (((bits & 0xffff_ffff) * (most + 1)) >> 32) as i32;
        part(drawn) - part(drawn >> 32)
    }
}

/// When to stop.
#[derive(Debug)]
struct Clock<'a> {
    stop: &'a Stop,
    /// After it no deeper iteration is begun.
    last_call: Option<Instant>,
    deadline: Option<Instant>,
    node_limit: u64,
    /// Until it is wound, only the user's stop counts, or that the first depth takes far more than the limits: in a turn of many
    /// stones on a large board it may never end.
    wound: bool,
    /// Nodes, where one with very many moves counts as several.
    work: u64,
    next_look: u64,
    next_report: u64,
    expired: bool,
}

impl<'a> Clock<'a> {
    fn new(stop: &'a Stop, limits: &Limits) -> Clock<'a> {
        let allotted = limits.clock.map(|clock| clock.allotment());
        let (usual, most) = match allotted {
            Some(Allotment { usual, most }) => (Some(usual), Some(most)),
            None => (None, None),
        };
        let time = limits.time.into_iter().chain(most).min();
        let now = Instant::now();
        Clock {
            stop,
            // The next iteration takes longer than all before it together.
            last_call: usual.and_then(|usual| now.checked_add(usual * 3 / 5)),
            deadline: time.and_then(|time| now.checked_add(time)),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            wound: false,
            work: 0,
            next_look: 0,
            next_report: PROGRESS_INTERVAL,
            expired: false,
        }
    }

    fn look(&mut self, nodes: u64) {
        let (more_time, more_nodes) = match self.wound {
            true => (Duration::ZERO, 0),
            false => (FIRST_DEPTH_TIME, FIRST_DEPTH_NODES),
        };
        let deadline = self.deadline.and_then(|deadline| deadline.checked_add(more_time));
        let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let limits_reached = nodes >= self.node_limit.saturating_add(more_nodes) || late();
        self.expired |= limits_reached || self.stop.is_stopped();
        self.next_look = self.work + CLOCK_INTERVAL;
    }
}

impl<G: Game, H: Tactics<G>> Worker<'_, G, H> {
    /// Whether the heuristics say that the current position was there before.
    #[inline]
    pub(crate) fn repeats(&mut self) -> bool {
        self.looks_back && self.heuristics.repeats(self.game, &self.p, &self.path)
    }
}

impl<'a, G: Game, H: Proofs<G>> Worker<'a, G, H> {
    pub(crate) fn new(
        root: &Position<'a, G>,
        heuristics: H,
        settings: &Settings,
        company: Company<'a>,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(&Progress<G::Move>),
    ) -> Self {
        let game = root.game;
        let (p, path) = (root.position.clone(), root.path.clone());
        let looks_back = game.looks_back();
        let playing = settings.algorithm == Algorithm::Playing;
        let with_table = settings.techniques.table && (playing || !looks_back);
        let mut worker = Worker {
            game,
            recall: game.recall(&p, &path),
            p,
            path,
            looks_back,
            playing,
            bounds: settings.techniques.bounds,
            guess_even: settings.limits == Limits::default(),
            margin_limit: game.margin_limit(),
            noise: Noise { most: settings.noise, seed: settings.seed.unwrap_or(0) },
            play: State::new(game, &heuristics, settings),
            heuristics,
            names: TableNames { symmetry: settings.techniques.symmetry },
            table: with_table.then_some(company.table),
            order: Order::new(game, settings.techniques),
            nodes: 0,
            deepest: 0,
            guesses: 0,
            root: Root { depth: Depth::END, best: None, moves_done: 0, moves: 0 },
            #[cfg(feature = "study")]
            root_order: Vec::new(),
            clock: Clock::new(stop, &settings.limits),
            company,
            counted: 0,
            progress,
        };
        worker.heuristics.begin(game, &worker.p);
        worker
    }

    /// Makes a move, unless a rule that looks back forbids it.
    #[inline]
    pub(crate) fn enter(&mut self, m: G::Move) -> Option<G::Undo> {
        if !self.looks_back {
            let undo = self.game.make(&mut self.p, m);
            self.heuristics.pushed(self.game, &self.p, m);
            return Some(undo);
        }
        self.path.push(self.game.path_key(&self.p));
        let undo = self.game.make(&mut self.p, m);
        self.recall = self.game.recall(&self.p, &self.path);
        if self.recall == Recall::Forbidden {
            self.game.unmake(&mut self.p, m, undo);
            self.path.pop();
            return None;
        }
        self.heuristics.pushed(self.game, &self.p, m);
        Some(undo)
    }

    /// Says afresh what the rules that look back think of the current position, after searching on
    /// from it.
    pub(crate) fn look_back(&mut self) {
        if self.looks_back {
            self.recall = self.game.recall(&self.p, &self.path);
        }
    }

    /// Goes to a position that no move leads to; give what was there to `leave_instead`.
    pub(crate) fn enter_instead(&mut self, next: G::Position) -> G::Position {
        if self.looks_back {
            self.path.push(self.game.path_key(&self.p));
        }
        self.recall = Recall::Fresh;
        std::mem::replace(&mut self.p, next)
    }

    pub(crate) fn leave_instead(&mut self, before: G::Position) {
        self.p = before;
        if self.looks_back {
            self.path.pop();
        }
        self.look_back();
    }

    /// What the rules that look back say of the current position.
    #[inline]
    pub(crate) fn recall(&self) -> Recall {
        if self.looks_back { self.recall } else { Recall::Fresh }
    }

    /// Takes back what `enter` did.
    #[inline]
    pub(crate) fn leave(&mut self, m: G::Move, undo: G::Undo) {
        self.game.unmake(&mut self.p, m, undo);
        self.heuristics.popped(self.game, &self.p, m);
        if self.looks_back {
            self.path.pop();
        }
    }

    /// A first player's margin as a value for the side to move.
    #[inline]
    pub(crate) fn over(&self, margin: i32) -> Value {
        Value::over(margin, self.margin_limit).seen_by(self.game.to_move(&self.p))
    }

    /// Counts the current position and gives its value if the game is over.
    #[inline]
    pub(crate) fn ended(&mut self) -> Option<Value> {
        self.nodes += 1;
        self.clock.work += 1;
        if let Some(margin) = self.game.margin(&self.p) {
            return Some(self.over(margin));
        }
        match self.recall {
            Recall::Over(margin) if self.looks_back => Some(self.over(margin)),
            _ => None,
        }
    }

    /// What the heuristics say of the current position, if the search ends here and the game does not.
    #[inline]
    pub(crate) fn horizon(&mut self, depth: Depth) -> Option<Value> {
        if !depth.is_horizon() {
            return None;
        }
        if let Some(value) = self.stuck_here() {
            return Some(value);
        }
        self.guesses += 1;
        let score = Value::score(if self.guess_even { 0 } else { self.judge() });
        Some(self.claim().map_or(score, |claim| claim.max(score)))
    }

    /// What the heuristics say of the current position, as well as this player sees it.
    #[inline]
    pub(crate) fn judge(&mut self) -> i32 {
        let score = self.heuristics.evaluate(self.game, &self.p);
        if self.noise.most == 0 { score } else { score + self.noise.of(self.game.key(&self.p)) }
    }

    /// The value of the current position if there is no move.
    #[inline]
    pub(crate) fn stuck_here(&self) -> Option<Value> {
        let stuck = G::GETS_STUCK && self.game.is_stuck(&self.p);
        stuck.then(|| self.claim().unwrap_or_else(|| self.over(self.game.stuck(&self.p))))
    }

    /// Whether a draw answers the question of this window, since a side that would have to win to
    /// give another answer no longer can.
    #[inline]
    pub(crate) fn is_drawn_enough(&mut self, alpha: Value, beta: Value) -> bool {
        if !self.bounds {
            return false;
        }
        let mover = self.game.to_move(&self.p);
        let at_most_draw = !self.heuristics.can_win(self.game, &self.p, mover);
        if at_most_draw && alpha >= Value::DRAW {
            return true;
        }
        if !at_most_draw && beta > Value::DRAW {
            return false;
        }
        let at_least_draw = !self.heuristics.can_win(self.game, &self.p, mover.other());
        at_least_draw && (at_most_draw || beta <= Value::DRAW)
    }

    /// Whether a search of this depth sees what happens to a doomed move. With rules that look back
    /// the refutation might be forbidden.
    #[inline]
    pub(crate) fn sees_doom(&self, depth: Depth) -> bool {
        depth >= Depth::new(2) && !self.looks_back
    }

    /// Whether there is surely a legal move. With rules that look back nobody knows before trying.
    #[inline]
    pub(crate) fn can_move(&self) -> bool {
        !self.looks_back && self.game.count(&self.p) > 0
    }

    /// What the side to move can have at once by claiming it.
    #[inline]
    pub(crate) fn claim(&self) -> Option<Value> {
        match self.recall {
            Recall::Claim(margin) if self.looks_back => Some(self.over(margin)),
            _ => None,
        }
    }

    /// The name of the current position in the table; none is needed where there is no table.
    #[inline]
    pub(crate) fn key(&self) -> (u64, usize) {
        if self.table.is_some() { self.names.key(self.game, &self.p) } else { (0, 0) }
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

    /// The value an entry gives for this depth and window. The depths must agree, unless nothing was
    /// guessed below: so a table never changes what a search returns.
    #[inline]
    pub(crate) fn answer(
        &mut self,
        entry: Entry,
        depth: Depth,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let holds = entry.depth == depth || entry.settled && entry.depth < depth;
        if !holds || !entry.bound.settles(entry.value, alpha, beta) {
            return None;
        }
        self.guesses += u64::from(!entry.settled);
        Some(entry.value)
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
        if self.clock.work >= self.clock.next_look || self.nodes >= self.clock.node_limit {
            self.look_at_clock();
        }
        self.clock.expired
    }

    /// Generates the moves of the current position, in the order to try them.
    #[inline]
    pub(crate) fn open_moves(
        &mut self,
        ply: usize,
        is_table_move: impl Fn(&G::Position, G::Move) -> bool,
    ) -> Moves {
        let moves = self.order.open(self.game, &self.p, ply, &mut self.heuristics, is_table_move);
        self.count_moves(ply, moves.len());
        moves
    }

    /// Something that was done elsewhere took so much work.
    #[inline]
    pub(crate) fn count_work(&mut self, nodes: u64) {
        self.clock.work += nodes;
    }

    /// Moves were generated.
    #[inline]
    pub(crate) fn count_moves(&mut self, ply: usize, count: usize) {
        self.clock.work += count as u64 / MOVES_OF_A_NODE;
        if ply == 0 {
            (self.root.moves, self.root.moves_done) = (count, 0);
        }
    }

    /// A win that the game's heuristics prove within so many nodes: the move and its value.
    pub(crate) fn forced_win(&mut self, nodes: u64) -> Option<(G::Move, Value)> {
        let mut budget = nodes;
        let win = self.heuristics.forced_win(self.game, &self.p, &mut budget);
        self.nodes += nodes - budget;
        self.clock.work += nodes - budget;
        win.map(|(m, plies)| (m, Value::won_in(plies)))
    }

    /// From now on the limits count.
    pub(crate) fn wind_clock(&mut self) {
        self.clock.wound = true;
        self.clock.next_look = 0;
    }

    /// Does something on the side that may visit so many nodes: what it does not finish is left, and
    /// neither its nodes nor its guesses count.
    pub(crate) fn aside<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.clock.node_limit.saturating_sub(self.all_nodes());
        self.beside(nodes.min(left), work)
    }

    /// The same beyond a limit of nodes, too.
    pub(crate) fn beside<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let (nodes_before, guesses_before) = (self.nodes, self.guesses);
        let (limit_before, wound_before) = (self.clock.node_limit, self.clock.wound);
        self.clock.node_limit = self.all_nodes().saturating_add(nodes);
        self.wind_clock();
        let result = work(self);
        (self.nodes, self.guesses) = (nodes_before, guesses_before);
        (self.clock.node_limit, self.clock.wound) = (limit_before, wound_before);
        // Whether the real limits are reached shows at the next look.
        (self.clock.expired, self.clock.next_look) = (false, 0);
        result
    }

    #[cold]
    fn look_at_clock(&mut self) {
        match self.company.role {
            Role::Leader => self.clock.look(self.all_nodes()),
            Role::Helper => {
                self.tell_nodes();
                self.clock.look(self.nodes);
            }
        }
        if self.nodes >= self.clock.next_report {
            self.clock.next_report = self.nodes + PROGRESS_INTERVAL;
            self.report(&[]);
        }
    }

    /// Adds the nodes since the last time to those of all helpers.
    pub(crate) fn tell_nodes(&mut self) {
        self.company.helped.fetch_add(self.nodes - self.counted, Ordering::Relaxed);
        self.counted = self.nodes;
    }

    /// Nodes of all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.company.helped.load(Ordering::Relaxed)
    }

    /// Whether a clock allows another iteration.
    pub(crate) fn may_go_deeper(&self) -> bool {
        self.clock.last_call.is_none_or(|call| Instant::now() < call)
    }

    /// Tells whoever asked how far the search has come.
    pub(crate) fn report(&mut self, lines: &[Line<G::Move>]) {
        let Root { depth, best, moves_done, moves } = self.root;
        let depth = (depth != Depth::END).then(|| depth.raw() as u32);
        let now = Progress {
            depth,
            selective_depth: self.deepest as u32,
            nodes: self.all_nodes(),
            table_per_mille: self.table.map_or(0, Table::used_per_mille),
            root_moves: (moves_done, moves),
            best,
            lines: lines.to_vec(),
        };
        (self.progress)(&now);
    }
}

impl<G: Game, H> std::fmt::Debug for Worker<'_, G, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("p", &self.p)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
