//! What is still to be done for a question, if it is answered the way it looks now.

use std::collections::HashSet;

use super::{NodeId, ROOT, Slot, Tree};

/// Nodes at the edge of what is stored near the root, by their answer to one question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrontierCounts {
    /// Without an answer, and not expanded.
    pub open: u64,
    /// The first player gets what is asked.
    pub proved: u64,
    /// It does not.
    pub disproved: u64,
}

impl Tree {
    /// What the edge is like below all moves: open leaves, and answered nodes, whose children nobody
    /// needs. `None` if no question is under way, or more than `most` nodes are in the way.
    #[must_use]
    pub fn frontier_counts(&self, slot: Slot, most: usize) -> Option<FrontierCounts> {
        self.asked(slot)?;
        let mut counts = FrontierCounts::default();
        let (mut seen, mut todo) = (HashSet::from([ROOT]), vec![ROOT]);
        while let Some(here) = todo.pop() {
            match (self.answer(slot, here), self.children(here)) {
                (Some(true), _) => counts.proved += 1,
                (Some(false), _) => counts.disproved += 1,
                (None, None) => counts.open += 1,
                (None, Some(children)) => todo.extend(children.filter(|&child| seen.insert(child))),
            }
            if seen.len() > most {
                return None;
            }
        }
        Some(counts)
    }

    /// The open leaves that all have to be answered for the answer that is nearest: where its side
    /// moves, below the most promising move alone, elsewhere below every open move. `None` if no
    /// question is under way, or there are more than `most`.
    #[must_use]
    pub fn frontier(&self, slot: Slot, most: usize) -> Option<Vec<NodeId>> {
        self.asked(slot)?;
        let hopeful = self.hopeful(slot);
        let (mut leaves, mut seen, mut todo) = (Vec::new(), HashSet::from([ROOT]), vec![ROOT]);
        while let Some(here) = todo.pop() {
            if self.answer(slot, here).is_some() {
                continue;
            }
            let Some(children) = self.children(here) else {
                leaves.push(here);
                if leaves.len() > most {
                    return None;
                }
                continue;
            };
            let mover = self.mover(here);
            let mut hopes = self.hopes(slot, children, mover);
            if mover == hopeful {
                let nearest = hopes.min_by_key(|&(_, hope)| hope);
                todo.extend(nearest.map(|(child, _)| child).filter(|&child| seen.insert(child)));
            } else {
                todo.extend(hopes.by_ref().map(|(child, _)| child).filter(|&c| seen.insert(c)));
            }
        }
        Some(leaves)
    }
}
