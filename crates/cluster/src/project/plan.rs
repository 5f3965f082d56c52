//! [`ProjectPlan`]: how a project is worked at, as its record keeps it.

use serde::{Deserialize, Serialize};
use solve::message::SolverVersion;
use solve::tree::WhileLeased;
use solve::{LemmaPlan, Method, Plan, TrustPlan};

/// How a project is worked at. What is missing in an old record is as usual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectPlan {
    /// How a sub-job is done; `None` for what suits the game.
    pub method: Option<String>,
    /// How long the largest units take, about.
    pub unit_seconds: u32,
    /// The largest budget of a unit in nodes, if that is given instead.
    pub unit_nodes: Option<u64>,
    /// The table of the largest sub-job.
    pub table_megabytes: u32,
    /// How many users have to agree; with 1 every worker is believed.
    pub quorum: u8,
    /// A user is established after so many valid results,
    pub established_results: u32,
    /// over so many days,
    pub established_days: u32,
    /// so many of which the server has checked.
    pub established_checks: u32,
    /// Of one report in so many of those who are not established the server does a sub-job again;
    /// of others a fourth as often. 0 for none.
    pub spot_check_one_in: u32,
    /// One in so many units is issued again to see who lies; 0 for none.
    pub canary_one_in: u32,
    /// How deep the tree is stored before anything is worked at, if at all.
    pub depth: Option<u32>,
    /// How many units wait to be handed out; `None` for as many as there are workers for.
    pub ready: Option<u32>,
    /// The most memory of the tree near the root.
    pub memory_megabytes: u32,
    /// Whether workers prove the answer, where the game allows it.
    pub certify: bool,
    /// How many positions a checker may visit for a leaf of a proof.
    pub leaf_budget: u64,
    /// About how many nodes a file of a proof may have.
    pub lemma_nodes: u64,
}

/// How long the largest units take where every worker is believed: such machines are one's own, and
/// an answer a minute keeps the tree near the root up to date.
const OWN_SECONDS: u32 = 60;
/// And where strangers have to agree, who come by whichever door: a lease, a download, a quorum and a
/// checkpoint cost the same for every unit, and nobody waits for one of them.
const VOLUNTEER_SECONDS: u32 = 1200;

impl Default for ProjectPlan {
    fn default() -> ProjectPlan {
        ProjectPlan {
            method: None,
            unit_seconds: OWN_SECONDS,
            unit_nodes: None,
            table_megabytes: 256,
            quorum: 1,
            established_results: 20,
            established_days: 3,
            established_checks: TrustPlan::STRANGERS.established_checks,
            spot_check_one_in: TrustPlan::STRANGERS.spot_check_one_in,
            canary_one_in: 50,
            depth: None,
            ready: None,
            memory_megabytes: 1024,
            certify: true,
            leaf_budget: 300,
            lemma_nodes: 200_000,
        }
    }
}

/// Sub-jobs of the largest units.
const SUB_JOBS: u64 = 16;
/// The smallest budget.
const LEAST_NODES: u64 = 1000;

impl ProjectPlan {
    /// Reads what [`to_json`](ProjectPlan::to_json) wrote.
    ///
    /// # Errors
    /// If it is something else.
    pub fn from_json(text: &str) -> Result<ProjectPlan, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// As a record keeps it.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether workers are believed one by one.
    #[must_use]
    pub fn is_trusting(&self) -> bool {
        self.quorum <= 1
    }

    /// How long units take where nobody says: results are compared unit by unit, whoever has them,
    /// so that a project has one size, and its quorum says for whom it is made.
    #[must_use]
    pub fn usual_seconds(quorum: u8) -> u32 {
        if quorum <= 1 { OWN_SECONDS } else { VOLUNTEER_SECONDS }
    }

    /// The largest budget of a unit for machines that visit so many nodes in a second.
    #[must_use]
    pub fn budget(&self, nodes_per_second: f64) -> u64 {
        let usual = (nodes_per_second * f64::from(self.unit_seconds)) as u64;
        self.unit_nodes.unwrap_or(usual).max(LEAST_NODES)
    }

    /// What the coordinator keeps to.
    #[must_use]
    pub fn plan(&self, method: Method, solver: SolverVersion, nodes_per_second: f64) -> Plan {
        let budget = self.budget(nodes_per_second);
        let day = 24 * 3600;
        Plan {
            method,
            budget,
            slice: self.slice(budget),
            table_megabytes: self.table_megabytes,
            keep_table: self.is_trusting(),
            solver,
            second_share: 0,
            while_leased: WhileLeased::default(),
            memory: (self.memory_megabytes as usize) << 20,
            trust: TrustPlan {
                quorum: self.quorum.max(1),
                vouched: !self.is_trusting(),
                established_results: self.established_results,
                established_seconds: u64::from(self.established_days) * day,
                established_checks: self.established_checks,
                spot_check_one_in: if self.is_trusting() { 0 } else { self.spot_check_one_in },
                canary_one_in: if self.is_trusting() { 0 } else { self.canary_one_in },
                ..TrustPlan::STRANGERS
            },
            lemmas: self.certify.then_some(LemmaPlan {
                leaf_budget: self.leaf_budget,
                most_nodes: self.lemma_nodes,
            }),
        }
    }

    /// What the sub-jobs of a unit found stays when its budget is spent, so that it has several.
    #[must_use]
    pub fn slice(&self, budget: u64) -> u64 {
        (budget / SUB_JOBS).max(LEAST_NODES)
    }
}

/// What is taken for the speed of a machine before anybody has reported.
#[must_use]
pub(super) fn usual_speed(method: Method) -> f64 {
    match method {
        Method::AlphaBeta => 3e6,
        Method::ProofNumber => 5e5,
        Method::BestFirst | Method::Retrograde => 1e4,
    }
}
