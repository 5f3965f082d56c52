//! [`Certificate`]: the bytes of a file, known to be well formed.
//!
//! ```text
//! "ZERMELO-PROOF" version game position symmetries leaf-budget lemmas claims checksum
//! lemmas: number { hash position kind bound }     version 2 alone
//! claims: number { kind bound nodes { node } }
//! node:  2 × code + 1, step              one chosen move
//!        2 × moves, { step }             an answer to each move, in ascending order of their codes
//!        0 0                             the other side needs too much to win
//!        0 pairs + 1, { code code }      each set of moves that it needs holds one of these pairs
//! step:  0                               settled
//!        symmetries × ahead + symmetry   the position after the move, so turned, is that of the node so far ahead
//!        in version 2 instead of the last:
//!        symmetries × 2 ahead + symmetry         the same
//!        symmetries × (2 lemma + 1) + symmetry   … is that of the lemma of this number
//! ```
//!
//! A certificate without lemmas has version 1, so that it has one spelling.

use game::Side;

use crate::bytes::Cursor;
use crate::checksum::crc32;
use crate::claim::Claim;
use crate::lemma::{Lemma, LemmaHash};
use crate::refusal::{Refusal, RefusalPlace};

/// How every certificate begins.
pub const MAGIC: &[u8] = b"ZERMELO-PROOF";

/// The version of a certificate that uses no lemmas.
pub const VERSION: u8 = 1;

/// The version of one that does.
pub const VERSION_WITH_LEMMAS: u8 = 2;

/// So many lemmas may one certificate use: who needs more makes lemmas that use lemmas.
pub const MOST_LEMMAS: u64 = 1 << 16;

/// No leaf may ask for a search of more positions: that is about a second.
pub const LARGEST_LEAF_BUDGET: u64 = 1 << 24;

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game with its parameters: `mnk:6x7,k=4,gravity`.
    pub game: String,
    /// The position, empty for the start of the game.
    pub position: String,
    /// How many symmetries of the game the edges may use: all it has, or 1 for none but the
    /// identity.
    pub symmetries: u8,
    /// How many positions the checker may visit to settle a leaf; from 1, which only allows games
    /// that are over, to [`LARGEST_LEAF_BUDGET`].
    pub leaf_budget: u64,
}

/// A well-formed certificate. Whether it is true is another matter: see [`verify`](crate::verify).
#[derive(Clone, Debug)]
pub struct Certificate<'b> {
    header: Header,
    lemmas: Vec<Lemma<'b>>,
    proofs: Vec<ProofGraph<'b>>,
}

/// One claim, and the graph that proves it.
#[derive(Clone, Debug)]
pub struct ProofGraph<'b> {
    claim: Claim,
    nodes: u64,
    edges: u64,
    leaves: u64,
    graph: Graph<'b>,
}

/// How a node begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The hoping side plays the move with this [`code`](game::Game::code). One step follows.
    Choice(u32),
    /// The other side may play any of its moves, of which there are so many. As many steps follow,
    /// in ascending order of the codes of the moves.
    All(u64),
    /// The other side does not win, since what it needs is too much (Erdős and Selfridge 1973).
    /// Nothing follows.
    Hopeless,
    /// The other side does not win, since of so many pairs of moves one is part of whatever it
    /// needs (Hales and Jewett 1963): whenever it takes one, the hoping side takes the other. They
    /// follow.
    Pairs(u64),
}

/// What comes of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The game is over as claimed, or the checker's search finds that it will be.
    Settled,
    /// The image of the position under this symmetry is the position of the node so far ahead.
    To {
        /// At least 1.
        ahead: u64,
        /// Below the number in the header.
        symmetry: u8,
    },
    /// The image of the position under this symmetry is the position of a lemma, which says enough.
    Lemma {
        /// Its number in the table.
        lemma: u32,
        /// Below the number in the header.
        symmetry: u8,
    },
}

