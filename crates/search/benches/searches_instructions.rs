//! The algorithms in instructions, as Callgrind counts them, plain minimax beside them.
//!
//! `cargo bench -p zermelo-search --bench searches_instructions`, with `gungraun-runner` of the same version
//! and Valgrind installed.

// The macros write public items without documentation, by their full paths.
#![allow(missing_docs, unused_qualifications)]

use std::hint::black_box;

use game::{Game, Path};
use games::reversi::{Classic, Reversi, ReversiEvaluation};
use gungraun::prelude::*;
use play::{Limits, Stop};
use search::{Algorithm, SearchRoot, Settings, search};

fn classic() -> ReversiEvaluation {
    ReversiEvaluation::Classic(Classic::default())
}

const DEPTH: u32 = 5;

#[library_benchmark]
#[bench::minimax(Algorithm::Minimax)]
#[bench::alphabeta(Algorithm::AlphaBeta)]
#[bench::negascout(Algorithm::NegaScout)]
#[bench::mtdf(Algorithm::MtdF)]
fn reversi_depth_5(algorithm: Algorithm) -> u64 {
    let (game, path) = (Reversi::default(), Path::new());
    let from = SearchRoot { game: &game, position: &game.start(), path: &path, among: &[] };
    let limits = Limits { depth: Some(black_box(DEPTH)), ..Limits::default() };
    let settings = Settings { algorithm, limits, hash_megabytes: 1, ..Settings::default() };
    search(&from, classic(), &settings, &Stop::new(), &mut |_| {}).nodes
}

library_benchmark_group!(name = searches, benchmarks = [reversi_depth_5]);

main!(library_benchmark_groups = searches);
