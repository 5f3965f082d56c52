//! Yes or no: alpha-beta to the end of the game, with a window that has room for nothing else.

use evaluation::{Examination, Proofs};
use game::{Game, MarginStep, PositionName, Side, Value};
use play::{Info, Stop};

use crate::bounds::{Bound, Depth};
use crate::classic::Classic;
use crate::context::Context;
use crate::deep_stack::most_plies;
use crate::driver::SearchRoot;
use crate::lazy_smp::{Helpers, Role};
use crate::order::Order;
use crate::search_line::SearchLine;
use crate::settings::Settings;
use crate::table::{Entry, Table};

/// What a question came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// Whether the first player's margin is at least what was asked; `None` if a limit came first.
    pub holds: Option<bool>,
    /// A move that leads there, if it is what the side to move hopes for.
    pub best: Option<M>,
    /// Positions visited.
    pub nodes: u64,
    /// Where a limit came first: the moves in the order in which they were tried or would have
    /// been, as far as any are worth a try.
    pub order: Vec<M>,
    /// How many of them, from the first on, surely do not lead to what the side to move hopes for.
    pub refuted: usize,
}

impl<M> Decision<M> {
    /// An answer, or nothing, without a word on the moves.
    #[must_use]
    pub fn bare(holds: Option<bool>, best: Option<M>, nodes: u64) -> Decision<M> {
        Decision { holds, best, nodes, order: Vec::new(), refuted: 0 }
    }
}

/// Whether the first player's margin is at least this. One thread searches; several may ask about
/// the same game with one table. For games whose rules do not look back a full table only costs
/// time.
pub fn decide<G: Game, H: Proofs<G>>(
    table: &Table,
    from: &SearchRoot<'_, G>,
    at_least: i32,
    heuristics: H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Info<G::Move>),
) -> Decision<G::Move> {
    let alone = Helpers::of(&Settings { threads: 1, ..*settings });
    let shared = alone.shared(table, Role::Main);
    let mut cx = Context::new(from, heuristics, settings, shared, stop, progress);
    let aim = Aim::of(at_least, from.game.margin_limit(), from.game.margin_step());
    let attacks = from.game.to_move(from.position) == aim.attacker;
    cx.budget.enforce();
    cx.line.look_back();
    let (mut cx, succeeds, order) = if from.game.looks_back() {
        let (alpha, beta) = aim.window(attacks);
        let mut search = Classic::new(cx, settings, Classic::by_alpha_beta::<false>);
        let value = search.alpha_beta::<false>(Depth::END, 0, alpha, beta);
        (search.cx, (value >= beta) == attacks, Vec::new())
    } else {
        let order = Order::new(from.game, settings.techniques);
        let most_plies = most_plies(from.game, from.position);
        let mut search = Decider { cx, order, most_plies, root_order: Vec::new() };
        let succeeds = search.first_look(aim);
        (search.cx, succeeds, search.root_order)
    };
    let succeeds = (!cx.expired()).then_some(succeeds);
    Decision {
        holds: succeeds.map(|succeeds| succeeds == (aim.attacker == Side::First)),
        best: cx.root.best.filter(|_| succeeds == Some(attacks)),
        nodes: cx.budget.nodes,
        refuted: if order.is_empty() { 0 } else { cx.root.moves_done },
        order,
    }
}

/// What one side, the attacker, wants: a win by at least so much. The other one only has to prevent
/// that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub(crate) attacker: Side,
    /// At least 1.
    least: i32,
    pub(crate) limit: i32,
}

impl Aim {
    /// Who has to win to answer whether the first player's margin is at least this: the first
    /// player, or the second player to deny it.
    fn of(at_least: i32, limit: i32, step: MarginStep) -> Aim {
        // Questions that come to the same are one in the table.
        let at_least = step.at_least(at_least);
        let (attacker, least) = match at_least {
            1.. => (Side::First, at_least),
            _ => (Side::Second, step.size() - at_least),
        };
        Aim { attacker, least, limit }
    }

    /// Whether a game that ends with this margin for the first player is what the attacker wants.
    #[inline]
    fn is_met(self, margin: i32) -> bool {
        margin * self.attacker.sign() >= self.least
    }

    /// The window of the question, for the side to move.
    #[inline]
    fn window(self, mover_attacks: bool) -> (Value, Value) {
        let beta = match (mover_attacks, self.limit) {
            // However late.
            (true, 1) => Value::DRAW.succ(),
            (true, limit) => Value::over(self.least, limit),
            (false, limit) => Value::over(1 - self.least, limit),
        };
        (beta.pred(), beta)
    }

    /// Whether the attacker succeeds, if an entry says so.
    #[inline]
    pub(crate) fn answer(self, entry: Entry, mover_attacks: bool) -> Option<bool> {
        let (alpha, beta) = self.window(mover_attacks);
        let settles = entry.bound.settles(entry.value, alpha, beta);
        settles.then_some((entry.value >= beta) == mover_attacks)
    }

    /// What the table is to know from now on: together with the answer to another question, perhaps
    /// that it is a draw.
    fn learnt(self, succeeds: bool, mover_attacks: bool, code: u32, known: Option<Entry>) -> Entry {
        let (alpha, beta) = self.window(mover_attacks);
        let (value, bound) =
            if succeeds == mover_attacks { (beta, Bound::Lower) } else { (alpha, Bound::Upper) };
        let is_draw = value == Value::DRAW
            && known.is_some_and(|known| known.value == value && known.bound != bound);
        let bound = if is_draw { Bound::Exact } else { bound };
        Entry { value, bound, depth: Depth::END, settled: true, code }
    }
}

