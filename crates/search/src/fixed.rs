//! [`FixedDepth`]: a search of so many plies and no more, for games that are played by the
//! thousand.
//!
//! `value(p, d)` is the classic searches' own, but rules that look back are left to whoever plays
//! the game: a position is worth the same however it came about, so that the table serves every
//! game. Each ply is one move; nothing is extended, reduced or left out.
//!
//! Of several best moves one is drawn, each with the same chance: every move at the root gets a
//! random number, and of equal values the highest number wins. So the choice depends on values and
//! the seed alone, never on the order in which moves are tried or on what was remembered, be it in
//! the table or among [`Decisions`].
//!
//! **Invariant:** nothing is allocated once the first games have been played.

use std::cmp::Reverse;
use std::hint::select_unpredictable;
use std::sync::Arc;

use evaluation::MoveOrder;
use game::{Game, Rng, Side, Value, mix};

use crate::bounds::{Bound, Depth};
use crate::decisions::Decisions;
use crate::table::Entry;

/// Entries of each table: small enough to stay in a processor's own cache.
const ENTRIES: usize = 1 << 11;
/// Where so many plies are left, a null window saves less than it costs to search again.
const SCOUT_ABOVE: u32 = 2;
/// No search is deeper than this.
const DEEPEST: u32 = 64;
/// Tried first: the move that the table knows, then what refuted another position just now.
const KNOWN: i32 = i32::MAX;
const REFUTES: i32 = i32::MAX - 1;
/// Where a count of refutations has come so far, all are halved.
const HISTORY_LIMIT: i32 = 1 << 14;

/// One player's search: its heuristics, and what it remembers within a game.
#[derive(Debug)]
pub struct FixedDepth<G: Game, H> {
    heuristics: H,
    table: Box<[(u64, Entry)]>,
    /// What positions at the horizon are worth.
    leaves: Box<[(u64, Value)]>,
    /// Added to every key, so that entries of earlier games are never found.
    game_key: u64,
    /// The moves of all nodes on the way to the current one, and how promising they are. Just
    /// before the horizon nobody asks: to look for the best order would take longer there than to
    /// try.
    moves: Vec<G::Move>,
    promise: Vec<i32>,
    /// What refuted the last position at each distance from the root.
    refuted: Vec<Option<G::Move>>,
    /// By side and slot, how much a move has refuted.
    history: [Box<[i32]>; 2],
    /// The moves at the root as places in the list: all that are still to be tried, and the best.
    untried: Vec<usize>,
    best: Vec<usize>,
    decisions: Option<Arc<Decisions>>,
    /// Whose decisions are looked up.
    player: u64,
    margin_limit: i32,
}

