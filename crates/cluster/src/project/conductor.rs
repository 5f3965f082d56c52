//! [`Conductor`]: drives the coordinator of one project: hands it what came in, writes what it says,
//! has proofs checked, and says when it is over. One at a time does; others wait until it is silent.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use compiled::{CompiledGame, default_method};
use game::TextError;
use play::Stop;
use solve::coordinator::{
    Certification, Coordinator, Event, LemmaCheck, ProjectStanding, RulingRequest,
};
use solve::message::SolverVersion;
use solve::store::{Claimed, Store, StoreError};
use solve::{Goal, Method, Plan, SolveError, SolverRules, TrustPlan, take_over};

use super::auditing::AuditStage;
use super::generate::{Generation, Stored};
use super::jobs::{Done, JobPlace, Snapshot};
use super::plan::{ProjectPlan, usual_speed};
use super::progress::ProgressWatch;
use crate::record::{ClusterRecord, ProjectRow, ProjectState, ProjectStore, RecordError};

/// How long nothing happens before somebody looks again.
const TICK: Duration = Duration::from_millis(100);
/// How often whoever drives a project says that it is still there.
const BEAT: Duration = Duration::from_secs(3);
/// After so many seconds without a sign somebody else takes over.
const SILENCE: u64 = 15;
/// Units of so many seconds are made for whoever asks, shorter ones ahead.
const LONG_SECONDS: f64 = 5.0;
/// Of these, one node in so many is spent on what is of use only if other work turns out otherwise.
const SPECULATION: u64 = 4;
/// Who has asked for work within so many seconds still waits for it.
const HUNGRY: u64 = 3;
/// How long to wait after an error before everything is tried anew.
const PAUSE: Duration = Duration::from_secs(1);
/// Reports that are taken in at once.
const MOST_EVENTS: usize = 1000;
/// Reports by which the speed of machines is judged.
const SAMPLES: usize = 64;

/// Why a project cannot be driven. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// The record does not answer.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A store of it does not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game or the position is not understood.
    #[error("project {0}: {1}")]
    Problem(String, TextError),
    /// The record did not answer to long work.
    #[error("project {0}: the record did not answer while proofs were checked")]
    Unanswered(String),
    /// What is kept of the project contradicts the rules.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// How driving a project ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conducted {
    /// Somebody said stop; the project is free for others.
    Stopped,
    /// The project is solved or cancelled.
    Ended(ProjectState),
}

/// What whoever drives a project has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConductorNote<'n> {
    /// A line that is worth keeping.
    Line(&'n str),
    /// The tree that was asked for is being stored, and so many nodes of it are.
    Stored(u64),
}

/// See the module.
pub struct Conductor {
    pub(super) record: ClusterRecord,
    pub(super) name: String,
    stop: Stop,
    game: Arc<dyn CompiledGame>,
    pub(super) rules: Arc<dyn SolverRules>,
    pub(super) goal: Goal,
    plan: ProjectPlan,
    method: Method,
    solver: SolverVersion,
    pub(super) project: u32,
}

