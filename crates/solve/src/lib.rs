//! Exact solving: the value of a game, by questions that are answered for certain, resumable at any
//! moment, and made to be shared with strangers.
//!
//! A [`Goal`] is cut into [questions](message::Question) that only know yes and no. Each is worked at
//! in [units](message::Unit) of bounded size, which a [`Coordinator`](coordinator::Coordinator)
//! makes from the [`Tree`](tree::Tree) of what is known near the root; what is found out goes into a
//! [`Store`](store::Store), and workers come in by a [`Door`](store::Door). [`solve`] is all of it in
//! one process. Small games can be solved [strongly](strong): all their positions, in a table.
//!
//! **Invariants:** no game is named here; what is in the tree rests on no guess; with one thread and
//! a given budget the same work is done in the same order every time; all but the stores is pure.

mod attempt;
mod audit;
mod certify;
pub mod coordinator;
mod goal;
pub mod message;
mod method;
mod name;
mod pairs;
mod plan;
mod platform;
mod rules;
mod ruling;
pub mod simulation;
mod solver;
pub mod store;
pub mod strong;
mod takeover;
pub mod tree;
mod work;

pub use attempt::{Attempted, CheckpointFile, WorkFault, attempt, check_unit};
pub use audit::{FactCounts, ProofAudit, RestingFact};
pub use certify::{
    Certifier, CertifyError, CertifyStage, Certifying, FindLemma, LemmaFile, LemmaPlan,
    LemmaRefusal, NearRoot, certify, certify_node, check_lemmas,
};
pub use goal::{Bounds, Goal};
pub use method::{Method, Proof};
pub use name::NodeName;
pub use pairs::cannot_win;
pub use plan::{Plan, TrustPlan};
pub use rules::{Child, Measures, Problem, Searched, SolverRules, VisitedFn, With};
pub use ruling::{Unruled, answers, rule, rule_on, spot_check};
pub use solver::{AuditedBound, LocalStore, Options, Progress, Solution, SolveError, Spent, solve};
#[cfg(feature = "sqlite")]
pub use store::SqliteStore;
pub use store::StoreError;
pub use takeover::take_over;
pub use work::{WorkDesk, Worked, work, work_through};
