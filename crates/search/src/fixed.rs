//! [`FixedDepth`]: a search of so many plies and no more, for games that are played by the thousand.
//!
//! `value(p, d)` is the classic searches' own, but rules that look back are left to whoever plays the game: a position
//! is worth the same however it came about, so that the table serves every game. Each ply is one move; nothing is
//! extended, reduced or left out.
//!
//! Of several best moves one is drawn, each with the same chance: every move at the root gets a random number, and
//! of equal values the highest number wins. So the choice depends on values and the seed alone, never on
//! the order in which moves are tried or on what the table has kept.
//!
//! **Invariant:** nothing is allocated once the first games have been played.

use game::{Game, Heuristics, Rng, Value, mix};

use crate::bounds::{Bound, Depth};
use crate::order::Order;
use crate::settings::Techniques;
use crate::table::Entry;

/// Entries of each table: small enough to stay in a processor's own cache.
const ENTRIES: usize = 1 << 11;
/// Where so many plies are left, a null window saves less than it costs to search again.
const SCOUT_ABOVE: u32 = 2;
/// No search is deeper than this.
const DEEPEST: u32 = 64;

/// One player's search: its heuristics, and what it remembers within a game.
#[derive(Debug)]
pub struct FixedDepth<G: Game, H> {
    heuristics: H,
    table: Box<[(u64, Entry)]>,
    /// What positions at the horizon are worth.
    leaves: Box<[(u64, Value)]>,
    /// Added to every key, so that entries of earlier games are never found.
    game_key: u64,
    order: Order<G>,
    /// The moves of nodes just before the horizon, and what refuted the last one of them at each distance from the root: to
    /// look for the best order would take longer there than to try.
    last: Vec<G::Move>,
    refuted: Vec<Option<G::Move>>,
    margin_limit: i32,
}

/// A move at the root, with what decides between equals.
#[derive(Clone, Copy, Debug)]
struct Best<M> {
    m: M,
    value: Value,
    lot: u64,
}

impl<G: Game, H: Heuristics<G>> FixedDepth<G, H> {
    /// A player of this game.
    #[must_use]
    pub fn new(game: &G, heuristics: H) -> FixedDepth<G, H> {
        const EMPTY: Entry = Entry {
            value: Value::DRAW,
            bound: Bound::Exact,
            depth: Depth::END,
            settled: false,
            code: 0,
        };
        FixedDepth {
            heuristics,
            table: vec![(0, EMPTY); ENTRIES].into_boxed_slice(),
            leaves: vec![(0, Value::DRAW); ENTRIES].into_boxed_slice(),
            game_key: 0,
            order: Order::new(game, Techniques::ALL),
            last: Vec::with_capacity(1 << 8),
            refuted: vec![None; DEEPEST as usize],
            margin_limit: game.margin_limit(),
        }
    }

    /// What it thinks of positions. Whoever changes it begins a [new game](FixedDepth::forget).
    pub fn heuristics(&mut self) -> &mut H {
        &mut self.heuristics
    }

    /// A new game begins.
    pub fn forget(&mut self) {
        self.game_key = mix(self.game_key);
        self.order.forget();
        self.refuted.fill(None);
    }

    /// The best of these moves of a position, looking so many plies ahead, one at least. `None` where there are none;
    /// where there is but one, nothing is searched.
    pub fn choose(
        &mut self,
        game: &G,
        p: &mut G::Position,
        moves: &[G::Move],
        depth: u32,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        let (seed, depth) = (rng.next_u64(), depth.clamp(1, DEEPEST));
        if moves.len() <= 1 {
            return moves.first().copied();
        }
        self.heuristics.begin(game, p);
        let key = self.key(game, p);
        let known = self.look_up(key).map(|entry| entry.code);
        let is_known = |m: &G::Move| known == Some(Entry::cut(game.code(*m)));
        let first = moves.iter().position(is_known).unwrap_or(0);
        let others = (0..moves.len()).filter(|&i| i != first);
        let mut best: Option<Best<G::Move>> = None;
        for i in std::iter::once(first).chain(others) {
            let lot = mix(seed ^ i as u64);
            // Whoever has the higher number need not be better.
            let floor = best.map_or(-Value::INFINITY, |best| {
                if lot > best.lot { best.value.pred() } else { best.value }
            });
            let window = (floor, Value::INFINITY);
            let value = match best {
                Some(_) => self.scout(game, p, moves[i], depth, 0, window),
                None => self.try_move(game, p, moves[i], depth, 0, window),
            };
            if value > floor {
                best = Some(Best { m: moves[i], value, lot });
            }
        }
        let best = best?;
        self.remember(key, depth, Bound::Exact, best.value, game.code(best.m));
        Some(best.m)
    }

    /// The value of a move for the side to move, within the window.
    #[inline]
    fn try_move(
        &mut self,
        game: &G,
        p: &mut G::Position,
        m: G::Move,
        depth: u32,
        ply: usize,
        (alpha, beta): (Value, Value),
    ) -> Value {
        let mover = game.to_move(p);
        let undo = game.make(p, m);
        self.heuristics.pushed(game, p, m);
        let (alpha, beta) = (alpha.handed_down(), beta.handed_down());
        let value = if G::ALTERNATES || game.to_move(p) != mover {
            -self.search(game, p, depth - 1, ply + 1, -beta, -alpha)
        } else {
            self.search(game, p, depth - 1, ply + 1, alpha, beta)
        };
        game.unmake(p, m, undo);
        self.heuristics.popped(game, p, m);
        value.backed_up()
    }

