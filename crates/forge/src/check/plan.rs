//! [`Plan`]: a game that leads to a certain arrangement of stones, whatever p and q are.

use std::collections::HashSet;

use game::Side;
use protocols::{LineGame, Point};

use crate::referee::{DIRECTIONS, Referee};

/// What is to stand on the board in the end.
#[derive(Clone, Debug)]
pub(super) struct Plan<'p> {
    /// Whose stones it is about.
    pub(super) side: Side,
    /// They are placed in this order; the last one is the last of the game.
    pub(super) own: &'p [Point],
    /// Stones of the other side, before that.
    pub(super) other: &'p [Point],
    /// Where this side must have no other stones.
    pub(super) keep_off: &'p [Point],
}

/// Squares for the stones that the plan says nothing about, in an order that changes.
pub(super) struct Fillers {
    squares: Vec<Point>,
    next: usize,
}

impl Fillers {
    /// All squares of a board, in this order.
    pub(super) fn new(squares: Vec<Point>) -> Fillers {
        Fillers { squares, next: 0 }
    }

    /// One that is good; the next time it goes on behind it.
    fn find(&mut self, good: &dyn Fn(Point) -> bool) -> Option<Point> {
        let count = self.squares.len();
        let at = (0..count).map(|n| (self.next + n) % count).find(|&n| good(self.squares[n]))?;
        self.next = (at + 1) % count;
        Some(self.squares[at])
    }
}

impl Plan<'_> {
    /// The stones of such a game, on an empty board; `None` if no way to it was found, since there
    /// is no room for all the other stones, or they would win.
    pub(super) fn stones(&self, board: &Referee, fillers: &mut Fillers) -> Option<Vec<Point>> {
        let (&last, before) = self.own.split_last()?;
        let reserved: HashSet<Point> = self.own.iter().chain(self.other).copied().collect();
        let mut board = board.clone();
        let mut stones = Vec::new();
        while !board.is_over() {
            let (side, _) = board.turn();
            let own = side == self.side;
            let open = |&&point: &&Point| board.is_free(point);
            let planned = if own { before } else { self.other };
            let ready =
                || self.own.iter().chain(self.other).all(|&p| p == last || !board.is_empty(p));
            let harmless = |point: Point| {
                board.is_free(point)
                    && !reserved.contains(&point)
                    && (!own || !self.keep_off.contains(&point))
                    && !board.would_win(point, side)
            };
            let point = match planned.iter().find(open) {
                Some(&point) if !board.would_win(point, side) => point,
                Some(_) => return None,
                None if own && board.is_free(last) && ready() => {
                    stones.push(last);
                    return Some(stones);
                }
                // What the planned squares rest on where stones fall, or any other square.
                None => {
                    let below = |&point: &Point| {
                        let rest = board.landing(point);
                        (board.is_empty(point) && harmless(rest)).then_some(rest)
                    };
                    let support = match board.falls() {
                        true => self.own.iter().chain(self.other).find_map(below),
                        false => None,
                    };
                    support.or_else(|| fillers.find(&harmless))?
                }
            };
            board.place(point);
            stones.push(point);
        }
        None
    }
}

/// A row of squares: where it begins, its direction and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) start: Point,
    pub(super) step: (isize, isize),
    pub(super) length: usize,
}

impl Row {
    /// The square after so many steps, if there is one.
    pub(super) fn at(&self, game: &LineGame, steps: isize) -> Option<Point> {
        let x = self.start.x.checked_add_signed(self.step.0 * steps)?;
        let y = self.start.y.checked_add_signed(self.step.1 * steps)?;
        (x < game.grid.columns && y < game.grid.rows).then_some(Point { x, y })
    }

    /// Its squares; `None` if it does not fit on the board.
    pub(super) fn squares(&self, game: &LineGame, board: &Referee) -> Option<Vec<Point>> {
        let square = |steps| self.at(game, steps).filter(|&point| board.is_empty(point));
        (0..self.length as isize).map(square).collect()
    }

    /// The squares before and after it.
    pub(super) fn ends(&self, game: &LineGame, board: &Referee) -> Vec<Point> {
        let ends = [self.at(game, -1), self.at(game, self.length as isize)];
        ends.into_iter().flatten().filter(|&point| board.is_empty(point)).collect()
    }
}

/// From this many squares on rows are sampled.
pub(super) const SMALL: usize = super::moves::SMALL;
/// So many rows and columns where sampled rows begin are spread evenly over the board.
pub(super) const SPREAD: usize = 8;
/// Words of so many squares: rows that cross their borders are sampled.
pub(super) const WORD: usize = 64;

/// All rows of a length on small boards. On large ones those that begin in chosen rows and
/// columns: the first and last two that are possible, those from which a row crosses a multiple of
/// 64, and 8 spread evenly.
pub(super) fn rows_of(game: &LineGame, board: &Referee, length: usize) -> Vec<Row> {
    let (rows, columns) = (game.grid.rows, game.grid.columns);
    let small = game.grid.squares() <= SMALL;
    let mut found = Vec::new();
    for step in DIRECTIONS {
        let ys = begins(rows, length, step.1, small);
        let xs = begins(columns, length, step.0, small);
        for &y in &ys {
            for &x in &xs {
                let row = Row { start: Point { x, y }, step, length };
                let fits = row.at(game, length as isize - 1).is_some();
                if fits && row.squares(game, board).is_some() {
                    found.push(row);
                }
            }
        }
    }
    found
}

/// Where rows begin along one side of the board, going this way.
fn begins(side: usize, length: usize, step: isize, small: bool) -> Vec<usize> {
    if small {
        return (0..side).collect();
    }
    // The first and the last possible one.
    let reach = if step == 0 { 0 } else { length - 1 };
    let Some(last) = side.checked_sub(1 + reach) else { return Vec::new() };
    let mut all: Vec<usize> = vec![0, 1, last.saturating_sub(1), last];
    all.extend((WORD..side).step_by(WORD).map(|at| at.saturating_sub(reach / 2 + 1).min(last)));
    all.extend((1..=SPREAD).map(|n| n * last / (SPREAD + 1)));
    if step < 0 {
        all.iter_mut().for_each(|at| *at += reach);
    }
    all.retain(|&at| at < side);
    all.sort_unstable();
    all.dedup();
    all
}
