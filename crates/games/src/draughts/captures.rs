//! Captures: every way in which a piece can go on jumping, walked depth first.
//!
//! Captured pieces stay on the board until the move is over. They block the way and are not
//! jumped twice; empty squares may be crossed again, and the square where the move began is empty.

use std::collections::BTreeSet;

use super::board::{BITS, DIAGONAL, EVERY, UP, before, bits, nearest};
use super::position::{Colour, Move};
use super::switches::{Landing, Majority, Promotion, Rules, Switches};

/// Takes the captures that are found.
pub(super) trait Catcher {
    /// Whether every way counts, also those that come to the same point as others before them.
    const EVERY_WAY: bool = false;

    /// Whether ways that differ only in where a king lands between two captures on one line count
    /// apart.
    const LANDINGS: bool = false;

    /// Takes one whole capture; another way to the same result may follow.
    fn caught(&mut self, m: Move, rank: Rank);
}

/// What decides which captures must be chosen: those of the highest rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u64);

impl Rank {
    /// Of a piece that may choose freely, whatever others can do.
    pub(super) const FREE: Rank = Rank(u64::MAX);
}

/// One piece that looks for captures, and what stands around it.
#[derive(Debug)]
pub(super) struct Hunter<'c, R, C, const WHITE: bool> {
    pub(super) rules: R,
    /// Where it starts, as the number of a bit.
    pub(super) from: u8,
    /// Whether it starts as a king.
    pub(super) king: bool,
    /// Empty squares, with the one where it starts.
    pub(super) empty: u64,
    /// The opponent's kings.
    pub(super) royals: u64,
    pub(super) catcher: &'c mut C,
    pub(super) been: Been,
}

/// Where a flying king has been, from so many captures on that it matters: a few positions have
/// billions of ways, but they come to the same points again and again.
#[derive(Debug, Default)]
pub(super) struct Been {
    legs: u32,
    points: BTreeSet<u64>,
}

impl Been {
    /// Far more than there are in any game.
    const MANY: u32 = 4096;

    /// Notes a capture over a piece; true if all that can follow has been seen.
    #[inline]
    fn again(&mut self, over: usize, direction: usize, captured: u64) -> bool {
        self.legs += 1;
        self.legs > Been::MANY
            && !self.points.insert(captured | ((over << 3 | direction) as u64) << BITS)
    }
}

/// How far a capture has got.
#[derive(Clone, Copy, Debug)]
struct Trail {
    /// What may still be captured.
    prey: u64,
    captured: u64,
    /// A bit for each piece in the order of capture, set for kings. Only where that matters.
    order: u64,
}

