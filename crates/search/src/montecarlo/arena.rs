//! [`Arena`]: all nodes of a tree in one list, the children of a node side by side.
//!
//! **Invariants:** the root is the first node; a child lies behind its parent; there are never more
//! nodes than the memory allows, but for the root.

use std::ops::{Index as At, IndexMut, Range};

use super::node::{Index, Node};

pub(super) const ROOT: Index = 0;

#[derive(Clone, Debug)]
pub(super) struct Arena<M> {
    nodes: Vec<Node<M>>,
    most: usize,
}

impl<M: Copy> Arena<M> {
    /// Room for so many bytes of nodes, taken as they come.
    pub(super) fn new(root: Node<M>, bytes: usize) -> Arena<M> {
        let most = (bytes / size_of::<Node<M>>()).min(Index::MAX as usize);
        Arena { nodes: vec![root], most }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How much of the room is in use, in thousandths.
    pub(super) fn used_per_mille(&self) -> u32 {
        (self.nodes.len() * 1000 / self.most.max(1)).min(1000) as u32
    }

    /// How often the room that is left has halved.
    #[inline]
    pub(super) fn scarcity(&self) -> u32 {
        let left = self.most.saturating_sub(self.nodes.len()).max(1);
        (self.most / left).checked_ilog2().unwrap_or(0)
    }

    pub(super) fn children(&self, parent: Index) -> &[Node<M>] {
        &self.nodes[range_of(&self[parent])]
    }

    pub(super) fn children_mut(&mut self, parent: Index) -> &mut [Node<M>] {
        let range = range_of(&self[parent]);
        &mut self.nodes[range]
    }

    /// The root with its children alone.
    pub(super) fn top(&self) -> Arena<M> {
        let mut top = Arena { nodes: vec![self[ROOT]], most: usize::MAX };
        top.adopt(ROOT, self.children(ROOT).iter().copied());
        top
    }

    /// Adds the children of a leaf; false, and nothing is changed, if they do not fit.
    pub(super) fn adopt(&mut self, parent: Index, children: impl Iterator<Item = Node<M>>) -> bool {
        let first = self.nodes.len();
        for child in children {
            if self.nodes.len() >= self.most {
                self.nodes.truncate(first);
                return false;
            }
            self.grow();
            self.nodes.push(child);
        }
        self[parent].first_child = first as Index;
        self[parent].children = (self.nodes.len() - first) as u32;
        true
    }

    /// Makes room for one more node, at most doubling it and never beyond the limit.
    fn grow(&mut self) {
        let (used, room) = (self.nodes.len(), self.nodes.capacity());
        if used == room {
            self.nodes.reserve_exact(room.saturating_mul(2).min(self.most).max(used + 1) - used);
        }
    }

    /// Makes a node the root and forgets what is not below it. What is kept exists twice for a
    /// moment.
    pub(super) fn keep(&mut self, root: Index) {
        let mut kept = vec![self[root]];
        let mut parent = 0;
        // The list itself is the queue: what is not yet behind `parent` still has the old places.
        while parent < kept.len() {
            let old = range_of(&kept[parent]);
            kept[parent].first_child = kept.len() as Index;
            kept.extend_from_slice(&self.nodes[old]);
            parent += 1;
        }
        self.nodes = kept;
    }

    /// Begins anew.
    pub(super) fn reset(&mut self, root: Node<M>) {
        self.nodes.clear();
        self.nodes.push(root);
    }
}

fn range_of<M>(node: &Node<M>) -> Range<usize> {
    let first = node.first_child as usize;
    first..first + node.children as usize
}

impl<M> At<Index> for Arena<M> {
    type Output = Node<M>;

    #[inline]
    fn index(&self, at: Index) -> &Node<M> {
        &self.nodes[at as usize]
    }
}

impl<M> IndexMut<Index> for Arena<M> {
    #[inline]
    fn index_mut(&mut self, at: Index) -> &mut Node<M> {
        &mut self.nodes[at as usize]
    }
}
