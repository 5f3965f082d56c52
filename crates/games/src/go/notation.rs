//! Points, moves and positions as text.
//!
//! * **A point** is named as in GTP: a letter for its column, without `I`, and a number for its row,
//!   with `A1` at the lower left. Read in either case.
//! * **A move** is a point or `pass`.
//! * **A position** is the rows from the top joined by `/`, of `X` for Black, `O` for White and `.`
//!   for empty, then `b` or `w`, the side to move: `X.O/.../... b`. After that come, where there is
//!   such, `pass` once or twice if the moves before were passes, `ko=C3` for the point that may not
//!   be retaken (basic ko only) and `prisoners=3:2`, Black's first (territory scoring only). Read as well:
//!   lower case, `b`, `w` and `*` for stones, `-` for empty, and a number for as many empty points.
//!   Every chain must have a liberty.
//! * **A list of dead stones** is their points; one stone stands for its whole chain.

use game::{
    Diagram, EndReason, Expected, Game, Grid, Look, Mark, Notation, Path, RowOne, Side, Square,
    TextError,
};
use play::Stones;

use super::chains::{Removed, flood, placed};
use super::packed;
use super::parameters::{Ko, Scoring};
use super::points::{PointSet, bit_of, bits, square_of};
use super::position::{Go, MOST_PRISONERS, Move, NO_KO, Position};
use super::shape::Shape;

pub(super) const PASS: &str = "pass";
const KO: &str = "ko=";
const PRISONERS: &str = "prisoners=";
const COLUMNS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";

impl<S: PointSet, R: Shape> Notation for Go<S, R> {
    fn spec(&self) -> String {
        self.parameters().to_string()
    }

    fn write_position(&self, p: &Position<S>) -> String {
        let grid = self.parameters().size();
        let row_text = |row| -> String {
            (0..grid.columns).map(|column| glyph(p, Square { row, column })).collect()
        };
        let rows: Vec<String> = grid.rows_from_top(RowOne::Bottom).map(row_text).collect();
        let mut text = rows.join("/");
        text.push_str(match p.side {
            Side::First => " b",
            Side::Second => " w",
        });
        for _ in 0..p.passes {
            text.push(' ');
            text.push_str(PASS);
        }
        if let Some(bit) = p.ko() {
            text.push_str(&format!(" {KO}{}", name(square_of::<S>(bit))));
        }
        let [blacks, whites] = p.prisoners;
        if (blacks, whites) != (0, 0) {
            text.push_str(&format!(" {PRISONERS}{blacks}:{whites}"));
        }
        text
    }

    fn read_position(&self, text: &str) -> Result<Position<S>, TextError> {
        self.read(text).map_err(|(at, why)| TextError::new(text, why).at(at))
    }

    fn pack(&self, p: &Position<S>) -> Vec<u8> {
        packed::pack(self, p)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Position<S>, TextError> {
        packed::unpack(self, bytes)
    }

    fn write_move(&self, _: &Position<S>, m: Move) -> String {
        self.square(m).map_or_else(|| PASS.to_owned(), name)
    }

    fn read_move(&self, p: &Position<S>, text: &str) -> Result<Move, TextError> {
        let said = text.trim();
        if said.eq_ignore_ascii_case(PASS) {
            return self.checked(p, Move::PASS, text);
        }
        let square = read_point(self.parameters().size(), said)
            .map_err(|why| TextError::new(text, format!("{why}, or {PASS}")))?;
        self.checked(p, self.move_at(square), text)
    }

    /// Whoever has not passed twice has come back to a position, which ends the game where the rules
    /// do not forbid it.
    fn end_reason(&self, p: &Position<S>, path: &Path) -> EndReason {
        if p.passes == 2 {
            return EndReason::TwoPasses;
        }
        EndReason::Repetition(1 + path.count(self.path_key(p)))
    }

    fn why_not(&self, p: &Position<S>, squares: &[Square]) -> Option<String> {
        let &square = squares.first()?;
        let refused = self.checked(p, self.move_at(square), "").err()?;
        Some(format!("{}: {}", name(square), refused.why()))
    }

    fn left_to_agree(&self, _: &Position<S>) -> Option<&'static str> {
        match self.parameters().scoring {
            Scoring::Area => None,
            Scoring::Territory(_) => {
                Some("Name the dead stones, as in D4 E5, or nothing to leave it at that.")
            }
        }
    }

