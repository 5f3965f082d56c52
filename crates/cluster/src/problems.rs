//! [`Problems`]: games and positions by their texts, opened once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use game::TextError;
use solve::SolverRules;
use solve::message::Unit;

/// Games and positions that were worked at lately.
#[derive(Default)]
pub(crate) struct Problems(Mutex<VecDeque<Arc<OpenProblem>>>);

/// A game and a position, ready to be worked at.
pub(crate) struct OpenProblem {
    game: String,
    root: String,
    pub(crate) rules: Arc<dyn SolverRules>,
}

/// So many are remembered.
const MOST_PROBLEMS: usize = 8;

impl Problems {
    /// A game and a position by their texts.
    pub(crate) fn open(&self, game: &str, root: &str) -> Result<Arc<OpenProblem>, TextError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().position(|known| known.game == game && known.root == root);
        if let Some(problem) = found.and_then(|found| known.remove(found)) {
            known.push_front(Arc::clone(&problem));
            return Ok(problem);
        }
        let compiled = catalog::open(game)?;
        let problem = Arc::new(OpenProblem {
            game: game.to_owned(),
            root: root.to_owned(),
            rules: compiled.solver_rules(root)?,
        });
        known.push_front(Arc::clone(&problem));
        known.truncate(MOST_PROBLEMS);
        Ok(problem)
    }

    /// The node of a unit as people write it.
    pub(crate) fn position(&self, unit: &Unit) -> Option<String> {
        self.open(&unit.game, &unit.root).ok()?.rules.text(&unit.node).ok()
    }
}
