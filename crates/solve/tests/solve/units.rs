//! A unit as a small project of its own: the same on every machine, whenever it is interrupted.

use evaluation::Proofs;
use game::{Game, Notation, Rng, Side, Spec, WinningSets};
use games::mnk::{Lines, Mnk, RunShape, WordBoard};
use games::{mnk, reversi};
use play::Stop;
use solve::message::{Finding, Question, SolverVersion, Unit, UnitId, UnitTask, WorkFailure};
use solve::simulation::RandomGame;
use solve::{Method, NodeName, SolverRules, WorkDesk, Worked, work};

use crate::games::problem;

pub(crate) fn unit(rules: &dyn SolverRules, at_least: i32, budget: u64, slice: u64) -> Unit {
    Unit {
        task: UnitTask::Answer,
        id: UnitId { project: 0, incarnation: 0, number: 0 },
        game: rules.game(),
        root: rules.root_text(),
        node: rules.root(),
        question: Question { at_least, prover: Side::First },
        budget,
        slice,
        method: Method::AlphaBeta,
        table_megabytes: 16,
        fit: Default::default(),
        solver: rules.version(),
        keep_table: false,
        ask_on: false,
    }
}

/// Works, and is stopped after so many checkpoints; gives the last one.
fn worked(
    rules: &dyn SolverRules,
    unit: &Unit,
    checkpoint: Option<&[u8]>,
    stop_after: usize,
) -> (Option<Worked>, Option<Vec<u8>>) {
    let stop = Stop::new();
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let (mut visited, stopping) = (|_, _| {}, stop.clone());
    let mut keep = |bytes: &[u8]| {
        kept.push(bytes.to_vec());
        if kept.len() == stop_after {
            stopping.stop();
        }
    };
    let desk = &mut WorkDesk {
        tables: None,
        nodes_left: None,
        stop: &stop,
        visited: &mut visited,
        checkpoint,
        keep: &mut keep,
    };
    let worked = work(rules, unit, desk).unwrap();
    (worked, kept.pop())
}

fn whole(rules: &dyn SolverRules, unit: &Unit) -> Worked {
    worked(rules, unit, None, usize::MAX).0.unwrap()
}

/// However often it is interrupted, a unit comes to the same, node by node.
#[test]
fn checkpoints_change_nothing() {
    let spec = Spec::parse("reversi:6x6").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let (mut start, mut rng) = (game.start(), Rng::new(6));
    while game.empties(&start).count_ones() > 18 {
        let m = game.sample(&start, &mut rng).unwrap();
        game.make(&mut start, m);
    }
    let problem = problem(&game, &start, &reversi::ReversiEvaluation::default());
    for at_least in [1, 9] {
        let unit = unit(&problem, at_least, 1 << 40, 2_000);
        let at_once = whole(&problem, &unit);
        assert!(at_once.trace.len() > 5, "{}", at_once.trace.len());
        let mut checkpoint: Option<Vec<u8>> = None;
        let mut sessions = 0;
        let in_parts = loop {
            sessions += 1;
            let (found, kept) = worked(&problem, &unit, checkpoint.as_deref(), 3);
            checkpoint = kept.or(checkpoint);
            if let Some(found) = found {
                break found;
            }
        };
        assert!(sessions > 2);
        assert_eq!(in_parts, at_once);
        // A damaged checkpoint, and one of another unit, cost time and nothing else.
        let mut damaged = checkpoint.unwrap();
        damaged[9] ^= 4;
        assert_eq!(worked(&problem, &unit, Some(&damaged), usize::MAX).0.unwrap(), at_once);
    }
}

/// Cut up as one likes, the answer is that of a search in one piece.
#[test]
fn slices_agree() {
    let game: Mnk<RunShape, WordBoard<u32>> = Mnk::new(
        &mnk::Parameters::from_spec(&Spec::parse("mnk:4x5,k=4,gravity").unwrap()).unwrap(),
    );
    agree(&game, &Lines::default());
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    agree(&game, &reversi::ReversiEvaluation::default());
}

fn agree<G: Notation + WinningSets + Clone, H: Proofs<G> + Sync>(game: &G, heuristics: &H) {
    let problem = problem(game, &game.start(), heuristics);
    for at_least in [-9, 0, 1] {
        let found = |slice| whole(&problem, &unit(&problem, at_least, 1 << 40, slice)).finding;
        let one = found(1 << 40);
        assert!(matches!(one, Finding::Proved | Finding::Refuted));
        for slice in [200, 1_000, 5_000] {
            assert_eq!(found(slice), one, "at least {at_least} in pieces of {slice}");
        }
    }
}