impl<'b> Certificate<'b> {
    /// Reads a certificate and makes sure that it is well formed to the last byte: one pass, and
    /// nothing is copied.
    ///
    /// # Errors
    /// Names the first byte or node that is not as it should be.
    pub fn read(bytes: &'b [u8]) -> Result<Certificate<'b>, Refusal> {
        let mut cursor = Cursor::new(checked(bytes)?);
        cursor.take(MAGIC.len() as u64)?;
        let with_lemmas = cursor.byte()? == VERSION_WITH_LEMMAS;
        let header = Header {
            game: cursor.text("the game")?.to_owned(),
            position: cursor.text("the position")?.to_owned(),
            symmetries: cursor.number_within(1, 255, "the number of symmetries")? as u8,
            leaf_budget: cursor.number_within(1, LARGEST_LEAF_BUDGET, "the budget of a leaf")?,
        };
        let lemmas = if with_lemmas { read_lemmas(&mut cursor)? } else { Vec::new() };
        let claims = cursor.number_within(1, 2, "the number of claims")?;
        let mut proofs = Vec::new();
        let mut used = vec![false; lemmas.len()];
        for _ in 0..claims {
            proofs.push(ProofGraph::read(&mut cursor, header.symmetries, &mut used)?);
        }
        // One order, so that a certificate has one spelling.
        if let [first, second] = &proofs[..]
            && (first.claim.hoping(), second.claim.hoping()) != (Side::First, Side::Second)
        {
            let why = "has two claims, which are not a lower bound followed by an upper one";
            return Err(Refusal::new(RefusalPlace::File, why));
        }
        if !cursor.is_at_end() {
            return Err(Cursor::wrong(cursor.at(), "comes after the end of the last proof"));
        }
        if let Some(lemma) = used.iter().position(|used| !used) {
            let why = format!("names lemma {lemma}, {}, and does not use it", lemmas[lemma].hash);
            return Err(Refusal::new(RefusalPlace::File, why));
        }
        Ok(Certificate { header, lemmas, proofs })
    }

    /// What it is about.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What it rests on: in ascending order of their hashes, each used at least once.
    #[must_use]
    pub fn lemmas(&self) -> &[Lemma<'b>] {
        &self.lemmas
    }

    /// One proof, or a lower and an upper bound.
    #[must_use]
    pub fn proofs(&self) -> &[ProofGraph<'b>] {
        &self.proofs
    }

    /// How many nodes all proofs have together.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.proofs.iter().map(ProofGraph::nodes).sum()
    }

    /// How many steps of all proofs lead to nodes.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.proofs.iter().map(ProofGraph::edges).sum()
    }

    /// How many positions all proofs leave to the checker.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.proofs.iter().map(ProofGraph::leaves).sum()
    }
}

impl<'b> ProofGraph<'b> {
    fn read(
        cursor: &mut Cursor<'b>,
        symmetries: u8,
        used: &mut [bool],
    ) -> Result<ProofGraph<'b>, Refusal> {
        let claim = cursor.claim()?;
        let nodes = cursor.number()?;
        let graph = Graph { cursor: cursor.clone(), symmetries, with_lemmas: !used.is_empty() };
        let mut proof = ProofGraph { claim, nodes, edges: 0, leaves: u64::from(nodes == 0), graph };
        *cursor = proof.walk(used)?;
        Ok(proof)
    }

    /// Counts what the graph holds, notes which lemmas it uses, and makes sure that no step leads
    /// elsewhere; gives the place behind it.
    fn walk(&mut self, used: &mut [bool]) -> Result<Cursor<'b>, Refusal> {
        let mut graph = self.graph.clone();
        for node in 0..self.nodes {
            let steps = match graph.head()? {
                Head::Choice(_) => 1,
                Head::All(moves) => moves,
                Head::Hopeless => 0,
                Head::Pairs(pairs) => {
                    for _ in 0..pairs {
                        graph.pair()?;
                    }
                    0
                }
            };
            let refused = |why| Err(Refusal::new(RefusalPlace::Node(self.claim, node), why));
            for _ in 0..steps {
                match graph.step()? {
                    Step::Settled => self.leaves += 1,
                    Step::To { ahead, .. } if ahead < self.nodes - node => self.edges += 1,
                    Step::To { ahead, .. } => {
                        return refused(format!(
                            "leads {ahead} nodes ahead, out of the graph of {} nodes",
                            self.nodes
                        ));
                    }
                    Step::Lemma { lemma, .. } => match used.get_mut(lemma as usize) {
                        Some(used) => *used = true,
                        None => {
                            let there = used.len();
                            return refused(format!("uses lemma {lemma}; there are {there}"));
                        }
                    },
                }
            }
        }
        Ok(graph.cursor)
    }

    /// What it proves.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// How many nodes the graph has; none if the checker settles the position itself.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many steps lead to nodes.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// How many positions are left to the checker: as many as there are steps that lead to no node,
    /// or the one position if there are no nodes.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// The graph from its first node on.
    #[must_use]
    pub fn graph(&self) -> Graph<'b> {
        self.graph.clone()
    }
}

