//! Who is wrong about a unit, found out by one sub-job: exactly those whom a full recomputation blames.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use game::{Game, Rng, Side, Spec, TextError};
use games::reversi;
use play::Stop;
use solve::coordinator::{Event, Ruling, RulingRequest};
use solve::message::{Finding, SolverVersion, SubFact, Unit, UnitReport, UnitTask};
use solve::simulation::RandomGame;
use solve::tree::{Manner, Sight};
use solve::{
    Child, Measures, Method, NodeName, Searched, SolverRules, Unruled, With, rule, rule_on,
    spot_check, work_through,
};

use crate::games::problem;
use crate::units::unit;

/// A game whose searches are counted.
struct Counted<'r>(&'r dyn SolverRules, AtomicUsize);

impl SolverRules for Counted<'_> {
    fn game(&self) -> String {
        self.0.game()
    }
    fn root_text(&self) -> String {
        self.0.root_text()
    }
    fn version(&self) -> SolverVersion {
        self.0.version()
    }
    fn root(&self) -> NodeName {
        self.0.root()
    }
    fn margin_limit(&self) -> i32 {
        self.0.margin_limit()
    }
    fn manner(&self, method: Method) -> Manner {
        self.0.manner(method)
    }
    fn text(&self, name: &NodeName) -> Result<String, TextError> {
        self.0.text(name)
    }
    fn read(&self, text: &str) -> Result<NodeName, TextError> {
        self.0.read(text)
    }
    fn sight(&self, name: &NodeName) -> Result<Sight, TextError> {
        self.0.sight(name)
    }
    fn measures(&self, name: &NodeName) -> Result<Measures, TextError> {
        self.0.measures(name)
    }
    fn children(&self, name: &NodeName, order: &[u16]) -> Result<Vec<Child>, TextError> {
        self.0.children(name, order)
    }
    fn search(
        &self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
        with: &mut With<'_>,
    ) -> Result<Searched, TextError> {
        self.1.fetch_add(1, Relaxed);
        self.0.search(name, at_least, budget, with)
    }
}

fn random_game(seed: u64) -> RandomGame {
    RandomGame { seed, plies: 12, limit: 2, root_bits: 22.0, first_is_right: 0.7 }
}

fn honest(rules: &dyn SolverRules, unit: &Unit) -> UnitReport {
    work_through(rules, unit).unwrap().report(unit, 0)
}

/// The many ways to be wrong. Whoever lies cleverly keeps the sum of the nodes right.
const LIES: usize = 14;

fn lie(kind: usize, honest: &UnitReport, foreign: &[Searched], rng: &mut Rng) -> UnitReport {
    let mut report = honest.clone();
    let jobs = report.trace.len();
    let (at, other) = (rng.below(jobs), rng.below(jobs));
    let job = &mut report.trace[at];
    match kind {
        0 => job.nodes += 1,
        1 => job.nodes = job.nodes.saturating_sub(1),
        2 => job.nodes = u64::MAX - rng.below(3) as u64,
        3 => {
            *job = Searched {
                holds: job.holds.map_or(Some(rng.below(2) == 0), |holds| Some(!holds)),
                ..Searched { order: Vec::new(), refuted: Vec::new(), ..job.clone() }
            }
        }
        4 => *job = Searched { holds: None, order: vec![0, 1], ..job.clone() },
        5 => {
            let by = job.order.len().min(1);
            job.order.rotate_left(by);
        }
        6 => job.refuted.push(rng.below(4) as u16),
        7 => job.order = (0..50).map(|_| rng.next_u64() as u16).collect(),
        8 => report.trace.truncate(at),
        9 => report.trace.extend(foreign.iter().take(1 + at).cloned()),
        10 => report.trace.swap(at, other),
        11 => report.trace = foreign.to_vec(),
        12 => {
            report.finding = match report.finding {
                Finding::Proved => Finding::Refuted,
                Finding::Open { facts, mut order } if rng.below(2) == 0 => {
                    order.reverse();
                    Finding::Open { facts: [facts, vec![made_up()]].concat(), order }
                }
                _ => Finding::Proved,
            }
        }
        _ => report.nodes = report.nodes.wrapping_add(1),
    }
    if kind < 12 && rng.below(2) == 0 {
        report.nodes = report.trace.iter().fold(0, |sum: u64, job| sum.saturating_add(job.nodes));
    }
    report
}