/// What was found on the way is told, and it is true.
#[test]
fn facts_on_the_way_are_true() {
    for seed in 0..40 {
        let game = RandomGame { seed, plies: 9, limit: 1, root_bits: 26.0, first_is_right: 0.6 };
        let unit = unit(&game, 1, 2_000_000, 4_096);
        let Finding::Open { facts, .. } = whole(&game, &unit).finding else { continue };
        for fact in facts {
            let after = |name: NodeName, &place: &u16| {
                game.children(&name, &[place]).unwrap().remove(0).sight.name
            };
            let truth = game.truth(&fact.path.iter().fold(game.root(), after)).unwrap();
            assert_eq!(fact.question.holds(fact.proved), truth >= fact.question.at_least);
        }
    }
}

/// A unit that cannot be worked at just as it says is not worked at: nobody could compare it.
#[test]
fn what_cannot_be_done_has_failed() {
    let game = RandomGame { limit: 1, seed: 1, plies: 9, root_bits: 20.0, first_is_right: 0.6 };
    let right = unit(&game, 1, 1 << 20, 4_096);
    let failed = |unit: &Unit| {
        let Worked { finding, nodes, trace, .. } = whole(&game, unit);
        assert!(nodes == 0 && trace.is_empty() || !matches!(finding, Finding::Failed(_)));
        match finding {
            Finding::Failed(failure) => Some(failure),
            _ => None,
        }
    };
    assert_eq!(failed(&right), None);
    let other = Unit { solver: SolverVersion(right.solver.0 ^ 1), ..right.clone() };
    assert_eq!(failed(&other), Some(WorkFailure::OtherVersion));
    // No system has the memory; a sub-job that needs little of it does not ask for more.
    let large = Unit { table_megabytes: u32::MAX, ..right };
    assert_eq!(failed(&large), None);
    let large = Unit { budget: 1 << 50, slice: 1 << 50, ..large };
    assert_eq!(failed(&large), Some(WorkFailure::Memory));
}

/// A unit that asks on finds the value, and takes the same nodes every time; its first question is
/// the one that it takes alone.
#[test]
fn asking_on_finds_the_value() {
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let problem = problem(&game, &game.start(), &reversi::ReversiEvaluation::default());
    let alone = unit(&problem, 2, 1 << 30, 1 << 30);
    let on = Unit { ask_on: true, ..alone.clone() };
    assert_ne!(alone.hash(), on.hash());
    assert_eq!(Unit::decode(&on.encode()).unwrap(), on);
    let found = whole(&problem, &on);
    assert_eq!(found, whole(&problem, &on));
    let Finding::Open { facts, .. } = &found.finding else { panic!("{found:?}") };
    let mut known: Vec<_> = facts
        .iter()
        .map(|fact| (fact.path.len(), fact.question.at_least, fact.question.holds(fact.proved)))
        .collect();
    known.sort_unstable();
    assert_eq!(known, [(0, -10, true), (0, -9, false)]);
    let from_nothing =
        |at_least| whole(&problem, &unit(&problem, at_least, 1 << 30, 1 << 30)).nodes;
    assert_eq!(found.trace[0].nodes, from_nothing(2));
    assert!(found.trace.len() > 2, "{found:?}");
}

/// A look at the moves tells where they lead, even where that answers the question: what else
/// follows from the ends of the game is not lost.
#[test]
fn a_look_at_the_moves_loses_nothing() {
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let heuristics = reversi::ReversiEvaluation::default();
    let (mut rng, mut seen) = (Rng::new(1), 0);
    for _ in 0..50 {
        let (mut position, mut last) = (game.start(), game.start());
        while game.margin(&position).is_none() {
            last = position;
            let moves = game::moves_of(&game, &position);
            game.make(&mut position, moves[rng.below(moves.len())]);
        }
        let problem = problem(&game, &last, &heuristics);
        let unit = Unit { method: Method::BestFirst, ..unit(&problem, 2, 1, 1) };
        let worked = whole(&problem, &unit);
        seen += usize::from(matches!(worked.finding, Finding::Open { .. }));
        assert_eq!(worked.nodes, 1);
    }
    assert!(seen > 25, "{seen}");
}
