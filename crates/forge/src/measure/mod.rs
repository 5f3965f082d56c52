//! How fast engines of the text protocol are, measured inside of them.

mod fit;
mod page;
mod plain;
mod series;

use std::time::Duration;

use protocols::Program;
use protocols::text::{CLASSIC_TIMES, Command, NODE, PLAYOUT, Reply, Seat};
use serde::{Deserialize, Serialize};

use crate::talk::{Talk, Wrong, wrong};

pub use fit::Fit;
pub use page::{Report, escape, read_report};
pub use series::{Curves, Parameter, Series};

/// Games of boards with more squares than this
const LARGE: usize = 10_000;
/// are so much fewer.
const FEWER: usize = 100;
/// An engine that plays many games by itself may take this for it, beside its usual time.
const GAMES_TIME: Duration = Duration::from_secs(120);

/// What is measured of an engine, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// The player's choice of a move.
    pub ai_move: f64,
    /// A stone, and whether it wins.
    pub win_check: f64,
    /// The list of moves.
    pub move_list: f64,
    /// A game of random moves, if the engine tells.
    pub random_game: Option<f64>,
    /// A node of the search, if the engine tells.
    pub node: Option<f64>,
}

/// One engine, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// How it was started.
    pub engine: String,
    /// The game.
    pub game: String,
    /// Games it played for that.
    pub games: usize,
    /// What it said.
    pub times: Times,
    /// A stone and the list of moves by the plainest rules, here and now.
    pub plain: Plain,
}

/// The same by the plainest rules, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plain {
    /// A stone, and whether it wins.
    pub win_check: f64,
    /// The list of moves.
    pub move_list: f64,
}

/// Measures an engine over so many games of its player, a hundredth of them on a large board.
///
/// # Errors
/// In one line, if it is no engine of a line game, or does not answer in time.
pub fn measure(
    name: &str,
    program: &Program,
    ai: Option<&str>,
    games: usize,
    patience: Duration,
) -> Result<Measured, String> {
    let say = |wrong: Wrong| wrong.to_string();
    let mut talk = Talk::start(program, None, patience).map_err(say)?;
    let game = talk.spec.clone();
    let games = match talk.game.grid.squares() > LARGE {
        true => games.div_ceil(FEWER),
        false => games,
    };
    if let Some(ai) = ai {
        choose_player(&mut talk, ai).map_err(say)?;
    }
    talk.settle().map_err(say)?;
    let times = match by_itself(&mut talk, games, patience).map_err(say)? {
        Some(times) => times,
        None => from_outside(&mut talk, games).map_err(say)?,
    };
    let plain = plain::time(talk.game, talk.ground());
    Ok(Measured { engine: name.to_owned(), game, games, times, plain })
}

fn choose_player(talk: &mut Talk, name: &str) -> Result<(), Wrong> {
    talk.say(&Command::SetAi(name.to_owned()))?;
    match talk.hear("answer to setai")? {
        Reply::Ai(_) => Ok(()),
        other => wrong(format!("ai is {name}"), other.write()),
    }
}

/// An engine of the second version plays the games by itself, so that nobody listens meanwhile; `None` if it cannot.
fn by_itself(talk: &mut Talk, games: usize, patience: Duration) -> Result<Option<Times>, Wrong> {
    talk.wait(GAMES_TIME.max(patience));
    talk.say(&Command::Perf(Some(games)))?;
    talk.say(&Command::IsReady)?;
    let mut heard = Vec::new();
    loop {
        match talk.hear("answer to perf")? {
            Reply::ReadyOk => break,
            Reply::Perf(what, time) => heard.push((what, time)),
            _ => {}
        }
    }
    talk.wait(patience);
    Ok(times_in(&heard).filter(|times| times.node.is_some()))
}

/// Any other plays them for us to see, and then tells of them.
fn from_outside(talk: &mut Talk, games: usize) -> Result<Times, Wrong> {
    for _ in 0..games {
        talk.new_game([Seat::Ai; 2])?;
        while !talk.referee.is_over() {
            let (side, _) = talk.referee.turn();
            talk.hear_stone(side, None)?;
        }
    }
    for _ in 0..games {
        talk.compare_moves()?;
    }
    talk.say(&Command::Perf(None))?;
    let mut heard = Vec::new();
    while heard.len() < CLASSIC_TIMES.len() {
        match talk.hear("answer to perf")? {
            Reply::Perf(what, time) => heard.push((what, time)),
            other => return wrong("three times", other.write()),
        }
    }
    times_in(&heard).map_or_else(|| wrong("three times", "others"), Ok)
}

fn times_in(heard: &[(String, f64)]) -> Option<Times> {
    let of = |what: &str| {
        let found = heard.iter().find(|(name, _)| name.eq_ignore_ascii_case(what));
        found.map(|&(_, time)| time).filter(|time| *time >= 0.0)
    };
    let [ai_move, win_check, move_list] = CLASSIC_TIMES.map(of);
    Some(Times {
        ai_move: ai_move?,
        win_check: win_check?,
        move_list: move_list?,
        random_game: of(PLAYOUT),
        node: of(NODE),
    })
}
