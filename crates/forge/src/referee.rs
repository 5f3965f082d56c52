//! [`Referee`]: the rules once more, as plainly as they can be written.

use game::Side;
use protocols::{LineGame, Point};

/// A board, and what has happened on it.
#[derive(Clone, Debug)]
pub(crate) struct Referee {
    game: LineGame,
    stones: Vec<Option<Side>>,
    placed: usize,
    winner: Option<Side>,
}

/// Right, down and the two diagonals.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Referee {
    pub(crate) fn new(game: LineGame) -> Referee {
        let squares = game.grid.squares();
        Referee { game, stones: vec![None; squares], placed: 0, winner: None }
    }

    pub(crate) fn placed(&self) -> usize {
        self.placed
    }

    pub(crate) fn winner(&self) -> Option<Side> {
        self.winner
    }

    pub(crate) fn is_over(&self) -> bool {
        self.winner.is_some() || self.placed == self.stones.len()
    }

    /// Who is next, and with how many stones.
    pub(crate) fn turn(&self) -> (Side, usize) {
        self.game.turn_after(self.placed)
    }

    pub(crate) fn stone(&self, point: Point) -> Option<Side> {
        let Point { x, y } = point;
        self.stones[y * self.game.grid.columns + x]
    }

    pub(crate) fn is_free(&self, point: Point) -> bool {
        let on_board = point.x < self.game.grid.columns && point.y < self.game.grid.rows;
        on_board && self.stone(point).is_none()
    }

    /// All free squares, row by row.
    pub(crate) fn free(&self) -> Vec<Point> {
        let columns = self.game.grid.columns;
        let points = (0..self.stones.len()).map(|i| Point { x: i % columns, y: i / columns });
        points.filter(|&point| self.stone(point).is_none()).collect()
    }

    /// Whether a stone is next to another one.
    pub(crate) fn touches(&self, point: Point) -> bool {
        let steps = DIRECTIONS.iter().flat_map(|&(x, y)| [(x, y), (-x, -y)]);
        steps
            .filter_map(|step| self.neighbour(point, step, 1))
            .any(|near| self.stone(near).is_some())
    }

    fn neighbour(&self, point: Point, (dx, dy): (isize, isize), steps: isize) -> Option<Point> {
        let x = point.x.checked_add_signed(dx * steps)?;
        let y = point.y.checked_add_signed(dy * steps)?;
        (x < self.game.grid.columns && y < self.game.grid.rows).then_some(Point { x, y })
    }

    /// Whether a stone of this side there makes a line that wins.
    pub(crate) fn would_win(&self, point: Point, side: Side) -> bool {
        DIRECTIONS.iter().any(|&(dx, dy)| {
            let run = |step: (isize, isize)| {
                let own = |n: &isize| {
                    self.neighbour(point, step, *n).is_some_and(|p| self.stone(p) == Some(side))
                };
                (1..).take_while(own).count()
            };
            let length = 1 + run((dx, dy)) + run((-dx, -dy));
            if self.game.exact { length == self.game.k } else { length >= self.game.k }
        })
    }

    /// Places the next stone.
    pub(crate) fn place(&mut self, point: Point) {
        let (side, _) = self.turn();
        if self.would_win(point, side) {
            self.winner = Some(side);
        }
        self.stones[point.y * self.game.grid.columns + point.x] = Some(side);
        self.placed += 1;
    }
}
