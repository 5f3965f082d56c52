//! Line games. Sessions serve any numbers and are compiled here, once for each kind of board; searches know theirs.

use std::process::ExitCode;

use game::Spec;
use games::mnk::{FAMILY, LineBoard, Mnk, Parameters, Position, RunShape, Stone, WordBoard};
use games::mnk::{Lines, WindowBoard};
use players::Searcher;
use search::{Algorithm, Settings};

use crate::{EngineConstants, run_spec};

/// Makes what finds the moves on such a board.
pub type MakeLineSearcher<B> = fn(Lines, &Settings) -> Box<dyn Searcher<Position<B>, Stone>>;

/// An engine on at most 32 squares.
pub fn on_u32(engine: &EngineConstants, searcher: MakeLineSearcher<WordBoard<u32>>) -> ExitCode {
    on(engine, searcher)
}

/// An engine on at most 64 squares.
pub fn on_u64(engine: &EngineConstants, searcher: MakeLineSearcher<WordBoard<u64>>) -> ExitCode {
    on(engine, searcher)
}

/// An engine on a board of any size.
pub fn on_lines(engine: &EngineConstants, searcher: MakeLineSearcher<LineBoard>) -> ExitCode {
    on(engine, searcher)
}

fn on<B: WindowBoard>(engine: &EngineConstants, searcher: MakeLineSearcher<B>) -> ExitCode {
    let game = |spec: &Spec| {
        Parameters::from_spec(spec).map(|parameters| Mnk::<RunShape, B>::new(&parameters))
    };
    run_spec(engine, game, &FAMILY, move |game, heuristics, settings| match settings.algorithm {
        // Random games gain nothing by knowing the numbers before, and an engine is built the sooner without them.
        Algorithm::MonteCarlo => players::compiled_tree(game.clone(), heuristics),
        _ => searcher(heuristics, settings),
    })
}
