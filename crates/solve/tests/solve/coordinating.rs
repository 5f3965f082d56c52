//! The coordinator by itself: what it hands out, whom it believes, what follows.

use std::collections::BTreeSet;

use game::{Rng, Side};
use play::Stop;
use solve::coordinator::{
    AttemptVerdict, Batch, Coordinator, Event, ProjectId, ProjectStanding, RulingRequest, Voter,
};
use solve::message::{Finding, SolverVersion, SubFact, Unit, UnitReport};
use solve::simulation::RandomGame;
use solve::store::{Door, Epoch, MemoryStore, Receipt, Store, StoreError};
use solve::{
    Bounds, Goal, Method, NodeName, Plan, SolverRules, TrustPlan, rule_on, take_over, work_through,
};

use crate::circles::{Graph, plan};

pub(crate) const PROJECT: ProjectId = ProjectId { project: 0, incarnation: 1 };
pub(crate) const OWN: Voter = Voter { user: 0, network: 0, trusted: true };

/// What an honest worker reports.
pub(crate) fn report(rules: &dyn SolverRules, unit: &Unit, attempt: u32) -> UnitReport {
    work_through(rules, unit).unwrap().report(unit, attempt)
}

pub(crate) fn honest(rules: &dyn SolverRules, unit: &Unit, user: u64, attempt: u32) -> Event {
    let voter = Voter { user, network: user, trusted: user == 0 };
    Event::Delivered(voter, Box::new(report(rules, unit, attempt)))
}

pub(crate) fn random_game(seed: u64, root_bits: f64) -> RandomGame {
    RandomGame { seed, plies: 8, limit: 1, root_bits, first_is_right: 0.7 }
}

pub(crate) fn small(trust: TrustPlan) -> Plan {
    Plan { budget: 4096, slice: 4096, trust, ..plan(Method::AlphaBeta) }
}

/// A project with one honest worker comes to the truth, and takes notice of nothing but its own.
#[test]
fn one_worker_finds_the_truth() {
    for seed in 0..50 {
        let game = random_game(seed, 22.0);
        let mut coordinator =
            Coordinator::new(&game, Goal::Value, small(TrustPlan::OWN), PROJECT, seed).unwrap();
        let mut events = Vec::new();
        let mut numbers = Vec::new();
        while *coordinator.standing() == ProjectStanding::Open {
            let batch = coordinator.step(0, &events, 1);
            numbers.extend(batch.units.iter().map(|new| new.unit.id.number));
            events = batch.units.iter().map(|new| honest(&game, &new.unit, 0, 0)).collect();
        }
        assert_eq!(coordinator.bounds().exact(), game.truth(&game.root()), "seed {seed}");
        assert!(numbers.is_sorted_by(|a, b| a < b), "a number was used twice");
    }
}

/// Numbers go on after a restart, so that a late report answers no other node.
#[test]
fn a_late_report_answers_nothing_else() {
    let game = random_game(3, 22.0);
    let plan = small(TrustPlan::OWN);
    let mut before = Coordinator::new(&game, Goal::Value, plan, PROJECT, 1).unwrap();
    let batch = before.step(0, &[], 1);
    let late = honest(&game, &batch.units[0].unit, 0, 0);
    let again = ProjectId { incarnation: 2, ..PROJECT };
    let mut after = Coordinator::new(&game, Goal::Value, plan, again, 1).unwrap();
    after.resume(batch.next_number, batch.number, 0);
    let issued = after.step(0, &[], 1);
    assert_ne!(issued.units[0].unit.id, batch.units[0].unit.id);
    let heard = after.step(0, std::slice::from_ref(&late), 0);
    assert_eq!(heard.judged[0].verdict, AttemptVerdict::Gone);
    assert!(heard.facts.is_empty() && heard.nodes.is_empty());
    // Nor where a number should have been used twice after all.
    let mut careless = Coordinator::new(&game, Goal::Value, plan, again, 1).unwrap();
    careless.step(0, &[], 1);
    let heard = careless.step(0, &[late], 0);
    assert!(heard.facts.is_empty() && heard.judged[0].verdict == AttemptVerdict::Gone);
}

