//! What the playing search asks of chess: which moves are noisy, what must be answered, and when passing is a
//! fair test.

use evaluation::Margins;
use game::{Game, MoveSink};

use super::attacks;
use super::board::Kind;
use super::moves::{self, Collect, origin, sideways};
use super::position::{Chess, Move, NOWHERE, Position, Special};

/// Hundredths of a pawn.
pub(super) const MARGINS: Margins =
    Margins { reverse_futility: 75, futility: 110, delta: 150, exchange_loss: 90 };

/// Captures and new queens. Other promotions are hardly ever better.
#[inline]
pub(super) fn is_noisy(p: &Position, m: Move) -> bool {
    match m.special() {
        Special::EnPassant => true,
        Special::Promotion(kind) => kind == Kind::Queen,
        Special::Castling => false,
        _ => p.board.occupied() >> m.to() & 1 == 1,
    }
}

/// Lists noisy moves, and says whether there are others. With pieces left there always are, or so nearly
/// that stalemate can wait until it is nearer.
#[inline]
pub(super) fn noisy_moves(game: &Chess, p: &Position, out: &mut Vec<Move>) -> bool {
    moves::collect_noisy(p, &mut Noisy(out));
    has_pieces(p) || game.count(p) > out.len()
}

/// Lists what is found, with queens as the only promotions.
struct Noisy<'s, S>(&'s mut S);

impl<S: MoveSink<Move>> Collect for Noisy<'_, S> {
    #[inline]
    fn piece(&mut self, from: usize, targets: u64) {
        moves::Each(self.0).piece(from, targets);
    }

    #[inline]
    fn pawns(&mut self, targets: u64, step: i32, special: Special) {
        moves::Each(self.0).pawns(targets, step, special);
    }

    #[inline]
    fn promotions(&mut self, targets: u64, step: i32) {
        for to in super::board::bits(targets) {
            self.0.push(Move::new(origin(to, step), to, Special::Promotion(Kind::Queen)));
        }
    }

    #[inline]
    fn one(&mut self, m: Move) {
        self.0.push(m);
    }
}

/// Whether a move gives check: by the piece that goes, or by one behind it.
#[inline]
pub(super) fn gives_check(game: &Chess, p: &Position, m: Move) -> bool {
    let (board, own) = (&p.board, p.board.of(p.side));
    let king = board.king(p.side.other());
    let (origin, target) = (1_u64 << m.from(), 1_u64 << m.to());
    let occupied = board.occupied() & !origin | target;
    let kind = match m.special() {
        Special::Castling | Special::EnPassant => return checks_after(game, p, m),
        Special::Promotion(kind) => Some(kind),
        Special::None | Special::Double => board.kind_at(m.from()),
    };
    let direct = match kind {
        Some(Kind::Pawn) => pawn_checks(p, king),
        Some(Kind::Knight) => attacks::knight(king),
        Some(Kind::Bishop) => attacks::bishop(king, occupied),
        Some(Kind::Rook) => attacks::rook(king, occupied),
        Some(Kind::Queen) => attacks::bishop(king, occupied) | attacks::rook(king, occupied),
        Some(Kind::King) | None => 0,
    };
    if direct & target != 0 {
        return true;
    }
    let behind = own & !origin;
    attacks::diagonal_lines(king) & origin != 0
        && attacks::bishop(king, occupied) & behind & board.diagonal() != 0
        || attacks::straight_lines(king) & origin != 0
            && attacks::rook(king, occupied) & behind & board.straight() != 0
}

/// From where a pawn of the side to move gives check.
#[inline]
fn pawn_checks(p: &Position, king: usize) -> u64 {
    let king = 1_u64 << king;
    sideways(match p.side {
        game::Side::First => king >> 8,
        game::Side::Second => king << 8,
    })
}

/// Moves of several pieces are rare: they are made to see.
#[cold]
fn checks_after(game: &Chess, p: &Position, m: Move) -> bool {
    let mut next = *p;
    game.make(&mut next, m);
    game.in_check(&next)
}

/// The position with the other side to move. In check that would be illegal, and with king and pawns alone
/// passing may be the best move there is.
#[inline]
pub(super) fn null_move(game: &Chess, p: &Position) -> Option<Position> {
    let sound = has_pieces(p) && !game.in_check(p);
    sound.then(|| Position {
        side: p.side.other(),
        passed: NOWHERE,
        en_passant: NOWHERE,
        // Nothing before a pass comes back after it.
        clock: 0,
        ..*p
    })
}

/// Whether the side to move has more than its king and pawns.
#[inline]
fn has_pieces(p: &Position) -> bool {
    p.board.of(p.side) & !p.board.all(Kind::Pawn) & !p.board.all(Kind::King) != 0
}

/// How many numbers [`counter_move_key`] gives.
pub(super) const COUNTER_MOVE_KEYS: usize = 16 * 64;

/// Which piece of which side goes where.
#[inline]
pub(super) fn counter_move_key(p: &Position, m: Move) -> usize {
    let kind = p.board.kind_at(m.from()).map_or(0, |kind| kind as usize);
    (p.side.index() << 3 | kind) << 6 | m.to()
}

#[cfg(test)]
mod tests {
    use game::{Rng, moves_of};

    use super::*;
    use crate::chess::parameters::Parameters;

    /// Random games from all over Fischer random chess, which castles in odd ways.
    fn for_each_position(mut check: impl FnMut(&Chess, &Position)) {
        let mut rng = Rng::new(3);
        for number in 0..96 {
            let game = Chess::new(Parameters::fischer(10 * number).unwrap());
            let mut p = game.start();
            for _ in 0..150 {
                check(&game, &p);
                let Some(m) = game.sample(&p, &mut rng) else { break };
                game.make(&mut p, m);
            }
        }
    }

    #[test]
    fn checks_are_known_before_they_are_given() {
        for_each_position(|game, p| {
            for m in moves_of(game, p) {
                assert_eq!(gives_check(game, p, m), checks_after(game, p, m), "{m:?} in {p:?}");
            }
        });
    }

    #[test]
    fn noisy_moves_are_those_of_all_that_are_noisy() {
        for_each_position(|game, p| {
            if game.in_check(p) {
                return;
            }
            let mut noisy = Vec::new();
            let others = noisy_moves(game, p, &mut noisy);
            let all = moves_of(game, p);
            let mut expected: Vec<Move> = all.iter().copied().filter(|&m| is_noisy(p, m)).collect();
            noisy.sort();
            expected.sort();
            assert_eq!(noisy, expected, "{p:?}");
            assert!(others || all.len() == noisy.len(), "{p:?}");
        });
    }
}
