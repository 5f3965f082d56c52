//! The worker: asks at a door for units, works at them, and delivers what came of them.
//!
//! Threads and no event loop: each thread leases a unit, works at it and delivers; the *clerk* says
//! in the background that units are still worked at, and delivers what could not be delivered
//! before; whoever called watches. What must not be forgotten is in a folder, so that a worker that
//! was killed goes on where it was.

mod backoff;
mod clerk;
mod client;
mod desk;
mod folder;
mod hours;
mod pace;
mod platform;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use play::Stop;
use search::STACK_BYTES;
use solve::message::{SolverVersion, Unit, UnitId};
use solve::{CheckpointFile, LemmaFile};
use storage::WriteError;

use crate::problems::Problems;
use crate::wire::{
    AttemptJson, DeliverRequest, FailureJson, FindingJson, LeaseAnswer, LeaseRequest, ReceiptJson,
    RefusalCode, ReleaseAnswer, UnitIdText, versions_json,
};
use backoff::Backoff;
pub use client::AddressError;
use client::{CallError, DoorClient};
use desk::{Bench, Telling};
pub use folder::WorkFolderError;
use folder::{Held, Key, WorkFolder};
pub use hours::WorkHours;
use pace::Pace;

/// How a worker works. Whoever prints it does not see the token.
#[derive(Clone)]
pub struct WorkerOptions {
    /// Where the door is: `https://…`, or `http://…` on this machine.
    pub url: String,
    /// Says who works.
    pub token: String,
    /// What this machine calls itself.
    pub name: String,
    /// Certificates to know the server by, in PEM; by default those of the system.
    pub certificates: Option<PathBuf>,
    /// Where the worker keeps what it must not forget; no two workers share one.
    pub folder: PathBuf,
    /// How many units are worked at at once.
    pub threads: usize,
    /// Memory for the tables of all of them.
    pub megabytes: u32,
    /// How much of its threads' time the worker uses, of a hundred.
    pub cpu_share: u8,
    /// When it works, if not always.
    pub hours: Option<WorkHours>,
    /// The solver versions of this program by family.
    pub versions: Vec<(String, SolverVersion)>,
    /// How often checkpoints go to the disk.
    pub checkpoints: Duration,
    /// The shortest and the longest wait before the server is asked again.
    pub waits: (Duration, Duration),
    /// After so many units the worker ends.
    pub most_units: Option<u64>,
    /// Whether it stays, and asks now and then, when there is no work any longer.
    pub stays: bool,
}

impl WorkerOptions {
    /// One thread, all day.
    #[must_use]
    pub fn new(url: &str, token: &str, folder: &Path) -> WorkerOptions {
        WorkerOptions {
            url: url.to_owned(),
            token: token.to_owned(),
            name: String::new(),
            certificates: None,
            folder: folder.to_owned(),
            threads: 1,
            megabytes: 256,
            cpu_share: 100,
            hours: None,
            versions: crate::solver_versions(),
            checkpoints: Duration::from_secs(30),
            waits: (Duration::from_secs(1), Duration::from_secs(300)),
            most_units: None,
            stays: false,
        }
    }
}

impl fmt::Debug for WorkerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WorkerOptions { url, name, folder, threads, megabytes, .. } = self;
        f.debug_struct("WorkerOptions")
            .field("url", url)
            .field("name", name)
            .field("folder", folder)
            .field("threads", threads)
            .field("megabytes", megabytes)
            .finish_non_exhaustive()
    }
}

/// Why a worker ended before its time. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Nobody can be asked.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// There is no place to keep anything.
    #[error(transparent)]
    Folder(#[from] WorkFolderError),
    /// The system gives no threads.
    #[error("a thread cannot be made: {0}")]
    Thread(io::Error),
    /// The server wants nothing to do with it, and says why.
    #[error("the server refuses: {0}")]
    Refused(String),
    /// Another program is wanted; says which, and how to get it.
    #[error("{0}")]
    OtherVersion(String),
}

/// What a worker is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkerState {
    /// It works, or asks for work.
    #[default]
    Working,
    /// It pauses: somebody wants it to, or it is not the time.
    Paused,
    /// It waits, and that is why.
    Waiting(String),
}

/// How far a worker has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerProgress {
    /// What it is about.
    pub state: WorkerState,
    /// Units whose reports were taken.
    pub done: u64,
    /// Of these, how many failed.
    pub failed: u64,
    /// Units whose reports were refused.
    pub refused: u64,
    /// Units that nobody wanted any longer.
    pub withdrawn: u64,
    /// Reports that wait to be delivered.
    pub undelivered: usize,
    /// Positions visited for units that were delivered.
    pub nodes: u64,
    /// What is worked at.
    pub running: Vec<RunningUnit>,
}

