//! [`TreeWalk`]: the tree of a game to a depth, node by node.
//!
//! Depth first, the moves of a node in the order in which the rules list them, so that the path of
//! the last node says where to go on: what the generator of 2008 kept as its "CheckpointVector".

use std::collections::HashMap;

use game::TextError;
use play::Session;
use serde::{Deserialize, Serialize};
use solve::{NodeName, SolverRules};

/// A node on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkedNode {
    /// What it is told from others by: the bytes of its [`NodeName`], or in a plain tree the text of
    /// its position.
    pub key: Vec<u8>,
    /// How many moves lead there.
    pub ply: u32,
    /// Whether it lies at the depth asked for, where units begin.
    pub is_unit: bool,
    /// Whether it was there before: in a plain tree once more, elsewhere nearer to the root.
    pub is_again: bool,
    /// If it is no unit: its moves by their places among the legal ones.
    pub order: Vec<u16>,
}

impl WalkedNode {
    /// Its name, where the tree is not plain.
    #[must_use]
    pub fn name(&self) -> NodeName {
        NodeName::new(self.key.clone())
    }
}

/// What a walk has come to so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkCounts {
    /// Nodes that become units.
    pub made: u64,
    /// Nodes that are stored, units among them.
    pub stored: u64,
    /// Nodes where the game is over: the rules tell their value, so that nothing is stored.
    pub skipped: u64,
    /// Nodes that had been met before. In a plain tree they are stored and made all the same.
    pub duplicate: u64,
}

/// A node before it is known what becomes of it.
#[derive(Clone, Debug)]
struct Met {
    key: Vec<u8>,
    place: u16,
    is_over: bool,
    /// The moves that lead there, where the session has to play them.
    moves: Vec<String>,
}

/// Where nodes come from.
trait TreeSource {
    fn root(&mut self) -> Result<Met, TextError>;
    fn children(&mut self, of: &Met) -> Result<Vec<Met>, TextError>;
}

/// Images of a position are one node.
struct Merged<'r>(&'r dyn SolverRules);

impl TreeSource for Merged<'_> {
    fn root(&mut self) -> Result<Met, TextError> {
        let sight = self.0.sight(&self.0.root())?;
        let (key, is_over) = (sight.name.as_bytes().to_vec(), sight.moves == 0);
        Ok(Met { key, place: 0, is_over, moves: Vec::new() })
    }

    fn children(&mut self, of: &Met) -> Result<Vec<Met>, TextError> {
        let children = self.0.children(&NodeName::new(of.key.clone()), &[])?;
        let met = |child: solve::Child| Met {
            key: child.sight.name.as_bytes().to_vec(),
            place: child.place,
            is_over: child.sight.moves == 0,
            moves: Vec::new(),
        };
        Ok(children.into_iter().map(met).collect())
    }
}

/// Every position is what its text says.
struct Plain(Box<dyn Session>, usize);

impl Plain {
    fn here(&self, place: u16, moves: Vec<String>) -> Met {
        let Plain(session, _) = self;
        let is_over = session.outcome().is_some() || session.moves().is_empty();
        Met { key: session.position().into_bytes(), place, is_over, moves }
    }
}

impl TreeSource for Plain {
    fn root(&mut self) -> Result<Met, TextError> {
        Ok(self.here(0, Vec::new()))
    }

    fn children(&mut self, of: &Met) -> Result<Vec<Met>, TextError> {
        while self.0.plies() > self.1 && self.0.undo() {}
        for text in &of.moves {
            self.0.play(text)?;
        }
        let mut children = Vec::new();
        for (place, text) in (0..).zip(self.0.moves()) {
            self.0.play(&text)?;
            let moves = of.moves.iter().cloned().chain([text]).collect();
            children.push(self.here(place, moves));
            self.0.undo();
        }
        Ok(children)
    }
}

/// The children of a node on the path, and which of them comes next.
struct Frame {
    children: Vec<Met>,
    next: usize,
}

/// See the module. An iterator over all nodes that are stored; after an error it has ended.
#[allow(missing_debug_implementations, reason = "it holds the rules of a game")]
pub struct TreeWalk<'s> {
    source: Box<dyn TreeSource + 's>,
    depth: u32,
    is_plain: bool,
    /// At which ply a node was met, the lowest if there were several.
    seen: HashMap<Vec<u8>, u32>,
    stack: Vec<Frame>,
    has_begun: bool,
    counts: WalkCounts,
}

