//! Text of line games: `.../.x./... o`, squares by name, row 1 at the bottom.

use game::{
    BoardStyle, Diagram, EndReason, Expected, Game, Grid, Look, Mark, Notation, Path, PieceSet,
    RowOne, Side, Square, TextError, Tint, column_name, quote,
};

use super::board::Board;
use super::packed;
use super::position::{Mnk, Position, Stone};
use super::shape::Shape;
use super::turn::{End, Turn, stones_of_each};

/// Boards this small are drawn with crosses and noughts.
const LARGEST_ON_PAPER: usize = 6;

const HOLE: char = '#';
const EMPTY: char = '.';

impl<S: Shape, B: Board> Notation for Mnk<S, B> {
    fn spec(&self) -> String {
        self.parameters().to_string()
    }

    fn write_position(&self, p: &Position<B>) -> String {
        let grid = self.shape.grid();
        let rows: Vec<String> = grid
            .rows_from_top(RowOne::Bottom)
            .map(|row| {
                (0..grid.columns).map(|column| self.glyph(p, Square { row, column })).collect()
            })
            .collect();
        format!("{} {}", rows.join("/"), self.turn_text(p.turn))
    }

    fn read_position(&self, text: &str) -> Result<Position<B>, TextError> {
        let (board, turn) = match text.split_once(' ') {
            Some((board, turn)) => (board, Some(turn)),
            None => (text, None),
        };
        let squares = self.read_squares(text, board)?;
        self.check_counts(&squares).map_err(|why| why.of(text))?;
        self.check_gravity(&squares).map_err(|(floating, why)| {
            let rows_above = self.shape.rows() - 1 - floating.row;
            why.of(text).at(rows_above * (self.shape.columns() + 1) + floating.column)
        })?;
        let mut p = self.set_up(&squares);
        if let Some(given) = turn {
            let right = self.turn_text(p.turn);
            if given != right {
                let why = format!(
                    "after these {} stones the turn is written {right}, not {}",
                    p.turn.stones(),
                    quote(given)
                );
                return Err(TextError::new(text, why).at(board.chars().count() + 1));
            }
        }
        p.turn = p.turn.with_end(self.end_of(&p).map_err(|why| why.of(text))?);
        Ok(p)
    }

    fn pack(&self, p: &Position<B>) -> Vec<u8> {
        packed::pack(self, p)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Position<B>, TextError> {
        packed::unpack(self, bytes)
    }

    fn write_move(&self, _: &Position<B>, m: Stone) -> String {
        let grid = self.shape.grid();
        grid.name(grid.square(m.index()))
    }

    fn read_move(&self, p: &Position<B>, text: &str) -> Result<Stone, TextError> {
        if self.margin(p).is_some() {
            return Err(TextError::new(text, "the game is over"));
        }
        if self.shape.gravity() {
            return self.read_drop(p, text);
        }
        let grid = self.shape.grid();
        let square = grid.read(text)?;
        let name = grid.name(square);
        if !self.active[grid.index(square)] {
            let why = format!("{name} is a hole; place a stone on an empty square");
            return Err(TextError::new(text, why));
        }
        if self.stone(p, square).is_some() {
            let why = format!("{name} is taken; place a stone on an empty square");
            return Err(TextError::new(text, why));
        }
        Ok(Stone::at(grid.index(square)))
    }

    fn end_reason(&self, p: &Position<B>, _: &Path) -> EndReason {
        match p.turn.end() {
            End::Won(_) => EndReason::Line(self.shape.k()),
            End::Drawn | End::Open => EndReason::BoardFull,
        }
    }

    fn why_not(&self, p: &Position<B>, squares: &[Square]) -> Option<String> {
        let name = self.shape.grid().name(*squares.first()?);
        self.read_move(p, &name).err().map(|error| error.why().to_owned())
    }

    fn look(&self) -> Look {
        if self.shape.gravity() {
            return Look {
                board: BoardStyle::Rack,
                pieces: PieceSet::Discs,
                sides: [Tint::Red, Tint::Yellow],
                ..Look::STONES
            };
        }
        let grid = self.shape.grid();
        match grid.rows.max(grid.columns) {
            ..=LARGEST_ON_PAPER => Look {
                board: BoardStyle::Paper,
                pieces: PieceSet::Marks,
                sides: [Tint::Cross, Tint::Nought],
                ..Look::STONES
            },
            _ => Look::STONES,
        }
    }

    fn diagram(&self, p: &Position<B>, last: Option<Stone>) -> Diagram {
        let grid = self.shape.grid();
        let mut diagram = Diagram::new(grid, RowOne::Bottom, |square| self.glyph(p, square))
            .with_owners(|square| self.stone(p, square));
        if let Some(m) = last {
            diagram.mark(grid.square(m.index()), Mark::Last);
        }
        // The winning stone belongs to the line above all.
        if let End::Won(side) = p.turn.end() {
            for square in self.winning_line_of(p, side).unwrap_or_default() {
                diagram.mark(square, Mark::Line);
            }
        }
        diagram
    }
}

/// What a square of a position text holds.
type Squares = Vec<Option<Side>>;

impl<S: Shape, B: Board> Mnk<S, B> {
    fn glyph(&self, p: &Position<B>, square: Square) -> char {
        match self.stone(p, square) {
            Some(side) => letter(side),
            None => self.empty_glyph(square),
        }
    }

