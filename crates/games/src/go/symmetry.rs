//! Turning and mirroring boards.
//!
//! Symmetries are numbered as in [`Grid::transform`](game::Grid::transform): bit 0 turns columns
//! round, bit 1 rows, and bit 2 then swaps rows with columns.

use std::hint::select_unpredictable;

use game::{Game, Side};

use super::points::{PointSet, transformed};
use super::position::{Go, Move, NO_KO, Position, key_of};
use super::shape::Shape;

impl<S: PointSet, R: Shape> Go<S, R> {
    /// See [`Game::transform`].
    #[inline]
    pub(super) fn image(&self, p: &Position<S>, symmetry: usize) -> Position<S> {
        debug_assert!(symmetry < self.symmetries());
        let image = |set: S| transformed(set, self.parameters().size(), symmetry);
        let ko = p.ko().map_or(NO_KO, |bit| image(S::single(bit)).lowest() as u16);
        Position { own: image(p.own), other: image(p.other), ko, ..*p }
    }

    /// See [`Game::transform_move`].
    pub(super) fn image_of_move(&self, m: Move, symmetry: usize) -> Move {
        let image = |square| self.move_at(self.parameters().size().transform(square, symmetry));
        self.square(m).map_or(m, image)
    }

    /// See [`Game::canonical`].
    #[inline]
    pub(super) fn smallest_image(&self, p: &Position<S>) -> (u64, usize) {
        if p.ko != NO_KO {
            // Rare: the ko point turns, too.
            let images = (0..self.symmetries()).map(|s| (self.key(&self.transform(p, s)), s));
            return images.min().unwrap_or_default();
        }
        let (grid, turn) = (self.parameters().size(), self.turn(p));
        let mut best = (u64::MAX, 0);
        let mut consider = |[black, white]: [S; 2], symmetry| {
            let key = key_of(black, white, turn);
            // Which image wins is random: a branch here would be guessed wrong.
            best = select_unpredictable(key < best.0, (key, symmetry), best);
        };
        let mut four = |stones: [S; 2], symmetries: [usize; 4]| {
            let mirror = stones.map(|set| set.mirrored(grid));
            consider(stones, symmetries[0]);
            consider(mirror, symmetries[1]);
            consider(stones.map(|set| set.upended(grid)), symmetries[2]);
            consider(mirror.map(|set| set.upended(grid)), symmetries[3]);
        };
        let stones = [p.stones(Side::First), p.stones(Side::Second)];
        four(stones, [0, 1, 2, 3]);
        if self.symmetries() == 8 {
            // Mirrored after swapping rows with columns is upended before, and the other way round.
            four(stones.map(S::transposed), [4, 6, 5, 7]);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use game::{Grid, Rng, moves_of};

    use super::*;
    use crate::go::parameters::{Ko, Parameters};
    use crate::go::points::Wide;

    fn canonical_is_the_smallest<S: PointSet>(rows: usize, columns: usize) {
        let mut parameters = Parameters::new(Grid { rows, columns }).unwrap();
        parameters.ko = Ko::Basic;
        let game = Go::<S>::new(parameters);
        let (mut rng, mut p) = (Rng::new(1), game.start());
        for _ in 0..200 {
            let keys = (0..game.symmetries()).map(|s| game.key(&game.transform(&p, s)));
            assert_eq!(game.canonical(&p).0, keys.min().unwrap());
            let moves = moves_of(&game, &p);
            if moves.is_empty() {
                break;
            }
            game.make(&mut p, moves[rng.below(moves.len())]);
        }
    }

    #[test]
    fn canonical_images_have_the_smallest_key() {
        canonical_is_the_smallest::<u64>(7, 7);
        canonical_is_the_smallest::<u64>(3, 3);
        canonical_is_the_smallest::<u64>(8, 5);
        canonical_is_the_smallest::<u128>(9, 9);
        canonical_is_the_smallest::<Wide>(19, 19);
    }
}
