//! A search used as a library: the four algorithms solve the same Reversi endgame, and it shows what each
//! had to look at. Run it with `cargo run --release --example endgame --package zermelo-search`.

#![allow(clippy::print_stdout)]

use std::error::Error;

use game::{Game, Notation, Path, Rng};
use games::reversi::{Reversi, ReversiEvaluation};
use play::Stop;
use search::{Algorithm, SearchRoot, Settings, search};

const EMPTIES: u32 = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Reversi::default();
    let position = random_endgame(&game);
    println!("{}\n", game.diagram(&position, None));

    let from = SearchRoot { game: &game, position: &position, path: &Path::new(), among: &[] };
    for algorithm in Algorithm::ALL {
        // No limits: to the end of the game.
        let settings = Settings { algorithm, ..Settings::exhaustive() };
        let report =
            search(&from, ReversiEvaluation::default(), &settings, &Stop::new(), &mut |_| {});
        let value = report.value.ok_or("nobody stopped the search")?;
        let best = report.best.ok_or("the game is not over")?;
        let best = game.write_move(&position, best);
        println!("{:<10} {value:?}, best {best}, {} nodes", algorithm.name(), report.nodes);
    }
    Ok(())
}

/// Random moves from the start until only a few squares are empty.
fn random_endgame(game: &Reversi) -> <Reversi as Game>::Position {
    let mut rng = Rng::new(8);
    let mut p = game.start();
    while game.empties(&p).count_ones() > EMPTIES {
        match game.sample(&p, &mut rng) {
            Some(m) if game.margin(&p).is_none() => drop(game.make(&mut p, m)),
            // A game that ended early: another one.
            _ => p = game.start(),
        }
    }
    p
}
