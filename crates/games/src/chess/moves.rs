//! Legal moves, without making any to see whether the king is safe.
//!
//! A piece between its king and a slider (*pinned*) stays on the line between them. In check a move
//! captures the piece that gives it or stands in between; in double check only the king moves. The
//! king goes where nothing attacks, with itself taken off the board so that it casts no shadow. En
//! passant takes two pieces off one row at once and is rare: there the board after it is looked at.
//!
//! What is found is handed over as sets of squares. Who only counts counts bits, and who lists
//! moves takes the sets apart.

use game::{MoveSink, Side};

use super::attacks;
use super::board::{Board, COLUMN_A, COLUMN_H, Kind, ROW_1, ROW_8, bits};
use super::position::{Move, Position, Special, castled};

/// A side, known when the code is compiled.
pub(super) trait Colour {
    type Other: Colour<Other = Self>;
    const SIDE: Side;
    /// Where its pieces start.
    const FIRST_ROW: u64;
    /// Where its pawns become other pieces.
    const LAST_ROW: u64;
    /// Where its pawns come to after one step from their start.
    const THIRD_ROW: u64;
    /// How much higher the bit one row ahead is.
    const AHEAD: i32;
    /// The squares one row ahead.
    fn ahead(set: u64) -> u64;
    /// The squares one row behind.
    fn back(set: u64) -> u64;
}

/// The first player.
pub(super) enum White {}
/// The second player.
pub(super) enum Black {}

impl Colour for White {
    type Other = Black;
    const SIDE: Side = Side::First;
    const FIRST_ROW: u64 = ROW_1;
    const LAST_ROW: u64 = ROW_8;
    const THIRD_ROW: u64 = ROW_1 << 16;
    const AHEAD: i32 = 8;
    #[inline]
    fn ahead(set: u64) -> u64 {
        set << 8
    }
    #[inline]
    fn back(set: u64) -> u64 {
        set >> 8
    }
}

impl Colour for Black {
    type Other = White;
    const SIDE: Side = Side::Second;
    const FIRST_ROW: u64 = ROW_8;
    const LAST_ROW: u64 = ROW_1;
    const THIRD_ROW: u64 = ROW_8 >> 16;
    const AHEAD: i32 = -8;
    #[inline]
    fn ahead(set: u64) -> u64 {
        set >> 8
    }
    #[inline]
    fn back(set: u64) -> u64 {
        set << 8
    }
}

/// Takes what is found, in sets.
pub(super) trait Collect {
    /// The piece on `from` can go to any of these squares.
    fn piece(&mut self, from: usize, targets: u64);
    /// Pawns can go to these squares, each from the one that is `step` bits lower.
    fn pawns(&mut self, targets: u64, step: i32, special: Special);
    /// The same, and become other pieces there.
    fn promotions(&mut self, targets: u64, step: i32);
    /// A move by itself.
    fn one(&mut self, m: Move);
}

/// Hands over all legal moves.
#[inline]
pub(super) fn collect(p: &Position, out: &mut impl Collect) {
    match p.side {
        Side::First => Finder::<White>::new(p).collect(out),
        Side::Second => Finder::<Black>::new(p).collect(out),
    }
}

/// Hands over captures and promotions, where there is no check.
#[inline]
pub(super) fn collect_noisy(p: &Position, out: &mut impl Collect) {
    match p.side {
        Side::First => Finder::<White>::new(p).collect_noisy(out),
        Side::Second => Finder::<Black>::new(p).collect_noisy(out),
    }
}

/// The pieces of one side that attack a square.
#[inline]
pub(super) fn attackers(board: &Board, bit: usize, by: Side) -> u64 {
    attackers_through(board, bit, by, board.occupied())
}

/// The same with other squares taken as occupied.
#[inline]
pub(super) fn attackers_through(board: &Board, bit: usize, by: Side, occupied: u64) -> u64 {
    let square = 1 << bit;
    let pawns = match by {
        Side::First => sideways(Black::ahead(square)),
        Side::Second => sideways(White::ahead(square)),
    };
    board.of(by)
        & (pawns & board.all(Kind::Pawn)
            | attacks::knight(bit) & board.all(Kind::Knight)
            | attacks::king(bit) & board.all(Kind::King)
            | attacks::rook(bit, occupied) & board.straight()
            | attacks::bishop(bit, occupied) & board.diagonal())
}

/// The pawns of `Us` that can legally capture en passant on a square: a pawn stands behind it.
pub(super) fn en_passant_capturers<Us: Colour>(board: &Board, passed: usize) -> u64 {
    let (target, victim) = (1 << passed, Us::back(1 << passed));
    let pawns = board.all(Kind::Pawn) & board.of(Us::SIDE) & sideways(Us::back(target));
    let king = board.king(Us::SIDE);
    let safe_without = |from: &usize| {
        let occupied = board.occupied() & !victim & !(1 << from) | target;
        attackers_through(board, king, Us::Other::SIDE, occupied) & !victim == 0
    };
    bits(pawns).filter(safe_without).map(|from| 1 << from).sum()
}

