//! Which leaves are looked at, where not all are.

use game::Rng;

/// So many leaves, drawn at random from all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSample {
    /// How many; all if there are not so many.
    pub leaves: u64,
    /// Which ones depends on this alone.
    pub seed: u64,
}

/// Draws leaves one after the other such that every choice of them is as likely as any other (selection sampling, Knuth, The Art of
/// Computer Programming 3.4.2, algorithm S).
#[derive(Debug)]
pub(crate) struct Draw {
    /// Leaves that are still to come.
    left: u64,
    /// How many of those will be drawn.
    wanted: u64,
    rng: Rng,
}

impl Draw {
    pub(crate) fn new(sample: Option<LeafSample>, all: u64) -> Draw {
        let LeafSample { leaves, seed } = sample.unwrap_or(LeafSample { leaves: all, seed: 0 });
        Draw { left: all, wanted: leaves.min(all), rng: Rng::new(seed) }
    }

    /// Whether the next leaf is drawn.
    pub(crate) fn next_is_drawn(&mut self) -> bool {
        let drawn = match self.left {
            left if self.wanted >= left => true,
            left => (self.rng.below(left as usize) as u64) < self.wanted,
        };
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(drawn && self.wanted > 0);
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_as_many_as_asked_for() {
        for (leaves, all) in [(0, 10), (3, 10), (10, 10), (11, 10), (5, 0), (1, 1000)] {
            let mut draw = Draw::new(Some(LeafSample { leaves, seed: 7 }), all);
            let drawn = (0..all).filter(|_| draw.next_is_drawn()).count() as u64;
            assert_eq!(drawn, leaves.min(all));
        }
        let mut everything = Draw::new(None, 20);
        assert!((0..20).all(|_| everything.next_is_drawn()));
    }
}