fn made_up() -> SubFact {
    let question = solve::message::Question { at_least: 0, prover: Side::First };
    SubFact { path: vec![0], question, proved: true }
}

/// Of any who disagree those are blamed who did not do the work, and nobody else; with somebody
/// honest among them all of those. Two take one search to tell apart.
fn blame_is_exact(
    rules: &dyn SolverRules,
    unit: &Unit,
    foreign: &[Searched],
    rng: &mut Rng,
) -> u64 {
    let right = honest(rules, unit);
    let counted = Counted(rules, AtomicUsize::new(0));
    let mut lies = 0;
    for kind in 0..LIES {
        let count = 1 + rng.below(3);
        let mut reports: Vec<UnitReport> = (0..count)
            .map(|nth| lie(if nth == 0 { kind } else { rng.below(LIES) }, &right, foreign, rng))
            .collect();
        let has_honest = rng.below(4) > 0;
        if has_honest {
            reports.insert(rng.below(reports.len() + 1), right.clone());
        }
        let reports: Vec<&UnitReport> = reports.iter().collect();
        counted.1.store(0, Relaxed);
        let wrong = rule(&counted, unit, &reports, &Stop::new()).unwrap();
        let lied = |nth: usize| reports[nth].agreement() != right.agreement();
        let context = || format!("lie {kind}, {} sub-jobs: {wrong:?}", right.trace.len());
        for (nth, &blamed) in wrong.iter().enumerate() {
            assert!(lied(nth) || !blamed, "somebody honest is blamed: {}", context());
            assert!(!has_honest || blamed == lied(nth), "a liar is not found: {}", context());
            lies += u64::from(lied(nth));
        }
        let mut left = (0..reports.len()).filter(|&nth| !wrong[nth]);
        let first = left.next().map(|nth| reports[nth].agreement());
        assert!(left.all(|nth| Some(reports[nth].agreement()) == first), "{}", context());
        let searches = counted.1.load(Relaxed);
        assert!(searches < reports.len() || unit.budget <= unit.slice, "{}", context());
        spot_checks(rules, unit, &right, &reports, rng);
    }
    lies
}

/// Nobody honest fails a spot check; a lie about a sub-job is found where that one is drawn.
fn spot_checks(
    rules: &dyn SolverRules,
    unit: &Unit,
    right: &UnitReport,
    reports: &[&UnitReport],
    rng: &mut Rng,
) {
    let stop = Stop::new();
    assert_eq!(spot_check(rules, unit, right, rng.next_u64(), &stop), Ok(true));
    for report in reports.iter().filter(|report| report.agreement() != right.agreement()) {
        let same = report.trace.iter().zip(&right.trace).take_while(|(a, b)| a == b).count();
        let is_right = spot_check(rules, unit, report, same as u64, &stop).unwrap();
        // What is missing, or follows from what is told, is always seen.
        assert!(!is_right, "{same} sub-jobs are right of {}", report.trace.len());
    }
}

#[test]
fn those_who_lie_are_blamed_and_nobody_else() {
    let mut rng = Rng::new(1);
    let (mut lies, mut long) = (0, 0);
    for seed in 0..60 {
        let game = random_game(seed);
        let other = random_game(seed + 1000);
        for (budget, slice) in [(40_000, 1000), (200_000, 20_000), (1000, 1000)] {
            let asked = unit(&game, rng.below(3) as i32, budget, slice);
            let foreign = honest(&other, &unit(&other, 1, budget, slice)).trace;
            long += u64::from(honest(&game, &asked).trace.len() > 10);
            lies += blame_is_exact(&game, &asked, &foreign, &mut rng);
        }
    }
    assert!(lies > 2000 && long > 40, "{lies} lies, {long} long traces");
}

