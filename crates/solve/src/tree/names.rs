//! [`Names`]: the names of all nodes in one piece of memory, and nodes found by name.

use crate::tree::NodeId;

/// Names one after the other, and a hash table of node numbers with linear probing.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    /// One more than a node's number; 0 where there is none. A power of two, at most three quarters
    /// full.
    slots: Vec<u32>,
    count: usize,
}

/// Where a name lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) length: u16,
}

impl Names {
    pub(super) fn get(&self, span: Span) -> &[u8] {
        let start = span.start as usize;
        &self.bytes[start..start + usize::from(span.length)]
    }

    /// The node of this name.
    pub(super) fn find(&self, name: &[u8], span_of: impl Fn(NodeId) -> Span) -> Option<NodeId> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(name) as usize & mask;
        loop {
            let node = self.slots[at].checked_sub(1)?;
            if self.get(span_of(node)) == name {
                return Some(node);
            }
            at = (at + 1) & mask;
        }
    }

    /// Takes the name of a new node; `None` if all names together have become too long.
    pub(super) fn add(
        &mut self,
        name: &[u8],
        node: NodeId,
        span_of: impl Fn(NodeId) -> Span,
    ) -> Option<Span> {
        let start = u32::try_from(self.bytes.len()).ok()?;
        let length = u16::try_from(name.len()).ok()?;
        grow(&mut self.bytes, name.len());
        self.bytes.extend(name);
        self.count += 1;
        if self.count * 4 > self.slots.len() * 3 {
            self.spread(node, span_of);
        }
        self.put(hash(name), node);
        Some(Span { start, length })
    }

    /// Memory in use.
    pub(super) fn capacity_bytes(&self) -> usize {
        self.bytes.capacity() + self.slots.capacity() * size_of::<u32>()
    }

    /// Doubles the table, and puts every node before this one into it again.
    fn spread(&mut self, before: NodeId, span_of: impl Fn(NodeId) -> Span) {
        self.slots = vec![0; (self.slots.len() * 2).max(16)];
        for node in 0..before {
            let name = hash(self.get(span_of(node)));
            self.put(name, node);
        }
    }

    fn put(&mut self, hash: u64, node: NodeId) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = node + 1;
    }
}

/// Makes room by an eighth at a time: doubling would leave half of the memory unused.
pub(super) fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 8).max(16));
    }
}

/// Mixed eight bytes at a time. Only where a node lies in memory depends on
/// it, so that it is no part of any format.
fn hash(name: &[u8]) -> u64 {
    let (words, rest) = name.as_chunks::<8>();
    let step = |sum: u64, word: u64| game::mix(sum ^ word);
    let sum =
        words.iter().fold(name.len() as u64, |sum, word| step(sum, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    step(sum, u64::from_le_bytes(last))
}
