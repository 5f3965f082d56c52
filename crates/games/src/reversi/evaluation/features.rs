//! [`Shapes`]: what a Reversi position looks like to a player, in twenty-two numbers.
//!
//! What books tell beginners to look at, eleven numbers of the viewer and eleven of the opponent; nobody has weighed them
//! before. `zermelo tune genetic reversi` does.

use evaluation::Features;
use evaluation::features::opposed;
use game::Side;

use super::{safe, stable};
use crate::reversi::board::{between, neighbours};
use crate::reversi::moves::mobility;
use crate::reversi::position::{Position, Reversi};
use crate::reversi::shape::Shape;

/// How many there are.
pub(super) const COUNT: usize = 22;

/// The twenty-two features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shapes;

impl<S: Shape> Features<Reversi<S>> for Shapes {
    const NAMES: &'static [&'static str] = &NAMES;

    #[inline]
    fn write(game: &Reversi<S>, p: &Position, viewer: Side, out: &mut [i32]) {
        let Some(out) = out.first_chunk_mut::<COUNT>() else {
            debug_assert!(false, "room for {COUNT} features");
            return;
        };
        let sides = [p.discs(viewer), p.discs(viewer.other())];
        let (own, opposing) = out.split_at_mut(COUNT / 2);
        write_side(game, p, sides, own);
        write_side(game, p, [sides[1], sides[0]], opposing);
    }
}

/// The eleven numbers of one side's discs beside the other's.
#[inline]
fn write_side<S: Shape>(game: &Reversi<S>, p: &Position, [own, other]: [u64; 2], out: &mut [i32]) {
    let (board, empties) = (game.board(), game.empties(p));
    // Beside a corner that is taken, a disc gives nothing away.
    let by_empty_corners = neighbours(board.corners & empties) & board.by_corners;
    let moves = mobility(own, other) & empties;
    let sets = [
        own,
        own & board.corners,
        own & board.edges,
        own & by_empty_corners & board.edges,
        own & by_empty_corners & !board.edges,
        moves,
        moves & board.corners,
        neighbours(other) & empties,
        own & neighbours(empties),
        stable(&safe(board, empties), own),
        own & between(other),
    ];
    for (number, set) in out.iter_mut().zip(sets) {
        *number = set.count_ones() as i32;
    }
}

pub(super) const NAMES: [&str; COUNT] = evaluation::names_of_both![
    "discs",
    "corners",
    "edges",
    "c_squares",
    "x_squares",
    "moves",
    "corner_moves",
    "open_squares",
    "frontier",
    "stable",
    "sandwich",
];

/// Few discs, many moves and corners: what a beginner is told first.
pub(super) const USUAL: [i32; COUNT] = opposed([-50, 4000, 0, 0, 0, 400, 0, 0, 0, 0, 0]);

#[cfg(test)]
mod tests {
    use game::{Game, Grid, Notation, Rng, Square};

    use super::*;
    use crate::reversi::Parameters;
    use crate::reversi::parameters::Start;
    use crate::reversi::position::Move;

    fn game(rows: usize, columns: usize) -> Reversi {
        Reversi::new(Parameters::new(Grid { rows, columns }, Start::Cross).unwrap())
    }

    fn features(game: &Reversi, p: &Position, viewer: Side) -> [i32; COUNT] {
        let mut out = [0; COUNT];
        Shapes::write(game, p, viewer, &mut out);
        out
    }

