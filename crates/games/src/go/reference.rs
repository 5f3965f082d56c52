//! The same rules written for being obviously right: stones in rows and columns, and chains walked
//! stone by stone. Tests and benchmarks compare [`Go`](super::Go) with it; it shares nothing with the
//! fast rules but [`Parameters`]. It takes no stones for dead at the end.

use game::{Game, MoveSink, Path, Recall, Side, Square, mix};

use super::parameters::{Ko, Parameters, Scoring, Suicide};

/// The rules of Go on one board.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    parameters: Parameters,
}

/// Whose stone lies where, by row and column from the lower left.
pub type StoneRows = Vec<Vec<Option<Side>>>;

/// Everything that the rules need to go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By row, then by column.
    pub stones: StoneRows,
    /// Who moves next.
    pub side: Side,
    /// How many passes were just made, one after the other.
    pub passes: u8,
    /// The point that may not be retaken, under the basic ko rule.
    pub ko: Option<Square>,
    /// How many stones Black and White have captured, under territory scoring.
    pub prisoners: [u32; 2],
}

impl Plain {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Plain {
        Plain { parameters }
    }

    /// The points next to one.
    fn neighbours(&self, Square { row, column }: Square) -> Vec<Square> {
        let grid = self.parameters.size();
        let mut near = Vec::new();
        if row > 0 {
            near.push(Square { row: row - 1, column });
        }
        if row + 1 < grid.rows {
            near.push(Square { row: row + 1, column });
        }
        if column > 0 {
            near.push(Square { row, column: column - 1 });
        }
        if column + 1 < grid.columns {
            near.push(Square { row, column: column + 1 });
        }
        near
    }

    /// All points connected to one that hold the same as it does.
    fn region(&self, stones: &StoneRows, from: Square) -> Vec<Square> {
        let mut region = vec![from];
        let mut next = 0;
        while next < region.len() {
            for near in self.neighbours(region[next]) {
                if at(stones, near) == at(stones, from) && !region.contains(&near) {
                    region.push(near);
                }
            }
            next += 1;
        }
        region
    }

    /// The empty points next to a chain.
    fn liberties(&self, stones: &StoneRows, chain: &[Square]) -> Vec<Square> {
        let mut liberties = Vec::new();
        for &stone in chain {
            for near in self.neighbours(stone) {
                if at(stones, near).is_none() && !liberties.contains(&near) {
                    liberties.push(near);
                }
            }
        }
        liberties
    }

    /// The board after a stone, with the stones of the other side that it took and those of its own that
    /// had no liberty then.
    fn after(&self, p: &Position, point: Square) -> (StoneRows, Vec<Square>, Vec<Square>) {
        let mut stones = p.stones.clone();
        stones[point.row][point.column] = Some(p.side);
        let mut captured = Vec::new();
        for near in self.neighbours(point) {
            if at(&stones, near) == Some(p.side.other()) {
                let chain = self.region(&stones, near);
                if self.liberties(&stones, &chain).is_empty() {
                    take_off(&mut stones, &chain);
                    captured.extend(chain);
                }
            }
        }
        let mut drowned = self.region(&stones, point);
        if self.liberties(&stones, &drowned).is_empty() {
            take_off(&mut stones, &drowned);
        } else {
            drowned.clear();
        }
        (stones, captured, drowned)
    }

    /// Whether every chain has a liberty.
    #[must_use]
    pub fn all_breathe(&self, stones: &StoneRows) -> bool {
        let mut taken = self.parameters.size().iter().filter(|&s| at(stones, s).is_some());
        taken.all(|stone| !self.liberties(stones, &self.region(stones, stone)).is_empty())
    }

    /// Whether the side to move may place a stone there but for `recall`.
    #[must_use]
    pub fn is_legal(&self, p: &Position, point: Square) -> bool {
        at(&p.stones, point).is_none()
            && p.ko != Some(point)
            && (self.parameters.suicide == Suicide::Yes || self.after(p, point).2.is_empty())
    }

    /// The points of one side: under area scoring its stones, under territory scoring its prisoners,
    /// and what is surrounded by it alone.
    fn points_of(&self, p: &Position, side: Side) -> i32 {
        let mut points = 0;
        for point in self.parameters.size().iter() {
            let counts = match at(&p.stones, point) {
                Some(colour) => colour == side && self.parameters.scoring == Scoring::Area,
                None => {
                    let region = self.region(&p.stones, point);
                    let border = region.iter().flat_map(|&empty| self.neighbours(empty));
                    let colours: Vec<Side> = border.filter_map(|s| at(&p.stones, s)).collect();
                    !colours.is_empty() && colours.iter().all(|&colour| colour == side)
                }
            };
            points += i32::from(counts);
        }
        points + p.prisoners[side.index()] as i32
    }
}

