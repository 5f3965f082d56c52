//! [`search`]: runs an algorithm to a depth or to the end of the game, then finds the line and, where
//! asked, all best moves.

use game::{Game, Heuristics, Path, Rng, Stop, Value, moves_of};

use crate::bounds::Depth;
use crate::keys::Keys;
use crate::montecarlo::{MonteCarlo, Tree};
use crate::proof::find_value;
use crate::settings::{Algorithm, Settings, Techniques};
use crate::table::{Entry, Table};
use crate::worker::{Root, Worker};

/// Where to search from: a position of a game and the positions before it.
#[derive(Debug)]
pub struct Position<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub position: &'a G::Position,
    /// The positions that led to it, for rules that look back.
    pub path: &'a Path,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<M> {
    /// The depth under way; `None` where the search goes to the end of the game.
    pub depth: Option<u32>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Root moves finished at this depth, and how many there are.
    pub root_moves: (usize, usize),
    /// The best move found so far.
    pub best: Option<M>,
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
    /// The move to play; `None` where the game is over.
    pub best: Option<M>,
    /// The moves both sides would play, as far as they could be found at a cost below that of the
    /// search itself.
    pub line: Vec<M>,
    /// Positions visited to find the value.
    pub nodes: u64,
}

/// Whether the system would give the memory that these settings ask for.
#[must_use]
pub fn table_fits(settings: &Settings) -> bool {
    !settings.techniques.table || Table::fits(settings.hash_megabytes)
}

