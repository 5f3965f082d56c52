//! [`Bundle`]: a certificate with all the lemmas it rests on.
//!
//! Why a bundle that is verified is right: its lemmas do not refer to each other in a circle, so
//! there is an order in which each comes after all it refers to. The first refers to none, and its
//! proof is complete; so is each that follows, since what it rests on is proved; and at last the
//! root.
//!
//! It is checked in two passes. [`Bundle::gather`] follows the references from the root: every
//! lemma must be there, have the hash it is named by, be well formed and about what it is said to
//! be about, and the references must not go in a circle. That is quick, and finds what is missing
//! before anything long begins. [`Bundle::verify`] then checks the proofs, by several threads. It
//! reads the files anew and compares them with their hashes again, so it does not matter what
//! became of them meanwhile.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::time::Instant;

use crate::bundle_refusal::{BundleFault, BundleRefusal};
use crate::certificate::Certificate;
use crate::claim::Claim;
use crate::lemma::{Lemma, LemmaHash};
use crate::refusal::Limit;

/// Where the lemmas of a bundle are.
pub trait LemmaSource: Sync {
    /// The file of a lemma; of one with more than `most` bytes the first `most` and one more.
    ///
    /// # Errors
    /// What the system says: [`io::ErrorKind::NotFound`] if there is no such file.
    fn read(&self, hash: &LemmaHash, most: usize) -> io::Result<Vec<u8>>;

    /// What to call the file of a lemma, or that of the root, in a sentence.
    fn name(&self, hash: Option<&LemmaHash>) -> String;
}

/// What the check of a bundle may take.
#[derive(Clone, Copy, Debug)]
pub struct BundleLimits {
    /// Bytes for what is kept of all lemmas, for files and for positions, all threads together.
    pub most_bytes: usize,
    /// When it has to be over.
    pub until: Option<Instant>,
}

impl Default for BundleLimits {
    fn default() -> BundleLimits {
        BundleLimits { most_bytes: usize::MAX, until: None }
    }
}

/// Whoever has a bundle checked; asked and told by several threads.
pub trait BundleWatcher: Sync {
    /// Whether the proof of the lemma with this hash needs no check, since it has passed one
    /// before.
    fn was_verified(&self, _: &LemmaHash) -> bool {
        false
    }

    /// The proof of a lemma has passed the check.
    ///
    /// # Errors
    /// If that cannot be written down. The check ends then.
    fn verified(&self, _: &LemmaHash) -> io::Result<()> {
        Ok(())
    }

    /// How far it has come. Must be quick.
    fn progress(&self, _: &BundleProgress) {}

    /// Whether the check has to end. Asked before every node.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl BundleWatcher for () {}

/// How far the check of a bundle has come. What was verified before counts as done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BundleProgress {
    /// Lemmas done with.
    pub lemmas: u64,
    /// Lemmas there are, as far as they are known.
    pub all_lemmas: u64,
    /// Nodes checked, of all files.
    pub nodes: u64,
    /// Nodes there are; 0 while the lemmas are gathered.
    pub all_nodes: u64,
    /// Positions visited to settle leaves.
    pub visited: u64,
}

/// A certificate with its lemmas, all there, each with its hash and about what it should be, none
/// resting on itself. Whether the proofs are right is another matter: see [`Bundle::verify`].
#[derive(Debug)]
pub struct Bundle<'r> {
    pub(crate) root: &'r Certificate<'r>,
    pub(crate) lemmas: Vec<BundleLemma>,
    by_hash: HashMap<LemmaHash, u32>,
    /// Bytes that all this takes.
    pub(crate) bytes: usize,
    hash: HashLemma,
}

/// What is kept of a lemma.
#[derive(Debug)]
pub(crate) struct BundleLemma {
    pub(crate) hash: LemmaHash,
    position: Box<str>,
    claim: Claim,
    /// The number of the lemma that named it first; `None` if it was the root.
    wanted_by: Option<u32>,
    pub(crate) contents: Contents,
}

/// What its file holds, as far as its form tells.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The numbers of the lemmas in its table.
    pub(crate) refers_to: Box<[u32]>,
    pub(crate) nodes: u64,
    pub(crate) edges: u64,
    pub(crate) leaves: u64,
    pub(crate) bytes: u64,
}

