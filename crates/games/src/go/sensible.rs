//! Random games with a little sense, for searches that judge a position by them.
//!
//! Whoever moves takes the stone just played if it is in atari, saves chains that it put in atari, plays
//! beside it where that makes a good shape, now and then answers nearby, and else plays anywhere. Nobody fills
//! a true eye or puts many stones into atari; who has nothing else left passes. So a game ends when all that
//! can be captured is captured, and what is left on the board is alive: stones with two eyes and sekis.
//!
//! These games are guesses, not rules: only the simple ko is heeded, and a game that goes round in circles is
//! cut off.

use evaluation::TWIN;
use game::{Game, Rng, Side};

use super::chains::{Removed, flood, placed, surrounded, survives};
use super::parameters::Scoring;
use super::patterns::{Shapes, Surroundings};
use super::points::{PointSet, bits};
use super::position::{Go, Move, Position};
use super::shape::Shape;

/// A game is cut off after so many moves for each point of the board.
const LONGEST: usize = 3;
/// One in so many moves is played near the last one.
const NEARBY: usize = 2;
/// So many stones in atari are worth more than what they could kill by filling an eye from within: no
/// dead shape has more than six points.
const TOO_MANY: usize = 5;

impl<S: PointSet, R: Shape> Go<S, R> {
    /// See [`Playouts::playout`](evaluation::Playouts::playout).
    ///
    /// Where territory counts the moves made here are free of charge, since real players would agree
    /// instead: stones placed in vain then cost nothing.
    pub(super) fn sensible_game(
        &self,
        p: &mut Position<S>,
        last: Option<Move>,
        rng: &mut Rng,
        saw: &mut impl FnMut(Side, Move),
    ) -> i32 {
        let rules = self.for_playouts();
        let placed_before = match self.parameters().scoring {
            Scoring::Area => 0,
            Scoring::Territory(_) => placed_so_far(p, Side::First) - placed_so_far(p, Side::Second),
        };
        let mut last = last.and_then(Move::bit);
        for _ in 0..LONGEST * self.points().len() {
            if p.passes == 2 {
                break;
            }
            let mover = p.side;
            last = rules.sensible_move(p, last, rng);
            saw(mover, last.map_or(Move::PASS, Move::on_bit));
        }
        self.area_margin(p) - 2 * placed_before
    }

    /// Makes a move, and gives the bit of the stone unless it is a pass.
    fn sensible_move(
        &self,
        p: &mut Position<S>,
        last: Option<usize>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let candidates = self.candidates(p);
        if let Some(last) = last.map(S::single) {
            let urgent = self.urgent(p, last) & candidates;
            if urgent.any() {
                let bit = urgent.nth(rng.below(urgent.len()));
                if self.place(p, bit).is_some() {
                    return Some(bit);
                }
            }
            let near = (last.around() | last.upright().sideways()) & candidates;
            if let Some(bit) = self.fitting(p, near, rng) {
                self.place(p, bit);
                return Some(bit);
            }
            if near.any() && rng.below(NEARBY) == 0 {
                let bit = near.nth(rng.below(near.len()));
                if self.is_sensible(p, bit) && self.place(p, bit).is_some() {
                    return Some(bit);
                }
            }
        }
        self.anywhere(p, candidates, rng)
    }

    fn anywhere(&self, p: &mut Position<S>, mut candidates: S, rng: &mut Rng) -> Option<usize> {
        while candidates.any() {
            let bit = candidates.nth(rng.below(candidates.len()));
            if self.is_sensible(p, bit) && self.place(p, bit).is_some() {
                return Some(bit);
            }
            candidates = candidates ^ S::single(bit);
        }
        self.pass(p);
        None
    }

