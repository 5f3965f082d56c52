//! Chomp: the rules, its text, what an engine believes about it. `docs/extending.md` walks through
//! this file.

use evaluation::weights::{Tunable, Visit};
use evaluation::{Evaluation, MoveOrder, Playouts, Proofs, Tactics};
use game::{
    BoardSizes, Diagram, EndReason, Family, Game, Grid, MoveSink, Notation, Omitted, Parameter,
    ParameterKind, Path, Preset, RowOne, Side, Spec, Square, TextError, WinningSets,
};
use games::Playable;
use play::levels::{nodes, plies};
use play::record::GameFile;
use play::{Levels, Scores};

/// The rules: a bar of chocolate of this size. Whoever moves takes a square and all that is left to
/// the right of it and above. The corner a1 is poisoned: who is left with nothing else has lost.
#[derive(Clone, Debug)]
pub(crate) struct Chomp {
    bar: Grid,
}

/// One bit for every square that is left, row by row from a1, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chocolate {
    left: u64,
    mover: Side,
}

const POISON: u64 = 1;

impl Chomp {
    /// The square with this number, and all to the right of it and above.
    fn bite(&self, square: u8) -> u64 {
        let corner = self.bar.square(square.into());
        let squares =
            self.bar.iter().filter(|at| at.row >= corner.row && at.column >= corner.column);
        squares.map(|at| 1 << self.bar.index(at)).sum()
    }
}

impl Game for Chomp {
    type Position = Chocolate;
    type Move = u8;
    type Undo = u64;
    const ALTERNATES: bool = true;
    const GETS_STUCK: bool = false;

    fn start(&self) -> Chocolate {
        Chocolate { left: self.bite(0), mover: Side::First }
    }
    fn to_move(&self, p: &Chocolate) -> Side {
        p.mover
    }
    fn generate(&self, p: &Chocolate, out: &mut impl MoveSink<u8>) {
        let squares = self.bar.squares() as u8;
        (1..squares).filter(|square| p.left >> square & 1 == 1).for_each(|square| out.push(square));
    }
    fn margin(&self, p: &Chocolate) -> Option<i32> {
        (p.left == POISON).then_some(-p.mover.sign())
    }
    fn stuck(&self, _: &Chocolate) -> i32 {
        0
    }
    fn margin_limit(&self) -> i32 {
        1
    }
    fn make(&self, p: &mut Chocolate, m: u8) -> u64 {
        let eaten = p.left & self.bite(m);
        *p = Chocolate { left: p.left & !eaten, mover: p.mover.other() };
        eaten
    }
    fn unmake(&self, p: &mut Chocolate, _: u8, eaten: u64) {
        *p = Chocolate { left: p.left | eaten, mover: p.mover.other() };
    }
    fn key(&self, p: &Chocolate) -> u64 {
        game::mix(game::mix(p.left) + p.mover.index() as u64)
    }
    fn slots(&self) -> usize {
        self.bar.squares()
    }
    fn slot(&self, m: u8) -> usize {
        m.into()
    }
    fn code(&self, m: u8) -> u32 {
        m.into()
    }
}

/// Text: the squares left in each row, and who moves: `5/5/2/0 first`.
impl Notation for Chomp {
    fn spec(&self) -> String {
        format!("chomp:{}x{}", self.bar.rows, self.bar.columns)
    }
    fn write_position(&self, p: &Chocolate) -> String {
        let rows: Vec<String> = self.rows(p).iter().map(u32::to_string).collect();
        let mover = if p.mover == Side::First { "first" } else { "second" };
        format!("{} {mover}", rows.join("/"))
    }
    fn read_position(&self, text: &str) -> Result<Chocolate, TextError> {
        let wrong = |why: &str| Err(TextError::new(text, why));
        let (rows, mover) = match text.split_once(' ') {
            Some((rows, "first")) => (rows, Side::First),
            Some((rows, "second")) => (rows, Side::Second),
            _ => {
                return wrong(
                    "write the squares left in each row, then first or second: 3/3/1 first",
                );
            }
        };
        let rows: Vec<usize> = rows.split('/').map_while(|row| row.parse().ok()).collect();
        if rows.len() != self.bar.rows || rows[0] == 0 || rows[0] > self.bar.columns {
            return wrong("there is a number for each row, and a1 is always left");
        }
        if rows.windows(2).any(|pair| pair[0] < pair[1]) {
            return wrong("no row is longer than the one below it");
        }
        let is_left = |at: &Square| at.column < rows[at.row];
        let left = self.bar.iter().filter(is_left).map(|at| 1 << self.bar.index(at)).sum();
        Ok(Chocolate { left, mover })
    }
    fn write_move(&self, _: &Chocolate, m: u8) -> String {
        self.bar.name(self.bar.square(m.into()))
    }
    fn read_move(&self, p: &Chocolate, text: &str) -> Result<u8, TextError> {
        match self.bar.index(self.bar.read(text)?) {
            0 => Err(TextError::new(text, "this square is poisoned")),
            square if p.left >> square & 1 == 0 => {
                Err(TextError::new(text, "this square is eaten"))
            }
            square => Ok(square as u8),
        }
    }
    fn end_reason(&self, _: &Chocolate, _: &Path) -> EndReason {
        EndReason::NoMove
    }
    fn diagram(&self, p: &Chocolate, _: Option<u8>) -> Diagram {
        let glyph = |at| match self.bar.index(at) {
            0 => 'x',
            square if p.left >> square & 1 == 1 => 'o',
            _ => '.',
        };
        // Pages draw what belongs to somebody: chocolate in one colour, poison in the other.
        let owner = |at| match glyph(at) {
            'x' => Some(Side::Second),
            'o' => Some(Side::First),
            _ => None,
        };
        Diagram::new(self.bar, RowOne::Bottom, glyph).with_owners(owner)
    }
}

