//! Go, compiled: boards of three widths.

use std::sync::Arc;

use compiled::{CompiledGame, EngineSource, Registration, SolverVersion, compile, plain_name};
use game::{Grid, Spec, TextError};
use games::go::{FAMILY, Go, Parameters, Scoring, Storage, Wide};

/// Go as the catalog knows it.
pub static REGISTRATION: Registration = Registration {
    family: &FAMILY,
    open,
    played_in: &[("gtp", "go:9x9")],
    engine: Some(engine),
    solver: SolverVersion(0x77a0_78e7_a548_876b),
};

fn open(spec: &Spec) -> Result<Arc<dyn CompiledGame>, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    Ok(match parameters.storage() {
        Storage::U64 => compile(Go::<u64>::new(parameters), &REGISTRATION),
        Storage::U128 => compile(Go::<u128>::new(parameters), &REGISTRATION),
        Storage::Wide => compile(Go::<Wide>::new(parameters), &REGISTRATION),
    })
}

/// The size and every rule are part of the type of what searches.
fn engine(spec: &Spec) -> Result<EngineSource, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    let Parameters { ko, suicide, scoring, komi, .. } = parameters;
    let Grid { rows, columns } = parameters.size();
    let scoring = match scoring {
        Scoring::Area => "Area".to_owned(),
        Scoring::Territory(dead) => format!("Territory(Dead::{dead:?})"),
    };
    let (word, main) = match parameters.storage() {
        Storage::U64 => ("u64", "go_on_u64"),
        Storage::U128 => ("u128", "go_on_u128"),
        Storage::Wide => ("Wide", "go_on_wide"),
    };
    let halves = komi.halves();
    let body = format!(
        "use games::go::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fixed;

const PARAMETERS: Parameters = {{
    let mut parameters = Parameters::new(game::Grid {{ rows: {rows}, columns: {columns} }}).unwrap();
    parameters.ko = Ko::{ko:?};
    parameters.suicide = Suicide::{suicide:?};
    parameters.scoring = Scoring::{scoring};
    parameters.komi = Komi::from_halves({halves}).unwrap();
    parameters
}};

impl game::Specialised for Fixed {{
    type Values = Parameters;
    const FIXED: Option<Parameters> = Some(PARAMETERS);

    fn with(values: Parameters) -> Option<Fixed> {{
        (values == PARAMETERS).then_some(Fixed)
    }}

    #[inline(always)]
    fn values(&self) -> Parameters {{
        PARAMETERS
    }}
}}

fn main() -> std::process::ExitCode {{
    standalone::territory::{main}(&ENGINE, |heuristics, settings| {{
        players::compiled(Go::<{word}, Fixed>::from_shape(Fixed), heuristics, settings)
    }})
}}
"
    );
    Ok(EngineSource { name: plain_name(&parameters.to_string()), body, strategy: Vec::new() })
}
