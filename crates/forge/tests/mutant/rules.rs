//! The rules of (m,n,k,p,q) games on a board of squares, and what may be wrong with them.

use crate::faults::Fault;

/// The numbers of a game.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) p: usize,
    pub(crate) q: usize,
    pub(crate) exact: bool,
}

/// Whose stone it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Black = 0,
    White = 1,
}

impl Colour {
    pub(crate) fn other(self) -> Colour {
        if self == Colour::Black { Colour::White } else { Colour::Black }
    }

    pub(crate) fn name(self) -> &'static str {
        if self == Colour::Black { "black" } else { "white" }
    }
}

/// A square by column and row.
type At = (usize, usize);

/// A board, and whose turn it is.
pub(crate) struct Board {
    numbers: Numbers,
    pub(crate) cells: Vec<Option<Colour>>,
    pub(crate) turn: Colour,
    /// Stones left in the turn.
    pub(crate) left: usize,
    pub(crate) made: usize,
    /// Stones that stand, whatever is counted.
    stones: usize,
    pub(crate) winner: Option<Colour>,
    pub(crate) last: Option<usize>,
}

const DIRECTIONS: [(i64, i64); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];

impl Board {
    pub(crate) fn new(numbers: Numbers) -> Board {
        let cells = vec![None; numbers.m * numbers.n];
        let left = numbers.q;
        Board {
            numbers,
            cells,
            turn: Colour::Black,
            left,
            made: 0,
            stones: 0,
            winner: None,
            last: None,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.stones >= self.cells.len()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.winner.is_some() || self.is_full()
    }

    /// One stone less in this turn.
    pub(crate) fn next_turn(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            (self.turn, self.left) = (self.turn.other(), self.numbers.p);
        }
    }

    pub(crate) fn touches(&self, x: usize, y: usize) -> bool {
        let near = |(dx, dy): (i64, i64)| self.at(x as i64 + dx, y as i64 + dy, 0).is_some();
        DIRECTIONS.iter().any(|&(dx, dy)| near((dx, dy)) || near((-dx, -dy)))
    }

    /// The stone on a square; nothing off the board, unless the fault goes on at another edge.
    fn at(&self, x: i64, y: i64, around: usize) -> Option<Colour> {
        let (m, n) = (self.numbers.m as i64, self.numbers.n as i64);
        let (x, y) = match around {
            // Along the numbers of squares.
            1 => {
                let number = y * n + x;
                if !(0..m * n).contains(&number) {
                    return None;
                }
                (number % n, number / n)
            }
            // As if the edges were joined.
            2 => (x.rem_euclid(n), y.rem_euclid(m)),
            _ => (x, y),
        };
        let inside = (0..n).contains(&x) && (0..m).contains(&y);
        inside.then(|| self.cells[(y * n + x) as usize]).flatten()
    }

    /// Places a stone; the ends of the line if it wins.
    pub(crate) fn place(&mut self, x: usize, y: usize, fault: Fault) -> Option<(At, At)> {
        let Numbers { n, p, q, .. } = self.numbers;
        let side = self.turn;
        self.cells[y * n + x] = Some(side);
        self.last = Some(y * n + x);
        self.made += 1;
        self.stones += 1;
        let line = self.line(x, y, side, fault);
        if line.is_some() {
            self.winner = Some(side);
            return line;
        }
        if self.is_full() {
            return None;
        }
        self.left -= 1;
        if self.left == 0 {
            self.turn = side.other();
            self.left = match fault {
                Fault::AlwaysQ => q,
                Fault::OneStoneTurns => 1,
                Fault::BlackHasQ if self.turn == Colour::Black => q,
                _ => p,
            };
            if fault == Fault::LongThirdTurn && self.made >= q + 2 * p && self.made < q + 3 * p {
                self.left += 1;
            }
        } else if fault == Fault::FirstTurnOfP && self.made == p && p < q {
            (self.turn, self.left) = (side.other(), p);
        }
        None
    }

