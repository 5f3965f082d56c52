//! Bundles from proofs: some nodes become lemmas, with files of their own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::sync::Mutex;

use certificate::{
    Bundle, BundleLimits, BundleRefusal, BundleVerdict, BundleWatcher, Certificate, Claim, Header,
    Lemma, LemmaHash, LemmaSource, Step, Writer, verify,
};
use game::{Notation, Rng, WinningSets};

use super::{Known, Made, MadeProof, Node};

/// Files that can be changed part by part, each after all it refers to; the last is the root. The
/// steps of a file name lemmas by the place of their file here.
#[derive(Clone, Debug)]
pub(crate) struct MadeBundle<P> {
    pub(crate) files: Vec<MadeFile<P>>,
}

#[derive(Clone, Debug)]
pub(crate) struct MadeFile<P> {
    pub(crate) made: Made<P>,
    /// What others say of it; `None` for what it says itself.
    pub(crate) said: Option<(String, Claim)>,
    /// Bytes instead of those that follow from the rest.
    pub(crate) forged: Option<Vec<u8>>,
}

impl<P> MadeFile<P> {
    pub(crate) fn statement(&self) -> (String, Claim) {
        let itself = || (self.made.header.position.clone(), self.made.proofs[0].claim);
        self.said.clone().unwrap_or_else(itself)
    }
}

/// A bundle as bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct BundleBytes {
    pub(crate) root: Vec<u8>,
    pub(crate) lemmas: BTreeMap<LemmaHash, Vec<u8>>,
    /// The hashes in the order of the files they were made from.
    pub(crate) hashes: Vec<LemmaHash>,
}

impl<P: Clone> MadeBundle<P> {
    pub(crate) fn bytes(&self) -> BundleBytes {
        let mut bundle = BundleBytes::default();
        for (number, file) in self.files.iter().enumerate() {
            let bytes = file.forged.clone().unwrap_or_else(|| self.file(number, &bundle.hashes));
            if number + 1 == self.files.len() {
                bundle.root = bytes;
            } else {
                let (position, claim) = file.statement();
                let game = &self.files.last().unwrap().made.header.game;
                let hash = LemmaHash::of(game, &position, claim, &bytes);
                bundle.lemmas.insert(hash, bytes);
                bundle.hashes.push(hash);
            }
        }
        bundle
    }

    /// A file whose lemmas have these hashes.
    pub(crate) fn file(&self, number: usize, hashes: &[LemmaHash]) -> Vec<u8> {
        let mut made = self.files[number].made.clone();
        let mut used = BTreeSet::new();
        let steps = |made: &mut Made<P>, visit: &mut dyn FnMut(&mut u32)| {
            for node in made.proofs.iter_mut().flat_map(|proof| &mut proof.nodes) {
                for step in node.steps() {
                    if let Step::Lemma { lemma, .. } = step {
                        visit(lemma);
                    }
                }
            }
        };
        steps(&mut made, &mut |lemma| {
            used.insert((hashes[*lemma as usize], *lemma));
        });
        let statements: Vec<_> =
            used.iter().map(|&(_, lemma)| self.files[lemma as usize].statement()).collect();
        let table: Vec<Lemma<'_>> = used
            .iter()
            .zip(&statements)
            .map(|(&(hash, _), (position, claim))| Lemma { hash, position, claim: *claim })
            .collect();
        steps(&mut made, &mut |lemma| {
            *lemma = used.iter().position(|&(_, file)| file == *lemma).unwrap() as u32;
        });
        made.bytes_with(&table)
    }
}

impl<P> Made<P> {
    /// The file with this table of lemmas.
    pub(crate) fn bytes_with(&self, lemmas: &[Lemma<'_>]) -> Vec<u8> {
        let mut writer = Writer::with_lemmas(self.header.clone(), lemmas);
        for made in &self.proofs {
            let mut proof = writer.proof(made.claim);
            for node in &made.nodes {
                match node {
                    Node::Choice { code, step } => proof.choice(*code, *step),
                    Node::All(steps) => proof.all(steps),
                    Node::Hopeless => proof.hopeless(),
                }
            }
            writer.add(proof);
        }
        writer.finish()
    }
}

impl<G: Notation> Known<'_, G> {
    /// Proofs of both bounds of a position, of which one node in so many is a lemma, drawn by a
    /// seed.
    pub(crate) fn bundle(
        &mut self,
        position: &str,
        budget: u64,
        (one_in, seed): (usize, u64),
    ) -> MadeBundle<G::Position> {
        let whole = self.both_bounds(position, budget, true);
        let mut rng = Rng::new(seed);
        let mut files = Vec::new();
        let mut roots = Vec::new();
        for proof in &whole.proofs {
            let mut cut: BTreeMap<usize, u32> = BTreeMap::new();
            for node in (1..proof.nodes.len()).rev() {
                if rng.below(one_in) == 0 {
                    let position = self.game.write_position(&proof.positions[node]);
                    let header = Header { position, ..whole.header.clone() };
                    let part = part_of(proof, node, &cut);
                    let made = Made { header, proofs: vec![part] };
                    files.push(MadeFile { made, said: None, forged: None });
                    cut.insert(node, files.len() as u32 - 1);
                }
            }
            roots.push(match proof.nodes.len() {
                0 => proof.clone(),
                _ => part_of(proof, 0, &cut),
            });
        }
        let made = Made { header: whole.header, proofs: roots };
        files.push(MadeFile { made, said: None, forged: None });
        let mut bundle = MadeBundle { files };
        bundle.drop_unused();
        bundle
    }
}

