//! A project with thousands of workers that are not there: the real coordinator, a store in memory
//! that may fail, and weeks that pass in seconds. A run is a function of its seed.
//!
//! Once the question is answered, the project's own machines audit it; what they find false is struck
//! out, and everybody goes on until an audit finds nothing.

mod audit;
mod crowd;
mod game;
mod ruling;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use ::game::{Rng, TextError};

use crate::coordinator::{AttemptVerdict, Batch, Coordinator, Event, ProjectStanding};
use crate::goal::Goal;
use crate::message::{Finding, Unit, UnitReport};
use crate::method::Method;
use crate::name::NodeName;
use crate::plan::{Plan, TrustPlan};
use crate::store::{Door, Epoch, MemoryStore, Store};
use crate::takeover::take_over;
use crate::tree::WhileLeased;
use crate::work::Worked;
use audit::Ledger;
use crowd::Person;
pub use crowd::{Crowd, WorkerKind};
pub use game::RandomGame;
use game::SIMULATED;
use ruling::Court;

/// What to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// Which run.
    pub seed: u64,
    /// What is solved.
    pub game: RandomGame,
    /// Who works.
    pub crowd: Crowd,
    /// When to give up.
    pub days: u32,
    /// The largest budget of a unit, in nodes.
    pub budget: u64,
    /// Whom to believe.
    pub trust: TrustPlan,
    /// One in so many units is about the second question.
    pub second_share: u32,
    /// How nodes count that somebody works at.
    pub while_leased: WhileLeased,
    /// One commit in so many fails, and nobody knows whether it was written; 0 for none.
    pub store_fails_one_in: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Whether the value was found and audited, and is right.
    pub answer: Option<bool>,
    /// Whether it was right before the first audit.
    pub answer_before: Option<bool>,
    /// After so many days, audits included.
    pub days: f64,
    /// Days of audits.
    pub audit_days: f64,
    /// Nodes that the project's own machines visited in audits.
    pub audit_nodes: u64,
    /// How many audits there were.
    pub audits: u32,
    /// Units that were believed.
    pub units: u64,
    /// Results that came in.
    pub results: u64,
    /// Nodes of canonical results.
    pub useful_nodes: u64,
    /// Nodes that all workers visited.
    pub all_nodes: u64,
    /// Of these, how many were at units that nobody needed in the end.
    pub withdrawn_nodes: u64,
    /// Facts that were believed.
    pub facts: u64,
    /// Of these, how many are not true.
    pub false_facts: u64,
    /// Facts that the first answer rests on.
    pub facts_in_proof: u64,
    /// Of these, how many are not true.
    pub false_in_proof: u64,
    /// Facts that were struck out because of an audit: false ones, and those of whoever vouched for
    /// one.
    pub struck: u64,
    /// Facts that the last answer rests on and that are not true.
    pub false_after: u64,
    /// Sub-jobs that the project did again, to see who lies,
    pub rulings: u64,
    /// and the nodes of these.
    pub ruling_nodes: u64,
    /// How often another coordinator took over.
    pub claims: u64,
    /// Hours that workers waited for something to do.
    pub idle_hours: f64,
}

/// How often the coordinator looks, in seconds.
const STEP: u64 = 60;
/// How long a worker without work waits, in seconds.
const WAIT: u64 = 600;
/// So many audits are enough for anything.
const MOST_AUDITS: u32 = 100;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Ask(usize),
    Deliver(usize, u64),
    Ruled(u64),
    Step,
}

impl Simulation {
    /// Runs it to the end.
    ///
    /// # Errors
    /// If the game is not what it says: a fault of the program.
    pub fn run(&self, progress: &mut dyn FnMut(f64)) -> Result<Simulated, TextError> {
        let mut rng = Rng::new(self.seed);
        let people = self.crowd.people(&self.trust, &mut rng);
        let mut world = World {
            simulation: self,
            people,
            rng,
            now: 0,
            end: u64::from(self.days) * 24 * 3600,
            queue: BinaryHeap::new(),
            sequence: 0,
            reports: HashMap::new(),
            store: MemoryStore::new(1),
            wanted: Vec::new(),
            court: Court::default(),
            ledger: Ledger::default(),
            visited: HashMap::new(),
            withdrawn: HashSet::new(),
            is_auditing: false,
            audit_spent: 0,
            found: Simulated::default(),
        };
        world.run(progress)
    }

    fn plan(&self) -> Plan {
        Plan {
            method: Method::AlphaBeta,
            budget: self.budget,
            slice: self.budget,
            table_megabytes: 1,
            keep_table: false,
            solver: SIMULATED,
            second_share: self.second_share,
            while_leased: self.while_leased,
            memory: usize::MAX,
            // Colluding, sleeping and many-account liars end here.
            trust: TrustPlan { audited_by_own: true, ..self.trust },
            lemmas: None,
        }
    }
}

