//! Who has how much at the end, and which stones are dead.
//!
//! Under area scoring all stones on the board are alive. Under territory scoring people take dead
//! stones off by agreement ([`Go::margin_without`]); where nobody can be asked, either none are dead or
//! random games decide ([`Go::dead_stones`]). Eyes in seki count as territory.

use game::{Game, Rng, Side};

use super::chains::{flood, surrounded};
use super::parameters::{Dead, Scoring};
use super::points::{PointSet, bits, transformed};
use super::position::{Go, NO_KO, Position};
use super::shape::Shape;

/// Random games from a final position: enough to tell settled groups, few enough for an end to cost a
/// tenth of a millisecond on 7x7 and a few on 19x19.
const GAMES: usize = 32;
/// More than the bits of the widest word.
const MOST_BITS: usize = 384;

impl<S: PointSet, R: Shape> Go<S, R> {
    /// The first player's margin in half points if play stops here.
    #[inline]
    pub(super) fn final_margin(&self, p: &Position<S>) -> i32 {
        match self.parameters().scoring {
            Scoring::Area | Scoring::Territory(Dead::Stay) => self.margin_without(p, S::default()),
            Scoring::Territory(Dead::Playout) => self.margin_without(p, self.dead_stones(p)),
        }
    }

    /// The first player's margin in half points if play stops here and these stones are taken off as
    /// dead.
    #[must_use]
    pub fn margin_without(&self, p: &Position<S>, dead: S) -> i32 {
        let [black, white] = [Side::First, Side::Second].map(|side| p.stones(side) & !dead);
        let empty = self.points() & !(black | white);
        let (blacks, whites) = surrounded(empty, black, white);
        let count = |side: Side, alive: S, surrounded: S| {
            let more = match self.parameters().scoring {
                Scoring::Area => alive.len(),
                Scoring::Territory(_) => {
                    let captured_now = p.stones(side.other()) & dead;
                    usize::from(p.prisoners(side)) + captured_now.len()
                }
            };
            (surrounded.len() + more) as i32
        };
        let points = count(Side::First, black, blacks) - count(Side::Second, white, whites);
        2 * points - self.parameters().komi.halves()
    }

    /// The chains that the other side owns at the end of most random games from here. The games are
    /// always the same for the same board, turned or mirrored as it may be, whoever is to move.
    #[must_use]
    pub fn dead_stones(&self, p: &Position<S>) -> S {
        let (black, white) = (p.stones(Side::First), p.stones(Side::Second));
        let board = Position {
            own: black,
            other: white,
            prisoners: [0; 2],
            ko: NO_KO,
            quiet: 0,
            side: Side::First,
            passes: 0,
        };
        let (_, symmetry) = self.canonical(&board);
        let image = self.transform(&board, symmetry);
        let (blacks, whites) = self.owned(&image);
        let dead = lost_chains(image.own, &whites) | lost_chains(image.other, &blacks);
        transformed(dead, self.parameters().size(), inverse(symmetry))
    }

    /// In how many random games Black and White own each point, by its bit.
    fn owned(&self, board: &Position<S>) -> (Tally, Tally) {
        let rules = self.for_playouts();
        let mut rng = Rng::new(board.own.fingerprint(board.other));
        let (mut blacks, mut whites) = ([0; MOST_BITS], [0; MOST_BITS]);
        for number in 0..GAMES {
            let mut p = *board;
            if number % 2 == 1 {
                rules.pass(&mut p);
            }
            rules.play_on(&mut p, &mut rng);
            let (black, white) = (p.stones(Side::First), p.stones(Side::Second));
            let (more_black, more_white) = surrounded(rules.empties(&p), black, white);
            bits(black | more_black).for_each(|bit| blacks[bit] += 1);
            bits(white | more_white).for_each(|bit| whites[bit] += 1);
        }
        (blacks, whites)
    }

