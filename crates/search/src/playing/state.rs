//! What the playing search keeps beside what every worker has.

use evaluation::MoveOrder;
use game::Game;

use super::memory::{Lately, Memory};
use super::picker::Picker;
use super::reductions::Reductions;
use crate::settings::{Algorithm, Settings};

/// What is known of the position a ply from the root, and of the move made there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// What the evaluation says, unless a threat makes that idle.
    pub(super) score: Option<i32>,
    /// The gist of the move that is being searched, if it is a move and gists are wanted.
    pub(super) gist: Option<u32>,
    /// The side to move must answer something.
    pub(super) threatened: bool,
    /// The code of a move that is left out, to see what the others are worth.
    pub(super) without: Option<u32>,
}

/// Memory, move lists and the way from the root.
#[derive(Debug)]
pub(crate) struct State<G: Game> {
    pub(super) memory: Memory,
    pub(super) picker: Picker<G>,
    pub(super) plies: Vec<Ply>,
    pub(super) reductions: &'static Reductions,
}

impl<G: Game> State<G> {
    /// Small where another algorithm searches.
    pub(crate) fn new(game: &G, heuristics: &impl MoveOrder<G>, settings: &Settings) -> State<G> {
        let playing = settings.algorithm == Algorithm::Playing;
        let gists = if playing { heuristics.counter_move_keys(game) } else { 0 };
        State {
            memory: Memory::new(game, gists, settings.techniques),
            picker: Picker::new(settings.techniques.ranking),
            plies: Vec::new(),
            reductions: Reductions::usual(),
        }
    }

    /// Makes room for lines of this length.
    pub(super) fn reserve(&mut self, plies: usize) {
        if self.plies.len() < plies {
            self.plies.resize(plies, Ply::default());
        }
    }

    /// The moves that led to a ply.
    #[inline]
    pub(super) fn lately(&self, ply: usize) -> Lately {
        let gist = |back: usize| ply.checked_sub(back).and_then(|at| self.plies[at].gist);
        Lately([gist(1), gist(2)])
    }

    /// Whether the side to move is better off than at its turn before; yes, if the evaluation cannot say.
    #[inline]
    pub(super) fn improves(&self, ply: usize) -> bool {
        let score = |back: usize| ply.checked_sub(back).and_then(|at| self.plies[at].score);
        match (score(0), score(2).or_else(|| score(4))) {
            (Some(now), Some(before)) => !G::ALTERNATES || now > before,
            _ => true,
        }
    }
}