    /// One of these points that makes a good shape, if there is any.
    #[inline]
    fn fitting(&self, p: &Position<S>, points: S, rng: &mut Rng) -> Option<usize> {
        let shapes = Shapes::get();
        let fits = |&bit: &usize| shapes.holds(self.surroundings(p, bit));
        let mut fitting =
            bits(points).filter(fits).fold(S::default(), |all, bit| all | S::single(bit));
        while fitting.any() {
            let bit = fitting.nth(rng.below(fitting.len()));
            let stone = S::single(bit);
            if self.is_sensible(p, bit) && survives(stone, self.empties(p), p.own, p.other) {
                return Some(bit);
            }
            fitting = fitting ^ stone;
        }
        None
    }

    /// What lies around an empty point.
    #[inline]
    fn surroundings(&self, p: &Position<S>, bit: usize) -> Surroundings {
        let outside = !self.points().block(bit);
        let ring = |set: S| {
            let block = set.block(bit) | outside;
            block & 0xf | block >> 1 & 0xf0
        };
        ring(p.own) | ring(p.other) << 8
    }

    /// Points that take the last stone or save what it put in atari.
    pub(super) fn urgent(&self, p: &Position<S>, last: S) -> S {
        let empty = self.empties(p);
        let mut points = S::default();
        if let Some(liberty) = only_liberty(flood(last, p.other), empty) {
            points = points | liberty;
        }
        let mut touched = last.around() & p.own;
        while touched.any() {
            let chain = flood(S::single(touched.lowest()), p.own);
            touched = touched & !chain;
            if let Some(liberty) = only_liberty(chain, empty) {
                points = points | self.rescues(p, chain, liberty);
            }
        }
        points
    }

    /// Points that save a chain in atari: its liberty, if that leads to two, and the liberties of chains
    /// around it that are in atari themselves.
    fn rescues(&self, p: &Position<S>, chain: S, liberty: S) -> S {
        let empty = self.empties(p);
        let longer = flood(liberty, p.own | liberty);
        let escapes = (longer.around() & (empty ^ liberty)).without_lowest().any();
        let mut points = if escapes { liberty } else { S::default() };
        let mut hunters = chain.around() & p.other;
        while hunters.any() {
            let hunter = flood(S::single(hunters.lowest()), p.other);
            hunters = hunters & !hunter;
            points = points | only_liberty(hunter, empty).unwrap_or_default();
        }
        points
    }

    /// Whether a stone on an empty point neither fills a true eye nor gives many stones away.
    #[inline]
    fn is_sensible(&self, p: &Position<S>, bit: usize) -> bool {
        let stone = S::single(bit);
        let rest = self.empties(p) ^ stone;
        // Two empty points beside it are two liberties.
        if (stone.around() & rest).without_lowest().any() {
            return true;
        }
        if self.is_eye(p, stone) {
            return false;
        }
        let chain = flood(stone, p.own | stone);
        (chain.around() & rest).without_lowest().any()
            || chain.len() < TOO_MANY
            || self.captures(p, stone).any()
    }

    /// What a stone would take.
    fn captures(&self, p: &Position<S>, stone: S) -> S {
        match placed(stone, self.empties(p), p.own, p.other) {
            Removed::Other(captured) => captured,
            Removed::Own(_) => S::default(),
        }
    }

    /// The first player's margin in half points by stones and surrounded points.
    fn area_margin(&self, p: &Position<S>) -> i32 {
        let (black, white) = (p.stones(Side::First), p.stones(Side::Second));
        let (blacks, whites) = surrounded(self.empties(p), black, white);
        let points = (black | blacks).len() as i32 - (white | whites).len() as i32;
        2 * points - self.parameters().komi.halves()
    }
}

/// How many stones a side has placed since the board was empty.
fn placed_so_far<S: PointSet>(p: &Position<S>, side: Side) -> i32 {
    p.stones(side).len() as i32 + i32::from(p.prisoners(side.other()))
}

/// The liberty of a chain that has just one.
#[inline]
fn only_liberty<S: PointSet>(chain: S, empty: S) -> Option<S> {
    let liberties = chain.around() & empty;
    (liberties.any() && liberties.without_lowest().is_empty()).then_some(liberties)
}

