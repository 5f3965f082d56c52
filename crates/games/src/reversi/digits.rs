//! Positions in figures, as programs exchange them that store whole trees of Reversi:
//!
//! * **digits**, `BOARD;MOVER` or, with who wins under perfect play, `BOARD;MOVER;VALUE`: one digit a square in
//!   reading order, 0 empty, 1 first player, 2 second; the mover 0 first, 1 second; the value 1 if
//!   the first player wins, 0 for a draw, -1 if the second wins. A value, or 2 for an unknown one, is
//!   read over: it is a claim.
//! * **bits**, two a square in the same order: 00 first player, 01 second, 10 empty. They do not tell
//!   who moves, so `;MOVER` may follow. Where it does not, in either text, the first player is taken to move if
//!   the number of discs is even, unless only the other side can: each move adds one disc.

use game::{Side, TextError};

use super::board::bit_of;
use super::moves::mobility;
use super::notation::disc;
use super::position::{Position, Reversi};
use super::shape::Shape;

/// Whether a text is one of these, right or wrong: its first field has digits alone.
pub(super) fn is_in_figures(text: &str) -> bool {
    let board = text.split(';').next().unwrap_or_default().trim();
    !board.is_empty() && board.bytes().all(|b| b.is_ascii_digit())
}

/// Reads either text, told apart by their lengths.
pub(super) fn read<S: Shape>(game: &Reversi<S>, text: &str) -> Result<Position, TextError> {
    let wrong = |at: usize, why: String| TextError::new(text, why).at(at);
    let squares = game.board().grid().squares();
    let begin = text.chars().take_while(|c| c.is_whitespace()).count();
    let mut fields = text.trim().split(';');
    let board = fields.next().unwrap_or_default().trim_end();
    let digits_a_square = match board.len() {
        length if length == squares => 1,
        length if length == 2 * squares => 2,
        length => {
            let why = format!(
                "{length} digits; there are {squares} squares, so {squares} digits or {} bits",
                2 * squares
            );
            return Err(wrong(begin, why));
        }
    };
    let (mut first, mut second) = (0, 0);
    for (number, square) in game.board().grid().iter().enumerate() {
        let at = digits_a_square * number;
        let set = 1 << bit_of(square);
        match &board[at..at + digits_a_square] {
            "0" | "10" => {}
            "1" | "00" => first |= set,
            "2" | "01" => second |= set,
            other => {
                let why = match digits_a_square {
                    1 => format!("{other} is no square; 0 is empty, 1 first player, 2 second"),
                    _ => format!("{other} is no square; 00 is first player, 01 second, 10 empty"),
                };
                return Err(wrong(begin + at, why));
            }
        }
    }
    let side = match fields.next().map(str::trim) {
        Some("0") => Side::First,
        Some("1") => Side::Second,
        None | Some("") => likely_mover(game, first, second),
        Some(other) => {
            let why = format!(
                "after the board comes who moves, 0 first player or 1 second, not {other:?}"
            );
            return Err(wrong(begin + board.len() + 1, why));
        }
    };
    match fields.next().map(str::trim) {
        None | Some("" | "-1" | "0" | "1" | "2") if fields.next().is_none() => {}
        _ => {
            return Err(TextError::new(
                text,
                "after who moves comes the value, -1, 0 or 1, and no more",
            ));
        }
    }
    let (own, other) = if side == Side::First { (first, second) } else { (second, first) };
    Ok(Position { own, other, side, passes: 0 })
}

fn likely_mover<S: Shape>(game: &Reversi<S>, first: u64, second: u64) -> Side {
    let empties = game.board().squares & !(first | second);
    let can_move = [mobility(first, second) & empties != 0, mobility(second, first) & empties != 0];
    let by_number =
        if (first | second).count_ones().is_multiple_of(2) { Side::First } else { Side::Second };
    match can_move {
        [true, false] => Side::First,
        [false, true] => Side::Second,
        _ => by_number,
    }
}

/// The digits of a position, with the sign of the first player's margin where that is known.
pub(super) fn write_digits<S: Shape>(
    game: &Reversi<S>,
    p: &Position,
    value: Option<i32>,
) -> String {
    let mut text = board(game, p, ["0", "1", "2"]);
    text.push_str(if p.side == Side::First { ";0" } else { ";1" });
    if let Some(value) = value {
        text.push_str(&format!(";{}", value.signum()));
    }
    text
}

