//! A project with thousands of workers that are not there: the real coordinator, a store in memory
//! that may fail, and weeks that pass in seconds. A run is a function of its seed.

mod crowd;
mod game;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use ::game::{Rng, TextError};
use play::Stop;

use crate::coordinator::{Coordinator, Event, ProjectStanding};
use crate::goal::Goal;
use crate::message::{Finding, UnitReport, WorkFailure};
use crate::method::Method;
use crate::name::NodeName;
use crate::plan::{Plan, TrustPlan};
use crate::store::{Door, Epoch, Lease, MemoryStore, Store, StoreError};
use crate::tree::{NodeId, WhileLeased};
use crate::work::{WorkDesk, Worked, work};
use crowd::Person;
pub use crowd::{Crowd, WorkerKind};
pub use game::RandomGame;

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
    /// Whether the question was answered, and rightly.
    pub answer: Option<bool>,
    /// After so many days.
    pub days: f64,
    /// Units that were believed.
    pub units: u64,
    /// Results that came in.
    pub results: u64,
    /// Nodes of canonical results.
    pub useful_nodes: u64,
    /// Nodes that all workers visited.
    pub all_nodes: u64,
    /// Facts that were believed.
    pub facts: u64,
    /// Of these, how many are not true.
    pub false_facts: u64,
    /// Facts that the answer rests on: what an audit does again.
    pub facts_in_proof: u64,
    /// Of these, how many are not true: what it finds.
    pub false_in_proof: u64,
    /// How often another coordinator took over.
    pub claims: u64,
    /// Hours that workers waited for something to do.
    pub idle_hours: f64,
}

/// What is asked: whether the first player wins.
const AT_LEAST: i32 = 1;
/// How often the coordinator looks, in seconds.
const STEP: u64 = 60;
/// How long a worker without work waits, in seconds.
const WAIT: u64 = 600;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Ask(usize),
    Deliver(usize, u64),
    Step,
}

impl Simulation {
    /// Runs it to the end.
    ///
    /// # Errors
    /// If the game is not what it says: a fault of the program.
    pub fn run(&self, progress: &mut dyn FnMut(f64)) -> Result<Simulated, TextError> {
        let mut rng = Rng::new(self.seed);
        let people = self.crowd.people(&mut rng);
        let mut world = World {
            simulation: self,
            people,
            rng,
            now: 0,
            queue: BinaryHeap::new(),
            sequence: 0,
            leases: BTreeMap::new(),
            store: MemoryStore::new(1),
            wanted: Vec::new(),
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
            solver: game::SIMULATED,
            second_share: self.second_share,
            while_leased: self.while_leased,
            memory: usize::MAX,
            trust: self.trust,
            lemmas: None,
        }
    }
}

struct World<'s> {
    simulation: &'s Simulation,
    people: Vec<Person>,
    rng: Rng,
    now: u64,
    queue: BinaryHeap<Reverse<(u64, u64, Happening)>>,
    sequence: u64,
    leases: BTreeMap<u64, Lease>,
    store: MemoryStore,
    /// What the coordinator wants to know of the store.
    wanted: Vec<NodeName>,
    found: Simulated,
}

