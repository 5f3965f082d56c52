//! Zermelo with a sixth family. Run it with
//! `cargo run --release --package zermelo --example chomp -- play chomp:4x5`.

mod rules;

use std::process::ExitCode;
use std::sync::Arc;

use compiled::{
    CompiledGame, EngineSource, Registration, SolverVersion, compile, plain_name, session_engine,
};
use game::{Notation, Spec, TextError};

use rules::{Chomp, FAMILY};

/// All that the program has to know of the family.
static CHOMP: Registration = Registration {
    family: &FAMILY,
    open,
    played_in: &[],
    engine: Some(engine),
    solver: SolverVersion(0),
};

fn open(spec: &Spec) -> Result<Arc<dyn CompiledGame>, TextError> {
    Ok(compile(Chomp::from_spec(spec)?, &CHOMP))
}

/// A generated engine carries the rules along.
fn engine(spec: &Spec) -> Result<EngineSource, TextError> {
    let rules =
        format!("mod rules {{\n{}\n}}\ntype Game = rules::Chomp;\n", include_str!("rules.rs"));
    let body = session_engine(&rules, "Game::from_spec(&spec).unwrap()", "rules::FAMILY");
    let name = plain_name(&Chomp::from_spec(spec)?.spec());
    Ok(EngineSource { name, body, strategy: Vec::new() })
}

fn main() -> ExitCode {
    match catalog::register(&CHOMP) {
        Ok(()) => cli::main(),
        Err(_) => ExitCode::FAILURE,
    }
}