impl Chomp {
    /// How many squares are left in each row, from the bottom.
    fn rows(&self, p: &Chocolate) -> Vec<u32> {
        let row = |row: usize| p.left >> (row * self.bar.columns) & ((1 << self.bar.columns) - 1);
        (0..self.bar.rows).map(|n| row(n).count_ones()).collect()
    }
}

/// Whole games are written as plain moves, since nobody has made a format of their own for them.
impl GameFile for Chomp {}

/// Nobody wins by a set of squares.
impl WinningSets for Chomp {}

/// What may stand after the colon, and the shorter names.
pub(crate) static FAMILY: Family = Family {
    name: "chomp",
    summary: "Bite off a bar of chocolate; who is left with the poisoned corner has lost",
    variants: &[],
    parameters: &[Parameter {
        name: "size",
        kind: ParameterKind::Size(BoardSizes::Between(2, 8)),
        omitted: Omitted::Value("4x5"),
        meaning: "the bar",
    }],
    protocols: &["uci"],
    presets: &[Preset { name: "bar", spec: "chomp:3x4", summary: "Chomp on a small bar" }],
    offered: &[],
};

impl Chomp {
    pub(crate) fn from_spec(spec: &Spec) -> Result<Chomp, TextError> {
        Ok(Chomp { bar: spec.arguments(&FAMILY)?.size()? })
    }
}

/// What an engine believes: who faces two equal arms and nothing else has lost, and an odd number of
/// squares beside the corner is a little better than an even one. Both numbers can be tuned.
#[derive(Clone, Debug)]
pub(crate) struct Arms {
    unequal: i32,
    odd: i32,
}

impl Evaluation<Chomp> for Arms {
    fn evaluate(&mut self, game: &Chomp, p: &Chocolate) -> i32 {
        let rows = game.rows(p);
        let column = rows.iter().filter(|&&squares| squares > 0).count() as u32;
        let unequal = i32::from(rows[0] != column);
        let odd = (p.left.count_ones() - 1) % 2;
        self.unequal * unequal + self.odd * odd as i32
    }
}

impl MoveOrder<Chomp> for Arms {}
impl Tactics<Chomp> for Arms {}
impl Proofs<Chomp> for Arms {}
impl Playouts<Chomp> for Arms {}

impl Tunable for Arms {
    const NAMES: &'static [&'static str] = &["arms"];

    fn named(name: &str) -> Option<Arms> {
        (name == "arms").then_some(Arms { unequal: 100, odd: 20 })
    }
    fn name(&self) -> &'static str {
        "arms"
    }
    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        visit("unequal", &mut self.unequal);
        visit("odd", &mut self.odd);
    }
}

impl Playable for Chomp {
    type Heuristics = Arms;
    const FAMILY: &'static Family = &FAMILY;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        Chomp::from_spec(spec).map(|game| game.spec())
    }
    fn levels(&self) -> Levels {
        Levels([plies(1, 200), plies(1, 0), plies(3, 0), nodes(10_000)])
    }
    fn scores(&self) -> Scores {
        Scores::Own { ahead: 100 }
    }
}

/// The whole test of a new game.
#[cfg(test)]
mod tests {
    use super::*;
    use game::testkit::Effort;

    #[test]
    fn conforms() {
        let game = Chomp::from_spec(&Spec::parse("chomp:3x4").unwrap()).unwrap();
        play::testkit::conforms(&game, Effort::default());
        evaluation::testkit::evaluation_conforms(
            &game,
            || Arms::named("arms").unwrap(),
            Effort::default(),
        );
        evaluation::testkit::weights_conform::<Arms>("chomp");
    }
}
