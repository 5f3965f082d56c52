//! Whole games as SGF, which knows line games as Gomoku (`GM[4]`); the rule property tells the rest.

use game::{Grid, Notation, Rng, RowOne, Side, Square, TextError};
use play::Stones;
use play::record::sgf::{self, SgfGame};
use play::record::{GameFile, Games, Record};

use super::board::Board;
use super::notation::letter;
use super::position::{Mnk, Position, Stone};
use super::shape::Shape;

impl<S: Shape, B: Board> GameFile for Mnk<S, B> {
    const EXTENSION: &'static str = "sgf";
    const DATE_SIGN: char = '-';

    fn read_games(&self, text: &str) -> Games {
        sgf::read(self, text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        sgf::write(self, record)
    }
}

impl<S: Shape, B: Board> Stones for Mnk<S, B> {
    fn grid(&self) -> Grid {
        self.shape().grid()
    }

    fn square_of(&self, m: Stone) -> Option<Square> {
        Some(self.grid().square(m.index()))
    }

    fn stone(&self, p: &Position<B>, square: Square) -> Option<Side> {
        Mnk::stone(self, p, square)
    }

    #[inline]
    fn is_bare(&self, p: &Position<B>) -> bool {
        Mnk::is_bare(self, p)
    }

    #[inline]
    fn sample_near(&self, p: &Position<B>, rng: &mut Rng) -> Option<Stone> {
        Mnk::sample_near(self, p, rng)
    }
}

impl<S: Shape, B: Board> SgfGame for Mnk<S, B> {
    const NUMBER: u32 = 4;
    const ROW_ONE: RowOne = RowOne::Bottom;

    /// There are no passes; the empty word is no move.
    fn move_text(&self, square: Option<Square>) -> String {
        square.map_or(String::new(), |square| self.grid().name(square))
    }

    /// Who moves follows from the number of stones.
    fn set_up(&self, stones: &[(Square, Side)], _: Option<Side>) -> Result<Position<B>, TextError> {
        let grid = self.grid();
        let glyph = |square| match stones.iter().find(|(at, _)| *at == square) {
            Some((_, side)) => letter(*side),
            None => self.empty_glyph(square),
        };
        let rows: Vec<String> = grid
            .rows_from_top(RowOne::Bottom)
            .map(|row| (0..grid.columns).map(|column| glyph(Square { row, column })).collect())
            .collect();
        self.read_position(&rows.join("/"))
    }
}
