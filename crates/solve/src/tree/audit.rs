//! [`Tree::rests_on`]: what an answer of the root rests on.

use std::collections::VecDeque;

use game::Side;

use super::{NodeId, ROOT, Tree};

/// The parts of a proof. Going round in circles is none of them: every node is justified by nodes
/// that were justified before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofParts {
    /// Nodes whose answer follows from their children.
    pub inner: Vec<NodeId>,
    /// Nodes whose answer was found by work, or whose children are not in memory.
    pub facts: Vec<NodeId>,
    /// Nodes where the game is over.
    pub ends: Vec<NodeId>,
}

impl Tree {
    /// What the answer of the root to this question rests on; `None` if it has none, or it does not
    /// follow from what is here, which cannot be.
    #[must_use]
    pub fn rests_on(&self, at_least: i32) -> Option<ProofParts> {
        let holds = self.bounds(ROOT).answer(at_least)?;
        let ranks = self.ranked(at_least, holds);
        let mut parts = ProofParts::default();
        let mut seen = vec![false; self.len()];
        let mut todo = vec![ROOT];
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            let rank = ranks[node as usize]?;
            if rank == 0 {
                match self.moves(node) {
                    0 => parts.ends.push(node),
                    _ => parts.facts.push(node),
                }
                continue;
            }
            parts.inner.push(node);
            let answered = |child: &NodeId| self.bounds(*child).answer(at_least) == Some(holds);
            let children = self.children(node)?;
            if self.one_is_enough(node, holds) {
                let before = |child: &NodeId| ranks[*child as usize].is_some_and(|r| r < rank);
                todo.extend(children.filter(answered).find(before));
            } else {
                todo.extend(children);
            }
        }
        Some(parts)
    }

    /// In which order nodes with this answer can be justified: 0 for those that need no other.
    fn ranked(&self, at_least: i32, holds: bool) -> Vec<Option<u32>> {
        let mut ranks: Vec<Option<u32>> = vec![None; self.len()];
        let mut todo = VecDeque::new();
        for node in 0..self.len() as NodeId {
            let is_answered = self.bounds(node).answer(at_least) == Some(holds);
            let is_backed_up = self.children(node).is_some()
                && self.backed_up(node).answer(at_least) == Some(holds);
            if is_answered && !is_backed_up {
                ranks[node as usize] = Some(0);
                todo.push_back((node, 0));
            }
        }
        while let Some((node, rank)) = todo.pop_front() {
            for parent in self.parents(node) {
                let is_answered = self.bounds(parent).answer(at_least) == Some(holds);
                let mut children = self.children(parent).into_iter().flatten();
                let is_justified = self.one_is_enough(parent, holds)
                    || children.all(|child| ranks[child as usize].is_some());
                if is_answered && is_justified && ranks[parent as usize].is_none() {
                    ranks[parent as usize] = Some(rank + 1);
                    todo.push_back((parent, rank + 1));
                }
            }
        }
        ranks
    }

    /// Whether the side to move is the one that this answer is good for.
    fn one_is_enough(&self, node: NodeId, holds: bool) -> bool {
        (self.mover(node) == Side::First) == holds
    }
}