impl<P> MadeBundle<P> {
    /// Leaves out lemmas that nobody refers to, from the root down.
    fn drop_unused(&mut self) {
        let mut used = vec![false; self.files.len()];
        *used.last_mut().unwrap() = true;
        for number in (0..self.files.len()).rev().filter(|&number| used[number]).collect::<Vec<_>>()
        {
            self.mark(number, &mut used);
        }
        let mut places = HashMap::new();
        let old = std::mem::take(&mut self.files);
        for (number, mut file) in old.into_iter().enumerate().filter(|&(n, _)| used[n]) {
            for node in file.made.proofs.iter_mut().flat_map(|proof| &mut proof.nodes) {
                for step in node.steps() {
                    if let Step::Lemma { lemma, .. } = step {
                        *lemma = places[lemma];
                    }
                }
            }
            places.insert(number as u32, self.files.len() as u32);
            self.files.push(file);
        }
    }

    fn mark(&mut self, number: usize, used: &mut [bool]) {
        let nodes = self.files[number].made.proofs.iter_mut().flat_map(|proof| &mut proof.nodes);
        let lemmas: Vec<usize> = nodes
            .flat_map(|node| node.steps().to_vec())
            .filter_map(|step| match step {
                Step::Lemma { lemma, .. } => Some(lemma as usize),
                _ => None,
            })
            .collect();
        for lemma in lemmas {
            if !std::mem::replace(&mut used[lemma], true) {
                self.mark(lemma, used);
            }
        }
    }
}

/// The proof from a node on, up to nodes that are lemmas of these files.
fn part_of<P: Clone>(
    whole: &MadeProof<P>,
    first: usize,
    cut: &BTreeMap<usize, u32>,
) -> MadeProof<P> {
    let mut places = BTreeSet::from([first]);
    let mut waiting = vec![first];
    while let Some(node) = waiting.pop() {
        for step in whole.nodes[node].clone().steps() {
            if let Step::To { ahead, .. } = step {
                let to = node + *ahead as usize;
                if !cut.contains_key(&to) && places.insert(to) {
                    waiting.push(to);
                }
            }
        }
    }
    let rank: HashMap<usize, usize> = places.iter().copied().zip(0..).collect();
    let mut part = MadeProof { claim: whole.claim, nodes: Vec::new(), positions: Vec::new() };
    for &node in &places {
        let mut changed = whole.nodes[node].clone();
        for step in changed.steps() {
            if let Step::To { ahead, symmetry } = *step {
                let to = node + ahead as usize;
                *step = match cut.get(&to) {
                    Some(&lemma) => Step::Lemma { lemma, symmetry },
                    None => Step::To { ahead: (rank[&to] - rank[&node]) as u64, symmetry },
                };
            }
        }
        part.nodes.push(changed);
        part.positions.push(whole.positions[node].clone());
    }
    part
}

impl LemmaSource for BundleBytes {
    fn read(&self, hash: &LemmaHash, most: usize) -> io::Result<Vec<u8>> {
        let file = self.lemmas.get(hash).ok_or(io::ErrorKind::NotFound)?;
        Ok(file[..file.len().min(most.saturating_add(1))].to_vec())
    }

    fn name(&self, hash: Option<&LemmaHash>) -> String {
        hash.map_or_else(|| "root".to_owned(), |hash| format!("{}…", &hash.to_string()[..8]))
    }
}

/// What was verified, in the order in which it was.
#[derive(Default)]
pub(crate) struct Verified(pub(crate) Mutex<Vec<LemmaHash>>);

impl BundleWatcher for Verified {
    fn was_verified(&self, hash: &LemmaHash) -> bool {
        self.0.lock().unwrap().contains(hash)
    }
    fn verified(&self, hash: &LemmaHash) -> io::Result<()> {
        self.0.lock().unwrap().push(*hash);
        Ok(())
    }
}

/// Gathers and verifies.
pub(crate) fn judge_bundle<G: Notation + WinningSets + Sync>(
    game: &G,
    bundle: &BundleBytes,
    threads: usize,
    watcher: &dyn BundleWatcher,
) -> Result<BundleVerdict, BundleRefusal> {
    judge_within(game, bundle, threads, &BundleLimits::default(), watcher)
}

pub(crate) fn judge_within<G: Notation + WinningSets + Sync>(
    game: &G,
    bundle: &BundleBytes,
    threads: usize,
    limits: &BundleLimits,
    watcher: &dyn BundleWatcher,
) -> Result<BundleVerdict, BundleRefusal> {
    let root = Certificate::read(&bundle.root).map_err(|refusal| BundleRefusal {
        lemma: None,
        file: "root".to_owned(),
        fault: certificate::BundleFault::Refused(refusal),
    })?;
    let gathered = Bundle::gather(&root, bundle, limits, watcher)?;
    let check = |certificate: &Certificate<'_>,
                 options: &certificate::VerifyOptions<'_>,
                 progress: &mut dyn FnMut(&certificate::VerifyProgress)| {
        verify(game, certificate, options, progress)
    };
    gathered.verify(bundle, &check, threads, limits, watcher)
}

/// The line that says why not.
pub(crate) fn bundle_refusal<G: Notation + WinningSets + Sync>(
    game: &G,
    bundle: &BundleBytes,
) -> String {
    let judged = judge_bundle(game, bundle, 1, &());
    let line = judged.expect_err("this proves nothing").to_string();
    assert_eq!(line.lines().count(), 1, "{line:?}");
    line
}
