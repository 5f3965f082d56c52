//! Chess, compiled.

use std::sync::Arc;

use compiled::{
    CompiledGame, EngineSource, Registration, SolverVersion, compile, plain_name, session_engine,
};
use game::{Spec, TextError};
use games::chess::{Chess, FAMILY, Parameters};

/// Chess as the catalog knows it.
pub static REGISTRATION: Registration = Registration {
    family: &FAMILY,
    open,
    played_in: &[("uci", "chess"), ("cecp", "chess")],
    engine: Some(engine),
    solver: SolverVersion(0x450a_d60c_41e0_a594),
};

fn open(spec: &Spec) -> Result<Arc<dyn CompiledGame>, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    Ok(compile(Chess::new(parameters), &REGISTRATION))
}

fn engine(spec: &Spec) -> Result<EngineSource, TextError> {
    let name = plain_name(&Parameters::from_spec(spec)?.to_string());
    let body = session_engine(
        "type Game = games::chess::Chess;\n",
        "Game::new(games::chess::Parameters::from_spec(&spec).unwrap())",
        "games::chess::FAMILY",
    );
    Ok(EngineSource { name, body, strategy: Vec::new() })
}
