//! Random games: at every turn each legal move with the same chance, the pass among them.
//!
//! A pick among the empty points is thrown away if it turns out illegal, and the next is made among
//! those left: what remains is fair, and most points never need looking at.

use game::{Game, Path, Rng};

use super::chains::survives;
use super::parameters::{Ko, Suicide};
use super::points::PointSet;
use super::position::{Go, Move, Position};
use super::shape::Shape;

impl<S: PointSet, R: Shape> Go<S, R> {
    /// One of the generated moves, each with the same chance.
    #[inline]
    pub(super) fn sample_move(&self, p: &Position<S>, rng: &mut Rng) -> Move {
        let empty = self.empties(p);
        let mut candidates = self.candidates(p);
        while let Some(bit) = pick_or_pass(candidates, rng) {
            let stone = S::single(bit);
            if self.parameters().suicide == Suicide::Yes || survives(stone, empty, p.own, p.other) {
                return Move::on_bit(bit);
            }
            candidates = candidates ^ stone;
        }
        Move::PASS
    }

    /// See [`Game::playout`].
    pub(super) fn random_game(&self, p: &mut Position<S>, path: &mut Path, rng: &mut Rng) -> i32 {
        let mut seen = Seen::of(path);
        let mut key = self.path_key(p);
        loop {
            if let Some(margin) = self.margin(p) {
                return margin;
            }
            if self.parameters().ko == Ko::Basic && seen.holds(key, path) {
                return 0;
            }
            seen.insert(key);
            path.push(key);
            key = self.random_move(p, &seen, path, rng);
        }
    }

    /// Makes a move that superko allows, too, and gives the key of what it leads to.
    #[inline]
    fn random_move(&self, p: &mut Position<S>, seen: &Seen, path: &Path, rng: &mut Rng) -> u64 {
        let mut candidates = self.candidates(p);
        while let Some(bit) = pick_or_pass(candidates, rng) {
            let mut next = *p;
            if self.place(&mut next, bit).is_some() {
                let key = self.path_key(&next);
                if self.parameters().ko == Ko::Basic || !seen.holds(key, path) {
                    *p = next;
                    return key;
                }
            }
            candidates = candidates ^ S::single(bit);
        }
        self.pass(p);
        self.path_key(p)
    }

    /// The empty points but for the ko.
    #[inline]
    pub(super) fn candidates(&self, p: &Position<S>) -> S {
        let empty = self.empties(p);
        match p.ko() {
            Some(bit) => empty & !S::single(bit),
            None => empty,
        }
    }
}

/// A point of the set or a pass, each with the same chance.
#[inline]
fn pick_or_pass<S: PointSet>(candidates: S, rng: &mut Rng) -> Option<usize> {
    let points = candidates.len();
    let n = rng.below(points + 1);
    (n < points).then(|| candidates.nth(n))
}

/// Which keys a path may hold, as bits: most boards are new, and then the path need not be read.
struct Seen([u64; Seen::WORDS]);

impl Seen {
    /// Large enough for long games on 19x19, small enough to clear for each game.
    const WORDS: usize = 256;

    fn of(path: &Path) -> Seen {
        let mut seen = Seen([0; Seen::WORDS]);
        for key in path.newest_first() {
            seen.insert(key);
        }
        seen
    }

    #[inline]
    fn insert(&mut self, key: u64) {
        self.0[Seen::word(key)] |= 1 << (key % 64);
    }

    #[inline]
    fn holds(&self, key: u64, path: &Path) -> bool {
        self.0[Seen::word(key)] >> (key % 64) & 1 == 1 && path.count(key) > 0
    }

    #[inline]
    fn word(key: u64) -> usize {
        (key >> 32) as usize % Seen::WORDS
    }
}
