//! Positions to compare solvers on: made by play, or read from a file.

use play::{BotSpec, Player, Session, Stop, Task, Turn};
use std::ops::RangeInclusive;
use std::sync::Arc;

use compiled::CompiledGame;
use game::{Rng, mix};
use serde::Serialize;

use super::CompareError;

/// What a position is called that a file does not call anything.
const UNNAMED: &str = "given";
/// What those are called that come from games of bots, and from random moves.
const MADE: [&str; 2] = ["real", "random"];
/// Whose games they are, and how many of their plies are drawn, so that no two are the same.
const BOT: &str = "medium";
const OPENING: usize = 4;
/// Games may end with more squares empty than are asked for.
const ATTEMPTS: u64 = 1000;

/// A position to solve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Where it comes from.
    pub kind: String,
    /// How many squares nobody is on.
    pub empties: usize,
    /// As its game writes it.
    pub position: String,
}

/// So many positions of each kind with each number of empty squares. What is drawn depends on the
/// seed alone.
///
/// # Errors
/// If there is no such game, or no game of it comes to so few empty squares.
pub fn make_positions(
    game: &str,
    empties: RangeInclusive<usize>,
    count: usize,
    seed: u64,
) -> Result<Vec<Case>, CompareError> {
    let mut cases = Vec::new();
    for empties in empties {
        for kind in MADE {
            for number in 0..count as u64 {
                let seed = mix(seed ^ mix(number << 32 | empties as u64));
                let position = play_down_to(game, empties, kind == MADE[0], seed)?;
                cases.push(Case { kind: kind.to_owned(), empties, position });
            }
        }
    }
    Ok(cases)
}

/// Where a game stands as soon as so few squares are empty.
fn play_down_to(
    game: &str,
    empties: usize,
    bots_play: bool,
    seed: u64,
) -> Result<String, CompareError> {
    for attempt in 0..ATTEMPTS {
        let compiled = open(game)?;
        let mut session = compiled.session();
        let mut rng = Rng::new(seed ^ mix(attempt));
        let mut bot = match bots_play {
            true => {
                let bot: BotSpec = BOT.parse().map_err(CompareError::search)?;
                Some(compiled.player(&bot, rng.next_u64()).map_err(CompareError::search)?)
            }
            false => None,
        };
        while session.outcome().is_none() && empties_of(&*session) > empties {
            let drawn = session.plies() < OPENING;
            let text = match &mut bot {
                Some(bot) if !drawn => choice(&mut **bot, &*session)?,
                _ => {
                    let moves = session.moves();
                    moves[rng.below(moves.len())].clone()
                }
            };
            session.play(&text).map_err(CompareError::search)?;
        }
        if session.outcome().is_none() && empties_of(&*session) == empties {
            return Ok(session.position());
        }
    }
    Err(CompareError::NoGame { game: game.to_owned(), empties })
}

fn choice(bot: &mut dyn Player, session: &dyn Session) -> Result<String, CompareError> {
    let chosen = bot.choose(session, &Task::default(), &Stop::new(), &mut |_| {});
    match chosen.map_err(CompareError::search)?.turn {
        Turn::Play(text) => Ok(text),
        Turn::Claim | Turn::Resign => Err(CompareError::GaveUp),
    }
}

/// A position in each line; `[real]` or another word in brackets names those that follow, and what
/// comes after # is a remark.
///
/// # Errors
/// If there is no such game, no position, or one that is none.
pub fn read_positions(game: &str, text: &str) -> Result<Vec<Case>, CompareError> {
    let (mut cases, mut kind) = (Vec::new(), UNNAMED.to_owned());
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            kind = name.trim().to_owned();
            continue;
        }
        let mut session = open(game)?.session();
        let set = session.set_position(line);
        set.map_err(|error| CompareError::Line { number, error })?;
        let (empties, position) = (empties_of(&*session), session.position());
        cases.push(Case { kind: kind.clone(), empties, position });
    }
    if cases.is_empty() { Err(CompareError::NoPosition) } else { Ok(cases) }
}

fn open(game: &str) -> Result<Arc<dyn CompiledGame>, CompareError> {
    catalog::open(game).map_err(CompareError::Game)
}

fn empties_of(session: &dyn Session) -> usize {
    let diagram = session.diagram();
    diagram.grid().iter().filter(|&square| diagram.cell(square).owner.is_none()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_made_as_the_seed_says() {
        let cases = make_positions("reversi:6x6", 14..=15, 2, 7).unwrap();
        assert_eq!(cases.len(), 8);
        assert_eq!(cases, make_positions("reversi:6x6", 14..=15, 2, 7).unwrap());
        assert_ne!(cases, make_positions("reversi:6x6", 14..=15, 2, 8).unwrap());
        for Case { empties, position, .. } in &cases {
            let mut session = open("reversi:6x6").unwrap().session();
            session.set_position(position).unwrap();
            assert_eq!((session.outcome(), empties_of(&*session)), (None, *empties));
        }
        let mut different: Vec<&String> = cases.iter().map(|case| &case.position).collect();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 8);
        assert!(make_positions("tictactoe", 40..=40, 1, 1).is_err());
    }
}
