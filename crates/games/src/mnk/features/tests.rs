use evaluation::weights::{Tunable, draw};
use evaluation::{Evaluation, Proofs};
use game::{Game, Grid, Notation, Rng, Spec, Square, moves_of};

use super::*;
use crate::mnk::{LineBoard, Lines, Parameters, RunShape, Stone, WindowBoard, WordBoard};

fn game<B: Board>(spec: &str) -> Mnk<RunShape, B> {
    Mnk::new(&Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn features<B: Board>(game: &Mnk<RunShape, B>, p: &Position<B>, viewer: Side) -> [i32; COUNT] {
    let mut out = [0; COUNT];
    Shapes::write(game, p, viewer, &mut out);
    out
}

/// A board as squares, and who could still fill which k of them.
struct Plain<'a, B: Board> {
    game: &'a Mnk<RunShape, B>,
    p: &'a Position<B>,
    grid: Grid,
}

impl<B: Board> Plain<'_, B> {
    /// What is so many steps from a square: `None` outside the board and in holes.
    fn at(&self, from: Square, step: (isize, isize), steps: isize) -> Option<Square> {
        let row = from.row.checked_add_signed(step.0 * steps)?;
        let column = from.column.checked_add_signed(step.1 * steps)?;
        let square = Square { row, column };
        (row < self.grid.rows && column < self.grid.columns)
            .then_some(square)
            .filter(|&square| self.game.active[self.grid.index(square)])
    }

    fn stone(&self, square: Square) -> Option<Side> {
        self.game.stone(self.p, square)
    }

    /// The empty squares of the window that begins here, if the side could win by filling them.
    fn gaps(&self, first: Square, step: (isize, isize), side: Side) -> Option<Vec<Square>> {
        let shape = self.game.shape;
        let k = shape.k as isize;
        let window: Vec<Square> = (0..k).map(|n| self.at(first, step, n)).collect::<Option<_>>()?;
        let theirs = window.iter().any(|&square| self.stone(square) == Some(side.other()));
        let longer = [-1, k]
            .into_iter()
            .filter_map(|n| self.at(first, step, n))
            .any(|square| self.stone(square) == Some(side));
        if theirs || shape.exact && longer {
            return None;
        }
        Some(window.into_iter().filter(|&square| self.stone(square).is_none()).collect())
    }

    fn numbers(&self, side: Side) -> Vec<i32> {
        const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let shape = self.game.shape;
        let playable: Vec<usize> =
            moves_of(self.game, self.p).into_iter().map(Stone::index).collect();
        let mut found = vec![0; HALF];
        for square in self.grid.iter().filter(|&s| self.game.active[self.grid.index(s)]) {
            for step in STEPS {
                if self.stone(square).is_none() {
                    // Every window through the square, by where it begins.
                    let lacks: Vec<usize> = (0..shape.k as isize)
                        .filter_map(|back| self.at(square, (-step.0, -step.1), back))
                        .filter_map(|first| self.gaps(first, step, side))
                        .map(|gaps| gaps.len())
                        .collect();
                    let fewest = lacks.iter().copied().min().unwrap_or(usize::MAX);
                    let windows = lacks.iter().filter(|&&n| n == fewest).count();
                    if fewest <= 5 {
                        found[5 * (windows.min(3) - 1) + fewest - 1] += 1;
                    }
                }
                if shape.gravity
                    && shape.p == 1
                    && let Some(gaps) = self.gaps(square, step, side)
                    && let [gap] = gaps[..]
                    && !playable.contains(&self.grid.index(gap))
                {
                    let first_gets_it = gap.row % 2 == 0;
                    let timely = first_gets_it == (side == Side::First);
                    found[if timely { 15 } else { 16 }] += 1;
                }
            }
        }
        if self.game.to_move(self.p) == side {
            found[17] = self.game.stones_left(self.p) as i32;
        }
        let middle = |n: usize, size: usize| (2 * n + 1).abs_diff(size) <= 1;
        let centre = self.grid.iter().filter(|s| {
            self.stone(*s) == Some(side)
                && middle(s.column, self.grid.columns)
                && (shape.gravity || middle(s.row, self.grid.rows))
        });
        found[18] = centre.count() as i32;
        found
    }
}

/// The stones in the other colour; whose turn it is stays.
fn swapped<B: Board>(game: &Mnk<RunShape, B>, p: &Position<B>) -> Position<B> {
    let mut board = B::empty(&game.tables);
    for square in 0..game.slots() {
        if let Some(side) = p.board.stone(&game.tables, square) {
            board.place(&game.tables, game.shape, square, side.other());
        }
    }
    Position { board, turn: p.turn }
}