struct World<'s> {
    simulation: &'s Simulation,
    people: Vec<Person>,
    rng: Rng,
    now: u64,
    /// When the crowd gives up.
    end: u64,
    queue: BinaryHeap<Reverse<(u64, u64, Happening)>>,
    sequence: u64,
    /// What people will deliver.
    reports: HashMap<u64, UnitReport>,
    store: MemoryStore,
    /// What the coordinator asks the store for.
    wanted: Vec<NodeName>,
    court: Court,
    ledger: Ledger,
    /// Nodes of what was delivered for a unit that is open.
    visited: HashMap<u64, u64>,
    withdrawn: HashSet<u64>,
    /// Facts are being confirmed.
    is_auditing: bool,
    /// Nodes of canonical results of audits.
    audit_spent: u64,
    found: Simulated,
}

impl World<'_> {
    fn run(&mut self, progress: &mut dyn FnMut(f64)) -> Result<Simulated, TextError> {
        let rules = self.simulation.game;
        let (mut coordinator, mut epoch) = self.claimed(&rules, false)?;
        for person in 0..self.people.len() {
            let at = self.rng.below(3600) as u64;
            self.at(at, Happening::Ask(person));
        }
        self.at(0, Happening::Step);
        loop {
            self.crowd_works(&rules, (&mut coordinator, &mut epoch), progress)?;
            let stands = match coordinator.standing() {
                ProjectStanding::Open | ProjectStanding::Undecided => break,
                ProjectStanding::Answered => {
                    self.audit(&rules, (&mut coordinator, &mut epoch), progress)?
                }
                ProjectStanding::Contradicted(_) => {
                    self.found.audits += 1;
                    let contradiction = coordinator.tree().contradiction();
                    if let Some(node) = contradiction.map(|c| coordinator.tree().name(c.0)) {
                        self.resolve(&NodeName::new(node))?;
                    }
                    false
                }
            };
            if stands || self.found.audits >= MOST_AUDITS {
                break;
            }
            (coordinator, epoch) = self.reloaded(&rules)?;
        }
        self.found.days = self.now as f64 / 86_400.0;
        self.found.useful_nodes = coordinator.spent() - self.audit_spent;
        if *coordinator.standing() == ProjectStanding::Answered {
            self.found.answer = Some(self.is_right(&coordinator));
            let proof = self.proof(&coordinator)?;
            self.found.false_after = self.false_of(&proof.facts);
        }
        Ok(std::mem::take(&mut self.found))
    }

    /// Whether there is something to do: a question is open, or an answer is being confirmed.
    fn goes_on(&self, coordinator: &Coordinator<'_>) -> bool {
        match self.is_auditing {
            true => coordinator.confirming() > 0,
            false => self.now < self.end && *coordinator.standing() == ProjectStanding::Open,
        }
    }

    /// Weeks pass until something is answered, or confirmed, or nobody wants to go on.
    fn crowd_works<'r>(
        &mut self,
        rules: &'r RandomGame,
        (coordinator, epoch): (&mut Coordinator<'r>, &mut Epoch),
        progress: &mut dyn FnMut(f64),
    ) -> Result<(), TextError> {
        while self.goes_on(coordinator) {
            let Some(Reverse((time, _, happening))) = self.queue.pop() else { break };
            // What should have happened during an audit happens after it.
            self.now = self.now.max(time);
            match happening {
                Happening::Ask(person) => self.ask(person)?,
                Happening::Deliver(person, number) => self.deliver(person, number),
                Happening::Ruled(number) => self.court.ready(number),
                Happening::Step => {
                    progress(self.now as f64 / self.end as f64);
                    if !self.step(coordinator, *epoch) {
                        (*coordinator, *epoch) = self.claimed(rules, false)?;
                        self.found.claims += 1;
                        if self.is_auditing {
                            self.confirm_on(coordinator)?;
                        }
                    }
                    self.at(self.now + STEP, Happening::Step);
                }
            }
        }
        Ok(())
    }

    fn at(&mut self, time: u64, happening: Happening) {
        self.sequence += 1;
        self.queue.push(Reverse((time, self.sequence, happening)));
    }

    /// A worker asks for work.
    fn ask(&mut self, nth: usize) -> Result<(), TextError> {
        let person = self.people[nth];
        // So long nobody is waited for.
        let seconds = (self.simulation.budget as f64 / person.speed * 3.0) as u64 + 3600;
        let leased = self.store.lease(person.voter, self.now, seconds);
        let Ok(Some(lease)) = leased else {
            if !self.is_auditing {
                self.found.idle_hours += WAIT as f64 / 3600.0;
            }
            self.at(self.now + WAIT, Happening::Ask(nth));
            return Ok(());
        };
        let report = self.worked(&lease.unit, lease.attempt)?;
        let takes = (report.nodes as f64 / person.speed) as u64 + 1;
        match self.is_auditing {
            true => self.found.audit_nodes += report.nodes,
            false => self.found.all_nodes += report.nodes,
        }
        let number = self.sequence;
        let (after, next) = match person.luck(takes, &mut self.rng) {
            // The machine is switched off, and its work forgotten.
            crowd::Luck::Lost => (takes + 24 * 3600, Happening::Ask(nth)),
            crowd::Luck::Late => (takes * 10, Happening::Deliver(nth, number)),
            crowd::Luck::Usual => (takes, Happening::Deliver(nth, number)),
        };
        if matches!(next, Happening::Deliver(..)) {
            self.reports.insert(number, report);
        }
        self.at(self.now + after, next);
        Ok(())
    }

    /// What an honest worker would report: a unit is one sub-job here.
    fn worked(&self, unit: &Unit, attempt: u32) -> Result<UnitReport, TextError> {
        let game = self.simulation.game;
        let searched = game.searched(&unit.node, unit.question.at_least, unit.budget)?;
        let proved = searched.holds.map(|holds| holds == unit.question.holds(true));
        let finding = match proved {
            Some(true) => Finding::Proved,
            Some(false) => Finding::Refuted,
            None => Finding::Open { facts: Vec::new(), order: searched.order.clone() },
        };
        let nodes = searched.nodes;
        let trace = vec![searched];
        Ok(Worked { trace, ..Worked::bare(finding, nodes) }.report(unit, attempt))
    }

    /// A worker delivers, honestly or not, and asks for more.
    fn deliver(&mut self, nth: usize, number: u64) {
        if let Some(mut report) = self.reports.remove(&number) {
            let unit = report.unit.number;
            match self.withdrawn.contains(&unit) {
                true => self.found.withdrawn_nodes += report.nodes,
                false => *self.visited.entry(unit).or_default() += report.nodes,
            }
            let person = &mut self.people[nth];
            person.tell(&mut report, self.now, &mut self.rng);
            self.found.results += 1;
            drop(self.store.deliver(person.voter, &report.encode(), self.now));
        }
        self.at(self.now + 1, Happening::Ask(nth));
    }

    /// One step of the coordinator; `false` if it has to be thrown away.
    fn step(&mut self, coordinator: &mut Coordinator<'_>, epoch: Epoch) -> bool {
        const MOST_EVENTS: usize = 100_000;
        let Ok(mut events) = self.store.events(MOST_EVENTS) else { return false };
        let Ok(known) = self.known() else { return false };
        events.extend(known);
        events.extend(self.court.take_events());
        let enough = self.people.len() / 4 + 16;
        let more = enough.saturating_sub(self.store.ready());
        let mut batch = coordinator.step(self.now, &events, more);
        self.wanted = std::mem::take(&mut batch.wanted);
        let rulings = std::mem::take(&mut batch.rulings);
        let one_in = self.simulation.store_fails_one_in;
        let fails = one_in > 0 && self.rng.next_u64().is_multiple_of(one_in);
        // Half of the commits that fail are written all the same.
        let is_written = (!fails || self.rng.next_u64() & 1 == 0)
            && self.store.commit(epoch, &batch, 0.0).is_ok();
        if is_written {
            self.note(&batch);
        }
        is_written && !fails && rulings.iter().all(|request| self.rule(request).is_ok())
    }

    /// What the store says to what it was asked for.
    fn known(&mut self) -> Result<Vec<Event>, TextError> {
        if self.wanted.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Event::Known(self.store.nodes(&self.wanted).map_err(|error| failed(&error))?)])
    }

    /// Keeps count of what was written.
    fn note(&mut self, batch: &Batch) {
        self.found.units += batch.done.len() as u64;
        let false_facts = self.ledger.enter(batch, self.simulation);
        if !self.is_auditing {
            self.found.facts += batch.facts.len() as u64;
            self.found.false_facts += false_facts;
        }
        for done in &batch.done {
            self.visited.remove(&done.number);
        }
        for withdrawn in &batch.withdrawn {
            self.withdrawn.insert(withdrawn.number);
            let nodes = self.visited.remove(&withdrawn.number);
            self.found.withdrawn_nodes += nodes.unwrap_or_default();
        }
    }

    /// A coordinator that has just taken over.
    fn claimed<'r>(
        &mut self,
        rules: &'r RandomGame,
        alone: bool,
    ) -> Result<(Coordinator<'r>, Epoch), TextError> {
        self.wanted.clear();
        self.court.clear();
        let plan = self.simulation.plan();
        let taken = take_over(rules, Goal::Value, plan, &mut self.store, alone);
        let (coordinator, claimed) = taken.map_err(|error| failed(&error))?;
        Ok((coordinator, claimed.epoch))
    }
}

fn failed(error: &impl std::fmt::Display) -> TextError {
    TextError::new("the store", error.to_string())
}