    /// The value of a position within the window, as the crate's contract says.
    fn search(
        &mut self,
        game: &G,
        p: &mut G::Position,
        depth: u32,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        if let Some(margin) = game.margin(p) {
            return self.over(game, p, margin);
        }
        if depth == 0 {
            return self.leaf(game, p);
        }
        let key = self.key(game, p);
        let known = self.look_up(key);
        if let Some(entry) = known
            && entry.depth == Depth::new(depth)
            && entry.bound.settles(entry.value, alpha, beta)
        {
            return entry.value;
        }
        let window = (alpha, beta);
        let (value, m) = match depth {
            1 => self.best_of_last(game, p, ply, window),
            _ => self.best_of_moves(game, p, depth, ply, window, known),
        };
        let code = m.map_or(0, |m| game.code(m));
        self.remember(key, depth, Bound::of(value, alpha, beta), value, code);
        value
    }

    /// The value of a position at the horizon: a quarter of them have been seen before.
    #[inline]
    fn leaf(&mut self, game: &G, p: &G::Position) -> Value {
        let key = self.key(game, p);
        let place = key as usize % ENTRIES;
        let (found, known) = self.leaves[place];
        if found == key {
            return known;
        }
        let value = if G::GETS_STUCK && game.is_stuck(p) {
            self.over(game, p, game.stuck(p))
        } else {
            Value::score(self.heuristics.evaluate(game, p))
        };
        self.leaves[place] = (key, value);
        value
    }

    /// The same where only evaluations follow.
    #[inline]
    fn best_of_last(
        &mut self,
        game: &G,
        p: &mut G::Position,
        ply: usize,
        (alpha, beta): (Value, Value),
    ) -> (Value, Option<G::Move>) {
        let first = self.last.len();
        game.generate(p, &mut self.last);
        let refuted = self.refuted[ply];
        if let Some(i) = (first..self.last.len()).find(|&i| Some(self.last[i]) == refuted) {
            self.last.swap(first, i);
        }
        let (mut value, mut best) = (-Value::INFINITY, None);
        for i in first..self.last.len() {
            let m = self.last[i];
            let tried = self.try_move(game, p, m, 1, ply, (alpha.max(value), beta));
            if tried > value {
                (value, best) = (tried, Some(m));
            }
            if value >= beta {
                self.refuted[ply] = best;
                break;
            }
        }
        self.last.truncate(first);
        match best {
            Some(_) => (value, best),
            None => (self.over(game, p, game.stuck(p)), None),
        }
    }

    /// Tries moves, best first, until one is good enough.
    #[inline]
    fn best_of_moves(
        &mut self,
        game: &G,
        p: &mut G::Position,
        depth: u32,
        ply: usize,
        (alpha, beta): (Value, Value),
        known: Option<Entry>,
    ) -> (Value, Option<G::Move>) {
        let is_known = |m| known.is_some_and(|entry| Entry::cut(game.code(m)) == entry.code);
        let mut moves = self.order.open(game, p, ply, &mut self.heuristics, is_known);
        let (mut value, mut best) = (-Value::INFINITY, None);
        while value < beta
            && let Some((m, _)) = self.order.next(&mut moves)
        {
            let window = (alpha.max(value), beta);
            let tried = match best {
                Some(_) => self.scout(game, p, m, depth, ply, window),
                None => self.try_move(game, p, m, depth, ply, window),
            };
            if tried > value {
                (value, best) = (tried, Some(m));
            }
            if value >= beta {
                self.order.refuted(game, m, ply, game.to_move(p));
            }
        }
        self.order.close(&moves);
        match best {
            Some(_) => (value, best),
            None => (self.over(game, p, game.stuck(p)), None),
        }
    }

    /// The value of a move within the window, by a null window first: another move has been tried, and is mostly better.
    #[inline]
    fn scout(
        &mut self,
        game: &G,
        p: &mut G::Position,
        m: G::Move,
        depth: u32,
        ply: usize,
        (floor, beta): (Value, Value),
    ) -> Value {
        if depth > SCOUT_ABOVE && beta > floor.succ() {
            let value = self.try_move(game, p, m, depth, ply, (floor, floor.succ()));
            if value <= floor || value >= beta {
                return value;
            }
        }
        self.try_move(game, p, m, depth, ply, (floor, beta))
    }

    #[inline]
    fn over(&self, game: &G, p: &G::Position, margin: i32) -> Value {
        Value::over(margin, self.margin_limit).seen_by(game.to_move(p))
    }

    #[inline]
    fn key(&self, game: &G, p: &G::Position) -> u64 {
        game.key(p) ^ self.game_key
    }

    #[inline]
    fn look_up(&self, key: u64) -> Option<Entry> {
        let (found, entry) = self.table[key as usize % ENTRIES];
        (found == key).then_some(entry)
    }

    #[inline]
    fn remember(&mut self, key: u64, depth: u32, bound: Bound, value: Value, code: u32) {
        let entry = Entry {
            value,
            bound,
            depth: Depth::new(depth),
            settled: false,
            code: Entry::cut(code),
        };
        self.table[key as usize % ENTRIES] = (key, entry);
    }
}
