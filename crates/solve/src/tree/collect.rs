//! [`Tree::collect`]: answered subtrees leave the memory.

use super::{ABSENT, CHANGED, Edge, LEASED, NONE, Node, NodeId, ROOT, SLOTS, Slot, Tree, grow};

impl Tree {
    /// Removes what no question under way needs: whatever is reached from the root only through
    /// answered nodes. Their facts stay in the store; an answered node at the rim stays, without its
    /// children. Gives the new number of every node, or `None`.
    ///
    /// What has changed has to be [taken](Tree::take_changed) before, for the store.
    pub fn collect(&mut self) -> Vec<Option<NodeId>> {
        debug_assert!(self.changed.is_empty(), "what has changed would be lost");
        let (kept, followed) = self.marked();
        let mut new: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        let mut tree = Tree::empty(self.manner);
        (tree.asked, tree.contradiction) = (self.asked, self.contradiction);
        tree.while_leased = self.while_leased;
        // In the order of before, so that everything goes on in the same order.
        for old in (0..self.nodes.len()).filter(|&old| kept[old]) {
            new[old] = tree.adopt(self, old as NodeId, followed[old]);
        }
        for old in (0..self.nodes.len()).filter(|&old| followed[old]) {
            let Some(children) = self.children(old as NodeId) else { continue };
            let children = children.map(|child| new[child as usize]).collect::<Option<Vec<_>>>();
            if let (Some(parent), Some(children)) = (new[old], children) {
                tree.link(parent, &children);
            }
        }
        *self = tree;
        new
    }

    /// Which nodes are kept, and of which the children are.
    fn marked(&self) -> (Vec<bool>, Vec<bool>) {
        let mut kept = vec![false; self.nodes.len()];
        let mut followed = kept.clone();
        let mut todo = vec![ROOT];
        kept[ROOT as usize] = true;
        while let Some(node) = todo.pop() {
            let is_open =
                |slot: Slot| self.asked[slot].is_some() && self.answer(slot, node).is_none();
            if !(0..SLOTS).any(is_open) {
                continue;
            }
            followed[node as usize] = true;
            for child in self.children(node).into_iter().flatten() {
                if !std::mem::replace(&mut kept[child as usize], true) {
                    todo.push(child);
                }
            }
        }
        // Whoever works there has to find it again.
        for (node, kept) in self.nodes.iter().zip(&mut kept) {
            *kept |= LEASED.iter().any(|leased| node.flags & leased != 0);
        }
        (kept, followed)
    }

    /// Takes over a node of another tree, without its edges.
    fn adopt(&mut self, from: &Tree, old: NodeId, followed: bool) -> Option<NodeId> {
        let number = self.nodes.len() as NodeId;
        let node = from.node(old);
        let nodes = &self.nodes;
        let span_of = |node: NodeId| {
            let node: &Node = &nodes[node as usize];
            super::Span { start: node.name_start, length: node.name_length }
        };
        let span = self.names.add(from.name(old), number, span_of)?;
        let loses_children = node.first_edge != NONE && !followed;
        let flags = node.flags & !CHANGED | if loses_children { ABSENT } else { 0 };
        grow(&mut self.nodes, 1);
        self.nodes.push(Node {
            name_start: span.start,
            first_edge: NONE,
            parents: NONE,
            children: 0,
            flags,
            ..node.clone()
        });
        Some(number)
    }

    /// Puts edges between nodes that are there.
    pub(super) fn link(&mut self, parent: NodeId, children: &[NodeId]) {
        let first = self.edges.len() as u32;
        grow(&mut self.edges, children.len());
        for &child in children {
            let next = self.node(child).parents;
            self.node_mut(child).parents = self.edges.len() as u32;
            self.edges.push(Edge { child, parent, next });
        }
        let node = self.node_mut(parent);
        (node.first_edge, node.children) = (first, children.len() as u16);
    }
}
