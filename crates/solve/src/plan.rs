//! [`Plan`]: how a project is worked at, and how much work a node is likely to be.

use crate::certify::LemmaPlan;
use crate::message::{CostFit, SolverVersion};
use crate::method::Method;
use crate::rules::Measures;
use crate::tree::WhileLeased;

/// How a project is worked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How a sub-job is done.
    pub method: Method,
    /// The largest budget of a unit.
    pub budget: u64,
    /// The largest sub-job of a unit; with a slice of at least the budget a unit is one sub-job.
    pub slice: u64,
    /// The table of the largest sub-job.
    pub table_megabytes: u32,
    /// Whether workers keep their tables: for those that are trusted.
    pub keep_table: bool,
    /// Who works.
    pub solver: SolverVersion,
    /// One in so many units is about the second question; 0 for none.
    pub second_share: u32,
    /// How nodes count that somebody works at.
    pub while_leased: WhileLeased,
    /// The most bytes of the tree, about.
    pub memory: usize,
    /// Whom to believe.
    pub trust: TrustPlan,
    /// What the proof of the answer is like, if units are to make one.
    pub lemmas: Option<LemmaPlan>,
}

/// Whom to believe, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrustPlan {
    /// How many users have to agree.
    pub quorum: u8,
    /// Whether one of those who agree has to be established or trusted.
    pub vouched: bool,
    /// Whether what a trusted machine says is enough.
    pub trusted_alone: bool,
    /// A user is established after so many valid results,
    pub established_results: u32,
    /// of which the first is at least so many seconds ago,
    pub established_seconds: u64,
    /// and so many were checked by the project itself, if it checks any.
    pub established_checks: u32,
    /// Of one report in so many of those who are not established, a sub-job is done again before it
    /// counts; of others a fourth as often. 0 for none.
    pub spot_check_one_in: u32,
    /// Of the units that an established user could answer alone, one in so many goes to a quorum;
    /// 1 for all of them.
    pub replicate_one_in: u32,
    /// One in so many units is issued again after it was validated, as a canary; 0 for none.
    pub canary_one_in: u32,
    /// Facts that only one established user vouches for are believed before the audit.
    pub adaptive: bool,
    /// The audit takes one of the project's own machines for each fact of the proof; else a quorum is
    /// enough.
    pub audited_by_own: bool,
}

impl TrustPlan {
    /// All who work are this program itself.
    pub const OWN: TrustPlan = TrustPlan {
        quorum: 1,
        vouched: true,
        trusted_alone: true,
        established_results: 0,
        established_seconds: 0,
        established_checks: 0,
        spot_check_one_in: 0,
        replicate_one_in: 1,
        canary_one_in: 0,
        adaptive: false,
        audited_by_own: false,
    };

    /// Anybody may work.
    pub const STRANGERS: TrustPlan = TrustPlan {
        quorum: 2,
        vouched: true,
        trusted_alone: true,
        established_results: 20,
        established_seconds: 3 * 24 * 3600,
        established_checks: 2,
        spot_check_one_in: 5,
        replicate_one_in: 10,
        canary_one_in: 50,
        adaptive: false,
        audited_by_own: false,
    };
}

/// How many budgets a node is tried with, and how much larger each is than the one before.
pub(crate) const TRIES: u32 = 3;
const GROWTH: u64 = 16;

/// What a node gets that has been tried so often.
pub(crate) fn allotted(largest: u64, tries: u32) -> u64 {
    let smaller = GROWTH.pow(TRIES - 1 - tries.min(TRIES - 1));
    (largest / smaller).max(1)
}

/// Estimates are too low by about so much, since they know only what was answered.
const TOO_LOW_BITS: i32 = 2;

/// Whether a search of so many nodes will surely not be enough.
pub(crate) fn is_surely_larger(fit: &CostFit, measures: &Measures, nodes: u64) -> bool {
    let known = *fit != CostFit::default();
    known && estimate(fit, measures) > (nodes.max(1).ilog2() as i32 - TOO_LOW_BITS) * 256
}

/// The binary logarithm of the nodes that a node will take, in 256ths.
pub(crate) fn estimate(fit: &CostFit, measures: &Measures) -> i32 {
    let &Measures { plies_left, moves, lead } = measures;
    let part = |weight: i32, number: u32| weight.saturating_mul(number.min(1 << 12) as i32);
    [part(fit.plies_left, plies_left), part(fit.moves, moves), part(-fit.lead, lead)]
        .into_iter()
        .fold(fit.base, i32::saturating_add)
}