/// A report about something else, or a second one of the same user, is heard by nobody: the unit is
/// for somebody else, and does not wait for ever.
#[test]
fn an_attempt_that_came_to_nothing_leaves_its_place() {
    let game = random_game(3, 22.0);
    let plan = small(TrustPlan::STRANGERS);
    let mut coordinator = Coordinator::new(&game, Goal::Value, plan, PROJECT, 1).unwrap();
    let unit = coordinator.step(0, &[], 1).units[0].unit.clone();
    let voter = |user| Voter { user, network: user, trusted: false };
    let other = UnitReport { unit_hash: 7, ..report(&game, &unit, 0) };
    let mut hear = |event| coordinator.step(0, &[event], 0);
    let heard = hear(Event::Delivered(voter(5), Box::new(other)));
    assert_eq!((heard.judged[0].verdict, heard.judged[0].credit), (AttemptVerdict::Gone, 0));
    assert_eq!(heard.again[0].wanted, 2, "{heard:?}");
    assert!(heard.log[0].contains("by user 5: the unit has another hash"), "{heard:?}");
    let heard = hear(honest(&game, &unit, 6, 1));
    assert_eq!((heard.again[0].wanted, heard.judged.len()), (3, 0), "{heard:?}");
    let heard = hear(honest(&game, &unit, 6, 2));
    assert_eq!(heard.judged[0].verdict, AttemptVerdict::Gone);
    assert_eq!(heard.again[0].wanted, 4, "{heard:?}");
}

/// A report that names one of two moves gets both: the rules make the children.
#[test]
fn children_are_made_by_the_rules() {
    let graph = Graph::new(&[("root", Side::Second, &["first", "second"])]);
    let plan = plan(Method::BestFirst);
    let mut coordinator = Coordinator::new(&graph, Goal::Value, plan, PROJECT, 1).unwrap();
    let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
    let mut lie = report(&graph, &unit, 0);
    lie.finding = Finding::Open { facts: Vec::new(), order: vec![0] };
    coordinator.step(0, &[Event::Delivered(OWN, Box::new(lie))], 0);
    // It is the second player's choice, and it wins.
    assert_eq!(coordinator.bounds(), Bounds::exactly(-1));
}

/// Somebody wants to have a node worked at that nobody has come to yet: its unit stays, also after
/// somebody else has taken over, and its answer is kept.
#[test]
fn what_somebody_wishes_is_not_withdrawn() {
    let game = random_game(3, 22.0);
    let child = |name: &NodeName| game.children(name, &[]).unwrap().remove(0).sight.name;
    let wished = child(&child(&game.root()));
    let new = || Coordinator::new(&game, Goal::Value, small(TrustPlan::OWN), PROJECT, 1).unwrap();
    let mut coordinator = new();
    coordinator.step(0, &[], 0);
    coordinator.wish(wished.clone());
    let unit = coordinator.step(0, &[], 0).units.remove(0).unit;
    assert_eq!((&unit.node, unit.budget), (&wished, 4096));
    let mut other = new();
    other.resume(1, 2, 0);
    other.step(0, &[], 0);
    other.adopt(&unit, false);
    for mut coordinator in [coordinator, other] {
        for _ in 0..5 {
            assert_eq!(coordinator.step(0, &[], 0).withdrawn, []);
        }
        let heard = coordinator.step(0, &[honest(&game, &unit, 0, 0)], 0);
        assert_eq!(heard.done, [unit.id], "{heard:?}");
    }
}

