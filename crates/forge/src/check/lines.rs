//! Lines: what wins, and what does not. Each test is a list of arrangements of stones; a game that
//! leads to each of them is played, and the judge says at every stone what is right.

use game::Side;
use protocols::Point;
use protocols::text::{Command, Seat};

use super::plan::{Fillers, Plan, Row, SMALL, rows_of};
use crate::referee::{DIRECTIONS, Referee};
use crate::talk::{Talk, TalkError};

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Plays games that lead to arrangements, and counts those to which no way was found.
struct Lines<'t> {
    talk: &'t mut Talk,
    board: Referee,
    fillers: Fillers,
    played: usize,
}

impl<'t> Lines<'t> {
    fn new(talk: &'t mut Talk) -> Lines<'t> {
        let board = Referee::new(talk.game, talk.ground());
        let mut squares = board.empties();
        talk.rng.shuffle(&mut squares);
        Lines { talk, board, fillers: Fillers::new(squares), played: 0 }
    }

    fn play(&mut self, plan: &Plan<'_>) -> Result<(), TalkError> {
        let Some(stones) = plan.stones(&self.board, &mut self.fillers) else { return Ok(()) };
        self.talk.new_game([Seat::Human; 2])?;
        for point in stones {
            self.talk.make(point)?;
        }
        // Nothing can be placed after the end.
        if self.talk.referee().is_over()
            && self.played.is_multiple_of(8)
            && let Some(&free) = self.talk.referee().moves().first()
        {
            self.talk.make(free)?;
        }
        self.talk.ask(&Command::MovesMade)?;
        self.played += 1;
        Ok(())
    }

    /// The rows of a length with their squares.
    fn rows(&self, length: usize) -> Vec<(Row, Vec<Point>)> {
        let squares = |row: Row| Some((row, row.squares(&self.talk.game, &self.board)?));
        rows_of(&self.talk.game, &self.board, length).into_iter().filter_map(squares).collect()
    }

    fn ends(&self, row: &Row) -> Vec<Point> {
        row.ends(&self.talk.game, &self.board)
    }

    fn is_large(&self) -> bool {
        self.talk.game.grid.squares() > SMALL
    }

    fn finish(self) -> Result<(), TalkError> {
        self.talk.ask(&Command::GetPlayer)?;
        self.talk.hear_out()?;
        match self.played {
            0 => Err(TalkError::Idle("the board has no room for it".to_owned())),
            _ => Ok(()),
        }
    }
}

/// These squares with one of them last.
fn with_last(squares: &[Point], last: usize) -> Vec<Point> {
    let mut order = squares.to_vec();
    let point = order.remove(last);
    order.push(point);
    order
}

/// Which squares of a row come last: all of them; where rows are sampled the ends, their
/// neighbours and the middle.
fn lasts(length: usize, large: bool) -> Vec<usize> {
    let some = [0, 1, length / 2, length.saturating_sub(2), length - 1];
    let mut all: Vec<usize> = if large { some.to_vec() } else { (0..length).collect() };
    all.retain(|&last| last < length);
    all.sort_unstable();
    all.dedup();
    all
}

/// Each line of k, for each colour, with each of its squares as the last one.
pub(super) fn every_line(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    let mut lines = Lines::new(talk);
    for (row, squares) in lines.rows(k) {
        let ends = lines.ends(&row);
        for side in SIDES {
            for last in lasts(k, lines.is_large()) {
                let own = with_last(&squares, last);
                lines.play(&Plan { side, own: &own, other: &[], keep_off: &ends })?;
            }
        }
    }
    lines.finish()
}

/// Each line of k, for each colour, between two stones of the other one.
pub(super) fn blocked(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    let mut lines = Lines::new(talk);
    for (row, squares) in lines.rows(k) {
        let ends = lines.ends(&row);
        for side in SIDES {
            let own = with_last(&squares, k / 2);
            lines.play(&Plan { side, own: &own, other: &ends, keep_off: &[] })?;
        }
    }
    lines.finish()
}

/// Longer lines from two parts that are too short, with each gap between them: from k+1 to 2k-1.
pub(super) fn overlines(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    let mut lines = Lines::new(talk);
    let lengths: Vec<usize> = match lines.is_large() {
        true => vec![k + 1, 2 * k - 1],
        false => (k + 1..2 * k).collect(),
    };
    for length in lengths {
        for (row, squares) in lines.rows(length) {
            let ends = lines.ends(&row);
            for side in SIDES {
                for gap in lasts(length, lines.is_large()) {
                    if gap >= k || length - 1 - gap >= k {
                        continue;
                    }
                    let own = with_last(&squares, gap);
                    lines.play(&Plan { side, own: &own, other: &[], keep_off: &ends })?;
                }
            }
        }
    }
    lines.finish()
}

/// k stones in a row of k+1 squares with one of the other colour among them do not win.
pub(super) fn broken(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    let mut lines = Lines::new(talk);
    for (row, squares) in lines.rows(k + 1) {
        let ends = lines.ends(&row);
        for side in SIDES {
            for gap in lasts(k + 1, lines.is_large()) {
                if gap == 0 || gap == k {
                    continue;
                }
                let mut own = squares.clone();
                let other = [own.remove(gap)];
                lines.play(&Plan { side, own: &own, other: &other, keep_off: &ends })?;
            }
        }
    }
    lines.finish()
}

/// Rows that go on at the opposite edge do not win: along the numbers of squares, and as if the
/// edges were joined.
pub(super) fn around_the_edge(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
    let mut lines = Lines::new(talk);
    let large = lines.is_large();
    // Around the edges of a large board, from some of the squares at them.
    let near = |at: usize, side: usize| !large || at < 2 || at + k + 1 >= side;
    let sampled = |n: usize| !large || n.is_multiple_of(1 + n / 40);
    for (n, start) in lines.board.empties().into_iter().enumerate() {
        let edge = (near(start.x, columns) && sampled(start.y))
            || (near(start.y, rows) && sampled(start.x));
        if !edge || (large && !n.is_multiple_of(5)) {
            continue;
        }
        for step in DIRECTIONS {
            for way in WAYS {
                let Some(squares) = way(start, step, k, rows, columns) else { continue };
                if !squares.iter().all(|&point| lines.board.is_empty(point)) {
                    continue;
                }
                for side in SIDES {
                    for last in [0, k - 1] {
                        let own = with_last(&squares, last);
                        lines.play(&Plan { side, own: &own, other: &[], keep_off: &[] })?;
                    }
                }
            }
        }
    }
    lines.finish()
}

/// A way to go on from a square; `None` where it stays on a straight line, or comes back.
type Way = fn(Point, (isize, isize), usize, usize, usize) -> Option<Vec<Point>>;
/// Both of them.
const WAYS: [Way; 2] = [numbered, joined];

/// Squares whose numbers, row by row, have the same distance.
fn numbered(
    start: Point,
    (dx, dy): (isize, isize),
    k: usize,
    rows: usize,
    columns: usize,
) -> Option<Vec<Point>> {
    let step = dy * columns as isize + dx;
    let first = (start.y * columns + start.x) as isize;
    let numbers = (0..k as isize).map(|n| usize::try_from(first + n * step).ok());
    let points = numbers.map(|number| {
        let number = number.filter(|&number| number < rows * columns)?;
        Some(Point { x: number % columns, y: number / columns })
    });
    bent(points.collect::<Option<_>>()?, (dx, dy))
}

/// Squares of a board whose opposite edges are joined.
fn joined(
    start: Point,
    (dx, dy): (isize, isize),
    k: usize,
    rows: usize,
    columns: usize,
) -> Option<Vec<Point>> {
    let around = |at: usize, step: isize, side: usize| {
        (at as isize + step).rem_euclid(side as isize) as usize
    };
    let points = (0..k as isize)
        .map(|n| Point { x: around(start.x, n * dx, columns), y: around(start.y, n * dy, rows) });
    bent(points.collect(), (dx, dy))
}

fn bent(squares: Vec<Point>, (dx, dy): (isize, isize)) -> Option<Vec<Point>> {
    let straight = |pair: &[Point]| {
        pair[0].x.checked_add_signed(dx) == Some(pair[1].x)
            && pair[0].y.checked_add_signed(dy) == Some(pair[1].y)
    };
    let twice = (1..squares.len()).any(|n| squares[..n].contains(&squares[n]));
    (!squares.windows(2).all(straight) && !twice).then_some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_around_the_edge_are_bent() {
        let at = |x, y| Point { x, y };
        let way = WAYS;
        assert_eq!(way[0](at(2, 0), (1, 0), 2, 3, 3), Some(vec![at(2, 0), at(0, 1)]));
        assert_eq!(way[1](at(2, 0), (1, 0), 2, 3, 3), Some(vec![at(2, 0), at(0, 0)]));
        assert_eq!(way[0](at(0, 0), (1, 1), 3, 3, 3), None);
        assert_eq!(way[1](at(0, 0), (1, 0), 4, 3, 3), None);
    }

    #[test]
    fn large_boards_have_some_last_squares() {
        assert_eq!(lasts(5, false), [0, 1, 2, 3, 4]);
        assert_eq!(lasts(100, true), [0, 1, 50, 98, 99]);
        assert_eq!(lasts(1, true), [0]);
    }
}