    fn agreed(&self, p: &Position<S>, text: &str) -> Result<i32, TextError> {
        Ok(self.margin_without(p, self.read_chains(p, text)?))
    }

    fn look(&self) -> Look {
        Look::STONES
    }

    fn diagram(&self, p: &Position<S>, last: Option<Move>) -> Diagram {
        let grid = self.parameters().size();
        let mut diagram = Diagram::new(grid, RowOne::Bottom, |square| glyph(p, square))
            .with_columns(|column| char::from(COLUMNS[column]).to_string())
            .with_owners(|square| Stones::stone(self, p, square));
        if let Some(square) = last.and_then(|m| self.square(m)) {
            diagram.mark(square, Mark::Last);
        }
        diagram
    }
}

impl<S: PointSet, R: Shape> Go<S, R> {
    /// Points as a list: `A1 C3`.
    #[must_use]
    pub fn write_points(&self, points: S) -> String {
        bits(points).map(|bit| name(square_of::<S>(bit))).collect::<Vec<_>>().join(" ")
    }

    /// Reads a list of stones, with spaces or commas between them, and gives the chains they belong to:
    /// what [`Go::margin_without`] takes off.
    pub fn read_chains(&self, p: &Position<S>, text: &str) -> Result<S, TextError> {
        let mut chains = S::default();
        for (at, word) in words(text, |c| c.is_whitespace() || c == ',') {
            let wrong = |why: Expected| why.of(text).at(at);
            let square = read_point(self.parameters().size(), &word).map_err(wrong)?;
            let stone = S::single(bit_of::<S>(square));
            let colour = if (p.own & stone).any() { p.own } else { p.other };
            if (colour & stone).is_empty() {
                return Err(wrong(format!("{} is empty; name stones", name(square)).into()));
            }
            chains = chains | flood(stone, colour);
        }
        Ok(chains)
    }

    /// A move that was read, if it is legal but for `recall`.
    pub(super) fn checked(&self, p: &Position<S>, m: Move, text: &str) -> Result<Move, TextError> {
        let why = if p.passes == 2 {
            "the game is over"
        } else {
            match m.bit().map(S::single) {
                None => return Ok(m),
                Some(stone) if (self.placements(p) & stone).any() => return Ok(m),
                Some(stone) if (self.empties(p) & stone).is_empty() => {
                    "taken; play on an empty point or pass"
                }
                Some(_) if p.ko().is_some_and(|ko| m.bit() == Some(ko)) => {
                    "the ko may not be retaken at once; play elsewhere first or pass"
                }
                Some(_) => "suicide, which these rules forbid; play on another point or pass",
            }
        };
        Err(TextError::new(text, why))
    }

    fn read(&self, text: &str) -> Result<Position<S>, Wrong> {
        let end = text.chars().count();
        let words = words(text, char::is_whitespace);
        let (board, rest) = words.split_first().ok_or_else(|| {
            let rows = self.parameters().size().rows;
            (end, format!("a position begins with its {rows} rows, as in X.O/.../... b"))
        })?;
        let stones = self.read_board(board)?;
        let right = "after the board comes b or w, the side to move";
        let ((at, turn), fields) = rest.split_first().ok_or_else(|| (end, right.to_owned()))?;
        let side = match turn.as_str() {
            "b" | "B" | "x" | "X" => Side::First,
            "w" | "W" | "o" | "O" => Side::Second,
            _ => return Err((*at, right.to_owned())),
        };
        let [own, other] = [side, side.other()].map(|side| stones[side.index()]);
        let mut p =
            Position { own, other, prisoners: [0; 2], ko: NO_KO, quiet: 0, side, passes: 0 };
        for field in fields {
            self.read_field(&mut p, field)?;
        }
        Ok(p)
    }

