//! [`Go`]: the rules.

use std::hash::{Hash, Hasher};

use game::{Game, MarginStep, MoveSink, Path, Recall, Rng, Side, Square, WinningSets, mix};

use super::chains::{Removed, placed, survives};
use super::parameters::{Ko, Parameters, Scoring, Suicide};
use super::points::{PointSet, WORDS, bit_of, bits, board_points, board_words, square_of};
use super::shape::{ForPlayouts, Shape};

/// A point by the number of its bit in the layout of one word, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// No stone. Always legal; two in a row end the game.
    pub const PASS: Move = Move(SLOTS as u16 - 1);

    #[inline]
    pub(super) fn on_bit(bit: usize) -> Move {
        debug_assert!(bit + 1 < SLOTS);
        Move(bit as u16)
    }

    /// The number of the bit of its point in the layout of [`PointSet`]; `None` for a pass.
    #[inline]
    #[must_use]
    pub fn bit(self) -> Option<usize> {
        (self != Move::PASS).then_some(usize::from(self.0))
    }
}

/// More than the bits of the widest word.
const SLOTS: usize = 512;

/// Where no stone may be placed for the ko's sake, if anywhere.
pub(super) const NO_KO: u16 = u16::MAX;

/// Prisoners are counted up to this number; more make no difference.
pub(super) const MOST_PRISONERS: u16 = 9_999;

/// Stones as seen by the side to move, so that moves need not ask whose they are.
#[derive(Clone, Copy, Debug)]
pub struct Position<S> {
    pub(super) own: S,
    pub(super) other: S,
    /// Stones each side has captured, by [`Side::index`]. Kept at 0 unless they count.
    pub(super) prisoners: [u16; 2],
    /// The bit of the point that may not be retaken, under [`Ko::Basic`].
    pub(super) ko: u16,
    /// At least so many of the last boards had fewer stones, or the same ones before a pass. No part
    /// of what the position is: it just saves looking there for a repetition.
    pub(super) quiet: u16,
    pub(super) side: Side,
    /// Passes just made, one after the other; 2 end the game.
    pub(super) passes: u8,
}

impl<S: PointSet> Position<S> {
    /// The stones of one player.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> S {
        if side == self.side { self.own } else { self.other }
    }

    /// How many passes were just made, one after the other.
    #[inline]
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// How many stones one player has captured; 0 where that does not count.
    #[inline]
    #[must_use]
    pub fn prisoners(&self, side: Side) -> u16 {
        self.prisoners[side.index()]
    }

    /// Where no stone may be placed for the ko's sake, by its bit.
    #[inline]
    #[must_use]
    pub fn ko(&self) -> Option<usize> {
        (self.ko != NO_KO).then_some(usize::from(self.ko))
    }

    /// Everything but what is left out of comparisons.
    #[inline]
    fn parts(&self) -> (S, S, [u16; 2], u16, Side, u8) {
        (self.own, self.other, self.prisoners, self.ko, self.side, self.passes)
    }
}

impl<S: PointSet> PartialEq for Position<S> {
    fn eq(&self, other: &Position<S>) -> bool {
        self.parts() == other.parts()
    }
}

impl<S: PointSet> Eq for Position<S> {}

impl<S: PointSet> Hash for Position<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

/// What was taken off the board, and what the move forgot.
#[derive(Clone, Copy, Debug)]
pub struct Undo<S> {
    removed: Removed<S>,
    prisoners: [u16; 2],
    ko: u16,
    quiet: u16,
    passes: u8,
}

/// The rules of Go on one board, with points kept in words of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Go<S, R = Parameters> {
    shape: R,
    points: S,
}

impl<S: PointSet> Go<S> {
    /// The game with these parameters.
    ///
    /// # Panics
    /// Where the board does not fit the word: [`Parameters::storage`] names one that it fits.
    #[must_use]
    pub fn new(parameters: Parameters) -> Go<S> {
        Go::from_shape(parameters)
    }
}

impl<S: PointSet, R: Shape> Go<S, R> {
    /// The game of this shape.
    ///
    /// # Panics
    /// Where the board does not fit the word: [`Parameters::storage`] names one that it fits.
    #[must_use]
    pub fn from_shape(shape: R) -> Go<S, R> {
        let size = shape.parameters().size();
        assert!(S::fits(size), "a {}x{} board does not fit the word", size.rows, size.columns);
        Go { shape, points: board_points(size) }
    }

    /// The same board for games that nobody takes at their word.
    #[inline]
    pub(super) fn for_playouts(&self) -> Go<S, ForPlayouts<R>> {
        Go { shape: ForPlayouts(self.shape), points: self.points }
    }

