//! What the bounds of its children prove of a node.

use game::Side;

use super::arena::Arena;
use super::node::{Bounds, Index};

impl<M: Copy> Arena<M> {
    /// Draws the bounds of a node as close as those of its children allow; whether that changed
    /// them.
    pub(super) fn tighten(&mut self, at: Index) -> bool {
        let node = &self[at];
        let (mover, old) = (node.mover, node.bounds.seen_by(node.mover));
        // A lower bound of its own is what the mover could claim.
        let (mut lower, mut upper) = (old.lower, old.lower);
        for child in self.children(at) {
            let child = child.bounds.seen_by(mover);
            lower = lower.max(child.lower);
            upper = upper.max(child.upper);
        }
        let new = Bounds { lower, upper: upper.min(old.upper) };
        if new == old {
            return false;
        }
        if new.is_proved() {
            self[at].plies = self.plies_of_proof(at, mover, new);
        }
        self[at].bounds = new.seen_by(mover);
        true
    }

    /// The quickest way to what the mover can have, the slowest to a loss.
    fn plies_of_proof(&self, at: Index, mover: Side, proved: Bounds) -> u16 {
        let children = self.children(at).iter();
        let plies = children
            .filter(|child| child.bounds.seen_by(mover) == proved)
            .map(|child| child.plies.saturating_add(1));
        let plies = if proved.lower > 0 { plies.min() } else { plies.max() };
        plies.unwrap_or(0)
    }
}
