//! [`EngineSource`]: what an engine of one game is generated from.

/// The part of a generated engine's source that differs by game. It is compiled with the crates
/// `game`, `evaluation`, `play`, `games`, `players` and `standalone` at hand, has a `main`, and finds who it is in a constant
/// `ENGINE` of type `standalone::EngineConstants`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSource {
    /// Tells the parameters and can be the name of a file: `go-7x7-komi9`.
    pub name: String,
    /// Rust source: types and `main`.
    pub body: String,
    /// What to play where the best move is known; empty where the engine has to think.
    pub strategy: Vec<u8>,
}

/// The name of a game as the name of a file: `go-7x7-komi9`.
#[must_use]
pub fn plain_name(spec: &str) -> String {
    let plain = |c: char| match c {
        ':' | ',' => Some('-'),
        '=' => None,
        c => Some(c),
    };
    spec.chars().filter_map(plain).collect()
}

/// The engine of a game whose type is that of its session, too. `kind` defines a type `Game`, `game`
/// is an expression of it made from `spec`, and `family` the path of the family's table.
#[must_use]
pub fn session_engine(kind: &str, game: &str, family: &str) -> String {
    format!(
        "{kind}
fn game() -> Game {{
    let spec = game::Spec::parse(ENGINE.spec).unwrap();
    {game}
}}

fn main() -> std::process::ExitCode {{
    let searcher = |heuristics, settings: &_| players::compiled(game(), heuristics, settings);
    standalone::run(&ENGINE, game(), &{family}, Box::new(searcher))
}}
"
    )
}
