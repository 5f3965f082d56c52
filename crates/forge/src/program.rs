//! [`Program`]: the few lines that make an engine of the shared parts.

use std::fmt::Write as _;

use game::{Spec, Square, TextError};
use games::mnk::Shape;
use games::{draughts, go, mnk, reversi};

/// The engine of one game, before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Tells the parameters: `mnk-15x15-k5-p1-q1-more`.
    pub name: String,
    /// The game.
    pub spec: String,
    /// Something the user should know about these parameters, though they are allowed.
    pub warning: Option<String>,
    /// What is compiled.
    pub source: String,
}

impl Program {
    /// For a game as people write it, and the player of its text protocol; empty for one that plays
    /// as well as it can.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn new(game: &str, ai: &str) -> Result<Program, TextError> {
        let bench = catalog::open(game)?;
        let spec = bench.spec();
        let parsed = Spec::parse(&spec)?;
        let family = Spec::family_of(&spec);
        let (name, body) = match family {
            "mnk" => {
                let parameters = mnk::Parameters::from_spec(&parsed)?;
                (line_name(&parameters), line_body(&parameters))
            }
            "reversi" => {
                (plain_name(&spec), reversi_body(reversi::Parameters::from_spec(&parsed)?))
            }
            "go" => (plain_name(&spec), go_body(go::Parameters::from_spec(&parsed)?)),
            _ => (plain_name(&spec), session_body(family, &parsed)?),
        };
        let strategy = match family {
            "mnk" => strategy_of(&mnk::Parameters::from_spec(&parsed)?),
            _ => Vec::new(),
        };
        let strategy = strategy.escape_ascii();
        let source = format!(
            "//! {spec}\n\n{body}\nconst ENGINE: standalone::Engine =\n    standalone::Engine {{ name: {name:?}, spec: {spec:?}, ai: {ai:?}, strategy: STRATEGY }};\n\n\
             const STRATEGY: &[u8] = b\"{strategy}\";\n"
        );
        Ok(Program { name, warning: bench.warning(), source, spec })
    }
}

/// What to play in a game that is small enough to be known from end to end; empty for others.
fn strategy_of(parameters: &mnk::Parameters) -> Vec<u8> {
    const SQUARES: usize = 16;
    const POSITIONS: usize = 3_000_000;
    if parameters.shape().grid().squares() > SQUARES {
        return Vec::new();
    }
    // The board that the engine will have.
    let game = mnk::Mnk::<_, mnk::WordBoard<u32>>::new(parameters);
    search::strategy_of(&game, search::CanonicalKeys, POSITIONS).unwrap_or_default()
}

