//! What one side's pieces are worth: sets of squares, counted and weighed.
//!
//! **Invariant:** both sides go through the same code, compiled for each of them, so that a position with
//! the colours swapped has the opposite worth.

use evaluation::Tapered;
use game::Side;

use super::weights::{MOST_STEPS, Weights};
use crate::chess::attacks;
use crate::chess::board::{Board, Kind, bits};
use crate::chess::moves::{Black, Colour, White, sideways};

/// White's terms less Black's.
#[inline]
pub(super) fn balance(weights: &Weights, board: &Board) -> Tapered {
    let (mut white, mut black) = (Camp::new::<White>(board), Camp::new::<Black>(board));
    let scene = Scene { weights, board, occupied: board.occupied() };
    let quiet = scene.worth::<White>(&mut white, &black) - scene.worth::<Black>(&mut black, &white);
    quiet + scene.threats(&white, &black) - scene.threats(&black, &white)
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
pub(super) const OFFICERS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// What both sides want to know of one.
pub(super) struct Camp {
    pub(super) own: u64,
    pub(super) pawns: u64,
    /// The squares its pawns attack.
    pub(super) guarded: u64,
    pub(super) king: usize,
    /// The squares that knights and bishops, rooks, and all pieces and pawns attack: known once these have been looked at.
    by_minors: u64,
    by_rooks: u64,
    pub(super) by_all: u64,
}

impl Camp {
    #[inline]
    pub(super) fn new<Us: Colour>(board: &Board) -> Camp {
        let own = board.of(Us::SIDE);
        let pawns = own & board.all(Kind::Pawn);
        let (guarded, king) = (sideways(Us::ahead(pawns)), board.king(Us::SIDE));
        let by_all = guarded | attacks::king(king);
        Camp { own, pawns, guarded, king, by_minors: 0, by_rooks: 0, by_all }
    }

    /// Where it is worth going.
    #[inline]
    pub(super) fn targets(&self, them: &Camp) -> u64 {
        !self.own & !them.guarded
    }

    /// The squares one row and two rows ahead of the king, on its column and those beside it.
    #[inline]
    pub(super) fn shelter<Us: Colour>(&self) -> [u64; 2] {
        let king = 1 << self.king;
        let near = Us::ahead(king | sideways(king));
        [near, Us::ahead(near)]
    }

    /// What is attacked and guarded by nothing.
    #[inline]
    pub(super) fn hanging(&self, them: &Camp) -> u64 {
        self.own & them.by_all & !self.by_all
    }

    /// Which of these rooks are on columns without pawns, and which on columns with none but the other side's.
    #[inline]
    pub(super) fn open_columns(&self, them: &Camp, rooks: u64) -> [u64; 2] {
        let without_own = rooks & !columns(self.pawns);
        let open = without_own & !columns(them.pawns);
        [open, without_own & !open]
    }
}

/// Pawns of one side that are something special.
pub(super) struct Pawns {
    /// No pawn can stop them any more.
    pub(super) passed: u64,
    /// Another one of the side is behind them.
    pub(super) doubled: u64,
    /// There is none of the side on the columns beside them.
    pub(super) isolated: u64,
}

impl Pawns {
    #[inline]
    pub(super) fn new<Us: Colour>(us: &Camp, them: &Camp) -> Pawns {
        let pawns = us.pawns;
        Pawns {
            passed: pawns
                & !ahead_of::<Us::Other>(them.pawns | sideways(them.pawns))
                & !ahead_of::<Us::Other>(pawns),
            doubled: pawns & ahead_of::<Us>(pawns),
            isolated: pawns & !sideways(columns(pawns)),
        }
    }
}

/// How many rows a pawn has come from its start.
#[inline]
pub(super) fn way_of(side: Side, bit: usize) -> i32 {
    (seen_by(side, bit) as i32 / 8 - 1).max(0)
}

/// What an officer attacks, by its place in [`OFFICERS`].
#[inline(always)]
pub(super) fn attacks_of(officer: usize, bit: usize, occupied: u64) -> u64 {
    match officer {
        0 => attacks::knight(bit),
        1 => attacks::bishop(bit, occupied),
        2 => attacks::rook(bit, occupied),
        _ => attacks::bishop(bit, occupied) | attacks::rook(bit, occupied),
    }
}

struct Scene<'a> {
    weights: &'a Weights,
    board: &'a Board,
    occupied: u64,
}

