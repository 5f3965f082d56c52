//! Draughts in instructions, as Callgrind counts them: the same on every run, whatever else the
//! machine does. The plain twin of the rules stands beside each.

use std::hint::black_box;

use game::{Game, Path, Perft, Rng};
use games::draughts::reference::Plain;
use games::draughts::{AnyRules, Draughts, English, International, Rules, Variant};
use gungraun::prelude::*;

const PERFT_DEPTH: u32 = 5;

fn fast<R: Rules>(variant: Variant) -> Draughts<R> {
    Draughts::new(variant.into()).expect("rules of this variant")
}

fn plain(variant: Variant) -> Plain {
    Plain::new(variant.into())
}

fn leaves<G: Game>(game: &G) -> u64 {
    Perft::new(game).count(&mut game.start(), black_box(PERFT_DEPTH))
}

fn one_game<G: Game>(game: &G) -> i32 {
    game.playout(&mut game.start(), &mut Path::new(), &mut Rng::new(black_box(1)))
}

#[library_benchmark]
#[bench::depth_5(fast(Variant::English))]
fn english_perft_fast(game: Draughts<English>) -> u64 {
    leaves(&game)
}

#[library_benchmark]
#[bench::depth_5(fast(Variant::English))]
fn english_perft_switches_at_run_time(game: Draughts<AnyRules>) -> u64 {
    leaves(&game)
}

#[library_benchmark]
#[bench::depth_5(plain(Variant::English))]
fn english_perft_reference(game: Plain) -> u64 {
    leaves(&game)
}

#[library_benchmark]
#[bench::depth_5(fast(Variant::International))]
fn international_perft_fast(game: Draughts<International>) -> u64 {
    leaves(&game)
}

#[library_benchmark]
#[bench::depth_5(plain(Variant::International))]
fn international_perft_reference(game: Plain) -> u64 {
    leaves(&game)
}

#[library_benchmark]
#[bench::one(fast(Variant::English))]
fn english_game_fast(game: Draughts<English>) -> i32 {
    one_game(&game)
}

#[library_benchmark]
#[bench::one(plain(Variant::English))]
fn english_game_reference(game: Plain) -> i32 {
    one_game(&game)
}

library_benchmark_group!(
    name = draughts_rules,
    benchmarks = [
        english_perft_fast,
        english_perft_switches_at_run_time,
        english_perft_reference,
        international_perft_fast,
        international_perft_reference,
        english_game_fast,
        english_game_reference
    ]
);
