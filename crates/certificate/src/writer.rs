//! [`Writer`]: a certificate as bytes.
//!
//! It writes what it is told. Who makes a certificate has it verified; what was told wrongly is refused there.

use crate::bytes::{push_claim, push_number, push_text};
use crate::certificate::{Header, MAGIC, Step, VERSION, VERSION_WITH_LEMMAS};
use crate::checksum::crc32;
use crate::claim::Claim;
use crate::lemma::Lemma;

/// Writes the header, then proofs. Of two the lower bound comes first.
#[derive(Clone, Debug)]
pub struct Writer {
    header: Header,
    /// The table as it is written.
    lemmas: Vec<u8>,
    lemma_count: u64,
    proofs: Vec<ProofWriter>,
}

/// Writes the nodes of one proof in the order in which they stand in the file, the position asked about first.
#[derive(Clone, Debug)]
pub struct ProofWriter {
    claim: Claim,
    symmetries: u8,
    with_lemmas: bool,
    nodes: u64,
    bytes: Vec<u8>,
}

impl Writer {
    /// A certificate without a claim.
    #[must_use]
    pub fn new(header: Header) -> Writer {
        Writer::with_lemmas(header, &[])
    }

    /// The same for one that uses lemmas, in ascending order of their hashes.
    #[must_use]
    pub fn with_lemmas(header: Header, lemmas: &[Lemma<'_>]) -> Writer {
        let mut table = Vec::new();
        for lemma in lemmas {
            table.extend(lemma.hash.0);
            push_text(&mut table, lemma.position);
            push_claim(&mut table, lemma.claim);
        }
        Writer { header, lemmas: table, lemma_count: lemmas.len() as u64, proofs: Vec::new() }
    }

    /// A proof without nodes, which says that the checker will settle the position itself.
    #[must_use]
    pub fn proof(&self, claim: Claim) -> ProofWriter {
        ProofWriter {
            claim,
            symmetries: self.header.symmetries,
            with_lemmas: self.lemma_count > 0,
            nodes: 0,
            bytes: Vec::new(),
        }
    }

    /// Takes a proof that has all its nodes.
    pub fn add(&mut self, proof: ProofWriter) {
        self.proofs.push(proof);
    }

    /// The whole file.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let with_lemmas = self.lemma_count > 0;
        bytes.push(if with_lemmas { VERSION_WITH_LEMMAS } else { VERSION });
        push_text(&mut bytes, &self.header.game);
        push_text(&mut bytes, &self.header.position);
        push_number(&mut bytes, u64::from(self.header.symmetries));
        push_number(&mut bytes, self.header.leaf_budget);
        if with_lemmas {
            push_number(&mut bytes, self.lemma_count);
            bytes.extend(self.lemmas);
        }
        push_number(&mut bytes, self.proofs.len() as u64);
        for proof in self.proofs {
            push_claim(&mut bytes, proof.claim);
            push_number(&mut bytes, proof.nodes);
            bytes.extend(proof.bytes);
        }
        let checksum = crc32(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }
}

impl ProofWriter {
    /// How many nodes it has: the number that the next one gets.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A node where the hoping side plays the move with this code.
    pub fn choice(&mut self, code: u32, step: Step) {
        push_number(&mut self.bytes, u64::from(code) << 1 | 1);
        self.push(step);
        self.nodes += 1;
    }

    /// A node where the other side may play any move: what comes of each, in ascending order of their codes.
    pub fn all(&mut self, steps: &[Step]) {
        push_number(&mut self.bytes, (steps.len() as u64) << 1);
        for &step in steps {
            self.push(step);
        }
        self.nodes += 1;
    }

    /// A node where the other side needs too much to win.
    pub fn hopeless(&mut self) {
        push_number(&mut self.bytes, 0);
        push_number(&mut self.bytes, 0);
        self.nodes += 1;
    }

    /// A node where each set of moves that the other side needs holds one of these pairs.
    pub fn pairs(&mut self, pairs: &[[u32; 2]]) {
        push_number(&mut self.bytes, 0);
        push_number(&mut self.bytes, pairs.len() as u64 + 1);
        for &code in pairs.iter().flatten() {
            push_number(&mut self.bytes, u64::from(code));
        }
        self.nodes += 1;
    }

    fn push(&mut self, step: Step) {
        let symmetries = u64::from(self.symmetries);
        let number = match step {
            Step::Settled => 0,
            Step::To { ahead, symmetry } => {
                debug_assert!(ahead > 0 && symmetry < self.symmetries, "{step:?}");
                let target = if self.with_lemmas { 2 * ahead } else { ahead };
                symmetries * target + u64::from(symmetry)
            }
            Step::Lemma { lemma, symmetry } => {
                debug_assert!(self.with_lemmas && symmetry < self.symmetries, "{step:?}");
                symmetries * (2 * u64::from(lemma) + 1) + u64::from(symmetry)
            }
        };
        push_number(&mut self.bytes, number);
    }
}
