//! [`LineGame`]: what the protocols of line games say about a game: numbers, and squares counted from the top left.

use std::time::Duration;

use game::{Grid, Side, Spec, Square, TextError};
use play::{Choice, Limits, Session, Stop, Task};

use crate::bot::has_limits;
use crate::desk::Desk;

/// The simple player of the Connect-k tradition.
pub(crate) const SIMPLE_PLAYER: &str = "adjacent";

/// A square by column and row, both from 0, the top left being the first. Protocols write it in their own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The column, from the left.
    pub x: usize,
    /// The row, from the top.
    pub y: usize,
}

/// The numbers of a line game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineGame {
    /// The board.
    pub grid: Grid,
    /// So many in a row win.
    pub k: usize,
    /// Stones in a turn.
    pub p: usize,
    /// Stones in the first turn.
    pub q: usize,
    /// Whether more than `k` do not win.
    pub exact: bool,
    /// Whether there is nothing else to its rules.
    pub plain: bool,
}

impl LineGame {
    /// The numbers in the name of a game; `None` if it is no line game.
    #[must_use]
    pub fn of(spec: &str) -> Option<LineGame> {
        let parsed = Spec::parse(spec).ok()?;
        let grid = Grid::read_size(parsed.value("size")?).ok()?;
        let number = |key: &str| parsed.value(key).map(str::parse);
        let k = number("k")?.ok()?;
        let p = number("p").unwrap_or(Ok(1)).ok()?;
        let q = number("q").unwrap_or(Ok(1)).ok()?;
        let exact = parsed.value("win") == Some("exact");
        let (_, arguments) = spec.split_once(':')?;
        let plain = arguments.split(',').all(|argument| {
            argument.starts_with(|c: char| c.is_ascii_digit())
                || ["k=", "p=", "q=", "win="].iter().any(|key| argument.starts_with(key))
        });
        Some(LineGame { grid, k, p, q, exact, plain })
    }

    /// What the game calls a square; `None` off the board.
    #[must_use]
    pub fn name(&self, point: Point) -> Option<String> {
        let Grid { rows, columns } = self.grid;
        let on_board = point.x < columns && point.y < rows;
        on_board.then(|| self.grid.name(Square { row: rows - 1 - point.y, column: point.x }))
    }

    /// Where a square of the game is; `None` if it is none.
    #[must_use]
    pub fn point(&self, name: &str) -> Option<Point> {
        self.grid.read(name).ok().map(|square| self.point_of(square))
    }

    /// Where a square is.
    #[must_use]
    pub fn point_of(&self, square: Square) -> Point {
        Point { x: square.column, y: self.grid.rows - 1 - square.row }
    }