/// Alpha-beta for a question: the attacker succeeds or not.
pub(crate) struct Decider<'a, G: Game, H> {
    pub(crate) cx: Context<'a, G, H>,
    pub(crate) order: Order<G>,
    most_plies: usize,
    /// The moves of the root, if the question was left open.
    root_order: Vec<G::Move>,
}

impl<G: Game, H: Proofs<G>> Decider<'_, G, H> {
    /// Whether the attacker succeeds at the root, with a move there.
    fn first_look(&mut self, aim: Aim) -> bool {
        self.cx.budget.nodes += 1;
        if let Some(margin) = self.cx.line.game.margin(&self.cx.line.p) {
            return aim.is_met(margin);
        }
        if self.examine(aim).wins.is_some() {
            // A move is wanted, not just an answer.
            let SearchLine { game, p, heuristics, .. } = &mut self.cx.line;
            self.order.generate(game, p, heuristics);
        }
        let name = self.cx.name();
        let known = self.look_up_proof(name);
        let (won, best) = self.any_move_decides(aim, 0, name.symmetry, known);
        self.cx.root.best = best;
        won
    }

    /// What is clear at once; else the moves to try wait to be ordered.
    #[inline]
    fn examine(&mut self, aim: Aim) -> Examination {
        let SearchLine { game, p, heuristics, .. } = &mut self.cx.line;
        if aim.limit == 1 {
            return self.order.examine(game, p, aim.attacker, heuristics);
        }
        let Aim { attacker, least, .. } = aim;
        let mut nodes = 0;
        if let Some(succeeds) = heuristics.finish(game, p, attacker, least, &mut nodes) {
            self.cx.budget.count_nodes(nodes);
            return Examination { wins: Some(succeeds), name: None };
        }
        self.order.generate(game, p, heuristics);
        Examination::default()
    }

    /// Whether the attacker succeeds from the current position. What it says after time ran out
    /// means nothing.
    fn attack(&mut self, aim: Aim, ply: usize) -> bool {
        if let Some(value) = self.cx.ended() {
            let (_, beta) = aim.window(true);
            return value.seen_by(self.cx.line.game.to_move(&self.cx.line.p)).seen_by(aim.attacker)
                >= beta;
        }
        // Round in circles.
        if ply > self.most_plies {
            self.cx.budget.give_up();
        }
        if self.cx.expired() {
            return false;
        }
        self.cx.deepest = self.cx.deepest.max(ply);

        // What is clear.
        let finding = self.examine(aim);
        if let Some(wins) = finding.wins {
            return wins;
        }

        // What is known already.
        let name = match finding.name {
            Some(name) if self.cx.names.symmetry => name,
            _ => self.cx.name(),
        };
        let mover_attacks = self.cx.line.game.to_move(&self.cx.line.p) == aim.attacker;
        let known = self.look_up_proof(name);
        if let Some(entry) = known
            && let Some(wins) = aim.answer(entry, mover_attacks)
        {
            return wins;
        }

        let nodes_before = self.cx.budget.nodes;
        let (wins, best) = self.any_move_decides(aim, ply, name.symmetry, known);
        if self.cx.expired() {
            return false;
        }
        let code = best.map_or(0, |m| self.cx.code(m, name.symmetry));
        let entry = aim.learnt(wins, mover_attacks, code, known);
        self.cx.remember_named(name, entry, self.cx.budget.nodes - nodes_before);
        wins
    }

    /// What is known for certain of a position.
    #[inline]
    pub(crate) fn look_up_proof(&self, name: PositionName) -> Option<Entry> {
        self.cx.look_up_named(name).filter(|entry| entry.depth == Depth::END || entry.settled)
    }

    /// Tries the moves that wait to be ordered until one does what its side wants, and says which.
    fn any_move_decides(
        &mut self,
        aim: Aim,
        ply: usize,
        symmetry: usize,
        known: Option<Entry>,
    ) -> (bool, Option<G::Move>) {
        let (game, names) = (self.cx.line.game, self.cx.names);
        let mover = game.to_move(&self.cx.line.p);
        let is_table_move = |p: &_, m| {
            known.is_some_and(|entry| Entry::cut(names.code(game, p, m, symmetry)) == entry.code)
        };
        let mut moves = self.order.open_generated(game, &self.cx.line.p, ply, is_table_move);
        self.cx.count_moves(ply, moves.len());
        let is_stuck = moves.len() == 0;
        let mut deciding = self.foresee(aim, &mut moves, ply);
        while deciding.is_none()
            && let Some((m, doomed)) = self.order.next(&mut moves)
        {
            if !doomed && let Some(undo) = self.cx.line.enter(m) {
                let wins = self.attack(aim, ply + 1);
                self.cx.line.leave(m, undo);
                if self.cx.expired() {
                    if ply == 0 {
                        self.root_order = self.order.all(&mut moves);
                    }
                    break;
                }
                if wins == (mover == aim.attacker) {
                    self.order.refuted(game, m, ply, mover);
                    deciding = Some(m);
                }
            }
            if ply == 0 {
                self.cx.root.moves_done += 1;
                self.cx.report(&[]);
            }
        }
        self.order.close(&moves);
        let wins = match deciding {
            _ if is_stuck => aim.is_met(game.stuck(&self.cx.line.p)),
            Some(_) => mover == aim.attacker,
            None => mover != aim.attacker,
        };
        (wins, deciding)
    }
}
