//! Iterative deepening: the root is searched to depth 1, 2, 3, … or, without that technique, to the
//! full depth at once; after each depth the line of play is looked up, and where asked one of
//! several best moves is drawn.

use evaluation::Proofs;
use game::{Game, Rng, Value, moves_of};
use play::InfoLine;

use crate::bounds::Depth;
use crate::context::Root;
use crate::driver::{Depths, Report, under_clock};
use crate::ranking::{Ranked, Ranking, rank_moves};
use crate::root_search::{Lot, RootSearch, aside};
use crate::settings::Settings;
use crate::table::Entry;

/// What is known after an iteration.
struct Iteration<M> {
    /// Of which the nodes are those of this iteration alone.
    report: Report<M>,
    depth: Depth,
    /// Whether that is all that was asked for.
    finished: bool,
}

impl<M: Copy> Iteration<M> {
    fn nothing() -> Iteration<M> {
        let report = Report {
            value: None,
            exact: false,
            depth: None,
            selective_depth: 0,
            best: None,
            line: Vec::new(),
            others: Vec::new(),
            nodes: 0,
        };
        Iteration { report, depth: Depth::new(0), finished: false }
    }

    /// The line and the others.
    fn lines(&self) -> Vec<InfoLine<M>> {
        let Report { value, line, others, .. } = &self.report;
        let first = value.map(|value| InfoLine { value, moves: line.clone() });
        first.into_iter().chain(others.iter().cloned()).collect()
    }
}

/// Searches ever deeper until that is all that was asked for, or a limit is reached.
pub(crate) fn deepen<G: Game, H: Proofs<G>>(
    search: &mut dyn RootSearch<'_, G, H>,
    among: &[G::Move],
    settings: &Settings,
) -> Report<G::Move> {
    let line = &search.context().line;
    let any_move = among.first().or(moves_of(line.game, &line.p).first()).copied();
    let Iteration { mut report, depth, finished } = last_iteration(search, among, settings);
    let cx = search.context();
    report.depth = match (settings.limits.depth, finished) {
        (Some(asked), true) => Some(asked),
        (None, true) => None,
        (_, false) => Some(depth.raw() as u32),
    };
    report.selective_depth = cx.deepest as u32;
    report.best = report.best.or(any_move.filter(|_| report.value.is_none()));
    report.nodes = cx.budget.all_nodes();
    report
}

fn last_iteration<G: Game, H: Proofs<G>>(
    search: &mut dyn RootSearch<'_, G, H>,
    among: &[G::Move],
    settings: &Settings,
) -> Iteration<G::Move> {
    let under_clock = under_clock(settings);
    let mut depths = Depths::new(settings);
    if depths.now == depths.target {
        search.context().budget.enforce();
    }
    let mut found = Iteration::nothing();
    let mut ranking = Ranking::new(among, settings);
    loop {
        let (depth, nodes_before) = (depths.now, search.context().budget.nodes);
        search.context().root = Root::new(depth);
        let guess = found.report.value.unwrap_or(Value::DRAW);
        let value = match &mut ranking {
            None => search.value(depth, guess),
            Some(ranking) => rank_moves(search, ranking, depth),
        };
        let cx = search.context();
        if cx.expired() {
            return with_news(search, found);
        }
        if depth != Depth::END {
            cx.deepest = cx.deepest.max(depth.raw() as usize);
        }
        let exact = cx.guesses == 0 || value.is_decided();
        // A win settles nothing about the moves beside it.
        let settled = match &ranking {
            Some(ranking) => cx.guesses == 0 || ranking.best().all(|r| r.value.is_decided()),
            None => exact,
        };
        let finished = settled || depth == depths.target;
        let mut now = Iteration {
            // An exact value is that of every greater depth, but other moves may still change.
            depth: if finished { depths.target } else { depth },
            finished,
            ..Iteration::nothing()
        };
        (now.report.value, now.report.exact) = (Some(value), exact);
        now.report.best = cx.root.best;
        now.report.nodes = cx.budget.nodes - nodes_before;
        // Any iteration may be the last one under a clock, else only that which ends the search.
        let last = finished || under_clock;
        let lot = search.lot(now.depth);
        let draws = if lot.only_last { finished } else { last };
        if let Some(seed) = settings.seed.filter(|_| draws)
            && !draw_lot(search, &mut now.report, among, lot, seed)
            && !finished
            && found.report.best.is_some()
        {
            return found;
        }
        if let Some(best) = now.report.best {
            now.report.line = search.principal_variation(best, value, now.depth, now.report.nodes);
        }
        if let Some(ranking) = &ranking {
            now.report.others = other_lines(search, ranking, &now);
        }
        found = now;
        let cx = search.context();
        cx.report(&found.lines());
        cx.budget.enforce();
        if finished || cx.expired() || !cx.budget.may_go_deeper() {
            return found;
        }
        depths.advance();
    }
}