/// Moves that are none, and facts about what no move leads to, change nothing.
#[test]
fn made_up_moves_are_passed_over() {
    let graph = Graph::new(&[("root", Side::First, &["a", "b"]), ("a", Side::First, &["first"])]);
    let plan = plan(Method::BestFirst);
    let mut coordinator = Coordinator::new(&graph, Goal::Value, plan, PROJECT, 1).unwrap();
    let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
    let mut lie = report(&graph, &unit, 0);
    let fact = SubFact { path: vec![7, 7], question: unit.question, proved: true };
    lie.finding = Finding::Open { facts: vec![fact], order: vec![9, 1, 1] };
    let batch = coordinator.step(0, &[Event::Delivered(OWN, Box::new(lie))], 0);
    assert!(batch.facts.is_empty());
    assert!(batch.log.iter().any(|line| line.contains("place of a legal move")), "{:?}", batch.log);
    assert_eq!(coordinator.tree().children(0).unwrap().len(), 2);
}

/// Facts that exclude each other stop the project, wherever they meet, and it says where.
#[test]
fn a_contradiction_is_not_passed_over() {
    for path in [vec![], vec![1]] {
        let game = random_game(5, 30.0);
        let plan = small(TrustPlan::OWN);
        let mut coordinator = Coordinator::new(&game, Goal::Value, plan, PROJECT, 1).unwrap();
        for _ in 0..3 {
            let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
            let mut lie = report(&game, &unit, 0);
            let fact = |proved| SubFact { path: path.clone(), question: unit.question, proved };
            lie.finding = Finding::Open { facts: vec![fact(true), fact(false)], order: vec![] };
            coordinator.step(0, &[Event::Delivered(OWN, Box::new(lie))], 0);
            if *coordinator.standing() != ProjectStanding::Open {
                break;
            }
        }
        let after = |name: NodeName, &place: &u16| {
            game.children(&name, &[place]).unwrap().remove(0).sight.name
        };
        let text = game.text(&path.iter().fold(game.root(), after)).unwrap();
        assert_eq!(*coordinator.standing(), ProjectStanding::Contradicted(text));
    }
}

pub(crate) const STRANGERS: TrustPlan = TrustPlan {
    established_results: 0,
    established_seconds: 0,
    spot_check_one_in: 0,
    canary_one_in: 0,
    ..TrustPlan::STRANGERS
};

/// What two strangers say is believed once one of them is established, and not before.
#[test]
fn a_quorum_needs_somebody_who_is_known() {
    let game = random_game(1, 3.0);
    let mut coordinator =
        Coordinator::new(&game, Goal::AtLeast(1), small(STRANGERS), PROJECT, 1).unwrap();
    let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
    let first = coordinator.step(0, &[honest(&game, &unit, 5, 0)], 0);
    assert_eq!((first.again[0].wanted, first.facts.len()), (2, 0));
    let second = coordinator.step(0, &[honest(&game, &unit, 6, 1)], 0);
    assert!(second.facts.is_empty() && !second.again.is_empty(), "nobody is established yet");
    let third = coordinator.step(0, &[honest(&game, &unit, 0, 2)], 0);
    assert_eq!(third.facts.len(), 1);
    assert_eq!(third.judged.len(), 3);
    assert!(third.judged.iter().all(|judged| judged.verdict == AttemptVerdict::Valid));
}

/// Accounts behind one address have one voice, and so has a user who votes twice.
#[test]
fn many_accounts_have_one_voice() {
    let game = random_game(1, 3.0);
    let mut coordinator =
        Coordinator::new(&game, Goal::AtLeast(1), small(STRANGERS), PROJECT, 1).unwrap();
    coordinator
        .trust_mut()
        .restore(1, solve::coordinator::UserRecord { valid: 9, ..Default::default() });
    let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
    for (attempt, user) in [(0, 1), (1, 2), (2, 3)] {
        let voter = Voter { user, network: 7, trusted: false };
        let mut lie = report(&game, &unit, attempt);
        lie.finding = match lie.finding {
            Finding::Proved => Finding::Refuted,
            _ => Finding::Proved,
        };
        let batch = coordinator.step(0, &[Event::Delivered(voter, Box::new(lie))], 0);
        assert!(batch.facts.is_empty(), "user {user}");
    }
}

