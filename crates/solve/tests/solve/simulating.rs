//! Thousands of workers that are not there.

use solve::TrustPlan;
use solve::simulation::{Crowd, RandomGame, Simulated, Simulation, WorkerKind};
use solve::tree::WhileLeased;

const BUDGET: u64 = 3_600_000_000;

/// So few workers that a run ends in a second.
fn simulation(seed: u64) -> Simulation {
    Simulation {
        seed,
        game: RandomGame::sized(seed, BUDGET, 4e11),
        crowd: Crowd { workers: 100, trusted: 3, dishonest: None, lost: 0.02, late: 0.02 },
        days: 60,
        budget: BUDGET,
        trust: TrustPlan::STRANGERS,
        second_share: 0,
        while_leased: Default::default(),
        store_fails_one_in: 0,
    }
}

fn run(simulation: Simulation) -> Simulated {
    simulation.run(&mut |_| {}).unwrap()
}

fn among(kind: WorkerKind, share: f64, before: Simulation) -> Simulation {
    let crowd = Crowd { dishonest: Some((kind, share)), ..before.crowd };
    Simulation { crowd, ..before }
}

#[test]
fn a_run_repeats_itself() {
    let runs = [1, 1, 2].map(|seed| {
        let crowd = simulation(seed);
        run(among(
            WorkerKind::Sleeper,
            0.2,
            Simulation { days: 3, store_fails_one_in: 100, ..crowd },
        ))
    });
    assert_eq!(runs[0], runs[1]);
    assert_ne!(runs[0], runs[2]);
    assert!(runs[0].units > 100 && runs[0].claims > 5, "{:?}", runs[0]);
}

/// What is promised: against those who do not know of each other nothing false is believed.
#[test]
fn independent_liars_are_not_believed() {
    for (seed, kind) in
        (1..=3).flat_map(|seed| [WorkerKind::Liar, WorkerKind::Faulty].map(|k| (seed, k)))
    {
        let found = run(among(kind, 0.2, simulation(seed)));
        assert!(found.facts > 50, "{found:?}");
        assert_eq!(found.false_facts, 0, "{}: {found:?}", kind.name());
        assert_eq!((found.answer_before, found.answer), (Some(true), Some(true)), "{found:?}");
        assert_eq!((found.audits, found.struck), (1, 0), "{found:?}");
    }
}

/// However a node counts while somebody works at it, the answer is the same.
#[test]
fn every_way_to_share_the_tree_comes_to_the_answer() {
    for while_leased in WhileLeased::ALL {
        let found = run(Simulation { while_leased, ..simulation(4) });
        assert_eq!(found.answer, Some(true), "{while_leased:?}: {found:?}");
        assert!(found.facts_in_proof > 0, "{found:?}");
    }
    let found = run(Simulation { second_share: 4, ..simulation(4) });
    assert_eq!(found.answer, Some(true), "{found:?}");
}

/// After every commit that fails another coordinator goes on from what was written.
#[test]
fn a_store_that_fails_loses_nothing() {
    for seed in 1..=2 {
        let found = run(Simulation { store_fails_one_in: 40, ..simulation(seed) });
        assert!(found.claims > 20, "{found:?}");
        assert_eq!((found.answer, found.false_facts), (Some(true), 0), "{found:?}");
        // The answer follows from the facts that were written, or there would be another audit.
        assert_eq!(found.audits, 1, "{found:?}");
    }
}

/// Whoever agrees on a lie is believed where nearly everybody counts as established, and a false
/// fact is in the proof; the audit finds it, and the crowd goes on to the right answer.
#[test]
fn an_audit_ends_with_the_right_answer() {
    let trust = TrustPlan {
        adaptive: true,
        established_results: 1,
        established_seconds: 0,
        replicate_one_in: 2,
        // What is checked before it is believed, no audit would find.
        spot_check_one_in: 0,
        canary_one_in: 0,
        ..TrustPlan::STRANGERS
    };
    let mut found_false = 0;
    for seed in 1..=3 {
        let found = run(among(WorkerKind::Sleeper, 0.3, Simulation { trust, ..simulation(seed) }));
        assert!(found.false_facts > 0 && found.audit_nodes > 0, "{found:?}");
        assert_eq!((found.answer, found.false_after), (Some(true), 0), "{found:?}");
        found_false += found.false_in_proof + found.struck;
    }
    assert!(found_false > 0);
}
