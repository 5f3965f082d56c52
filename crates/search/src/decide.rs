//! Yes or no: alpha-beta to the end of the game, with a window that has room for nothing else.

use game::{Game, Heuristics, Side, Stop, Value};

use crate::bounds::{Bound, Depth};
use crate::driver::{Position, Progress};
use crate::keys::Keys;
use crate::settings::Settings;
use crate::table::{Entry, Table};
use crate::threads::Helpers;
use crate::worker::{Role, Worker};

/// What a question came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// Whether the first player's margin is at least what was asked; `None` if a limit came first.
    pub holds: Option<bool>,
    /// A move that leads there, if it is what the side to move hopes for.
    pub best: Option<M>,
    /// Positions visited.
    pub nodes: u64,
}

/// Whether the first player's margin is at least this. One thread searches; several may ask about the same game with
/// one table. For games whose rules do not look back a full table only costs time.
pub fn decide<G: Game, H: Heuristics<G>, K: Keys<G>>(
    table: &Table,
    from: &Position<'_, G>,
    at_least: i32,
    (heuristics, keys): (H, K),
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Decision<G::Move> {
    let alone = Helpers::of(&Settings { threads: 1, ..*settings });
    let company = alone.company(table, Role::Leader);
    let mut worker = Worker::new(from, heuristics, keys, settings, company, stop, progress);
    let mover = from.game.to_move(from.position);
    let limit = from.game.margin_limit();
    let beta = match mover {
        Side::First => least_value(at_least, limit),
        Side::Second => least_value(1 - at_least, limit),
    };
    worker.wind_clock();
    worker.look_back();
    let reached = if limit == 1 && !from.game.looks_back() {
        let attacker = if at_least > 0 { Side::First } else { Side::Second };
        worker.first_look(attacker) == (attacker == mover)
    } else {
        worker.alpha_beta::<false>(Depth::END, 0, beta.pred(), beta) >= beta
    };
    let reached = (!worker.expired()).then_some(reached);
    Decision {
        holds: reached.map(|reached| reached == (mover == Side::First)),
        best: worker.root.best.filter(|_| reached == Some(true)),
        nodes: worker.nodes,
    }
}

/// The smallest value that means a margin of at least this.
fn least_value(margin: i32, limit: i32) -> Value {
    match margin {
        1.. if limit == 1 => Value::DRAW.succ(),
        _ => Value::over(margin, limit),
    }
}

/// Games that are just won or lost. Both questions about them are whether one side, the attacker, wins; the other one
/// only has to prevent that.
impl<G: Game, H: Heuristics<G>, K: Keys<G>> Worker<'_, G, H, K> {
    /// Whether the attacker wins the root, with a move there.
    fn first_look(&mut self, attacker: Side) -> bool {
        if let Some(value) = self.ended() {
            return value.seen_by(self.game.to_move(&self.p)).seen_by(attacker) > Value::DRAW;
        }
        if self.order.examine(self.game, &self.p, attacker, &mut self.heuristics).wins.is_some() {
            // A move is wanted, not just an answer.
            self.order.generate(self.game, &self.p, &mut self.heuristics);
        }
        let (_, symmetry) = self.key();
        let (won, best) = self.any_move_decides(attacker, 0, symmetry, None);
        self.root.best = best;
        won
    }

    /// Whether the attacker wins the current position. What it says after time ran out means nothing.
    fn attack(&mut self, attacker: Side, ply: usize) -> bool {
        if let Some(value) = self.ended() {
            return value.seen_by(self.game.to_move(&self.p)).seen_by(attacker) > Value::DRAW;
        }
        if self.expired() {
            return false;
        }

        // What is clear.
        let finding = self.order.examine(self.game, &self.p, attacker, &mut self.heuristics);
        if let Some(wins) = finding.wins {
            return wins;
        }

        // What is known already.
        let (key, symmetry) = match finding.key {
            Some(key) if self.keys.on => key,
            _ => self.key(),
        };
        let mover_attacks = self.game.to_move(&self.p) == attacker;
        let known = self.look_up(key).filter(|entry| entry.depth == Depth::END || entry.settled);
        if let Some(entry) = known
            && let Some(wins) = answer(entry, mover_attacks)
        {
            return wins;
        }

        let nodes_before = self.nodes;
        let (wins, best) = self.any_move_decides(attacker, ply, symmetry, known);
        if self.expired() {
            return false;
        }
        let code = best.map_or(0, |m| self.keys.code(self.game, m, symmetry));
        let entry = learnt(wins, mover_attacks, code, known);
        self.remember(key, entry, self.nodes - nodes_before);
        wins
    }

    /// Tries the moves that wait to be ordered until one does what its side wants, and says which.
    fn any_move_decides(
        &mut self,
        attacker: Side,
        ply: usize,
        symmetry: usize,
        known: Option<Entry>,
    ) -> (bool, Option<G::Move>) {
        let (game, keys) = (self.game, self.keys);
        let mover = game.to_move(&self.p);
        let is_table_move =
            |m| known.is_some_and(|entry| Entry::cut(keys.code(game, m, symmetry)) == entry.code);
        let mut moves = self.order.open_generated(game, &self.p, ply, is_table_move);
        self.count_moves(ply, moves.len());
        let is_stuck = moves.len() == 0;
        let mut deciding = None;
        while deciding.is_none()
            && let Some((m, doomed)) = self.order.next(&mut moves)
        {
            if !doomed && let Some(undo) = self.enter(m) {
                let wins = self.attack(attacker, ply + 1);
                self.leave(m, undo);
                if self.expired() {
                    break;
                }
                if wins == (mover == attacker) {
                    self.order.refuted(game, m, ply, mover);
                    deciding = Some(m);
                }
            }
            if ply == 0 {
                self.root.moves_done += 1;
                self.report(&[]);
            }
        }
        self.order.close(&moves);
        let wins = match deciding {
            _ if is_stuck => game.stuck(&self.p) * attacker.sign() > 0,
            Some(_) => mover == attacker,
            None => mover != attacker,
        };
        (wins, deciding)
    }
}

/// Whether the attacker wins, if an entry says so.
fn answer(entry: Entry, mover_attacks: bool) -> Option<bool> {
    let (alpha, beta) = window(mover_attacks);
    let settles = entry.bound.settles(entry.value, alpha, beta);
    settles.then_some((entry.value >= beta) == mover_attacks)
}

/// The window of the question, for the side to move.
fn window(mover_attacks: bool) -> (Value, Value) {
    match mover_attacks {
        true => (Value::DRAW, Value::DRAW.succ()),
        false => (Value::DRAW.pred(), Value::DRAW),
    }
}

/// What the table is to know from now on: together with the answer to the other question, that it is a draw.
fn learnt(wins: bool, mover_attacks: bool, code: u32, known: Option<Entry>) -> Entry {
    let (alpha, beta) = window(mover_attacks);
    let (value, bound) =
        if wins == mover_attacks { (beta, Bound::Lower) } else { (alpha, Bound::Upper) };
    let is_draw = value == Value::DRAW
        && known.is_some_and(|known| known.value == value && known.bound != bound);
    let bound = if is_draw { Bound::Exact } else { bound };
    Entry { value, bound, depth: Depth::END, settled: true, code }
}
