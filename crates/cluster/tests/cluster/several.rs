//! What several workers visit beside one: real units of real games, worked at by workers that are
//! moved by one thread, in the order in which their nodes would be visited by machines of the same
//! speed. No time is measured, and every run repeats itself.
//!
//! ```text
//! cargo nextest run --cargo-profile release -p zermelo-cluster --all-features --test cluster \
//!     --run-ignored only --no-capture -E 'test(several_workers_beside_one)'
//! ```
//!
//! `ZERMELO_SEVERAL` names other questions, each a game, a position (`_` for spaces) or `-`, a question, the nodes of
//! the largest units, the nodes between two looks whether a unit is still wanted, and `kept` or
//! `cleared` tables; and `ZERMELO_SEVERAL_WORKERS` (default `1,2,4`) how many work;
//! `ZERMELO_SEVERAL_SPECULATION` limits what is of use only if other work turns out otherwise to one
//! node in so many.

use std::collections::HashMap;

use cluster::project::ProjectPlan;
use compiled::default_method;
use play::Stop;
use search::{ProofTable, Table};
use solve::coordinator::{Batch, Coordinator, Event, ProjectStanding, Voter};
use solve::message::{Finding, UnitId};
use solve::store::{Door, Epoch, Lease, MemoryStore, Store};
use solve::{Goal, SolverRules, WorkDesk, Worked, work};

const QUESTIONS: &str = "reversi:6x6 000010211100122210212110200000000000;1 value 100000 20000 kept; \
    connect4:5x6 - value 200000 40000 kept";
const HASH_MEGABYTES: u32 = 64;
/// Who works here is believed.
fn voter(seat: usize) -> Voter {
    Voter { user: seat as u64, network: seat as u64, trusted: true }
}

/// Where a worker sits, and what it is about.
struct Seat {
    table: Table,
    proofs: ProofTable,
    at: Option<Begun>,
}

/// A unit that is worked at; what comes of it is known from the beginning.
struct Begun {
    lease: Lease,
    worked: Worked,
    since: u64,
    /// When it ends, by the nodes that every machine has visited.
    until: u64,
    withdrawn: bool,
}

/// Nodes by what came of them.
#[derive(Default)]
struct Account {
    /// In units that were answered.
    answered: u64,
    /// In units whose budget was spent, with something found on the way or not.
    spent: u64,
    /// In units that were given up, since nobody wanted them any longer.
    withdrawn: u64,
    units: u64,
    /// When the last one ended.
    elapsed: u64,
}

struct Crew<'r> {
    rules: &'r dyn SolverRules,
    coordinator: Coordinator<'r>,
    store: MemoryStore,
    epoch: Epoch,
    seats: Vec<Seat>,
    /// Nodes between two looks whether a unit is wanted.
    look: u64,
    now: u64,
    account: Account,
    answered: HashMap<solve::NodeName, u64>,
}

