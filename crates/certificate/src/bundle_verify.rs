//! [`Bundle::verify`]: the proofs of a bundle, by several threads.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::bundle::{Bundle, BundleLimits, BundleProgress, BundleWatcher, LemmaSource};
use crate::bundle_refusal::{BundleFault, BundleRefusal};
use crate::certificate::{Certificate, ProofGraph};
use crate::claim::Claim;
use crate::refusal::{Limit, Refusal};
use crate::verify::{ProofVerdict, VerifyOptions, VerifyProgress};

/// Checks one certificate: [`verify`](crate::verify) with the game that the bundle is about.
pub type CheckProof<'a> = dyn Fn(
        &Certificate<'_>,
        &VerifyOptions<'_>,
        &mut dyn FnMut(&VerifyProgress),
    ) -> Result<ProofVerdict, Refusal>
    + Sync
    + 'a;

/// What was checked, and found right: the claims of the root are proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleVerdict {
    /// What the root claims: one bound, or a lower and an upper one.
    pub claims: Vec<Claim>,
    /// Lemmas, all of them verified.
    pub lemmas: u64,
    /// How many of these were verified before.
    pub earlier: u64,
    /// Nodes of all files.
    pub nodes: u64,
    /// Steps from node to node.
    pub edges: u64,
    /// Positions that were left to the checker.
    pub leaves: u64,
    /// Positions visited to settle them, but for lemmas that were verified before.
    pub visited: u64,
    /// Bytes of the files of all lemmas.
    pub bytes: u64,
}

impl fmt::Display for BundleVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BundleVerdict { lemmas, earlier, nodes, edges, leaves, visited, .. } = self;
        let claims: Vec<String> = self.claims.iter().map(Claim::to_string).collect();
        let lemmas = if *lemmas == 1 { "1 lemma" } else { &format!("{lemmas} lemmas") };
        write!(f, "proved: {}; {lemmas}", claims.join(", "))?;
        if *earlier > 0 {
            write!(f, " ({earlier} of them verified earlier)")?;
        }
        write!(f, ", {nodes} nodes, {edges} edges, {leaves} leaves settled by visiting {visited}")?;
        f.write_str(" positions")
    }
}

impl Bundle<'_> {
    /// Checks the proofs of the root and of all lemmas, but for those that `watcher` says have
    /// passed before. `check` checks one.
    ///
    /// # Errors
    /// Names a file whose proof is refused, or the limit that was reached.
    pub fn verify(
        &self,
        source: &dyn LemmaSource,
        check: &CheckProof<'_>,
        threads: usize,
        limits: &BundleLimits,
        watcher: &dyn BundleWatcher,
    ) -> Result<BundleVerdict, BundleRefusal> {
        let contents = || self.lemmas.iter().map(|lemma| &lemma.contents);
        let nodes = self.root.nodes() + contents().map(|lemma| lemma.nodes).sum::<u64>();
        let threads = threads.clamp(1, self.lemmas.len() + 1);
        let crew = Crew {
            bundle: self,
            source,
            check,
            most_bytes: limits.most_bytes.saturating_sub(self.bytes) / threads,
            limits,
            watcher,
            next: AtomicUsize::new(0),
            is_root_done: AtomicBool::new(false),
            lemmas: AtomicU64::new(0),
            earlier: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            all_nodes: nodes,
            visited: AtomicU64::new(0),
            halt: AtomicBool::new(false),
            refusal: Mutex::new(None),
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Where the system gives no more threads, those that are there do the work.
                drop(thread::Builder::new().spawn_scoped(scope, || crew.work()));
            }
            crew.work();
        });
        let done = crew.lemmas.load(Relaxed) == self.lemmas.len() as u64
            && crew.is_root_done.load(Relaxed);
        match crew.refusal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(refusal) => Err(refusal),
            None if !done => Err(self.refusal(None, BundleFault::Over(Limit::Stop), source)),
            None => Ok(BundleVerdict {
                claims: self.root.proofs().iter().map(ProofGraph::claim).collect(),
                lemmas: self.lemmas.len() as u64,
                earlier: crew.earlier.into_inner(),
                nodes,
                edges: self.root.edges() + contents().map(|lemma| lemma.edges).sum::<u64>(),
                leaves: self.root.leaves() + contents().map(|lemma| lemma.leaves).sum::<u64>(),
                visited: crew.visited.into_inner(),
                bytes: contents().map(|lemma| lemma.bytes).sum(),
            }),
        }
    }
}

