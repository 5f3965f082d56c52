//! [`into_pieces`]: a proof that is too large for one file becomes several.
//!
//! A node is cut off as a lemma where the file of a node above it would get too large. What lies
//! below a cut is in the file of the lemma and of nobody else; what two files reach without a cut
//! is in both. So a node that several lead to, and that has much below it, is cut off too.

use std::collections::{BTreeMap, HashMap};

use certificate::{Claim, Header, Lemma, LemmaHash, MOST_LEMMAS, Step, Writer};
use game::Notation;

use super::CertifyError;
use super::growth::{Growth, Link, Node, UsedLemma};

/// What goes into one file: nodes in the order of the file.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) claim: Claim,
    nodes: Vec<Node>,
    lemmas: Vec<UsedLemma>,
}

/// A node with several above it is cut off if its file has at least one in so many of the nodes
/// that a file may have.
const SHARED: u64 = 16;

/// Takes what becomes a lemma; its hash, and its position as text.
type KeepLemma<'a, P> = dyn FnMut(&P, Piece) -> Result<(LemmaHash, String), CertifyError> + 'a;

/// Cuts a proof into pieces of about so many nodes. `keep` is given those that become lemmas, each
/// after all it refers to, and gives their hash and position; what is left is the root.
pub(super) fn into_pieces<G: Notation>(
    game: &G,
    growth: Growth<G::Position>,
    most_nodes: u64,
    keep: &mut KeepLemma<'_, G::Position>,
) -> Result<Piece, CertifyError> {
    if growth.nodes.len() as u64 <= most_nodes {
        return Ok(Piece::whole(growth));
    }
    // A lemma is found by the text of its position, so that must say all of it.
    let is_text =
        |p: &G::Position| game.read_position(&game.write_position(p)).is_ok_and(|read| read == *p);
    let mut cutter = Cutter::new(&growth.nodes, most_nodes);
    cutter.cut(&|node| is_text(&growth.positions[node as usize]));
    let Cutter { is_cut, mut seen, .. } = cutter;
    let mut made: HashMap<u32, UsedLemma> = HashMap::new();
    for node in (0..growth.nodes.len() as u32).filter(|&node| is_cut[node as usize]) {
        let piece = Piece::part(&growth, node, &is_cut, &made, &mut seen);
        let claim = growth.claim;
        let (hash, position) = keep(&growth.positions[node as usize], piece)?;
        made.insert(node, UsedLemma { hash, position, claim });
    }
    let root = growth.nodes.len() as u32 - 1;
    Ok(Piece::part(&growth, root, &is_cut, &made, &mut seen))
}

impl Piece {
    /// All of a proof.
    pub(super) fn whole<P>(growth: Growth<P>) -> Piece {
        let Growth { claim, mut nodes, lemmas, .. } = growth;
        let last = nodes.len() as u32;
        nodes.reverse();
        for link in nodes.iter_mut().flat_map(Node::links_mut) {
            if let Link::To(to, _) = link {
                *to = last - 1 - *to;
            }
        }
        Piece { claim, nodes, lemmas }
    }

    /// What is reached from a node without a cut.
    fn part<P>(
        growth: &Growth<P>,
        first: u32,
        is_cut: &[bool],
        made: &HashMap<u32, UsedLemma>,
        seen: &mut Seen,
    ) -> Piece {
        let mut within = Vec::new();
        seen.reach(&growth.nodes, first, is_cut, &mut |node| within.push(node));
        // Each node after all that lead to it.
        within.sort_unstable_by(|a, b| b.cmp(a));
        let places: HashMap<u32, u32> = within.iter().copied().zip(0..).collect();
        let mut piece = Piece { claim: growth.claim, nodes: Vec::new(), lemmas: Vec::new() };
        let mut numbers: HashMap<LemmaHash, u32> = HashMap::new();
        for node in within {
            let mut node = growth.nodes[node as usize].clone();
            for link in node.links_mut() {
                let (lemma, symmetry) = match *link {
                    Link::Settled => continue,
                    Link::To(to, symmetry) if !is_cut[to as usize] => {
                        *link = Link::To(places[&to], symmetry);
                        continue;
                    }
                    Link::To(to, symmetry) => (&made[&to], symmetry),
                    Link::Lemma(lemma, symmetry) => (&growth.lemmas[lemma as usize], symmetry),
                };
                let number = *numbers.entry(lemma.hash).or_insert_with(|| {
                    piece.lemmas.push(lemma.clone());
                    piece.lemmas.len() as u32 - 1
                });
                *link = Link::Lemma(number, symmetry);
            }
            piece.nodes.push(node);
        }
        piece
    }
}

