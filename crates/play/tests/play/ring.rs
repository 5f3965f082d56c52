//! A game without a family: a walk around a ring on which no square may be visited twice.

use game::{
    Diagram, EndReason, Game, Grid, MoveSink, Notation, Path, Recall, RowOne, Side, TextError, mix,
};
use play::record::GameFile;

/// Two players move one token around a ring of so many squares, a step either way. Who cannot step
/// to a new square has lost.
#[derive(Clone, Debug)]
pub(crate) struct Ring(pub(crate) u8);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    square: u8,
    side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Forward,
    Back,
}

impl Game for Ring {
    type Position = Token;
    type Move = Step;
    type Undo = u8;
    const ALTERNATES: bool = true;

    fn start(&self) -> Token {
        Token { square: 0, side: Side::First }
    }
    fn to_move(&self, p: &Token) -> Side {
        p.side
    }
    fn generate(&self, _: &Token, out: &mut impl MoveSink<Step>) {
        out.push(Step::Forward);
        out.push(Step::Back);
    }
    fn margin(&self, _: &Token) -> Option<i32> {
        None
    }
    fn stuck(&self, p: &Token) -> i32 {
        -p.side.sign()
    }
    fn margin_limit(&self) -> i32 {
        1
    }
    fn make(&self, p: &mut Token, m: Step) -> u8 {
        let before = p.square;
        let step = if m == Step::Forward { 1 } else { self.0 - 1 };
        *p = Token { square: (before + step) % self.0, side: p.side.other() };
        before
    }
    fn unmake(&self, p: &mut Token, _: Step, before: u8) {
        *p = Token { square: before, side: p.side.other() };
    }
    fn key(&self, p: &Token) -> u64 {
        mix(u64::from(p.square) << 1 | p.side.index() as u64)
    }
    fn path_key(&self, p: &Token) -> u64 {
        u64::from(p.square)
    }
    fn looks_back(&self) -> bool {
        true
    }
    fn recall(&self, p: &Token, path: &Path) -> Recall {
        if path.count(self.path_key(p)) > 0 { Recall::Forbidden } else { Recall::Fresh }
    }
    fn slots(&self) -> usize {
        2
    }
    fn slot(&self, m: Step) -> usize {
        m as usize
    }
    fn code(&self, m: Step) -> u32 {
        m as u32
    }
}

impl Notation for Ring {
    fn spec(&self) -> String {
        format!("ring:{}", self.0)
    }
    fn write_position(&self, p: &Token) -> String {
        format!("{} {}", p.square, p.side.index())
    }
    fn read_position(&self, text: &str) -> Result<Token, TextError> {
        let wrong = || TextError::new(text, "write a square and 0 or 1");
        let (square, side) = text.split_once(' ').ok_or_else(wrong)?;
        let side = if side == "0" { Side::First } else { Side::Second };
        let square = square.parse().ok().filter(|&square| square < self.0);
        Ok(Token { square: square.ok_or_else(wrong)?, side })
    }
    fn write_move(&self, _: &Token, m: Step) -> String {
        if m == Step::Forward { "+" } else { "-" }.to_owned()
    }
    fn read_move(&self, _: &Token, text: &str) -> Result<Step, TextError> {
        match text {
            "+" => Ok(Step::Forward),
            "-" => Ok(Step::Back),
            _ => Err(TextError::new(text, "write + or -")),
        }
    }
    fn end_reason(&self, _: &Token, _: &Path) -> EndReason {
        EndReason::NoMove
    }
    fn diagram(&self, p: &Token, _: Option<Step>) -> Diagram {
        let grid = Grid { rows: 1, columns: usize::from(self.0) };
        let token = usize::from(p.square);
        Diagram::new(grid, RowOne::Top, |s| if s.column == token { 'o' } else { '.' })
    }
}

/// Files of plain moves, which any game has.
impl GameFile for Ring {}
