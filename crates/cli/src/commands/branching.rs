//! `zermelo analyse --branching`: how many moves there are at each ply, and how large that makes
//! the game.

use std::io::{self, Write};

use anyhow::{Result, bail};
use lab::branching::{AtPly, BranchingAt, GameSize, sample};
use lab::plot::draw;

use crate::args::Analyse;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::{Progress, stop_on_interrupt};

/// Where nobody says otherwise.
const USUAL_SEED: u64 = 1;

/// Plays random games until there are enough or somebody says so.
pub(super) fn run(arguments: &Analyse, console: &Console) -> Result<Answer> {
    let session = console.open(&arguments.place)?.session;
    let seed = arguments.searching.seed.unwrap_or(USUAL_SEED);
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "games");
    let games = arguments.games;
    let sampled =
        sample(&*session, games, seed, &stop, &mut |done| progress.like_parts(done, games));
    drop(progress);
    let Some(sampled) = sampled else { bail!("stopped before the first game was played") };
    if let Some(file) = &arguments.plot {
        files::write(file, &draw(&sampled.charts(), (640, 440))?)?;
    }
    console.answer(&sampled, |out| write_words(out, &sampled))
}

fn write_words(out: &mut dyn Write, sampled: &GameSize) -> io::Result<()> {
    let GameSize { games, seed, shortest, mean_length, longest, plies, .. } = sampled;
    writeln!(out, "  ply    games     moves  deviation     product   positions    error")?;
    for AtPly { ply, at } in plies {
        let BranchingAt { games, mean, deviation, product, positions } = at;
        writeln!(
            out,
            "{ply:>5} {games:>8} {mean:>9.2} {deviation:>10.2} {:>11} {:>11} {:>8}",
            power(*product),
            power(positions.log10),
            share(positions.error)
        )?;
    }
    writeln!(out, "games    {games} at random, seed {seed}")?;
    writeln!(out, "length   {mean_length:.1} plies, from {shortest} to {longest}")?;
    if let Some(mean) = sampled.mean_branching {
        writeln!(out, "moves    {mean:.2} to choose from on average")?;
    }
    if let Some(product) = sampled.product {
        writeln!(out, "product  {} of the mean numbers of moves at each ply", power(product))?;
    }
    let GameSize { leaves, positions, .. } = sampled;
    for (what, size) in [("leaves", leaves), ("tree", positions)] {
        writeln!(
            out,
            "{what:8} {} by Knuth's estimate, standard error {}",
            power(size.log10),
            share(size.error)
        )?;
    }
    Ok(())
}

/// The number that has this logarithm: 2.27e53.
fn power(log10: f64) -> String {
    if log10 < 6.0 {
        return format!("{:.0}", 10f64.powf(log10));
    }
    let (mut exponent, mut digits) = (log10.floor(), 10f64.powf(log10 - log10.floor()));
    // Two decimals could show 10.00.
    if digits >= 9.995 {
        (exponent, digits) = (exponent + 1.0, digits / 10.0);
    }
    format!("{digits:.2}e{exponent}")
}

fn share(error: Option<f64>) -> String {
    error.map_or("-".to_owned(), |error| format!("{:.0}%", error * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_powers() {
        assert_eq!(power(255_168f64.log10()), "255168");
        assert_eq!(power(53.356_026), "2.27e53");
        assert_eq!(power(6.999_999), "1.00e7");
        assert_eq!((share(Some(0.123)), share(None)), ("12%".to_owned(), "-".to_owned()));
    }
}