/// The nodes of a proof, read one after the other: for each its head, then its steps.
#[derive(Clone, Debug)]
pub struct Graph<'b> {
    cursor: Cursor<'b>,
    symmetries: u8,
    with_lemmas: bool,
}

impl Graph<'_> {
    /// How the next node begins.
    ///
    /// # Errors
    /// If no node begins here.
    pub fn head(&mut self) -> Result<Head, Refusal> {
        let at = self.cursor.at();
        match self.cursor.number()? {
            0 => Ok(match self.cursor.number()? {
                0 => Head::Hopeless,
                pairs => Head::Pairs(pairs - 1),
            }),
            moves if moves & 1 == 0 => Ok(Head::All(moves / 2)),
            code => Graph::code(at, code / 2).map(Head::Choice),
        }
    }

    /// The next pair of this node: the codes of two moves.
    ///
    /// # Errors
    /// If there is none.
    pub fn pair(&mut self) -> Result<[u32; 2], Refusal> {
        let mut code = || {
            let at = self.cursor.at();
            Graph::code(at, self.cursor.number()?)
        };
        Ok([code()?, code()?])
    }

    fn code(at: usize, number: u64) -> Result<u32, Refusal> {
        let too_large = |_| Cursor::wrong(at, "names a move by more than 32 bits");
        u32::try_from(number).map_err(too_large)
    }

    /// The next step of this node.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    pub fn step(&mut self) -> Result<Step, Refusal> {
        let at = self.cursor.at();
        let number = self.cursor.number()?;
        if number == 0 {
            return Ok(Step::Settled);
        }
        let symmetries = u64::from(self.symmetries);
        let (target, symmetry) = (number / symmetries, (number % symmetries) as u8);
        match target {
            0 => Err(Cursor::wrong(at, "is a step from a node to itself")),
            ahead if !self.with_lemmas => Ok(Step::To { ahead, symmetry }),
            twice if twice & 1 == 0 => Ok(Step::To { ahead: twice / 2, symmetry }),
            lemma => {
                let too_large = |_| Cursor::wrong(at, "names a lemma by more than 32 bits");
                let lemma = u32::try_from(lemma / 2).map_err(too_large)?;
                Ok(Step::Lemma { lemma, symmetry })
            }
        }
    }
}

/// The table of lemmas, each with a larger hash than the one before it.
fn read_lemmas<'b>(cursor: &mut Cursor<'b>) -> Result<Vec<Lemma<'b>>, Refusal> {
    let number = cursor.number_within(1, MOST_LEMMAS, "the number of lemmas")?;
    let mut lemmas: Vec<Lemma<'b>> = Vec::new();
    for _ in 0..number {
        let at = cursor.at();
        let mut hash = LemmaHash([0; 32]);
        hash.0.copy_from_slice(cursor.take(32)?);
        if lemmas.last().is_some_and(|last| last.hash >= hash) {
            return Err(Cursor::wrong(at, "begins a lemma whose hash is not above the last one's"));
        }
        let position = cursor.text("the position of a lemma")?;
        lemmas.push(Lemma { hash, position, claim: cursor.claim()? });
    }
    Ok(lemmas)
}

/// All but the checksum, if it is right and the file is of the right kind.
fn checked(bytes: &[u8]) -> Result<&[u8], Refusal> {
    let refused = |why: String| Err(Refusal::new(RefusalPlace::File, why));
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        let magic = String::from_utf8_lossy(MAGIC);
        return refused(format!("is none: such a file begins with {magic}"));
    };
    match rest.first() {
        Some(&(VERSION | VERSION_WITH_LEMMAS)) => {}
        Some(version) => {
            return refused(format!(
                "has version {version}; only versions {VERSION} and {VERSION_WITH_LEMMAS} are known"
            ));
        }
        None => return refused("ends before its version".to_owned()),
    }
    let Some((body, checksum)) = bytes.split_last_chunk::<4>() else {
        return refused("ends before its checksum".to_owned());
    };
    if body.len() <= MAGIC.len() {
        return refused("ends before its checksum".to_owned());
    }
    let (written, right) = (u32::from_le_bytes(*checksum), crc32(body));
    if written != right {
        return refused(format!(
            "is damaged: its checksum is {written:08x}, that of its bytes {right:08x}"
        ));
    }
    Ok(body)
}