    /// What stands for a square without a stone.
    pub(super) fn empty_glyph(&self, square: Square) -> char {
        if self.active[self.shape.grid().index(square)] { EMPTY } else { HOLE }
    }

    /// `x`, or `x2` where turns can have several stones.
    fn turn_text(&self, turn: Turn) -> String {
        if self.shape.p() > 1 || self.shape.q() > 1 {
            format!("{}{}", letter(turn.side()), turn.left())
        } else {
            letter(turn.side()).to_string()
        }
    }

    /// The stones by square number, from the part of `text` before the turn.
    fn read_squares(&self, text: &str, board: &str) -> Result<Squares, TextError> {
        let Grid { rows, columns } = self.shape.grid();
        let wrong = |at: usize, why: String| TextError::new(text, why).at(at);
        let mut squares = vec![None; rows * columns];
        let (mut row, mut column) = (rows - 1, 0);
        for (at, c) in board.chars().enumerate() {
            if column == columns {
                if c != '/' {
                    let why = format!("a row has {columns} squares; write / before the next row");
                    return Err(wrong(at, why));
                }
                let why = || wrong(at, format!("the board has {rows} rows, not more"));
                row = row.checked_sub(1).ok_or_else(why)?;
                column = 0;
                continue;
            }
            let square = self.shape.grid().index(Square { row, column });
            squares[square] = self.read_glyph(c, square).map_err(|why| wrong(at, why.into()))?;
            column += 1;
        }
        if column < columns || row > 0 {
            let (given, end) = (rows - row, board.chars().count());
            let why = format!(
                "the text ends in row {given} from the top after {column} squares; \
                 the board has {rows} rows of {columns}"
            );
            return Err(wrong(end, why));
        }
        Ok(squares)
    }

    fn read_glyph(&self, c: char, square: usize) -> Result<Option<Side>, Expected> {
        let grid = self.shape.grid();
        let name = || grid.name(grid.square(square));
        match (c, self.active[square]) {
            (HOLE, false) => Ok(None),
            (HOLE, true) => Err(format!("{} is not a hole; write x, o or .", name()).into()),
            ('x' | 'o' | '.', false) => Err(format!("{} is a hole; write #", name()).into()),
            ('x', true) => Ok(Some(Side::First)),
            ('o', true) => Ok(Some(Side::Second)),
            (EMPTY, true) => Ok(None),
            ('/', _) => {
                Err(format!("the row is too short; the board has {} columns", grid.columns).into())
            }
            _ => Err("a square is x, o, . or # for a hole".into()),
        }
    }

