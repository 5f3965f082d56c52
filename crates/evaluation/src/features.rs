//! [`Features`]: numbers that describe a position, each with a name; and [`Linear`], the evaluation
//! that weighs them.
//!
//! What a feature set counts it counts for a *viewer* and for the viewer's opponent. Swapping the
//! colours of a position and the viewer with them changes none of its numbers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::weights::Visit;
use game::{Game, Side};

/// A set of features of a game.
pub trait Features<G: Game>: Copy + Send + Sync + 'static {
    /// What each number is called, in the order in which they are written: small letters, digits,
    /// `_` and points.
    const NAMES: &'static [&'static str];

    /// Writes every number of an unfinished position as a player sees it. `out` is as long as the
    /// names.
    fn write(game: &G, p: &G::Position, viewer: Side, out: &mut [i32]);
}

/// The names of features that are counted for the viewer and, in the same order, for the opponent.
#[macro_export]
macro_rules! names_of_both {
    ($($name:literal),+ $(,)?) => {
        [$(concat!("own.", $name),)+ $(concat!("opposing.", $name),)+]
    };
}

/// Weights that take from a position for the opponent what they give for the viewer: those of the
/// viewer, and their opposites.
#[must_use]
pub const fn opposed<const HALF: usize, const N: usize>(own: [i32; HALF]) -> [i32; N] {
    assert!(N == 2 * HALF, "as many for the opponent as for the viewer");
    let (mut all, mut n) = ([0; N], 0);
    while n < HALF {
        all[n] = own[n];
        all[HALF + n] = -own[n];
        n += 1;
    }
    all
}

/// What the weight of a feature may be: 16 bits with their sign.
pub const WEIGHT_RANGE: RangeInclusive<i32> = i16::MIN as i32..=i16::MAX as i32;

/// A sum of so many parts is worth one unit of score: the largest sums would not fit the score
/// band.
pub const PARTS: i32 = 8;

/// The sum of all features, each times its weight.
///
/// Positions are seen by one player, who is on the move where a search [begins](Linear::begin):
/// also those in which the opponent moves. Own and opposing features have weights of their own, so
/// it matters who looks.
#[derive(Clone, Copy)]
pub struct Linear<F, const N: usize> {
    /// In the order of [`Features::NAMES`].
    pub weights: [i32; N],
    viewer: Option<Side>,
    features: PhantomData<F>,
}

impl<F, const N: usize> Linear<F, N> {
    /// With these weights.
    #[must_use]
    pub const fn new(weights: [i32; N]) -> Linear<F, N> {
        Linear { weights, viewer: None, features: PhantomData }
    }

    /// A search begins at this position: its side to move is the viewer from now on.
    pub fn begin<G: Game>(&mut self, game: &G, p: &G::Position)
    where
        F: Features<G>,
    {
        self.viewer = Some(game.to_move(p));
    }

    /// The worth of an unfinished position for the side to move.
    #[inline]
    pub fn evaluate<G: Game>(&self, game: &G, p: &G::Position) -> i32
    where
        F: Features<G>,
    {
        let mover = game.to_move(p);
        let viewer = self.viewer.unwrap_or(mover);
        let mut features = [0; N];
        F::write(game, p, viewer, &mut features);
        let parts: i32 = features.iter().zip(&self.weights).map(|(n, weight)| n * weight).sum();
        let score = parts / PARTS;
        if viewer == mover { score } else { -score }
    }

    /// Shows every weight once.
    pub fn each<G: Game>(&mut self, visit: &mut Visit<'_>)
    where
        F: Features<G>,
    {
        for (name, weight) in F::NAMES.iter().zip(&mut self.weights) {
            visit(name, weight);
        }
    }
}

impl<F, const N: usize> fmt::Debug for Linear<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Linear").field("weights", &self.weights).finish_non_exhaustive()
    }
}
