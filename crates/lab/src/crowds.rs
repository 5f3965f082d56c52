//! [`scenarios`]: a project among thousands of workers that are not there, honest or not.

use game::TextError;
use serde::Serialize;
use solve::TrustPlan;
use solve::simulation::{Crowd, RandomGame, Simulated, Simulation, WorkerKind};
use solve::tree::WhileLeased;

use crate::bars::{BarChart, BarPanel};

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
    /// Whether the value was found and audited, and is right.
    pub answer: Option<bool>,
    /// Whether it was right before the audit.
    pub answer_before: Option<bool>,
    /// Days that passed, without audits.
    pub days: f64,
    /// Days of audits.
    pub audit_days: f64,
    /// Nodes of audits, as a share of all nodes.
    pub audit_nodes: f64,
    /// How many audits there were.
    pub audits: u32,
    /// Throughput: nodes of canonical results in a second, in millions.
    pub mega_nodes_a_second: f64,
    /// The share of all nodes that are those of canonical results.
    pub useful: f64,
    /// The share of all nodes that were visited for units that nobody needed in the end.
    pub withdrawn: f64,
    /// Results for each unit that was believed.
    pub results_per_unit: f64,
    /// The share of their time that workers waited.
    pub idle: f64,
    /// Facts that were believed.
    pub facts: u64,
    /// Of these, how many are false.
    pub false_facts: u64,
    /// Facts that the answer rests on, which the audit looks at.
    pub facts_in_proof: u64,
    /// Of these, how many are false before the audit.
    pub false_before: u64,
    /// How many that the last answer rests on are false.
    pub false_after: u64,
    /// Facts that were struck out because of the audit.
    pub struck: u64,
    /// How often another coordinator took over.
    pub claims: u64,
}

/// An hour of a machine of a million nodes in a second.
const BUDGET: u64 = 3_600_000_000;

/// How much of what the crowd could do in all its days one machine alone would need. Most of the rest
/// goes into quorums, machines that are off, and work begun before it is known to be needed.
const SHARE: f64 = 0.003;

/// All that is compared, each with its name.
#[must_use]
pub fn scenarios(size: CrowdSize) -> Vec<(String, Simulation)> {
    let CrowdSize { workers, days, seed } = size;
    let seconds = f64::from(days) * 86_400.0;
    let work = SHARE * Crowd::MEAN_SPEED * workers as f64 * seconds;
    let honest = Simulation {
        seed,
        game: RandomGame::sized(seed, BUDGET, work),
        crowd: Crowd {
            workers,
            trusted: (workers / 100).max(2),
            dishonest: None,
            lost: 0.02,
            late: 0.02,
        },
        days,
        budget: BUDGET,
        trust: TrustPlan::STRANGERS,
        second_share: 0,
        while_leased: WhileLeased::Flag,
        store_fails_one_in: 0,
    };
    let mut all = vec![("all honest".to_owned(), honest)];
    let more = |name: &str, simulation: Simulation| (name.to_owned(), simulation);
    for (name, while_leased) in [
        ("virtual win", WhileLeased::VirtualWin),
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
    let Simulated { answer, answer_before, units, results, useful_nodes, all_nodes, .. } = found;
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let days = found.days - found.audit_days;
    Ok(CrowdRow {
        scenario: scenario.to_owned(),
        answer,
        answer_before,
        days,
        audit_days: found.audit_days,
        audit_nodes: share(found.audit_nodes as f64, all_nodes as f64),
        audits: found.audits,
        mega_nodes_a_second: share(useful_nodes as f64 / 1e6, days * 86_400.0),
        useful: share(useful_nodes as f64, all_nodes as f64),
        withdrawn: share(found.withdrawn_nodes as f64, all_nodes as f64),
        results_per_unit: share(results as f64, units as f64),
        idle: share(found.idle_hours, days * 24.0 * simulation.crowd.workers as f64),
        facts: found.facts,
        false_facts: found.false_facts,
        facts_in_proof: found.facts_in_proof,
        false_before: found.false_in_proof,
        false_after: found.false_after,
        struck: found.struck,
        claims: found.claims,
    })
}

/// Days, the useful share and the false facts of each scenario.
#[must_use]
pub fn crowd_bars(rows: &[CrowdRow]) -> BarChart {
    let panel = |title: &str, number: fn(&CrowdRow) -> Vec<f64>, parts: &[&str]| BarPanel {
        title: title.to_owned(),
        parts: parts.iter().map(|&part| part.to_owned()).collect(),
        bars: rows.iter().map(number).collect(),
    };
    BarChart {
        names: rows.iter().map(|row| row.scenario.clone()).collect(),
        panels: vec![
            panel("days", |row| vec![row.days, row.audit_days], &["crowd", "audit"]),
            panel(
                "share of all nodes, %",
                |row| {
                    let other = 1.0 - row.useful - row.withdrawn;
                    [row.useful, row.withdrawn, other.max(0.0)].map(|share| share * 100.0).to_vec()
                },
                &["useful", "withdrawn", "other votes, lost"],
            ),
            panel("false facts that were believed", |row| vec![row.false_facts as f64], &[]),
        ],
    }
}
