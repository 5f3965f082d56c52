//! [`Path`]: the positions a game went through, for the rules that look back.

use crate::rules::Game;

/// The [`path_key`](crate::Game::path_key)s of the positions before the current one, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    keys: Vec<u64>,
}

impl Path {
    /// A game that has just begun.
    #[must_use]
    pub fn new() -> Path {
        Path::default()
    }

    /// A position is left by a move.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// The move is taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Another game begins.
    #[inline]
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// How many positions came before.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the game is at its first position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The earlier positions, newest first: a rule that stops at an irreversible move stops early.
    pub fn newest_first(&self) -> impl Iterator<Item = u64> + '_ {
        self.keys.iter().rev().copied()
    }

    /// The newest so many of the earlier positions, or all, oldest first.
    #[must_use]
    #[inline]
    pub fn newest(&self, most: usize) -> &[u64] {
        &self.keys[self.keys.len().saturating_sub(most)..]
    }

    /// How often a position occurred before.
    #[must_use]
    pub fn count(&self, key: u64) -> usize {
        self.newest_first().filter(|&k| k == key).count()
    }
}

/// Whether the rules that look back have nothing against a generated move.
pub fn allows<G: Game>(game: &G, p: &G::Position, path: &Path, m: G::Move) -> bool {
    if !game.looks_back() {
        return true;
    }
    let (mut position, mut path) = (p.clone(), path.clone());
    path.push(game.path_key(&position));
    game.make(&mut position, m);
    game.recall(&position, &path) != Recall::Forbidden
}

/// What the rules that look back say of a position just reached. Margins are the first player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recall {
    /// Nothing: the position alone decides.
    Fresh,
    /// The move that led here was illegal (superko).
    Forbidden,
    /// The side to move may end the game at this margin, or play on (threefold repetition).
    Claim(i32),
    /// The game is over at this margin (fivefold repetition, 75 moves).
    Over(i32),
}
