//! Long work of a project that its coordinator must not wait for: lemmas are checked, the root of a
//! bundle is made and the whole verified.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use certificate::{
    Bundle, BundleLimits, BundleWatcher, Certificate, CheckProof, Claim, LemmaHash, LemmaSource,
};
use compiled::CompiledGame;
use play::Stop;
use search::{STACK_BYTES, Table};
use solve::coordinator::{Event, LemmaCheck, RulingRequest};
use solve::store::Store;
use solve::{
    Bounds, Goal, LemmaFile, LemmaPlan, LemmaRefusal, NearRoot, NodeName, ProofAudit, SolverRules,
    check_lemmas, rule_on,
};

use crate::record::{ClusterRecord, RecordError};

/// What came of it.
pub(super) enum Done {
    /// For the coordinator.
    Event(Event),
    /// For the coordinator, about reports.
    Ruled(Event),
    /// What the answer rests on.
    Audited(Box<ProofAudit>),
    /// The bundle is there and was verified.
    Proved,
    /// There is none, and that is why.
    Unproved(String),
    /// Nothing: the record did not answer, or nobody wants to know any longer.
    Nothing,
}

/// What is known near the root when it is bound together.
pub(super) struct Snapshot {
    pub(super) answer: (Goal, Bounds),
    pub(super) nodes: HashMap<NodeName, Bounds>,
    pub(super) lemmas: HashMap<(NodeName, i32, bool), LemmaHash>,
}

/// What long work needs to know.
#[derive(Clone)]
pub(super) struct JobPlace {
    pub(super) record: ClusterRecord,
    pub(super) project: u32,
    pub(super) game: Arc<dyn CompiledGame>,
    pub(super) rules: Arc<dyn SolverRules>,
    pub(super) stop: Stop,
}

/// A check takes no longer and no more.
const LONGEST_CHECK: Duration = Duration::from_secs(4 * 3600);
const MOST_BYTES: usize = 2 << 30;
/// The name of a bundle's root among the files of a project.
pub const ROOT_FILE: &str = "root.proof";

impl JobPlace {
    /// Does something on a thread of its own, with the stack that searches need.
    pub(super) fn spawn(
        &self,
        done: &std::sync::mpsc::Sender<Done>,
        job: impl FnOnce(&JobPlace) -> Option<Done> + Send + 'static,
    ) -> io::Result<()> {
        let (place, done) = (self.clone(), done.clone());
        let work = move || {
            // Nobody listens any longer if another coordinator has taken over.
            drop(done.send(job(&place).unwrap_or(Done::Nothing)));
        };
        thread::Builder::new().stack_size(STACK_BYTES).spawn(work).map(drop)
    }

    /// Finds out what this answer rests on; `None` if the record does not answer, so that whoever
    /// takes over looks again.
    pub(super) fn audit(&self, (goal, answer): (Goal, Bounds)) -> Option<Done> {
        let mut store = self.record.store(self.project);
        let audit = ProofAudit::of(&*self.rules, goal, answer, &mut store).ok()?;
        Some(Done::Audited(Box::new(audit)))
    }

    /// Finds out which reports are wrong; `None` if the record does not answer, so that whoever takes
    /// over asks again.
    pub(super) fn rule(&self, request: &RulingRequest) -> Option<Done> {
        let mut store = self.record.store(self.project);
        let reports = store.reports(request.unit.id, &request.attempts).ok()?;
        Some(Done::Ruled(rule_on(&*self.rules, request, &reports, &self.stop)?))
    }

    /// Checks the lemmas of an attempt, and keeps them if they are right; `None` if the record does
    /// not answer, so that they are checked again by whoever takes over.
    pub(super) fn check(&self, check: &LemmaCheck) -> Option<Done> {
        let (unit, attempt) = (check.unit.id, check.attempt);
        let files = self.handed_in(unit.number, attempt).ok()?;
        let watcher = StopWatcher(&self.stop);
        let limits = limits();
        let found = self.with_checker(&mut |checker| {
            let lemmas = &check.lemmas;
            check_lemmas(&*self.rules, checker, &check.unit, lemmas, &files, &limits, &watcher)
        });
        if self.stop.is_stopped() {
            return None;
        }
        if found.is_ok() {
            for (pending, lemma) in files.0.values() {
                self.record.keep_verified(self.project, Some(pending), lemma).ok()?;
            }
        }
        let found = found.map_err(|why: LemmaRefusal| why.to_string());
        Some(Done::Event(Event::Checked(unit, attempt, found)))
    }

