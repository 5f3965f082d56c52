//! Whole games as SGF.

use game::{Game, Grid, Notation, RowOne, Side, Square, TextError};
use play::Stones;
use play::record::sgf::{self, SgfGame};
use play::record::{GameFile, Games, Record};

use super::notation::{PASS, glyph_of, name, stone};
use super::points::PointSet;
use super::position::{Go, Move, Position};
use super::shape::Shape;

impl<S: PointSet, R: Shape> GameFile for Go<S, R> {
    const EXTENSION: &'static str = "sgf";
    const DATE_SIGN: char = '-';

    fn read_games(&self, text: &str) -> Games {
        sgf::read(self, text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        sgf::write(self, record)
    }
}

impl<S: PointSet, R: Shape> Stones for Go<S, R> {
    fn grid(&self) -> Grid {
        self.parameters().size()
    }

    fn square_of(&self, m: Move) -> Option<Square> {
        self.square(m)
    }

    fn stone(&self, p: &Position<S>, square: Square) -> Option<Side> {
        stone(p, square)
    }
}

impl<S: PointSet, R: Shape> SgfGame for Go<S, R> {
    const NUMBER: u32 = 1;
    const ROW_ONE: RowOne = RowOne::Bottom;

    fn own_properties(&self) -> Vec<(&'static str, String)> {
        vec![("KM", self.parameters().komi.to_string())]
    }

    /// Rules and komi are the players' affair; the moves tell whether they were kept.
    fn contradicts(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn move_text(&self, square: Option<Square>) -> String {
        square.map_or(PASS.to_owned(), name)
    }

    /// Whoever does not play passes.
    fn turn_left_out(&self, p: &Position<S>, _: &str) -> Option<Move> {
        self.margin(p).is_none().then_some(Move::PASS)
    }

    fn set_up(
        &self,
        stones: &[(Square, Side)],
        to_move: Option<Side>,
    ) -> Result<Position<S>, TextError> {
        let grid = self.grid();
        let glyph = |square| {
            let found = stones.iter().find(|(at, _)| *at == square);
            glyph_of(found.map(|(_, side)| *side))
        };
        let rows: Vec<String> = grid
            .rows_from_top(RowOne::Bottom)
            .map(|row| (0..grid.columns).map(|column| glyph(Square { row, column })).collect())
            .collect();
        let side = if to_move == Some(Side::Second) { 'w' } else { 'b' };
        self.read_position(&format!("{} {side}", rows.join("/")))
    }
}