/// Threads that take one file after the other, the root first.
struct Crew<'c> {
    bundle: &'c Bundle<'c>,
    source: &'c dyn LemmaSource,
    check: &'c CheckProof<'c>,
    limits: &'c BundleLimits,
    watcher: &'c dyn BundleWatcher,
    /// Bytes for each thread.
    most_bytes: usize,
    next: AtomicUsize,
    is_root_done: AtomicBool,
    lemmas: AtomicU64,
    earlier: AtomicU64,
    nodes: AtomicU64,
    all_nodes: u64,
    visited: AtomicU64,
    /// One has found something wrong, or was stopped: the others end.
    halt: AtomicBool,
    refusal: Mutex<Option<BundleRefusal>>,
}

impl Crew<'_> {
    fn work(&self) {
        while !self.halt.load(Relaxed) {
            let lemma = match self.next.fetch_add(1, Relaxed) {
                0 => None,
                next if next <= self.bundle.lemmas.len() => Some(next - 1),
                _ => return,
            };
            if let Err(fault) = self.do_one(lemma) {
                self.halt.store(true, Relaxed);
                let refusal = self.bundle.refusal(lemma, fault, self.source);
                let mut known = self.refusal.lock().unwrap_or_else(PoisonError::into_inner);
                // What is wrong tells more than that others were stopped for it.
                if known.as_ref().is_none_or(|known| known.limit() == Some(Limit::Stop)) {
                    *known = Some(refusal);
                }
            }
        }
    }

    /// Checks the proof of a lemma, or of the root.
    fn do_one(&self, lemma: Option<usize>) -> Result<(), BundleFault> {
        let bundle = self.bundle;
        if self.watcher.is_stopped() {
            return Err(BundleFault::Over(Limit::Stop));
        }
        let Some(number) = lemma else {
            self.check(bundle.root, self.most_bytes)?;
            self.is_root_done.store(true, Relaxed);
            return Ok(());
        };
        let hash = &bundle.lemmas[number].hash;
        if self.watcher.was_verified(hash) {
            self.nodes.fetch_add(bundle.lemmas[number].contents.nodes, Relaxed);
            self.earlier.fetch_add(1, Relaxed);
        } else {
            let file = bundle.file(number, self.source, self.most_bytes)?;
            let certificate = bundle.examine(number, &file)?;
            if !bundle.refers_as_before(number, &certificate) {
                return Err(BundleFault::Moved);
            }
            self.check(&certificate, self.most_bytes - file.len())?;
            self.watcher.verified(hash).map_err(BundleFault::NotKept)?;
        }
        self.lemmas.fetch_add(1, Relaxed);
        self.tell();
        Ok(())
    }

    fn check(&self, certificate: &Certificate<'_>, most_bytes: usize) -> Result<(), BundleFault> {
        /// Counters are shared, so they are not written to at every node.
        const OFTEN: u64 = 1 << 8;
        const LONG: u64 = 1 << 20;
        let options = VerifyOptions {
            sample: None,
            most_bytes,
            until: self.limits.until,
            stop: Some(&self.halt),
        };
        let mut told = VerifyProgress::default();
        let verdict = (self.check)(certificate, &options, &mut |now| {
            if self.watcher.is_stopped() {
                self.halt.store(true, Relaxed);
            }
            if now.nodes - told.nodes >= OFTEN || now.visited - told.visited >= LONG {
                self.count(now.nodes - told.nodes, now.visited - told.visited);
                self.tell();
                told = *now;
            }
        });
        let verdict = verdict.map_err(BundleFault::Refused)?;
        self.count(verdict.nodes - told.nodes, verdict.visited - told.visited);
        match verdict.is_complete() {
            true => Ok(()),
            false => Err(BundleFault::Over(Limit::Stop)),
        }
    }

    fn count(&self, nodes: u64, visited: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.visited.fetch_add(visited, Relaxed);
    }

    fn tell(&self) {
        self.watcher.progress(&BundleProgress {
            lemmas: self.lemmas.load(Relaxed),
            all_lemmas: self.bundle.lemmas.len() as u64,
            nodes: self.nodes.load(Relaxed),
            all_nodes: self.all_nodes,
            visited: self.visited.load(Relaxed),
        });
    }
}
