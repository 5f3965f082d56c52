//! [`search`]: runs an algorithm to a depth or to the end of the game, then finds the line and, where
//! asked, all best moves.

use evaluation::{Heuristics, Proofs, Tactics};
use game::{Game, Path, Rng, Value, moves_of};
use play::{Limits, Stop};

use crate::bounds::Depth;
use crate::montecarlo::{MonteCarlo, Tree};
use crate::proof::find_value;
use crate::ranking::{Ranked, Ranking};
use crate::settings::{Algorithm, STUDY, Settings, Techniques};
use crate::table::{Entry, Table};
use crate::threads;
use crate::worker::{Role, Root, Worker};

/// Where to search from: a position of a game and the positions before it.
#[derive(Debug)]
pub struct Position<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Its side to move is whom values are for.
    pub position: &'a G::Position,
    /// The positions that led to it, for rules that look back.
    pub path: &'a Path,
    /// The moves to choose among; all if there are none. Proof numbers look at all moves anyway.
    pub among: &'a [G::Move],
}

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Progress<M> {
    /// The depth under way, or the one just finished; `None` where the search goes to the end of the game.
    pub depth: Option<u32>,
    /// The longest line looked at so far, in plies.
    pub selective_depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
    /// How much of the table is in use, in thousandths.
    pub table_per_mille: u32,
    /// Root moves finished at this depth, and how many there are.
    pub root_moves: (usize, usize),
    /// The best move found so far.
    pub best: Option<M>,
    /// The best lines, if a depth was just finished; else none.
    pub lines: Vec<Line<M>>,
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// Its value for the side to move at the root.
    pub value: Value,
    /// The moves both sides would play.
    pub moves: Vec<M>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The value for the side to move; `None` if the search was stopped before it knew anything.
    pub value: Option<Value>,
    /// Whether it is the value of the whole game, with nothing guessed.
    pub exact: bool,
    /// The depth of that value; `None` where it was searched to the end of the game.
    pub depth: Option<u32>,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The move to play; `None` where the game is over.
    pub best: Option<M>,
    /// The moves both sides would play, as far as they could be found at a cost below that of the
    /// search itself.
    pub line: Vec<M>,
    /// The next best moves, each with its line, as many as were asked for.
    pub others: Vec<Line<M>>,
    /// Positions visited to find the value.
    pub nodes: u64,
}

/// Whether the system would give the memory that these settings ask for.
#[must_use]
pub fn table_fits(settings: &Settings) -> bool {
    !settings.techniques.table || Table::fits(settings.hash_megabytes)
}