/// A unit that is worked at.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningUnit {
    /// Which.
    pub unit: UnitId,
    /// Its game.
    pub game: String,
    /// Positions visited.
    pub nodes: u64,
    /// How much of its budget that is, up to 1.
    pub fraction: f64,
}

/// Works until there is no work any longer, or `drain` says stop: then work is broken off, leases
/// are given back, and reports that nobody has taken stay in the folder. `tell` hears twice a
/// second how things stand.
///
/// # Errors
/// If it cannot begin, or the server refuses it for good.
pub fn run_worker(
    options: &WorkerOptions,
    drain: &Stop,
    tell: &mut dyn FnMut(&WorkerProgress),
) -> Result<WorkerProgress, WorkerError> {
    let WorkerOptions { url, token, name, certificates, .. } = options;
    let client = DoorClient::new(url, token, name, certificates.as_deref())?;
    let folder = WorkFolder::open(&options.folder)?;
    let failed = |error| WorkFolderError::Failed(options.folder.clone(), error);
    let (held, undelivered) = folder.find().map_err(failed)?;
    let state = State { held, undelivered, ..State::default() };
    let pace = Pace::new(options.cpu_share, drain);
    let worker = Worker {
        options,
        client,
        folder,
        drain,
        pace: &pace,
        problems: Problems::default(),
        state: Mutex::new(state),
        news: Condvar::new(),
    };
    // Before anything begins.
    worker.look_at_pause(&mut None);
    thread::scope(|scope| {
        let worker = &worker;
        let mut threads = Vec::new();
        for _ in 0..options.threads.max(1) {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            match builder.spawn_scoped(scope, || worker.work()) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    worker.end(Some(WorkerError::Thread(error)));
                    break;
                }
            }
        }
        let clerk = thread::Builder::new().spawn_scoped(scope, || worker.keep_in_touch());
        if let Err(error) = clerk {
            worker.end(Some(WorkerError::Thread(error)));
        }
        worker.watch(tell, || threads.iter().all(thread::ScopedJoinHandle::is_finished));
    });
    let progress = worker.progress();
    tell(&progress);
    let state = worker.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.error.map_or(Ok(progress), Err)
}

/// What all threads of a worker share.
struct Worker<'w> {
    options: &'w WorkerOptions,
    client: DoorClient,
    folder: WorkFolder,
    drain: &'w Stop,
    pace: &'w Pace<'w>,
    problems: Problems,
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Default)]
struct State {
    /// Units of an earlier life.
    held: Vec<Held>,
    running: BTreeMap<Key, Running>,
    undelivered: Vec<DeliverRequest>,
    progress: WorkerProgress,
    /// Units that were begun.
    begun: u64,
    /// No more units are begun.
    over: bool,
    /// All threads have ended.
    closed: bool,
    error: Option<WorkerError>,
}

struct Running {
    game: String,
    budget: u64,
    stop: Stop,
    nodes: Arc<AtomicU64>,
    began: Instant,
    /// How long the server waits for a word.
    lease: Duration,
    /// The last word, if there was one.
    renewed: Option<Instant>,
    /// Nobody wants it any longer.
    withdrawn: bool,
}

/// How often whoever waits looks up.
const TICK: Duration = Duration::from_millis(100);
/// How often progress is told.
const TELLING: Duration = Duration::from_millis(500);
/// How often the clock is looked at for the hours of work.
const HOURLY: Duration = Duration::from_secs(30);
/// The longest time without a word about a unit: so late it is heard that nobody wants it.
const SILENCE: Duration = Duration::from_secs(60);
/// The shortest.
const LOOK: Duration = Duration::from_secs(1);
/// Before a server is asked again that has given enough for now, or for today.
const ENOUGH: Duration = Duration::from_secs(60);
const ENOUGH_TODAY: Duration = Duration::from_secs(600);

