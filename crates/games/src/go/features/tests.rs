use game::{Game, Notation, Rng, Spec, Square};

use super::*;
use crate::go::parameters::Parameters;
use crate::go::points::Wide;

fn game<S: PointSet>(spec: &str) -> Go<S> {
    Go::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn features<S: PointSet>(game: &Go<S>, p: &Position<S>, viewer: Side) -> [i32; COUNT] {
    let mut out = [0; COUNT];
    StoneFeatures::write(game, p, viewer, &mut out);
    out
}

/// StoneFeatures by row and column, with points walked one by one.
struct Plain {
    grid: Grid,
    stones: Vec<Vec<Option<Side>>>,
}

impl Plain {
    fn new<S: PointSet>(game: &Go<S>, p: &Position<S>) -> Plain {
        let grid = game.parameters().size();
        let mut stones = vec![vec![None; grid.columns]; grid.rows];
        for square in grid.iter() {
            let bit = S::single(game.move_at(square).bit().unwrap());
            let holds = |side: &Side| (p.stones(*side) & bit).any();
            stones[square.row][square.column] = [Side::First, Side::Second].into_iter().find(holds);
        }
        Plain { grid, stones }
    }

    fn at(&self, square: Square) -> Option<Side> {
        self.stones[square.row][square.column]
    }

    /// The squares so many rows and columns away, as far as they are on the board.
    fn steps(&self, from: Square, steps: &[(isize, isize)]) -> Vec<Square> {
        let step = |&(down, right): &(isize, isize)| {
            let row = from.row.checked_add_signed(down)?;
            let column = from.column.checked_add_signed(right)?;
            (row < self.grid.rows && column < self.grid.columns).then_some(Square { row, column })
        };
        steps.iter().filter_map(step).collect()
    }

    fn near(&self, from: Square) -> Vec<Square> {
        self.steps(from, &[(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    /// All points connected to one that hold the same.
    fn region(&self, from: Square) -> Vec<Square> {
        let mut region = vec![from];
        let mut looked = 0;
        while looked < region.len() {
            for next in self.near(region[looked]) {
                if self.at(next) == self.at(from) && !region.contains(&next) {
                    region.push(next);
                }
            }
            looked += 1;
        }
        region
    }

    fn regions_of(&self, what: Option<Side>) -> Vec<Vec<Square>> {
        let mut regions: Vec<Vec<Square>> = Vec::new();
        for square in self.grid.iter().filter(|&square| self.at(square) == what) {
            if !regions.iter().any(|region| region.contains(&square)) {
                regions.push(self.region(square));
            }
        }
        regions
    }

    /// The points around a region that hold this.
    fn around(&self, region: &[Square], what: Option<Side>) -> Vec<Square> {
        let mut found: Vec<Square> = region.iter().flat_map(|&square| self.near(square)).collect();
        found.retain(|&square| self.at(square) == what);
        found.sort_by_key(|square| (square.row, square.column));
        found.dedup();
        found
    }

    fn is_eye(&self, square: Square, side: Side) -> bool {
        let corners = self.steps(square, &[(1, 1), (1, -1), (-1, 1), (-1, -1)]);
        let lost = corners.iter().filter(|&&s| self.at(s) == Some(side.other())).count();
        self.near(square).into_iter().all(|s| self.at(s) == Some(side))
            && lost <= usize::from(corners.len() == 4)
    }

    fn numbers(&self, side: Side, prisoners: u16) -> Vec<i32> {
        let (mine, theirs) = (Some(side), Some(side.other()));
        let (chains, empties) = (self.regions_of(mine), self.regions_of(None));
        let libs: Vec<usize> = chains.iter().map(|chain| self.around(chain, None).len()).collect();
        let stones: Vec<Square> = self.grid.iter().filter(|&s| self.at(s) == mine).collect();
        let outermost = |s: &Square| {
            [0, self.grid.rows - 1].contains(&s.row)
                || [0, self.grid.columns - 1].contains(&s.column)
        };
        let surrounded: Vec<Square> = empties
            .into_iter()
            .filter(|r| !self.around(r, mine).is_empty() && self.around(r, theirs).is_empty())
            .flatten()
            .collect();
        let lacking = |n: usize| libs.iter().filter(|&&libs| libs == n).count();
        let in_atari = chains.iter().zip(&libs).filter(|(_, libs)| **libs == 1);
        let empty: Vec<Square> = self.grid.iter().filter(|&s| self.at(s).is_none()).collect();
        let touches = |s: &Square, what| self.near(*s).into_iter().any(|n| self.at(n) == what);
        let chains_at = |s: &Square| {
            chains.iter().filter(|chain| self.near(*s).iter().any(|n| chain.contains(n))).count()
        };
        let counts = [
            stones.len(),
            stones.iter().filter(|s| outermost(s)).count(),
            surrounded.len(),
            usize::from(prisoners),
            chains.len(),
            lacking(1),
            in_atari.map(|(chain, _)| chain.len()).sum(),
            lacking(2),
            empty.iter().filter(|s| touches(s, mine)).count(),
            empty.iter().filter(|s| touches(s, mine) && !touches(s, theirs)).count(),
            empty.iter().filter(|s| chains_at(s) >= 2).count(),
            surrounded.iter().filter(|s| self.is_eye(**s, side)).count(),
        ];
        counts.iter().map(|&count| count as i32).collect()
    }
}

/// The same stones in the other colour, and the other side to move.
fn swapped<S: PointSet>(p: &Position<S>) -> Position<S> {
    let [first, second] = p.prisoners;
    Position { side: p.side.other(), prisoners: [second, first], ..*p }
}

/// How many positions were looked at.
fn check<S: PointSet>(spec: &str, games: usize) -> usize {
    let (game, mut rng) = (game::<S>(spec), Rng::new(11));
    let mut positions = 0;
    for _ in 0..games {
        let mut p = game.start();
        for _ in 0..3 * game.points().len() {
            if game.margin(&p).is_some() {
                break;
            }
            positions += 1;
            let plain = Plain::new(&game, &p);
            for viewer in [Side::First, Side::Second] {
                let found = features(&game, &p, viewer);
                let (own, opposing) = found.split_at(HALF);
                assert_eq!(own, plain.numbers(viewer, p.prisoners(viewer)), "{spec} {p:?}");
                assert_eq!(features(&game, &p, viewer.other()), [opposing, own].concat()[..]);
                assert_eq!(features(&game, &swapped(&p), viewer.other()), found, "{p:?}");
                for symmetry in 0..game.symmetries() {
                    let image = game.transform(&p, symmetry);
                    assert_eq!(features(&game, &image, viewer), found, "{symmetry} {p:?}");
                }
            }
            // Seldom a pass, so that boards fill and stones are taken.
            let mut drawn = game.sample(&p, &mut rng).unwrap();
            if drawn.bit().is_none() {
                drawn = game.sample(&p, &mut rng).unwrap();
            }
            game.make(&mut p, drawn);
        }
    }
    positions
}

#[test]
fn features_are_what_walking_over_points_says_and_mirror() {
    let positions = check::<u64>("go:5x5", 300)
        + check::<u64>("go:7x7,scoring=territory", 100)
        + check::<u64>("go:3x6,ko=basic", 100)
        + check::<u64>("go:1x7", 30)
        + check::<u128>("go:9x9,suicide=yes", 20)
        + check::<Wide>("go:13x12", 4);
    assert!(positions > 20_000, "only {positions}");
}

#[test]
fn known_positions() {
    let game = game::<u64>("go:5x5");
    let seen = |squares: &str, wanted: &[(&str, i32)]| {
        let p = game.read_position(&format!("{squares} b")).unwrap();
        let found = features(&game, &p, Side::First);
        for (name, number) in wanted {
            let at = NAMES.iter().position(|known| known == name).unwrap();
            assert_eq!(found[at], *number, "{name} of {squares}");
        }
    };
    // Black's two stones touch at c4 and d3; White's corner has the two points they share with it.
    seen(
        "....O/...X./..X../...../.....",
        &[
            ("own.stones", 2),
            ("own.chains", 2),
            ("own.junctions", 2),
            ("own.liberties", 6),
            ("own.liberties.alone", 4),
            ("opposing.stones.edge", 1),
            ("opposing.chains.two", 1),
            ("opposing.liberties.alone", 0),
        ],
    );
    // An eye in the corner.
    seen(
        "....O/...../...../XX.../.X...",
        &[
            ("own.eyes", 1),
            ("own.surrounded", 1),
            ("own.chains", 1),
            ("own.liberties", 5),
            ("own.stones.edge", 2),
            ("opposing.surrounded", 0),
        ],
    );
    // The corner can be taken.
    seen(
        "XO.../...../...../...../.....",
        &[
            ("own.chains.atari", 1),
            ("own.stones.atari", 1),
            ("own.chains.two", 0),
            ("opposing.chains.two", 1),
            ("opposing.chains.atari", 0),
        ],
    );
}