/// The same of a game with real searches and tables, with several methods.
#[test]
fn real_searches_tell_who_lies() {
    let spec = Spec::parse("reversi:6x6").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let mut rng = Rng::new(5);
    let mut lies = 0;
    for method in [Method::AlphaBeta, Method::ProofNumber, Method::BestFirst] {
        let mut problems = Vec::new();
        for _ in 0..2 {
            let mut start = game.start();
            while game.empties(&start).count_ones() > 14 {
                let m = game.sample(&start, &mut rng).unwrap();
                game.make(&mut start, m);
            }
            problems.push(problem(&game, &start, &reversi::ReversiEvaluation::default()));
        }
        let ask = |rules: &dyn SolverRules| Unit { method, ..unit(rules, 1, 40_000, 2_000) };
        let foreign = honest(&problems[1], &ask(&problems[1])).trace;
        lies += blame_is_exact(&problems[0], &ask(&problems[0]), &foreign, &mut rng);
        // A unit of several questions shares its table between them, and is done again as a whole.
        let asked = Unit { ask_on: true, ..Unit { method, ..unit(&problems[0], 1, 9000, 9000) } };
        lies += blame_is_exact(&problems[0], &asked, &foreign, &mut rng);
    }
    assert!(lies > 100, "{lies}");
}

/// Nobody is blamed where the work cannot be done again here, or is given up.
#[test]
fn nobody_is_blamed_for_what_cannot_be_done_here() {
    let game = random_game(7);
    let asked = unit(&game, 1, 40_000, 1000);
    let (one, mut other) = (honest(&game, &asked), honest(&game, &asked));
    other.trace[0].nodes += 1;
    other.attempt = 1;
    let reports = [&one, &other];
    let of = |unit: &Unit| rule(&game, unit, &reports, &Stop::new());
    assert_eq!(of(&asked), Ok(vec![false, true]));
    let elsewhere = [
        Unit { solver: SolverVersion(77), ..asked.clone() },
        Unit { keep_table: true, ..asked.clone() },
        Unit { node: NodeName::new([1]), ..asked.clone() },
        Unit { table_megabytes: 1 << 30, budget: u64::MAX, slice: u64::MAX >> 1, ..asked.clone() },
        Unit {
            task: UnitTask::Certify { holds: true, leaf_budget: 1, most_nodes: 1 },
            ..asked.clone()
        },
    ];
    for unit in &elsewhere {
        assert_eq!(of(unit), Err(Unruled::Unknown), "{unit:?}");
        let spot = spot_check(&game, unit, &other, 0, &Stop::new());
        assert_eq!(spot, Err(Unruled::Unknown), "{unit:?}");
    }
    let stop = Stop::new();
    stop.stop();
    // What is known is played back, and the first that is not is given up.
    assert_eq!(rule(&game, &asked, &reports, &stop), Err(Unruled::Stopped));

    let request = RulingRequest { unit: asked.clone(), attempts: vec![0, 1], spot: None };
    let ruled = |request: &RulingRequest, reports: &[UnitReport]| {
        rule_on(&game, request, reports, &Stop::new())
    };
    let told = |wrong: &[u32]| Some(Event::Ruled(asked.id, Ruling::Wrong(wrong.to_vec())));
    let unknown = Some(Event::Ruled(asked.id, Ruling::Unknown));
    assert_eq!(ruled(&request, &[one.clone(), other.clone()]), told(&[1]));
    // Of what is not there, or was not asked about, nothing is said.
    assert_eq!(ruled(&request, std::slice::from_ref(&other)), told(&[]));
    let spot = RulingRequest { attempts: vec![1], spot: Some(0), ..request.clone() };
    assert_eq!(ruled(&spot, &[one.clone(), other.clone()]), told(&[1]));
    assert_eq!(ruled(&spot, std::slice::from_ref(&one)), unknown);
    assert_eq!(rule_on(&game, &request, &[one, other], &stop), None);
}
