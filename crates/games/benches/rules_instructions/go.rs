//! Go in instructions, as Callgrind counts them: the same on every run, whatever else the machine does.
//! The plain twin of the rules stands beside each.

use std::hint::black_box;

use game::{Game, Grid, Path, Perft, Rng};
use games::go::reference::Plain;
use games::go::{Go, Parameters, PointSet, Wide};
use gungraun::prelude::*;

fn parameters(side: usize) -> Parameters {
    Parameters::new(Grid { rows: side, columns: side }).expect("a side from 1 to 19")
}

fn fast<S: PointSet>(side: usize) -> Go<S> {
    Go::new(parameters(side))
}

fn plain(side: usize) -> Plain {
    Plain::new(parameters(side))
}

/// Random games from the start; the margins are summed up.
fn games<G: Game>(game: &G, games: u64) -> i32 {
    let (mut path, mut rng) = (Path::new(), Rng::new(1));
    let mut one = || {
        path.clear();
        game.playout(&mut game.start(), &mut path, &mut rng)
    };
    (0..games).map(|_| one()).sum()
}

#[library_benchmark]
#[bench::a_hundred(fast::<u64>(7))]
fn games_7x7_fast(game: Go<u64>) -> i32 {
    games(&game, black_box(100))
}

#[library_benchmark]
#[bench::two(plain(7))]
fn games_7x7_reference(game: Plain) -> i32 {
    games(&game, black_box(2))
}

#[library_benchmark]
#[bench::a_hundred(fast::<u128>(9))]
fn games_9x9_fast(game: Go<u128>) -> i32 {
    games(&game, black_box(100))
}

#[library_benchmark]
#[bench::ten(fast::<Wide>(19))]
fn games_19x19_fast(game: Go<Wide>) -> i32 {
    games(&game, black_box(10))
}

#[library_benchmark]
#[bench::depth_3(fast::<u64>(5))]
fn perft_5x5_fast(game: Go<u64>) -> u64 {
    Perft::new(&game).count(&mut game.start(), black_box(3))
}

#[library_benchmark]
#[bench::depth_3(plain(5))]
fn perft_5x5_reference(game: Plain) -> u64 {
    Perft::new(&game).count(&mut game.start(), black_box(3))
}

library_benchmark_group!(
    name = go_rules,
    benchmarks = [
        games_7x7_fast,
        games_7x7_reference,
        games_9x9_fast,
        games_19x19_fast,
        perft_5x5_fast,
        perft_5x5_reference
    ]
);