/// The bits of a position.
pub(super) fn write_bits<S: Shape>(game: &Reversi<S>, p: &Position) -> String {
    board(game, p, ["10", "00", "01"])
}

/// All squares, as empty, the first player's and the second's are written.
fn board<S: Shape>(game: &Reversi<S>, p: &Position, [empty, first, second]: [&str; 3]) -> String {
    let word = |square| match disc(p, square) {
        None => empty,
        Some(Side::First) => first,
        Some(Side::Second) => second,
    };
    game.board().grid().iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use game::{Game, Grid, Notation, Rng};

    use super::*;
    use crate::reversi::Parameters;
    use crate::reversi::parameters::Start;

    fn game(side: usize) -> Reversi {
        let grid = Grid { rows: side, columns: side };
        Reversi::new(Parameters::new(grid, Start::Cross).unwrap())
    }

    /// A unit of work with its result, and a board in bits, as printed in a report of 2008.
    const UNIT: &str = "000010211100122210212110200000000000;1";
    const BITS: &str = "101010011010100000010010100000011010100000010110101000010101101000100110";

    #[test]
    fn texts_of_a_report_of_2008() {
        let six = game(6);
        let p = six.read_position(UNIT).unwrap();
        let rows = "----X-OXXX--XOOOX-OXOXX-O-----------";
        assert_eq!(six.write_position(&p), format!("{rows} O"));
        assert_eq!(six.read_position(&format!("{UNIT};-1")), Ok(p));
        assert_eq!(write_digits(&six, &p, None), UNIT);
        assert_eq!(write_digits(&six, &p, Some(-4)), format!("{UNIT};-1"));
        let p = six.read_position(BITS).unwrap();
        let rows = "---O---XXOX--XXO---XXOO---XOOO--X-O-";
        // Twenty discs, so it is the first player's turn.
        assert_eq!(six.write_position(&p), format!("{rows} X"));
        assert_eq!(write_bits(&six, &p), BITS);
        let other = six.read_position(&format!("{BITS};1")).unwrap();
        assert_eq!(six.write_position(&other), format!("{rows} O"));
        assert_eq!(six.position_texts(&p, Some(0))[1], ("bits", BITS.to_owned()));
        assert_eq!(write_bits(&game(8), &game(8).start()).len(), 128);
    }

    #[test]
    fn figures_tell_the_whole_position() {
        for side in [4, 6, 8] {
            let game = game(side);
            let mut rng = Rng::new(8);
            for _ in 0..20 {
                let mut p = game.start();
                while game.margin(&p).is_none() {
                    let plain = Position { passes: 0, ..p };
                    assert_eq!(read(&game, &write_digits(&game, &p, Some(1))), Ok(plain));
                    let bits = format!("{};{}", write_bits(&game, &p), p.side.index());
                    assert_eq!(read(&game, &bits), Ok(plain));
                    let m = game.sample(&p, &mut rng).unwrap();
                    game.make(&mut p, m);
                }
            }
        }
    }

    #[test]
    fn who_moves_follows_from_the_number_of_discs() {
        let four = game(4);
        let mover = |text: &str| four.read_position(text).unwrap().side;
        assert_eq!(mover("0000012002100000"), Side::First);
        assert_eq!(mover("0000012002110000"), Side::Second);
        // Only the second player can move here.
        assert_eq!(mover("2100000000000000"), Side::Second);
    }

    #[test]
    fn wrong_figures_are_named() {
        let four = game(4);
        for (text, why) in [
            ("000001200210000;0", "\"000001200210000;0\" at character 1: 15 digits; there are 16"),
            ("0000013002100000;0", "at character 7: 3 is no square; 0 is empty"),
            ("10101010101011101010101010101010", "at character 13: 11 is no square; 00 is first"),
            ("0000012002100000;2", "at character 18: after the board comes who moves"),
            ("0000012002100000;0;3", "the value, -1, 0 or 1"),
            ("0000012002100000;0;1;1", "and no more"),
        ] {
            let said = four.read_position(text).unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
