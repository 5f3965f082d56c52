//! [`Asymmetric`]: a game whose symmetries nobody knows of.

use crate::diagram::Diagram;
use crate::end_reason::EndReason;
use crate::margin_step::MarginStep;
use crate::notation::Notation;
use crate::path::{Path, Recall};
use crate::rules::{Game, MoveSink, Side};
use crate::text_error::TextError;
use crate::winning_sets::WinningSets;

/// The same rules and text, without symmetries and winning sets: what tables and proofs do without
/// them.
#[derive(Clone, Debug)]
pub struct Asymmetric<G>(pub G);

impl<G: Game> Game for Asymmetric<G> {
    type Position = G::Position;
    type Move = G::Move;
    type Undo = G::Undo;

    const ALTERNATES: bool = G::ALTERNATES;
    const GETS_STUCK: bool = G::GETS_STUCK;

    fn start(&self) -> G::Position {
        self.0.start()
    }
    fn to_move(&self, p: &G::Position) -> Side {
        self.0.to_move(p)
    }
    fn generate(&self, p: &G::Position, out: &mut impl MoveSink<G::Move>) {
        self.0.generate(p, out);
    }
    fn margin(&self, p: &G::Position) -> Option<i32> {
        self.0.margin(p)
    }
    fn stuck(&self, p: &G::Position) -> i32 {
        self.0.stuck(p)
    }
    fn margin_limit(&self) -> i32 {
        self.0.margin_limit()
    }
    fn margin_step(&self) -> MarginStep {
        self.0.margin_step()
    }
    fn margin_scale(&self) -> i32 {
        self.0.margin_scale()
    }
    fn make(&self, p: &mut G::Position, m: G::Move) -> G::Undo {
        self.0.make(p, m)
    }
    fn unmake(&self, p: &mut G::Position, m: G::Move, undo: G::Undo) {
        self.0.unmake(p, m, undo);
    }
    fn key(&self, p: &G::Position) -> u64 {
        self.0.key(p)
    }
    fn path_key(&self, p: &G::Position) -> u64 {
        self.0.path_key(p)
    }
    fn looks_back(&self) -> bool {
        self.0.looks_back()
    }
    fn recall(&self, p: &G::Position, path: &Path) -> Recall {
        self.0.recall(p, path)
    }
    fn slots(&self) -> usize {
        self.0.slots()
    }
    fn slot(&self, m: G::Move) -> usize {
        self.0.slot(m)
    }
    fn code(&self, m: G::Move) -> u32 {
        self.0.code(m)
    }
    fn position_bytes(&self, p: &G::Position) -> usize {
        self.0.position_bytes(p)
    }
}

impl<G: Game> WinningSets for Asymmetric<G> {}

impl<G: Notation> Notation for Asymmetric<G> {
    fn spec(&self) -> String {
        self.0.spec()
    }
    fn write_position(&self, p: &G::Position) -> String {
        self.0.write_position(p)
    }
    fn read_position(&self, text: &str) -> Result<G::Position, TextError> {
        self.0.read_position(text)
    }
    fn pack(&self, p: &G::Position) -> Vec<u8> {
        self.0.pack(p)
    }
    fn unpack(&self, bytes: &[u8]) -> Result<G::Position, TextError> {
        self.0.unpack(bytes)
    }
    fn write_move(&self, p: &G::Position, m: G::Move) -> String {
        self.0.write_move(p, m)
    }
    fn read_move(&self, p: &G::Position, text: &str) -> Result<G::Move, TextError> {
        self.0.read_move(p, text)
    }
    fn end_reason(&self, p: &G::Position, path: &Path) -> EndReason {
        self.0.end_reason(p, path)
    }
    fn diagram(&self, p: &G::Position, last: Option<G::Move>) -> Diagram {
        self.0.diagram(p, last)
    }
}
