//! [`scenarios`]: a project among thousands of workers that are not there, honest or not.

use game::TextError;
use serde::Serialize;
use solve::TrustPlan;
use solve::simulation::{Crowd, RandomGame, Simulated, Simulation, WorkerKind};
use solve::tree::WhileLeased;

use crate::plot::{COLOURS, Chart, Curve};

/// How large and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrowdSize {
    /// How many work.
    pub workers: usize,
    /// How many days pass at most.
    pub days: u32,
    /// Which run.
    pub seed: u64,
}

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrowdRow {
    /// What was different.
    pub scenario: String,
    /// Whether the answer was found, and is right.
    pub answer: Option<bool>,
    /// Days that passed.
    pub days: f64,
    /// The share of all nodes that are those of canonical results.
    pub useful: f64,
    /// Results for each unit that was believed.
    pub results_per_unit: f64,
    /// The share of their time that workers waited.
    pub idle: f64,
    /// Facts that were believed.
    pub facts: u64,
    /// Of these, how many are false.
    pub false_facts: u64,
    /// Facts that the answer rests on, which the audit does again.
    pub facts_in_proof: u64,
    /// Of these, how many are false: afterwards none is.
    pub false_in_proof: u64,
    /// How often another coordinator took over.
    pub claims: u64,
}

/// All that is compared, each with its name.
#[must_use]
pub fn scenarios(size: CrowdSize) -> Vec<(String, Simulation)> {
    let CrowdSize { workers, days, seed } = size;
    let honest = Simulation {
        seed,
        game: RandomGame { seed, plies: 16, root_bits: 52.0, first_is_right: 0.7 },
        crowd: Crowd {
            workers,
            trusted: (workers / 100).max(2),
            dishonest: None,
            lost: 0.05,
            late: 0.02,
        },
        days,
        // An hour of a machine of a million nodes in a second.
        budget: 3_600_000_000,
        trust: TrustPlan::STRANGERS,
        second_share: 0,
        while_leased: WhileLeased::Flag,
        store_fails_one_in: 0,
    };
    let mut all = vec![("all honest".to_owned(), honest)];
    let more = |name: &str, simulation: Simulation| (name.to_owned(), simulation);
    for (name, while_leased) in [
        ("virtual loss", WhileLeased::VirtualLoss),
        ("virtual equivalence", WhileLeased::VirtualEquivalence),
    ] {
        all.push(more(name, Simulation { while_leased, ..honest }));
    }
    all.push(more("a fourth for the second question", Simulation { second_share: 4, ..honest }));
    all.push(more("one commit in 200 fails", Simulation { store_fails_one_in: 200, ..honest }));
    let adaptive = TrustPlan { adaptive: true, ..honest.trust };
    all.push(more("the established alone", Simulation { trust: adaptive, ..honest }));
    let kinds = [
        WorkerKind::Faulty,
        WorkerKind::Liar,
        WorkerKind::Colluder,
        WorkerKind::Sleeper,
        WorkerKind::ManyAccounts,
    ];
    for kind in kinds {
        let crowd = Crowd { dishonest: Some((kind, 0.1)), ..honest.crowd };
        let simulation = Simulation { crowd, ..honest };
        all.push((format!("10% {}", kind.name()), simulation));
    }
    let crowd = Crowd { dishonest: Some((WorkerKind::Sleeper, 0.1)), ..honest.crowd };
    let alone = Simulation { crowd, trust: adaptive, ..honest };
    all.push(more("10% sleeping liars, the established alone", alone));
    all
}

/// Runs one of them; `progress` hears the share of its days that have passed.
///
/// # Errors
/// If the made-up game is not what it says: a fault of the program.
pub fn crowd_row(
    scenario: &str,
    simulation: &Simulation,
    progress: &mut dyn FnMut(f64),
) -> Result<CrowdRow, TextError> {
    let found = simulation.run(progress)?;
    let Simulated { answer, days, units, results, useful_nodes, all_nodes, .. } = found;
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    Ok(CrowdRow {
        scenario: scenario.to_owned(),
        answer,
        days,
        useful: share(useful_nodes as f64, all_nodes as f64),
        results_per_unit: share(results as f64, units as f64),
        idle: share(found.idle_hours, days * 24.0 * simulation.crowd.workers as f64),
        facts: found.facts,
        false_facts: found.false_facts,
        facts_in_proof: found.facts_in_proof,
        false_in_proof: found.false_in_proof,
        claims: found.claims,
    })
}

/// The useful share and the false facts of each scenario, in their order.
#[must_use]
pub fn crowd_charts(rows: &[CrowdRow]) -> Vec<Chart> {
    let points = |height: fn(&CrowdRow) -> f64| -> Vec<(f64, f64)> {
        rows.iter().enumerate().map(|(nth, row)| ((nth + 1) as f64, height(row))).collect()
    };
    let chart = |title: &str, y_name: &str, nth: usize, points| Chart {
        title: title.to_owned(),
        x_name: "row of the table".to_owned(),
        y_name: y_name.to_owned(),
        logarithms: false,
        curves: vec![Curve {
            name: String::new(),
            points,
            colour: COLOURS[nth],
            dots: true,
            line: false,
        }],
    };
    vec![
        chart("useful share of all nodes", "share", 0, points(|row| row.useful)),
        chart("false facts before the audit", "facts", 1, points(|row| row.false_facts as f64)),
    ]
}
