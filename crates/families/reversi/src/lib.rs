//! Reversi, compiled.

use std::sync::Arc;

use compiled::{CompiledGame, EngineSource, Registration, SolverVersion, compile, plain_name};
use game::{Grid, Spec, TextError};
use games::reversi::{FAMILY, Parameters, Reversi, Start};

/// Reversi as the catalog knows it.
pub static REGISTRATION: Registration = Registration {
    family: &FAMILY,
    open,
    played_in: &[("nboard", "reversi")],
    engine: Some(engine),
    solver: SolverVersion(0xec4f_e184_2049_93b8),
};

fn open(spec: &Spec) -> Result<Arc<dyn CompiledGame>, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    Ok(compile(Reversi::new(parameters), &REGISTRATION))
}

/// Board and start are part of the type of what searches.
fn engine(spec: &Spec) -> Result<EngineSource, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    let Grid { rows, columns } = parameters.size();
    let parallel = parameters.start() == Start::Parallel;
    let body = format!(
        "use games::reversi::{{ConstShape, Reversi}};

type Shape = ConstShape<{rows}, {columns}, {parallel}>;

fn main() -> std::process::ExitCode {{
    standalone::territory::reversi(&ENGINE, |heuristics, settings| {{
        players::compiled_table(Reversi::from_shape(Shape::default()), heuristics, settings)
    }})
}}
"
    );
    Ok(EngineSource { name: plain_name(&parameters.to_string()), body, strategy: Vec::new() })
}