    /// The number of stones of each side must fit the turns.
    pub(super) fn check_counts(&self, squares: &Squares) -> Result<(), Expected> {
        let count = |side| squares.iter().filter(|&&s| s == Some(side)).count();
        let (first, second) = (count(Side::First), count(Side::Second));
        let right = stones_of_each(self.shape, first + second);
        if right == [first, second] {
            return Ok(());
        }
        let why = format!(
            "of {} stones {} are x and {} are o in this game, not {first} and {second}",
            first + second,
            right[0],
            right[1]
        );
        Err(why.into())
    }

    /// With gravity no stone may lie above an empty square; an error names the stone.
    pub(super) fn check_gravity(&self, squares: &Squares) -> Result<(), (Square, Expected)> {
        if !self.shape.gravity() {
            return Ok(());
        }
        let grid = self.shape.grid();
        for column in 0..grid.columns {
            let mut empty_below = None;
            for row in 0..grid.rows {
                let square = Square { row, column };
                let index = grid.index(square);
                match (squares[index], empty_below) {
                    (None, None) if self.active[index] => empty_below = Some(square),
                    (Some(_), Some(empty)) => {
                        let why = format!(
                            "the stone on {} floats: {} below it is empty",
                            grid.name(square),
                            grid.name(empty)
                        );
                        return Err((square, why.into()));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The position with these stones, as if nobody had won.
    pub(super) fn set_up(&self, squares: &Squares) -> Position<B> {
        let mut p = self.start();
        for (square, side) in squares.iter().enumerate() {
            if let &Some(side) = side {
                p.board.place(&self.tables, self.shape, square, side);
            }
        }
        p.turn = Turn::after(self.shape, squares.iter().flatten().count());
        p
    }

    /// Whether the game is over; an error if it would have been over before the last stone.
    pub(super) fn end_of(&self, p: &Position<B>) -> Result<End, Expected> {
        let lines = [Side::First, Side::Second].map(|side| self.winning_line_of(p, side).is_some());
        let stones = p.turn.stones();
        let winner = match lines {
            [true, true] => {
                let why = "both players have a winning line; the game ends with the first one";
                return Err(why.into());
            }
            [true, false] => Side::First,
            [false, true] => Side::Second,
            [false, false] if stones == self.squares => return Ok(End::Drawn),
            [false, false] => return Ok(End::Open),
        };
        let last = Turn::after(self.shape, stones - 1).side();
        if winner != last {
            let why = format!(
                "{} has a winning line, but the last stone was {}'s; the game ended before",
                letter(winner),
                letter(last)
            );
            return Err(why.into());
        }
        Ok(End::Won(winner))
    }

    /// A column, or the square where a stone in that column comes to rest.
    fn read_drop(&self, p: &Position<B>, text: &str) -> Result<Stone, TextError> {
        let grid = self.shape.grid();
        let (column, given) = if text.contains(|c: char| c.is_ascii_digit()) {
            let square = grid.read(text)?;
            (square.column, Some(square))
        } else {
            (grid.read_column(text)?, None)
        };
        let mut rest = None;
        p.board.for_each_playable(&self.tables, self.shape, |square| {
            if grid.square(square).column == column {
                rest = Some(square);
            }
        });
        let rest = rest.ok_or_else(|| {
            let why = format!("column {} is full; choose another", column_name(column));
            TextError::new(text, why)
        })?;
        match given {
            Some(square) if grid.index(square) != rest => {
                let right = grid.name(grid.square(rest));
                let why = format!("a stone in this column comes to rest on {right}");
                Err(TextError::new(text, why))
            }
            _ => Ok(Stone::at(rest)),
        }
    }
}

pub(super) fn letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}
