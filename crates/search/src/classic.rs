//! [`Classic`]: what minimax, alpha-beta, `NegaScout` and MTD(f) share.

use evaluation::Proofs;
use game::{Game, Value};
use play::Limits;

use crate::bounds::Depth;
use crate::context::Context;
use crate::deepening::move_worth;
use crate::order::{Moves, Order};
use crate::root_search::{RootSearch, aside};
use crate::search_line::SearchLine;
use crate::settings::Settings;
use crate::table::Entry;

/// How an algorithm finds the value of the root to a depth; it is given that of the iteration
/// before.
pub(crate) type RootValue<'a, G, H> = fn(&mut Classic<'a, G, H>, Depth, Value) -> Value;

/// A classic search: they differ in how they find the value of the root. Single moves of the root
/// and lines of play are looked for by alpha-beta, with the same result.
pub(crate) struct Classic<'a, G: Game, H> {
    pub(crate) cx: Context<'a, G, H>,
    pub(crate) order: Order<G>,
    /// A search to the end of the game needs no guesses: the iterations on the way there, which
    /// only find quick wins and good first moves, are fastest if every unfinished position is even.
    guesses_even: bool,
    root_value: RootValue<'a, G, H>,
}

impl<'a, G: Game, H: Proofs<G>> Classic<'a, G, H> {
    pub(crate) fn new(
        cx: Context<'a, G, H>,
        settings: &Settings,
        root_value: RootValue<'a, G, H>,
    ) -> Self {
        let order = Order::new(cx.line.game, settings.techniques);
        let guesses_even = settings.limits == Limits::default();
        Classic { cx, order, guesses_even, root_value }
    }

    /// Generates the moves of the current position, in the order to try them.
    #[inline]
    pub(crate) fn open_moves(
        &mut self,
        ply: usize,
        is_table_move: impl Fn(&G::Position, G::Move) -> bool,
    ) -> Moves {
        let SearchLine { game, p, heuristics, .. } = &mut self.cx.line;
        let moves = self.order.open(game, p, ply, heuristics, is_table_move);
        self.cx.count_moves(ply, moves.len());
        moves
    }

    /// What the evaluation says of the current position, if the search ends here and the game does
    /// not.
    #[inline]
    pub(crate) fn horizon(&mut self, depth: Depth) -> Option<Value> {
        if !depth.is_horizon() {
            return None;
        }
        if let Some(value) = self.cx.line.stuck_here() {
            return Some(value);
        }
        self.cx.guesses += 1;
        let score = Value::score(if self.guesses_even { 0 } else { self.cx.judge() });
        Some(self.cx.line.claim().map_or(score, |claim| claim.max(score)))
    }

    /// The value an entry gives for this depth and window. The depths must agree, unless nothing
    /// was guessed below: so a table never changes what a search returns.
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
        self.cx.guesses += u64::from(!entry.settled);
        Some(entry.value)
    }
}

impl<'a, G: Game, H: Proofs<G>> RootSearch<'a, G, H> for Classic<'a, G, H> {
    fn context(&mut self) -> &mut Context<'a, G, H> {
        &mut self.cx
    }

    fn value(&mut self, depth: Depth, guess: Value) -> Value {
        self.cx.guesses = 0;
        self.cx.line.look_back();
        (self.root_value)(self, depth, guess)
    }

    fn root_move(&mut self, m: G::Move, depth: Depth, alpha: Value, beta: Value) -> Option<Value> {
        self.try_move::<true>(m, depth, 0, alpha, beta)
    }

    fn confirm(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        self.try_move::<false>(m, depth, ply, alpha, beta)
    }

    fn principal_variation(
        &mut self,
        m: G::Move,
        value: Value,
        depth: Depth,
        nodes: u64,
    ) -> Vec<G::Move> {
        let mut line = vec![m];
        aside(self, nodes.max(10_000), |search| follow(search, &mut line, value, depth, 0));
        line
    }
}

/// Plays the last move of the line and looks for the one that follows it: in each position the
/// first move that keeps the value. `value` is that of the position before the move.
fn follow<G: Game, H: Proofs<G>>(
    search: &mut Classic<'_, G, H>,
    line: &mut Vec<G::Move>,
    value: Value,
    depth: Depth,
    ply: usize,
) {
    let (m, game) = (line[ply], search.cx.line.game);
    let mover = game.to_move(&search.cx.line.p);
    let Some(undo) = search.cx.line.enter(m) else { return };
    let (value, depth) = (value.handed_down(), depth.below());
    let value = if game.to_move(&search.cx.line.p) == mover { value } else { -value };
    if search.cx.ended().or_else(|| search.horizon(depth)).is_none()
        && let Some(next) = move_worth(search, value, depth, ply + 1)
    {
        line.push(next);
        follow(search, line, value, depth, ply + 1);
    }
    search.cx.line.leave(m, undo);
}
