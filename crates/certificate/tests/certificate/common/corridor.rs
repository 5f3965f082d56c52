//! [`Corridor`]: a game that is only long.

use game::{
    Diagram, EndReason, Game, Grid, MoveSink, Notation, Path, RowOne, Side, TextError, WinningSets,
};

/// The first player wins after so many plies, whatever happens. Every position has so many moves, which wrongly have the same code.
#[derive(Debug)]
pub(crate) struct Corridor {
    pub(crate) plies: u32,
    pub(crate) doors: u32,
}

impl Game for Corridor {
    /// Plies made.
    type Position = u32;
    type Move = u32;
    type Undo = ();
    const ALTERNATES: bool = true;

    fn start(&self) -> u32 {
        0
    }
    fn to_move(&self, p: &u32) -> Side {
        if p.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn generate(&self, _: &u32, out: &mut impl MoveSink<u32>) {
        (0..self.doors).for_each(|door| out.push(door));
    }
    fn margin(&self, p: &u32) -> Option<i32> {
        (*p == self.plies).then_some(1)
    }
    fn stuck(&self, _: &u32) -> i32 {
        0
    }
    fn margin_limit(&self) -> i32 {
        1
    }
    fn make(&self, p: &mut u32, _: u32) {
        *p += 1;
    }
    fn unmake(&self, p: &mut u32, _: u32, (): ()) {
        *p -= 1;
    }
    fn key(&self, p: &u32) -> u64 {
        u64::from(*p)
    }
    fn slots(&self) -> usize {
        1
    }
    fn slot(&self, _: u32) -> usize {
        0
    }
    fn code(&self, _: u32) -> u32 {
        7
    }
}

impl WinningSets for Corridor {}

impl Notation for Corridor {
    fn spec(&self) -> String {
        "corridor".to_owned()
    }
    fn write_position(&self, p: &u32) -> String {
        p.to_string()
    }
    fn read_position(&self, text: &str) -> Result<u32, TextError> {
        text.parse().map_err(|_| TextError::new(text, "write a number"))
    }
    fn write_move(&self, _: &u32, m: u32) -> String {
        m.to_string()
    }
    fn read_move(&self, _: &u32, text: &str) -> Result<u32, TextError> {
        text.parse().map_err(|_| TextError::new(text, "write a number"))
    }
    fn end_reason(&self, _: &u32, _: &Path) -> EndReason {
        EndReason::NoMove
    }
    fn diagram(&self, _: &u32, _: Option<u32>) -> Diagram {
        Diagram::new(Grid { rows: 1, columns: 1 }, RowOne::Top, |_| '.')
    }
}
