//! What is decided at a node before a move is tried: it is good enough, or one move alone matters.

use evaluation::{Proofs, Tactics};
use game::{Game, Value};

use super::node::Node;
use super::{NullMove, Playing, is_score};
use crate::bounds::{Bound, Depth};
use crate::table::Entry;

/// A position is secure by evaluation alone up to here.
const SECURE_TO: Depth = Depth::new(8);
/// So many margins better off, a pass is looked at a ply less deeply.
const PASSED_PLY: i32 = 3;
/// Nearer to the root few nodes are worth a guess.
pub(super) const NEAR_ROOT: usize = 3;
/// From here on what a pass shows is checked without one: it may be that every move does harm.
const VERIFIED_FROM: Depth = Depth::new(12);
/// One move alone is looked for from here on.
const SINGULAR_FROM: Depth = Depth::new(7);

impl<G: Game, H: Tactics<G> + Proofs<G>> Playing<'_, G, H> {
    /// What is known of the current position.
    #[inline]
    pub(super) fn evaluate_node(
        &mut self,
        known: Option<Entry>,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Node {
        let threatened = self.plies[ply].threatened;
        let judges = H::MARGINS.is_some() && !threatened;
        let score = judges.then(|| self.cx.judge());
        self.plies[ply].score = score;
        let score = match (score, known) {
            (Some(score), Some(entry)) if is_score(entry.value) => Some(better(score, entry)),
            (score, _) => score,
        };
        Node {
            depth,
            ply,
            alpha,
            beta,
            tested: beta == alpha.succ(),
            threatened,
            improves: self.improves(ply),
            score,
            singular: 0,
        }
    }

    /// A value that ends the look at a node which is good enough by evaluation, or even after a
    /// pass.
    ///
    /// The opposite, a look at captures alone where the evaluation is hopeless (razoring), made no
    /// difference in games and missed sacrifices.
    #[inline]
    pub(super) fn prune_node(&mut self, node: &Node, null_move: NullMove) -> Option<Value> {
        let (margins, score) = (H::MARGINS?, node.score?);
        if node.depth == Depth::END || !is_score(node.alpha) || !is_score(node.beta) {
            return None;
        }
        let plies = node.depth.raw() as i32;

        // Reverse futility: so much will not be lost.
        let margin = margins.reverse_futility * (plies - i32::from(node.improves));
        if node.depth <= SECURE_TO
            && node.ply >= NEAR_ROOT
            && Value::score(score - margin) >= node.beta
        {
            self.cx.guesses += 1;
            return Some(Value::score((score + node.beta.raw()) / 2));
        }

        if null_move == NullMove::Forbidden || Value::score(score) < node.beta {
            return None;
        }
        self.null_move(node, (score - node.beta.raw()) / (PASSED_PLY * margins.reverse_futility))
    }

    /// Null-move pruning: if even who passes is too well off, the position is good enough. The
    /// better off, the less deep a look is needed.
    fn null_move(&mut self, node: &Node, better_off: i32) -> Option<Value> {
        const LESS: u32 = 3;
        const LEAST: Depth = Depth::new(1);
        if node.depth < Depth::new(LESS) {
            return None;
        }
        let next = self.cx.line.heuristics.null_move(self.cx.line.game, &self.cx.line.p)?;
        let before = self.cx.line.enter_null_move(next);
        self.plies[node.ply].counter_key = None;
        self.plies[node.ply + 1].threatened = self.cx.line.must_answer();
        // One ply at least, to see a threat that quiet moves make.
        let less = LESS + node.depth.raw() as u32 / 3 + better_off.clamp(0, 3) as u32;
        let depth = node.depth.less(less).max(LEAST);
        let (alpha, beta) = (node.beta.pred(), node.beta);
        let value = -self.search_node(depth, node.ply + 1, -beta, -alpha, NullMove::Forbidden);
        self.cx.line.leave_null_move(before);
        self.cx.guesses += 1;
        if value < beta || self.cx.expired() {
            return None;
        }
        if node.depth >= VERIFIED_FROM {
            let value = self.search_node(depth, node.ply, alpha, beta, NullMove::Forbidden);
            self.cx.line.look_back();
            if value < beta {
                return None;
            }
        }
        // A win that begins with a pass is none.
        Some(if is_score(value) { value } else { beta })
    }

    /// How much deeper the table's move is searched: if all others are clearly worse, everything
    /// depends on it (singular extension). If others are good enough too, the node is (multi-cut):
    /// then its value.
    pub(super) fn singular(&mut self, node: &Node, entry: Entry, m: G::Move) -> Result<u32, Value> {
        let asked = H::MARGINS.is_some()
            && node.ply > 0
            && node.depth >= SINGULAR_FROM
            && node.depth != Depth::END
            && entry.depth >= node.depth.less(3)
            && entry.bound != Bound::Upper
            && is_score(entry.value)
            && self.may_extend(node.ply);
        if !asked {
            return Ok(0);
        }
        let target = Value::score(entry.value.raw() - 2 * node.depth.raw() as i32);
        let depth = Depth::from_raw((node.depth.raw() - 1) / 2);
        self.plies[node.ply].without = Some(self.cx.line.game.code(m));
        let value = self.search_node(depth, node.ply, target.pred(), target, NullMove::Forbidden);
        self.plies[node.ply].without = None;
        self.cx.line.look_back();
        if value < target {
            return Ok(1);
        }
        if node.tested && target >= node.beta {
            self.cx.guesses += 1;
            return Err(target);
        }
        Ok(0)
    }
}

/// The evaluation, or what the table has found to be more or less than it.
#[inline]
fn better(score: i32, entry: Entry) -> i32 {
    let value = entry.value.raw();
    match entry.bound {
        Bound::Exact => value,
        Bound::Lower => score.max(value),
        Bound::Upper => score.min(value),
    }
}