impl World<'_> {
    fn run(&mut self, progress: &mut dyn FnMut(f64)) -> Result<Simulated, TextError> {
        let simulation = self.simulation;
        let rules = simulation.game;
        let (mut coordinator, mut epoch) = claimed(&rules, simulation, &mut self.store)?;
        for person in 0..self.people.len() {
            let at = self.rng.below(3600) as u64;
            self.at(at, Happening::Ask(person));
        }
        self.at(0, Happening::Step);
        let end = u64::from(simulation.days) * 24 * 3600;
        while let Some(Reverse((now, _, happening))) = self.queue.pop() {
            self.now = now;
            if now >= end || *coordinator.standing() != ProjectStanding::Open {
                break;
            }
            match happening {
                Happening::Ask(person) => self.ask(person),
                Happening::Deliver(person, number) => self.deliver(person, number)?,
                Happening::Step => {
                    progress(now as f64 / end as f64);
                    if !self.step(&mut coordinator, epoch) {
                        (coordinator, epoch) = claimed(&rules, simulation, &mut self.store)?;
                        self.wanted.clear();
                        self.found.claims += 1;
                    }
                    self.at(now + STEP, Happening::Step);
                }
            }
        }
        let root = coordinator.root();
        self.found.days = self.now as f64 / 86_400.0;
        self.found.useful_nodes = coordinator.spent();
        if *coordinator.standing() == ProjectStanding::Answered {
            let truth = rules.truth(&root);
            let answer = coordinator.bounds().answer(AT_LEAST);
            self.found.answer = Some(answer == truth.map(|value| value >= AT_LEAST));
            let tree = coordinator.tree();
            let parts = tree.rests_on(AT_LEAST).unwrap_or_default();
            let is_false = |&&node: &&NodeId| {
                let truth = rules.truth(&NodeName::new(tree.name(node)));
                truth.map(|value| value >= AT_LEAST) != tree.bounds(node).answer(AT_LEAST)
            };
            self.found.facts_in_proof = parts.facts.len() as u64;
            self.found.false_in_proof = parts.facts.iter().filter(is_false).count() as u64;
        }
        Ok(std::mem::take(&mut self.found))
    }

    fn at(&mut self, time: u64, happening: Happening) {
        self.sequence += 1;
        self.queue.push(Reverse((time, self.sequence, happening)));
    }

    /// A worker asks for work.
    fn ask(&mut self, nth: usize) {
        let person = self.people[nth];
        // So long nobody is waited for.
        let seconds = (self.simulation.budget as f64 / person.speed * 3.0) as u64 + 3600;
        let leased = self.store.lease(person.voter, self.now, seconds);
        let Ok(Some(lease)) = leased else {
            self.found.idle_hours += WAIT as f64 / 3600.0;
            let at = self.now + WAIT;
            self.at(at, Happening::Ask(nth));
            return;
        };
        let Ok(searched) = self.worked(&lease) else { return };
        let takes = (searched.nodes as f64 / person.speed) as u64 + 1;
        self.found.all_nodes += searched.nodes;
        let number = self.sequence;
        self.leases.insert(number, lease);
        match person.luck(&mut self.rng) {
            // The machine is switched off, and its work forgotten.
            crowd::Luck::Lost => {
                let at = self.now + takes + 24 * 3600;
                self.leases.remove(&number);
                self.at(at, Happening::Ask(nth));
            }
            crowd::Luck::Late => {
                let at = self.now + takes * 10;
                self.at(at, Happening::Deliver(nth, number));
            }
            crowd::Luck::Usual => {
                let at = self.now + takes;
                self.at(at, Happening::Deliver(nth, number));
            }
        }
    }

    /// What an honest worker would report.
    fn worked(&self, lease: &Lease) -> Result<UnitReport, TextError> {
        let (stop, mut visited, mut keep) = (Stop::new(), |_, _| {}, |_: &[u8]| {});
        let desk = &mut WorkDesk {
            tables: None,
            nodes_left: None,
            stop: &stop,
            visited: &mut visited,
            checkpoint: None,
            keep: &mut keep,
        };
        let worked = work(&self.simulation.game, &lease.unit, desk)?;
        // Nobody says stop.
        let failed = || Worked::bare(Finding::Failed(WorkFailure::Fault), 0);
        Ok(worked.unwrap_or_else(failed).report(&lease.unit, lease.attempt))
    }

    /// A worker delivers, honestly or not, and asks for more.
    fn deliver(&mut self, nth: usize, number: u64) -> Result<(), TextError> {
        if let Some(lease) = self.leases.remove(&number) {
            let mut report = self.worked(&lease)?;
            let person = &mut self.people[nth];
            person.tell(&mut report, &mut self.rng);
            let voter = person.voter;
            self.found.results += 1;
            drop(self.store.deliver(voter, &report.encode(), self.now));
        }
        let at = self.now + 1;
        self.at(at, Happening::Ask(nth));
        Ok(())
    }

    /// One step of the coordinator; `false` if it has to be thrown away.
    fn step(&mut self, coordinator: &mut Coordinator<'_>, epoch: Epoch) -> bool {
        const MOST_EVENTS: usize = 100_000;
        let Ok(mut events) = self.store.events(MOST_EVENTS) else { return false };
        let wanted = std::mem::take(&mut self.wanted);
        if !wanted.is_empty() {
            let Ok(rows) = self.store.nodes(&wanted) else { return false };
            events.push(Event::Known(rows));
        }
        let enough = self.people.len() / 4 + 16;
        let more = enough.saturating_sub(self.store.ready());
        let batch = coordinator.step(self.now, &events, more);
        self.wanted.clone_from(&batch.wanted);
        let rules = &self.simulation.game;
        self.found.units += batch.done.len() as u64;
        self.found.facts += batch.facts.len() as u64;
        for fact in &batch.facts {
            let holds = fact.question.holds(fact.proved);
            let truth = rules.truth(&fact.name).map(|value| value >= fact.question.at_least);
            self.found.false_facts += u64::from(truth != Some(holds));
        }
        let one_in = self.simulation.store_fails_one_in;
        if one_in > 0 && self.rng.next_u64().is_multiple_of(one_in) {
            // Half of the failed commits were written all the same.
            if self.rng.next_u64() & 1 == 0 {
                drop(self.store.commit(epoch, &batch, 0.0));
            }
            return false;
        }
        self.store.commit(epoch, &batch, 0.0).is_ok()
    }
}

/// A coordinator that has just taken over.
fn claimed<'r>(
    rules: &'r RandomGame,
    simulation: &Simulation,
    store: &mut MemoryStore,
) -> Result<(Coordinator<'r>, Epoch), TextError> {
    let failed = |error: StoreError| TextError::new("the store", error.to_string());
    let claimed = store.claim(false).map_err(failed)?;
    let seed = simulation.seed ^ u64::from(claimed.project.incarnation);
    let goal = Goal::AtLeast(AT_LEAST);
    let mut coordinator = Coordinator::new(rules, goal, simulation.plan(), claimed.project, seed)?;
    coordinator.resume(claimed.next_number, claimed.batches, claimed.nodes);
    for (user, record) in store.users().map_err(failed)? {
        coordinator.trust_mut().restore(user, record);
    }
    let mut wanted = vec![coordinator.root()];
    while !wanted.is_empty() {
        let rows = store.nodes(&wanted).map_err(failed)?;
        wanted = coordinator.restore(&rows)?;
    }
    for (unit, trusted_only) in store.units().map_err(failed)? {
        coordinator.adopt(&unit, trusted_only);
    }
    Ok((coordinator, claimed.epoch))
}
