//! [`Board`]: what the rules ask of a store of stones.

use std::fmt::Debug;

use game::{PositionName, Rng, Side};

use super::shape::{RunShape, Shape};

/// Stones of two colours on numbered squares. The tables a store works with are built once for each
/// game and handed to every call.
pub trait Board: Clone + Eq + Debug + Send + Sync + 'static {
    /// What is built once for a game.
    type Tables: Clone + Debug + Send + Sync + 'static;
    /// What [`remove`](Board::remove) needs and cannot work out.
    type Undo: Copy + Debug + Send;

    /// See [`Game::CANONICAL`](game::Game::CANONICAL).
    const CANONICAL: bool;

    /// The tables of a game; `active` says of each square whether it is part of the board.
    ///
    /// # Panics
    /// If the store is too small for the board.
    fn tables(shape: RunShape, active: &[bool]) -> Self::Tables;

    /// A board without stones.
    fn empty(tables: &Self::Tables) -> Self;

    /// Whose stone is on a square.
    fn stone(&self, tables: &Self::Tables, square: usize) -> Option<Side>;

    /// Puts a stone on an empty square; whether that wins, if nobody had won before.
    fn place<S: Shape>(
        &mut self,
        tables: &Self::Tables,
        shape: S,
        square: usize,
        side: Side,
    ) -> (Self::Undo, bool);

    /// Takes back the stone placed last.
    fn remove<S: Shape>(
        &mut self,
        tables: &Self::Tables,
        shape: S,
        square: usize,
        side: Side,
        undo: Self::Undo,
    );

    /// Whether a stone on this empty square would win.
    fn would_win<S: Shape>(
        &self,
        tables: &Self::Tables,
        shape: S,
        square: usize,
        side: Side,
    ) -> bool;

    /// A number that tells sets of stones apart. The turn follows from the stones, so it needs no
    /// part in it.
    fn key(&self) -> u64;

    /// Calls `visit` for every square on which the next stone may go.
    fn for_each_playable<S: Shape>(
        &self,
        tables: &Self::Tables,
        shape: S,
        visit: impl FnMut(usize),
    );

    /// How many squares [`for_each_playable`](Board::for_each_playable) visits; `free` squares are
    /// empty.
    fn count_playable<S: Shape>(&self, tables: &Self::Tables, shape: S, free: usize) -> usize;

    /// One of these squares, each with the same chance; `None` if there is none.
    fn sample_playable<S: Shape>(
        &self,
        tables: &Self::Tables,
        shape: S,
        free: usize,
        rng: &mut Rng,
    ) -> Option<usize>;

    /// One of those next to a stone, each with the same chance; `None` if there is none.
    fn sample_near<S: Shape>(
        &self,
        tables: &Self::Tables,
        shape: S,
        free: usize,
        rng: &mut Rng,
    ) -> Option<usize>;

    /// How many bytes it keeps on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// The board under a symmetry of the [`Grid`](game::Grid).
    fn image(&self, tables: &Self::Tables, symmetry: usize) -> Self;

    /// The key of one image, the same for all images, and the symmetry that leads to it; bit s of
    /// `kept` says whether symmetry s of the grid counts.
    fn canonical(&self, tables: &Self::Tables, kept: u8) -> (u64, usize);

    /// The same for solvers: see [`Game::table_name`](game::Game::table_name).
    #[inline]
    fn name(&self, tables: &Self::Tables, kept: u8) -> PositionName {
        let (key, symmetry) = self.canonical(tables, kept);
        PositionName { key, check: 0, symmetry }
    }
}
