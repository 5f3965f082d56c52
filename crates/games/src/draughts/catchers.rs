//! What is done with captures as they are found: the best, how many, each once.
//!
//! Ways that end alike need as many captures as it takes to go round: [`Emit`] and [`Tally`] handle
//! shorter captures at once and only note that there are longer ones, which [`Gather`] then sorts out.

use std::collections::BTreeSet;

use game::MoveSink;

use super::captures::{Catcher, Rank};
use super::position::Move;

/// Finds the highest rank.
#[derive(Debug)]
pub(super) struct Best(pub(super) Rank);

impl Catcher for Best {
    #[inline]
    fn caught(&mut self, _: Move, rank: Rank) {
        if rank != Rank::FREE {
            self.0 = self.0.max(rank);
        }
    }
}

/// Hands on captures of the required rank.
#[derive(Debug)]
pub(super) struct Emit<'s, S> {
    pub(super) best: Rank,
    /// Captures of so many pieces are left to [`Gather`].
    pub(super) cycle: u32,
    pub(super) out: &'s mut S,
    /// Whether there was any.
    pub(super) caught: bool,
    /// Whether some were left.
    pub(super) cycles: bool,
}

impl<S: MoveSink<Move>> Catcher for Emit<'_, S> {
    #[inline]
    fn caught(&mut self, m: Move, rank: Rank) {
        if rank == self.best || rank == Rank::FREE {
            self.caught = true;
            if m.captured.count_ones() < self.cycle {
                self.out.push(m);
            } else {
                self.cycles = true;
            }
        }
    }
}

/// Counts captures of the highest rank seen so far, so that one look is enough.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) best: Rank,
    pub(super) count: usize,
    /// Captures of so many pieces are left to [`Gather`].
    pub(super) cycle: u32,
    /// Whether some were left.
    pub(super) cycles: bool,
}

impl Catcher for Tally {
    #[inline]
    fn caught(&mut self, m: Move, rank: Rank) {
        if rank != Rank::FREE && rank > self.best {
            (self.best, self.count, self.cycles) = (rank, 0, false);
        }
        if rank == self.best || rank == Rank::FREE {
            if m.captured.count_ones() < self.cycle {
                self.count += 1;
            } else {
                self.cycles = true;
            }
        }
    }
}

/// Keeps the captures that [`Emit`] and [`Tally`] left, each once.
#[derive(Debug)]
pub(super) struct Gather {
    pub(super) best: Rank,
    pub(super) cycle: u32,
    pub(super) moves: Moves,
}

impl Catcher for Gather {
    #[inline]
    fn caught(&mut self, m: Move, rank: Rank) {
        let wanted = rank == self.best || rank == Rank::FREE;
        if wanted && m.captured.count_ones() >= self.cycle && !self.moves.contains(m) {
            self.moves.push(m);
        }
    }
}

const FEW: usize = 32;

/// A list that needs no memory of its own until it is longer than it ever is in play.
#[derive(Debug)]
pub(super) struct Moves {
    few: [Move; FEW],
    length: usize,
    more: BTreeSet<Move>,
}

impl Moves {
    pub(super) fn new() -> Moves {
        let none = Move { from: 0, to: 0, crowns: false, captured: 0 };
        Moves { few: [none; FEW], length: 0, more: BTreeSet::new() }
    }

    fn push(&mut self, m: Move) {
        if self.length < FEW {
            self.few[self.length] = m;
            self.length += 1;
        } else {
            self.more.insert(m);
        }
    }

    fn contains(&self, m: Move) -> bool {
        self.few[..self.length].contains(&m) || self.more.contains(&m)
    }

    pub(super) fn for_each(&self, each: &mut impl FnMut(Move)) {
        self.few[..self.length].iter().chain(&self.more).for_each(|&m| each(m));
    }
}

/// Keeps the move with a given number.
#[derive(Debug)]
pub(super) struct Pick {
    pub(super) left: usize,
    pub(super) found: Option<Move>,
}

impl MoveSink<Move> for Pick {
    #[inline]
    fn push(&mut self, m: Move) {
        if self.left == 0 && self.found.is_none() {
            self.found = Some(m);
        }
        self.left = self.left.wrapping_sub(1);
    }
}

/// Which ways to the same capture count apart.
#[cfg(feature = "reference")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// Those that turn elsewhere.
    Turns,
    /// Those too that land elsewhere between two captures on one line.
    Landings,
}

/// Takes every way to capture of the required rank, also those that end alike.
#[cfg(feature = "reference")]
#[derive(Debug)]
pub(super) struct EveryWay<'s, S, const LANDINGS: bool> {
    pub(super) best: Rank,
    pub(super) out: &'s mut S,
    /// Whether there was any.
    pub(super) caught: bool,
}

#[cfg(feature = "reference")]
impl<S: MoveSink<Move>, const LANDINGS: bool> Catcher for EveryWay<'_, S, LANDINGS> {
    const EVERY_WAY: bool = true;
    const LANDINGS: bool = LANDINGS;

    fn caught(&mut self, m: Move, rank: Rank) {
        if rank == self.best || rank == Rank::FREE {
            self.caught = true;
            self.out.push(m);
        }
    }
}