/// A user who is wrong about what is known is never believed again.
#[test]
fn canaries_find_liars() {
    let game = random_game(2, 24.0);
    let trust = TrustPlan { canary_one_in: 1, ..STRANGERS };
    let mut coordinator = Coordinator::new(&game, Goal::Value, small(trust), PROJECT, 1).unwrap();
    let mut rng = Rng::new(1);
    let mut banned = BTreeSet::new();
    let mut open: Vec<(Unit, u32)> = Vec::new();
    for _ in 0..400 {
        let mut events = Vec::new();
        for (unit, attempt) in open.drain(..) {
            // The liar, a stranger and a machine of the project, in some order.
            let user = [9, 5, 0][rng.below(3)];
            let mut told = report(&game, &unit, attempt);
            if user == 9 {
                told.finding = Finding::Proved;
                told.nodes += 1;
            }
            let voter = Voter { user, network: user, trusted: user == 0 };
            events.push((unit, Event::Delivered(voter, Box::new(told))));
        }
        let told: Vec<Event> = events.iter().map(|(_, event)| event.clone()).collect();
        let batch = coordinator.step(0, &told, 1);
        let asked_again = |unit: &Unit| batch.again.iter().find(|more| more.unit == unit.id);
        for (unit, _) in events {
            if let Some(more) = asked_again(&unit) {
                open.push((unit, more.wanted - 1));
            }
        }
        open.extend(batch.units.iter().map(|new| (new.unit.clone(), 0)));
        banned.extend(batch.banned);
        if *coordinator.standing() != ProjectStanding::Open {
            break;
        }
    }
    assert!(coordinator.trust().record(9).banned, "the liar was never found");
    assert_eq!(banned, BTreeSet::from([9]), "and the store is told");
    assert!(!coordinator.trust().record(5).banned);
}

/// A project that two honest workers and a liar take part in, step by step in every order, with
/// deliveries that come twice, commits that fail, and commits of which nobody knows whether they were
/// written.
#[derive(Clone)]
struct World<'g> {
    game: &'g RandomGame,
    coordinator: Coordinator<'g>,
    epoch: Epoch,
    store: MemoryStore,
    working: Vec<Option<(Unit, u32)>>,
    last: Vec<Option<UnitReport>>,
    /// What the store was asked for.
    wanted: Vec<NodeName>,
    /// What is to be found out about reports.
    rulings: Vec<RulingRequest>,
    believed: u64,
}

const HOSTS: [Voter; 3] = [
    Voter { user: 0, network: 0, trusted: true },
    Voter { user: 1, network: 1, trusted: false },
    Voter { user: 2, network: 2, trusted: false },
];
const LIAR: usize = 2;

#[derive(Clone, Copy, Debug)]
enum Act {
    Ask(usize),
    Deliver(usize),
    DeliverAgain(usize),
    Step,
    LostCommit,
    UnknownCommit,
}

