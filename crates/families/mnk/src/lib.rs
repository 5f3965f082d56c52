//! Line games, compiled: a word of three widths for small boards, lines of words for large ones.

use std::fmt::Write as _;
use std::sync::Arc;

use compiled::{CompiledGame, EngineSource, Registration, SolverVersion, compile};
use game::{Spec, Square, TextError};
use games::mnk::{FAMILY, LineBoard, Mnk, Parameters, RunShape, Shape as _, Storage, WordBoard};

/// Line games as the catalog knows them.
pub static REGISTRATION: Registration = Registration {
    family: &FAMILY,
    open,
    played_in: &[("gomocup", "gomoku"), ("text", "gomoku")],
    engine: Some(engine),
    solver: SolverVersion(0xcf59_e289_eebc_e61c),
};

type LineGame<B> = Mnk<RunShape, B>;

fn open(spec: &Spec) -> Result<Arc<dyn CompiledGame>, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    Ok(match parameters.storage() {
        Storage::U16 | Storage::U32 => {
            compile(LineGame::<WordBoard<u32>>::new(&parameters), &REGISTRATION)
        }
        Storage::U64 => compile(LineGame::<WordBoard<u64>>::new(&parameters), &REGISTRATION),
        Storage::U128 => compile(LineGame::<WordBoard<u128>>::new(&parameters), &REGISTRATION),
        Storage::Lines => compile(LineGame::<LineBoard>::new(&parameters), &REGISTRATION),
    })
}

fn engine(spec: &Spec) -> Result<EngineSource, TextError> {
    let parameters = Parameters::from_spec(spec)?;
    let (name, body) = (name(&parameters), body(&parameters));
    Ok(EngineSource { name, body, strategy: strategy(&parameters) })
}

/// What to play in a game that is small enough to be known from end to end; empty for others.
fn strategy(parameters: &Parameters) -> Vec<u8> {
    const SQUARES: usize = 16;
    const POSITIONS: usize = 3_000_000;
    if parameters.shape().grid().squares() > SQUARES {
        return Vec::new();
    }
    // The board that the engine will have.
    let game = Mnk::<_, WordBoard<u32>>::new(parameters);
    search::strategy_of(&game, POSITIONS).unwrap_or_default()
}

fn name(parameters: &Parameters) -> String {
    let RunShape { rows, columns, k, p, q, exact, gravity } = parameters.shape();
    let win = if exact { "exact" } else { "more" };
    let mut name = format!("mnk-{rows}x{columns}-k{k}-p{p}-q{q}-{win}");
    if gravity {
        name += "-gravity";
    }
    // There may be thousands.
    let holes = parameters.holes();
    if !holes.is_empty() {
        let place = |hole: &Square| (hole.row as u64) << 8 | hole.column as u64;
        let mixed = holes.iter().fold(0, |sum, hole| game::mix(sum ^ place(hole)));
        let _ = write!(name, "-holes{}-{:08x}", holes.len(), mixed as u32);
    }
    name
}

/// Every number is part of the type of what searches.
fn body(parameters: &Parameters) -> String {
    let RunShape { rows, columns, k, p, q, exact, gravity } = parameters.shape();
    let (board, main) = match parameters.storage() {
        Storage::U16 | Storage::U32 => ("WordBoard<u32>", "on_u32"),
        Storage::U64 => ("WordBoard<u64>", "on_u64"),
        // A stone costs 7 ns on lines and 16 on a word of 128 bits, which is there to tell mirror
        // images apart.
        Storage::U128 | Storage::Lines => ("LineBoard", "on_lines"),
    };
    let square =
        |hole: &Square| format!("game::Square {{ row: {}, column: {} }}", hole.row, hole.column);
    let holes: Vec<String> = parameters.holes().iter().map(square).collect();
    format!(
        "use games::mnk::{{ConstShape, LineBoard, Mnk, WordBoard}};

type Game = Mnk<ConstShape<{rows}, {columns}, {k}, {p}, {q}, {exact}, {gravity}>, {board}>;

const HOLES: &[game::Square] = &[{}];

fn main() -> std::process::ExitCode {{
    standalone::lines::{main}(&ENGINE, |heuristics, settings| {{
        let game = Game::with_holes(ConstShape, HOLES);
        players::compiled_table(game, heuristics, settings)
    }})
}}
",
        holes.join(", ")
    )
}