fn line_name(parameters: &mnk::Parameters) -> String {
    let mnk::RunShape { rows, columns, k, p, q, exact, gravity } = parameters.shape();
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
fn line_body(parameters: &mnk::Parameters) -> String {
    let mnk::RunShape { rows, columns, k, p, q, exact, gravity } = parameters.shape();
    let (board, main) = match parameters.storage() {
        mnk::Storage::U16 | mnk::Storage::U32 => ("WordBoard<u32>", "on_u32"),
        mnk::Storage::U64 => ("WordBoard<u64>", "on_u64"),
        // A stone costs 7 ns on lines and 16 on a word of 128 bits, which is there to tell mirror images apart.
        mnk::Storage::U128 | mnk::Storage::Lines => ("LineBoard", "on_lines"),
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

/// The type of other games is that of their session, too.
fn session_body(family: &str, spec: &Spec) -> Result<String, TextError> {
    let kind = match family {
        "draughts" => draughts_kind(draughts::Parameters::from_spec(spec)?),
        "chess" => "type Game = games::chess::Chess;\n".to_owned(),
        other => return Err(spec.error(format!("{other} has no generated engines"))),
    };
    let unwrap = if family == "draughts" { ".unwrap()" } else { "" };
    Ok(format!(
        "{kind}
fn game() -> Game {{
    let spec = game::Spec::parse(ENGINE.spec).unwrap();
    Game::new(games::{family}::Parameters::from_spec(&spec).unwrap()){unwrap}
}}

fn main() -> std::process::ExitCode {{
    let searcher = |heuristics, settings: &_| players::compiled(game(), heuristics, settings);
    standalone::run(&ENGINE, game(), &games::{family}::FAMILY, Box::new(searcher))
}}
"
    ))
}

/// Every switch is a constant.
fn draughts_kind(parameters: draughts::Parameters) -> String {
    if let Some(variant) = parameters.compiled() {
        return format!("type Game = games::draughts::Draughts<games::draughts::{variant:?}>;\n");
    }
    let draughts::Switches {
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

impl Rules for Fixed {{
    fn with(switches: Switches) -> Option<Fixed> {{
        (switches == SWITCHES).then_some(Fixed)
    }}

    #[inline(always)]
    fn switches(self) -> Switches {{
        SWITCHES
    }}
}}

type Game = Draughts<Fixed>;
"
    )
}

/// Board and start are part of the type of what searches.
fn reversi_body(parameters: reversi::Parameters) -> String {
    let game::Grid { rows, columns } = parameters.size();
    let parallel = parameters.start() == reversi::Start::Parallel;
    format!(
        "use games::reversi::{{ConstShape, Reversi}};

type Shape = ConstShape<{rows}, {columns}, {parallel}>;

fn main() -> std::process::ExitCode {{
    standalone::territory::reversi(&ENGINE, |heuristics, settings| {{
        players::compiled_table(Reversi::from_shape(Shape::default()), heuristics, settings)
    }})
}}
"
    )
}

/// So are the size and every rule of Go.
fn go_body(parameters: go::Parameters) -> String {
    let go::Parameters { ko, suicide, scoring, komi, .. } = parameters;
    let game::Grid { rows, columns } = parameters.size();
    let scoring = match scoring {
        go::Scoring::Area => "Area".to_owned(),
        go::Scoring::Territory(dead) => format!("Territory(Dead::{dead:?})"),
    };
    let (word, main) = match parameters.storage() {
        go::Storage::U64 => ("u64", "go_on_u64"),
        go::Storage::U128 => ("u128", "go_on_u128"),
        go::Storage::Wide => ("Wide", "go_on_wide"),
    };
    let halves = komi.halves();
    format!(
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

impl Shape for Fixed {{
    const FIXED: Option<Parameters> = Some(PARAMETERS);

    #[inline(always)]
    fn parameters(&self) -> Parameters {{
        PARAMETERS
    }}
}}

fn main() -> std::process::ExitCode {{
    standalone::territory::{main}(&ENGINE, |heuristics, settings| {{
        players::compiled(Go::<{word}, Fixed>::from_shape(Fixed), heuristics, settings)
    }})
}}
"
    )
}

/// The name of a game as the name of a file: `go-7x7-komi9`.
fn plain_name(spec: &str) -> String {
    let plain = |c: char| match c {
        ':' | ',' => Some('-'),
        '=' => None,
        c => Some(c),
    };
    spec.chars().filter_map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(game: &str) -> String {
        Program::new(game, "").unwrap().name
    }

    #[test]
    fn names_tell_the_parameters() {
        assert_eq!(name("gomoku"), "mnk-15x15-k5-p1-q1-more");
        assert_eq!(name("connect6"), "mnk-19x19-k6-p2-q1-more");
        assert_eq!(name("connect4"), "mnk-6x7-k4-p1-q1-more-gravity");
        assert_eq!(name("gomoku-standard"), "mnk-15x15-k5-p1-q1-exact");
        assert_eq!(name("reversi:6x6"), "reversi-6x6");
        assert_eq!(name("go:7x7,komi=9"), "go-7x7-komi9");
        assert_eq!(name("checkers"), "draughts-english");
        assert_ne!(name("mnk:3x3,k=3,holes=a1"), name("mnk:3x3,k=3,holes=b1"));
    }

    #[test]
    fn every_number_is_part_of_the_type() {
        let source = Program::new("mnk:6x7,k=4,p=2,q=3,win=exact,gravity", "").unwrap().source;
        assert!(source.contains("ConstShape<6, 7, 4, 2, 3, true, true>"), "{source}");
        let source = Program::new("draughts:english,flying", "").unwrap().source;
        assert!(source.contains("flying: true"), "{source}");
        let source = Program::new("reversi:6x8,start=parallel", "").unwrap().source;
        assert!(source.contains("ConstShape<6, 8, true>"), "{source}");
        let source = Program::new("go:9x9,ko=basic,scoring=territory,komi=6.5", "").unwrap().source;
        for part in ["Ko::Basic", "Suicide::No", "Territory(Dead::Playout)", "halves(13)"] {
            assert!(source.contains(part), "{part}: {source}");
        }
    }

    #[test]
    fn who_plays_is_part_of_the_program() {
        let source = |ai: &str| Program::new("gomoku", ai).unwrap().source;
        assert!(source("").contains("ai: \"\"") && source("adjacent").contains("ai: \"adjacent\""));
    }

    #[test]
    fn who_cannot_win_is_warned_about() {
        assert!(Program::new("mnk:3x3,k=4", "").unwrap().warning.is_some());
        assert!(Program::new("gomoku", "").unwrap().warning.is_none());
        assert!(Program::new("mnk:3x3,k=3,p=0", "").is_err());
    }
}
