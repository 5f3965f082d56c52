//! Turning and mirroring whole boards: a few shifts and masks on each word.
//!
//! Symmetries are numbered as in [`Grid::transform`](game::Grid::transform): bit 0 turns columns
//! round, bit 1 rows, and bit 2 then swaps rows with columns.

use std::hint::select_unpredictable;

use game::{Game, PositionName, mix};

use super::board::{Board, STRIDE};
use super::position::{Move, Position, Reversi};
use super::shape::Shape;

impl<S: Shape> Reversi<S> {
    /// See [`Game::transform`].
    pub(super) fn image(&self, p: &Position, symmetry: usize) -> Position {
        debug_assert!(symmetry < self.symmetries());
        let image = |mut discs| {
            if symmetry & 1 != 0 {
                discs = mirrored(self.board(), discs);
            }
            if symmetry & 2 != 0 {
                discs = upended(self.board(), discs);
            }
            if symmetry & 4 != 0 {
                discs = transposed(discs);
            }
            discs
        };
        Position { own: image(p.own), other: image(p.other), ..*p }
    }

    /// See [`Game::transform_move`].
    pub(super) fn image_of_move(&self, m: Move, symmetry: usize) -> Move {
        let image = |square| Move::at(self.board().grid().transform(square, symmetry));
        m.square().map_or(m, image)
    }

    /// See [`Game::table_name`]; without its check this is [`Game::canonical`].
    #[inline]
    pub(super) fn smallest_image(&self, p: &Position) -> PositionName {
        let board = self.board();
        // Four images with their symmetries, by columns, by rows and by both.
        let four = |discs: [u64; 2], symmetries: [usize; 4]| {
            let mirror = discs.map(|set| mirrored(board, set));
            let [up, down] = [discs, mirror].map(|discs| discs.map(|set| upended(board, set)));
            let [a, b, c, d] = symmetries;
            [(discs, a), (mirror, b), (up, c), (down, d)]
        };
        let discs = [p.own, p.other];
        let none = PositionName { key: u64::MAX, check: 0, symmetry: 0 };
        let best = self.smallest(p, none, four(discs, [0, 1, 2, 3]));
        if self.symmetries() < 8 {
            return best;
        }
        // Mirrored after swapping rows with columns is upended before, and the other way round.
        self.smallest(p, best, four(discs.map(transposed), [4, 6, 5, 7]))
    }

    /// The smallest key of these images of a position, if one is smaller than the best so far.
    #[inline]
    fn smallest(
        &self,
        p: &Position,
        best: PositionName,
        images: [([u64; 2], usize); 4],
    ) -> PositionName {
        images.into_iter().fold(best, |best, ([own, other], symmetry)| {
            let key = self.key(&Position { own, other, ..*p });
            // Which image wins is random: a branch here would double the cost of the whole.
            let is_smaller = key < best.key;
            let (key, symmetry) =
                select_unpredictable(is_smaller, (key, symmetry), (best.key, best.symmetry));
            // By itself, so that it costs nothing where nobody asks for it.
            let check = select_unpredictable(is_smaller, self.check(own, p), best.check);
            PositionName { key, check, symmetry }
        })
    }

    /// With the key it gives the position back, but for the rare pairs that differ in whose turn it
    /// is: the key's steps can be undone one by one as soon as one side's discs are known.
    #[inline]
    fn check(&self, own: u64, p: &Position) -> u64 {
        mix(own) ^ (p.side as u64) << 2 ^ u64::from(p.passes)
    }
}

/// Columns in reverse order.
#[inline]
fn mirrored(board: &Board, set: u64) -> u64 {
    let set = swapped(set, 1, 0x5555_5555_5555_5555);
    let set = swapped(set, 2, 0x3333_3333_3333_3333);
    let set = swapped(set, 4, 0x0f0f_0f0f_0f0f_0f0f);
    set >> (STRIDE - board.grid().columns)
}

/// Rows in reverse order.
#[inline]
fn upended(board: &Board, set: u64) -> u64 {
    set.swap_bytes() >> (STRIDE * (STRIDE - board.grid().rows))
}

/// Rows become columns: blocks of one, two and four squares change places across the diagonal.
#[inline]
fn transposed(set: u64) -> u64 {
    let set = exchanged(set, 7, 0x00aa_00aa_00aa_00aa);
    let set = exchanged(set, 14, 0x0000_cccc_0000_cccc);
    exchanged(set, 28, 0x0000_0000_f0f0_f0f0)
}

/// Every group of bits in `low` changes places with the neighbouring group above it.
#[inline]
fn swapped(set: u64, by: u32, low: u64) -> u64 {
    (set & low) << by | set >> by & low
}

/// The bits in `low` change places with those `by` above them; all others stay.
#[inline]
fn exchanged(set: u64, by: u32, low: u64) -> u64 {
    let change = (set ^ set >> by) & low;
    set ^ change ^ change << by
}

#[cfg(test)]
mod tests {
    use game::{Grid, Rng};

    use super::*;
    use crate::reversi::board::bit_of;
    use crate::reversi::parameters::{Parameters, Start};

    #[test]
    fn whole_boards_follow_their_squares() {
        let mut rng = Rng::new(1);
        for (rows, columns) in [(4, 4), (6, 6), (8, 8), (4, 6), (8, 4), (6, 8)] {
            let grid = Grid { rows, columns };
            let game = Reversi::new(Parameters::new(grid, Start::Cross).unwrap());
            for symmetry in 0..game.symmetries() {
                let own = rng.next_u64() & game.board().squares;
                let other = rng.next_u64() & game.board().squares & !own;
                let p = Position { own, other, ..game.start() };
                let squarewise = |set: u64| {
                    grid.iter()
                        .filter(|&s| set >> bit_of(s) & 1 == 1)
                        .map(|s| 1 << bit_of(grid.transform(s, symmetry)))
                        .sum::<u64>()
                };
                let image = game.transform(&p, symmetry);
                assert_eq!(image.own, squarewise(own), "{grid:?} {symmetry}");
                assert_eq!(image.other, squarewise(other), "{grid:?} {symmetry}");
                let slowly = (0..game.symmetries()).map(|s| (game.key(&game.transform(&p, s)), s));
                assert_eq!(game.canonical(&p), slowly.min().unwrap());
            }
        }
    }
}