    /// What was chosen.
    #[inline]
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.shape.parameters()
    }

    /// All points of the board.
    #[inline]
    #[must_use]
    pub fn points(&self) -> S {
        match R::FIXED {
            Some(_) => S::of_words(const { fixed_words::<S, R>() }),
            None => self.points,
        }
    }

    /// The points without a stone.
    #[inline]
    #[must_use]
    pub fn empties(&self, p: &Position<S>) -> S {
        self.points() & !(p.own | p.other)
    }

    /// A stone on a point of the board.
    #[must_use]
    pub fn move_at(&self, square: Square) -> Move {
        Move::on_bit(bit_of::<S>(square))
    }

    /// Where the stone goes; `None` for a pass.
    #[must_use]
    pub fn square(&self, m: Move) -> Option<Square> {
        m.bit().map(square_of::<S>)
    }

    /// The points where the side to move may place a stone but for `recall`.
    #[inline]
    #[must_use]
    pub fn placements(&self, p: &Position<S>) -> S {
        let empty = self.empties(p);
        let mut placements = empty;
        if self.parameters().suicide == Suicide::No {
            for bit in bits(empty & !empty.around()) {
                let stone = S::single(bit);
                if !survives(stone, empty, p.own, p.other) {
                    placements = placements ^ stone;
                }
            }
        }
        match p.ko() {
            Some(bit) => placements & !S::single(bit),
            None => placements,
        }
    }

    /// Places a stone and changes sides. Nothing happens where that would be illegal suicide.
    #[inline]
    pub(super) fn place(&self, p: &mut Position<S>, bit: usize) -> Option<Removed<S>> {
        let (stone, empty) = (S::single(bit), self.empties(p));
        debug_assert!((stone & empty).any(), "{bit} is taken or off the board");
        let removed = placed(stone, empty, p.own, p.other);
        let (mut own, mut other) = (p.own | stone, p.other);
        let taken = match removed {
            Removed::Other(captured) => {
                other = other & !captured;
                p.ko = self.ko_after(stone, captured, other);
                captured
            }
            Removed::Own(_) if self.parameters().suicide == Suicide::No => return None,
            Removed::Own(chain) => {
                own = own & !chain;
                p.ko = NO_KO;
                chain
            }
        };
        if taken.any() {
            self.count_prisoners(p, removed, taken.len());
            p.quiet = 0;
        } else {
            p.quiet = p.quiet.saturating_add(1);
        }
        p.own = other;
        p.other = own;
        p.side = p.side.other();
        p.passes = 0;
        Some(removed)
    }

    /// No stone, and the other side's turn.
    #[inline]
    pub(super) fn pass(&self, p: &mut Position<S>) {
        std::mem::swap(&mut p.own, &mut p.other);
        p.ko = NO_KO;
        p.quiet = p.quiet.saturating_add(1);
        p.side = p.side.other();
        p.passes += 1;
    }

    /// All of a position but its stones, for its key.
    #[inline]
    pub(super) fn turn(&self, p: &Position<S>) -> u64 {
        // Only the difference in prisoners decides anything.
        let prisoners = u64::from(p.prisoners[0].wrapping_sub(p.prisoners[1]));
        prisoners << 32 | u64::from(p.ko) << 8 | u64::from(p.passes) << 1 | p.side as u64
    }

    /// The ko point that a stone leaves which just captured: alone and with the only liberty where the
    /// only stone was.
    #[inline]
    fn ko_after(&self, stone: S, captured: S, other: S) -> u16 {
        if self.parameters().ko != Ko::Basic || captured.is_empty() {
            return NO_KO;
        }
        let near = stone.around() & self.points();
        let alone = captured.without_lowest().is_empty() && near & !other == captured;
        if alone { captured.lowest() as u16 } else { NO_KO }
    }

    #[inline]
    fn count_prisoners(&self, p: &mut Position<S>, removed: Removed<S>, taken: usize) {
        if self.parameters().scoring == Scoring::Area {
            return;
        }
        let taker = match removed {
            Removed::Other(_) => p.side,
            Removed::Own(_) => p.side.other(),
        };
        let count = &mut p.prisoners[taker.index()];
        *count = (*count + taken as u16).min(MOST_PRISONERS);
    }
}

/// The points of a board that the compiler knows.
const fn fixed_words<S: PointSet, R: Shape>() -> [u64; WORDS] {
    match R::FIXED {
        Some(parameters) => board_words(parameters.size(), S::STRIDE),
        None => [0; WORDS],
    }
}

/// The key of a position by its parts.
#[inline]
pub(super) fn key_of<S: PointSet>(black: S, white: S, turn: u64) -> u64 {
    mix(black.fingerprint(white) ^ turn)
}

impl<S: PointSet, R: Shape> Game for Go<S, R> {
    type Position = Position<S>;
    type Move = Move;
    type Undo = Undo<S>;

    const ALTERNATES: bool = true;
    const GETS_STUCK: bool = false;
    const CANONICAL: bool = true;

    fn start(&self) -> Position<S> {
        Position {
            own: S::default(),
            other: S::default(),
            prisoners: [0; 2],
            ko: NO_KO,
            quiet: 0,
            side: Side::First,
            passes: 0,
        }
    }

    #[inline]
    fn to_move(&self, p: &Position<S>) -> Side {
        p.side
    }

    #[inline]
    fn generate(&self, p: &Position<S>, out: &mut impl MoveSink<Move>) {
        for bit in bits(self.placements(p)) {
            out.push(Move::on_bit(bit));
        }
        out.push(Move::PASS);
    }