    fn line(&self, x: usize, y: usize, side: Colour, fault: Fault) -> Option<(At, At)> {
        let Numbers { m, n, k, exact, .. } = self.numbers;
        let around = match fault {
            Fault::AroundByNumber => 1,
            Fault::AroundJoined => 2,
            _ => 0,
        };
        for (number, &(dx, dy)) in DIRECTIONS.iter().enumerate() {
            let limit = match fault {
                Fault::ShortSight => k.min(3) as i64,
                _ => (m * n) as i64,
            };
            let run = |dx: i64, dy: i64| {
                let own = |&i: &i64| {
                    let (cx, cy) = (x as i64 + dx * i, y as i64 + dy * i);
                    let stone = self.at(cx, cy, around);
                    match fault {
                        Fault::SeesThrough => stone.is_some() && (stone == Some(side) || i == 1),
                        Fault::SignedBytes => stone == Some(side) && cx < 128 && cy < 128,
                        Fault::WordBorder => stone == Some(side) && (cx != 64) && (cy != 64),
                        _ => stone == Some(side),
                    }
                };
                (1..=limit).take_while(own).count() as i64
            };
            let (ahead, behind) = (run(dx, dy), run(-dx, -dy));
            let (ahead, behind) = match fault {
                Fault::OneWay => (ahead, 0),
                Fault::OtherWay => (0, behind),
                _ => (ahead, behind),
            };
            let length = (1 + ahead + behind) as usize;
            let exact = match fault {
                Fault::RuleForgotten => false,
                Fault::RuleInvented => true,
                _ => exact,
            };
            let wins = match fault {
                Fault::OneLess => length + 1 >= k && k > 2,
                Fault::OneMore => length > k,
                Fault::NotTwiceAsLong => length >= k && length < 2 * k - 1,
                _ if exact => length == k,
                _ => length >= k,
            };
            let end = |dx: i64, dy: i64, steps: i64| (x as i64 + dx * steps, y as i64 + dy * steps);
            let (a, b) = (end(dx, dy, ahead), end(-dx, -dy, behind));
            if wins && !self.missed(number, (x, y), side, [a, b], fault) {
                let inside = |(x, y): (i64, i64)| {
                    (x.rem_euclid(n as i64) as usize, y.rem_euclid(m as i64) as usize)
                };
                return Some((inside(a), inside(b)));
            }
        }
        None
    }

    /// Whether the fault does not see this line.
    fn missed(
        &self,
        direction: usize,
        (x, y): At,
        side: Colour,
        ends: [(i64, i64); 2],
        fault: Fault,
    ) -> bool {
        let Numbers { m, n, k, p, .. } = self.numbers;
        let (m, n) = (m as i64, n as i64);
        let on = |at: (i64, i64)| ends.contains(&at);
        let ([(ax, ay), (bx, by)], level, upright) = (ends, direction == 0, direction == 2);
        let beyond = |(x, y): (i64, i64)| {
            let inside = (0..n).contains(&x) && (0..m).contains(&y);
            inside && self.at(x, y, 0) == Some(side.other())
        };
        let (dx, dy) = DIRECTIONS[direction];
        match fault {
            Fault::NoLevel => level,
            Fault::NoUpright => upright,
            Fault::NoDiagonal => direction == 1,
            Fault::NoOtherDiagonal => direction == 3,
            Fault::LastRow => level && ay == m - 1,
            Fault::FirstRow => level && ay == 0,
            Fault::LastColumn => upright && ax == n - 1,
            Fault::FirstColumn => upright && ax == 0,
            Fault::CornerTopLeft => direction == 1 && on((0, 0)),
            Fault::CornerTopRight => direction == 3 && on((n - 1, 0)),
            Fault::CornerBottomLeft => direction == 3 && on((0, m - 1)),
            Fault::CornerBottomRight => direction == 1 && on((n - 1, m - 1)),
            Fault::WhiteUpright => upright && side == Colour::White,
            Fault::WhiteNever => side == Colour::White,
            Fault::LastInMiddle => {
                let here = (x as i64, y as i64);
                !on(here) && k > 2
            }
            Fault::LastStone => self.is_full(),
            Fault::Blocked => beyond((ax + dx, ay + dy)) && beyond((bx - dx, by - dy)),
            Fault::OnlyEndOfTurn => p > 1 && self.left > 1,
            Fault::OneLineOfBlack => {
                side == Colour::Black && level && (ax.min(bx), ay) == (n / 3, m / 2)
            }
            Fault::OneLastSquare => {
                side == Colour::White && upright && (x as i64, y as i64) == (n / 2, m / 2)
            }
            Fault::FirstStoneOfLine => upright && (y as i64) == ay.min(by) && x == 1,
            _ => false,
        }
    }
}