    /// Random moves that fill no eyes, until there are none or play goes round in circles.
    fn play_on(&self, p: &mut Position<S>, rng: &mut Rng) {
        let mut passes = 0;
        for _ in 0..4 * self.points().len() {
            if self.random_sensible_move(p, rng) {
                passes = 0;
            } else {
                self.pass(p);
                passes += 1;
            }
            if passes == 2 {
                break;
            }
        }
    }

    /// Whether there was one.
    fn random_sensible_move(&self, p: &mut Position<S>, rng: &mut Rng) -> bool {
        let mut candidates = self.candidates(p);
        while candidates.any() {
            let bit = candidates.nth(rng.below(candidates.len()));
            let stone = S::single(bit);
            if !self.is_eye(p, stone) && self.place(p, bit).is_some() {
                return true;
            }
            candidates = candidates ^ stone;
        }
        false
    }

    /// Whether an empty point is a true eye of the side to move: its own stones all around, and the
    /// other's on at most one corner, or none at the edge.
    #[inline]
    pub(super) fn is_eye(&self, p: &Position<S>, point: S) -> bool {
        self.is_eye_of([p.own, p.other], point)
    }

    /// The same for the side of the first of these stones, beside those of the other.
    pub(super) fn is_eye_of(&self, [own, other]: [S; 2], point: S) -> bool {
        if (point.around() & self.points() & !own).any() {
            return false;
        }
        let corners = point.upright().sideways() & self.points();
        let lost = (corners & other).len();
        lost == 0 || (lost == 1 && corners.len() == 4)
    }
}

/// Games by bit.
type Tally = [u16; MOST_BITS];

/// The chains of one colour whose points are the other's in most games.
fn lost_chains<S: PointSet>(stones: S, others: &Tally) -> S {
    let (mut left, mut lost) = (stones, S::default());
    while left.any() {
        let chain = flood(S::single(left.lowest()), stones);
        let games: usize = bits(chain).map(|bit| usize::from(others[bit])).sum();
        if 2 * games > GAMES * chain.len() {
            lost = lost | chain;
        }
        left = left ^ chain;
    }
    lost
}

/// The symmetry that undoes one: turning rows round before swapping rows with columns is turning
/// columns round after.
fn inverse(symmetry: usize) -> usize {
    if symmetry & 4 == 0 { symmetry } else { 4 | (symmetry & 1) << 1 | symmetry >> 1 & 1 }
}

#[cfg(test)]
mod tests {
    use game::{Game, Grid, Square};

    use super::*;
    use crate::go::parameters::Parameters;

    #[test]
    fn inverses_undo() {
        let grid = Grid { rows: 7, columns: 7 };
        for symmetry in 0..8 {
            let square = Square { row: 1, column: 2 };
            let image = grid.transform(square, symmetry);
            assert_eq!(grid.transform(image, inverse(symmetry)), square);
        }
    }

    #[test]
    fn eyes_are_told_from_false_ones() {
        let game = Go::<u64>::new(Parameters::default());
        let stones = |squares: &[(usize, usize)]| {
            let bit = |&(row, column): &(usize, usize)| game.move_at(Square { row, column }).bit();
            squares.iter().filter_map(bit).fold(0, |set, bit| set | 1u64 << bit)
        };
        let cross = stones(&[(2, 3), (4, 3), (3, 2), (3, 4)]);
        let eye = |other| {
            let p = Position { own: cross, other, ..game.start() };
            game.is_eye(&p, stones(&[(3, 3)]))
        };
        assert!(eye(0));
        assert!(eye(stones(&[(2, 2)])));
        assert!(!eye(stones(&[(2, 2), (4, 4)])));
        let corner = Position { own: stones(&[(0, 1), (1, 0)]), ..game.start() };
        assert!(game.is_eye(&corner, stones(&[(0, 0)])));
        let false_one = Position { other: stones(&[(1, 1)]), ..corner };
        assert!(!game.is_eye(&false_one, stones(&[(0, 0)])));
        assert!(!game.is_eye(&corner, stones(&[(5, 5)])));
    }
}
