//! How often what is left of a question lies in the range that is told while it is solved.

use std::fmt::Write;

use play::Stop;
use search::{ProofTable, Table, on_deep_stack};
use solve::coordinator::{Coordinator, Event, LeftRange, ProjectId, ProjectStanding, Voter};
use solve::tree::WhileLeased;
use solve::{Goal, Method, Plan, SolverRules, TrustPlan, WorkDesk, work};

/// Game, position, question, method and size of the largest unit.
const SOLVES: [(&str, &str, Goal, Method, u64); 9] = [
    ("mnk:4x5,k=4,gravity", "", Goal::Value, Method::AlphaBeta, 1_000),
    ("connect4:5x5", "", Goal::Value, Method::AlphaBeta, 500),
    ("connect4:5x6", "", Goal::Value, Method::AlphaBeta, 2_000),
    ("reversi:4x6", "", Goal::Value, Method::AlphaBeta, 100),
    ("reversi:4x8", "", Goal::Value, Method::AlphaBeta, 50_000),
    ("reversi:6x6", ENDING, Goal::AtLeast(1), Method::AlphaBeta, 200_000),
    ("draughts:english", "B:B13,14,9:W21,22,30,29", Goal::Outcome, Method::ProofNumber, 10),
    ("go:2x3", "", Goal::Outcome, Method::ProofNumber, 500),
    ("go:2x3", "", Goal::Value, Method::BestFirst, 0),
];
/// With 24 empty squares.
const ENDING: &str = "-------O-----OOX--XXOXX----OO------O X";

/// One moment of a solve.
struct Moment {
    at_least: i32,
    spent: u64,
    left: Option<LeftRange>,
}

/// Solves with one thread and one table, as `zermelo solve` does.
fn moments(rules: &dyn SolverRules, goal: Goal, method: Method, slice: u64) -> Vec<Moment> {
    const MEGABYTES: usize = 64;
    let plan = Plan {
        method,
        budget: slice.max(1),
        slice: slice.max(1),
        table_megabytes: MEGABYTES as u32,
        keep_table: true,
        solver: rules.version(),
        second_share: 0,
        while_leased: WhileLeased::Flag,
        memory: usize::MAX,
        trust: TrustPlan::OWN,
        lemmas: None,
    };
    let own = Voter { user: 0, network: 0, trusted: true };
    let by_proof = method == Method::ProofNumber;
    let table = Table::new(if by_proof { 0 } else { MEGABYTES });
    let mut proofs = ProofTable::new(if by_proof { MEGABYTES } else { 0 });
    let mut coordinator = Coordinator::new(rules, goal, plan, ProjectId::default(), 1).unwrap();
    let (mut events, mut moments) = (Vec::new(), Vec::new());
    loop {
        let batch = coordinator.step(0, &events, 1);
        let Some(at_least) = coordinator.tree().asked(0) else { break };
        if *coordinator.standing() != ProjectStanding::Open {
            break;
        }
        // A hundredth more or less does not matter, and looking at a tree takes time.
        let spent = coordinator.spent();
        let is_news = |last: &Moment| last.at_least != at_least || spent - last.spent > spent / 100;
        if moments.last().is_none_or(is_news) {
            moments.push(Moment { at_least, spent, left: coordinator.left() });
        }
        let unit = &batch.units[0].unit;
        let (stop, mut visited, mut keep) = (Stop::new(), |_, _| {}, |_: &[u8]| {});
        let desk = &mut WorkDesk {
            tables: Some((&table, &mut proofs)),
            nodes_left: None,
            stop: &stop,
            visited: &mut visited,
            checkpoint: None,
            keep: &mut keep,
        };
        let report = work(rules, unit, desk).unwrap().unwrap().report(unit, 0);
        events = vec![Event::Delivered(own, Box::new(report))];
    }
    assert_eq!(*coordinator.standing(), ProjectStanding::Answered);
    moments.push(Moment { at_least: i32::MAX, spent: coordinator.spent(), left: None });
    moments
}

const SHARES: [u64; 4] = [25, 50, 75, 90];

/// For the question that took the most: at each share of it the range, and what was left.
#[test]
#[ignore = "takes 2 minutes"]
fn what_is_left_lies_in_the_range_that_is_told() {
    let mut text = String::from("| game | question | nodes | 25% | 50% | 75% | 90% |\n");
    let (mut inside, mut told) = (0, 0);
    for (game, position, goal, method, slice) in SOLVES {
        let game_here = catalog::open(game).unwrap();
        let start = game_here.session().position();
        let position = if position.is_empty() { start.as_str() } else { position };
        let rules = game_here.solver_rules(position).unwrap();
        let mut found = None;
        on_deep_stack(&mut || found = Some(moments(&*rules, goal, method, slice))).unwrap();
        let moments = found.unwrap();
        let longest = moments
            .chunk_by(|a, b| a.at_least == b.at_least)
            .zip(moments.chunk_by(|a, b| a.at_least == b.at_least).skip(1))
            .max_by_key(|(question, next)| next[0].spent - question[0].spent)
            .unwrap();
        let (question, end) = (longest.0, longest.1[0].spent);
        let begin = question[0].spent;
        let took = end - begin;
        write!(text, "| `{game}` {method} | at least {} | {took} |", question[0].at_least).unwrap();
        for share in SHARES {
            let is_then = |moment: &&Moment| (moment.spent - begin) * 100 >= took * share;
            let moment = question.iter().find(is_then).or(question.last()).unwrap();
            let left = end - moment.spent;
            match moment.left {
                None => write!(text, " nothing told |").unwrap(),
                Some(LeftRange { low, high }) => {
                    let is_inside = (low..=high).contains(&left);
                    (told, inside) = (told + 1, inside + u32::from(is_inside));
                    let mark = if is_inside { "" } else { " **out**" };
                    write!(text, " {left} in {low}–{high}{mark} |").unwrap();
                }
            }
        }
        text.push('\n');
    }
    println!("{text}inside: {inside} of {told}");
    assert!(told >= 20 && inside * 3 >= told * 2, "a range that is mostly wrong is of no use");
}