    /// The stones by side, each chain with a liberty.
    fn read_board(&self, (begin, board): &(usize, String)) -> Result<[S; 2], Wrong> {
        let grid = self.parameters().size();
        let mut stones = [S::default(); 2];
        let mut places = Vec::new();
        let mut at = *begin;
        let rows: Vec<&str> = board.split('/').collect();
        for (number, row_text) in rows.iter().enumerate() {
            let Some(row) = grid.rows.checked_sub(number + 1) else {
                return Err((at, format!("the board has {} rows", grid.rows)));
            };
            let mut column = 0;
            for (here, glyph) in Row::new(row_text, at) {
                let cells = match glyph {
                    Glyph::Empty(cells) => cells,
                    Glyph::Stone(side) if column < grid.columns => {
                        let bit = bit_of::<S>(Square { row, column });
                        stones[side.index()] = stones[side.index()] | S::single(bit);
                        places.push((here, bit, side));
                        1
                    }
                    Glyph::Stone(_) => 1,
                    Glyph::Unknown(c) => {
                        return Err((
                            here,
                            format!("{c:?} cannot stand on a point; X, O or . can"),
                        ));
                    }
                };
                column = column.saturating_add(cells);
                if column > grid.columns || cells == 0 {
                    return Err((here, columns_wrong(row, grid)));
                }
            }
            at += row_text.chars().count();
            if column < grid.columns {
                return Err((at, columns_wrong(row, grid)));
            }
            at += 1;
        }
        if rows.len() < grid.rows {
            let (given, rows) = (rows.len(), grid.rows);
            return Err((at - 1, format!("{given} rows are given; the board has {rows}")));
        }
        self.check_liberties(stones, &places)?;
        Ok(stones)
    }

    fn check_liberties(
        &self,
        stones: [S; 2],
        places: &[(usize, usize, Side)],
    ) -> Result<(), Wrong> {
        let empty = self.points() & !(stones[0] | stones[1]);
        let alive = stones.map(|stones| flood(empty.around() & stones, stones));
        let dead = |&&(_, bit, side): &&(usize, usize, Side)| {
            (alive[side.index()] & S::single(bit)).is_empty()
        };
        match places.iter().find(dead) {
            None => Ok(()),
            Some(&(at, bit, _)) => {
                let name = name(square_of::<S>(bit));
                Err((at, format!("the chain of {name} has no liberty; each chain needs one")))
            }
        }
    }

    fn read_field(&self, p: &mut Position<S>, (at, field): &(usize, String)) -> Result<(), Wrong> {
        let parameters = self.parameters();
        if field.eq_ignore_ascii_case(PASS) && p.passes < 2 && p.ko == NO_KO {
            p.passes += 1;
        } else if let Some(point) = field.strip_prefix(KO)
            && parameters.ko == Ko::Basic
            && p.passes == 0
            && p.ko == NO_KO
        {
            let place = at + KO.len();
            let square = read_point(parameters.size(), point).map_err(|why| (place, why.into()))?;
            let bit = bit_of::<S>(square);
            if !self.can_be_ko(p, bit) {
                let why = "is no ko: a stone there would not take back just one";
                return Err((place, format!("{} {why}", name(square))));
            }
            p.ko = bit as u16;
        } else if let Some(counts) = field.strip_prefix(PRISONERS)
            && parameters.scoring != Scoring::Area
            && p.prisoners == [0; 2]
        {
            p.prisoners = read_prisoners(counts).ok_or_else(|| {
                let right = format!("Black's and White's, 0 to {MOST_PRISONERS}, as in 3:2");
                (at + PRISONERS.len(), format!("prisoners are {right}"))
            })?;
        } else {
            let mut right = vec!["pass, at most twice"];
            if parameters.ko == Ko::Basic {
                right.push("ko=C3, once and without a pass");
            }
            if parameters.scoring != Scoring::Area {
                right.push("prisoners=3:2, once");
            }
            return Err((*at, format!("after the side to move may come {}", right.join("; "))));
        }
        Ok(())
    }

    /// Whether the other side may just have taken a single stone there with a single one.
    fn can_be_ko(&self, p: &Position<S>, bit: usize) -> bool {
        let (stone, empty) = (S::single(bit), self.empties(p));
        let walled = (stone.around() & self.points() & !p.other).is_empty();
        (stone & empty).any()
            && walled
            && matches!(placed(stone, empty, p.own, p.other), Removed::Other(taken) if taken.len() == 1)
    }
}

