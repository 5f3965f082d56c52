//! How much is left of the question under way. Nobody can know, so that a range is told.
//!
//! Three estimates are made, which are wrong in different ways:
//!
//! - *nearest*: what the open leaves cost that all have to be answered if it ends the way it looks now.
//!   It knows nothing of what turns out otherwise, and is mostly too low.
//! - *whole*: what all open leaves cost below all moves. It is mostly too high, but for what is not seen
//!   yet.
//! - *share*: what the question has taken so far, divided by the share of it that is done, where each
//!   move of a node counts as much as its sisters (the weighted backtrack estimator of Kilby and others).
//!
//! What a leaf costs is fitted to those that were answered.

use game::Rng;

use super::Coordinator;
use crate::name::NodeName;
use crate::tree::{NodeId, ROOT};

/// Between how many positions are probably still to be visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftRange {
    /// Rather more than this,
    pub low: u64,
    /// and rather less than this.
    pub high: u64,
}

/// A larger tree is not looked through.
const MOST_NODES: usize = 1 << 17;
/// Of more open leaves than this some are drawn.
const MOST_LEAVES: usize = 1 << 11;
/// Fewer answers than this say nothing about what a leaf costs.
const FEWEST: u32 = 8;
/// Estimates are off by about this factor, beside what they differ by.
const MARGIN: f64 = 2.0;

impl Coordinator<'_> {
    /// How many positions are probably still to be visited for the question under way: see the module.
    /// Nothing before enough is known.
    #[must_use]
    pub fn left(&self) -> Option<LeftRange> {
        if !self.tree.is_expanded(ROOT) || self.fitting.count() < FEWEST {
            return None;
        }
        let nearest = self.cost(self.tree.frontier(0, MOST_NODES)?)?;
        let (open, share) = self.tree.open_leaves(0, MOST_NODES)?;
        let whole = self.cost(open)?;
        let since = self.spent.saturating_sub(self.asked_at?) as f64;
        let by_share = (share > 0.0).then(|| since * (1.0 - share) / share);
        let all = [Some(nearest), Some(whole), by_share];
        let known = || all.iter().flatten().copied();
        let low = known().fold(f64::INFINITY, f64::min) / MARGIN;
        let high = known().fold(0.0, f64::max) * MARGIN;
        Some(LeftRange { low: low as u64, high: high.max(1.0) as u64 })
    }

    /// What all of these take to be answered.
    fn cost(&self, mut leaves: Vec<NodeId>) -> Option<f64> {
        let all = leaves.len();
        if all > MOST_LEAVES {
            let mut rng = Rng::new(all as u64);
            rng.shuffle(&mut leaves);
            leaves.truncate(MOST_LEAVES);
        }
        let scale = all as f64 / leaves.len().max(1) as f64;
        let cost = |leaf: NodeId| {
            let measures = self.rules.measures(&NodeName::new(self.tree.name(leaf))).ok()?;
            let whole = self.fitting.nodes(&measures).unwrap_or(self.fitting.mean());
            // What was tried in vain takes at least as much again.
            Some(whole.max(self.tree.effort(leaf) as f64))
        };
        let costs: Option<Vec<f64>> = leaves.into_iter().map(cost).collect();
        Some(costs?.into_iter().sum::<f64>() * scale)
    }
}
