//! Squares, transcripts and OBF positions.
//!
//! * **A move** is a square in either case (`f5`, `F5`) or a pass: `pass`, `pa` or `ps` in either
//!   case, written `pass`.
//! * **A transcript** is a row of moves with or without spaces: `f5d6c3`, `f5 d6 c3`. Passes may be
//!   there (`f5d6passc3`) or left out, as most programs do.
//! * **A position** is OBF: the squares in reading order, row 1 first, with `X` for Black, `O` for
//!   White and `-` for empty, then a space and the side to move. `pass` follows if the move before
//!   was one, and twice after two. Any discs are accepted, also none at all; passes must have been
//!   forced. Read as well: `x`, `*`, `b`, `B` for Black, `o`, `0`, `w`, `W` for White, `.` for
//!   empty, no space before the side to move, and a semicolon with notes after it, which are left
//!   out. Positions in [figures](super::digits) are read too.

use game::{
    BoardStyle, Diagram, EndReason, Look, Mark, Notation, Path, RowOne, Side, Square, TextError,
    moves_of,
};

use super::board::{bit_of, square_of};
use super::digits;
use super::moves::mobility;
use super::packed;
use super::position::{Move, Position, Reversi};
use super::shape::Shape;

pub(super) const PASS: &str = "pass";
const PASSES: [&str; 3] = [PASS, "pa", "ps"];

impl<S: Shape> Notation for Reversi<S> {
    fn spec(&self) -> String {
        self.parameters().to_string()
    }

    fn write_position(&self, p: &Position) -> String {
        let mut text: String =
            (self.board().grid().iter()).map(|square| glyph(p, square, '-')).collect();
        text.push(' ');
        text.push(letter(p.side));
        for _ in 0..p.passes {
            text.push(' ');
            text.push_str(PASS);
        }
        text
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        if digits::is_in_figures(text) {
            return digits::read(self, text);
        }
        let line: Vec<char> = text.chars().take_while(|&c| c != ';').collect();
        let wrong = |(at, why): (usize, String)| TextError::new(text, why).at(at);
        let begin = skip_space(&line, 0);
        let (black, white) = self.read_discs(&line, begin).map_err(wrong)?;
        let turn = skip_space(&line, begin + self.board().grid().squares());
        let side = self.read_side(&line, turn).map_err(wrong)?;
        let passes = self.read_passes(&line, turn + 1).map_err(wrong)?;
        let (own, other) = match side {
            Side::First => (black, white),
            Side::Second => (white, black),
        };
        let p = Position { own, other, side, passes };
        match self.needless_pass(&p) {
            Some(why) => Err(TextError::new(text, why)),
            None => Ok(p),
        }
    }

    fn pack(&self, p: &Position) -> Vec<u8> {
        packed::pack(self, p)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Position, TextError> {
        packed::unpack(self, bytes)
    }

    fn position_texts(&self, p: &Position, value: Option<i32>) -> Vec<(&'static str, String)> {
        let digits = digits::write_digits(self, p, value);
        vec![("digits", digits), ("bits", digits::write_bits(self, p))]
    }

    fn write_move(&self, _: &Position, m: Move) -> String {
        match m.square() {
            Some(square) => self.board().grid().name(square),
            None => PASS.to_owned(),
        }
    }

    fn read_move(&self, p: &Position, text: &str) -> Result<Move, TextError> {
        let said = text.trim();
        let m = if is_pass(said) { Move::PASS } else { Move::at(self.board().grid().read(said)?) };
        let legal = moves_of(self, p);
        if legal.contains(&m) {
            return Ok(m);
        }
        let why = match (legal.first(), m) {
            (None, _) => "the game is over".to_owned(),
            (Some(&Move::PASS), _) => format!("no disc can be placed; {PASS} is the only move"),
            (_, Move::PASS) => {
                format!("only who can place no disc passes; the moves are {}", self.names(&legal))
            }
            _ => format!("{}; the moves are {}", reason(p, m), self.names(&legal)),
        };
        Err(TextError::new(text, why))
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut moves = Vec::new();
        for mut word in text.split_whitespace() {
            while !word.is_empty() {
                let passes = word.get(..PASS.len()).is_some_and(|w| w.eq_ignore_ascii_case(PASS));
                let length = if passes { PASS.len() } else { 2 };
                let cut = word.char_indices().nth(length).map_or(word.len(), |(at, _)| at);
                let (m, rest) = word.split_at(cut);
                moves.push(m);
                word = rest;
            }
        }
        moves
    }

    fn left_out(&self, p: &Position, text: &str) -> Option<Move> {
        (self.placements(p) == 0 && !is_pass(text.trim())).then_some(Move::PASS)
    }

    fn end_reason(&self, p: &Position, _: &Path) -> EndReason {
        if self.empties(p) == 0 { EndReason::BoardFull } else { EndReason::NeitherMoves }
    }

    fn why_not(&self, p: &Position, squares: &[Square]) -> Option<String> {
        let &square = squares.first()?;
        let name = self.board().grid().name(square);
        if self.placements(p) == 0 {
            return Some(format!("no disc can be placed; {PASS} is the only move"));
        }
        Some(format!("{name}: {}", reason(p, Move::at(square))))
    }

    fn look(&self) -> Look {
        Look { board: BoardStyle::Felt, turns_over: true, shows_moves: true, ..Look::STONES }
    }

    fn diagram(&self, p: &Position, last: Option<Move>) -> Diagram {
        let grid = self.board().grid();
        let mut diagram = Diagram::new(grid, RowOne::Top, |square| glyph(p, square, '.'))
            .with_owners(|square| disc(p, square));
        if let Some(square) = last.and_then(Move::square) {
            diagram.mark(square, Mark::Last);
        }
        diagram
    }
}

/// What is wrong with placing a disc.
fn reason(p: &Position, m: Move) -> &'static str {
    let taken = m.bit().is_some_and(|bit| (p.own | p.other) >> bit & 1 == 1);
    if taken { "taken" } else { "turns no disc" }
}