/// The place of a character and what is wrong there.
type Wrong = (usize, String);

/// The name of a point: `C3`.
pub(super) fn name(square: Square) -> String {
    format!("{}{}", char::from(COLUMNS[square.column]), square.row + 1)
}

/// The point of a name, in either case.
fn read_point(grid: Grid, text: &str) -> Result<Square, Expected> {
    let wrong = || -> Expected {
        let last = name(Square { row: grid.rows - 1, column: grid.columns - 1 });
        format!("not a point of this board, which has A1 to {last} without a column I").into()
    };
    let mut letters = text.chars();
    let letter = letters.next().map(|c| c.to_ascii_uppercase());
    let column = COLUMNS.iter().position(|&c| Some(char::from(c)) == letter);
    let column = column.filter(|&column| column < grid.columns).ok_or_else(wrong)?;
    let digits = letters.as_str();
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let row = digits.parse().ok().filter(|row| plain && (1..=grid.rows).contains(row));
    Ok(Square { row: row.ok_or_else(wrong)? - 1, column })
}

fn read_prisoners(text: &str) -> Option<[u16; 2]> {
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|&n| plain && n <= MOST_PRISONERS)
    };
    let (blacks, whites) = text.split_once(':')?;
    Some([number(blacks)?, number(whites)?])
}

fn columns_wrong(row: usize, grid: Grid) -> String {
    let (row, columns) = (row + 1, grid.columns);
    format!("row {row} does not have {columns} points, the columns of the board")
}

/// The parts between separators, each with the place of its first character.
fn words(text: &str, separates: impl Fn(char) -> bool) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (at, c) in text.chars().enumerate() {
        if separates(c) {
            inside = false;
            continue;
        }
        match words.last_mut().filter(|_| inside) {
            Some((_, word)) => word.push(c),
            None => words.push((at, c.to_string())),
        }
        inside = true;
    }
    words
}

/// What is written in a row.
enum Glyph {
    /// So many empty points.
    Empty(usize),
    Stone(Side),
    Unknown(char),
}

/// The glyphs of a row, each with the place of its first character.
struct Row<'t> {
    left: std::iter::Peekable<std::iter::Enumerate<std::str::Chars<'t>>>,
    begin: usize,
}

impl<'t> Row<'t> {
    fn new(text: &'t str, begin: usize) -> Row<'t> {
        Row { left: text.chars().enumerate().peekable(), begin }
    }
}

impl Iterator for Row<'_> {
    type Item = (usize, Glyph);

    fn next(&mut self) -> Option<(usize, Glyph)> {
        let (at, c) = self.left.next()?;
        let glyph = match c {
            'X' | 'x' | '*' | 'b' | 'B' => Glyph::Stone(Side::First),
            'O' | 'o' | 'w' | 'W' => Glyph::Stone(Side::Second),
            '.' | '-' => Glyph::Empty(1),
            _ => match c.to_digit(10) {
                None => Glyph::Unknown(c),
                Some(digit) => {
                    let mut cells = digit as usize;
                    while let Some((_, digit)) = self.left.next_if(|(_, c)| c.is_ascii_digit()) {
                        let digit = digit.to_digit(10).unwrap_or(0) as usize;
                        cells = cells.saturating_mul(10).saturating_add(digit);
                    }
                    Glyph::Empty(cells)
                }
            },
        };
        Some((self.begin + at, glyph))
    }
}

fn glyph<S: PointSet>(p: &Position<S>, square: Square) -> char {
    glyph_of(stone(p, square))
}

/// What stands for a stone, or for none.
pub(super) fn glyph_of(stone: Option<Side>) -> char {
    match stone {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    }
}

/// Whose stone lies on a point.
pub(super) fn stone<S: PointSet>(p: &Position<S>, square: Square) -> Option<Side> {
    let point = S::single(bit_of::<S>(square));
    [Side::First, Side::Second].into_iter().find(|&side| (p.stones(side) & point).any())
}
