//! Chains and their liberties, found by flooding: the questions that all of Go comes down to, asked of
//! sets that know no colours and no rules.
//!
//! **Invariant:** every chain on a board between two moves has a liberty, so that only chains touched
//! by the last stone can lack one.

use super::points::PointSet;

/// Everything within a set that is connected to the seed; the seed is part of it.
#[inline]
pub(super) fn flood<S: PointSet>(seed: S, within: S) -> S {
    let mut reached = seed & within;
    loop {
        let next = reached | reached.around() & within;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// What a stone takes off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Removed<S> {
    /// Stones of the other colour, most often none.
    Other(S),
    /// Its own chain and itself: suicide.
    Own(S),
}

/// What happens where `own` places a stone on one of the empty points.
#[inline]
pub(super) fn placed<S: PointSet>(stone: S, empty: S, own: S, other: S) -> Removed<S> {
    let (near, empty) = (stone.around(), empty ^ stone);
    let captured = captured(near, empty, other);
    if captured.any() || (near & empty).any() || breathes(stone, empty, own | stone) {
        Removed::Other(captured)
    } else {
        Removed::Own(flood(stone, own | stone))
    }
}

/// Whether a stone on one of the empty points would be no suicide.
#[inline]
pub(super) fn survives<S: PointSet>(stone: S, empty: S, own: S, other: S) -> bool {
    let (near, empty) = (stone.around(), empty ^ stone);
    (near & empty).any()
        || breathes(stone, empty, own | stone)
        || captured(near, empty, other).any()
}

/// The stones of `other` without a liberty, where only those near the last stone can be.
#[inline]
fn captured<S: PointSet>(near: S, empty: S, other: S) -> S {
    let touched = near & other;
    let mut alive = other & empty.around();
    while (touched & !alive).any() {
        let next = alive | alive.around() & other;
        if next == alive {
            return other & !alive;
        }
        alive = next;
    }
    S::default()
}

/// Whether the chain of a stone has a liberty.
#[inline]
fn breathes<S: PointSet>(stone: S, empty: S, own: S) -> bool {
    let mut chain = stone;
    loop {
        let near = chain.around();
        if (near & empty).any() {
            return true;
        }
        let next = chain | near & own;
        if next == chain {
            return false;
        }
        chain = next;
    }
}

/// The empty points that touch stones of one set only: those around `one` alone and those around `two`
/// alone.
#[inline]
pub(super) fn surrounded<S: PointSet>(empty: S, one: S, two: S) -> (S, S) {
    let near_one = flood(one.around(), empty);
    let near_two = flood(two.around(), empty);
    (near_one & !near_two, near_two & !near_one)
}
