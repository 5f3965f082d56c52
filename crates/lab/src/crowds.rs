//! [`crowd_runs`]: a project among thousands of workers that are not there, honest or not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use game::TextError;
use play::Stop;
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
    /// Which run; with several of a scenario, the first.
    pub seed: u64,
    /// How many runs there are of the scenarios that are [compared](CrowdRun::is_compared).
    pub repeats: u32,
}

/// One run of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdRun {
    /// What is different.
    pub scenario: String,
    /// Whether its numbers are compared with others, which takes more than one run.
    pub is_compared: bool,
    /// All that decides what happens.
    pub simulation: Simulation,
}

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrowdRow {
    /// What was different.
    pub scenario: String,
    /// Which run.
    pub run: u64,
    /// Whether its numbers are compared with others.
    #[serde(skip)]
    pub is_compared: bool,
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

/// Four hours of a machine of a million nodes in a second. Most units are smaller: the mean is about
/// an hour of the slower half of the machines.
const BUDGET: u64 = 4 * 3_600_000_000;

/// How much of what the crowd could do in all its days one machine alone would need. Most of the rest
/// goes into quorums, machines that are off, and work begun before it is known to be needed.
const SHARE: f64 = 0.0015;

/// Every scenario, those that are compared as often as is asked for.
#[must_use]
pub fn crowd_runs(size: CrowdSize) -> Vec<CrowdRun> {
    let run = |nth: u32| {
        let seed = size.seed.wrapping_add(nth.into());
        let all = scenarios(CrowdSize { seed, ..size });
        all.into_iter().filter(move |run| nth == 0 || run.is_compared)
    };
    (0..size.repeats.max(1)).flat_map(run).collect()
}

fn scenarios(size: CrowdSize) -> Vec<CrowdRun> {
    let CrowdSize { workers, days, seed, .. } = size;
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
    let more = |name: &str, simulation: Simulation| CrowdRun {
        scenario: name.to_owned(),
        is_compared: false,
        simulation,
    };
    let mut all = Vec::new();
    for (name, while_leased) in [
        ("all honest: flagged", WhileLeased::Flag),
        ("virtual win", WhileLeased::VirtualWin),
        ("virtual loss", WhileLeased::VirtualLoss),
        ("virtual equivalence", WhileLeased::VirtualEquivalence),
    ] {
        let run = more(name, Simulation { while_leased, ..honest });
        all.push(CrowdRun { is_compared: true, ..run });
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
        all.push(more(&format!("10% {}", kind.name()), Simulation { crowd, ..honest }));
    }
    let crowd = Crowd { dishonest: Some((WorkerKind::Sleeper, 0.1)), ..honest.crowd };
    let alone = Simulation { crowd, trust: adaptive, ..honest };
    all.push(more("10% sleeping liars, the established alone", alone));
    all
}

/// Runs them, so many at once as there are threads, which changes nothing but the time; `told` hears
/// how many are done. After a stop no further one is begun, and what was found is in order.
///
/// # Errors
/// If the made-up game is not what it says: a fault of the program.
pub fn crowd_rows(
    runs: &[CrowdRun],
    threads: usize,
    stop: &Stop,
    told: &mut dyn FnMut(usize),
) -> Result<Vec<CrowdRow>, TextError> {
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (done, heard) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, runs.len().max(1)) {
            let (next, rows, done) = (&next, &rows, done.clone());
            scope.spawn(move || {
                while !stop.is_stopped() {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = runs.get(nth) else { return };
                    let row = (nth, crowd_row(run));
                    rows.lock().unwrap_or_else(PoisonError::into_inner).push(row);
                    // Somebody listens as long as anybody works.
                    if done.send(()).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        (1..).zip(heard).for_each(|(count, ())| told(count));
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|(nth, _)| *nth);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn crowd_row(run: &CrowdRun) -> Result<CrowdRow, TextError> {
    let CrowdRun { scenario, is_compared, simulation } = run;
    let found = simulation.run(&mut |_| {})?;
    let Simulated { answer, answer_before, units, results, useful_nodes, all_nodes, .. } = found;
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let days = found.days - found.audit_days;
    Ok(CrowdRow {
        scenario: scenario.clone(),
        run: simulation.seed,
        is_compared: *is_compared,
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

/// What several runs of one scenario have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrowdMean {
    /// Which.
    pub scenario: String,
    /// How many runs.
    pub runs: usize,
    /// Days without audits.
    pub days: Spread,
    /// The share of all nodes that are those of canonical results.
    pub useful: Spread,
    /// The share of all nodes that were visited for units that nobody needed in the end.
    pub withdrawn: Spread,
    /// Nodes of canonical results in a second, in millions.
    pub mega_nodes_a_second: Spread,
    /// Days without audits, divided by those of the first scenario in the same run.
    pub days_of_first: Spread,
}

/// A mean, and how far single runs are from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of one run; 0 for a single one.
    pub deviation: f64,
}

impl Spread {
    fn of(numbers: &[f64]) -> Spread {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        Spread { mean, deviation: (squares / (count - 1.0).max(1.0)).sqrt() }
    }
}

/// What is compared, each over all of its runs.
#[must_use]
pub fn crowd_means(rows: &[CrowdRow]) -> Vec<CrowdMean> {
    let compared: Vec<&CrowdRow> = rows.iter().filter(|row| row.is_compared).collect();
    let mut names: Vec<&str> = Vec::new();
    for row in &compared {
        if !names.contains(&row.scenario.as_str()) {
            names.push(&row.scenario);
        }
    }
    let first = |run: u64| compared.iter().find(|row| row.run == run).map(|row| row.days);
    let mean = |name: &&str| {
        let own: Vec<&CrowdRow> =
            compared.iter().copied().filter(|row| row.scenario == *name).collect();
        let spread = |number: &dyn Fn(&CrowdRow) -> f64| {
            Spread::of(&own.iter().map(|row| number(row)).collect::<Vec<f64>>())
        };
        CrowdMean {
            scenario: (*name).to_owned(),
            runs: own.len(),
            days: spread(&|row| row.days),
            useful: spread(&|row| row.useful),
            withdrawn: spread(&|row| row.withdrawn),
            mega_nodes_a_second: spread(&|row| row.mega_nodes_a_second),
            days_of_first: spread(&|row| row.days / first(row.run).unwrap_or(row.days)),
        }
    };
    names.iter().map(mean).collect()
}

/// Days, the useful share and the false facts of each scenario, in its first run.
#[must_use]
pub fn crowd_bars(rows: &[CrowdRow]) -> BarChart {
    let first = rows.first().map(|row| row.run);
    let rows: Vec<&CrowdRow> = rows.iter().filter(|row| Some(row.run) == first).collect();
    let panel = |title: &str, number: fn(&CrowdRow) -> Vec<f64>, parts: &[&str]| BarPanel {
        title: title.to_owned(),
        parts: parts.iter().map(|&part| part.to_owned()).collect(),
        bars: rows.iter().map(|row| number(row)).collect(),
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
            panel(
                "false facts in the proof",
                |row| vec![row.false_before as f64, row.false_after as f64],
                &["before the audit", "after"],
            ),
        ],
    }
}
