//! [`StoneFeatures`]: what a Go position looks like to a player, in twenty-four numbers.
//!
//! What can be counted without reading ahead, twelve numbers of the viewer and twelve of the opponent. It is no judge of life
//! and death: on small boards a search adds what it lacks.

use evaluation::Features;
use evaluation::features::opposed;
use game::{Grid, Side};

use super::chains::{flood, surrounded};
use super::points::{PointSet, bits, board_points};
use super::position::{Go, Position};
use super::shape::Shape;

/// Numbers of each side.
const HALF: usize = 12;
/// How many there are.
pub(super) const COUNT: usize = 2 * HALF;

/// The twenty-four features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoneFeatures;

impl<S: PointSet, R: Shape> Features<Go<S, R>> for StoneFeatures {
    const NAMES: &'static [&'static str] = &NAMES;

    #[inline]
    fn write(game: &Go<S, R>, p: &Position<S>, viewer: Side, out: &mut [i32]) {
        let Some(out) = out.first_chunk_mut::<COUNT>() else {
            debug_assert!(false, "room for {COUNT} features");
            return;
        };
        let empty = game.empties(p);
        let sides = [viewer, viewer.other()];
        let [own, opposing] = sides.map(|side| p.stones(side));
        let chains = [own, opposing].map(|stones| Chains::new(stones, empty));
        let (by_own, by_opposing) = surrounded(empty, own, opposing);
        let edge = edge::<S>(game.parameters().size());
        let eyes = |stones: [S; 2], enclosed: S| {
            bits(enclosed).filter(|&bit| game.is_eye_of(stones, S::single(bit))).count()
        };
        let numbers = |n: usize, stones: [S; 2], enclosed: S| -> [usize; HALF] {
            let (mine, theirs) = (&chains[n], &chains[1 - n]);
            [
                stones[0].len(),
                (stones[0] & edge).len(),
                enclosed.len(),
                usize::from(p.prisoners(sides[n])),
                mine.count,
                mine.in_atari,
                mine.stones_in_atari,
                mine.with_two,
                mine.liberties.len(),
                (mine.liberties & !theirs.liberties).len(),
                mine.junctions.len(),
                eyes(stones, enclosed),
            ]
        };
        let all = [numbers(0, [own, opposing], by_own), numbers(1, [opposing, own], by_opposing)];
        for (number, counted) in out.iter_mut().zip(all.into_iter().flatten()) {
            *number = counted as i32;
        }
    }
}

/// What the chains of one side are like.
struct Chains<S> {
    count: usize,
    /// Chains with one liberty, and their stones.
    in_atari: usize,
    stones_in_atari: usize,
    /// Chains with two.
    with_two: usize,
    /// Empty points next to a stone.
    liberties: S,
    /// Those next to two chains or more.
    junctions: S,
}

impl<S: PointSet> Chains<S> {
    #[inline]
    fn new(stones: S, empty: S) -> Chains<S> {
        let nothing = S::default();
        let mut chains = Chains {
            count: 0,
            in_atari: 0,
            stones_in_atari: 0,
            with_two: 0,
            liberties: nothing,
            junctions: nothing,
        };
        let mut left = stones;
        while left.any() {
            let chain = flood(S::single(left.lowest()), stones);
            let liberties = chain.around() & empty;
            chains.count += 1;
            match liberties.len() {
                1 => {
                    chains.in_atari += 1;
                    chains.stones_in_atari += chain.len();
                }
                2 => chains.with_two += 1,
                _ => {}
            }
            chains.junctions = chains.junctions | chains.liberties & liberties;
            chains.liberties = chains.liberties | liberties;
            left = left ^ chain;
        }
        chains
    }
}

/// The outermost points of a board.
#[inline]
fn edge<S: PointSet>(grid: Grid) -> S {
    let row = board_points::<S>(Grid { rows: 1, ..grid });
    let column = board_points::<S>(Grid { columns: 1, ..grid });
    row | row.upended(grid) | column | column.mirrored(grid)
}

pub(super) const NAMES: [&str; COUNT] = evaluation::names_of_both![
    "stones",
    "stones.edge",
    "surrounded",
    "prisoners",
    "chains",
    "chains.atari",
    "stones.atari",
    "chains.two",
    "liberties",
    "liberties.alone",
    "junctions",
    "eyes",
];

/// A point is 160, set by hand: what is counted at the end, a little for liberties, and half of what could be taken.
pub(super) const USUAL: [i32; COUNT] = opposed([160, 0, 160, 160, 0, 0, -80, 0, 16, 0, 0, 0]);

#[cfg(test)]
mod tests;