    #[inline]
    fn margin(&self, p: &Position<S>) -> Option<i32> {
        (p.passes == 2).then(|| self.final_margin(p))
    }

    /// Cannot happen: a pass is always legal.
    fn stuck(&self, _: &Position<S>) -> i32 {
        0
    }

    /// In half points.
    fn margin_scale(&self) -> i32 {
        2
    }

    fn margin_limit(&self) -> i32 {
        let points = self.parameters().size().squares() as i32;
        let most = match self.parameters().scoring {
            Scoring::Area => points,
            // A dead stone counts as a prisoner and leaves a surrounded point.
            Scoring::Territory(_) => 2 * points + i32::from(MOST_PRISONERS),
        };
        2 * most + self.parameters().komi.halves().abs()
    }

    /// Points are whole, so that komi decides whether there are half points. Points may be neutral:
    /// their number says nothing. A basic ko that ends the game at 0 is not asked about komi.
    fn margin_step(&self) -> MarginStep {
        let Parameters { ko, komi, .. } = self.parameters();
        match (ko, komi.halves() % 2) {
            (_, 0) => MarginStep::new(2, 0),
            (Ko::Basic, _) => MarginStep::ONE,
            (Ko::Positional | Ko::Situational, _) => MarginStep::new(2, 1),
        }
    }

    #[inline]
    fn make(&self, p: &mut Position<S>, m: Move) -> Undo<S> {
        debug_assert!(m == Move::PASS || m.bit() != p.ko(), "{m:?} retakes a ko at once");
        let Position { prisoners, ko, quiet, passes, .. } = *p;
        let removed = match m.bit() {
            Some(bit) => self.place(p, bit),
            None => {
                self.pass(p);
                Some(Removed::Other(S::default()))
            }
        };
        debug_assert!(removed.is_some(), "{m:?} is suicide");
        let removed = removed.unwrap_or(Removed::Other(S::default()));
        Undo { removed, prisoners, ko, quiet, passes }
    }

    #[inline]
    fn unmake(&self, p: &mut Position<S>, m: Move, undo: Undo<S>) {
        p.side = p.side.other();
        let (mut own, mut other) = (p.other, p.own);
        match undo.removed {
            Removed::Other(captured) => other = other | captured,
            Removed::Own(chain) => own = own | chain,
        }
        if let Some(bit) = m.bit() {
            own = own & !S::single(bit);
        }
        p.own = own;
        p.other = other;
        p.prisoners = undo.prisoners;
        p.ko = undo.ko;
        p.quiet = undo.quiet;
        p.passes = undo.passes;
    }

    #[inline]
    fn key(&self, p: &Position<S>) -> u64 {
        key_of(p.stones(Side::First), p.stones(Side::Second), self.turn(p))
    }

    #[inline]
    fn path_key(&self, p: &Position<S>) -> u64 {
        let board = p.stones(Side::First).fingerprint(p.stones(Side::Second));
        match self.parameters().ko {
            Ko::Positional => board,
            Ko::Situational | Ko::Basic => board ^ p.side as u64,
        }
    }

    fn looks_back(&self) -> bool {
        true
    }

    #[inline]
    fn recall(&self, p: &Position<S>, path: &Path) -> Recall {
        let (exempt, verdict) = match self.parameters().ko {
            Ko::Positional | Ko::Situational => (p.passes > 0, Recall::Forbidden),
            Ko::Basic => (p.passes == 2, Recall::Over(0)),
        };
        if exempt || usize::from(p.quiet) >= path.len() {
            return Recall::Fresh;
        }
        let key = self.path_key(p);
        // Counting all is quicker than stopping at the first: it takes four at a time.
        let older = path.newest_first().skip(p.quiet.into());
        if older.filter(|&k| k == key).count() > 0 { verdict } else { Recall::Fresh }
    }

    fn slots(&self) -> usize {
        SLOTS
    }

    #[inline]
    fn slot(&self, m: Move) -> usize {
        usize::from(m.0)
    }

    #[inline]
    fn code(&self, m: Move) -> u32 {
        u32::from(m.0)
    }

    #[inline]
    fn count(&self, p: &Position<S>) -> usize {
        self.placements(p).len() + 1
    }

    #[inline]
    fn sample(&self, p: &Position<S>, rng: &mut Rng) -> Option<Move> {
        Some(self.sample_move(p, rng))
    }

    #[inline]
    fn playout(&self, p: &mut Position<S>, path: &mut Path, rng: &mut Rng) -> i32 {
        self.random_game(p, path, rng)
    }

    fn symmetries(&self) -> usize {
        self.parameters().size().symmetries()
    }

    #[inline]
    fn transform(&self, p: &Position<S>, symmetry: usize) -> Position<S> {
        self.image(p, symmetry)
    }

    #[inline]
    fn transform_move(&self, _: &Position<S>, m: Move, symmetry: usize) -> Move {
        self.image_of_move(m, symmetry)
    }

    #[inline]
    fn canonical(&self, p: &Position<S>) -> (u64, usize) {
        self.smallest_image(p)
    }
}

impl<S: PointSet, R: Shape> WinningSets for Go<S, R> {}
