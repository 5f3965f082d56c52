//! What a store kept comes back, what changed is written, and what nobody needs leaves the memory.

use std::collections::HashSet;

use game::TextError;

use super::Coordinator;
use super::batch::{Batch, NodeRow};
use crate::goal::Bounds;
use crate::name::NodeName;
use crate::tree::{NodeId, ROOT, SLOTS, Sight};

/// So many are remembered for results that come late.
const REMEMBERED: usize = 100_000;
/// And of those that were withdrawn, so many.
const REMEMBERED_WITHDRAWN: usize = 1_000;

impl Coordinator<'_> {
    /// Puts back what a store kept of nodes; what else it should be asked for.
    ///
    /// # Errors
    /// If a row is none of this game; the rest stays as it is.
    pub fn restore(&mut self, rows: &[NodeRow]) -> Result<Vec<NodeName>, TextError> {
        let mut wanted = Vec::new();
        for row in rows {
            // What is asked, and so what is open, follows from what is known of the root.
            if row.name.as_bytes() == self.tree.name(ROOT) {
                self.tree.restore(ROOT, row.bounds, row.tries, row.effort);
                self.ask_on();
            }
            self.take_row(row, &mut wanted)?;
        }
        self.tree.take_changed();
        self.ask_on();
        Ok(wanted)
    }

    /// What the store said to a question.
    pub(super) fn take_rows(&mut self, rows: &[NodeRow], batch: &mut Batch) {
        // Whatever it does not know is as it seems.
        for node in std::mem::take(&mut self.awaited) {
            (0..SLOTS).for_each(|slot| self.tree.set_leased(slot, node, false));
        }
        let mut wanted = Vec::new();
        for row in rows {
            if let Err(error) = self.take_row(row, &mut wanted) {
                batch.log.push(format!("a row of the store is not used: {error}"));
            }
        }
        self.want(wanted, batch);
    }

    /// Asks the store, and leaves these nodes alone meanwhile.
    pub(super) fn want(&mut self, names: Vec<NodeName>, batch: &mut Batch) {
        for name in &names {
            if let Some(node) = self.tree.find(name.as_bytes())
                && self.awaited.insert(node)
            {
                (0..SLOTS).for_each(|slot| self.tree.set_leased(slot, node, true));
            }
        }
        batch.wanted.extend(names);
    }

    fn take_row(&mut self, row: &NodeRow, wanted: &mut Vec<NodeName>) -> Result<(), TextError> {
        let Some(node) = self.tree.find(row.name.as_bytes()) else { return Ok(()) };
        let both = self.tree.bounds(node).and(row.bounds);
        if both.lower > both.upper {
            return Err(TextError::new(&row.name.to_string(), "the rules deny what a row says"));
        }
        self.tree.restore(node, row.bounds, row.tries, row.effort);
        let Some(order) = &row.order else { return Ok(()) };
        let is_open = (0..SLOTS)
            .any(|slot| self.tree.asked(slot).is_some() && self.tree.answer(slot, node).is_none());
        if !is_open && !self.is_proving() {
            self.has_forgotten = true;
            self.tree.set_absent(node);
            return Ok(());
        }
        let children = self.rules.children(&row.name, order)?;
        let sights: Vec<_> = children.into_iter().map(|child| child.sight).collect();
        let new = self.unknown(&sights);
        self.tree.expand(node, &sights);
        wanted.extend(new);
        Ok(())
    }

    /// The names of those that are not in the tree, once each.
    pub(super) fn unknown(&self, sights: &[Sight]) -> Vec<NodeName> {
        let mut names: Vec<NodeName> = sights
            .iter()
            .filter(|sight| self.tree.find(sight.name.as_bytes()).is_none())
            .map(|sight| sight.name.clone())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    pub(super) fn write_changed(&mut self, batch: &mut Batch) {
        let written: HashSet<&[u8]> = batch.nodes.iter().map(|row| row.name.as_bytes()).collect();
        let changed = self.tree.take_changed();
        let all = Bounds { lower: -self.limit, upper: self.limit };
        let is_told = |node: &NodeId| {
            let &node = node;
            // Nothing is written over what the store was just asked for, and of a node that was only
            // seen there is nothing to tell.
            let is_known = self.tree.tries(node) > 0
                || self.tree.effort(node) > 0
                || self.tree.bounds(node) != all;
            is_known && !self.awaited.contains(&node) && !written.contains(self.tree.name(node))
        };
        // Those that were expanded may have changed again since.
        let mut rows: Vec<NodeRow> =
            changed.into_iter().filter(is_told).map(|node| self.row(node, None)).collect();
        for row in &mut batch.nodes {
            if let Some(node) = self.tree.find(row.name.as_bytes()) {
                *row = self.row(node, row.order.take());
            }
        }
        batch.nodes.append(&mut rows);
    }

    pub(super) fn row(&self, node: NodeId, order: Option<Vec<u16>>) -> NodeRow {
        NodeRow {
            name: NodeName::new(self.tree.name(node)),
            bounds: self.tree.bounds(node),
            tries: self.tree.tries(node),
            effort: self.tree.effort(node),
            order,
        }
    }

    /// Keeps within memory.
    pub(super) fn forget(&mut self) {
        while self.finished.len() > REMEMBERED {
            self.finished.pop_first();
        }
        while self.withdrawn.len() > REMEMBERED_WITHDRAWN {
            if let Some(issued) = self.withdrawn.pop_front().and_then(|n| self.issued.remove(&n)) {
                self.leave(&issued);
            }
        }
        if self.tree.bytes() > self.plan.memory && !self.is_proving() {
            let before = self.tree.bytes();
            // Whoever waits for the store keeps its mark, under its new number.
            self.has_forgotten = true;
            let new = self.tree.collect();
            let awaited = std::mem::take(&mut self.awaited);
            self.awaited = awaited.into_iter().filter_map(|old| new[old as usize]).collect();
            self.loose.clear();
            // What cannot be made smaller is not tried again at every step.
            if self.tree.bytes() * 4 > before * 3 {
                self.plan.memory = self.plan.memory.saturating_mul(2);
            }
        }
    }
}
