//! How fast duels are: random weights of an evaluation, one thread.
//!
//! `cargo run --release -p zermelo-tune --example duels -- draughts:english features 4 2000`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use compiled::duels::{Decisions, Seeds, Terms};
use game::Rng;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("draughts:english,draw=40-plies-captureless".to_owned());
    let evaluation = arguments.next().unwrap_or("features".to_owned());
    let depth = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let games: u64 = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let mut duels = catalog::open(&game)?.duels(&evaluation, &Arc::new(Decisions::new()))?;
    let mut rng = Rng::new(1);
    let ranges: Vec<_> = duels.weights().iter().map(|weight| weight.range.clone()).collect();
    let members: Vec<Vec<i32>> = (0..16)
        .map(|_| {
            let draw = |range: &std::ops::RangeInclusive<i32>| {
                range.start() + rng.below((range.end() - range.start() + 1) as usize) as i32
            };
            ranges.iter().map(draw).collect()
        })
        .collect();
    let terms = Terms { depth, ..Terms::default() };
    let (start, mut plies, mut drawn) = (Instant::now(), 0, 0);
    for seed in 0..games {
        let pair = [seed % 16, (seed + 1 + seed / 16 % 15) % 16];
        let [first, second] = pair.map(|i| &members[i as usize]);
        let duel = duels.play(first, second, &terms, Seeds { opening: seed, play: seed });
        plies += u64::from(duel.plies);
        drawn += u64::from(duel.winner.is_none());
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} games/s, {:.1} plies a game, {:.1}% drawn, {:.2} us a ply",
        games as f64 / seconds,
        plies as f64 / games as f64,
        100.0 * drawn as f64 / games as f64,
        seconds * 1e6 / plies as f64
    );
    Ok(())
}
