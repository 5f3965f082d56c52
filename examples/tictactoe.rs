//! A game from nothing: the rules of tic-tac-toe in about 60 lines, its text in 40 more, played and
//! solved by searches that know nothing of it. `docs/extending.md` walks through it. Run it with
//! `cargo run --release --example tictactoe --package zermelo-search`.

#![allow(clippy::print_stdout)]

use evaluation::Blind;
use game::{Diagram, EndReason, Game, Grid, MoveSink, Notation, Path, RowOne, Side, TextError};
use play::Stop;
use search::{SearchRoot, Settings, search};

/// The rules. A game with parameters would keep them here.
#[derive(Clone, Debug)]
struct TicTacToe;

/// One bit per square, one word per player.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Board {
    stones: [u16; 2],
}

const GRID: Grid = Grid { rows: 3, columns: 3 };
const FULL: u16 = 0b111_111_111;
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001, //
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl Board {
    fn taken(&self) -> u16 {
        self.stones[0] | self.stones[1]
    }
}

impl Game for TicTacToe {
    type Position = Board;
    type Move = u8;
    type Undo = ();
    const ALTERNATES: bool = true;

    fn start(&self) -> Board {
        Board { stones: [0, 0] }
    }
    fn to_move(&self, p: &Board) -> Side {
        if p.taken().count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn generate(&self, p: &Board, out: &mut impl MoveSink<u8>) {
        (0..9).filter(|square| p.taken() >> square & 1 == 0).for_each(|square| out.push(square));
    }
    fn margin(&self, p: &Board) -> Option<i32> {
        let wins = |stones: u16| LINES.iter().any(|line| stones & line == *line);
        match p.stones.map(wins) {
            [true, _] => Some(1),
            [_, true] => Some(-1),
            _ => (p.taken() == FULL).then_some(0),
        }
    }
    fn stuck(&self, _: &Board) -> i32 {
        0
    }
    fn margin_limit(&self) -> i32 {
        1
    }
    fn make(&self, p: &mut Board, m: u8) {
        p.stones[self.to_move(p).index()] |= 1 << m;
    }
    fn unmake(&self, p: &mut Board, m: u8, (): ()) {
        p.stones = p.stones.map(|stones| stones & !(1 << m));
    }
    fn key(&self, p: &Board) -> u64 {
        game::mix(u64::from(p.stones[0]) << 16 | u64::from(p.stones[1]))
    }
    fn slots(&self) -> usize {
        9
    }
    fn slot(&self, m: u8) -> usize {
        m.into()
    }
    fn code(&self, m: u8) -> u32 {
        m.into()
    }
}

/// Text: `x.o......` from the top left, moves a1 to c3 with row 1 at the top.
impl Notation for TicTacToe {
    fn spec(&self) -> String {
        "tictactoe".to_owned()
    }
    fn write_position(&self, p: &Board) -> String {
        GRID.iter().map(|square| self.glyph(p, GRID.index(square))).collect()
    }
    fn read_position(&self, text: &str) -> Result<Board, TextError> {
        let mut p = self.start();
        for (i, c) in text.chars().enumerate() {
            match c {
                'x' | 'o' if i < 9 => p.stones[usize::from(c == 'o')] |= 1 << i,
                '.' if i < 9 => {}
                _ => return Err(TextError::new(text, "write nine of x, o and .").at(i)),
            }
        }
        let [x, o] = p.stones.map(u16::count_ones);
        if text.len() == 9 && (x == o || x == o + 1) {
            Ok(p)
        } else {
            Err(TextError::new(text, "not as many x as o, or one more"))
        }
    }
    fn write_move(&self, _: &Board, m: u8) -> String {
        GRID.name(GRID.square(m.into()))
    }
    fn read_move(&self, p: &Board, text: &str) -> Result<u8, TextError> {
        let square = GRID.index(GRID.read(text)?);
        if p.taken() >> square & 1 == 0 {
            Ok(square as u8)
        } else {
            Err(TextError::new(text, "this square is taken"))
        }
    }
    fn end_reason(&self, p: &Board, _: &Path) -> EndReason {
        if self.margin(p) == Some(0) { EndReason::BoardFull } else { EndReason::Line(3) }
    }
    fn diagram(&self, p: &Board, _: Option<u8>) -> Diagram {
        Diagram::new(GRID, RowOne::Top, |square| self.glyph(p, GRID.index(square)))
    }
}

impl TicTacToe {
    fn glyph(&self, p: &Board, square: usize) -> char {
        match p.stones.map(|stones| stones >> square & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '.',
        }
    }
}

fn main() {
    let (game, path) = (TicTacToe, Path::new());
    let position = game.start();
    let from = SearchRoot { game: &game, position: &position, path: &path, among: &[] };
    let report = search(&from, Blind, &Settings::exhaustive(), &Stop::new(), &mut |_| {});
    println!(
        "{}\nvalue {:?} after {} nodes",
        game.diagram(&position, None),
        report.value,
        report.nodes
    );
}

/// The whole test of a new game.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conforms() {
        game::testkit::conforms(&TicTacToe, game::testkit::Effort::default());
        game::testkit::perft_matches(
            &TicTacToe,
            &[9, 72, 504, 3024, 15_120, 56_160, 154_944, 255_168, 255_168],
        );
    }
}