    /// What the game says about squares and columns, with its names for them replaced by a
    /// protocol's.
    pub(crate) fn in_points(&self, why: &str, write: fn(Point) -> String) -> String {
        let mut after_column = false;
        let words = why.split(' ').map(|word| {
            let name = word.trim_end_matches([',', ';', ':']);
            let column = self.grid.read_column(name).ok().filter(|_| after_column);
            after_column = word == "column";
            let column = column.map(|column| (column + 1).to_string());
            let said = self.point(name).map(write).or(column);
            said.map_or_else(|| word.to_owned(), |said| said + &word[name.len()..])
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Who is to place a stone after so many, and how many are left in that turn.
    #[must_use]
    pub fn turn_after(&self, stones: usize) -> (Side, usize) {
        match stones.checked_sub(self.q) {
            None => (Side::First, self.q - stones),
            Some(later) => {
                let second = (later / self.p).is_multiple_of(2);
                let side = if second { Side::Second } else { Side::First };
                (side, self.p - later % self.p)
            }
        }
    }
}

/// The stones on the board, row by row from the top.
pub(crate) fn stones(session: &dyn Session, game: &LineGame) -> Vec<(Point, Side)> {
    let diagram = session.diagram();
    let owned = |square| diagram.cell(square).owner.map(|side| (game.point_of(square), side));
    let mut stones: Vec<(Point, Side)> = diagram.grid().iter().filter_map(owned).collect();
    stones.sort_by_key(|(point, _)| (point.y, point.x));
    stones
}

/// Right, right and down, down, left and down: in this order lines are looked for.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];

/// The two ends of a line that a stone has won by, if it has: first the one in the direction that
/// was looked in.
pub(crate) fn winning_line(
    session: &dyn Session,
    game: &LineGame,
    last: Point,
) -> Option<(Point, Point)> {
    let Grid { rows, columns } = game.grid;
    let diagram = session.diagram();
    let owner =
        |point: Point| diagram.cell(Square { row: rows - 1 - point.y, column: point.x }).owner;
    let side = owner(last)?;
    let step = |point: Point, (dx, dy): (isize, isize)| {
        let (x, y) = (point.x.checked_add_signed(dx)?, point.y.checked_add_signed(dy)?);
        (x < columns && y < rows).then_some(Point { x, y })
    };
    let end = |direction| {
        let own = |&point: &Point| owner(point) == Some(side);
        std::iter::successors(Some(last), |&point| step(point, direction).filter(own)).last()
    };
    DIRECTIONS.iter().find_map(|&(dx, dy)| {
        let (ahead, behind) = (end((dx, dy))?, end((-dx, -dy))?);
        let length = ahead.x.abs_diff(behind.x).max(ahead.y.abs_diff(behind.y)) + 1;
        let wins = if game.exact { length == game.k } else { length >= game.k };
        wins.then_some((ahead, behind))
    })
}

/// Lets a player think within a front's limits. One whose description says how far it thinks keeps to that, since it is
/// meant to be so weak, and is stopped when the time is over.
pub(crate) fn think_within(
    desk: &mut Desk<'_>,
    session: &dyn Session,
    bot: &str,
    limits: Option<Limits>,
    among: Vec<String>,
) -> Result<(), TextError> {
    let only_time = limits.is_some_and(|limits| limits.depth.is_none() && limits.nodes.is_none());
    let own_pace = only_time && has_limits(bot);
    let task = Task { limits: limits.filter(|_| !own_pace), among, ..Task::default() };
    desk.think(session, bot, task)?;
    if own_pace && let Some(time) = limits.and_then(|limits| limits.usual_time()) {
        desk.stop_in(time.max(Duration::from_millis(1)));
    }
    Ok(())
}

/// The choice of a player that had time to think. One that was stopped before it knew anything would place its stone anywhere:
/// the simple player at least stays near the others.
pub(crate) fn considered(choice: Choice, session: &dyn Session, desk: &Desk<'_>) -> Choice {
    if choice.analysis.as_ref().is_none_or(|analysis| analysis.value.is_some()) {
        return choice;
    }
    let Ok(mut player) = desk.host().player(&session.spec(), SIMPLE_PLAYER) else { return choice };
    let chosen = player.choose(session, &Task::default(), &Stop::new(), &mut |_| {});
    chosen.unwrap_or(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_from_the_name() {
        let game = LineGame::of("mnk:4x6,k=3,p=2,q=3,win=exact").unwrap();
        let grid = Grid { rows: 4, columns: 6 };
        assert_eq!(game, LineGame { grid, k: 3, p: 2, q: 3, exact: true, plain: true });
        assert!(!LineGame::of("mnk:6x7,k=4,gravity").unwrap().plain);
        assert!(!LineGame::of("mnk:6x7,k=4,holes=a1").unwrap().plain);
        for other in ["chess", "reversi:8x8", "go:9x9,komi=7", "", ":"] {
            assert_eq!(LineGame::of(other), None, "{other}");
        }
    }

    #[test]
    fn squares_are_counted_from_the_top_left() {
        let game = LineGame::of("mnk:4x6,k=3").unwrap();
        assert_eq!(game.name(Point { x: 0, y: 0 }).as_deref(), Some("a4"));
        assert_eq!(game.name(Point { x: 5, y: 3 }).as_deref(), Some("f1"));
        assert_eq!(game.name(Point { x: 6, y: 0 }), None);
        assert_eq!(game.name(Point { x: 0, y: usize::MAX }), None);
        for square in game.grid.iter() {
            let point = game.point(&game.grid.name(square)).unwrap();
            assert_eq!(game.name(point), Some(game.grid.name(square)));
        }
    }

    #[test]
    fn messages_speak_of_points() {
        let game = LineGame::of("mnk:6x7,k=4,gravity").unwrap();
        let write = |point: Point| format!("{} {}", point.x + 1, point.y + 1);
        for (why, said) in [
            ("a6 is taken; place a stone", "1 1 is taken; place a stone"),
            ("the stone on c4 floats: c3 below it", "the stone on 3 3 floats: 3 4 below it"),
            ("column g is full; choose another", "column 7 is full; choose another"),
            ("a stone comes to rest on b1", "a stone comes to rest on 2 6"),
            ("a square is x, o, . or # for a hole", "a square is x, o, . or # for a hole"),
        ] {
            assert_eq!(game.in_points(why, write), said);
        }
    }

    #[test]
    fn turns_have_their_stones() {
        let game = LineGame::of("mnk:4x6,k=3,p=2,q=1").unwrap();
        let turns: Vec<_> = (0..6).map(|stones| game.turn_after(stones)).collect();
        let (black, white) = (Side::First, Side::Second);
        assert_eq!(turns, [(black, 1), (white, 2), (white, 1), (black, 2), (black, 1), (white, 2)]);
    }
}