impl<'g> World<'g> {
    fn new(game: &'g RandomGame) -> World<'g> {
        let mut store = MemoryStore::new(0);
        let (coordinator, epoch) = World::claimed(game, &mut store);
        let nobody = || vec![None, None, None];
        World {
            game,
            coordinator,
            epoch,
            store,
            working: nobody(),
            last: vec![None, None, None],
            wanted: Vec::new(),
            rulings: Vec::new(),
            believed: 0,
        }
    }

    fn claimed(game: &'g RandomGame, store: &mut MemoryStore) -> (Coordinator<'g>, Epoch) {
        let plan = Plan { second_share: 2, ..small(STRANGERS) };
        let (coordinator, claimed) = take_over(game, Goal::Value, plan, store, false).unwrap();
        (coordinator, claimed.epoch)
    }

    /// Does one thing; `false` if it cannot be done now.
    fn act(&mut self, act: Act) -> bool {
        match act {
            Act::Ask(host) if self.working[host].is_none() => {
                let lease = self.store.lease(HOSTS[host], 0, 1000).unwrap();
                let Some(lease) = lease else { return false };
                self.working[host] = Some((lease.unit, lease.attempt));
            }
            Act::Deliver(host) => {
                let Some((unit, attempt)) = self.working[host].take() else { return false };
                let mut told = report(self.game, &unit, attempt);
                if host == LIAR {
                    told.finding = match told.finding {
                        Finding::Proved => Finding::Refuted,
                        _ => Finding::Proved,
                    };
                }
                self.store.deliver(HOSTS[host], &told.encode(), 0).unwrap();
                self.last[host] = Some(told);
            }
            Act::DeliverAgain(host) => {
                let Some(told) = self.last[host].take() else { return false };
                self.store.deliver(HOSTS[host], &told.encode(), 0).unwrap();
            }
            Act::Step => {
                let batch = self.step();
                self.store.commit(self.epoch, &batch, 0.0).unwrap();
            }
            Act::LostCommit | Act::UnknownCommit => {
                let batch = self.step();
                if matches!(act, Act::UnknownCommit) {
                    self.store.commit(self.epoch, &batch, 0.0).unwrap();
                }
                let old = self.epoch;
                (self.coordinator, self.epoch) = World::claimed(self.game, &mut self.store);
                self.wanted.clear();
                self.rulings.clear();
                // Whoever was replaced cannot write.
                let fenced = self.store.commit(old, &batch, 0.0);
                assert!(matches!(fenced, Err(StoreError::Fenced)));
            }
            Act::Ask(_) => return false,
        }
        true
    }

    fn step(&mut self) -> Batch {
        let mut events = self.store.events(100).unwrap();
        if !self.wanted.is_empty() {
            events.push(Event::Known(self.store.nodes(&self.wanted).unwrap()));
        }
        // It takes until the next step to find out who lies.
        for request in std::mem::take(&mut self.rulings) {
            let reports = self.store.reports(request.unit.id, &request.attempts).unwrap();
            events.extend(rule_on(self.game, &request, &reports, &Stop::new()));
        }
        let more = 2usize.saturating_sub(self.coordinator.open_units().count());
        let batch = self.coordinator.step(0, &events, more);
        self.wanted.clone_from(&batch.wanted);
        self.rulings.clone_from(&batch.rulings);
        for fact in &batch.facts {
            self.believed += 1;
            let truth = self.game.truth(&fact.name).unwrap() >= fact.question.at_least;
            assert_eq!(fact.question.holds(fact.proved), truth, "a false fact was believed");
        }
        batch
    }

    fn check(&self) {
        let truth = self.game.truth(&self.game.root()).unwrap();
        let Bounds { lower, upper } = self.coordinator.bounds();
        assert!(lower <= truth && truth <= upper);
        // The liar earns nothing, whatever it repeats.
        assert_eq!(self.store.credit(HOSTS[LIAR].user), 0);
        assert!(!matches!(self.coordinator.standing(), ProjectStanding::Contradicted(_)));
        // Whoever is honest is never said to lie.
        for honest in [0, 1] {
            let record = self.coordinator.trust().record(HOSTS[honest].user);
            assert!(!record.banned && record.invalid == 0, "{record:?}");
        }
    }
}

const ACTS: [Act; 10] = [
    Act::Ask(0),
    Act::Ask(1),
    Act::Ask(2),
    Act::Deliver(0),
    Act::Deliver(1),
    Act::Deliver(2),
    Act::DeliverAgain(1),
    Act::Step,
    Act::LostCommit,
    Act::UnknownCommit,
];

/// Every order of what can happen to two units, three hosts and a fail-over, to a depth.
#[test]
fn every_order_of_events_is_survived() {
    fn explore(world: &World<'_>, depth: u32, fail_overs: u32, seen: &mut u64, believed: &mut u64) {
        *seen += 1;
        *believed = (*believed).max(world.believed);
        world.check();
        if depth == 0 {
            return;
        }
        for act in ACTS {
            let fails = u32::from(matches!(act, Act::LostCommit | Act::UnknownCommit));
            if fails > fail_overs {
                continue;
            }
            let mut next = world.clone();
            if next.act(act) {
                explore(&next, depth - 1, fail_overs - fails, seen, believed);
            }
        }
    }
    // Two questions about the root, so that there are two units.
    let game = random_game(11, 3.0);
    let mut world = World::new(&game);
    let (mut seen, mut believed) = (0, 0);
    assert!(world.act(Act::Step));
    explore(&world, 7, 1, &mut seen, &mut believed);
    assert!(seen > 10_000 && believed > 1, "{seen} states, {believed} facts");
}

/// Random orders, to the end: nothing is lost, and the answer is the truth.
#[test]
fn random_orders_end_at_the_truth() {
    for seed in 0..60 {
        let game = random_game(seed, 20.0);
        let mut rng = Rng::new(seed);
        let mut world = World::new(&game);
        let mut steps = 0;
        while *world.coordinator.standing() == ProjectStanding::Open {
            steps += 1;
            assert!(steps < 40_000, "seed {seed} does not end");
            let act = ACTS[rng.below(ACTS.len())];
            let is_rare = matches!(act, Act::LostCommit | Act::UnknownCommit);
            if !is_rare || rng.below(20) == 0 {
                world.act(act);
                world.check();
            }
        }
        assert_eq!(*world.coordinator.standing(), ProjectStanding::Answered, "seed {seed}");
        assert_eq!(world.coordinator.bounds().exact(), game.truth(&game.root()), "seed {seed}");
    }
}

/// The door knows who has what.
#[test]
fn only_who_has_a_lease_delivers() {
    let game = random_game(1, 10.0);
    let mut world = World::new(&game);
    world.act(Act::Step);
    assert!(world.act(Act::Ask(1)));
    let (unit, attempt) = world.working[1].clone().unwrap();
    let told = report(&game, &unit, attempt);
    let by =
        |world: &mut World<'_>, voter, bytes: &[u8]| world.store.deliver(voter, bytes, 0).unwrap();
    let refused = |receipt: Receipt| matches!(receipt, Receipt::Refused(_));
    assert!(refused(by(&mut world, HOSTS[2], &told.encode())), "somebody else's");
    assert!(refused(by(&mut world, HOSTS[1], b"ZREP and so on")), "no report");
    let other = UnitReport { attempt: 7, ..told.clone() };
    assert!(refused(by(&mut world, HOSTS[1], &other.encode())), "no such attempt");
    assert_eq!(by(&mut world, HOSTS[1], &told.encode()), Receipt::Taken);
    assert_eq!(by(&mut world, HOSTS[1], &told.encode()), Receipt::Taken, "the same again");
    let changed = UnitReport { nodes: told.nodes + 1, ..told };
    assert!(refused(by(&mut world, HOSTS[1], &changed.encode())), "something else");
}

/// Where no version tells whose results can be compared, strangers are not asked.
#[test]
fn a_solver_without_a_version_is_for_trusted_machines() {
    let game = random_game(1, 22.0);
    for (version, trusted_only) in [(0, true), (1, false)] {
        let solver = SolverVersion(version);
        let plan = Plan { solver, ..small(TrustPlan::STRANGERS) };
        let mut coordinator = Coordinator::new(&game, Goal::Value, plan, PROJECT, 1).unwrap();
        let units = coordinator.step(0, &[], 1).units;
        assert!(!units.is_empty());
        assert!(units.iter().all(|new| new.trusted_only == trusted_only));
    }
}