impl Scene<'_> {
    #[inline]
    fn worth<Us: Colour>(&self, us: &mut Camp, them: &Camp) -> Tapered {
        let weights = self.weights;
        let king = 1 << us.king;
        let beside = king | sideways(king);
        let [near, far] = us.shelter::<Us>();
        let bare = FIRST_ROW & columns(beside) & !columns(us.pawns);
        self.pawns::<Us>(us, them)
            + self.officers::<Us>(us, them)
            + weights.squares[Weights::place(Kind::King)][seen_by(Us::SIDE, us.king)]
            + weights.shield[0] * count(us.pawns & near)
            + weights.shield[1] * count(us.pawns & far)
            + weights.bare_column * count(bare)
    }

    /// What the other side attacks.
    #[inline]
    fn threats(&self, us: &Camp, them: &Camp) -> Tapered {
        let (weights, board) = (self.weights, self.board);
        let [rooks, queens] = [Kind::Rook, Kind::Queen].map(|kind| us.own & board.all(kind));
        let exposed = us.own & !us.pawns & them.guarded;
        weights.threatened * count(exposed)
            + weights.by_minor * count((rooks | queens) & them.by_minors)
            + weights.by_rook * count(queens & them.by_rooks)
            + weights.hanging * count(us.hanging(them))
    }

    #[inline]
    fn pawns<Us: Colour>(&self, us: &Camp, them: &Camp) -> Tapered {
        let (weights, pawns) = (self.weights, us.pawns);
        let Pawns { passed, doubled, isolated } = Pawns::new::<Us>(us, them);
        let guardable = sideways(pawns | ahead_of::<Us>(pawns));
        let backward = pawns & !isolated & !guardable & Us::back(them.guarded);
        let mut worth = weights.material[0] * count(pawns)
            + weights.doubled * count(doubled)
            + weights.isolated * count(isolated)
            + weights.backward * count(backward);
        let squares = &weights.squares[Weights::place(Kind::Pawn)];
        let supported = us.guarded | sideways(pawns);
        for bit in bits(pawns) {
            let place = seen_by(Us::SIDE, bit);
            worth += squares[place];
            if supported >> bit & 1 != 0 {
                worth += weights.supported[place / 8];
            }
        }
        for bit in bits(passed) {
            worth += self.passed::<Us>(us, them, bit);
        }
        worth
    }

    /// A passed pawn: the further it has come, the more it matters who is near.
    #[inline]
    fn passed<Us: Colour>(&self, us: &Camp, them: &Camp, bit: usize) -> Tapered {
        let weights = self.weights;
        let row = seen_by(Us::SIDE, bit) / 8;
        let way = way_of(Us::SIDE, bit);
        let ahead = Us::ahead(1 << bit);
        let stopped = i32::from(ahead & self.occupied != 0);
        let goal = ahead.trailing_zeros() as usize;
        let [own, other] = [us.king, them.king].map(|king| steps_between(king, goal));
        weights.passed[row]
            + weights.stopped * (stopped * way)
            + weights.escort[0] * (own * way)
            + weights.escort[1] * (other * way)
    }

    /// Knights, bishops, rooks and queens: what they are, where they stand, where they can go, and
    /// how much of that is by the other king.
    #[inline]
    fn officers<Us: Colour>(&self, us: &mut Camp, them: &Camp) -> Tapered {
        let (weights, occupied) = (self.weights, self.occupied);
        let [knights, bishops, rooks, queens] = OFFICERS.map(|kind| us.own & self.board.all(kind));
        let mut siege = Siege {
            weights,
            targets: us.targets(them),
            by_king: attacks::king(them.king),
            units: 0,
            attackers: 0,
            worth: Tapered::default(),
        };
        us.by_minors =
            siege.join::<Us>(0, knights, occupied) | siege.join::<Us>(1, bishops, occupied);
        us.by_rooks = siege.join::<Us>(2, rooks, occupied);
        let by_queens = siege.join::<Us>(3, queens, occupied);
        us.by_all |= us.by_minors | us.by_rooks | by_queens;
        let secure = us.guarded & outposts::<Us>() & !sideways(ahead_of::<Us::Other>(them.pawns));
        let [open, half_open] = us.open_columns(them, rooks);
        let pair = i32::from(count(bishops) > 1);
        siege.worth()
            + weights.open_column * count(open)
            + weights.half_open_column * count(half_open)
            + weights.bishop_pair * pair
            + weights.outpost[0] * count(knights & secure)
            + weights.outpost[1] * count(bishops & secure)
            + weights.bishop_pawn * on_colours_of(bishops, us.pawns)
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
    /// Adds the pieces of a kind, by its place in [`OFFICERS`], and gives the squares they attack.
    #[inline(always)]
    fn join<Us: Colour>(&mut self, kind: usize, pieces: u64, occupied: u64) -> u64 {
        let weights = self.weights;
        let (squares, mobility) = (&weights.squares[kind + 1], &weights.mobility[kind]);
        let (mut near, mut all) = (0, 0);
        for bit in bits(pieces) {
            let attacked = attacks_of(kind, bit, occupied);
            all |= attacked;
            let by_king = count(attacked & self.by_king);
            let steps = count(attacked & self.targets) as usize;
            near += by_king;
            self.attackers += i32::from(by_king > 0);
            self.worth += squares[seen_by(Us::SIDE, bit)] + mobility[steps.min(MOST_STEPS - 1)];
        }
        self.units += weights.attack[kind] * near;
        self.worth += weights.material[kind + 1] * count(pieces);
        all
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

const FIRST_ROW: u64 = 0xff;
const DARK: u64 = 0xaa55_aa55_aa55_aa55;

/// The fourth to the sixth row of the other half.
#[inline]
fn outposts<Us: Colour>() -> u64 {
    match Us::SIDE {
        Side::First => 0x0000_ffff_ff00_0000,
        Side::Second => 0x0000_00ff_ffff_0000,
    }
}

/// How many of these pawns stand on the colours of these bishops, counted for each bishop.
#[inline]
fn on_colours_of(bishops: u64, pawns: u64) -> i32 {
    count(bishops & DARK) * count(pawns & DARK) + count(bishops & !DARK) * count(pawns & !DARK)
}

/// King's steps from one square to another.
#[inline]
fn steps_between(one: usize, other: usize) -> i32 {
    let rows = (one / 8).abs_diff(other / 8);
    let columns = (one % 8).abs_diff(other % 8);
    rows.max(columns) as i32
}

#[inline]
pub(super) fn count(set: u64) -> i32 {
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
