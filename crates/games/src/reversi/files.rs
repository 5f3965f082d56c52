//! Whole games as SGF, which knows Reversi as Othello (`GM[2]`).

use game::{Grid, Notation, RowOne, Side, Square, TextError};
use play::Stones;
use play::record::sgf::{self, SgfGame};
use play::record::{GameFile, Games, Record};

use super::notation::{PASS, disc, letter};
use super::{Move, Position, Reversi, Shape};

impl<S: Shape> GameFile for Reversi<S> {
    const EXTENSION: &'static str = "sgf";
    const DATE_SIGN: char = '-';

    fn read_games(&self, text: &str) -> Games {
        sgf::read(self, text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        sgf::write(self, record)
    }
}

impl<S: Shape> Stones for Reversi<S> {
    fn grid(&self) -> Grid {
        self.board().grid()
    }

    fn square_of(&self, m: Move) -> Option<Square> {
        m.square()
    }

    fn stone(&self, p: &Position, square: Square) -> Option<Side> {
        disc(p, square)
    }
}

impl<S: Shape> SgfGame for Reversi<S> {
    const NUMBER: u32 = 2;
    const ROW_ONE: RowOne = RowOne::Top;

    fn move_text(&self, square: Option<Square>) -> String {
        square.map_or(PASS.to_owned(), |square| self.grid().name(square))
    }

    fn set_up(
        &self,
        stones: &[(Square, Side)],
        to_move: Option<Side>,
    ) -> Result<Position, TextError> {
        let glyph = |square| match stones.iter().find(|(at, _)| *at == square) {
            Some((_, side)) => letter(*side),
            None => '-',
        };
        let discs: String = self.grid().iter().map(glyph).collect();
        self.read_position(&format!("{discs} {}", letter(to_move.unwrap_or(Side::First))))
    }
}