/// Writes a file with a proof of one claim, or of two.
pub(super) fn write(header: Header, pieces: &[Piece]) -> Vec<u8> {
    let used = pieces.iter().flat_map(|piece| &piece.lemmas).map(|lemma| (lemma.hash, lemma));
    let used: BTreeMap<LemmaHash, &UsedLemma> = used.collect();
    let table: Vec<Lemma<'_>> = used
        .values()
        .map(|lemma| Lemma { hash: lemma.hash, position: &lemma.position, claim: lemma.claim })
        .collect();
    let numbers: HashMap<LemmaHash, u32> = used.keys().copied().zip(0..).collect();
    let mut writer = Writer::with_lemmas(header, &table);
    for piece in pieces {
        let mut proof = writer.proof(piece.claim);
        for (node, place) in piece.nodes.iter().zip(0..) {
            let step = |link: &Link| match *link {
                Link::Settled => Step::Settled,
                Link::To(to, symmetry) => Step::To { ahead: u64::from(to - place), symmetry },
                Link::Lemma(lemma, symmetry) => {
                    let lemma = numbers[&piece.lemmas[lemma as usize].hash];
                    Step::Lemma { lemma, symmetry }
                }
            };
            match node {
                Node::Choice(code, link) => proof.choice(*code, step(link)),
                Node::Hopeless => proof.hopeless(),
                Node::Pairs(pairs) => proof.pairs(pairs),
                Node::All(links) => proof.all(&links.iter().map(step).collect::<Vec<_>>()),
            }
        }
        writer.add(proof);
    }
    writer.finish()
}

/// What the file of a node would hold.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: u64,
    lemmas: u64,
}

/// Which nodes were met on the way from a node.
struct Seen {
    /// The number of the way on which each was met last.
    way: Vec<u32>,
    now: u32,
    waiting: Vec<u32>,
}

impl Seen {
    /// Meets each node that is reached from one without passing a cut, once; how large their file
    /// is.
    fn reach(
        &mut self,
        nodes: &[Node],
        first: u32,
        is_cut: &[bool],
        meet: &mut dyn FnMut(u32),
    ) -> Size {
        self.now += 1;
        let mut size = Size::default();
        self.way[first as usize] = self.now;
        self.waiting.push(first);
        while let Some(node) = self.waiting.pop() {
            meet(node);
            size.nodes += 1;
            for link in nodes[node as usize].links() {
                match *link {
                    Link::Settled => {}
                    // Those that were there before are few, so they may count several times.
                    Link::Lemma(..) => size.lemmas += 1,
                    Link::To(to, _) => {
                        let is_new =
                            std::mem::replace(&mut self.way[to as usize], self.now) != self.now;
                        match is_cut[to as usize] {
                            _ if !is_new => {}
                            true => size.lemmas += 1,
                            false => self.waiting.push(to),
                        }
                    }
                }
            }
        }
        size
    }
}

struct Cutter<'n> {
    nodes: &'n [Node],
    most: Size,
    is_cut: Vec<bool>,
    seen: Seen,
    /// How large the file of each node would be at most.
    sizes: Vec<Size>,
}

impl<'n> Cutter<'n> {
    fn new(nodes: &'n [Node], most_nodes: u64) -> Cutter<'n> {
        Cutter {
            nodes,
            most: Size { nodes: most_nodes, lemmas: MOST_LEMMAS },
            is_cut: vec![false; nodes.len()],
            seen: Seen { way: vec![0; nodes.len()], now: 0, waiting: Vec::new() },
            sizes: Vec::with_capacity(nodes.len()),
        }
    }

    fn cut(&mut self, may_be_cut: &dyn Fn(u32) -> bool) {
        let mut above = vec![0u8; self.nodes.len()];
        for link in self.nodes.iter().flat_map(Node::links) {
            if let Link::To(to, _) = *link {
                above[to as usize] = above[to as usize].saturating_add(1);
            }
        }
        for node in 0..self.nodes.len() as u32 {
            let mut size = self.at_most(node);
            if self.is_too_large(size) {
                size = self.reach(node);
            }
            while self.is_too_large(size) {
                let Some(largest) = self.largest_below(node, may_be_cut) else { break };
                self.is_cut[largest as usize] = true;
                size = self.reach(node);
            }
            self.sizes.push(size);
            let is_shared =
                above[node as usize] > 1 && size.nodes >= (self.most.nodes / SHARED).max(2);
            self.is_cut[node as usize] = is_shared && may_be_cut(node);
        }
        // That is the root, which is no lemma.
        if let Some(last) = self.is_cut.last_mut() {
            *last = false;
        }
    }

    fn is_too_large(&self, size: Size) -> bool {
        size.nodes > self.most.nodes || size.lemmas > self.most.lemmas
    }

    /// The sum of what is below, as if nothing were shared.
    fn at_most(&self, node: u32) -> Size {
        let mut size = Size { nodes: 1, lemmas: 0 };
        for link in self.nodes[node as usize].links() {
            match *link {
                Link::Settled => {}
                Link::To(to, _) if !self.is_cut[to as usize] => {
                    size.nodes += self.sizes[to as usize].nodes;
                    size.lemmas += self.sizes[to as usize].lemmas;
                }
                Link::To(..) | Link::Lemma(..) => size.lemmas += 1,
            }
        }
        size
    }

    fn reach(&mut self, node: u32) -> Size {
        self.seen.reach(self.nodes, node, &self.is_cut, &mut |_| {})
    }

    /// The node right below whose file would be the largest.
    fn largest_below(&self, node: u32, may_be_cut: &dyn Fn(u32) -> bool) -> Option<u32> {
        let below = self.nodes[node as usize].links().iter().filter_map(|link| match *link {
            Link::To(to, _) if !self.is_cut[to as usize] => Some(to),
            _ => None,
        });
        let below = below.filter(|&to| may_be_cut(to));
        below.max_by_key(|&to| self.sizes[to as usize].nodes)
    }
}
