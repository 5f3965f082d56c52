//! [`ProjectProgress`]: how far a project is, as its coordinator sees it and its record keeps it.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use solve::coordinator::{Certification, Coordinator};

/// How far a project is. What is missing in an old record is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectProgress {
    /// The question under way: is the first player's margin at least this?
    pub at_least: Option<i32>,
    /// Nodes at the edge of the tree near the root that have no answer to it;
    pub open: Option<u64>,
    /// those where the first player gets what is asked,
    pub proved: Option<u64>,
    /// and those where it does not.
    pub disproved: Option<u64>,
    /// How many positions are probably still to be visited, rather more than this,
    pub left: Option<u64>,
    /// and rather less than this: see [`Coordinator::left`].
    pub left_most: Option<u64>,
    /// Nodes of the tree in memory,
    pub tree_nodes: u64,
    /// and how many bytes they take.
    pub tree_bytes: u64,
    /// Facts of the answer that have their lemma,
    pub lemmas_made: u64,
    /// of so many that need one.
    pub lemmas_wanted: u64,
}

impl ProjectProgress {
    /// Reads what [`to_json`](ProjectProgress::to_json) wrote.
    #[must_use]
    pub fn from_json(text: &str) -> Option<ProjectProgress> {
        serde_json::from_str(text).ok()
    }

    /// As a record keeps it.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn of(coordinator: &Coordinator<'_>) -> ProjectProgress {
        let tree = coordinator.tree();
        let counts = tree.frontier_counts(0, MOST_NODES);
        let (lemmas_made, lemmas_wanted) = match coordinator.certification() {
            Certification::UnderWay(made, wanted) => (made as u64, wanted as u64),
            Certification::Unwanted | Certification::Complete => (0, 0),
        };
        let left = coordinator.left();
        ProjectProgress {
            at_least: tree.asked(0),
            open: counts.map(|counts| counts.open),
            proved: counts.map(|counts| counts.proved),
            disproved: counts.map(|counts| counts.disproved),
            left: left.map(|left| left.low),
            left_most: left.map(|left| left.high),
            tree_nodes: tree.len() as u64,
            tree_bytes: tree.bytes() as u64,
            lemmas_made,
            lemmas_wanted,
        }
    }
}

/// A larger tree is not looked through.
const MOST_NODES: usize = 1 << 20;
/// How often it is said how far a project is, at most;
const OFTEN: Duration = Duration::from_secs(5);
/// and never more than one part in so many of the time is spent on that.
const ONE_IN: u32 = 50;

/// Looks now and then.
#[derive(Debug, Default)]
pub(super) struct ProgressWatch {
    due: Option<Instant>,
    told: Option<ProjectProgress>,
}

impl ProgressWatch {
    /// What is to be written, if it is time and something has changed.
    pub(super) fn look(&mut self, coordinator: &Coordinator<'_>) -> Option<ProjectProgress> {
        let began = Instant::now();
        if self.due.is_some_and(|due| began < due) {
            return None;
        }
        let found = ProjectProgress::of(coordinator);
        let took = began.elapsed();
        self.due = Some(began + OFTEN.max(took * ONE_IN));
        let is_news = self.told != Some(found);
        self.told = Some(found);
        is_news.then_some(found)
    }
}
