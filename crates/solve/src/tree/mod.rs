//! [`Tree`]: what is known near the root, as a graph of nodes with bounds.
//!
//! Facts are monotone: lower bounds rise, upper bounds fall, nothing is overwritten. While questions
//! are under way, each node also has proof numbers (Allis, van der Meulen and van den Herik 1994) for
//! each, which say where an answer is nearest. Nothing here knows the game.
//!
//! The graph may have cycles. Bounds only ever follow from facts below, so that every proof is
//! well-founded: going round in circles proves nothing. Proof numbers are advice, and are left as
//! they are where they would climb for ever.
//!
//! **Layout:** 48 bytes a node, 12 an edge, names in one piece of memory: below 100 bytes a node for
//! boards of 36 squares. What is answered can be [removed](Tree::collect).
//!
//! **Invariants:** the bounds of a node follow from those of its children and from what was found out
//! about itself; who is `busy` holds no work that could be begun.

mod audit;
mod collect;
mod frontier;
mod names;
mod numbers;

use std::collections::HashSet;

use game::{MarginStep, Side};
use search::Numbers;

use crate::goal::Bounds;
use crate::name::NodeName;
pub use audit::ProofParts;
pub use frontier::FrontierCounts;
use names::{Names, Span, grow};
use numbers::Change;

/// The number of a node in its tree; it changes when the tree is [collected](Tree::collect).
pub type NodeId = u32;

/// The node that everything begins with.
pub const ROOT: NodeId = 0;

/// Questions that can be under way at once.
pub const SLOTS: usize = 2;

/// Which of the questions under way.
pub type Slot = usize;

const NONE: u32 = u32::MAX;

/// Farther than this nothing is.
const FARTHEST: u32 = 1 << 28;

/// So many nodes are worked out anew at once when another question begins.
const SWEEP: usize = 1 << 14;

/// What somebody who knows the rules says about a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Its name.
    pub name: NodeName,
    /// Whose choice it is.
    pub mover: Side,
    /// What can be seen at once: where the game is over both are the same.
    pub bounds: Bounds,
    /// How many moves there are.
    pub moves: u16,
    /// What an evaluation says to a proof about the first player's margin, within ±127.
    pub outlook: Option<i8>,
}

/// What a tree may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Children come with the most promising first, so that the first of them that is open is worth
    /// more work than the next.
    pub ordered: bool,
    /// Which margins there can be.
    pub step: MarginStep,
}

/// How a node counts for those above it while somebody works at it (Wu et al. 2013, job-level
/// proof-number search, has policies of these names; what each means for units that are tried several
/// times is our reading). Whichever it is, nobody else is sent to the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhileLeased {
    /// As before: it is only passed over.
    #[default]
    Flag,
    /// As if it was proved: others work at what a proof needs besides.
    VirtualWin,
    /// As if it was disproved: others look for another proof.
    VirtualLoss,
    /// As if what comes of the work was like what was there before: the node is still open, and its
    /// numbers are those after one more try.
    VirtualEquivalence,
}

impl WhileLeased {
    /// All of them.
    pub const ALL: [WhileLeased; 4] = [
        WhileLeased::Flag,
        WhileLeased::VirtualWin,
        WhileLeased::VirtualLoss,
        WhileLeased::VirtualEquivalence,
    ];
}

/// Two facts that cannot both be: the bounds of a node have crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction(pub NodeId);

#[derive(Clone, Debug)]
struct Node {
    name_start: u32,
    name_length: u16,
    flags: u8,
    /// How often work at it has come to nothing: each time it gets more.
    tries: u8,
    lower: i16,
    upper: i16,
    /// At most 255.
    moves: u8,
    /// [`NO_OUTLOOK`] if there is none.
    outlook: i8,
    children: u16,
    /// Of its children; `NONE` if nobody looked, or they were removed.
    first_edge: u32,
    /// The newest edge that leads here; others follow by [`Edge::next`].
    parents: u32,
    numbers: [Numbers; SLOTS],
    /// Positions visited for its sake.
    effort: u64,
}

const NO_OUTLOOK: i8 = i8::MIN;

