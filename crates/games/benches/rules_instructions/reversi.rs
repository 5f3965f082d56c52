//! Reversi in instructions, as Callgrind counts them: the same on every run, whatever else the
//! machine does. The plain twin of the rules stands beside each.

use std::hint::black_box;

use game::{Game, Perft, Rng};
use games::reversi::reference::{self, Plain};
use games::reversi::{Move, Parameters, Position, Reversi, flips, mobility};
use gungraun::prelude::*;

const PERFT_DEPTH: u32 = 5;

fn plain() -> Plain {
    Plain::new(Parameters::default())
}

/// A hundred positions with a disc to place, from random games.
fn positions<G: Game<Move = Move>>(game: &G) -> Vec<(G::Position, Move)> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    let mut p = game.start();
    while positions.len() < 100 {
        match game.sample(&p, &mut rng).filter(|_| game.margin(&p).is_none()) {
            Some(m) => {
                if m != Move::PASS {
                    positions.push((p.clone(), m));
                }
                game.make(&mut p, m);
            }
            None => p = game.start(),
        }
    }
    positions
}

#[library_benchmark]
#[bench::hundred_positions(positions(&Reversi::default()))]
fn mobility_fast(positions: Vec<(Position, Move)>) -> u64 {
    let one = |(p, _): &(Position, Move)| mobility(p.own(), p.other());
    black_box(&positions).iter().fold(0, |all, p| all ^ one(p))
}

#[library_benchmark]
#[bench::hundred_positions(positions(&plain()))]
fn mobility_reference(positions: Vec<(reference::Position, Move)>) -> usize {
    let game = plain();
    let one = |(p, _): &(reference::Position, Move)| game.placements(p).len();
    black_box(&positions).iter().map(one).sum()
}

#[library_benchmark]
#[bench::hundred_positions(positions(&Reversi::default()))]
fn flips_fast(positions: Vec<(Position, Move)>) -> u64 {
    let one = |(p, m): &(Position, Move)| m.bit().map_or(0, |b| flips(b, p.own(), p.other()));
    black_box(&positions).iter().fold(0, |all, p| all ^ one(p))
}

#[library_benchmark]
#[bench::hundred_positions(positions(&plain()))]
fn flips_reference(positions: Vec<(reference::Position, Move)>) -> usize {
    let game = plain();
    let turned = |(p, m): &(reference::Position, Move)| Some(game.turned(p, m.square()?).len());
    black_box(&positions).iter().filter_map(turned).sum()
}

#[library_benchmark]
#[bench::depth_5(Reversi::default())]
fn perft_fast(game: Reversi) -> u64 {
    Perft::new(&game).count(&mut game.start(), black_box(PERFT_DEPTH))
}

#[library_benchmark]
#[bench::depth_5(plain())]
fn perft_reference(game: Plain) -> u64 {
    Perft::new(&game).count(&mut game.start(), black_box(PERFT_DEPTH))
}

library_benchmark_group!(
    name = reversi_rules,
    benchmarks = [
        mobility_fast,
        mobility_reference,
        flips_fast,
        flips_reference,
        perft_fast,
        perft_reference
    ]
);