impl std::fmt::Debug for Conductor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conductor").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Conductor {
    /// For the project of this name.
    ///
    /// # Errors
    /// If there is none, or its game or position is not understood.
    pub fn new(record: &ClusterRecord, name: &str, stop: &Stop) -> Result<Conductor, ConductError> {
        let ProjectRow { id, made_of, .. } = record.expect_project(name)?;
        let wrong = |error: TextError| ConductError::Problem(name.to_owned(), error);
        let game = catalog::open(&made_of.game).map_err(wrong)?;
        let rules = game.solver_rules(&made_of.position).map_err(wrong)?;
        let goal = made_of.goal.parse().map_err(wrong)?;
        let unread = |error: serde_json::Error| wrong(TextError::new("plan", error.to_string()));
        let plan = ProjectPlan::from_json(&made_of.plan).map_err(unread)?;
        let method = match &plan.method {
            Some(method) => method.parse().map_err(wrong)?,
            None => default_method(game.facts()),
        };
        Ok(Conductor {
            record: record.clone(),
            name: name.to_owned(),
            stop: stop.clone(),
            solver: rules.version(),
            rules,
            game,
            goal,
            plan,
            method,
            project: id,
        })
    }

    /// Drives the project until it is over or somebody says stop; waits while somebody else does.
    /// Errors of the record are waited out.
    ///
    /// # Errors
    /// If the project cannot go on.
    pub fn run(&self, told: &dyn Fn(&str)) -> Result<Conducted, ConductError> {
        self.run_noting(&|note| match note {
            ConductorNote::Line(line) => told(line),
            ConductorNote::Stored(_) => {}
        })
    }

    /// The same, with what is heard while a tree is stored.
    ///
    /// # Errors
    /// As there.
    pub fn run_noting(&self, note: &dyn Fn(ConductorNote<'_>)) -> Result<Conducted, ConductError> {
        let told = &|line: &str| note(ConductorNote::Line(line));
        let mut is_told = false;
        while !self.stop.is_stopped() {
            match self.turn(note, &mut is_told) {
                Ok(Some(ended)) => return Ok(ended),
                Ok(None) => {}
                Err(ConductError::Store(StoreError::Fenced)) => {
                    told("another coordinator has taken over; waiting");
                }
                Err(
                    error @ (ConductError::Record(_)
                    | ConductError::Store(_)
                    | ConductError::Unanswered(_)),
                ) => {
                    told(&format!("{error}; trying again"));
                    self.rest(PAUSE);
                }
                Err(ConductError::Solve(SolveError::Store(error))) => {
                    told(&format!("{error}; trying again"));
                    self.rest(PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Conducted::Stopped)
    }

    /// Waits for its turn, and drives the project as long as it can.
    fn turn(
        &self,
        note: &dyn Fn(ConductorNote<'_>),
        is_told: &mut bool,
    ) -> Result<Option<Conducted>, ConductError> {
        let told = &|line: &str| note(ConductorNote::Line(line));
        let state = self.record.expect_project(&self.name)?.state;
        if matches!(state, ProjectState::Solved | ProjectState::Cancelled) {
            return Ok(Some(Conducted::Ended(state)));
        }
        if self.record.silence(self.project)? < SILENCE {
            if !std::mem::replace(is_told, true) {
                told("somebody else drives this project; waiting to take over");
            }
            self.rest(PAUSE);
            return Ok(None);
        }
        *is_told = false;
        if !self.generate(note)? {
            return Ok(None);
        }
        let mut store = self.record.store(self.project).with_root(self.rules.root());
        let plan = self.solver_plan();
        let taken = take_over(&*self.rules, self.goal, plan, &mut store, false)?;
        told("this coordinator drives the project");
        Turn::new(self, store, taken).run(told)
    }

    fn solver_plan(&self) -> Plan {
        self.plan.plan(self.method, self.solver, usual_speed(self.method))
    }

    /// Whom to believe.
    pub(super) fn trust(&self) -> TrustPlan {
        self.solver_plan().trust
    }

    /// Stores the tree that was asked for, as far as it is not there yet; whether it is now.
    fn generate(&self, note: &dyn Fn(ConductorNote<'_>)) -> Result<bool, ConductError> {
        let Some(depth) = self.plan.depth else { return Ok(true) };
        let (record, rules, stop) = (&self.record, &*self.rules, &self.stop);
        let generation = Generation { record, project: self.project, rules, depth, stop };
        let stored = generation.run(&mut |counts| note(ConductorNote::Stored(counts.stored)));
        match stored.map_err(|error| error.of(&self.name))? {
            Stored::Whole(_) => Ok(true),
            Stored::Stopped(_) => {
                self.record.release_project(self.project)?;
                Ok(false)
            }
            Stored::Elsewhere => Ok(false),
        }
    }

    /// Whether units are made for whoever asks: nobody said how many have to wait, all workers are
    /// believed, and the largest units take so long that a moment before each does not matter.
    fn makes_units_on_demand(&self) -> bool {
        let speed = usual_speed(self.method);
        self.plan.ready.is_none()
            && self.plan.is_trusting()
            && self.plan.budget(speed) as f64 >= LONG_SECONDS * speed
    }

    fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && !self.stop.is_stopped() {
            thread::sleep(TICK.min(time));
        }
    }
}

pub(super) fn contradicted(text: &str) -> String {
    format!(
        "what was found about {text} contradicts itself; `project log` names the units, and a \
         revoked user's facts are forgotten"
    )
}

/// A claim, as long as it lasts.
pub(super) struct Turn<'c> {
    pub(super) conductor: &'c Conductor,
    pub(super) coordinator: Coordinator<'c>,
    pub(super) claimed: Claimed,
    pub(super) store: ProjectStore,
    began: Instant,
    beat: Option<Instant>,
    pub(super) place: JobPlace,
    pub(super) done: (Sender<Done>, Receiver<Done>),
    /// Long work under way: one check after the other.
    pub(super) jobs: usize,
    pub(super) audit: AuditStage,
    waiting: VecDeque<LemmaCheck>,
    /// Reports to be ruled on, one request after the other.
    rulings: VecDeque<RulingRequest>,
    is_ruling: bool,
    is_binding: bool,
    speeds: VecDeque<f64>,
    pub(super) state: ProjectState,
    looked: Option<Instant>,
    progress: ProgressWatch,
}

impl<'c> Turn<'c> {
    fn new(
        conductor: &'c Conductor,
        store: ProjectStore,
        (mut coordinator, claimed): (Coordinator<'c>, Claimed),
    ) -> Turn<'c> {
        if conductor.makes_units_on_demand() {
            coordinator.limit_speculation(SPECULATION);
        }
        let place = JobPlace {
            record: conductor.record.clone(),
            project: conductor.project,
            game: Arc::clone(&conductor.game),
            rules: Arc::clone(&conductor.rules),
            stop: Stop::new(),
        };
        Turn {
            conductor,
            coordinator,
            claimed,
            store,
            began: Instant::now(),
            beat: None,
            place,
            done: mpsc::channel(),
            jobs: 0,
            audit: AuditStage::default(),
            waiting: VecDeque::new(),
            rulings: VecDeque::new(),
            is_ruling: false,
            is_binding: false,
            speeds: VecDeque::new(),
            state: ProjectState::Running,
            looked: None,
            progress: ProgressWatch::default(),
        }
    }

    fn run(&mut self, told: &dyn Fn(&str)) -> Result<Option<Conducted>, ConductError> {
        let ended = self.drive(told);
        self.place.stop.stop();
        let ended = ended?;
        self.store.release(self.claimed.epoch)?;
        Ok(ended)
    }

    fn drive(&mut self, told: &dyn Fn(&str)) -> Result<Option<Conducted>, ConductError> {
        loop {
            if self.conductor.stop.is_stopped() {
                return Ok(Some(Conducted::Stopped));
            }
            self.look()?;
            if self.state == ProjectState::Cancelled {
                return Ok(Some(Conducted::Ended(self.state)));
            }
            let mut events = self.came_back(told)?;
            events.extend(self.store.events(MOST_EVENTS)?);
            self.learn_speeds(&events);
            let more = self.more()?;
            let is_due = self.beat.is_none_or(|beat| beat.elapsed() >= BEAT);
            if events.is_empty() && more == 0 && !is_due {
                thread::sleep(TICK);
                continue;
            }
            let is_quiet = self.step(events, more)?;
            if let Some(ended) = self.stand(told)? {
                return Ok(Some(ended));
            }
            if is_quiet {
                thread::sleep(TICK);
            }
        }
    }

    /// Looks now and then what people have decided, and frees what should have come back.
    fn look(&mut self) -> Result<(), ConductError> {
        if self.looked.is_some_and(|looked| looked.elapsed() < Duration::from_secs(1)) {
            return Ok(());
        }
        self.looked = Some(Instant::now());
        self.state = self.conductor.record.expect_project(&self.conductor.name)?.state;
        let Conductor { record, project, .. } = self.conductor;
        record.sweep()?;
        if let Some(progress) = self.progress.look(&self.coordinator) {
            record.set_progress(*project, self.claimed.epoch, &progress.to_json())?;
        }
        let wishes = record.wishes(*project)?;
        if !wishes.is_empty() {
            wishes.iter().for_each(|name| self.coordinator.wish(name.clone()));
            self.step(Vec::new(), 0)?;
            record.forget_wishes(*project, &wishes)?;
        }
        Ok(())
    }

    /// How many more units should wait.
    fn more(&self) -> Result<usize, ConductError> {
        if self.state == ProjectState::Paused {
            return Ok(0);
        }
        let Conductor { record, project, plan, .. } = self.conductor;
        let (ready, leased) = record.ready_and_leased(*project)?;
        let wanted = match plan.ready {
            Some(ready) => u64::from(ready),
            // Units that nobody asks for yet are often not the best ones when somebody does; short ones
            // are not worth waiting for.
            None if self.conductor.makes_units_on_demand() => {
                record.hungry(HUNGRY)?.max(u64::from(leased == 0))
            }
            None => leased / 2 + 2,
        };
        Ok(wanted.saturating_sub(ready) as usize)
    }

    /// One step of the coordinator, written down; whether nothing happened.
    fn step(&mut self, mut events: Vec<Event>, more: usize) -> Result<bool, ConductError> {
        let mut is_quiet = true;
        loop {
            let now = self.conductor.record.now()?;
            let batch = self.coordinator.step(now, &events, more);
            let seconds = self.claimed.seconds + self.began.elapsed().as_secs_f64();
            self.store.commit(self.claimed.epoch, &batch, seconds)?;
            self.beat = Some(Instant::now());
            is_quiet &= batch.is_empty();
            self.waiting.extend(batch.checks);
            self.rulings.extend(batch.rulings);
            if batch.wanted.is_empty() {
                break;
            }
            events = vec![Event::Known(self.store.nodes(&batch.wanted)?)];
        }
        self.begin_jobs();
        Ok(is_quiet)
    }

    fn begin_jobs(&mut self) {
        // Workers wait for these, and they are short: at most as long as the largest sub-job.
        if !self.is_ruling
            && let Some(request) = self.rulings.front().cloned()
            && self.place.spawn(&self.done.0, move |place| place.rule(&request)).is_ok()
        {
            self.rulings.pop_front();
            self.is_ruling = true;
        }
        if self.jobs == 0
            && let Some(check) = self.waiting.front().cloned()
            && self.place.spawn(&self.done.0, move |place| place.check(&check)).is_ok()
        {
            self.waiting.pop_front();
            self.jobs += 1;
        }
    }

    /// What long work came to.
    fn came_back(&mut self, told: &dyn Fn(&str)) -> Result<Vec<Event>, ConductError> {
        let mut events = Vec::new();
        while let Ok(done) = self.done.1.try_recv() {
            match done {
                Done::Ruled(_) => self.is_ruling = false,
                _ => self.jobs = self.jobs.saturating_sub(1),
            }
            match done {
                Done::Event(event) | Done::Ruled(event) => events.push(event),
                Done::Audited(audit) => self.take_audit(&audit, told)?,
                Done::Proved => self.end(told, "the proof is complete and was verified")?,
                Done::Unproved(why) => {
                    self.end(told, &format!("answered, but there is no proof: {why}"))?;
                }
                // Whoever loads the project anew begins it again.
                Done::Nothing => return Err(ConductError::Unanswered(self.conductor.name.clone())),
            }
        }
        self.begin_jobs();
        Ok(events)
    }

    fn end(&mut self, told: &dyn Fn(&str), why: &str) -> Result<(), ConductError> {
        let Conductor { record, project, .. } = self.conductor;
        self.state = self.store.advance(self.claimed.epoch, ProjectState::Solved)?;
        record.log(Some(*project), why)?;
        told(why);
        Ok(())
    }

    /// What follows from how things stand.
    fn stand(&mut self, told: &dyn Fn(&str)) -> Result<Option<Conducted>, ConductError> {
        if self.state == ProjectState::Solved {
            return Ok(Some(Conducted::Ended(self.state)));
        }
        let halt = match self.coordinator.standing() {
            ProjectStanding::Open => return Ok(None),
            ProjectStanding::Answered => {
                if self.state == ProjectState::Running {
                    self.state = self.store.advance(self.claimed.epoch, ProjectState::Auditing)?;
                    told("answered; what the answer rests on is being proved");
                }
                return self.conclude(told).map(|()| None);
            }
            ProjectStanding::Undecided => {
                "all that can be worked at has been: play goes round in circles".to_owned()
            }
            ProjectStanding::Contradicted(text) => contradicted(text),
        };
        self.halt(told, &halt)?;
        Ok(None)
    }

    /// Audits the answer, and proves it, where the game allows it.
    fn conclude(&mut self, told: &dyn Fn(&str)) -> Result<(), ConductError> {
        if !self.is_audited() {
            return Ok(());
        }
        match self.coordinator.certification() {
            Certification::Unwanted => self.end(told, "answered by quorum"),
            Certification::UnderWay(..) => Ok(()),
            Certification::Complete if self.is_binding || self.jobs > 0 => Ok(()),
            Certification::Complete => {
                let snapshot = self.snapshot();
                let ProjectPlan { leaf_budget, lemma_nodes, table_megabytes, .. } =
                    self.conductor.plan;
                let plan = solve::LemmaPlan { leaf_budget, most_nodes: lemma_nodes };
                let bind = move |place: &JobPlace| place.prove(&snapshot, plan, table_megabytes);
                if self.place.spawn(&self.done.0, bind).is_ok() {
                    (self.is_binding, self.jobs) = (true, self.jobs + 1);
                }
                Ok(())
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let tree = self.coordinator.tree();
        let named = |node| (solve::NodeName::new(tree.name(node)), tree.bounds(node));
        Snapshot {
            answer: (self.conductor.goal, self.coordinator.bounds()),
            nodes: self.coordinator.proof_nodes().into_iter().map(named).collect(),
            lemmas: self.coordinator.lemmas().collect(),
        }
    }

    /// Units are as large as the machines that report are fast. A lie about that makes units too
    /// large or too small, no more.
    fn learn_speeds(&mut self, events: &[Event]) {
        for event in events {
            let Event::Delivered(_, report) = event else { continue };
            if report.cpu_milliseconds >= 100 && report.nodes > 0 {
                let speed = report.nodes as f64 * 1000.0 / report.cpu_milliseconds as f64;
                self.speeds.push_back(speed.clamp(1e3, 1e8));
            }
        }
        while self.speeds.len() > SAMPLES {
            self.speeds.pop_front();
        }
        if self.speeds.len() >= 4 {
            let mut sorted: Vec<f64> = self.speeds.iter().copied().collect();
            sorted.sort_by(f64::total_cmp);
            let budget = self.conductor.plan.budget(sorted[sorted.len() / 2]);
            self.coordinator.set_budget(budget, self.conductor.plan.slice(budget));
        }
    }
}
