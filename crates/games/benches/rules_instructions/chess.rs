//! Chess in instructions, as Callgrind counts them: the same on every run, whatever else the
//! machine does. The plain twin of the rules stands beside each.

use std::hint::black_box;

use game::{Game, Notation, Path, Perft, Rng};
use games::chess::reference::Plain;
use games::chess::{Chess, Parameters, Position};
use gungraun::prelude::*;

const PERFT_DEPTH: u32 = 3;
const SLIDERS: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn plain() -> Plain {
    Plain::new(Parameters::default())
}

fn read(text: &str) -> Position {
    Notation::read_position(&Chess::default(), text).expect("a FEN")
}

/// A hundred positions from random games.
fn positions() -> Vec<Position> {
    let (game, mut rng) = (Chess::default(), Rng::new(1));
    let (mut positions, mut p) = (Vec::new(), game.start());
    while positions.len() < 100 {
        positions.push(p);
        match game.sample(&p, &mut rng) {
            Some(m) => drop(game.make(&mut p, m)),
            None => p = game.start(),
        }
    }
    positions
}

#[library_benchmark]
#[bench::hundred_positions(positions())]
fn count_fast(positions: Vec<Position>) -> usize {
    let game = Chess::default();
    black_box(&positions).iter().map(|p| game.count(p)).sum()
}

#[library_benchmark]
#[bench::hundred_positions(positions())]
fn key_fast(positions: Vec<Position>) -> u64 {
    let game = Chess::default();
    black_box(&positions).iter().fold(0, |all, p| all ^ game.key(p))
}

#[library_benchmark]
#[bench::depth_3(Chess::default().start())]
#[bench::sliders(read(SLIDERS))]
fn perft_fast(mut p: Position) -> u64 {
    let game = Chess::default();
    Perft::new(&game).count(&mut p, black_box(PERFT_DEPTH))
}

#[library_benchmark]
#[bench::depth_3(plain())]
fn perft_reference(game: Plain) -> u64 {
    Perft::new(&game).count(&mut game.start(), black_box(PERFT_DEPTH))
}

#[library_benchmark]
#[bench::ten(Chess::default())]
fn games_fast(game: Chess) -> i32 {
    let mut rng = Rng::new(1);
    (0..10).map(|_| game.playout(&mut game.start(), &mut Path::new(), &mut rng)).sum()
}

library_benchmark_group!(
    name = chess_rules,
    benchmarks = [count_fast, key_fast, perft_fast, perft_reference, games_fast]
);
