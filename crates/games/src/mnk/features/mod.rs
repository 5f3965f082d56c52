//! [`Shapes`]: what a position of a line game looks like to a player, in thirty-eight numbers.
//!
//! What [`LineWeights`] knows of shapes, counted for the viewer and for the opponent, whatever the board, the length of a line and
//! the stones of a turn. A search does not count them: windows that are kept up to date add up what shapes of either side are
//! worth, and [`evaluate`] adds the few numbers that are not shapes.

use evaluation::Features;
use evaluation::features::{PARTS, opposed};
use game::Side;

use super::board::Board;
use super::live_windows::LiveWindows;
use super::patterns::{Patterns, timing};
use super::position::{Mnk, Position};
use super::shape::Shape;
use super::turn::Turn;
use super::weights::LineWeights;

/// Numbers of each side.
const HALF: usize = 19;
/// How many there are.
pub(super) const COUNT: usize = 2 * HALF;
/// Missing stones that make a difference.
const LACKING: usize = 5;
/// Where the numbers after the shapes are in a half.
const TIMELY: usize = 3 * LACKING;
const STONES_LEFT: usize = TIMELY + 2;
const CENTRE: usize = STONES_LEFT + 1;

/// The thirty-eight features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shapes;

impl<S: Shape, B: Board> Features<Mnk<S, B>> for Shapes {
    const NAMES: &'static [&'static str] = &NAMES;

    fn write(game: &Mnk<S, B>, p: &Position<B>, viewer: Side, out: &mut [i32]) {
        debug_assert_eq!(out.len(), COUNT, "room for the features");
        let live = LiveWindows::of(game, p, [LineWeights::DEFAULT; 2]);
        let sides = [viewer, viewer.other()];
        for (side, out) in sides.into_iter().zip(out.chunks_exact_mut(HALF)) {
            out.fill(0);
            live.each_shape(side, |missing, windows| {
                if missing <= LACKING {
                    out[LACKING * (windows.min(3) - 1) + missing - 1] += 1;
                }
            });
            out[TIMELY..STONES_LEFT].copy_from_slice(&timing(&live, side));
            [out[STONES_LEFT], out[CENTRE]] = asides(&live, p.turn, side);
        }
    }
}

/// The worth of a position for the side to move, as the viewer sees it: the sum of all features, each times its weight.
/// The patterns are those of the [weights by side](by_side).
pub(super) fn evaluate(
    patterns: &Patterns,
    weights: &[i32; COUNT],
    viewer: Side,
    turn: Turn,
) -> i32 {
    let (own, opposing) = weights.split_at(HALF);
    let weighed = |side: Side, weights: &[i32]| {
        let [left, centre] = asides(&patterns.live, turn, side);
        left * weights[STONES_LEFT] + centre * weights[CENTRE]
    };
    let more = weighed(viewer, own) + weighed(viewer.other(), opposing);
    let parts = patterns.worth(viewer).saturating_sub(patterns.worth(viewer.other()));
    let score = patterns.within_hopes(viewer, parts.saturating_add(more) / PARTS);
    if viewer == turn.side() { score } else { -score }
}

/// What a shape of either side is worth to that side.
pub(super) fn by_side(weights: &[i32; COUNT], viewer: Side) -> [LineWeights; 2] {
    let (own, opposing) = weights.split_at(HALF);
    let mut by_side = [LineWeights::DEFAULT; 2];
    by_side[viewer.index()] = line_weights(own, 1);
    by_side[viewer.other().index()] = line_weights(opposing, -1);
    by_side
}

fn line_weights(half: &[i32], sign: i32) -> LineWeights {
    let row = |n: usize| std::array::from_fn(|missing| sign * half[LACKING * n + missing]);
    let [timely, untimely] = [0, 1].map(|n| sign * half[TIMELY + n]);
    LineWeights { single: row(0), open: row(1), wide: row(2), tempo: 0, timely, untimely }
}

/// What is no shape: the stones a side has left in this turn, and its stones in the centre: on the one, two or four squares in the
/// middle of the board, with gravity on the one or two columns in the middle.
fn asides(live: &LiveWindows, turn: Turn, side: Side) -> [i32; 2] {
    let shape = live.shape();
    let left = if turn.side() == side { turn.left() as i32 } else { 0 };
    let middle = |size: usize| (size - 1) / 2..=size / 2;
    let rows = if shape.gravity { 0..=shape.rows - 1 } else { middle(shape.rows) };
    let squares =
        rows.flat_map(|row| middle(shape.columns).map(move |column| row * shape.columns + column));
    let centre = squares.filter(|&square| live.stone(square) == Some(side)).count();
    [left, centre as i32]
}

pub(super) const NAMES: [&str; COUNT] = evaluation::names_of_both![
    "single.1",
    "single.2",
    "single.3",
    "single.4",
    "single.5",
    "open.1",
    "open.2",
    "open.3",
    "open.4",
    "open.5",
    "wide.1",
    "wide.2",
    "wide.3",
    "wide.4",
    "wide.5",
    "timely",
    "untimely",
    "stones_left",
    "centre",
];

/// What shapes are worth by default, in parts.
pub(super) const USUAL: [i32; COUNT] = {
    let LineWeights { single, open, wide, timely, untimely, .. } = LineWeights::DEFAULT;
    let mut own = [0; HALF];
    let mut n = 0;
    while n < LACKING {
        own[n] = PARTS * single[n];
        own[LACKING + n] = PARTS * open[n];
        own[2 * LACKING + n] = PARTS * wide[n];
        n += 1;
    }
    own[TIMELY] = PARTS * timely;
    own[TIMELY + 1] = PARTS * untimely;
    opposed(own)
};

#[cfg(test)]
mod tests;
