//! [`Material`]: a plain evaluation by the pieces and where they like to stand.

use game::{Heuristics, Side};

use super::board::{Board, COLUMN_A, COLUMN_H, Kind, ROW_1, ROW_8};
use super::forcing;
use super::position::{Chess, Move, Position, Special};

/// The twelve squares around the four in the centre.
const AROUND_CENTRE: u64 = 0x0000_3c24_243c_0000;
const CENTRE: u64 = 0x0000_0018_1800_0000;
const BORDER: u64 = ROW_1 | ROW_8 | COLUMN_A | COLUMN_H;

/// A capture or a promotion comes before whatever else.
const FORCING: i32 = 100_000;

/// Hundredths of a pawn: the usual values of pieces, and something for good squares. Knights and
/// bishops like the centre, pawns like it and the rows ahead, and the king keeps to the border
/// while the other has a queen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Heuristics<Chess> for Material {
    #[inline]
    fn evaluate(&mut self, _: &Chess, p: &Position) -> i32 {
        worth(p.board(), p.side) - worth(p.board(), p.side.other())
    }

    /// The most valuable victim first, by the least valuable attacker; promotions to a queen among
    /// the captures, to other pieces last.
    #[inline]
    fn rank(&mut self, _: &Chess, p: &Position, moves: &[Move], promise: &mut [i32]) {
        let board = p.board();
        let worth_at = |bit| board.kind_at(bit).map_or(0, value);
        for (m, promise) in moves.iter().zip(promise) {
            let victim = match m.special() {
                Special::EnPassant => value(Kind::Pawn),
                Special::Castling => 0,
                _ => worth_at(m.to()),
            };
            if victim > 0 {
                *promise += FORCING + 100 * victim - worth_at(m.from());
            }
            *promise += match m.special() {
                Special::Promotion(Kind::Queen) => FORCING,
                Special::Promotion(_) => -2 * FORCING,
                _ => 0,
            };
        }
    }

    const QUIESCES: bool = true;

    #[inline]
    fn is_noisy(&mut self, _: &Chess, p: &Position, m: Move) -> bool {
        forcing::is_noisy(p, m)
    }

    #[inline]
    fn must_answer(&mut self, game: &Chess, p: &Position) -> bool {
        game.in_check(p)
    }

    #[inline]
    fn passed(&mut self, game: &Chess, p: &Position) -> Option<Position> {
        forcing::passed(game, p)
    }

    #[inline]
    fn hope(&self, depth: u32) -> Option<i32> {
        forcing::hope(depth)
    }
}

/// What a piece is worth; a king as an attacker is the last to capture with.
#[inline]
fn value(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 100,
        Kind::Knight => 320,
        Kind::Bishop => 330,
        Kind::Rook => 500,
        Kind::Queen => 900,
        Kind::King => 1000,
    }
}

/// The sum of the terms for one side's pieces.
#[inline]
fn worth(board: &Board, side: Side) -> i32 {
    let own = board.of(side);
    let count = |set: u64| (own & set).count_ones() as i32;
    let of = |kind: Kind, zone: u64| count(board.all(kind) & zone);
    let material: i32 = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen]
        .into_iter()
        .map(|kind| value(kind) * of(kind, u64::MAX))
        .sum();
    let minor = board.all(Kind::Knight) | board.all(Kind::Bishop);
    let pieces =
        20 * count(minor & CENTRE) + 10 * count(minor & AROUND_CENTRE) - 10 * count(minor & BORDER);
    // Rows 5, 6 and 7 as the side sees them.
    let advanced = match side {
        Side::First => [ROW_1 << 32, ROW_1 << 40, ROW_1 << 48],
        Side::Second => [ROW_1 << 24, ROW_1 << 16, ROW_1 << 8],
    };
    let pawns: i32 = 20 * of(Kind::Pawn, CENTRE)
        + (advanced.into_iter().zip([10, 25, 60]))
            .map(|(row, bonus)| bonus * of(Kind::Pawn, row))
            .sum::<i32>();
    let danger = board.all(Kind::Queen) & board.of(side.other()) != 0;
    let king = if danger { 20 * of(Kind::King, BORDER) } else { -20 * of(Kind::King, BORDER) };
    material + pieces + pawns + king
}

#[cfg(test)]
mod tests {
    use game::{Game, Notation, moves_of};

    use super::*;

    fn read(text: &str) -> Position {
        Notation::read_position(&Chess::default(), text).unwrap()
    }

    fn score(text: &str) -> i32 {
        Material.evaluate(&Chess::default(), &read(text))
    }

    #[test]
    fn terms_add_up() {
        assert_eq!(score("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
        assert_eq!(score("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"), 320 + 20);
        assert_eq!(score("4k3/8/8/8/4N3/8/8/4K3 b - - 0 1"), -320 - 20);
        assert_eq!(score("4k3/8/8/8/8/8/8/B3K3 w - - 0 1"), 330 - 10);
        assert_eq!(score("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), 100 + 60);
        assert_eq!(score("4k3/8/8/8/8/8/p7/4K3 w - - 0 1"), -100 - 60);
        // With Black's queen on the board White's king keeps to the border, and Black's need not.
        assert_eq!(score("4k2q/8/8/8/8/8/8/4K3 w - - 0 1"), 20 + 20 - 900);
    }

    #[test]
    fn the_start_is_even_and_crowded_boards_fit() {
        let game = Chess::default();
        assert_eq!(Material.evaluate(&game, &game.start()), 0);
        let queens = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQk b";
        assert!(Notation::read_position(&game, &format!("{queens} - -")).is_ok());
        assert!(score(&format!("{queens} - - 0 1")) < -50_000);
    }

    #[test]
    fn captures_come_first() {
        let game = Chess::default();
        let p = read("3q4/4P1k1/8/8/3R4/8/3b4/3K4 w - - 0 1");
        let moves = moves_of(&game, &p);
        let mut promise = vec![0; moves.len()];
        Material.rank(&game, &p, &moves, &mut promise);
        let mut ranked: Vec<(i32, String)> = (promise.into_iter().zip(&moves))
            .map(|(promise, &m)| (-promise, Notation::write_move(&game, &p, m)))
            .collect();
        ranked.sort();
        let texts: Vec<&str> = ranked.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts[..3], ["e7d8q", "d4d8", "d4d2"]);
        assert_eq!(texts[moves.len() - 1], "e7e8r");
    }
}