impl<'s> TreeWalk<'s> {
    /// As projects store it: transpositions and images of a position are one node.
    #[must_use]
    pub fn merged(rules: &'s dyn SolverRules, depth: u32) -> TreeWalk<'s> {
        TreeWalk::new(Box::new(Merged(rules)), depth, false)
    }

    /// Every node of the tree from where the session stands, also where it was met before.
    #[must_use]
    pub fn plain(session: Box<dyn Session>, depth: u32) -> TreeWalk<'s> {
        let plies = session.plies();
        TreeWalk::new(Box::new(Plain(session, plies)), depth, true)
    }

    fn new(source: Box<dyn TreeSource + 's>, depth: u32, is_plain: bool) -> TreeWalk<'s> {
        let (seen, stack, counts) = (HashMap::new(), Vec::new(), WalkCounts::default());
        TreeWalk { source, depth, is_plain, seen, stack, has_begun: false, counts }
    }

    /// What it has come to so far.
    #[must_use]
    pub fn counts(&self) -> WalkCounts {
        self.counts
    }

    /// Where it is: on each ply, which child of its parent the last node is. Empty at the root.
    #[must_use]
    pub fn path(&self) -> Vec<u32> {
        // The children of the last node itself, if it has any, are not begun yet.
        let begun = self.stack.iter().filter(|frame| frame.next > 0);
        begun.map(|frame| frame.next as u32 - 1).collect()
    }

    /// Goes on to the node of this path, as if it had just come from there; whether there is one.
    /// All before it are walked over again, so that what was met before is known.
    ///
    /// # Errors
    /// What the rules say against a node.
    pub fn go_to(&mut self, path: &[u32]) -> Result<bool, TextError> {
        while let Some(node) = self.next() {
            node?;
            if self.path() == path {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What becomes of a node; `None` if it is passed over.
    fn visit(&mut self, met: &Met, ply: u32) -> Result<Option<WalkedNode>, TextError> {
        if met.is_over {
            self.counts.skipped += 1;
            return Ok(None);
        }
        let before = self.seen.get(&met.key).copied();
        let is_again = before.is_some();
        self.counts.duplicate += u64::from(is_again && (self.is_plain || before <= Some(ply)));
        if !self.is_plain && before.is_some_and(|before| before <= ply) {
            return Ok(None);
        }
        self.seen.insert(met.key.clone(), ply.min(before.unwrap_or(ply)));
        let is_unit = ply == self.depth;
        let is_new = self.is_plain || !is_again;
        self.counts.stored += u64::from(is_new);
        self.counts.made += u64::from(is_unit && is_new);
        // Met nearer to the root: units begin further down.
        self.counts.made -= u64::from(!self.is_plain && before == Some(self.depth));
        let mut order = Vec::new();
        if !is_unit {
            let children = self.source.children(met)?;
            order.extend(children.iter().map(|child| child.place));
            self.stack.push(Frame { children, next: 0 });
        }
        let key = met.key.clone();
        Ok(Some(WalkedNode { key, ply, is_unit, is_again, order }))
    }

    /// The next node that is met.
    fn advance(&mut self) -> Result<Option<(Met, u32)>, TextError> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return self.source.root().map(|root| Some((root, 0)));
        }
        while let Some(frame) = self.stack.last_mut() {
            if let Some(met) = frame.children.get(frame.next) {
                frame.next += 1;
                return Ok(Some((met.clone(), self.stack.len() as u32)));
            }
            self.stack.pop();
        }
        Ok(None)
    }
}

impl Iterator for TreeWalk<'_> {
    type Item = Result<WalkedNode, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = self.advance().transpose()?;
            match next.and_then(|(met, ply)| self.visit(&met, ply)) {
                Ok(None) => {}
                Ok(Some(node)) => return Some(Ok(node)),
                Err(error) => {
                    self.stack.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    const WORKED_EXAMPLE: &str = "000010211100122210212110200000000000;1";

    fn plain(game: &str, position: Option<&str>, depth: u32) -> TreeWalk<'static> {
        let mut session = catalog::open(game).unwrap().session();
        if let Some(position) = position {
            session.set_position(position).unwrap();
        }
        TreeWalk::plain(session, depth)
    }

    /// Nodes on each ply, and what is counted.
    fn walked(mut walk: TreeWalk<'_>) -> (Vec<usize>, WalkCounts) {
        let mut plies = Vec::new();
        for node in walk.by_ref() {
            let ply = node.unwrap().ply as usize;
            plies.resize(plies.len().max(ply + 1), 0);
            plies[ply] += 1;
        }
        (plies, walk.counts())
    }

    fn merged(game: &str, position: Option<&str>, depth: u32) -> (Vec<usize>, WalkCounts) {
        let game = catalog::open(game).unwrap();
        let root = position.map_or_else(|| game.session().position(), str::to_owned);
        walked(TreeWalk::merged(&*game.solver_rules(&root).unwrap(), depth))
    }

    /// A plain tree has as many nodes as perft counts.
    #[test]
    fn the_examples_of_2008() {
        let (plies, counts) = walked(plain("reversi:6x6", Some(WORKED_EXAMPLE), 2));
        assert_eq!(plies, [1, 11, 53]);
        assert_eq!(counts, WalkCounts { made: 53, stored: 65, skipped: 0, duplicate: 0 });
        let (plies, counts) = walked(plain("reversi:6x6", None, 3));
        assert_eq!(plies, [1, 4, 12, 56]);
        assert_eq!(counts, WalkCounts { made: 56, stored: 73, skipped: 0, duplicate: 2 });
    }

    #[test]
    fn the_same_with_images_merged() {
        let (plies, counts) = merged("reversi:6x6", Some(WORKED_EXAMPLE), 2);
        assert_eq!((plies, counts.made), (vec![1, 11, 53], 53));
        let (plies, counts) = merged("reversi:6x6", None, 3);
        assert_eq!((plies, counts.made), (vec![1, 1, 3, 14], 14));
    }

    /// Three in a row within five plies: what is over is no unit.
    #[test]
    fn what_is_over_is_passed_over() {
        let (plies, counts) = walked(plain("mnk:3x3,k=3", None, 5));
        assert_eq!(plies, [1, 9, 72, 504, 3024, 15_120 - 1440]);
        assert_eq!(counts.skipped, 1440);
        assert_eq!(counts.made, 15_120 - 1440);
    }

    /// From wherever it stopped a walk goes on as if it had not.
    #[test]
    fn a_walk_goes_on_from_its_path() {
        let game = catalog::open("reversi:6x6").unwrap();
        let rules = game.solver_rules(&game.session().position()).unwrap();
        let all: Vec<_> = TreeWalk::merged(&*rules, 4).map(Result::unwrap).collect();
        for stop in 1..=all.len() {
            let mut first = TreeWalk::merged(&*rules, 4);
            let before: Vec<_> = first.by_ref().take(stop).map(Result::unwrap).collect();
            let mut second = TreeWalk::merged(&*rules, 4);
            assert!(second.go_to(&first.path()).unwrap());
            assert_eq!(second.counts(), first.counts());
            let after = second.by_ref().map(Result::unwrap);
            assert_eq!(before.into_iter().chain(after).collect::<Vec<_>>(), all);
        }
        assert!(!TreeWalk::merged(&*rules, 4).go_to(&[99]).unwrap());
    }

    /// Passes may lead to a position by ways of different lengths.
    #[test]
    fn a_shorter_way_is_walked_again() {
        struct Two;
        impl TreeSource for Two {
            fn root(&mut self) -> Result<Met, TextError> {
                Ok(met(0, 0))
            }
            fn children(&mut self, of: &Met) -> Result<Vec<Met>, TextError> {
                // 0 leads to 1 and 2, 1 to 2, everything else to the next one.
                Ok(match of.key[0] {
                    0 => vec![met(1, 0), met(2, 1)],
                    key => vec![met(key + 1, 0)],
                })
            }
        }
        fn met(key: u8, place: u16) -> Met {
            Met { key: vec![key], place, is_over: false, moves: Vec::new() }
        }
        let mut walk = TreeWalk::new(Box::new(Two), 2, false);
        let met: Vec<_> = walk.by_ref().map(Result::unwrap).collect();
        let keys: Vec<_> = met.iter().map(|node| (node.key[0], node.is_unit)).collect();
        assert_eq!(keys, [(0, false), (1, false), (2, true), (2, false), (3, true)]);
        assert!(met[3].is_again);
        let counts = WalkCounts { made: 1, stored: 4, skipped: 0, duplicate: 0 };
        assert_eq!(walk.counts(), counts);
    }
}
