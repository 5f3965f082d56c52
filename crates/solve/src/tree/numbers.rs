//! What follows for a node from itself and its children: bounds, and how far an answer is.

use std::collections::VecDeque;

use game::Side;
use search::Numbers;

use super::{
    BUSY, Edge, FARTHEST, LEASED, NO_OUTLOOK, NONE, NodeId, QUEUED, Slot, Tree, WhileLeased,
};
use crate::goal::Bounds;

/// So many nodes are worked out anew for one change before only bounds are followed further up:
/// around a cycle numbers would climb without end.
const MOST_RENUMBERED: usize = 10_000;

impl Tree {
    /// Works out these nodes anew, and all that rest on them.
    pub(super) fn update(&mut self, from: Vec<NodeId>) {
        let mut todo = VecDeque::from(from);
        for &node in &todo {
            self.nodes[node as usize].flags |= QUEUED;
        }
        let mut worked = 0;
        while let Some(node) = todo.pop_front() {
            self.node_mut(node).flags &= !QUEUED;
            let change = self.rework(node);
            worked += 1;
            if change.matters || change.numbers && worked < MOST_RENUMBERED {
                let mut at = self.node(node).parents;
                while at != NONE {
                    let Edge { parent, next, .. } = self.edges[at as usize];
                    let known = self.node_mut(parent);
                    if known.flags & QUEUED == 0 {
                        known.flags |= QUEUED;
                        todo.push_back(parent);
                    }
                    at = next;
                }
            }
        }
    }

    /// Works out what follows for a node from itself and its children.
    pub(super) fn rework(&mut self, node: NodeId) -> Change {
        let before = self.bounds(node);
        let bounds = before.and(self.backed_up(node)).in_steps(self.manner.step);
        if bounds != before {
            self.set_bounds(node, bounds);
        }
        let mut change = Change { matters: bounds != before, numbers: false };
        for (slot, busy_flag) in BUSY.into_iter().enumerate() {
            let Some(asked) = self.asked[slot] else { continue };
            let (numbers, busy) = self.numbered(slot, asked, node);
            let known = &mut self.nodes[node as usize];
            let flags = if busy { known.flags | busy_flag } else { known.flags & !busy_flag };
            change.matters |= known.flags != flags;
            change.numbers |= known.numbers[slot] != numbers;
            (known.flags, known.numbers[slot]) = (flags, numbers);
        }
        change
    }

    pub(super) fn backed_up(&self, node: NodeId) -> Bounds {
        let known = self.bounds(node);
        let Some(children) = self.children(node) else { return known };
        let bounds = children.map(|child| self.bounds(child));
        let best = match self.mover(node) {
            Side::First => bounds
                .reduce(|a, b| Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) }),
            Side::Second => bounds
                .reduce(|a, b| Bounds { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper) }),
        };
        best.unwrap_or(known)
    }

    /// How far a node is from an answer, and whether all that could be begun below it has been.
    fn numbered(&self, slot: Slot, asked: i32, node: NodeId) -> (Numbers, bool) {
        if let Some(holds) = self.bounds(node).answer(asked) {
            return (Numbers::answer(holds), false);
        }
        let mover = self.mover(node);
        let Some(children) = self.children(node) else {
            let is_leased = self.node(node).flags & LEASED[slot] != 0;
            return (self.leaf(asked, node, is_leased), is_leased);
        };
        let (mut hope, mut fear, mut open, mut busy) = (u32::MAX, 1, 0, true);
        for (child, distance) in self.hopes(slot, children, mover) {
            let known = self.node(child);
            hope = hope.min(distance);
            fear = fear.max(near(known.numbers[slot].seen_by(mover).disproof));
            busy &= known.flags & BUSY[slot] != 0;
            open += 1;
        }
        // One for each other open move: see `search::Prover`.
        let fear = (fear + open).saturating_sub(1).min(FARTHEST);
        (Numbers { proof: hope.min(FARTHEST), disproof: fear }.seen_by(mover), busy)
    }

    /// The open ones of these children, with how far each is from what the mover hopes for.
    pub(super) fn hopes(
        &self,
        slot: Slot,
        children: impl Iterator<Item = NodeId>,
        mover: Side,
    ) -> impl Iterator<Item = (NodeId, u32)> {
        let open = children.filter(move |&child| self.answer(slot, child).is_none());
        open.enumerate().map(move |(nth, child)| {
            let hope = near(self.node(child).numbers[slot].seen_by(mover).proof);
            // Where one of several moves is enough, the first is the right one more often than not,
            // and work at others is lost.
            let doubt = if self.manner.ordered { 1 << (2 * nth.min(4)) } else { 1 };
            (child, hope.saturating_mul(doubt).min(FARTHEST))
        })
    }

    /// Work that came to nothing says that the answer is far. Where nothing else says which move to
    /// try first, an evaluation does: as many points as it speaks against an answer, so much farther
    /// that one is.
    fn leaf(&self, asked: i32, node: NodeId, is_leased: bool) -> Numbers {
        let known = self.node(node);
        let tries = match (is_leased, self.while_leased) {
            (true, WhileLeased::VirtualWin) => return Numbers { proof: 1, disproof: FARTHEST },
            (true, WhileLeased::VirtualLoss) => return Numbers { proof: FARTHEST, disproof: 1 },
            (true, WhileLeased::VirtualEquivalence) => known.tries.saturating_add(1),
            _ => known.tries,
        };
        let far = 1 << (2 * tries.min(8));
        let away = |number: u32| number.saturating_mul(far).min(FARTHEST);
        let Numbers { mut proof, mut disproof } =
            Numbers::leaf(self.mover(node), known.moves.into());
        if !self.manner.ordered && known.outlook != NO_OUTLOOK {
            let ahead = i32::from(known.outlook).saturating_sub(asked);
            let against = if ahead > 0 { &mut disproof } else { &mut proof };
            *against = against.saturating_add(ahead.unsigned_abs());
        }
        Numbers { proof: away(proof), disproof: away(disproof) }
    }
}

/// A number that an open node can have: those of an earlier question may say that it is answered.
fn near(number: u32) -> u32 {
    number.clamp(1, FARTHEST)
}

/// What has become different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Bounds, or whether there is work.
    pub(super) matters: bool,
    /// Proof numbers.
    pub(super) numbers: bool,
}

impl Change {
    pub(super) const NOTHING: Change = Change { matters: false, numbers: false };
}