const SECOND_MOVES: u8 = 1;
const LEASED: [u8; SLOTS] = [1 << 1, 1 << 2];
const BUSY: [u8; SLOTS] = [1 << 3, 1 << 4];
const CHANGED: u8 = 1 << 5;
const QUEUED: u8 = 1 << 6;
/// It has children, which were removed.
const ABSENT: u8 = 1 << 7;

#[derive(Clone, Copy, Debug)]
struct Edge {
    child: NodeId,
    parent: NodeId,
    /// The next edge that leads to the same child.
    next: u32,
}

/// The nodes known so far.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    names: Names,
    edges: Vec<Edge>,
    asked: [Option<i32>; SLOTS],
    manner: Manner,
    while_leased: WhileLeased,
    changed: Vec<NodeId>,
    contradiction: Option<Contradiction>,
    /// How many nodes, from the first on, still have the numbers of an earlier question.
    stale: usize,
}

impl Tree {
    /// Knows the root alone.
    ///
    /// # Panics
    /// If the name of the root is longer than any may be.
    #[must_use]
    pub fn new(root: &Sight, manner: Manner) -> Tree {
        let mut tree = Tree::empty(manner);
        let added = tree.find_or_add(root);
        assert_eq!(added, Some(ROOT), "the name of the root is too long");
        tree
    }

    fn empty(manner: Manner) -> Tree {
        Tree {
            nodes: Vec::new(),
            names: Names::default(),
            edges: Vec::new(),
            asked: [None; SLOTS],
            manner,
            while_leased: WhileLeased::Flag,
            changed: Vec::new(),
            contradiction: None,
            stale: 0,
        }
    }

