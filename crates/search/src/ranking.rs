//! Several best moves at once: each move of the root is searched on its own, and all that may be
//! among the best get an exact value.

use evaluation::Proofs;
use game::{Game, Value};

use crate::bounds::Depth;
use crate::context::Context;
use crate::order::Order;
use crate::root_search::RootSearch;
use crate::search_line::SearchLine;
use crate::settings::{Settings, Techniques};

/// The moves of the root, best first by what the last iteration found.
#[derive(Debug)]
pub(crate) struct Ranking<M> {
    /// How many of them are wanted.
    pub(crate) lines: usize,
    /// Whether a claim may be better than any of them: not for one who has to choose among moves.
    may_claim: bool,
    moves: Vec<Ranked<M>>,
    /// Some moves were left out.
    incomplete: bool,
    techniques: Techniques,
}

/// A move and its value, which is only an upper bound for those that are not among the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) m: M,
    pub(crate) value: Value,
}

impl<M: Copy> Ranking<M> {
    /// None where one line of any move is enough: the usual searches find it faster.
    pub(crate) fn new(among: &[M], settings: &Settings) -> Option<Ranking<M>> {
        let moves = among.iter().map(|&m| Ranked { m, value: -Value::INFINITY }).collect();
        (settings.lines > 1 || !among.is_empty()).then(|| Ranking {
            lines: settings.lines.max(1),
            may_claim: among.is_empty(),
            moves,
            incomplete: false,
            techniques: settings.techniques,
        })
    }

    /// The moves that were asked for, best first.
    pub(crate) fn best(&self) -> impl Iterator<Item = Ranked<M>> {
        self.moves.iter().take(self.lines).copied()
    }

    /// What a move must exceed to be among the best.
    fn floor(&self, found: &[Ranked<M>]) -> Value {
        found.get(self.lines - 1).map_or(-Value::INFINITY, |last| last.value)
    }
}

/// Searches all moves of the root and gives the value of the best; what may be claimed or has no
/// move is worth what the plain search says.
pub(crate) fn rank_moves<G: Game, H: Proofs<G>>(
    search: &mut dyn RootSearch<'_, G, H>,
    ranking: &mut Ranking<G::Move>,
    depth: Depth,
) -> Value {
    let cx = search.context();
    cx.guesses = 0;
    cx.line.look_back();
    search.prepare(depth);
    if ranking.moves.is_empty() {
        ranking.moves = root_moves(search.context(), ranking.techniques);
        leave_out(search, ranking);
    }
    search.context().root.moves = ranking.moves.len();
    let mut found: Vec<Ranked<G::Move>> = Vec::with_capacity(ranking.moves.len());
    for i in 0..ranking.moves.len() {
        let m = ranking.moves[i].m;
        let floor = ranking.floor(&found);
        let Some(value) = value_above(search, m, depth, floor) else { continue };
        let cx = search.context();
        if cx.expired() {
            return Value::DRAW;
        }
        let place = found.partition_point(|better| better.value >= value);
        found.insert(place, Ranked { m, value });
        cx.root.best = found.first().map(|best| best.m);
        cx.root.moves_done += 1;
        cx.report(&[]);
    }
    let cx = search.context();
    cx.line.look_back();
    let claim = cx.line.claim().filter(|_| ranking.may_claim);
    let mut best = found.first().map(|best| best.value);
    if ranking.incomplete {
        cx.guesses += 1;
        best = best.map(Value::with_hope);
    }
    if claim > best {
        cx.root.best = None;
    }
    ranking.moves = found;
    best.max(claim).unwrap_or_else(|| cx.line.stuck())
}

/// All moves of the root, the most promising first.
fn root_moves<G: Game, H: Proofs<G>>(
    cx: &mut Context<'_, G, H>,
    techniques: Techniques,
) -> Vec<Ranked<G::Move>> {
    let SearchLine { game, p, heuristics, .. } = &mut cx.line;
    let mut order = Order::new(*game, techniques);
    let mut moves = order.open(game, p, 0, heuristics, |_, _| false);
    cx.count_moves(0, moves.len());
    let mut all = Vec::with_capacity(moves.len());
    while let Some((m, _)) = order.next(&mut moves) {
        all.push(Ranked { m, value: -Value::INFINITY });
    }
    order.close(&moves);
    all
}

/// Where there are enough moves worth a look, a search that leaves out the others does so here,
/// too.
fn leave_out<G: Game, H>(search: &mut dyn RootSearch<'_, G, H>, ranking: &mut Ranking<G::Move>) {
    let Some(candidates) = search.candidates() else { return };
    if candidates.len() < ranking.moves.len() && candidates.len() >= ranking.lines {
        ranking.moves.retain(|ranked| candidates.contains(&ranked.m));
        ranking.incomplete = true;
    }
}

/// The value of a move of the root if it exceeds the floor, else a bound below; `None` if a rule
/// forbids the move.
fn value_above<G: Game, H: Proofs<G>>(
    search: &mut dyn RootSearch<'_, G, H>,
    m: G::Move,
    depth: Depth,
    floor: Value,
) -> Option<Value> {
    if floor > -Value::INFINITY {
        let value = search.root_move(m, depth, floor, floor.succ())?;
        if value <= floor || search.context().expired() {
            return Some(value);
        }
    }
    search.root_move(m, depth, floor, Value::INFINITY)
}
