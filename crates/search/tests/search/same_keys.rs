//! Positions that share a key are told apart by whoever proves something.

use crate::common::{Place, RandomGame, blackboard};
use evaluation::Blind;
use game::{Game, MarginStep, Meaning, MoveSink, Path, PositionName, Side, mix};
use play::{Limits, Stop};
use search::{ProofTable, Prover, Proving, SearchRoot, Settings, Table, decide};

/// A random game whose positions have one of two keys.
#[derive(Clone, Debug)]
struct SameKeys {
    game: RandomGame,
    /// Whether names hold more than the key.
    checked: bool,
}

impl Game for SameKeys {
    type Position = Place;
    type Move = u8;
    type Undo = Place;
    const ALTERNATES: bool = false;

    fn start(&self) -> Place {
        self.game.start()
    }
    fn to_move(&self, p: &Place) -> Side {
        self.game.to_move(p)
    }
    fn generate(&self, p: &Place, out: &mut impl MoveSink<u8>) {
        self.game.generate(p, out);
    }
    fn margin(&self, p: &Place) -> Option<i32> {
        self.game.margin(p)
    }
    fn stuck(&self, p: &Place) -> i32 {
        self.game.stuck(p)
    }
    fn margin_limit(&self) -> i32 {
        self.game.margin_limit()
    }
    fn make(&self, p: &mut Place, m: u8) -> Place {
        self.game.make(p, m)
    }
    fn unmake(&self, p: &mut Place, m: u8, undo: Place) {
        self.game.unmake(p, m, undo);
    }
    fn key(&self, p: &Place) -> u64 {
        mix(self.game.key(p) & 1)
    }
    fn table_name(&self, p: &Place) -> PositionName {
        let check = if self.checked { self.game.key(p) } else { 0 };
        PositionName { key: self.key(p), check, symmetry: 0 }
    }
    fn slots(&self) -> usize {
        self.game.slots()
    }
    fn slot(&self, m: u8) -> usize {
        self.game.slot(m)
    }
    fn code(&self, m: u8) -> u32 {
        self.game.code(m)
    }
}

fn decided(game: &SameKeys, at_least: i32) -> Option<bool> {
    let (table, start, path) = (Table::new(1), game.start(), Path::new());
    let from = SearchRoot { game, position: &start, path: &path, among: &[] };
    let settings = Settings::exhaustive();
    decide(&table, &from, at_least, Blind, &settings, &Stop::new(), &mut |_| {}).holds
}

fn proved(game: &SameKeys, at_least: i32) -> Option<bool> {
    let (mut table, start, path) = (ProofTable::new(1), game.start(), Path::new());
    let from = SearchRoot { game, position: &start, path: &path, among: &[] };
    let (stop, mut progress) = (Stop::new(), |_: &_| {});
    // Who takes one position for another might go round in circles.
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let proving = Proving { symmetry: true, bounds: true, ranking: true, limits };
    Prover::new(&mut table, &from, Blind, &proving, &stop, &mut progress).ask(at_least).holds
}

/// How many of these answers are wrong, by minimax.
fn wrong(answer: fn(&SameKeys, i32) -> Option<bool>, checked: bool) -> usize {
    let mut wrong = 0;
    for seed in 0..200 {
        let margin_limit = if seed % 2 == 0 { 1 } else { 20 };
        let game = RandomGame {
            seed,
            levels: 6,
            width: 8,
            branching: 4,
            margin_limit,
            margin_step: MarginStep::ONE,
            looks_back: false,
            hopeless: [u8::MAX; 2],
        };
        let value = blackboard(&game, &game.start(), &mut Path::new(), None, &|_| 0);
        let truth = match value.meaning() {
            Meaning::WonIn(_) => 1,
            Meaning::LostIn(_) => -1,
            Meaning::Margin(margin) | Meaning::Score(margin) => margin,
        };
        let game = SameKeys { game, checked };
        let questions = 1 - margin_limit..=margin_limit;
        wrong += questions.filter(|&k| answer(&game, k) != Some(truth >= k)).count();
    }
    wrong
}

#[test]
fn names_tell_them_apart() {
    assert_eq!(wrong(decided, true), 0);
    assert_eq!(wrong(proved, true), 0);
}

/// The test above could fail: by keys alone false things are proved.
#[test]
fn keys_do_not() {
    assert!(wrong(decided, false) > 100);
    assert!(wrong(proved, false) > 100);
}
