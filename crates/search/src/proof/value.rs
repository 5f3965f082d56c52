//! The value of a position by questions, and what to report of it.

use evaluation::Proofs;
use game::{Game, MarginStep, Value, allows, moves_of};
use play::{Info, Stop};

use super::{ProofTable, Prover, Proving};
use crate::driver::{Report, SearchRoot};
use crate::settings::Settings;

/// Asks whether the side to move wins, if not whether it loses, and then for the margin, if there
/// are such. Where a limit comes first, the value is what the side to move has at least, if
/// anything was proved.
pub(crate) fn find_value<G: Game, H: Proofs<G>>(
    from: &SearchRoot<'_, G>,
    heuristics: H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let megabytes = if settings.techniques.table { settings.hash_megabytes } else { 0 };
    let mut table = ProofTable::new(megabytes);
    let proving = Proving {
        symmetry: settings.techniques.symmetry,
        bounds: settings.techniques.bounds,
        ranking: settings.techniques.ranking,
        limits: settings.limits,
    };
    let mut prover = Prover::new(&mut table, from, heuristics, &proving, stop, progress);
    let found = prover.find_margin();
    let limit = from.game.margin_limit();
    let mover = from.game.to_move(from.position);
    let exact = found.lower == found.upper;
    let worst = if mover == game::Side::First { found.lower } else { found.upper };
    let known = exact || worst != -limit * mover.sign();
    let over = Value::over(worst, limit).seen_by(mover);
    let value = (0..found.plies).fold(over, |value, _| value.backed_up());
    let nodes = prover.nodes();
    let line = match (exact, found.best) {
        (true, _) => prover.line(found.lower, found.best),
        (false, best) => best.into_iter().collect(),
    };
    let any_move = || {
        let moves = moves_of(from.game, from.position).into_iter();
        let is_open = from.game.margin(from.position).is_none();
        moves.filter(|_| is_open).find(|&m| allows(from.game, from.position, from.path, m))
    };
    Report {
        value: known.then_some(value),
        exact,
        depth: None,
        best: line.first().copied().or_else(|| any_move().filter(|_| !exact)),
        line,
        nodes,
        selective_depth: 0,
        others: Vec::new(),
    }
}

/// Between which margins the first player's lies.
pub(super) struct Found<M> {
    lower: i32,
    upper: i32,
    /// A move that gives the mover the better end of that.
    best: Option<M>,
    /// Plies to the end of a game that is won or lost.
    plies: u32,
}

impl<G: Game, H: Proofs<G>> Prover<'_, G, H> {
    fn find_margin(&mut self) -> Found<G::Move> {
        let (limit, step) = (self.game.margin_limit(), self.game.margin_step());
        let mover = self.game.to_move(&self.p);
        let mut found = Found { lower: -limit, upper: limit, best: None, plies: 0 };
        while found.lower < found.upper {
            let asked = next_question(found.lower, found.upper, mover.sign(), step);
            let answer = self.ask(asked);
            match answer.holds {
                Some(true) => found.lower = asked,
                Some(false) => found.upper = asked - step.size(),
                None => break,
            }
            found.best = answer.best.or(found.best);
            found.plies = answer.plies;
        }
        found
    }
}

/// First whether the mover wins, then whether it loses, then halfway between what is known.
fn next_question(lower: i32, upper: i32, sign: i32, step: MarginStep) -> i32 {
    let first = if sign > 0 { [1, 0] } else { [0, 1] }.map(|asked| step.at_least(asked));
    let is_open = |question: &i32| lower < *question && *question <= upper;
    let halfway = || step.at_least(lower + (upper - lower + 1) / 2);
    first.into_iter().find(is_open).unwrap_or_else(halfway)
}