impl<'r> Crew<'r> {
    fn new(rules: &'r dyn SolverRules, goal: Goal, plan: solve::Plan, seats: usize) -> Crew<'r> {
        let mut store = MemoryStore::new(7);
        let claimed = store.claim(true).unwrap();
        let seat = |_| Seat {
            table: Table::new(plan.table_megabytes as usize),
            proofs: ProofTable::new(plan.table_megabytes as usize),
            at: None,
        };
        Crew {
            rules,
            coordinator: Coordinator::new(rules, goal, plan, claimed.project, 1).unwrap(),
            store,
            epoch: claimed.epoch,
            seats: (0..seats).map(seat).collect(),
            look: 1,
            now: 0,
            account: Account::default(),
            answered: HashMap::new(),
        }
    }

    fn run(&mut self) {
        loop {
            for seat in 0..self.seats.len() {
                if self.seats[seat].at.is_none() {
                    self.begin(seat);
                }
            }
            let busy = self.seats.iter().enumerate();
            let next = busy.filter_map(|(seat, s)| Some((s.at.as_ref()?.until, seat))).min();
            let Some((until, seat)) = next else { break };
            self.now = until;
            self.end(seat);
        }
        self.account.elapsed = self.now;
        assert_eq!(*self.coordinator.standing(), ProjectStanding::Answered);
    }

    fn begin(&mut self, seat: usize) {
        if *self.coordinator.standing() != ProjectStanding::Open {
            return;
        }
        let mut lease = self.store.lease(voter(seat), 0, u64::MAX).unwrap();
        if lease.is_none() {
            self.step(1);
            lease = self.store.lease(voter(seat), 0, u64::MAX).unwrap();
        }
        let Some(lease) = lease else { return };
        let Seat { table, proofs, at } = &mut self.seats[seat];
        let desk = &mut WorkDesk {
            tables: Some((table, proofs)),
            nodes_left: None,
            stop: &Stop::new(),
            visited: &mut |_, _| {},
            checkpoint: None,
            keep: &mut |_| {},
        };
        let worked = work(self.rules, &lease.unit, desk).unwrap().unwrap();
        let (since, until) = (self.now, self.now + worked.nodes);
        *at = Some(Begun { lease, worked, since, until, withdrawn: false });
    }

    fn end(&mut self, seat: usize) {
        let Some(begun) = self.seats[seat].at.take() else { return };
        let Begun { lease, worked, since, withdrawn, .. } = begun;
        let nodes = self.now - since;
        self.account.units += 1;
        if withdrawn {
            self.account.withdrawn += nodes;
            return;
        }
        match &worked.finding {
            Finding::Proved | Finding::Refuted => {
                self.account.answered += nodes;
                *self.answered.entry(lease.unit.node.clone()).or_default() += nodes;
            }
            _ => self.account.spent += nodes,
        }
        let report = worked.report(&lease.unit, lease.attempt);
        self.store.deliver(voter(seat), &report.encode(), 0).unwrap();
        self.step(0);
    }

    fn step(&mut self, more: usize) {
        let mut events = self.store.events(1000).unwrap();
        loop {
            let batch = self.coordinator.step(0, &events, more);
            self.store.commit(self.epoch, &batch, 0.0).unwrap();
            let Batch { wanted, withdrawn, .. } = batch;
            withdrawn.iter().for_each(|&unit| self.withdraw(unit));
            if wanted.is_empty() {
                break;
            }
            events = vec![Event::Known(self.store.nodes(&wanted).unwrap())];
        }
        if *self.coordinator.standing() != ProjectStanding::Open {
            let running =
                self.seats.iter().filter_map(|seat| Some(seat.at.as_ref()?.lease.unit.id));
            for unit in running.collect::<Vec<_>>() {
                self.withdraw(unit);
            }
        }
    }

    /// Whoever works at it hears of that when it looks next.
    fn withdraw(&mut self, unit: UnitId) {
        for begun in self.seats.iter_mut().filter_map(|seat| seat.at.as_mut()) {
            if begun.lease.unit.id == unit {
                let heard = begun.since + (self.now - begun.since).div_ceil(self.look) * self.look;
                if heard < begun.until {
                    (begun.until, begun.withdrawn) = (heard, true);
                }
            }
        }
    }

    /// Nodes of units that the answer rests on.
    fn needed(&self) -> u64 {
        let (tree, bounds) = (self.coordinator.tree(), self.coordinator.bounds());
        let mut needed: HashMap<&[u8], u64> = HashMap::new();
        for at_least in [bounds.lower, bounds.upper + 1] {
            for node in tree.rests_on(at_least).map(|parts| parts.facts).unwrap_or_default() {
                let name = tree.name(node);
                if let Some(&nodes) = self.answered.get(&solve::NodeName::new(name)) {
                    needed.insert(name, nodes);
                }
            }
        }
        needed.values().sum()
    }
}

fn row(question: &str, workers: usize, alone: &mut Option<u64>) {
    let words: Vec<&str> = question.split_whitespace().collect();
    let [game, position, goal, nodes, look, tables] = words[..] else { panic!("{question}") };
    let compiled = catalog::open(game).unwrap();
    let position = match position {
        "-" => compiled.session().position(),
        position => position.replace('_', " "),
    };
    let rules = compiled.solver_rules(&position).unwrap();
    let plan = ProjectPlan {
        unit_nodes: Some(nodes.parse().unwrap()),
        table_megabytes: HASH_MEGABYTES,
        certify: false,
        ..ProjectPlan::default()
    };
    let plan = plan.plan(default_method(compiled.facts()), rules.version(), 1.0);
    let plan = solve::Plan { keep_table: tables == "kept", ..plan };
    let mut crew = Crew::new(&*rules, goal.parse().unwrap(), plan, workers);
    crew.look = look.parse().unwrap();
    if let Ok(one_in) = std::env::var("ZERMELO_SEVERAL_SPECULATION") {
        crew.coordinator.limit_speculation(one_in.parse().unwrap());
    }
    crew.run();
    let needed = crew.needed();
    let Account { answered, spent, withdrawn, units, elapsed } = crew.account;
    let all = answered + spent + withdrawn;
    let alone = *alone.get_or_insert(all);
    println!(
        "| `{question}` | {workers} | {} to {} | {all} | {:.2} | {needed} | {answered} | {spent} \
         | {withdrawn} | {units} | {:.2} |",
        crew.coordinator.bounds().lower,
        crew.coordinator.bounds().upper,
        all as f64 / alone as f64,
        alone as f64 / elapsed as f64,
    );
}

#[test]
#[ignore = "a minute"]
fn several_workers_beside_one() {
    let questions = std::env::var("ZERMELO_SEVERAL").unwrap_or_else(|_| QUESTIONS.to_owned());
    let workers = std::env::var("ZERMELO_SEVERAL_WORKERS").unwrap_or_else(|_| "1,2,4".to_owned());
    println!(
        "| question | workers | value | nodes | to one | needed | answered | over budget \
         | withdrawn | units | sooner by |\n{}|",
        "|---".repeat(11)
    );
    for question in questions.split("; ") {
        let mut alone = None;
        for workers in workers.split(',') {
            row(question, workers.trim().parse().unwrap(), &mut alone);
        }
    }
}
