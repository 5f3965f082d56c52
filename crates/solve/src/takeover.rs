//! [`take_over`]: a coordinator that knows what a store knows.

use crate::coordinator::Coordinator;
use crate::goal::Goal;
use crate::plan::Plan;
use crate::rules::SolverRules;
use crate::solver::SolveError;
use crate::store::{Claimed, Store};

/// Claims a project, so that nobody else can write to it, and loads it: from the root on as far as it
/// is open, with the units that were handed out. `alone` says that nobody works at those, so that
/// they are forgotten.
///
/// # Errors
/// If the store fails, or holds what the rules deny.
pub fn take_over<'r>(
    rules: &'r dyn SolverRules,
    goal: Goal,
    plan: Plan,
    store: &mut (impl Store + ?Sized),
    alone: bool,
) -> Result<(Coordinator<'r>, Claimed), SolveError> {
    let claimed = store.claim(alone)?;
    let mut coordinator =
        Coordinator::new(rules, goal, plan, claimed.project, claimed.next_number)?;
    coordinator.resume(claimed.next_number, claimed.batches, claimed.nodes);
    for (user, record) in store.users()? {
        coordinator.trust_mut().restore(user, record);
    }
    for lemma in store.lemmas()? {
        coordinator.restore_lemma(&lemma);
    }
    let mut wanted = vec![coordinator.root()];
    while !wanted.is_empty() {
        let rows = store.nodes(&wanted)?;
        wanted = coordinator.restore(&rows)?;
    }
    for (unit, trusted_only) in store.units()? {
        coordinator.adopt(&unit, trusted_only);
    }
    Ok((coordinator, claimed))
}
