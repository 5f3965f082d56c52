//! What one side's pieces are worth: sets of squares, counted and weighed.
//!
//! **Invariant:** both sides go through the same code, compiled for each of them, so that a position with
//! the colours swapped has the opposite worth.

use game::{Side, Tapered};

use super::weights::Weights;
use crate::chess::attacks;
use crate::chess::board::{Board, Kind, bits};
use crate::chess::moves::{Black, Colour, White, sideways};

/// White's terms less Black's.
#[inline]
pub(super) fn balance(weights: &Weights, board: &Board) -> Tapered {
    let (white, black) = (Camp::new::<White>(board), Camp::new::<Black>(board));
    let scene = Scene { weights, board, occupied: board.occupied() };
    scene.worth::<White>(&white, &black) - scene.worth::<Black>(&black, &white)
}

/// How much of the opening is left: what the pieces count, kings and pawns aside.
#[inline]
pub(super) fn phase(weights: &Weights, board: &Board) -> i32 {
    let pieces = OFFICERS.into_iter().zip(weights.phase);
    let phase: i32 = pieces.map(|(kind, share)| share * count(board.all(kind))).sum();
    phase.min(weights.opening_phase)
}

/// The index of a square in tables made for White.
#[inline]
pub(super) fn seen_by(side: Side, bit: usize) -> usize {
    match side {
        Side::First => bit,
        Side::Second => bit ^ 56,
    }
}

/// All but pawns and kings.
const OFFICERS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// What both sides want to know of one.
struct Camp {
    own: u64,
    pawns: u64,
    /// The squares its pawns attack.
    guarded: u64,
    king: usize,
}

impl Camp {
    #[inline]
    fn new<Us: Colour>(board: &Board) -> Camp {
        let own = board.of(Us::SIDE);
        let pawns = own & board.all(Kind::Pawn);
        Camp { own, pawns, guarded: sideways(Us::ahead(pawns)), king: board.king(Us::SIDE) }
    }
}

struct Scene<'a> {
    weights: &'a Weights,
    board: &'a Board,
    occupied: u64,
}

impl Scene<'_> {
    #[inline]
    fn worth<Us: Colour>(&self, us: &Camp, them: &Camp) -> Tapered {
        let weights = self.weights;
        let exposed = us.own & !us.pawns & them.guarded;
        let king = 1 << us.king;
        let shelter = Us::ahead(king | sideways(king));
        self.pawns::<Us>(us, them)
            + self.officers::<Us>(us, them)
            + weights.squares[Weights::place(Kind::King)][seen_by(Us::SIDE, us.king)]
            + weights.shield[0] * count(us.pawns & shelter)
            + weights.shield[1] * count(us.pawns & Us::ahead(shelter))
            + weights.threatened * count(exposed)
    }

    #[inline]
    fn pawns<Us: Colour>(&self, us: &Camp, them: &Camp) -> Tapered {
        let (weights, pawns) = (self.weights, us.pawns);
        let passed = pawns
            & !ahead_of::<Us::Other>(them.pawns | sideways(them.pawns))
            & !ahead_of::<Us::Other>(pawns);
        let isolated = pawns & !sideways(columns(pawns));
        let guardable = sideways(pawns | ahead_of::<Us>(pawns));
        let backward = pawns & !isolated & !guardable & Us::back(them.guarded);
        let mut worth = weights.material[0] * count(pawns)
            + weights.doubled * count(pawns & ahead_of::<Us>(pawns))
            + weights.isolated * count(isolated)
            + weights.backward * count(backward)
            + weights.supported * count(pawns & (us.guarded | sideways(pawns)));
        let squares = &weights.squares[Weights::place(Kind::Pawn)];
        for bit in bits(pawns) {
            worth += squares[seen_by(Us::SIDE, bit)];
        }
        for bit in bits(passed) {
            worth += weights.passed[seen_by(Us::SIDE, bit) / 8];
        }
        worth
    }

    /// Knights, bishops, rooks and queens: what they are, where they stand, where they can go, and
    /// how much of that is by the other king.
    #[inline]
    fn officers<Us: Colour>(&self, us: &Camp, them: &Camp) -> Tapered {
        let (weights, occupied) = (self.weights, self.occupied);
        let [knights, bishops, rooks, queens] = OFFICERS.map(|kind| us.own & self.board.all(kind));
        let mut siege = Siege {
            weights,
            targets: !us.own & !them.guarded,
            by_king: attacks::king(them.king),
            units: 0,
            attackers: 0,
            worth: Tapered::default(),
        };
        siege.join::<Us>(0, knights, attacks::knight);
        siege.join::<Us>(1, bishops, |bit| attacks::bishop(bit, occupied));
        siege.join::<Us>(2, rooks, |bit| attacks::rook(bit, occupied));
        siege.join::<Us>(3, queens, |bit| {
            attacks::bishop(bit, occupied) | attacks::rook(bit, occupied)
        });
        let half_open = rooks & !columns(us.pawns);
        let open = half_open & !columns(them.pawns);
        let pair = i32::from(count(bishops) > 1);
        siege.worth()
            + weights.open_column * count(open)
            + weights.half_open_column * count(half_open & !open)
            + weights.bishop_pair * pair
    }
}

/// One side's pieces, added up kind by kind, and their attack on the other king.
struct Siege<'a> {
    weights: &'a Weights,
    /// Where it is worth going.
    targets: u64,
    by_king: u64,
    units: i32,
    attackers: i32,
    worth: Tapered,
}

impl Siege<'_> {
    /// Adds the pieces of a kind, by its place in [`OFFICERS`].
    #[inline(always)]
    fn join<Us: Colour>(&mut self, kind: usize, pieces: u64, attacks: impl Fn(usize) -> u64) {
        let weights = self.weights;
        let squares = &weights.squares[kind + 1];
        let usual =
            weights.material[kind + 1] - weights.mobility[kind] * weights.usual_mobility[kind];
        let (mut steps, mut near) = (0, 0);
        for bit in bits(pieces) {
            let attacked = attacks(bit);
            let by_king = count(attacked & self.by_king);
            steps += count(attacked & self.targets);
            near += by_king;
            self.attackers += i32::from(by_king > 0);
            self.worth += squares[seen_by(Us::SIDE, bit)];
        }
        self.units += weights.attack[kind] * near;
        self.worth += usual * count(pieces) + weights.mobility[kind] * steps;
    }

    /// The sum. One attacker does no harm.
    #[inline]
    fn worth(&self) -> Tapered {
        if self.attackers < 2 {
            return self.worth;
        }
        let danger = &self.weights.danger;
        self.worth + danger[(self.units.max(0) as usize).min(danger.len() - 1)]
    }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// All squares on the columns of these.
#[inline]
fn columns(set: u64) -> u64 {
    let set = set | set.rotate_left(8);
    let set = set | set.rotate_left(16);
    set | set.rotate_left(32)
}

/// All squares ahead of these on their columns.
#[inline]
fn ahead_of<Us: Colour>(set: u64) -> u64 {
    let one = Us::ahead(set);
    let two = one | Us::ahead(one);
    let four = two | Us::ahead(Us::ahead(two));
    four | Us::ahead(Us::ahead(Us::ahead(Us::ahead(four))))
}
