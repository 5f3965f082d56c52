//! What is still to be done for a question, if it is answered the way it looks now, and what comes next.

use std::collections::{HashMap, HashSet};

use game::Side;
use search::Numbers;

use super::{BUSY, LEASED, NodeId, ROOT, Slot, Tree};

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
    /// The node to work at for a question: from the root the move that is nearest to what its mover
    /// hopes for, past those where somebody works. First come those without which the answer that is
    /// nearest cannot be; others are of use only if somebody's work turns out otherwise. It has no
    /// children in memory.
    #[must_use]
    pub fn most_promising(&self, slot: Slot) -> Option<NodeId> {
        self.most_needed(slot).or_else(|| self.speculative(slot))
    }

    /// The first of these, without which the answer that is nearest cannot be.
    #[must_use]
    pub fn most_needed(&self, slot: Slot) -> Option<NodeId> {
        self.nearest(self.open_slot(slot)?, Some(self.hopeful(slot)))
    }

    /// The first of all that are free, the others included.
    #[must_use]
    pub fn speculative(&self, slot: Slot) -> Option<NodeId> {
        self.nearest(self.open_slot(slot)?, None)
    }

    /// If there is a question, and no answer yet.
    fn open_slot(&self, slot: Slot) -> Option<Slot> {
        let asked = self.asked[slot]?;
        self.bounds(ROOT).answer(asked).is_none().then_some(slot)
    }

    /// Who seems to get what it hopes for.
    fn hopeful(&self, slot: Slot) -> Side {
        let Numbers { proof, disproof } = self.numbers(slot, ROOT);
        if proof <= disproof { Side::First } else { Side::Second }
    }

    /// The first free leaf; where `hopeful` moves, below the most promising move alone.
    fn nearest(&self, slot: Slot, hopeful: Option<Side>) -> Option<NodeId> {
        let mut path = vec![ROOT];
        let mut fruitless = HashSet::new();
        while let Some(&here) = path.last() {
            let next = match self.children(here) {
                None if self.node(here).flags & LEASED[slot] == 0 => return Some(here),
                None => None,
                Some(children) => {
                    let is_free = |&(child, _): &(NodeId, u32)| {
                        self.node(child).flags & BUSY[slot] == 0
                            && !fruitless.contains(&child)
                            && !path.contains(&child)
                    };
                    let hopes = self.hopes(slot, children, self.mover(here));
                    if hopeful == Some(self.mover(here)) {
                        hopes.min_by_key(|&(_, hope)| hope).filter(is_free)
                    } else {
                        hopes.filter(is_free).min_by_key(|&(_, hope)| hope)
                    }
                }
            };
            match next {
                Some((child, _)) => path.push(child),
                None => {
                    fruitless.insert(here);
                    path.pop();
                }
            }
        }
        None
    }

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

    /// All open leaves, and the share of the question that is done: where the side that seems to get
    /// what it hopes for moves, that of its most promising move, elsewhere the mean of all moves. `None`
    /// if no question is under way, or there are more than `most` nodes.
    #[must_use]
    pub fn open_leaves(&self, slot: Slot, most: usize) -> Option<(Vec<NodeId>, f64)> {
        self.asked(slot)?;
        // Each node after all that are below it, circles apart.
        let (mut order, mut leaves) = (Vec::new(), Vec::new());
        let (mut seen, mut todo) = (HashSet::from([ROOT]), vec![(ROOT, false)]);
        while let Some((here, is_back)) = todo.pop() {
            match self.children(here).filter(|_| self.answer(slot, here).is_none()) {
                _ if is_back => order.push(here),
                Some(children) => {
                    todo.push((here, true));
                    let new = children.filter(|&child| seen.insert(child));
                    todo.extend(new.map(|child| (child, false)));
                }
                None if self.answer(slot, here).is_none() => leaves.push(here),
                None => {}
            }
            if seen.len() > most {
                return None;
            }
        }
        let hopeful = self.hopeful(slot);
        let mut shares: HashMap<NodeId, f64> = HashMap::new();
        for here in order {
            let Some(children) = self.children(here) else { continue };
            let share = |child: NodeId| match self.answer(slot, child) {
                Some(_) => 1.0,
                None => shares.get(&child).copied().unwrap_or_default(),
            };
            let mover = self.mover(here);
            let done = if mover == hopeful {
                let nearest = self.hopes(slot, children, mover).min_by_key(|&(_, hope)| hope);
                nearest.map_or(0.0, |(child, _)| share(child))
            } else {
                let all: Vec<f64> = children.map(share).collect();
                all.iter().sum::<f64>() / all.len().max(1) as f64
            };
            shares.insert(here, done);
        }
        Some((leaves, shares.get(&ROOT).copied().unwrap_or_default()))
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