impl Worker<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, error: Option<WorkerError>) {
        let mut state = self.lock();
        state.over = true;
        state.error = state.error.take().or(error);
        self.news.notify_all();
    }

    /// Waits, but not beyond the end.
    fn wait(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.lock();
        while !state.over && !self.drain.is_stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.news.wait_timeout(state, left.min(TICK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A thread's life.
    fn work(&self) {
        let options = self.options;
        let each = options.megabytes / options.threads.max(1) as u32;
        let mut bench = Bench::new(&self.problems, each, self.pace);
        let mut backoff = Backoff::new(options.waits.0, options.waits.1);
        while !self.lock().over && !self.drain.is_stopped() {
            if self.pace.is_paused() {
                self.wait(TICK);
                continue;
            }
            match self.next(each) {
                Ok(Next::Unit(held, is_new)) => {
                    backoff.reset();
                    self.attend(&held, is_new, &mut bench);
                }
                Ok(Next::Wait(time, why)) => {
                    backoff.reset();
                    self.lock().progress.state = WorkerState::Waiting(why);
                    self.wait(backoff.vary(time.max(options.waits.0)));
                }
                Ok(Next::End) => self.end(None),
                Err(CallError::Away { why, after }) => {
                    tracing::info!(%why, "the server is away");
                    self.lock().progress.state = WorkerState::Waiting(why);
                    self.wait(backoff.next(after));
                }
                Err(CallError::Refused { why, .. }) => self.end(Some(WorkerError::Refused(why))),
            }
        }
    }

    /// What to do next: first what was begun in an earlier life.
    fn next(&self, megabytes: u32) -> Result<Next, CallError> {
        {
            let mut state = self.lock();
            if let Some(held) = state.held.pop() {
                return Ok(Next::Unit(Box::new(held), false));
            }
            if self.options.most_units.is_some_and(|most| state.begun >= most) {
                return Ok(Next::End);
            }
            state.begun += 1;
        }
        let next = self.lease(megabytes);
        if !matches!(next, Ok(Next::Unit(..))) {
            self.lock().begun -= 1;
        }
        next
    }

    fn lease(&self, megabytes: u32) -> Result<Next, CallError> {
        let request = LeaseRequest {
            program: concat!("zermelo ", env!("CARGO_PKG_VERSION")).to_owned(),
            versions: versions_json(&self.options.versions),
            megabytes,
        };
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        Ok(match self.client.post("lease", &request)? {
            LeaseAnswer::Unit { unit, attempt, seconds } => match Unit::try_from(&*unit) {
                Ok(unit) => Next::Unit(Box::new(Held { unit, attempt, seconds }), true),
                Err(error) => {
                    tracing::warn!(%error, "a unit is not understood");
                    self.release((unit.id.0, attempt))?;
                    Next::Wait(ENOUGH, error.to_string())
                }
            },
            LeaseAnswer::Later { seconds: later } => {
                Next::Wait(seconds(later), "there is no work just now".to_owned())
            }
            LeaseAnswer::Refused { code, error, .. } => match code {
                RefusalCode::OtherVersion => {
                    self.end(Some(WorkerError::OtherVersion(game::escaped(&error))));
                    Next::End
                }
                RefusalCode::TooMany | RefusalCode::Memory => {
                    Next::Wait(ENOUGH, game::shown(&error))
                }
                RefusalCode::Quota | RefusalCode::Banned => {
                    Next::Wait(ENOUGH_TODAY, game::shown(&error))
                }
                RefusalCode::Over if self.options.stays => {
                    Next::Wait(ENOUGH_TODAY, game::shown(&error))
                }
                RefusalCode::Over => Next::End,
            },
        })
    }

    fn release(&self, (unit, attempt): Key) -> Result<(), CallError> {
        let request = AttemptJson { unit: UnitIdText(unit), attempt };
        let ReleaseAnswer {} = self.client.post("release", &request)?;
        Ok(())
    }

    /// Works at a unit from its lease to its delivery.
    fn attend(&self, held: &Held, is_new: bool, bench: &mut Bench<'_>) {
        let (key, unit) = (held.key(), &held.unit);
        if is_new && let Err(error) = self.folder.keep_lease(held) {
            // What cannot be kept is not begun.
            tracing::warn!(%error, "a lease cannot be kept");
            self.lock().progress.state = WorkerState::Waiting(error.to_string());
            let _ = self.release(key);
            self.folder.forget(key);
            return self.wait(ENOUGH);
        }
        let (stop, nodes) = (Stop::new(), Arc::new(AtomicU64::new(0)));
        let running = Running {
            game: unit.game.clone(),
            budget: unit.budget,
            stop: stop.clone(),
            nodes: Arc::clone(&nodes),
            began: Instant::now(),
            lease: Duration::from_secs(held.seconds),
            renewed: is_new.then(Instant::now),
            withdrawn: false,
        };
        {
            let mut state = self.lock();
            state.running.insert(key, running);
            state.progress.state = WorkerState::Working;
        }
        let file = self.folder.checkpoint_file(key);
        let mut saved = CheckpointFile::new(file, self.options.checkpoints);
        let mut keep = |bytes: &[u8]| note_checkpoint(saved.keep(bytes));
        let telling = &mut Telling {
            stop: &stop,
            checkpoint: self.folder.checkpoint(key),
            keep: &mut keep,
            visited: &mut |visited| nodes.store(visited, Relaxed),
        };
        let request = bench.report(unit, held.attempt, telling);
        let request = request.and_then(|(request, lemmas)| self.send_lemmas(key, request, &lemmas));
        let withdrawn = {
            let mut state = self.lock();
            state.running.remove(&key).is_some_and(|running| running.withdrawn)
        };
        match request {
            Some(request) => self.hand_in(request),
            None if withdrawn => {
                tracing::info!(unit = %key.0, "a unit was withdrawn");
                self.lock().progress.withdrawn += 1;
                self.folder.forget(key);
            }
            None => {
                note_checkpoint(saved.write());
                // It is somebody else's now; if the server does not hear of it, it is still ours.
                match self.release(key) {
                    Ok(()) => self.folder.forget(key),
                    Err(error) => tracing::warn!(%error, "a lease could not be given back"),
                }
            }
        }
    }

    /// Sends the files that a report names before the report itself. `None` if the worker is to end
    /// before they are all there, or nobody wants them any longer.
    fn send_lemmas(
        &self,
        key: Key,
        mut request: DeliverRequest,
        lemmas: &[LemmaFile],
    ) -> Option<DeliverRequest> {
        let mut backoff = Backoff::new(self.options.waits.0, self.options.waits.1);
        let mut left = lemmas.iter();
        let mut next = left.next();
        while let Some(lemma) = next {
            let refused = match self.client.put_lemma(key, &lemma.bytes) {
                Ok(ReceiptJson::Taken) => None,
                Ok(ReceiptJson::Refused { error }) => Some(error),
                Err(CallError::Refused { why, .. }) => Some(why),
                Err(CallError::Away { after, .. }) => {
                    self.wait(backoff.next(after));
                    let is_wanted = |running: &Running| !running.withdrawn;
                    if self.drain.is_stopped()
                        || !self.lock().running.get(&key).is_some_and(is_wanted)
                    {
                        return None;
                    }
                    continue;
                }
            };
            if let Some(why) = refused {
                request.report.finding = FindingJson::Failed { failure: FailureJson::Fault };
                request.error = Some(format!("a lemma was refused: {why}"));
                return Some(request);
            }
            next = left.next();
        }
        Some(request)
    }

    /// Keeps a report, and tries to deliver it.
    fn hand_in(&self, request: DeliverRequest) {
        if let Err(error) = self.folder.keep_report(&request) {
            tracing::warn!(%error, "a report cannot be kept");
        }
        if self.deliver(&request).is_err() {
            self.lock().undelivered.push(request);
        }
    }

    /// Stops everybody when told to, and tells how things stand.
    fn watch(&self, tell: &mut dyn FnMut(&WorkerProgress), is_done: impl Fn() -> bool) {
        let (mut told, mut looked) = (Instant::now(), None);
        while !is_done() {
            self.look_at_pause(&mut looked);
            if self.drain.is_stopped() {
                let state = self.lock();
                state.running.values().for_each(|running| running.stop.stop());
            }
            if told.elapsed() >= TELLING {
                told = Instant::now();
                tell(&self.progress());
            }
            thread::sleep(TICK / 4);
        }
        self.lock().closed = true;
        self.news.notify_all();
    }

    /// Whether it is time to pause; the clock is only looked at now and then.
    fn look_at_pause(&self, looked: &mut Option<(Instant, bool)>) {
        let is_time = self.options.hours.is_none_or(|hours| match looked {
            Some((at, is_time)) if at.elapsed() < HOURLY => *is_time,
            _ => {
                let is_time = hours.is_now();
                *looked = Some((Instant::now(), is_time));
                is_time
            }
        });
        self.pace.set_paused(!is_time || self.folder.is_paused());
    }

    fn progress(&self) -> WorkerProgress {
        let state = self.lock();
        let running = state.running.iter().map(|(key, running)| {
            let nodes = running.nodes.load(Relaxed);
            let fraction = (nodes as f64 / running.budget.max(1) as f64).min(1.0);
            RunningUnit { unit: key.0, game: running.game.clone(), nodes, fraction }
        });
        let progress = WorkerProgress { running: running.collect(), ..state.progress.clone() };
        let undelivered = state.undelivered.len();
        let paused = self.pace.is_paused().then_some(WorkerState::Paused);
        WorkerProgress { undelivered, state: paused.unwrap_or(progress.state), ..progress }
    }
}

/// What comes next.
enum Next {
    /// A unit; whether it is new.
    Unit(Box<Held>, bool),
    /// Nothing for so long, and why.
    Wait(Duration, String),
    /// Nothing any more.
    End,
}

fn note_checkpoint(written: Result<bool, WriteError>) {
    if let Err(error) = written {
        tracing::warn!(%error, "a checkpoint cannot be kept");
    }
}
