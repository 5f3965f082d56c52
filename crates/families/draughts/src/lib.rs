//! Draughts, compiled: the variants that most people play have code of their own, in which no switch
//! is left; all others share one.

use std::sync::Arc;

use compiled::{
    CompiledGame, EngineSource, Registration, SolverVersion, compile, plain_name, session_engine,
};
use game::{Spec, TextError};
use games::draughts::{
    AnyRules, Draughts, English, FAMILY, International, Parameters, Russian, Switches,
};

/// Draughts as the catalog knows it.
pub static REGISTRATION: Registration = Registration {
    family: &FAMILY,
    open,
    played_in: &[("hub", "draughts:international")],
    engine: Some(engine),
    solver: SolverVersion(0x4283_795b_52ad_714b),
};

fn open(spec: &Spec) -> Result<Arc<dyn CompiledGame>, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    if let Some(game) = Draughts::<English>::new(parameters) {
        return Ok(compile(game, &REGISTRATION));
    }
    if let Some(game) = Draughts::<International>::new(parameters) {
        return Ok(compile(game, &REGISTRATION));
    }
    if let Some(game) = Draughts::<Russian>::new(parameters) {
        return Ok(compile(game, &REGISTRATION));
    }
    match Draughts::<AnyRules>::new(parameters) {
        Some(game) => Ok(compile(game, &REGISTRATION)),
        None => Err(spec.error("no rules serve these switches")),
    }
}

fn engine(spec: &Spec) -> Result<EngineSource, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    let body = session_engine(
        &kind(parameters),
        "Game::new(games::draughts::Parameters::from_spec(&spec).unwrap()).unwrap()",
        "games::draughts::FAMILY",
    );
    Ok(EngineSource { name: plain_name(&parameters.to_string()), body, strategy: Vec::new() })
}

/// Every switch is a constant.
fn kind(parameters: Parameters) -> String {
    if let Some(variant) = parameters.compiled() {
        return format!("type Game = games::draughts::Draughts<games::draughts::{variant:?}>;\n");
    }
    let Switches {
        size,
        first,
        back,
        flying,
        straight,
        shielded,
        landing,
        majority,
        promotion,
        restless,
    } = parameters.switches();
    format!(
        "use games::draughts::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fixed;

const SWITCHES: Switches = Switches {{
    size: Size::{size:?},
    first: Colour::{first:?},
    back: {back},
    flying: {flying},
    straight: {straight},
    shielded: {shielded},
    landing: Landing::{landing:?},
    majority: Majority::{majority:?},
    promotion: Promotion::{promotion:?},
    restless: {restless},
}};

impl game::Specialised for Fixed {{
    type Values = Switches;
    const FIXED: Option<Switches> = Some(SWITCHES);

    fn with(values: Switches) -> Option<Fixed> {{
        (values == SWITCHES).then_some(Fixed)
    }}

    #[inline(always)]
    fn values(&self) -> Switches {{
        SWITCHES
    }}
}}

type Game = Draughts<Fixed>;
"
    )
}