    /// Binds all lemmas together, and verifies the whole as any stranger would.
    pub(super) fn prove(
        &self,
        snapshot: &Snapshot,
        plan: LemmaPlan,
        megabytes: u32,
    ) -> Option<Done> {
        let certifier = self.rules.certifier()?;
        let known = |name: &NodeName| snapshot.nodes.get(name).copied();
        let lemmas = |name: &NodeName, claim: Claim| {
            let (at_least, holds) = match claim {
                Claim::AtLeast(margin) => (margin, true),
                Claim::AtMost(margin) => (margin + 1, false),
            };
            let hash = snapshot.lemmas.get(&(name.clone(), at_least, holds))?;
            Some((*hash, claim))
        };
        let near = NearRoot { known: &known, lemmas: &lemmas };
        let table = Table::new(megabytes as usize);
        let made = certifier.root(snapshot.answer, near, plan, &table, &self.stop, &mut |_| {});
        let (files, root) = match made {
            Ok(made) => made,
            Err(_) if self.stop.is_stopped() => return None,
            Err(error) => return Some(Done::Unproved(error.to_string())),
        };
        for file in &files {
            self.record.keep_verified(self.project, None, file).ok()?;
        }
        let refused = match self.verify(&root) {
            Ok(()) => None,
            Err(_) if self.stop.is_stopped() => return None,
            Err(why) => Some(why),
        };
        match refused {
            Some(why) => Some(Done::Unproved(why)),
            None => {
                self.record.keep_file(self.project, ROOT_FILE, &root).ok()?;
                Some(Done::Proved)
            }
        }
    }

    fn verify(&self, root: &[u8]) -> Result<(), String> {
        let root = Certificate::read(root).map_err(|refusal| refusal.to_string())?;
        let source = RecordLemmas { record: &self.record, project: self.project };
        let (limits, watcher) = (limits(), StopWatcher(&self.stop));
        let bundle = Bundle::gather(&root, &source, &limits, &watcher);
        let verified = bundle.and_then(|bundle| {
            self.with_checker(&mut |checker| bundle.verify(&source, checker, 1, &limits, &watcher))
        });
        verified.map(drop).map_err(|refusal| refusal.to_string())
    }

    fn with_checker<T>(&self, act: &mut dyn FnMut(&CheckProof<'_>) -> T) -> T {
        let game = &self.game;
        act(&|file, options, progress| game.verify(file, options, progress))
    }

    /// What a worker has handed in for this attempt, by the names that it has a right to.
    fn handed_in(&self, unit: u64, attempt: u32) -> Result<HandedIn, RecordError> {
        let mut files = HashMap::new();
        for row in self.record.lemma_rows(self.project)? {
            if row.unit != unit || row.attempt != attempt || !row.pending {
                continue;
            }
            let Some(bytes) = self.record.lemma_bytes(self.project, &row.hash)? else { continue };
            if let Some(lemma) = named(bytes) {
                files.insert(lemma.hash, (row.hash, lemma));
            }
        }
        Ok(HandedIn(files))
    }
}

/// A file with the hash that follows from what it says; nothing of it is believed yet.
fn named(bytes: Vec<u8>) -> Option<LemmaFile> {
    let (hash, position, claim) = {
        let certificate = Certificate::read(&bytes).ok()?;
        let header = certificate.header();
        let [proof] = certificate.proofs() else { return None };
        let hash = LemmaHash::of(&header.game, &header.position, proof.claim(), &bytes);
        (hash, header.position.clone(), proof.claim())
    };
    Some(LemmaFile { hash, position, claim, bytes })
}

fn limits() -> BundleLimits {
    BundleLimits { most_bytes: MOST_BYTES, until: Instant::now().checked_add(LONGEST_CHECK) }
}

/// Files of an attempt, each with the name it is kept under meanwhile.
struct HandedIn(HashMap<LemmaHash, (Vec<u8>, LemmaFile)>);

impl LemmaSource for HandedIn {
    fn read(&self, hash: &LemmaHash, _most: usize) -> io::Result<Vec<u8>> {
        let found = self.0.get(hash).map(|(_, lemma)| lemma.bytes.clone());
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn name(&self, hash: Option<&LemmaHash>) -> String {
        lemma_name(hash)
    }
}

/// Lemmas of a project that were verified, where its record keeps them.
#[derive(Debug)]
pub struct RecordLemmas<'r> {
    /// Where.
    pub record: &'r ClusterRecord,
    /// Of which project.
    pub project: u32,
}

impl LemmaSource for RecordLemmas<'_> {
    fn read(&self, hash: &LemmaHash, _most: usize) -> io::Result<Vec<u8>> {
        let found = self.record.lemma_bytes(self.project, &hash.0).map_err(io::Error::other)?;
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn name(&self, hash: Option<&LemmaHash>) -> String {
        lemma_name(hash)
    }
}

fn lemma_name(hash: Option<&LemmaHash>) -> String {
    hash.map_or_else(|| "the root".to_owned(), |hash| format!("lemma {hash}"))
}

struct StopWatcher<'s>(&'s Stop);

impl BundleWatcher for StopWatcher<'_> {
    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}