/// The squares next to these on their rows.
#[inline]
pub(super) fn sideways(set: u64) -> u64 {
    (set & !COLUMN_A) >> 1 | (set & !COLUMN_H) << 1
}

/// The sets that decide what is legal, with `Us` to move.
struct Finder<'p, Us> {
    p: &'p Position,
    own: u64,
    theirs: u64,
    occupied: u64,
    king: usize,
    /// Pieces that give check.
    checkers: u64,
    /// Own pieces that shield the king, and the sliders they shield it from.
    pinned: u64,
    pinners: u64,
    us: std::marker::PhantomData<Us>,
}

impl<'p, Us: Colour> Finder<'p, Us> {
    #[inline]
    fn new(p: &'p Position) -> Finder<'p, Us> {
        let board = &p.board;
        let (own, theirs) = (board.of(Us::SIDE), board.of(Us::Other::SIDE));
        let (occupied, king) = (own | theirs, board.king(Us::SIDE));
        let pawns = sideways(Us::ahead(1 << king)) & board.all(Kind::Pawn);
        let knights = attacks::knight(king) & board.all(Kind::Knight);
        let mut finder = Finder {
            p,
            own,
            theirs,
            occupied,
            king,
            checkers: theirs & (pawns | knights),
            pinned: 0,
            pinners: 0,
            us: std::marker::PhantomData,
        };
        let straight = attacks::straight_lines(king) & board.straight();
        let diagonal = attacks::diagonal_lines(king) & board.diagonal();
        for slider in bits(theirs & (straight | diagonal)) {
            let shields = attacks::between(king, slider) & occupied;
            if shields == 0 {
                finder.checkers |= 1 << slider;
            } else if shields & (shields - 1) == 0 && shields & own != 0 {
                finder.pinned |= shields;
                finder.pinners |= 1 << slider;
            }
        }
        finder
    }

    #[inline]
    fn collect(&self, out: &mut impl Collect) {
        self.collect_king(out);
        let targets = match self.checkers {
            0 => !self.own,
            one if one & (one - 1) == 0 => {
                attacks::between(self.king, one.trailing_zeros() as usize) | one
            }
            _ => return,
        };
        self.collect_pieces(targets, out);
        self.collect_pawns(targets, out);
        if self.pinned != 0 && self.checkers == 0 {
            self.collect_pinned(targets, out);
        }
        self.collect_en_passant(out);
    }

    #[inline]
    fn collect_noisy(&self, out: &mut impl Collect) {
        debug_assert!(self.checkers == 0, "in check every move is wanted");
        let prey = attacks::king(self.king) & self.theirs;
        if prey != 0 {
            out.piece(self.king, prey & !self.attacked());
        }
        self.collect_pieces(self.theirs, out);
        self.collect_pawns(self.theirs | Us::LAST_ROW, out);
        if self.pinned != 0 {
            self.collect_pinned(self.theirs, out);
        }
        self.collect_en_passant(out);
    }

    #[inline]
    fn collect_en_passant(&self, out: &mut impl Collect) {
        if let Some(passed) = self.p.en_passant() {
            for from in bits(en_passant_capturers::<Us>(&self.p.board, passed)) {
                out.one(Move::new(from, passed, Special::EnPassant));
            }
        }
    }

    #[inline]
    fn collect_king(&self, out: &mut impl Collect) {
        let targets = attacks::king(self.king) & !self.own;
        let rooks = if self.checkers == 0 { self.p.castling & Us::FIRST_ROW } else { 0 };
        if targets | rooks == 0 {
            return;
        }
        let attacked = self.attacked();
        out.piece(self.king, targets & !attacked);
        for rook in bits(rooks & !self.pinned) {
            if self.can_castle(rook, attacked) {
                out.one(Move::new(self.king, rook, Special::Castling));
            }
        }
    }

    /// A pinned rook shields the king from a slider beyond it, and would after castling no longer.
    fn can_castle(&self, rook: usize, attacked: u64) -> bool {
        let after = castled(self.king, rook);
        let way = |from: usize, to: usize| attacks::between(from, to) | 1 << to;
        let king_way = way(self.king, after.king);
        let others = self.occupied & !(1 << self.king | 1 << rook);
        (king_way | way(rook, after.rook)) & others == 0 && king_way & attacked == 0
    }

    /// What the other side attacks, with the king to move off the board.
    fn attacked(&self) -> u64 {
        let board = &self.p.board;
        let occupied = self.occupied & !(1 << self.king);
        let pawns = self.theirs & board.all(Kind::Pawn);
        let mut attacked = sideways(Us::back(pawns));
        for knight in bits(self.theirs & board.all(Kind::Knight)) {
            attacked |= attacks::knight(knight);
        }
        for slider in bits(self.theirs & board.diagonal()) {
            attacked |= attacks::bishop(slider, occupied);
        }
        for slider in bits(self.theirs & board.straight()) {
            attacked |= attacks::rook(slider, occupied);
        }
        attacked | attacks::king(board.king(Us::Other::SIDE))
    }

    /// Knights and sliders that are not pinned.
    #[inline]
    fn collect_pieces(&self, targets: u64, out: &mut impl Collect) {
        let board = &self.p.board;
        let free = self.own & !self.pinned;
        for from in bits(free & board.all(Kind::Knight)) {
            out.piece(from, attacks::knight(from) & targets);
        }
        for from in bits(free & board.all(Kind::Bishop)) {
            out.piece(from, attacks::bishop(from, self.occupied) & targets);
        }
        for from in bits(free & board.all(Kind::Rook)) {
            out.piece(from, attacks::rook(from, self.occupied) & targets);
        }
        for from in bits(free & board.all(Kind::Queen)) {
            let attacked =
                attacks::bishop(from, self.occupied) | attacks::rook(from, self.occupied);
            out.piece(from, attacked & targets);
        }
    }

    /// Pawns that are not pinned, and those pinned on the king's column, which may go ahead.
    #[inline]
    fn collect_pawns(&self, targets: u64, out: &mut impl Collect) {
        let pawns = self.own & self.p.board.all(Kind::Pawn);
        let king_column = COLUMN_A << (self.king & 7);
        let empty = !self.occupied;
        let single = Us::ahead(pawns & (!self.pinned | king_column)) & empty;
        let double = Us::ahead(single & Us::THIRD_ROW) & empty & targets;
        self.arrive(single & targets, Us::AHEAD, out);
        out.pawns(double, 2 * Us::AHEAD, Special::Double);
        let ahead = Us::ahead(pawns & !self.pinned);
        let victims = self.theirs & targets;
        self.arrive((ahead & !COLUMN_A) >> 1 & victims, Us::AHEAD - 1, out);
        self.arrive((ahead & !COLUMN_H) << 1 & victims, Us::AHEAD + 1, out);
    }

    #[inline]
    fn arrive(&self, targets: u64, step: i32, out: &mut impl Collect) {
        out.pawns(targets & !Us::LAST_ROW, step, Special::None);
        if targets & Us::LAST_ROW != 0 {
            out.promotions(targets & Us::LAST_ROW, step);
        }
    }

    /// Pinned sliders go along the line of the pin, all of which is free; pinned pawns capture the
    /// pinner.
    fn collect_pinned(&self, targets: u64, out: &mut impl Collect) {
        let board = &self.p.board;
        for pinner in bits(self.pinners) {
            let line = attacks::between(self.king, pinner) | 1 << pinner;
            let shield = line & self.pinned;
            let from = shield.trailing_zeros() as usize;
            let diagonal = attacks::diagonal_lines(self.king) >> pinner & 1 == 1;
            let sliders = if diagonal { board.diagonal() } else { board.straight() };
            if shield & sliders != 0 {
                out.piece(from, line & !shield & targets);
            } else if shield & board.all(Kind::Pawn) & sideways(Us::back(1 << pinner)) != 0 {
                self.arrive(1 << pinner, pinner as i32 - from as i32, out);
            }
        }
    }
}

/// Lists every move.
pub(super) struct Each<'s, S>(pub(super) &'s mut S);

impl<S: MoveSink<Move>> Collect for Each<'_, S> {
    #[inline]
    fn piece(&mut self, from: usize, targets: u64) {
        for to in bits(targets) {
            self.0.push(Move::new(from, to, Special::None));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: u64, step: i32, special: Special) {
        for to in bits(targets) {
            self.0.push(Move::new(origin(to, step), to, special));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: u64, step: i32) {
        for to in bits(targets) {
            for kind in Kind::PROMOTIONS {
                self.0.push(Move::new(origin(to, step), to, Special::Promotion(kind)));
            }
        }
    }

    #[inline]
    fn one(&mut self, m: Move) {
        self.0.push(m);
    }
}

#[inline]
pub(super) fn origin(to: usize, step: i32) -> usize {
    (to as i32 - step) as usize
}

/// Counts moves.
pub(super) struct Count(pub(super) usize);

impl Collect for Count {
    #[inline]
    fn piece(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline]
    fn pawns(&mut self, targets: u64, _: i32, _: Special) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline]
    fn promotions(&mut self, targets: u64, _: i32) {
        self.0 += Kind::PROMOTIONS.len() * targets.count_ones() as usize;
    }

    #[inline]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}
