//! Thousands of workers that are not there.

use solve::TrustPlan;
use solve::simulation::{Crowd, RandomGame, Simulation, WorkerKind};

fn simulation(seed: u64) -> Simulation {
    Simulation {
        seed,
        game: RandomGame { seed, plies: 14, root_bits: 44.0, first_is_right: 0.7 },
        crowd: Crowd { workers: 300, trusted: 6, dishonest: None, lost: 0.05, late: 0.02 },
        days: 30,
        budget: 3_600_000_000,
        trust: TrustPlan::STRANGERS,
        second_share: 0,
        while_leased: Default::default(),
        store_fails_one_in: 0,
    }
}

#[test]
fn a_run_repeats_itself() {
    let runs = [1, 1, 2].map(|seed| {
        let simulation = Simulation { days: 2, store_fails_one_in: 100, ..simulation(seed) };
        simulation.run(&mut |_| {}).unwrap()
    });
    assert_eq!(runs[0], runs[1]);
    assert_ne!(runs[0], runs[2]);
    assert!(runs[0].units > 100 && runs[0].claims > 5, "{:?}", runs[0]);
}

/// What is promised: against those who do not know of each other nothing false is believed.
#[test]
fn independent_liars_are_not_believed() {
    for (seed, kind) in [(1, WorkerKind::Liar), (2, WorkerKind::Faulty), (3, WorkerKind::Liar)] {
        let before = simulation(seed);
        let crowd = Crowd { dishonest: Some((kind, 0.2)), ..before.crowd };
        let found = Simulation { crowd, days: 4, store_fails_one_in: 200, ..before };
        let found = found.run(&mut |_| {}).unwrap();
        assert!(found.facts > 50, "{found:?}");
        assert_eq!(found.false_facts, 0, "{}: {found:?}", kind.name());
    }
}

/// What is not: a simulation that could not find a false fact would show nothing.
#[test]
fn those_who_agree_on_a_lie_are_believed_without_trust() {
    let before = simulation(4);
    let crowd = Crowd { trusted: 0, dishonest: Some((WorkerKind::Colluder, 0.5)), ..before.crowd };
    let trust = TrustPlan {
        adaptive: true,
        established_results: 0,
        established_seconds: 0,
        replicate_one_in: 2,
        canary_one_in: 0,
        ..TrustPlan::STRANGERS
    };
    let sleepers = Crowd { dishonest: Some((WorkerKind::Sleeper, 0.5)), trusted: 3, ..crowd };
    let found = Simulation { crowd: sleepers, trust, days: 6, ..before }.run(&mut |_| {}).unwrap();
    assert!(found.false_facts > 0, "{found:?}");
}
