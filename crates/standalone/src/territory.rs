//! Reversi and Go. Sessions serve any parameters and are compiled here, once for each kind of board; searches know theirs.

use std::process::ExitCode;

use game::Spec;
use games::Playable;
use games::go::{self, Go, PointSet, Wide};
use games::reversi::{self, Reversi};
use players::SearcherOf;
use search::{Algorithm, Settings};

use crate::{EngineConstants, run_spec};

/// Makes what finds the moves in such a game.
pub type MakeTerritorySearcher<G> = fn(<G as Playable>::Heuristics, &Settings) -> SearcherOf<G>;

/// An engine for Reversi.
pub fn reversi(engine: &EngineConstants, searcher: MakeTerritorySearcher<Reversi>) -> ExitCode {
    let game = |spec: &Spec| reversi::Parameters::from_spec(spec).map(Reversi::new);
    run_spec(engine, game, &reversi::FAMILY, move |game, heuristics, settings| {
        match settings.algorithm {
            // Nobody plays Reversi that way but who insists, and an engine is built the sooner without.
            Algorithm::MonteCarlo => players::compiled_tree(*game, heuristics),
            _ => searcher(heuristics, settings),
        }
    })
}

/// An engine for Go on boards that fit 64 bits.
pub fn go_on_u64(engine: &EngineConstants, searcher: MakeTerritorySearcher<Go<u64>>) -> ExitCode {
    go_on(engine, searcher)
}

/// An engine for Go on boards that fit 128 bits.
pub fn go_on_u128(engine: &EngineConstants, searcher: MakeTerritorySearcher<Go<u128>>) -> ExitCode {
    go_on(engine, searcher)
}

/// An engine for Go on a board of any size.
pub fn go_on_wide(engine: &EngineConstants, searcher: MakeTerritorySearcher<Go<Wide>>) -> ExitCode {
    go_on(engine, searcher)
}

fn go_on<S: PointSet>(
    engine: &EngineConstants,
    searcher: MakeTerritorySearcher<Go<S>>,
) -> ExitCode {
    let game = |spec: &Spec| go::Parameters::from_spec(spec).map(Go::new);
    run_spec(engine, game, &go::FAMILY, move |_, heuristics, settings| {
        searcher(heuristics, settings)
    })
}