/// Searches a position. Memory for the table is taken for granted: see [`table_fits`].
pub fn search<G: Game, H: Heuristics<G>>(
    from: &Position<'_, G>,
    heuristics: H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Report<G::Move> {
    let table = Table::new(if settings.techniques.table { settings.hash_megabytes } else { 0 });
    search_with(&table, from, heuristics, settings, stop, progress)
}

/// Searches with a table that earlier searches of the same game may have filled. Random games have no use for
/// it: they keep what they found in a [`Tree`].
pub fn search_with<G: Game, H: Heuristics<G>>(
    table: &Table,
    from: &Position<'_, G>,
    heuristics: H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Report<G::Move> {
    let mut settings = *settings;
    // Players have a tree of their own.
    if STUDY && settings.algorithm == Algorithm::MonteCarlo {
        let mut tree = Tree::new(from, &heuristics, &MonteCarlo::of(&settings));
        return tree.search(from.game, &settings.limits, stop, progress);
    }
    if STUDY && settings.algorithm == Algorithm::ProofNumber {
        return find_value(from, heuristics, &settings, stop, progress);
    }
    if settings.algorithm == Algorithm::Minimax {
        settings.techniques = Techniques::NONE;
    }
    let helpers = threads::Helpers::of(&settings);
    let leader = helpers.company(table, Role::Leader);
    helpers.work_beside(from, &heuristics, &settings, table, || {
        let worker = Worker::new(from, heuristics.clone(), &settings, leader, stop, progress);
        report_of(worker, from.among, &settings)
    })
}

fn report_of<G: Game, H: Tactics<G> + Proofs<G>>(
    mut worker: Worker<'_, G, H>,
    among: &[G::Move],
    settings: &Settings,
) -> Report<G::Move> {
    let any_move = among.first().or(moves_of(worker.game, &worker.p).first()).copied();
    let found = worker.deepen(among, settings);
    let depth = match (settings.limits.depth, found.finished) {
        (Some(asked), true) => Some(asked),
        (None, true) => None,
        (_, false) => Some(found.depth.raw() as u32),
    };
    Report {
        value: found.value,
        exact: found.exact,
        depth,
        selective_depth: worker.deepest as u32,
        best: found.best.or(any_move.filter(|_| found.value.is_none())),
        line: found.line,
        others: found.others,
        nodes: worker.all_nodes(),
    }
}

/// What is known after an iteration.
struct Found<M> {
    value: Option<Value>,
    exact: bool,
    depth: Depth,
    /// Whether that is all that was asked for.
    finished: bool,
    best: Option<M>,
    line: Vec<M>,
    others: Vec<Line<M>>,
    /// What it cost.
    nodes: u64,
}

impl<M: Copy> Found<M> {
    /// The line and the others.
    fn lines(&self) -> Vec<Line<M>> {
        let first = self.value.map(|value| Line { value, moves: self.line.clone() });
        first.into_iter().chain(self.others.iter().cloned()).collect()
    }
}

/// The depths of a search, one after the other.
pub(crate) struct Depths {
    pub(crate) now: Depth,
    pub(crate) target: Depth,
    step: u32,
    grows: bool,
}

impl Depths {
    pub(crate) fn new(settings: &Settings) -> Depths {
        let target = settings.limits.depth.map_or(Depth::END, Depth::new);
        let now = if settings.techniques.deepening { Depth::new(1) } else { target };
        Depths { now, target, step: 1, grows: target == Depth::END && !under_clock(settings) }
    }

    pub(crate) fn advance(&mut self) {
        self.now = self.now.deeper(self.step).min(self.target);
        self.step += u32::from(self.grows);
    }
}

/// Whether any iteration may be the last one.
fn under_clock(settings: &Settings) -> bool {
    let Limits { depth: _, nodes, time, clock } = settings.limits;
    nodes.is_some() || time.is_some() || clock.is_some()
}

impl<G: Game, H: Tactics<G> + Proofs<G>> Worker<'_, G, H> {
    /// Searches to depth 1, 2, 3, … or, without that technique, to the full depth at once. On the way
    /// to the end of the game the steps grow (1, 2, 4, 7, 11, …): quick wins are still found early, and
    /// where there are none, fewer depths are searched in vain.
    fn deepen(&mut self, among: &[G::Move], settings: &Settings) -> Found<G::Move> {
        let under_clock = under_clock(settings);
        let mut depths = Depths::new(settings);
        if depths.now == depths.target {
            self.wind_clock();
        }
        let nothing = Depth::new(0);
        let mut found = Found {
            value: None,
            exact: false,
            depth: nothing,
            finished: false,
            best: None,
            line: Vec::new(),
            others: Vec::new(),
            nodes: 0,
        };
        let mut ranking = Ranking::new(among, settings);
        loop {
            let (depth, nodes_before) = (depths.now, self.nodes);
            self.root = Root { depth, best: None, moves_done: 0, moves: 0 };
            let guess = found.value.unwrap_or(Value::DRAW);
            let value = match &mut ranking {
                None => self.value_at(depth, settings.algorithm, guess),
                Some(ranking) => self.rank_moves(ranking, depth),
            };
            if self.expired() {
                return self.with_news(found);
            }
            if depth != Depth::END {
                self.deepest = self.deepest.max(depth.raw() as usize);
            }
            let exact = self.guesses == 0 || value.is_decided();
            // A win settles nothing about the moves beside it.
            let settled = match &ranking {
                Some(ranking) => self.guesses == 0 || ranking.best().all(|r| r.value.is_decided()),
                None => exact,
            };
            let finished = settled || depth == depths.target;
            let mut now = Found {
                value: Some(value),
                exact,
                // An exact value is that of every greater depth, but other moves may still change.
                depth: if finished { depths.target } else { depth },
                finished,
                best: self.root.best,
                line: Vec::new(),
                others: Vec::new(),
                nodes: self.nodes - nodes_before,
            };
            // Any iteration may be the last one under a clock, else only that which ends the search.
            let last = finished || under_clock;
            // The playing search spends its time on depth rather than on all moves of every iteration.
            let draws = if self.playing { finished } else { last };
            if let Some(seed) = settings.seed.filter(|_| draws)
                && !self.draw_lot(&mut now, among, seed)
                && !finished
                && found.best.is_some()
            {
                return found;
            }
            now.line = now.best.map_or_else(Vec::new, |best| self.line_from(best, value, &now));
            if let Some(ranking) = &ranking {
                now.others = self.other_lines(ranking, &now);
            }
            found = now;
            self.report(&found.lines());
            self.wind_clock();
            if finished || self.expired() || !self.may_go_deeper() {
                return found;
            }
            depths.advance();
        }
    }

    /// The lines that begin with the next best moves.
    fn other_lines(
        &mut self,
        ranking: &Ranking<G::Move>,
        found: &Found<G::Move>,
    ) -> Vec<Line<G::Move>> {
        let others = ranking.best().filter(|ranked| Some(ranked.m) != found.best);
        others
            .take(ranking.lines - 1)
            .map(|Ranked { m, value }| Line { value, moves: self.line_from(m, value, found) })
            .collect()
    }

    /// What was known, with a better move that an iteration has found before it ran out of time: the best
    /// move so far is searched first, so that another one is best only if it exceeded that.
    fn with_news(&mut self, mut found: Found<G::Move>) -> Found<G::Move> {
        if self.playing
            && found.best.is_some()
            && let Some(best) = self.root.best.filter(|&best| Some(best) != found.best)
        {
            found.best = Some(best);
            found.line = self.aside(u64::MAX, |worker| worker.table_line(best));
        }
        found
    }

    /// The value of the root. `guesses` then tells what it rests on.
    pub(crate) fn value_at(
        &mut self,
        depth: Depth,
        algorithm: Algorithm,
        first_guess: Value,
    ) -> Value {
        self.guesses = 0;
        self.look_back();
        // Random games and proof numbers are no business of a worker's.
        if !STUDY || !Algorithm::CLASSIC.contains(&algorithm) {
            return self.playing(depth, first_guess);
        }
        match algorithm {
            Algorithm::Minimax => self.minimax(depth, 0),
            Algorithm::AlphaBeta => {
                self.alpha_beta::<false>(depth, 0, -Value::INFINITY, Value::INFINITY)
            }
            Algorithm::NegaScout => {
                self.alpha_beta::<true>(depth, 0, -Value::INFINITY, Value::INFINITY)
            }
            _ => self.mtdf(depth, first_guess),
        }
    }

    /// MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null windows close in on the value from a
    /// first guess; the table keeps what one learns for the next.
    fn mtdf(&mut self, depth: Depth, first_guess: Value) -> Value {
        let (mut lower, mut upper) = (-Value::INFINITY, Value::INFINITY);
        let (mut lower_guesses, mut upper_guesses) = (0, 0);
        let mut value = first_guess;
        while lower < upper && !self.expired() {
            let beta = if value == lower { value.succ() } else { value };
            self.guesses = 0;
            self.look_back();
            value = self.alpha_beta::<false>(depth, 0, beta.pred(), beta);
            if value < beta {
                (upper, upper_guesses) = (value, self.guesses);
            } else {
                (lower, lower_guesses) = (value, self.guesses);
            }
        }
        self.guesses = lower_guesses + upper_guesses;
        value
    }

    /// The moves both sides would play after a move of this value: in each position the first move that
    /// keeps it, or what the table holds best.
    fn line_from(&mut self, m: G::Move, value: Value, found: &Found<G::Move>) -> Vec<G::Move> {
        if !STUDY || self.playing {
            return self.shown_line(m, value, found.nodes);
        }
        let mut line = vec![m];
        self.aside(found.nodes.max(10_000), |worker| {
            worker.follow(&mut line, value, found.depth, 0);
        });
        line
    }

    /// Plays the last move of the line and looks for the one that follows it. `value` is that of the
    /// position before the move.
    fn follow(&mut self, line: &mut Vec<G::Move>, value: Value, depth: Depth, ply: usize) {
        let m = line[ply];
        let mover = self.game.to_move(&self.p);
        let Some(undo) = self.enter(m) else { return };
        let (value, depth) = (value.handed_down(), depth.below());
        let value = if self.game.to_move(&self.p) == mover { value } else { -value };
        if self.ended().or_else(|| self.horizon(depth)).is_none()
            && let Some(next) = self.move_worth(value, depth, ply + 1)
        {
            line.push(next);
            self.follow(line, value, depth, ply + 1);
        }
        self.leave(m, undo);
    }

    /// The first move that is worth at least this much.
    pub(crate) fn move_worth(&mut self, value: Value, depth: Depth, ply: usize) -> Option<G::Move> {
        let (key, symmetry) = self.key();
        let code = self.look_up(key).map(|entry| entry.code);
        let (game, names) = (self.game, self.names);
        let mut moves = moves_of(game, &self.p);
        moves.sort_by_key(|&m| code != Some(Entry::cut(names.code(game, &self.p, m, symmetry))));
        moves.into_iter().find(|&m| self.is_worth(m, value, depth, ply))
    }

    /// Whether a move is worth at least this much; "no" if time runs out.
    fn is_worth(&mut self, m: G::Move, value: Value, depth: Depth, ply: usize) -> bool {
        let tried = match !STUDY || self.playing {
            true => self.try_playing(m, depth, ply, value.pred(), value),
            false => self.try_move::<false>(m, depth, ply, value.pred(), value),
        };
        tried.is_some_and(|found| found >= value) && !self.expired()
    }

    /// Takes one of all moves that share the best value, each with the same chance; false if time
    /// ran out before all were known. What the playing search left out takes no part: nobody knows
    /// what it is worth, and to find out would take longer than the search.
    fn draw_lot(&mut self, found: &mut Found<G::Move>, among: &[G::Move], seed: u64) -> bool {
        let (Some(value), Some(best)) = (found.value, found.best) else {
            return true;
        };
        // What the playing search knows for certain it knows from the depth it has been to.
        let depth = if self.playing { self.root.depth } else { found.depth };
        let (equals, in_time) = self.aside(u64::MAX, |worker| {
            let mut moves = match (among.is_empty(), worker.playing) {
                (false, _) => among.to_vec(),
                (true, true) => worker.candidates(),
                (true, false) => moves_of(worker.game, &worker.p),
            };
            moves.retain(|&m| m == best || worker.is_worth(m, value, depth, 0));
            // A win by threats may begin with a move that looked like nothing.
            if !moves.contains(&best) {
                moves.push(best);
            }
            (moves, !worker.expired())
        });
        if in_time {
            found.best = Some(equals[Rng::new(seed).below(equals.len())]);
        }
        in_time
    }
}
