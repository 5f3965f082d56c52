//! The algorithms on the same work, plain minimax beside them: time for the whole search, and nodes per
//! second where everything is looked at.

use divan::Bencher;
use divan::counter::ItemsCount;
use evaluation::Heuristics;
use game::{Path, Spec};
use games::mnk::{Lines, Mnk, Parameters, RunShape, WordBoard};
use games::reversi::{Classic, Reversi, ReversiEvaluation};
use play::{Limits, Stop};
use search::{Algorithm, SearchRoot, Settings, Techniques, search};

fn main() {
    divan::main();
}

fn classic() -> ReversiEvaluation {
    ReversiEvaluation::Classic(Classic::default())
}

fn bench<G, H>(
    bencher: Bencher<'_, '_>,
    game: &G,
    settings: &Settings,
    heuristics: impl Fn() -> H + Sync,
) where
    G: game::Game,
    H: Heuristics<G>,
{
    let (start, path) = (game.start(), Path::new());
    let from = SearchRoot { game, position: &start, path: &path, among: &[] };
    let run = || search(&from, heuristics(), settings, &Stop::new(), &mut |_| {});
    bencher.counter(ItemsCount::new(run().nodes)).bench_local(run);
}

fn settings(algorithm: Algorithm, techniques: Techniques, depth: Option<u32>) -> Settings {
    let limits = Limits { depth, ..Limits::default() };
    Settings { algorithm, techniques, limits, hash_megabytes: 16, ..Settings::default() }
}

#[divan::bench(args = Algorithm::CLASSIC, sample_count = 10)]
fn reversi_depth_8(bencher: Bencher<'_, '_>, algorithm: Algorithm) {
    let settings = settings(algorithm, Techniques::ALL, Some(8));
    bench(bencher, &Reversi::default(), &settings, classic);
}

#[divan::bench(args = Algorithm::CLASSIC, sample_count = 10)]
fn reversi_depth_8_bare(bencher: Bencher<'_, '_>, algorithm: Algorithm) {
    let settings = settings(algorithm, Techniques::NONE, Some(8));
    bench(bencher, &Reversi::default(), &settings, classic);
}

#[divan::bench(args = Algorithm::CLASSIC, sample_count = 10)]
fn tictactoe_to_the_end(bencher: Bencher<'_, '_>, algorithm: Algorithm) {
    let parameters = Spec::parse("mnk:3x3,k=3").and_then(|spec| Parameters::from_spec(&spec));
    let game = Mnk::<RunShape, WordBoard<u16>>::new(&parameters.expect("a spec of this file"));
    bench(bencher, &game, &settings(algorithm, Techniques::ALL, None), Lines::default);
}