    /// What it relies on.
    #[must_use]
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// There is always a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Memory in use, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.changed.capacity() * size_of::<NodeId>()
            + self.names.capacity_bytes()
    }

    /// The node of this name.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<NodeId> {
        self.names.find(name, |node| self.span(node))
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self, node: NodeId) -> &[u8] {
        self.names.get(self.span(node))
    }

    /// What is known of it.
    #[must_use]
    pub fn bounds(&self, node: NodeId) -> Bounds {
        let node = self.node(node);
        Bounds { lower: node.lower.into(), upper: node.upper.into() }
    }

    /// Whose choice it is.
    #[must_use]
    pub fn mover(&self, node: NodeId) -> Side {
        match self.node(node).flags & SECOND_MOVES {
            0 => Side::First,
            _ => Side::Second,
        }
    }

    /// How often work at it has come to nothing.
    #[must_use]
    pub fn tries(&self, node: NodeId) -> u32 {
        self.node(node).tries.into()
    }

    /// Positions visited for its sake.
    #[must_use]
    pub fn effort(&self, node: NodeId) -> u64 {
        self.node(node).effort
    }

    /// How many moves it has.
    #[must_use]
    pub fn moves(&self, node: NodeId) -> u16 {
        self.node(node).moves.into()
    }

    /// Where its moves lead, if somebody looked and it is still in memory.
    pub fn children(&self, node: NodeId) -> Option<impl ExactSizeIterator<Item = NodeId>> {
        let node = self.node(node);
        let first = (node.first_edge != NONE).then_some(node.first_edge as usize)?;
        let edges = &self.edges[first..first + usize::from(node.children)];
        Some(edges.iter().map(|edge| edge.child))
    }

    /// Whether somebody looked where its moves lead.
    #[must_use]
    pub fn is_expanded(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.first_edge != NONE || node.flags & ABSENT != 0
    }

    /// Whether its children were removed, so that a store has to be asked for them.
    #[must_use]
    pub fn is_absent(&self, node: NodeId) -> bool {
        self.node(node).flags & ABSENT != 0
    }

    /// It has children that are not in memory.
    pub fn set_absent(&mut self, node: NodeId) {
        let known = self.node_mut(node);
        if known.first_edge == NONE {
            known.flags |= ABSENT;
        }
    }

    /// How nodes count from now on while somebody works at them.
    pub fn set_while_leased(&mut self, while_leased: WhileLeased) {
        self.while_leased = while_leased;
    }

    /// A question under way.
    #[must_use]
    pub fn asked(&self, slot: Slot) -> Option<i32> {
        self.asked[slot]
    }

    /// The answer of a node to a question under way, if it is known.
    #[must_use]
    pub fn answer(&self, slot: Slot, node: NodeId) -> Option<bool> {
        self.asked[slot].and_then(|asked| self.bounds(node).answer(asked))
    }

    /// How far a node is from an answer.
    #[must_use]
    pub fn numbers(&self, slot: Slot, node: NodeId) -> Numbers {
        self.node(node).numbers[slot]
    }

    /// What was found that cannot be.
    #[must_use]
    pub fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }

    /// Begins another question, or none: numbers are worked out anew, those of a large tree
    /// little by little ([`refresh`](Tree::refresh)).
    pub fn ask(&mut self, slot: Slot, at_least: Option<i32>) {
        self.asked[slot] = at_least;
        for node in &mut self.nodes {
            node.flags &= !BUSY[slot];
        }
        self.stale = self.nodes.len();
        self.refresh();
        // Where somebody works is known at once.
        let leased = (0..self.nodes.len() as NodeId)
            .filter(|&node| self.node(node).flags & LEASED[slot] != 0)
            .collect();
        self.update(leased);
    }

    /// Works out numbers of an earlier question anew, a bounded number of them.
    pub fn refresh(&mut self) {
        let from = self.stale.saturating_sub(SWEEP);
        let mut later = Vec::new();
        for node in (from..self.stale).rev() {
            let node = node as NodeId;
            if self.rework(node) != Change::NOTHING {
                // Parents mostly come before their children, and so after them here.
                later.extend(self.parents(node).filter(|&parent| parent > node));
            }
        }
        self.stale = from;
        self.update(later);
    }

    /// Somebody works at a node for a question, or no longer does.
    pub fn set_leased(&mut self, slot: Slot, node: NodeId, leased: bool) {
        let flags = &mut self.node_mut(node).flags;
        match leased {
            true => *flags |= LEASED[slot],
            false => *flags &= !LEASED[slot],
        }
        self.update(vec![node]);
    }

    /// Whether an answer at this node could still change anything: there is a way up to the root on
    /// which nothing is answered.
    #[must_use]
    pub fn matters(&self, slot: Slot, node: NodeId) -> bool {
        let (mut seen, mut todo) = (HashSet::from([node]), vec![node]);
        while let Some(here) = todo.pop() {
            if self.asked[slot].is_none() || self.answer(slot, here).is_some() {
                continue;
            }
            if here == ROOT {
                return true;
            }
            todo.extend(self.parents(here).filter(|&parent| seen.insert(parent)));
        }
        false
    }

    /// Where somebody works for a question below nodes that were answered since what has changed was
    /// last [taken](Tree::take_changed).
    #[must_use]
    pub fn leased_below_answered(&self, slot: Slot) -> Vec<NodeName> {
        let is_answered = |&node: &NodeId| self.answer(slot, node).is_some();
        let mut todo: Vec<NodeId> = self.changed.iter().copied().filter(is_answered).collect();
        let mut seen: HashSet<NodeId> = todo.iter().copied().collect();
        let mut leased = Vec::new();
        while let Some(node) = todo.pop() {
            if self.node(node).flags & LEASED[slot] != 0 {
                leased.push(NodeName::new(self.name(node)));
            }
            // What is below another answered node was seen when that one was answered.
            let open = |child: &NodeId| self.answer(slot, *child).is_none();
            let children = self.children(node).into_iter().flatten().filter(open);
            todo.extend(children.filter(|&child| seen.insert(child)));
        }
        leased
    }

    /// What was found out about a node.
    pub fn narrow(&mut self, node: NodeId, bounds: Bounds) {
        let both = self.bounds(node).and(bounds);
        if both != self.bounds(node) {
            self.set_bounds(node, both);
            self.update_from(node);
        }
    }

    /// Work at a node has ended.
    pub fn add_effort(&mut self, node: NodeId, nodes: u64, came_to_nothing: bool) {
        let known = self.node_mut(node);
        known.effort = known.effort.saturating_add(nodes);
        known.tries = known.tries.saturating_add(u8::from(came_to_nothing));
        self.touch(node);
        self.update(vec![node]);
    }

    /// Says where the moves of a node lead; `None` if names have become too many to keep, and the
    /// node stays as it is.
    pub fn expand(&mut self, node: NodeId, children: &[Sight]) -> Option<()> {
        if self.node(node).first_edge != NONE {
            return Some(());
        }
        let mut numbers: Vec<NodeId> = Vec::with_capacity(children.len());
        for child in children {
            let number = self.find_or_add(child)?;
            // Mirror images may be one node.
            if !numbers.contains(&number) {
                numbers.push(number);
            }
            self.narrow(number, child.bounds);
        }
        if u32::try_from(self.edges.len() + numbers.len()).is_err() {
            return None;
        }
        self.link(node, &numbers);
        let known = self.node_mut(node);
        known.flags &= !ABSENT;
        self.touch(node);
        self.update(vec![node]);
        Some(())
    }

    /// Puts back what a store kept of a node that is in the tree.
    pub fn restore(&mut self, node: NodeId, bounds: Bounds, tries: u32, effort: u64) {
        let known = self.node_mut(node);
        (known.tries, known.effort) = (tries.min(255) as u8, effort);
        let both = self.bounds(node).and(bounds);
        self.set_bounds(node, both);
        self.update_from(node);
    }

    /// What has changed since this was last asked.
    pub fn take_changed(&mut self) -> Vec<NodeId> {
        for &node in &self.changed {
            self.nodes[node as usize].flags &= !CHANGED;
        }
        std::mem::take(&mut self.changed)
    }

    /// How much of the root is done: moves answered, and all of them.
    #[must_use]
    pub fn root_moves(&self) -> (usize, usize) {
        let Some(children) = self.children(ROOT) else { return (0, 0) };
        let all = children.len();
        (children.filter(|&child| self.answer(0, child).is_some()).count(), all)
    }

    /// The bounds of a node were set: those above follow, whether its numbers change or not.
    fn update_from(&mut self, node: NodeId) {
        let mut from = vec![node];
        from.extend(self.parents(node));
        self.update(from);
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn span(&self, node: NodeId) -> Span {
        let node = self.node(node);
        Span { start: node.name_start, length: node.name_length }
    }

    fn parents(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let edge = |at: u32| (at != NONE).then(|| (at, self.edges[at as usize]));
        let first = edge(self.node(node).parents);
        std::iter::successors(first, move |(_, last)| edge(last.next)).map(|(_, edge)| edge.parent)
    }

    fn set_bounds(&mut self, node: NodeId, bounds: Bounds) {
        if bounds.lower > bounds.upper {
            self.contradiction.get_or_insert(Contradiction(node));
            return;
        }
        let short = |margin: i32| margin.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let known = self.node_mut(node);
        (known.lower, known.upper) = (short(bounds.lower), short(bounds.upper));
        self.touch(node);
    }

    fn find_or_add(&mut self, sight: &Sight) -> Option<NodeId> {
        let name = sight.name.as_bytes();
        if let Some(node) = self.find(name) {
            return Some(node);
        }
        let node = u32::try_from(self.nodes.len()).ok().filter(|&node| node < NONE - 1)?;
        let nodes = &self.nodes;
        let span_of = |node: NodeId| {
            let node = &nodes[node as usize];
            Span { start: node.name_start, length: node.name_length }
        };
        let span = self.names.add(name, node, span_of)?;
        grow(&mut self.nodes, 1);
        self.nodes.push(Node {
            name_start: span.start,
            name_length: span.length,
            flags: if sight.mover == Side::Second { SECOND_MOVES } else { 0 },
            tries: 0,
            lower: i16::MIN,
            upper: i16::MAX,
            moves: sight.moves.min(255) as u8,
            outlook: sight.outlook.unwrap_or(NO_OUTLOOK),
            children: 0,
            first_edge: NONE,
            parents: NONE,
            numbers: [Numbers::NO; SLOTS],
            effort: 0,
        });
        self.set_bounds(node, sight.bounds);
        self.rework(node);
        Some(node)
    }

    /// Marks a node for the store.
    fn touch(&mut self, node: NodeId) {
        let known = &mut self.nodes[node as usize];
        if known.flags & CHANGED == 0 {
            known.flags |= CHANGED;
            self.changed.push(node);
        }
    }
}
