//! A small game packed in wrong ways, each of which the suite must find.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Effort, packing_conforms};
use crate::diagram::Diagram;
use crate::end_reason::EndReason;
use crate::grid::{Grid, RowOne};
use crate::notation::Notation;
use crate::packing::{Packer, Unpacker};
use crate::path::Path;
use crate::rng::mix;
use crate::rules::{Game, MoveSink, Side};
use crate::text_error::TextError;

/// What is wrong, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    DropsTheClock,
    KeepsTheWayThere,
    TakesMoreBytes,
    TakesPadding,
    TakesAnyCell,
    Panics,
    ShowsBytes,
    NamesItself,
    OtherSymmetry,
    LastOfEqual,
}

const CELLS: u8 = 5;
const PLIES: u8 = 6;

/// A token goes left and right, one cell at a time; the first player wins if it ends in the middle.
struct Walk(Fault);

#[derive(Clone, Debug)]
struct Token {
    cell: u8,
    plies_left: u8,
    /// No part of the position, as what saves looking things up is not.
    came_from: u8,
}

impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        (self.cell, self.plies_left) == (other.cell, other.plies_left)
    }
}

impl Eq for Token {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Left,
    Right,
}

impl Game for Walk {
    type Position = Token;
    type Move = Step;
    type Undo = Token;
    const ALTERNATES: bool = true;
    const GETS_STUCK: bool = false;
    const CANONICAL: bool = true;