/// How lemmas are hashed: as they should be, but for tests that forge hashes.
type HashLemma = fn(&str, &str, Claim, &[u8]) -> LemmaHash;

impl<'r> Bundle<'r> {
    /// Follows the references of a certificate to all lemmas that it rests on.
    ///
    /// # Errors
    /// Names the first lemma that is missing, changed, malformed, about something else or part of a
    /// circle; or the limit that was reached.
    pub fn gather(
        root: &'r Certificate<'r>,
        source: &dyn LemmaSource,
        limits: &BundleLimits,
        watcher: &dyn BundleWatcher,
    ) -> Result<Bundle<'r>, BundleRefusal> {
        Bundle::gather_by(LemmaHash::of, root, source, limits, watcher)
    }

    fn gather_by(
        hash: HashLemma,
        root: &'r Certificate<'r>,
        source: &dyn LemmaSource,
        limits: &BundleLimits,
        watcher: &dyn BundleWatcher,
    ) -> Result<Bundle<'r>, BundleRefusal> {
        let (lemmas, by_hash) = (Vec::new(), HashMap::new());
        let mut bundle = Bundle { root, lemmas, by_hash, bytes: 0, hash };
        bundle.note(root.lemmas(), None, source, limits)?;
        let mut next = 0;
        while next < bundle.lemmas.len() {
            watcher.progress(&BundleProgress {
                lemmas: next as u64,
                all_lemmas: bundle.lemmas.len() as u64,
                ..BundleProgress::default()
            });
            let refused = |bundle: &Bundle<'_>, fault| bundle.refusal(Some(next), fault, source);
            let is_late = limits.until.is_some_and(|until| Instant::now() >= until);
            for (is_over, limit) in [(watcher.is_stopped(), Limit::Stop), (is_late, Limit::Time)] {
                if is_over {
                    return Err(refused(&bundle, BundleFault::Over(limit)));
                }
            }
            let most = limits.most_bytes.saturating_sub(bundle.bytes);
            let file = bundle.file(next, source, most).map_err(|fault| refused(&bundle, fault))?;
            let lemma = bundle.examine(next, &file).map_err(|fault| refused(&bundle, fault))?;
            bundle.lemmas[next].contents = Contents {
                refers_to: bundle.note(lemma.lemmas(), Some(next), source, limits)?,
                nodes: lemma.nodes(),
                edges: lemma.edges(),
                leaves: lemma.leaves(),
                bytes: file.len() as u64,
            };
            next += 1;
        }
        match circle(&bundle.lemmas) {
            Some(lemma) => Err(bundle.refusal(Some(lemma), BundleFault::Circle, source)),
            None => Ok(bundle),
        }
    }

    /// Whether a lemma with this hash is part of it.
    #[must_use]
    pub fn contains(&self, hash: &LemmaHash) -> bool {
        self.by_hash.contains_key(hash)
    }

    /// How many lemmas there are.
    #[must_use]
    pub fn lemmas(&self) -> usize {
        self.lemmas.len()
    }

    /// The numbers of the lemmas in a table. Those that nobody has named before join the bundle; of
    /// others everybody must say the same.
    fn note(
        &mut self,
        table: &[Lemma<'_>],
        wanted_by: Option<usize>,
        source: &dyn LemmaSource,
        limits: &BundleLimits,
    ) -> Result<Box<[u32]>, BundleRefusal> {
        let mut numbers = Vec::with_capacity(table.len());
        for &Lemma { hash, position, claim } in table {
            let wanted_by = wanted_by.map(|lemma| lemma as u32);
            self.bytes += size_of::<u32>();
            let number = match self.by_hash.entry(hash) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(free) => {
                    // A map has nearly twice as many places as it uses.
                    let each = size_of::<BundleLemma>() + 2 * size_of::<(LemmaHash, u32)>();
                    self.bytes += each + position.len();
                    let (position, contents) = (position.into(), Contents::default());
                    self.lemmas.push(BundleLemma { hash, position, claim, wanted_by, contents });
                    *free.insert(self.lemmas.len() as u32 - 1)
                }
            };
            numbers.push(number);
            let known = &self.lemmas[number as usize];
            let fault = if (&*known.position, known.claim) != (position, claim) {
                let names = [known.wanted_by, wanted_by].map(|by| self.name_of(by, source));
                BundleFault::Disagreement { named_by: names }
            } else if self.bytes > limits.most_bytes {
                BundleFault::Over(Limit::Memory)
            } else {
                continue;
            };
            return Err(self.refusal(Some(number as usize), fault, source));
        }
        Ok(numbers.into())
    }

    /// The file of a lemma, if it has its hash.
    pub(crate) fn file(
        &self,
        lemma: usize,
        source: &dyn LemmaSource,
        most: usize,
    ) -> Result<Vec<u8>, BundleFault> {
        let BundleLemma { hash, position, claim, wanted_by, .. } = &self.lemmas[lemma];
        let file = source.read(hash, most).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                BundleFault::Missing { named_by: self.name_of(*wanted_by, source) }
            }
            _ => BundleFault::Unreadable(error),
        })?;
        if file.len() > most {
            return Err(BundleFault::Over(Limit::Memory));
        }
        match (self.hash)(&self.root.header().game, position, *claim, &file) {
            found if found == *hash => Ok(file),
            found => Err(BundleFault::Changed { found }),
        }
    }

    /// The certificate in the file of a lemma, if it is about what it should be about.
    pub(crate) fn examine<'f>(
        &self,
        lemma: usize,
        file: &'f [u8],
    ) -> Result<Certificate<'f>, BundleFault> {
        let BundleLemma { position, claim, .. } = &self.lemmas[lemma];
        let certificate = Certificate::read(file).map_err(BundleFault::Refused)?;
        let (found, game) = (certificate.header(), &self.root.header().game);
        if found.game != *game {
            let (found, wanted) = (found.game.clone(), game.clone());
            return Err(BundleFault::OtherGame { found, wanted });
        }
        if *found.position != **position {
            let (found, wanted) = (found.position.clone(), position.to_string());
            return Err(BundleFault::OtherPosition { found, wanted });
        }
        let [proof] = certificate.proofs() else { return Err(BundleFault::TwoClaims) };
        match proof.claim() {
            found if found == *claim => Ok(certificate),
            found => Err(BundleFault::OtherClaim { found, wanted: *claim }),
        }
    }

    /// Whether a certificate refers to the lemmas that it referred to when they were gathered.
    pub(crate) fn refers_as_before(&self, lemma: usize, certificate: &Certificate<'_>) -> bool {
        let before = self.lemmas[lemma].contents.refers_to.iter().map(|&to| self.hash_of(to));
        before.eq(certificate.lemmas().iter().map(|lemma| lemma.hash))
    }

    fn hash_of(&self, lemma: u32) -> LemmaHash {
        self.lemmas[lemma as usize].hash
    }

    /// The file of a lemma, or of the root.
    fn name_of(&self, lemma: Option<u32>, source: &dyn LemmaSource) -> String {
        source.name(lemma.map(|lemma| self.hash_of(lemma)).as_ref())
    }

    /// What is wrong with a lemma, or with the root.
    pub(crate) fn refusal(
        &self,
        lemma: Option<usize>,
        fault: BundleFault,
        source: &dyn LemmaSource,
    ) -> BundleRefusal {
        let lemma = lemma.map(|lemma| self.lemmas[lemma].hash);
        BundleRefusal { lemma, file: source.name(lemma.as_ref()), fault }
    }
}

/// A lemma that rests on itself, by whatever way. Hashes do not allow that; but it costs nothing to
/// believe in the order of the lemmas without believing in hashes.
fn circle(lemmas: &[BundleLemma]) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        OnPath,
        Done,
    }
    let mut seen = vec![Seen::Not; lemmas.len()];
    // The path, and how many references of each lemma on it were followed.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for first in 0..lemmas.len() {
        if seen[first] == Seen::Not {
            seen[first] = Seen::OnPath;
            path.push((first, 0));
        }
        while let Some((lemma, followed)) = path.last_mut() {
            let Some(&to) = lemmas[*lemma].contents.refers_to.get(*followed) else {
                seen[*lemma] = Seen::Done;
                path.pop();
                continue;
            };
            *followed += 1;
            let to = to as usize;
            match seen[to] {
                Seen::OnPath => return Some(to),
                Seen::Done => {}
                Seen::Not => {
                    seen[to] = Seen::OnPath;
                    path.push((to, 0));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