/// The lines that begin with the next best moves.
fn other_lines<G: Game, H>(
    search: &mut dyn RootSearch<'_, G, H>,
    ranking: &Ranking<G::Move>,
    found: &Iteration<G::Move>,
) -> Vec<InfoLine<G::Move>> {
    let others = ranking.best().filter(|ranked| Some(ranked.m) != found.report.best);
    let mut line = |Ranked { m, value }| {
        let moves = search.principal_variation(m, value, found.depth, found.report.nodes);
        InfoLine { value, moves }
    };
    others.take(ranking.lines - 1).map(&mut line).collect()
}

/// What was known, with a better move that an iteration has found before it ran out of time: the
/// best move so far is searched first, so that another one is best only if it exceeded that.
fn with_news<G: Game, H>(
    search: &mut dyn RootSearch<'_, G, H>,
    mut found: Iteration<G::Move>,
) -> Iteration<G::Move> {
    let known = found.report.best;
    let news = search.context().root.best.filter(|&best| known.is_some() && Some(best) != known);
    if let Some(best) = news
        && let Some(line) = search.late_news(best)
    {
        (found.report.best, found.report.line) = (Some(best), line);
    }
    found
}

/// Takes one of all moves that share the best value, each with the same chance; false if time ran
/// out before all were known. What a search left out takes no part: nobody knows what it is worth,
/// and to find out would take longer than the search.
fn draw_lot<G: Game, H: Proofs<G>>(
    search: &mut dyn RootSearch<'_, G, H>,
    found: &mut Report<G::Move>,
    among: &[G::Move],
    lot: Lot,
    seed: u64,
) -> bool {
    let (Some(value), Some(best)) = (found.value, found.best) else {
        return true;
    };
    let (equals, in_time) = aside(search, u64::MAX, |search| {
        let mut moves = match among {
            [] => search.candidates().unwrap_or_else(|| {
                let line = &search.context().line;
                moves_of(line.game, &line.p)
            }),
            _ => among.to_vec(),
        };
        moves.retain(|&m| m == best || is_worth(search, m, value, lot.depth, 0));
        // A win by threats may begin with a move that looked like nothing.
        if !moves.contains(&best) {
            moves.push(best);
        }
        (moves, !search.context().expired())
    });
    if in_time {
        found.best = Some(equals[Rng::new(seed).below(equals.len())]);
    }
    in_time
}

/// The first move of the current position that is worth at least this much.
pub(crate) fn move_worth<'a, G: Game, H: Proofs<G>, S: RootSearch<'a, G, H> + ?Sized>(
    search: &mut S,
    value: Value,
    depth: Depth,
    ply: usize,
) -> Option<G::Move> {
    let cx = search.context();
    let (key, symmetry) = cx.key();
    let code = cx.look_up(key).map(|entry| entry.code);
    let mut moves = moves_of(cx.line.game, &cx.line.p);
    // That of the table first, or all of its code; the others stay in their order.
    let mut first = 0;
    for at in 0..moves.len() {
        if code == Some(Entry::cut(cx.code(moves[at], symmetry))) {
            moves[first..=at].rotate_right(1);
            first += 1;
        }
    }
    moves.into_iter().find(|&m| is_worth(search, m, value, depth, ply))
}

/// Whether a move is worth at least this much; "no" if time runs out.
fn is_worth<'a, G: Game, H: Proofs<G>, S: RootSearch<'a, G, H> + ?Sized>(
    search: &mut S,
    m: G::Move,
    value: Value,
    depth: Depth,
    ply: usize,
) -> bool {
    let found = search.confirm(m, depth, ply, value.pred(), value);
    found.is_some_and(|found| found >= value) && !search.context().expired()
}