/// What a move looks like before it is tried, from -1 to 1.
mod looks {
    pub(super) const FILLS_EYE: f32 = -1.0;
    /// For each stone: one alone is often thrown in for good reason.
    pub(super) const GIVES_AWAY_EACH: f32 = -0.1;
    pub(super) const PASSES: f32 = -0.4;
    pub(super) const AT_EDGE: f32 = -0.3;
    pub(super) const NEAR_LAST: f32 = 0.15;
    pub(super) const GIVES_ATARI: f32 = 0.15;
    pub(super) const TAKES: f32 = 0.4;
    pub(super) const TAKES_EACH: f32 = 0.1;
    pub(super) const SAVES: f32 = 0.5;
}

impl<S: PointSet, R: Shape> Go<S, R> {
    /// See [`Playouts::prior`](evaluation::Playouts::prior).
    pub(super) fn first_looks(
        &self,
        p: &Position<S>,
        last: Option<Move>,
        moves: &[Move],
        looks: &mut [f32],
    ) {
        let last = last.and_then(Move::bit).map(S::single);
        let urgent = last.map_or(S::default(), |last| self.urgent(p, last));
        let near = last.map_or(S::default(), |last| last.around() | last.upright().sideways());
        for (m, look) in moves.iter().zip(&mut *looks) {
            *look = match m.bit().map(S::single) {
                None => looks::PASSES,
                Some(stone) => self.first_look(p, stone, urgent, near).clamp(-1.0, 1.0),
            };
        }
        self.mark_twins(p, moves, looks);
    }

    /// One of all listed moves that are images of each other is enough as long as nobody has
    /// answered the first
    /// stone: later the boards that superko forbids may tell them apart.
    fn mark_twins(&self, p: &Position<S>, moves: &[Move], looks: &mut [f32]) {
        let stones = (p.own | p.other).len();
        if stones > 1 || usize::from(p.quiet) < stones {
            return;
        }
        for symmetry in (1..self.symmetries()).filter(|&s| self.transform(p, s) == *p) {
            for (&m, look) in moves.iter().zip(&mut *looks) {
                let image = self.transform_move(p, m, symmetry);
                if image < m && moves.contains(&image) {
                    *look = TWIN;
                }
            }
        }
    }

    fn first_look(&self, p: &Position<S>, stone: S, urgent: S, near: S) -> f32 {
        if self.is_eye(p, stone) {
            return looks::FILLS_EYE;
        }
        let empty = self.empties(p);
        let mut look = 0.0;
        let captured = self.captures(p, stone);
        if captured.any() {
            look += looks::TAKES + looks::TAKES_EACH * captured.len() as f32;
        } else {
            let chain = flood(stone, p.own | stone);
            let liberties = chain.around() & (empty ^ stone);
            if liberties.without_lowest().is_empty() {
                return looks::GIVES_AWAY_EACH * chain.len() as f32;
            }
        }
        if (stone & urgent).any() {
            look += looks::SAVES;
        }
        if (stone & near).any() {
            look += looks::NEAR_LAST;
        }
        let neighbours = stone.around() & self.points();
        if self.gives_atari(p, stone) {
            look += looks::GIVES_ATARI;
        }
        let at_edge = neighbours.len() < 4;
        let alone = ((neighbours | stone.upright().sideways()) & (p.own | p.other)).is_empty();
        if at_edge && alone {
            look += looks::AT_EDGE;
        }
        look
    }

    /// Whether a stone leaves one liberty to a chain beside it.
    fn gives_atari(&self, p: &Position<S>, stone: S) -> bool {
        let rest = self.empties(p) ^ stone;
        let mut touched = stone.around() & p.other;
        while touched.any() {
            let chain = flood(S::single(touched.lowest()), p.other);
            touched = touched & !chain;
            if only_liberty(chain, rest).is_some() {
                return true;
            }
        }
        false
    }
}