impl<G: Game, H: MoveOrder<G>> FixedDepth<G, H> {
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
            moves: Vec::with_capacity(1 << 10),
            promise: Vec::with_capacity(1 << 10),
            refuted: vec![None; DEEPEST as usize],
            history: [0; 2].map(|_| vec![0; game.slots()].into_boxed_slice()),
            untried: Vec::with_capacity(1 << 8),
            best: Vec::with_capacity(1 << 8),
            decisions: None,
            player: 0,
            margin_limit: game.margin_limit(),
        }
    }

    /// Shares what it decides with other searches of the same game.
    pub fn share(&mut self, decisions: Arc<Decisions>) {
        self.decisions = Some(decisions);
    }

    /// Plays as another player from now on, whose decisions are shared under a number of its own. A
    /// [new game](FixedDepth::forget) begins.
    pub fn play_as(&mut self, player: u64) -> &mut H {
        self.player = player;
        self.heuristics()
    }

    /// What it thinks of positions. Whoever changes it begins a [new game](FixedDepth::forget).
    pub fn heuristics(&mut self) -> &mut H {
        &mut self.heuristics
    }

    /// A new game begins.
    pub fn forget(&mut self) {
        self.game_key = mix(self.game_key);
        self.refuted.fill(None);
        self.history.iter_mut().for_each(|history| history.fill(0));
    }

    /// The best of these moves of a position, looking so many plies ahead, one at least. `None`
    /// where there are none; where there is but one, nothing is searched.
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
        self.find_best(game, p, moves, depth);
        let drawn = self.best.iter().max_by_key(|&&i| mix(seed ^ i as u64))?;
        moves.get(*drawn).copied()
    }

    /// Finds all best moves, or remembers that they were found.
    fn find_best(&mut self, game: &G, p: &mut G::Position, moves: &[G::Move], depth: u32) {
        self.best.clear();
        // Of a longer list the places do not fit a word.
        let fits = moves.len() <= u64::BITS as usize;
        let Some(shared) = self.decisions.clone().filter(|_| fits) else {
            return self.search_best(game, p, moves, depth);
        };
        // A rule that looks back may have taken moves away, so the list counts too.
        let asked = mix(self.player ^ mix(game.key(p) ^ u64::from(depth)));
        let key = moves.iter().fold(asked, |key, &m| mix(key ^ u64::from(game.code(m))));
        match shared.look_up(key) {
            Some(found) => self.best.extend((0..moves.len()).filter(|i| found >> i & 1 == 1)),
            None => {
                self.search_best(game, p, moves, depth);
                shared.remember(key, self.best.iter().fold(0, |found, i| found | 1 << i));
            }
        }
    }

    /// Finds all best moves by searching.
    fn search_best(&mut self, game: &G, p: &mut G::Position, moves: &[G::Move], depth: u32) {
        self.heuristics.begin(game, p);
        let key = self.key(game, p);
        let known = self.look_up(key).map(|entry| entry.code);
        self.moves.extend_from_slice(moves);
        self.judge(game, p, 0, 0, known);
        // The last one is tried first.
        self.untried.clear();
        self.untried.extend(0..moves.len());
        self.untried.sort_unstable_by_key(|&i| (self.promise[i], Reverse(i)));
        let mut best = -Value::INFINITY;
        while let Some(i) = self.untried.pop() {
            // Low enough to tell equals from worse ones.
            let window = (if self.best.is_empty() { best } else { best.pred() }, Value::INFINITY);
            let value = match self.best.is_empty() {
                true => self.try_move(game, p, moves[i], depth, 0, window),
                false => self.scout(game, p, moves[i], depth, 0, window),
            };
            if value > best {
                best = value;
                self.best.clear();
            }
            if value == best {
                self.best.push(i);
            }
        }
        self.close(0);
        let code = self.best.first().map_or(0, |&i| game.code(moves[i]));
        self.remember(key, depth, Bound::Exact, best, code);
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

    /// The value of the last move before the horizon: there is nothing to search.
    #[inline]
    fn look_at(&mut self, game: &G, p: &mut G::Position, m: G::Move) -> Value {
        let mover = game.to_move(p);
        let undo = game.make(p, m);
        self.heuristics.pushed(game, p, m);
        let value = match game.margin(p) {
            Some(margin) => self.over(game, p, margin),
            None => self.leaf(game, p),
        };
        let same = !G::ALTERNATES && game.to_move(p) == mover;
        game.unmake(p, m, undo);
        self.heuristics.popped(game, p, m);
        if same { value.backed_up() } else { (-value).backed_up() }
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
            1 => self.best_of_last(game, p, ply, beta),
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
        beta: Value,
    ) -> (Value, Option<G::Move>) {
        let first = self.moves.len();
        game.generate(p, &mut self.moves);
        let refuted = self.refuted[ply];
        if let Some(i) = (first..self.moves.len()).find(|&i| Some(self.moves[i]) == refuted) {
            self.moves.swap(first, i);
        }
        let (mut value, mut best) = (-Value::INFINITY, None);
        for i in first..self.moves.len() {
            let m = self.moves[i];
            let tried = self.look_at(game, p, m);
            if tried > value {
                (value, best) = (tried, Some(m));
            }
            if value >= beta {
                self.refuted[ply] = best;
                break;
            }
        }
        self.moves.truncate(first);
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
        let first = self.moves.len();
        game.generate(p, &mut self.moves);
        self.judge(game, p, first, ply, known.map(|entry| entry.code));
        let (mut value, mut best) = (-Value::INFINITY, None);
        for i in first..self.moves.len() {
            self.bring_best(i);
            let (m, window) = (self.moves[i], (alpha.max(value), beta));
            let tried = match best {
                Some(_) => self.scout(game, p, m, depth, ply, window),
                None => self.try_move(game, p, m, depth, ply, window),
            };
            if tried > value {
                (value, best) = (tried, Some(m));
            }
            if value >= beta {
                self.refuted[ply] = best;
                self.praise(game, game.to_move(p), m, depth);
                break;
            }
        }
        self.close(first);
        match best {
            Some(_) => (value, best),
            None => (self.over(game, p, game.stuck(p)), None),
        }
    }

    /// Says how promising the newest moves are, from `first` on.
    #[inline]
    fn judge(&mut self, game: &G, p: &G::Position, first: usize, ply: usize, known: Option<u32>) {
        let moves = &self.moves[first..];
        self.promise.resize(first + moves.len(), 0);
        let promise = &mut self.promise[first..];
        self.heuristics.rank(game, p, moves, promise);
        let history = &self.history[game.to_move(p).index()];
        for (&m, promise) in moves.iter().zip(promise) {
            *promise = match () {
                () if known.is_some_and(|code| code == Entry::cut(game.code(m))) => KNOWN,
                () if self.refuted[ply] == Some(m) => REFUTES,
                () => promise.saturating_add(history[game.slot(m)]),
            };
        }
    }

    /// Brings the most promising of the moves from a place on to that place.
    #[inline]
    fn bring_best(&mut self, place: usize) {
        let left = &self.promise[place..];
        let (mut best, mut highest) = (0, left[0]);
        for (i, &promise) in left.iter().enumerate().skip(1) {
            best = select_unpredictable(promise > highest, i, best);
            highest = highest.max(promise);
        }
        self.moves.swap(place, place + best);
        self.promise.swap(place, place + best);
    }

    /// A move was good enough to stop looking at its siblings.
    #[inline]
    fn praise(&mut self, game: &G, side: Side, m: G::Move, depth: u32) {
        let history = &mut self.history[side.index()];
        let entry = &mut history[game.slot(m)];
        *entry += depth as i32;
        if *entry > HISTORY_LIMIT {
            history.iter_mut().for_each(|entry| *entry /= 2);
        }
    }

    /// Forgets the moves of a node.
    #[inline]
    fn close(&mut self, first: usize) {
        self.moves.truncate(first);
        self.promise.truncate(first);
    }

    /// The value of a move within the window, by a null window first: another move has been tried,
    /// and is mostly better.
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