fn is_pass(text: &str) -> bool {
    PASSES.iter().any(|word| text.eq_ignore_ascii_case(word))
}

impl<S: Shape> Reversi<S> {
    fn names(&self, moves: &[Move]) -> String {
        let name = |m: &Move| m.square().map(|square| self.board().grid().name(square));
        moves.iter().filter_map(name).collect::<Vec<_>>().join(" ")
    }

    /// Black's discs and White's, from the characters beginning there.
    fn read_discs(&self, line: &[char], begin: usize) -> Result<(u64, u64), Wrong> {
        let grid = self.board().grid();
        let (mut black, mut white) = (0, 0);
        for (number, square) in grid.iter().enumerate() {
            let at = begin + number;
            let disc = 1 << bit_of(square);
            match line.get(at) {
                Some('-' | '.') => {}
                Some(&c) if side_of(c) == Some(Side::First) => black |= disc,
                Some(&c) if side_of(c) == Some(Side::Second) => white |= disc,
                Some(c) if !c.is_whitespace() => {
                    let name = grid.name(square);
                    return Err((at, format!("{c:?} cannot stand on {name}; X, O or - can")));
                }
                _ => {
                    let squares = grid.squares();
                    return Err((at, format!("{number} squares are given; there are {squares}")));
                }
            }
        }
        Ok((black, white))
    }

    fn read_side(&self, line: &[char], at: usize) -> Result<Side, Wrong> {
        let squares = self.board().grid().squares();
        let right = format!("after {squares} squares comes X or O, the side to move");
        match line.get(at) {
            Some(&c) => side_of(c).ok_or_else(|| (at, format!("{right}, not {c:?}"))),
            None => Err((line.len(), right)),
        }
    }

    fn read_passes(&self, line: &[char], at: usize) -> Result<u8, Wrong> {
        let rest: String = line[at..].iter().collect();
        match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
            [] => Ok(0),
            [PASS] if rest.starts_with(char::is_whitespace) => Ok(1),
            [PASS, PASS] if rest.starts_with(char::is_whitespace) => Ok(2),
            _ => {
                let squares = self.board().grid().squares();
                let why = format!(
                    "after {squares} squares and the side to move comes {PASS}, at most twice"
                );
                Err((skip_space(line, at), why))
            }
        }
    }

    /// What is wrong with the passes just made, if anything: one that was not forced would make
    /// two positions of one.
    pub(super) fn needless_pass(&self, p: &Position) -> Option<String> {
        let empties = self.empties(p);
        if p.passes > 0 && empties == 0 {
            return Some(format!("the board is full, so nobody can {PASS}"));
        }
        let waiting = (p.side.other(), mobility(p.other, p.own) & empties);
        let moving = (p.side, self.placements(p));
        let mut passed = [waiting, moving].into_iter().take(p.passes.into());
        let (side, placements) = passed.find(|(_, placements)| *placements != 0)?;
        let square = square_of(placements.trailing_zeros() as usize);
        let (side, square) = (letter(side), self.board().grid().name(square));
        Some(format!("{side} can go to {square} and so did not {PASS}"))
    }
}

/// The place of a character and what is wrong there.
type Wrong = (usize, String);

/// The first place from `at` on that holds more than space.
fn skip_space(line: &[char], at: usize) -> usize {
    let rest = line.iter().skip(at);
    at + rest.take_while(|c| c.is_whitespace()).count()
}

pub(super) fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

fn side_of(letter: char) -> Option<Side> {
    match letter {
        'X' | 'x' | '*' | 'b' | 'B' => Some(Side::First),
        'O' | 'o' | '0' | 'w' | 'W' => Some(Side::Second),
        _ => None,
    }
}

fn glyph(p: &Position, square: Square, empty: char) -> char {
    disc(p, square).map_or(empty, letter)
}

/// Whose disc lies on a square.
pub(super) fn disc(p: &Position, square: Square) -> Option<Side> {
    let holds = |side| p.discs(side) >> bit_of(square) & 1 == 1;
    [Side::First, Side::Second].into_iter().find(|&side| holds(side))
}