impl<R: Rules, C: Catcher, const WHITE: bool> Hunter<'_, R, C, WHITE> {
    /// All captures of this piece from where it starts; false if there are none.
    #[inline]
    pub(super) fn hunt(&mut self, prey: u64) -> bool {
        let trail = Trail { prey, captured: 0, order: 0 };
        let at = 1 << self.from;
        match (self.king, self.switches().flying) {
            (false, _) => self.jump_as_man(at, trail),
            (true, false) => self.jump_as_king(at, trail),
            (true, true) => self.fly(usize::from(self.from), trail),
        }
    }

    #[inline(always)]
    fn switches(&self) -> Switches {
        self.rules.switches()
    }

    /// Goes on as a man; false if it cannot.
    fn jump_as_man(&mut self, at: u64, trail: Trail) -> bool {
        let mut any = false;
        let prey = if self.switches().shielded { trail.prey & !self.royals } else { trail.prey };
        each_direction(self.switches(), |direction| {
            if self.switches().back || forward(colour(WHITE), direction) {
                let (over, to) = self.jump(at, direction, prey);
                if to != 0 {
                    any = true;
                    self.land_as_man(to, self.taken(trail, over));
                }
            }
        });
        any
    }

    /// After a jump as a man: crowned, going on, or done.
    #[inline]
    fn land_as_man(&mut self, to: u64, trail: Trail) {
        let last_row = to & self.switches().size.last_row(colour(WHITE)) != 0;
        let goes_on = match self.switches().promotion {
            Promotion::Stop if last_row => false,
            Promotion::Pass if last_row && self.switches().flying => {
                self.fly(to.trailing_zeros() as usize, trail)
            }
            Promotion::Pass if last_row => self.jump_as_king(to, trail),
            _ => self.jump_as_man(to, trail),
        };
        // A man that goes on as a king reports on its own; one that goes on as a man has left the row.
        if !goes_on {
            self.done(to, trail, last_row);
        }
    }

    /// Goes on as a king that jumps like a man; false if it cannot.
    fn jump_as_king(&mut self, at: u64, trail: Trail) -> bool {
        let mut any = false;
        each_direction(self.switches(), |direction| {
            let (over, to) = self.jump(at, direction, trail.prey);
            if to != 0 {
                any = true;
                let trail = self.taken(trail, over);
                if !self.jump_as_king(to, trail) {
                    self.done(to, trail, !self.king);
                }
            }
        });
        any
    }

    /// The piece jumped over and the square behind it, if there are such.
    #[inline]
    fn jump(&self, at: u64, direction: usize, prey: u64) -> (u64, u64) {
        let size = self.switches().size;
        let at = if direction & 3 == 3 { at & size.geometry().roomy[direction] } else { at };
        let over = size.step(at, direction) & prey;
        (over, size.step(over, direction) & self.empty)
    }

    /// Goes on as a flying king in every direction; false if it cannot.
    fn fly(&mut self, at: usize, trail: Trail) -> bool {
        let mut any = false;
        for direction in directions(self.switches()) {
            any |= self.fly_along(at, direction, trail);
        }
        any
    }

    /// Captures the first piece in a direction and goes on from behind it; false if it cannot.
    fn fly_along(&mut self, at: usize, direction: usize, trail: Trail) -> bool {
        let rays = &self.switches().size.geometry().rays;
        let over = nearest(rays[at][direction] & !self.empty, direction);
        if over & trail.prey == 0 {
            return false;
        }
        let behind = over.trailing_zeros() as usize;
        let beyond = rays[behind][direction];
        let landings = before(beyond, beyond & !self.empty, direction);
        if landings == 0 {
            return false;
        }
        let trail = self.taken(trail, over);
        let order_matters = self.switches().majority == Majority::Italian;
        if !C::EVERY_WAY && !order_matters && self.been.again(behind, direction, trail.captured) {
            return true;
        }
        // The next piece on the same line can be taken from every landing square: once is enough.
        let straight_on = !C::LANDINGS && self.fly_along(behind, direction, trail);
        let mut any = straight_on;
        for landing in bits(landings) {
            let mut from_here =
                straight_on || C::LANDINGS && self.fly_along(landing, direction, trail);
            for side in directions(self.switches()) {
                if side & 3 != direction & 3 {
                    from_here |= self.fly_along(landing, side, trail);
                }
            }
            if !from_here && self.switches().landing == Landing::Free {
                self.done(1 << landing, trail, !self.king);
            }
            any |= from_here;
        }
        if !any && self.switches().landing == Landing::Continue {
            for landing in bits(landings) {
                self.done(1 << landing, trail, !self.king);
            }
        }
        true
    }

    #[inline]
    fn taken(&self, trail: Trail, over: u64) -> Trail {
        let royal = u64::from(over & self.royals != 0);
        let order = match self.switches().majority {
            Majority::Italian => trail.order << 1 | royal,
            _ => 0,
        };
        Trail { prey: trail.prey & !over, captured: trail.captured | over, order }
    }

    #[inline]
    fn done(&mut self, to: u64, trail: Trail, crowns: bool) {
        let to = to.trailing_zeros() as u8;
        let m = Move { from: self.from, to, crowns, captured: trail.captured };
        let rank = self.rank(trail);
        self.catcher.caught(m, rank);
    }

    #[inline]
    fn rank(&self, trail: Trail) -> Rank {
        let pieces = u64::from(trail.captured.count_ones());
        let kings = || u64::from((trail.captured & self.royals).count_ones());
        let king = u64::from(self.king);
        match self.switches().majority {
            Majority::None => Rank::default(),
            Majority::Quantity => Rank(pieces),
            Majority::Quality => Rank(pieces << 6 | kings()),
            Majority::Kings if self.king => Rank(pieces),
            Majority::Kings => Rank::FREE,
            Majority::King => Rank(king),
            Majority::Italian => Rank(pieces << 58 | king << 57 | kings() << 51 | trail.order),
            Majority::Frisian => Rank((100 * pieces + 99 * kings()) << 1 | king),
        }
    }
}

/// The colour that the compiler knows.
#[inline(always)]
const fn colour(white: bool) -> Colour {
    if white { Colour::White } else { Colour::Black }
}

/// The directions in which pieces capture.
#[inline]
pub(super) fn directions(switches: Switches) -> impl Iterator<Item = usize> {
    let all: &[usize] = if switches.straight { &EVERY } else { &DIAGONAL };
    all.iter().copied()
}

/// The same written out, so that each direction is a constant in what is done with it.
#[inline(always)]
pub(super) fn each_direction(switches: Switches, mut each: impl FnMut(usize)) {
    each(DIAGONAL[0]);
    each(DIAGONAL[1]);
    each(DIAGONAL[2]);
    each(DIAGONAL[3]);
    if switches.straight {
        each(EVERY[4]);
        each(EVERY[5]);
        each(EVERY[6]);
        each(EVERY[7]);
    }
}

/// Whether a man of this colour gets nearer to its last row, or stays in its row.
#[inline]
pub(super) fn forward(colour: Colour, direction: usize) -> bool {
    let sideways = direction & 3 == 3;
    sideways || (direction >= UP) == (colour == Colour::White)
}

/// The pieces of a set that can jump over an adjacent piece, in any of the given directions.
#[inline(always)]
pub(super) fn jumpers(
    switches: Switches,
    pieces: u64,
    prey: u64,
    empty: u64,
    towards: impl Fn(usize) -> bool,
) -> u64 {
    let size = switches.size;
    let mut found = 0;
    each_direction(switches, |direction| {
        if towards(direction) {
            let behind = size.step_back(empty, direction);
            let mut able = size.step_back(behind & prey, direction);
            if direction & 3 == 3 {
                able &= size.geometry().roomy[direction];
            }
            found |= able;
        }
    });
    found & pieces
}
