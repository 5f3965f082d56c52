//! The conformance suite from positions that random games from the start seldom reach.

use game::testkit::Effort;
use game::{Diagram, EndReason, Game, MoveSink, Notation, Path, Recall, Rng, Side, TextError};
use games::chess::{Chess, Move, Parameters, Position};
use play::testkit::conforms;

/// The same rules, begun elsewhere.
#[derive(Clone)]
struct From {
    rules: Chess,
    start: Position,
}

impl Game for From {
    type Position = Position;
    type Move = Move;
    type Undo = Position;

    const ALTERNATES: bool = Chess::ALTERNATES;

    fn start(&self) -> Position {
        self.start
    }
    fn to_move(&self, p: &Position) -> Side {
        self.rules.to_move(p)
    }
    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        self.rules.generate(p, out);
    }
    fn margin(&self, p: &Position) -> Option<i32> {
        self.rules.margin(p)
    }
    fn stuck(&self, p: &Position) -> i32 {
        self.rules.stuck(p)
    }
    fn margin_limit(&self) -> i32 {
        self.rules.margin_limit()
    }
    fn make(&self, p: &mut Position, m: Move) -> Position {
        self.rules.make(p, m)
    }
    fn unmake(&self, p: &mut Position, m: Move, undo: Position) {
        self.rules.unmake(p, m, undo);
    }
    fn key(&self, p: &Position) -> u64 {
        self.rules.key(p)
    }
    fn looks_back(&self) -> bool {
        self.rules.looks_back()
    }
    fn recall(&self, p: &Position, path: &Path) -> Recall {
        self.rules.recall(p, path)
    }
    fn slots(&self) -> usize {
        self.rules.slots()
    }
    fn slot(&self, m: Move) -> usize {
        self.rules.slot(m)
    }
    fn code(&self, m: Move) -> u32 {
        self.rules.code(m)
    }
    fn count(&self, p: &Position) -> usize {
        self.rules.count(p)
    }
    fn sample(&self, p: &Position, rng: &mut Rng) -> Option<Move> {
        self.rules.sample(p, rng)
    }
    fn playout(&self, p: &mut Position, path: &mut Path, rng: &mut Rng) -> i32 {
        self.rules.playout(p, path, rng)
    }
}

impl Notation for From {
    fn spec(&self) -> String {
        Notation::spec(&self.rules)
    }
    fn write_position(&self, p: &Position) -> String {
        Notation::write_position(&self.rules, p)
    }
    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Notation::read_position(&self.rules, text)
    }
    fn write_move(&self, p: &Position, m: Move) -> String {
        Notation::write_move(&self.rules, p, m)
    }
    fn read_move(&self, p: &Position, text: &str) -> Result<Move, TextError> {
        Notation::read_move(&self.rules, p, text)
    }
    fn end_reason(&self, p: &Position, path: &Path) -> EndReason {
        Notation::end_reason(&self.rules, p, path)
    }
    fn diagram(&self, p: &Position, last: Option<Move>) -> Diagram {
        Notation::diagram(&self.rules, p, last)
    }
}

fn check(rules: Chess, fens: &[&str]) {
    for text in fens {
        let start = Notation::read_position(&rules, text).unwrap();
        let effort = Effort { games: 3, plies: 120, ..Effort::default() };
        conforms(&From { rules, start }, effort);
    }
}

#[test]
fn rules_conform_from_odd_positions() {
    check(
        Chess::default(),
        &[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
            "7k/8/8/8/8/8/8/RK6 w - - 90 70",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/6Q1/6K1/8/8/8/8/8 b - - 150 80",
            "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
            "k7/pp6/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQQ b - - 65535 65535",
        ],
    );
}

#[test]
fn rules_conform_from_odd_fischer_positions() {
    check(
        Chess::new(Parameters::fischer(0).unwrap()),
        &[
            "r1r1k1rr/8/8/8/8/8/8/R1R1K1RR w GAga - 0 1",
            "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
            "6kr/8/8/8/8/8/8/6KR b Hh - 0 1",
        ],
    );
}
