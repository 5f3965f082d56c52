//! [`Referee`]: the rules once more, as plainly as they can be written.

use std::sync::Arc;

use game::{Side, Spec, TextError};
use games::mnk;
use games::mnk::Shape as _;
use protocols::{LineGame, Point};

/// What there is to a board beside its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ground {
    /// Whether a stone falls to the lowest empty square of its column, through holes if there are any below.
    pub(crate) gravity: bool,
    /// Row by row, which squares are no holes.
    squares: Vec<bool>,
}

impl Ground {
    /// A board with nothing but its numbers.
    pub(crate) fn plain(game: LineGame) -> Ground {
        Ground { gravity: false, squares: vec![true; game.grid.squares()] }
    }

    /// That of a game's name.
    pub(crate) fn of(spec: &str) -> Result<Ground, TextError> {
        let parameters = mnk::Parameters::from_spec(&Spec::parse(spec)?)?;
        let (shape, grid) = (parameters.shape(), parameters.shape().grid());
        let mut squares = vec![true; grid.squares()];
        for hole in parameters.holes() {
            squares[(grid.rows - 1 - hole.row) * grid.columns + hole.column] = false;
        }
        Ok(Ground { gravity: shape.gravity(), squares })
    }
}

/// A board, and what has happened on it.
#[derive(Clone, Debug)]
pub(crate) struct Referee {
    game: LineGame,
    ground: Arc<Ground>,
    stones: Vec<Option<Side>>,
    placed: usize,
    /// Empty squares.
    left: usize,
    winner: Option<Side>,
    /// The ends of the line that has won, the one in the direction looked in first.
    line: Option<(Point, Point)>,
}

/// Right, right and down, down, left and down: in this order the protocol looks for lines.
pub(crate) const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];

impl Referee {
    pub(crate) fn new(game: LineGame, ground: &Arc<Ground>) -> Referee {
        let squares = game.grid.squares();
        let ground = Arc::clone(ground);
        let left = ground.squares.iter().filter(|&&square| square).count();
        Referee {
            game,
            ground,
            stones: vec![None; squares],
            left,
            placed: 0,
            winner: None,
            line: None,
        }
    }

    pub(crate) fn placed(&self) -> usize {
        self.placed
    }

    pub(crate) fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The ends of the line that has won.
    pub(crate) fn winning_line(&self) -> Option<(Point, Point)> {
        self.line
    }

    pub(crate) fn is_over(&self) -> bool {
        self.winner.is_some() || self.left == 0
    }

    /// Who is next, and with how many stones.
    pub(crate) fn turn(&self) -> (Side, usize) {
        self.game.turn_after(self.placed)
    }

    pub(crate) fn stone(&self, point: Point) -> Option<Side> {
        let Point { x, y } = point;
        self.stones[y * self.game.grid.columns + x]
    }

    /// Whether there is no stone on a square of the board.
    pub(crate) fn is_empty(&self, Point { x, y }: Point) -> bool {
        let index = y * self.game.grid.columns + x;
        let on_board = x < self.game.grid.columns && y < self.game.grid.rows;
        on_board && self.ground.squares[index] && self.stones[index].is_none()
    }

    /// Whether the next stone may go there.
    pub(crate) fn is_free(&self, point: Point) -> bool {
        self.is_empty(point) && self.landing(point) == point
    }

    /// Whether stones fall.
    pub(crate) fn falls(&self) -> bool {
        self.ground.gravity
    }

    /// Where a stone comes to rest that is placed on an empty square.
    pub(crate) fn landing(&self, point: Point) -> Point {
        let below = (point.y..self.game.grid.rows).rev().map(|y| Point { y, ..point });
        let mut empty = below.filter(|&point| self.is_empty(point));
        if self.ground.gravity { empty.next().unwrap_or(point) } else { point }
    }

    /// All squares without a stone, row by row.
    pub(crate) fn empties(&self) -> Vec<Point> {
        let columns = self.game.grid.columns;
        let points = (0..self.stones.len()).map(|i| Point { x: i % columns, y: i / columns });
        points.filter(|&point| self.is_empty(point)).collect()
    }

    /// Those of them to which the next stone may go.
    pub(crate) fn moves(&self) -> Vec<Point> {
        let mut moves = self.empties();
        moves.retain(|&point| self.landing(point) == point);
        moves
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

    /// The ends of the first line that a stone of this side there wins by, as the protocol
    /// tells them.
    fn line_through(&self, point: Point, side: Side) -> Option<(Point, Point)> {
        DIRECTIONS.iter().find_map(|&(dx, dy)| {
            let run = |step: (isize, isize)| {
                let own = |n: &isize| {
                    self.neighbour(point, step, *n).is_some_and(|p| self.stone(p) == Some(side))
                };
                (1..).take_while(own).last().unwrap_or(0)
            };
            let (ahead, behind) = (run((dx, dy)), run((-dx, -dy)));
            let length = (1 + ahead + behind) as usize;
            let wins = if self.game.exact { length == self.game.k } else { length >= self.game.k };
            let ends = || {
                let end = |step, n| self.neighbour(point, step, n);
                end((dx, dy), ahead).zip(end((-dx, -dy), behind))
            };
            if wins { ends() } else { None }
        })
    }

    /// Whether a stone of this side there makes a line that wins.
    pub(crate) fn would_win(&self, point: Point, side: Side) -> bool {
        self.line_through(point, side).is_some()
    }

    /// Places the next stone.
    pub(crate) fn place(&mut self, point: Point) {
        let (side, _) = self.turn();
        self.line = self.line_through(point, side);
        self.winner = self.line.map(|_| side);
        self.stones[point.y * self.game.grid.columns + point.x] = Some(side);
        self.placed += 1;
        self.left -= 1;
    }

    /// Whose stone is next; once the game is over, whose was last.
    pub(crate) fn player(&self) -> Side {
        let stones = if self.is_over() { self.placed.saturating_sub(1) } else { self.placed };
        self.game.turn_after(stones).0
    }

    /// The rows as the protocol prints them.
    pub(crate) fn rows(&self) -> Vec<String> {
        let columns = self.game.grid.columns;
        let sign = |index: usize| match self.stones[index] {
            Some(Side::First) => 'X',
            Some(Side::Second) => 'O',
            None if self.ground.squares[index] => '.',
            None => '#',
        };
        let row = |y: usize| (y * columns..(y + 1) * columns).map(sign).collect();
        (0..self.game.grid.rows).map(row).collect()
    }
}
