//! `zermelo analyse --branching`: how many moves there are at each ply, and how large that makes the game.

use std::io::{self, Write};

use anyhow::{Result, bail};
use forge::plot::{COLOURS, Chart, Curve, draw};
use game::Rng;
use play::{Branching, BranchingAt, Estimate};
use serde::Serialize;

use crate::args::Analyse;
use crate::files;
use crate::output::{Answer, Console, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};

/// Where nobody says otherwise.
const USUAL_SEED: u64 = 1;

#[derive(Serialize)]
struct Sampled {
    game: String,
    position: String,
    games: usize,
    seed: u64,
    shortest: usize,
    mean_length: f64,
    longest: usize,
    mean_branching: Option<f64>,
    plies: Vec<AtPly>,
    product: Option<f64>,
    leaves: Size,
    positions: Size,
    seconds: f64,
}

#[derive(Serialize)]
struct AtPly {
    ply: usize,
    games: usize,
    mean: f64,
    deviation: f64,
    product: f64,
    positions: Size,
}

/// A number by its decimal logarithm, with its standard error as a share of it.
#[derive(Clone, Copy, Serialize)]
struct Size {
    log10: f64,
    error: Option<f64>,
}

impl From<Estimate> for Size {
    fn from(Estimate { log10, error }: Estimate) -> Size {
        Size { log10, error }
    }
}

/// Plays random games until there are enough or somebody says so.
pub(super) fn run(arguments: &Analyse, console: &Console) -> Result<Answer> {
    let session = console.open(&arguments.place)?.session;
    let seed = arguments.searching.seed.unwrap_or(USUAL_SEED);
    let stop = stop_on_interrupt()?;
    let start = std::time::Instant::now();
    let progress = Progress::of_parts(console, "games");
    let (mut rng, mut branching) = (Rng::new(seed), Branching::default());
    while branching.games() < arguments.games && !stop.is_stopped() {
        branching.add(session.random_branching(&mut rng));
        progress.like_parts(branching.games(), arguments.games);
    }
    drop(progress);
    let Some((shortest, mean_length, longest)) = branching.lengths() else {
        bail!("stopped before the first game was played");
    };
    let plies = branching.plies();
    if let Some(file) = &arguments.plot {
        let svg = draw(&charts(&session.spec(), &plies), (640, 440)).map_err(anyhow::Error::msg)?;
        files::write(file, &svg)?;
    }
    let moves: f64 = plies.iter().map(|ply| ply.mean * ply.games as f64).sum();
    let choices: usize = plies.iter().map(|ply| ply.games).sum();
    let sampled = Sampled {
        game: session.spec(),
        position: session.position(),
        games: branching.games(),
        seed,
        shortest,
        mean_length,
        longest,
        mean_branching: (choices > 0).then(|| moves / choices as f64),
        product: plies.last().map(|last| last.product),
        leaves: branching.leaves().into(),
        positions: branching.nodes().into(),
        plies: plies.iter().enumerate().map(|(ply, at)| AtPly::new(ply + 1, at)).collect(),
        seconds: seconds_since(start),
    };
    console.answer(&sampled, |out| write_words(out, &sampled))
}

impl AtPly {
    fn new(ply: usize, at: &BranchingAt) -> AtPly {
        let &BranchingAt { games, mean, deviation, product, positions } = at;
        AtPly { ply, games, mean, deviation, product, positions: positions.into() }
    }
}

/// The means, and what grows from them.
fn charts(game: &str, plies: &[BranchingAt]) -> [Chart; 2] {
    let curve = |name: &str, colour: usize, of: &dyn Fn(&BranchingAt) -> f64| Curve {
        name: name.to_owned(),
        points: plies.iter().enumerate().map(|(ply, at)| ((ply + 1) as f64, of(at))).collect(),
        colour: COLOURS[colour],
        line: true,
        dots: false,
    };
    let chart = |title: &str, y_name: &str, logarithms, curves| Chart {
        title: format!("{game}: {title}"),
        x_name: "ply".to_owned(),
        y_name: y_name.to_owned(),
        logarithms,
        curves,
    };
    [
        chart("moves to choose from", "moves", false, vec![curve("", 0, &|at| at.mean)]),
        chart(
            "size of the tree",
            "positions",
            true,
            vec![
                curve("product of the means", 1, &|at| at.product),
                curve("estimate by Knuth", 0, &|at| at.positions.log10),
            ],
        ),
    ]
}

fn write_words(out: &mut dyn Write, sampled: &Sampled) -> io::Result<()> {
    let Sampled { games, seed, shortest, mean_length, longest, plies, .. } = sampled;
    writeln!(out, "  ply    games     moves  deviation     product   positions    error")?;
    for AtPly { ply, games, mean, deviation, product, positions } in plies {
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
    let Sampled { leaves, positions, .. } = sampled;
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