    fn start(&self) -> Token {
        Token { cell: CELLS / 2, plies_left: PLIES, came_from: CELLS }
    }
    fn to_move(&self, p: &Token) -> Side {
        if p.plies_left.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn generate(&self, p: &Token, out: &mut impl MoveSink<Step>) {
        if p.cell > 0 {
            out.push(Step::Left);
        }
        if p.cell + 1 < CELLS {
            out.push(Step::Right);
        }
    }
    fn margin(&self, p: &Token) -> Option<i32> {
        (p.plies_left == 0).then_some(if p.cell == CELLS / 2 { 1 } else { -1 })
    }
    fn stuck(&self, _: &Token) -> i32 {
        0
    }
    fn margin_limit(&self) -> i32 {
        1
    }
    fn make(&self, p: &mut Token, m: Step) -> Token {
        let before = p.clone();
        p.came_from = p.cell;
        p.cell = if m == Step::Left { p.cell - 1 } else { p.cell + 1 };
        p.plies_left -= 1;
        before
    }
    fn unmake(&self, p: &mut Token, _: Step, before: Token) {
        *p = before;
    }
    fn key(&self, p: &Token) -> u64 {
        mix(u64::from(p.cell) << 8 | u64::from(p.plies_left))
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
    fn symmetries(&self) -> usize {
        2
    }
    fn transform(&self, p: &Token, symmetry: usize) -> Token {
        let cell = if symmetry == 0 { p.cell } else { CELLS - 1 - p.cell };
        Token { cell, ..*p }
    }
}

impl Notation for Walk {
    fn spec(&self) -> String {
        format!("walk:{:?}", self.0)
    }
    fn write_position(&self, p: &Token) -> String {
        format!("{} {}", p.cell, p.plies_left)
    }
    fn read_position(&self, text: &str) -> Result<Token, TextError> {
        let wrong = || TextError::new(text, "write a cell and the plies left");
        let (cell, plies) = text.split_once(' ').ok_or_else(wrong)?;
        let number = |text: &str, below| text.parse().ok().filter(|&n: &u8| n < below);
        let cell = number(cell, CELLS).ok_or_else(wrong)?;
        let plies_left = number(plies, PLIES + 1).ok_or_else(wrong)?;
        Ok(Token { cell, plies_left, came_from: CELLS })
    }
    fn pack(&self, p: &Token) -> Vec<u8> {
        let cells = if self.0 == Fault::TakesAnyCell { 8 } else { CELLS };
        let mut packer = Packer::new();
        packer.digit(p.cell.into(), cells.into());
        if self.0 != Fault::DropsTheClock {
            packer.digit(p.plies_left.into(), u64::from(PLIES) + 1);
        }
        if self.0 == Fault::KeepsTheWayThere {
            packer.digit(p.came_from.into(), u64::from(CELLS) + 1);
        }
        packer.finish()
    }
    fn unpack(&self, bytes: &[u8]) -> Result<Token, TextError> {
        let of_fault = match self.0 {
            Fault::TakesMoreBytes => &bytes[..bytes.len().min(1)],
            Fault::Panics => &bytes[..1],
            _ => bytes,
        };
        let cells = if self.0 == Fault::TakesAnyCell { 8 } else { CELLS };
        let mut unpacker = Unpacker::new(of_fault);
        let cell = unpacker.digit(cells.into()) as u8;
        let plies_left = match self.0 {
            Fault::DropsTheClock => PLIES,
            _ => unpacker.digit(u64::from(PLIES) + 1) as u8,
        };
        let came_from = match self.0 {
            Fault::KeepsTheWayThere => unpacker.digit(u64::from(CELLS) + 1) as u8,
            _ => CELLS,
        };
        match self.0 {
            Fault::TakesPadding if bytes.len() == 1 => {}
            Fault::ShowsBytes => unpacker
                .finish()
                .map_err(|e| TextError::new(&String::from_utf8_lossy(bytes), e.why()))?,
            _ => unpacker.finish()?,
        }
        Ok(Token { cell, plies_left, came_from })
    }
    fn canonical_name(&self, p: &Token) -> (Vec<u8>, usize) {
        let [one, other] = [0, 1].map(|symmetry| self.pack(&self.transform(p, symmetry)));
        let symmetry = usize::from(other < one || other == one && self.0 == Fault::LastOfEqual);
        match self.0 {
            Fault::NamesItself => (one, 0),
            Fault::OtherSymmetry => (one.min(other), 1 - symmetry),
            _ => (one.min(other), symmetry),
        }
    }
    fn write_move(&self, _: &Token, m: Step) -> String {
        if m == Step::Left { "l" } else { "r" }.to_owned()
    }
    fn read_move(&self, _: &Token, text: &str) -> Result<Step, TextError> {
        match text {
            "l" => Ok(Step::Left),
            "r" => Ok(Step::Right),
            _ => Err(TextError::new(text, "write l or r")),
        }
    }
    fn end_reason(&self, _: &Token, _: &Path) -> EndReason {
        EndReason::NoMove
    }
    fn diagram(&self, p: &Token, _: Option<Step>) -> Diagram {
        let grid = Grid { rows: 1, columns: CELLS.into() };
        let token = usize::from(p.cell);
        Diagram::new(grid, RowOne::Top, |s| if s.column == token { 'o' } else { '.' })
    }
}

/// What the suite says of a fault, if it finds any.
fn found(fault: Fault) -> Option<String> {
    let effort = Effort { games: 20, ..Effort::default() };
    let run = AssertUnwindSafe(|| packing_conforms(&Walk(fault), effort, 2_000));
    let said = catch_unwind(run).err()?;
    let literal = || said.downcast_ref::<&str>().map(|&text| text.to_owned());
    Some(said.downcast_ref::<String>().cloned().or_else(literal).unwrap_or_default())
}

#[test]
fn every_fault_is_found() {
    assert_eq!(found(Fault::None), None);
    for (fault, finding) in [
        (Fault::DropsTheClock, "unpacks as another position"),
        (Fault::KeepsTheWayThere, "packed otherwise when read"),
        (Fault::TakesMoreBytes, "packs as other bytes"),
        (Fault::TakesPadding, "packs as other bytes"),
        (Fault::TakesAnyCell, "cannot read its own position"),
        (Fault::Panics, "out of range"),
        (Fault::ShowsBytes, "unpacking"),
        (Fault::NamesItself, "has another name"),
        (Fault::OtherSymmetry, "the symmetry of the name"),
        (Fault::LastOfEqual, "the symmetry of the name"),
    ] {
        let said = found(fault);
        assert!(said.as_ref().is_some_and(|said| said.contains(finding)), "{fault:?}: {said:?}");
    }
}