fn check<B: WindowBoard>(spec: &str, games: usize, rng: &mut Rng) -> usize {
    let game = game::<B>(spec);
    let mut positions = 0;
    for _ in 0..games {
        let mut p = game.start();
        let mut lines = Lines::named("features").unwrap();
        draw(&mut lines, 300, rng);
        let viewer = game.to_move(&p);
        lines.begin(&game, &p);
        while game.margin(&p).is_none() {
            positions += 1;
            let found = features(&game, &p, viewer);
            let (own, opposing) = found.split_at(HALF);
            let plain = Plain { game: &game, p: &p, grid: game.shape.grid() };
            assert_eq!(own, plain.numbers(viewer), "{spec} {}", game.write_position(&p));
            assert_eq!(opposing, plain.numbers(viewer.other()), "{spec}");
            assert_eq!(features(&game, &p, viewer.other()), [opposing, own].concat()[..]);
            for symmetry in 0..game.symmetries() {
                let image = game.transform(&p, symmetry);
                assert_eq!(features(&game, &image, viewer), found, "{spec} {symmetry}");
            }
            if !game.shape.gravity {
                let other = features(&game, &swapped(&game, &p), viewer.other());
                for n in (0..COUNT).filter(|n| n % HALF != STONES_LEFT) {
                    assert_eq!(other[n], found[n], "{spec} {}", NAMES[n]);
                }
            }
            // What follows the moves adds up to the same.
            let products = found.iter().zip(&lines.features.weights).map(|(n, weight)| n * weight);
            let mut score = products.sum::<i32>() / PARTS;
            for side in [viewer, viewer.other()] {
                if !lines.can_win(&game, &p, side) {
                    score = if side == viewer { score.min(0) } else { score.max(0) };
                }
            }
            let sign = if game.to_move(&p) == viewer { 1 } else { -1 };
            assert_eq!(lines.evaluate(&game, &p), sign * score, "{spec}");
            let m = game.sample(&p, rng).unwrap();
            game.make(&mut p, m);
            lines.pushed(&game, &p, m);
        }
    }
    positions
}

#[test]
fn features_are_what_looking_at_squares_says_and_mirror() {
    let mut rng = Rng::new(2);
    let mut positions = 0;
    for (spec, games) in [
        ("mnk:1x1,k=1", 1),
        ("mnk:3x3,k=3", 500),
        ("mnk:3x4,k=3,win=exact,holes=a1", 200),
        ("mnk:4x4,k=3,gravity,holes=b2+c3", 200),
        ("mnk:5x5,k=4,p=2", 200),
        ("mnk:6x7,k=4,gravity", 200),
        ("mnk:5x6,k=4,gravity,p=2,q=1", 30),
        ("mnk:7x7,k=5,win=exact", 60),
        ("mnk:8x8,k=8,p=3,q=2", 6),
    ] {
        positions += check::<WordBoard<u64>>(spec, games, &mut rng);
        positions += check::<LineBoard>(spec, games.div_ceil(10), &mut rng);
    }
    positions += check::<LineBoard>("mnk:12x13,k=6,p=2,q=1", 2, &mut rng);
    assert!(positions > 20_000, "only {positions}");
}

/// Windows of large boards do not add up to more than a score can hold, whatever the weights.
#[test]
fn extremes_fit() {
    let game = game::<LineBoard>("mnk:250x250,k=5");
    // What both have is equal on an empty board, but for the stone to place.
    let left = 5_000 / PARTS;
    for (own, opposing, score) in
        [(-5_000, 5_000, -left), (5_000, -5_000, left), (5_000, 5_000, i32::MAX / PARTS)]
    {
        let mut lines = Lines::named("features").unwrap();
        lines.each_weight(&mut |name, weight| {
            *weight = if name.starts_with("own") { own } else { opposing };
        });
        let mut p = game.start();
        lines.begin(&game, &p);
        assert_eq!(lines.evaluate(&game, &p), score);
        let m = game.read_move(&p, "a1").unwrap();
        game.make(&mut p, m);
        lines.pushed(&game, &p, m);
        lines.evaluate(&game, &p);
    }
}

#[test]
fn known_positions() {
    let seen = |spec: &str, moves: &str, wanted: &[(&str, i32)]| {
        let game = game::<WordBoard<u64>>(spec);
        let mut p = game.start();
        for text in moves.split(' ') {
            let m = game.read_move(&p, text).unwrap();
            game.make(&mut p, m);
        }
        let found = features(&game, &p, Side::First);
        for (name, number) in wanted {
            let at = NAMES.iter().position(|known| known == name).unwrap();
            assert_eq!(found[at], *number, "{name} after {moves} in {spec}");
        }
    };
    // Black in the centre and a corner has a diagonal that lacks one stone; White has half an edge.
    seen(
        "mnk:3x3,k=3",
        "b2 c1 a1",
        &[
            ("own.single.1", 1),
            ("opposing.single.1", 0),
            ("opposing.single.2", 2),
            ("own.centre", 1),
            ("opposing.centre", 0),
            ("own.stones_left", 0),
            ("opposing.stones_left", 1),
        ],
    );
    // Three in the bottom row: d1 is within reach, so it is no matter of time.
    seen(
        "mnk:6x7,k=4,gravity",
        "a1 a2 b1 b2 c1",
        &[("own.single.1", 1), ("own.timely", 0), ("own.untimely", 0), ("own.centre", 0)],
    );
    // White's three in the second row lack d2, which can be reached if somebody has filled d1 ...
    seen(
        "mnk:6x7,k=4,gravity",
        "a1 a2 b1 b2 d1 c1 e1 c2",
        &[("opposing.single.1", 1), ("opposing.timely", 0), ("own.centre", 1)],
    );
    // ... and else will be White's in the end.
    seen(
        "mnk:6x7,k=4,gravity",
        "a1 a2 b1 b2 g1 c1 g2 c2",
        &[("opposing.single.1", 1), ("opposing.timely", 1), ("opposing.untimely", 0)],
    );
}