fn at(stones: &StoneRows, point: Square) -> Option<Side> {
    stones[point.row][point.column]
}

fn take_off(stones: &mut StoneRows, chain: &[Square]) {
    for point in chain {
        stones[point.row][point.column] = None;
    }
}

fn fold(stones: &StoneRows, seed: u64) -> u64 {
    let digit = |stone: &Option<Side>| stone.map_or(0, |side| side as u64 + 1);
    stones.iter().flatten().fold(mix(seed), |key, stone| mix(key ^ digit(stone)))
}

impl Game for Plain {
    type Position = Position;
    /// A point, or a pass.
    type Move = Option<Square>;
    type Undo = Position;

    const ALTERNATES: bool = true;

    fn start(&self) -> Position {
        let grid = self.parameters.size();
        Position {
            stones: vec![vec![None; grid.columns]; grid.rows],
            side: Side::First,
            passes: 0,
            ko: None,
            prisoners: [0; 2],
        }
    }

    fn to_move(&self, p: &Position) -> Side {
        p.side
    }

    fn generate(&self, p: &Position, out: &mut impl MoveSink<Option<Square>>) {
        for point in self.parameters.size().iter() {
            if self.is_legal(p, point) {
                out.push(Some(point));
            }
        }
        out.push(None);
    }

    fn margin(&self, p: &Position) -> Option<i32> {
        let points = || self.points_of(p, Side::First) - self.points_of(p, Side::Second);
        (p.passes == 2).then(|| 2 * points() - self.parameters.komi.halves())
    }

    fn stuck(&self, _: &Position) -> i32 {
        0
    }

    fn margin_limit(&self) -> i32 {
        i32::MAX
    }

    fn make(&self, p: &mut Position, m: Option<Square>) -> Position {
        let before = p.clone();
        p.ko = None;
        p.side = before.side.other();
        let Some(point) = m else {
            p.passes += 1;
            return before;
        };
        let (stones, captured, drowned) = self.after(&before, point);
        p.passes = 0;
        if self.parameters.scoring != Scoring::Area {
            p.prisoners[before.side.index()] += captured.len() as u32;
            p.prisoners[before.side.other().index()] += drowned.len() as u32;
        }
        if self.parameters.ko == Ko::Basic && captured.len() == 1 {
            let chain = self.region(&stones, point);
            if chain.len() == 1 && self.liberties(&stones, &chain) == captured {
                p.ko = Some(captured[0]);
            }
        }
        p.stones = stones;
        before
    }

    fn unmake(&self, p: &mut Position, _: Option<Square>, before: Position) {
        *p = before;
    }

    fn key(&self, p: &Position) -> u64 {
        let ko = p.ko.map_or(0, |point| self.parameters.size().index(point) as u64 + 1);
        let [blacks, whites] = p.prisoners.map(u64::from);
        let turn = (p.side as u64 * 3 + u64::from(p.passes)) << 16 | ko;
        fold(&p.stones, mix(mix(turn) ^ blacks) ^ whites)
    }

    fn path_key(&self, p: &Position) -> u64 {
        match self.parameters.ko {
            Ko::Positional => fold(&p.stones, 0),
            Ko::Situational | Ko::Basic => fold(&p.stones, p.side as u64),
        }
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn recall(&self, p: &Position, path: &Path) -> Recall {
        let repeated = path.count(self.path_key(p)) > 0;
        match self.parameters.ko {
            Ko::Basic if repeated && p.passes < 2 => Recall::Over(0),
            Ko::Positional | Ko::Situational if repeated && p.passes == 0 => Recall::Forbidden,
            _ => Recall::Fresh,
        }
    }

    fn slots(&self) -> usize {
        self.parameters.size().squares() + 1
    }

    fn slot(&self, m: Option<Square>) -> usize {
        let grid = self.parameters.size();
        m.map_or(grid.squares(), |point| grid.index(point))
    }

    fn code(&self, m: Option<Square>) -> u32 {
        self.slot(m) as u32
    }
}
