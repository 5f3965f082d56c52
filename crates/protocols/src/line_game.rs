//! [`LineGame`]: what the protocols of line games say about a game: numbers, and squares counted from the top left.

use std::time::Duration;

use game::{Choice, Grid, Limits, Mark, Session, Side, Spec, Square, Stop, Task};

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

/// The two ends of the winning line, if there is one.
pub(crate) fn winning_line(session: &dyn Session, game: &LineGame) -> Option<(Point, Point)> {
    let diagram = session.diagram();
    // In the order of rows and then columns the ends of any line come first and last.
    let mut line: Vec<Point> = diagram.marked(Mark::Line).map(|s| game.point_of(s)).collect();
    line.sort_by_key(|point| (point.y, point.x));
    Some((*line.first()?, *line.last()?))
}

/// Lets a player think within a front's limits. One whose description says how far it thinks keeps to that, since it is
/// meant to be so weak, and is stopped when the time is over.
pub(crate) fn think_within(
    desk: &mut Desk<'_>,
    session: &dyn Session,
    bot: &str,
    limits: Option<Limits>,
    among: Vec<String>,
) -> Result<(), String> {
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
    let player = desk.host().player(&session.spec(), SIMPLE_PLAYER);
    let chosen =
        player.and_then(|mut p| p.choose(session, &Task::default(), &Stop::new(), &mut |_| {}));
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
    fn turns_have_their_stones() {
        let game = LineGame::of("mnk:4x6,k=3,p=2,q=1").unwrap();
        let turns: Vec<_> = (0..6).map(|stones| game.turn_after(stones)).collect();
        let (black, white) = (Side::First, Side::Second);
        assert_eq!(turns, [(black, 1), (white, 2), (white, 1), (black, 2), (black, 1), (white, 2)]);
    }
}
