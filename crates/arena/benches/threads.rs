//! What a second thread brings: nodes per second, and the time to the same depth, over four positions of each
//! family. Monte-Carlo search has no depth: there the trials of a second count.
//!
//! `cargo bench -p zermelo-arena --bench threads`, on a machine with nothing else to do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::{Duration, Instant};

use play::{Limits, Stop};
use search::{Algorithm, Settings};

/// A game, the random plies it begins with, and the depth to reach; `None` for random games. Eight random stones of
/// gomoku would often be a win in no time.
const WORK: [(&str, usize, Option<u32>); 5] = [
    ("gomoku", 3, Some(10)),
    ("reversi", 8, Some(15)),
    ("draughts:international", 8, Some(19)),
    ("chess", 8, Some(18)),
    ("go:9x9", 8, None),
];
const POSITIONS: u64 = 4;

struct Measured {
    seconds: f64,
    nodes: u64,
}

fn measure(game: &str, plies: usize, depth: Option<u32>, seed: u64, threads: usize) -> Measured {
    let opened = catalog::open(game).unwrap();
    let mut bench = opened.session();
    arena::opening(&mut *bench, plies, seed);
    let time = depth.is_none().then(|| Duration::from_secs(1));
    let algorithm = opened.facts().algorithm;
    let limits = Limits { depth, time, ..Limits::default() };
    let settings = Settings { algorithm, limits, threads, ..Settings::default() };
    debug_assert_eq!(depth.is_none(), algorithm == Algorithm::MonteCarlo);
    let start = Instant::now();
    let nodes = bench.analyse(&settings, &Stop::new(), &mut |_| {}).unwrap().nodes;
    Measured { seconds: start.elapsed().as_secs_f64(), nodes }
}

fn main() {
    println!("{:<24} {:>8} {:>14} {:>14}", "game", "position", "nodes/s x", "time x");
    let (mut rates, mut times) = (Vec::new(), Vec::new());
    for (game, plies, depth) in WORK {
        for seed in 1..=POSITIONS {
            let one = measure(game, plies, depth, seed, 1);
            let two = measure(game, plies, depth, seed, 2);
            let rate = (two.nodes as f64 / two.seconds) / (one.nodes as f64 / one.seconds);
            rates.push(rate);
            // Random games have no depth to reach: twice the trials are worth twice the time.
            let time = if depth.is_some() { one.seconds / two.seconds } else { rate };
            times.push(time);
            println!("{game:<24} {seed:>8} {rate:>14.2} {time:>14.2}   ({:.2} s)", one.seconds);
        }
    }
    let mean = |ratios: &[f64]| {
        (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
    };
    println!("{:<24} {:>8} {:>14.2} {:>14.2}", "geometric mean", "", mean(&rates), mean(&times));
}
