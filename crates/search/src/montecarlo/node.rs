//! What is known at a node: how often it was tried and with what success, and between which margins
//! its value lies.

use game::Side;

/// Where a node lies in the arena.
pub(super) type Index = u32;

/// Trials and their mean reward, the first player's, from -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) count: u32,
    pub(super) mean: f32,
}

impl Tally {
    #[inline]
    pub(super) fn add(&mut self, reward: f32) {
        self.count = self.count.saturating_add(1);
        self.mean += (reward - self.mean) / self.count as f32;
    }

    /// Both together.
    pub(super) fn with(self, other: Tally) -> Tally {
        let count = self.count.saturating_add(other.count);
        let share = other.count as f32 / count.max(1) as f32;
        Tally { count, mean: self.mean + (other.mean - self.mean) * share }
    }
}

/// The margins between which the value of a node surely lies (score-bounded search, Cazenave and
/// Saffidine 2010). In a node they are the first player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// Nothing is known but the limit of the game.
    pub(super) fn open(limit: i32) -> Bounds {
        Bounds { lower: -limit, upper: limit }
    }

    /// All is known.
    #[inline]
    pub(super) fn exactly(margin: i32) -> Bounds {
        Bounds { lower: margin, upper: margin }
    }

    #[inline]
    pub(super) fn is_proved(self) -> bool {
        self.lower == self.upper
    }

    /// What both say.
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The first player's bounds as this side's, and the other way round.
    #[inline]
    pub(super) fn seen_by(self, side: Side) -> Bounds {
        match side {
            Side::First => self,
            Side::Second => Bounds { lower: -self.upper, upper: -self.lower },
        }
    }
}

/// A position of the tree, with the move that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// `None` in a root that no move led to.
    pub(super) m: Option<M>,
    /// Who moves in this position.
    pub(super) mover: Side,
    /// Plies to the end of a game that is proved to be won or lost, along the proof that was found.
    pub(super) plies: u16,
    pub(super) bounds: Bounds,
    /// How the move looked before it was tried, to who makes it.
    pub(super) prior: f32,
    pub(super) tried: Tally,
    /// All trials of the parent in which the same side made the same move at any later time.
    pub(super) amaf: Tally,
    pub(super) first_child: Index,
    pub(super) children: u32,
}

impl<M> Node<M> {
    pub(super) fn new(m: Option<M>, mover: Side, bounds: Bounds) -> Node<M> {
        Node {
            m,
            mover,
            plies: 0,
            bounds,
            prior: 0.0,
            tried: Tally::default(),
            amaf: Tally::default(),
            first_child: 0,
            children: 0,
        }
    }

    /// Adds what another tree knows of the same node.
    pub(super) fn learn(&mut self, other: &Node<M>) {
        if other.bounds.is_proved() && !self.bounds.is_proved() {
            self.plies = other.plies;
        }
        self.bounds = self.bounds.and(other.bounds);
        self.tried = self.tried.with(other.tried);
    }

    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.children == 0
    }
}