    /// The same, square by square.
    fn plainly(game: &Reversi, p: &Position, side: Side) -> Vec<i32> {
        let grid = game.board().grid();
        let at = |set: u64, row: usize, column: usize| set >> (8 * row + column) & 1 == 1;
        let (own, other) = (p.discs(side), p.discs(side.other()));
        let all: Vec<Square> = (0..grid.rows)
            .flat_map(|row| (0..grid.columns).map(move |column| Square { row, column }))
            .collect();
        let near = |a: &Square, b: &Square| {
            a != b && a.row.abs_diff(b.row) <= 1 && a.column.abs_diff(b.column) <= 1
        };
        let at_end = |n: usize, size: usize| n == 0 || n == size - 1;
        let ends = |s: &Square| {
            u32::from(at_end(s.row, grid.rows)) + u32::from(at_end(s.column, grid.columns))
        };
        let is_own = |s: &Square| at(own, s.row, s.column);
        let is_other = |s: &Square| at(other, s.row, s.column);
        let empty = |s: &Square| !is_own(s) && !is_other(s);
        let touches = |s: &Square, what: &dyn Fn(&Square) -> bool| {
            all.iter().any(|other| near(s, other) && what(other))
        };
        let by_empty_corner = |s: &Square| touches(s, &|c| ends(c) == 2 && empty(c));
        let mine = if game.to_move(p) == side { *p } else { turned(game, p) };
        let moves: Vec<Square> =
            game::moves_of(game, &mine).into_iter().filter_map(Move::square).collect();
        let count = |what: &dyn Fn(&Square) -> bool| all.iter().filter(|s| what(s)).count() as i32;
        vec![
            count(&is_own),
            count(&|s| is_own(s) && ends(s) == 2),
            count(&|s| is_own(s) && ends(s) == 1),
            count(&|s| is_own(s) && ends(s) == 1 && by_empty_corner(s)),
            count(&|s| is_own(s) && ends(s) == 0 && by_empty_corner(s)),
            moves.len() as i32,
            moves.iter().filter(|s| ends(s) == 2).count() as i32,
            count(&|s| empty(s) && touches(s, &is_other)),
            count(&|s| is_own(s) && touches(s, &empty)),
            count(&|s| is_own(s) && pairs_around(s, grid).any(|pair| pair.iter().all(is_other))),
        ]
    }

    /// The squares on both sides of one, in each of the four directions in which there are two.
    fn pairs_around(s: &Square, grid: Grid) -> impl Iterator<Item = [Square; 2]> {
        let Square { row, column } = *s;
        let inside = move |down: isize, right: isize| {
            let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
            (row < grid.rows && column < grid.columns).then_some(Square { row, column })
        };
        [(0, 1), (1, 0), (1, 1), (1, -1)]
            .into_iter()
            .filter_map(move |(down, right)| Some([inside(down, right)?, inside(-down, -right)?]))
    }

    /// The other side to move.
    fn turned(game: &Reversi, p: &Position) -> Position {
        let text = game.write_position(p);
        let mut words = text.split(' ');
        let (squares, mover) = (words.next().unwrap(), words.next().unwrap());
        game.read_position(&format!("{squares} {}", if mover == "X" { "O" } else { "X" })).unwrap()
    }

    #[test]
    fn features_are_what_counting_squares_says_and_mirror() {
        for (rows, columns, games) in [(4, 4, 40), (6, 6, 40), (4, 8, 40), (8, 8, 120)] {
            let game = game(rows, columns);
            let mut rng = Rng::new(3);
            for _ in 0..games {
                let mut p = game.start();
                while game.margin(&p).is_none() {
                    for viewer in [Side::First, Side::Second] {
                        let found = features(&game, &p, viewer);
                        let (own, opposing) = found.split_at(COUNT / 2);
                        let counted = [&own[..9], &own[10..]].concat();
                        assert_eq!(counted, plainly(&game, &p, viewer));
                        let theirs = features(&game, &p, viewer.other());
                        assert_eq!(theirs, [opposing, own].concat()[..]);
                        assert!(own[1] <= own[9] && own[9] <= own[0], "corners are stable");
                    }
                    let m = game.sample(&p, &mut rng).unwrap();
                    game.make(&mut p, m);
                }
            }
        }
    }

    #[test]
    fn a_full_edge_is_stable() {
        let four = game(4, 4);
        let p = four.read_position("XXXX-XO--OX----- X").unwrap();
        let found = features(&four, &p, Side::First);
        let named = |name: &str| found[NAMES.iter().position(|known| *known == name).unwrap()];
        assert_eq!((named("own.stable"), named("opposing.stable")), (4, 0));
        assert_eq!((named("own.corners"), named("own.edges"), named("own.c_squares")), (2, 2, 0));
        assert_eq!((named("own.x_squares"), named("opposing.x_squares")), (1, 1));
    }

    #[test]
    fn a_sandwich_has_the_opponent_on_both_sides() {
        let six = game(6, 6);
        let named = |text: &str, name: &str| {
            let found = features(&six, &six.read_position(text).unwrap(), Side::First);
            found[NAMES.iter().position(|known| *known == name).unwrap()]
        };
        let row = "-OXO--------------------------------";
        assert_eq!(named(&format!("{row} X"), "own.sandwich"), 1);
        assert_eq!(named(&format!("{row} X"), "opposing.sandwich"), 0);
        // On the diagonal too, but not across the edge of the board, nor where one side is empty.
        assert_eq!(named("O------X------O--------------------- X", "own.sandwich"), 1);
        assert_eq!(named("-----OX----O------------------------ X", "own.sandwich"), 0);
        assert_eq!(named("OX---------------------------------- X", "own.sandwich"), 0);
    }
}