/// Searches a position. Memory for the table is taken for granted: see [`table_fits`].
pub fn search<G: Game, H: Heuristics<G>, K: Keys<G>>(
    from: &Position<'_, G>,
    heuristics: H,
    keys: K,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Report<G::Move> {
    let mut settings = *settings;
    if settings.algorithm == Algorithm::MonteCarlo {
        return random_games(from, &heuristics, &settings, stop, progress);
    }
    if settings.algorithm == Algorithm::ProofNumber {
        return find_value(from, heuristics, keys, &settings, stop, progress);
    }
    if settings.algorithm == Algorithm::Minimax {
        settings.techniques = Techniques::NONE;
    }
    let any_move = moves_of(from.game, from.position).first().copied();
    let mut worker = Worker::new(from, heuristics, keys, &settings, stop, progress);
    let found = worker.deepen(&settings);
    let depth = match (settings.limits.depth, found.finished) {
        (Some(asked), true) => Some(asked),
        (None, true) => None,
        (_, false) => Some(found.depth.raw() as u32),
    };
    Report {
        value: found.value,
        exact: found.exact,
        depth,
        best: found.best.or(any_move.filter(|_| found.value.is_none())),
        line: found.line,
        nodes: worker.nodes,
    }
}

fn random_games<G: Game, H: Heuristics<G>>(
    from: &Position<'_, G>,
    heuristics: &H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Report<G::Move> {
    let usual = MonteCarlo::default();
    let settings_of_tree = MonteCarlo {
        memory_megabytes: settings.hash_megabytes,
        seed: settings.seed.unwrap_or(usual.seed),
        ..usual
    };
    Tree::new(from, heuristics, &settings_of_tree).search(
        from.game,
        &settings.limits,
        stop,
        progress,
    )
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
    /// What it cost.
    nodes: u64,
}

impl<G: Game, H: Heuristics<G>, K: Keys<G>> Worker<'_, G, H, K> {
    /// Searches to depth 1, 2, 3, … or, without that technique, to the full depth at once. On the way
    /// to the end of the game the steps grow (1, 2, 4, 7, 11, …): quick wins are still found early, and
    /// where there are none, fewer depths are searched in vain.
    fn deepen(&mut self, settings: &Settings) -> Found<G::Move> {
        let target = settings.limits.depth.map_or(Depth::END, Depth::new);
        let under_clock = settings.limits.time.is_some() || settings.limits.nodes.is_some();
        let (mut depth, mut step) = (target, 1);
        if settings.techniques.deepening {
            depth = Depth::new(1);
        } else {
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
            nodes: 0,
        };
        loop {
            let nodes_before = self.nodes;
            self.root = Root { depth, best: None, moves_done: 0, moves: 0 };
            let value =
                self.value_at(depth, settings.algorithm, found.value.unwrap_or(Value::DRAW));
            if self.expired() {
                return found;
            }
            let exact = self.guesses == 0 || value.is_decided();
            let finished = exact || depth == target;
            let mut now = Found {
                value: Some(value),
                exact,
                // An exact value is that of every greater depth, but other moves may still change.
                depth: if finished { target } else { depth },
                finished,
                best: self.root.best,
                line: Vec::new(),
                nodes: self.nodes - nodes_before,
            };
            // Any iteration may be the last one under a clock, else only that which ends the search.
            let last = finished || under_clock;
            // The playing search spends its time on depth rather than on all moves of every iteration.
            let draws = if self.playing { finished } else { last };
            if let Some(seed) = settings.seed.filter(|_| draws)
                && !self.draw_lot(&mut now, seed)
                && !finished
                && found.best.is_some()
            {
                return found;
            }
            now.line = match now.best {
                Some(best) if self.playing => {
                    self.aside(u64::MAX, |worker| worker.table_line(best))
                }
                _ => self.line(&now),
            };
            found = now;
            self.wind_clock();
            if finished || self.expired() {
                return found;
            }
            depth = depth.deeper(step);
            if target == Depth::END && !under_clock {
                step += 1;
            }
        }
    }

    /// The value of the root. `guesses` then tells what it rests on.
    fn value_at(&mut self, depth: Depth, algorithm: Algorithm, first_guess: Value) -> Value {
        self.guesses = 0;
        self.look_back();
        match algorithm {
            Algorithm::Minimax => self.minimax(depth, 0),
            Algorithm::AlphaBeta => {
                self.alpha_beta::<false>(depth, 0, -Value::INFINITY, Value::INFINITY)
            }
            Algorithm::NegaScout => {
                self.alpha_beta::<true>(depth, 0, -Value::INFINITY, Value::INFINITY)
            }
            Algorithm::MtdF => self.mtdf(depth, first_guess),
            // Random games and proof numbers are no business of a worker's.
            Algorithm::Playing | Algorithm::MonteCarlo | Algorithm::ProofNumber => {
                self.playing(depth, first_guess)
            }
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

    /// The moves both sides would play: from the best move on, in each position the first move that
    /// keeps the value.
    fn line(&mut self, found: &Found<G::Move>) -> Vec<G::Move> {
        let (Some(value), Some(best)) = (found.value, found.best) else {
            return Vec::new();
        };
        let mut line = vec![best];
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
    fn move_worth(&mut self, value: Value, depth: Depth, ply: usize) -> Option<G::Move> {
        let (key, symmetry) = self.key();
        let code = self.look_up(key).map(|entry| entry.code);
        let (game, keys) = (self.game, self.keys);
        let mut moves = moves_of(game, &self.p);
        moves.sort_by_key(|&m| code != Some(Entry::cut(keys.code(game, m, symmetry))));
        moves.into_iter().find(|&m| self.is_worth(m, value, depth, ply))
    }

    /// Whether a move is worth at least this much; "no" if time runs out.
    fn is_worth(&mut self, m: G::Move, value: Value, depth: Depth, ply: usize) -> bool {
        let tried = match self.playing {
            true => self.try_playing(m, depth, ply, value.pred(), value),
            false => self.try_move::<false>(m, depth, ply, value.pred(), value),
        };
        tried.is_some_and(|found| found >= value) && !self.expired()
    }

    /// Takes one of all moves that share the best value, each with the same chance; false if time
    /// ran out before all were known.
    fn draw_lot(&mut self, found: &mut Found<G::Move>, seed: u64) -> bool {
        let (Some(value), Some(best)) = (found.value, found.best) else {
            return true;
        };
        let (equals, in_time) = self.aside(u64::MAX, |worker| {
            let mut moves = moves_of(worker.game, &worker.p);
            moves.retain(|&m| m == best || worker.is_worth(m, value, found.depth, 0));
            (moves, !worker.expired())
        });
        if in_time {
            found.best = Some(equals[Rng::new(seed).below(equals.len())]);
        }
        in_time
    }
}
