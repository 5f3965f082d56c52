//! [`Classic`]: a plain evaluation by what every beginner's book lists.

use evaluation::weights::{Visit, Weight};

use super::WIPED_OUT;
use crate::reversi::board::neighbours;
use crate::reversi::position::{Position, Reversi};
use crate::reversi::shape::Shape;

/// Ten for a corner, five for an edge square, minus two for a square by a corner, one for a disc,
/// minus one for a frontier disc; mine minus theirs. Who has no discs left has lost, whatever the
/// sum.
///
/// * *Edge squares* are those along the sides without the corners.
/// * *Squares by a corner* are the three next to it, taken or not; the two of them on the edge
///   count as edge squares too.
/// * *Frontier discs* are those next to an empty square, in any of eight directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classic {
    /// A disc in a corner.
    pub corner: i32,
    /// A disc on an edge.
    pub edge: i32,
    /// A disc by a corner.
    pub by_corner: i32,
    /// A disc anywhere.
    pub disc: i32,
    /// A frontier disc.
    pub frontier: i32,
}

impl Default for Classic {
    fn default() -> Classic {
        Classic { corner: 10, edge: 5, by_corner: -2, disc: 1, frontier: -1 }
    }
}

impl Classic {
    /// The worth of a position for the side to move.
    #[inline]
    pub(super) fn evaluate<S: Shape>(&self, game: &Reversi<S>, p: &Position) -> i32 {
        match (p.own, p.other) {
            (0, 0) => 0,
            (0, _) => -WIPED_OUT,
            (_, 0) => WIPED_OUT,
            (own, other) => self.worth(game, p, own) - self.worth(game, p, other),
        }
    }

    /// The sum of the terms for one player's discs.
    #[inline]
    fn worth<S: Shape>(&self, game: &Reversi<S>, p: &Position, discs: u64) -> i32 {
        let board = game.board();
        let frontier = neighbours(game.empties(p));
        let count = |zone: u64| (discs & zone).count_ones() as i32;
        self.corner * count(board.corners)
            + self.edge * count(board.edges)
            + self.by_corner * count(board.by_corners)
            + self.disc * count(board.squares)
            + self.frontier * count(frontier)
    }

    /// Shows every number once.
    pub(super) fn each(&mut self, visit: &mut Visit<'_>) {
        self.corner.show("corner", visit);
        self.edge.show("edge", visit);
        self.by_corner.show("by_corner", visit);
        self.disc.show("disc", visit);
        self.frontier.show("frontier", visit);
    }
}

#[cfg(test)]
mod tests {
    use game::{Grid, Notation};

    use super::*;
    use crate::reversi::parameters::{Parameters, Start};

    fn game(rows: usize, columns: usize) -> Reversi {
        let size = Grid { rows, columns };
        Reversi::new(Parameters::new(size, Start::Cross).unwrap())
    }

    fn score(game: &Reversi, rows: &[&str], side: char) -> i32 {
        let p = game.read_position(&format!("{} {side}", rows.concat())).unwrap();
        Classic::default().evaluate(game, &p)
    }

    #[test]
    fn terms_add_up() {
        let six = game(6, 6);
        let one = |row: &str| {
            // The lone O in the middle is a disc on the frontier: worth 0.
            score(&six, &[row, "------", "---O--", "------", "------", "------"], 'X')
        };
        assert_eq!(one("X-----"), 10 + 1 - 1);
        assert_eq!(one("-X----"), 5 - 2 + 1 - 1);
        assert_eq!(one("--X---"), 5 + 1 - 1);
        let inner =
            |row: &str| score(&six, &["------", row, "---O--", "------", "------", "------"], 'X');
        assert_eq!(inner("-X----"), -2 + 1 - 1);
        assert_eq!(inner("--X---"), 1 - 1);
    }

    #[test]
    fn discs_inside_are_not_on_the_frontier() {
        let rows = [
            "XXX-O-", // a corner, two edge squares (one by the corner); e1 an edge square by one
            "XXX---", // an edge square by the corner, one more square by it
            "XXX---", // an edge square
            "------", "------", "------",
        ];
        // X: 10 + 5 * 4 - 2 * 3 + 9 discs, of which c1, c2, c3, b3 and a3 touch an empty square.
        // O: 5 - 2 + 1 - 1.
        let black = 10 + 20 - 6 + 9 - 5;
        let white = 5 - 2 + 1 - 1;
        assert_eq!(score(&game(6, 6), &rows, 'X'), black - white);
        assert_eq!(score(&game(6, 6), &rows, 'O'), white - black);
    }

    #[test]
    fn a_rectangle_has_its_own_corners() {
        let rows = ["------", "------", "--O---", "-----X"];
        assert_eq!(score(&game(4, 6), &rows, 'X'), 10);
        let rows = ["----", "----", "---X", "----", "-O--", "----"];
        assert_eq!(score(&game(6, 4), &rows, 'X'), 5 + 2);
    }

    #[test]
    fn a_player_without_discs_has_lost() {
        let four = game(4, 4);
        let x = ["----", "-X--", "----", "----"];
        assert_eq!(score(&four, &x, 'X'), WIPED_OUT);
        assert_eq!(score(&four, &x, 'O'), -WIPED_OUT);
        assert_eq!(score(&four, &["----"; 4], 'O'), 0);
    }
}
