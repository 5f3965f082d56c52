//! How fast engines of the text protocol are, measured inside of them.

mod plain;

use std::time::{Duration, Instant};

use protocols::Program;
use protocols::text::{CLASSIC_TIMES, Command, NODE, PLAYOUT, Reply, Seat, classic_time};
use serde::{Deserialize, Serialize};

use crate::talk::{Talk, TalkError, wrong};

/// Games of boards with more squares than this
const LARGE: usize = 10_000;
/// are so much fewer.
const FEWER: usize = 100;
/// An engine that plays many games by itself may take this for it, beside its usual time.
const GAMES_TIME: Duration = Duration::from_secs(120);
/// No game is begun after so long.
const LONG_ENOUGH: Duration = Duration::from_secs(60);
/// A player that takes longer for a stone thinks. It is measured in the games that it plays here:
/// their words take no time beside the thoughts.
const THINKS: Duration = Duration::from_millis(1);

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
    /// Its spec, as the engine says.
    pub game: String,
    /// Games it played for that: as many as were asked for, or as were begun within a minute.
    pub games: usize,
    /// What it said.
    pub times: Times,
    /// A stone and the list of moves by the plainest rules, here and now.
    pub plain: PlainTimes,
}

/// The same by the plainest rules, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlainTimes {
    /// A stone, and whether it wins.
    pub win_check: f64,
    /// The list of moves.
    pub move_list: f64,
}

/// Measures an engine over so many games of its player, a hundredth of them on a large board.
///
/// # Errors
/// If it is no engine of a line game, or does not answer in time.
pub fn measure(
    name: &str,
    program: &Program,
    ai: Option<&str>,
    games: usize,
    patience: Duration,
) -> Result<Measured, TalkError> {
    let mut talk = Talk::start(program, None, patience)?;
    // Any player may be measured.
    talk.stays_near = false;
    let game = talk.spec.clone();
    let games = match talk.game.grid.squares() > LARGE {
        true => games.div_ceil(FEWER),
        false => games,
    };
    if let Some(ai) = ai {
        choose_player(&mut talk, ai)?;
    }
    talk.ask(&Command::IsReady)?;
    talk.hear_out()?;
    let (times, games) = take_times(&mut talk, games, patience)?;
    let plain = plain::time(talk.game, talk.ground());
    Ok(Measured { engine: name.to_owned(), game, games, times, plain })
}

/// What the engine says of whole games, and over how many.
fn take_times(
    talk: &mut Talk,
    games: usize,
    patience: Duration,
) -> Result<(Times, usize), TalkError> {
    let mut seen = Seen::default();
    seen.play(talk, 1)?;
    let thinks = seen.time_of_a_stone() >= THINKS;
    if thinks {
        seen.play(talk, games)?;
    }
    let by_itself = by_itself(talk, games, patience)?;
    if let Some(times) = by_itself {
        return Ok((times, if thinks { seen.games } else { games }));
    }
    seen.play(talk, games)?;
    for _ in 0..seen.games {
        talk.ask(&Command::GetMoves)?;
    }
    talk.hear_out()?;
    Ok((asked(talk)?, seen.games))
}

/// Whole games of an engine against itself that were played here.
#[derive(Default)]
struct Seen {
    games: usize,
    stones: u32,
    time: Duration,
}

impl Seen {
    /// Goes on until there are so many, or it has taken long enough.
    fn play(&mut self, talk: &mut Talk, games: usize) -> Result<(), TalkError> {
        while self.games < games && self.time < LONG_ENOUGH {
            let start = Instant::now();
            talk.new_game([Seat::Ai; 2])?;
            self.stones += talk.referee().placed() as u32;
            self.time += start.elapsed();
            self.games += 1;
        }
        Ok(())
    }

    fn time_of_a_stone(&self) -> Duration {
        self.time / self.stones.max(1)
    }
}

fn choose_player(talk: &mut Talk, name: &str) -> Result<(), TalkError> {
    talk.say(&Command::SetAi(name.to_owned()))?;
    match talk.hear("answer to setai")? {
        Reply::Ai(_) => Ok(()),
        other => wrong(vec![format!("ai is {name}")], vec![other.write()]),
    }
}

/// An engine of the second version plays the games by itself, so that nobody listens meanwhile; `None` if it cannot.
fn by_itself(
    talk: &mut Talk,
    games: usize,
    patience: Duration,
) -> Result<Option<Times>, TalkError> {
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

/// Any other tells of those that we have seen.
fn asked(talk: &mut Talk) -> Result<Times, TalkError> {
    talk.say(&Command::Perf(None))?;
    let mut heard = Vec::new();
    while heard.len() < CLASSIC_TIMES.len() {
        match talk.hear("answer to perf")? {
            Reply::Perf(what, time) => heard.push((what, time)),
            other => return wrong(vec!["three times".to_owned()], vec![other.write()]),
        }
    }
    times_in(&heard)
        .map_or_else(|| wrong(vec!["three times".to_owned()], vec!["others".to_owned()]), Ok)
}

fn times_in(heard: &[(String, f64)]) -> Option<Times> {
    let of = |what: &str| {
        let means =
            |name: &str| name.eq_ignore_ascii_case(what) || classic_time(name) == Some(what);
        let found = heard.iter().find(|(name, _)| means(name));
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
