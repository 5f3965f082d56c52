//! [`Groups`]: legal moves as they are found, in sets, to draw one of them.

use super::attacks::nth_bit;
use super::board::Kind;
use super::moves::{Collect, origin};
use super::position::{Move, Special};

/// One for each piece, and a few more: single moves, and pawns by step.
const MOST: usize = 64 + 16;

/// Legal moves in sets, with their number.
pub(super) struct Groups {
    // Apart, so that both begin as zeros, which is cheap.
    targets: [u64; MOST],
    starts: [Start; MOST],
    length: usize,
    count: usize,
}

/// The moves to a set of squares.
#[derive(Clone, Copy)]
struct Group {
    targets: u64,
    /// The square all come from, or how far each comes.
    start: Start,
}

#[derive(Clone, Copy)]
enum Start {
    Square(u8),
    Pawns(i8, Special),
    Promotions(i8),
    One(Move),
}

impl Groups {
    #[inline]
    pub(super) fn new() -> Groups {
        Groups { targets: [0; MOST], starts: [Start::Square(0); MOST], length: 0, count: 0 }
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The move with a number below [`count`](Groups::count).
    #[inline]
    pub(super) fn nth(&self, mut n: usize) -> Move {
        debug_assert!(n < self.count);
        let mut at = 0;
        while n >= self.group(at).count() {
            n -= self.group(at).count();
            at += 1;
        }
        self.group(at).nth(n)
    }

    #[inline]
    fn group(&self, at: usize) -> Group {
        Group { targets: self.targets[at], start: self.starts[at] }
    }

    #[inline]
    fn add(&mut self, group: Group) {
        if group.targets != 0 {
            (self.targets[self.length], self.starts[self.length]) = (group.targets, group.start);
            self.length += 1;
            self.count += group.count();
        }
    }
}

impl Group {
    #[inline]
    fn count(&self) -> usize {
        let squares = self.targets.count_ones() as usize;
        match self.start {
            Start::Promotions(_) => Kind::PROMOTIONS.len() * squares,
            _ => squares,
        }
    }

    #[inline]
    fn nth(&self, n: usize) -> Move {
        let to = |n| nth_bit(self.targets, n);
        match self.start {
            Start::Square(from) => Move::new(from.into(), to(n), Special::None),
            Start::Pawns(step, special) => Move::new(origin(to(n), step.into()), to(n), special),
            Start::Promotions(step) => {
                let to = to(n / Kind::PROMOTIONS.len());
                let kind = Kind::PROMOTIONS[n % Kind::PROMOTIONS.len()];
                Move::new(origin(to, step.into()), to, Special::Promotion(kind))
            }
            Start::One(m) => m,
        }
    }
}

impl Collect for Groups {
    #[inline]
    fn piece(&mut self, from: usize, targets: u64) {
        self.add(Group { targets, start: Start::Square(from as u8) });
    }

    #[inline]
    fn pawns(&mut self, targets: u64, step: i32, special: Special) {
        self.add(Group { targets, start: Start::Pawns(step as i8, special) });
    }

    #[inline]
    fn promotions(&mut self, targets: u64, step: i32) {
        self.add(Group { targets, start: Start::Promotions(step as i8) });
    }

    #[inline]
    fn one(&mut self, m: Move) {
        self.add(Group { targets: 1 << m.to(), start: Start::One(m) });
    }
}
