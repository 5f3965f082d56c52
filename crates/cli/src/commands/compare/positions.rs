//! Positions to compare solvers on: made by play, or read from a file.

use play::{BotSpec, Player, Session, Stop, Task, Turn};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail, ensure};
use compiled::CompiledGame;
use game::{Rng, mix};
use serde::Serialize;

use crate::files;

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
pub(super) struct Case {
    /// Where it comes from.
    pub(super) kind: String,
    /// How many squares nobody is on.
    pub(super) empties: usize,
    pub(super) position: String,
}

/// So many positions of each kind with each number of empty squares. What is drawn depends on the seed alone.
pub(super) fn made(
    game: &str,
    empties: RangeInclusive<usize>,
    count: usize,
    seed: u64,
) -> Result<Vec<Case>> {
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
fn play_down_to(game: &str, empties: usize, bots_play: bool, seed: u64) -> Result<String> {
    for attempt in 0..ATTEMPTS {
        let compiled = open(game)?;
        let mut session = compiled.session();
        let mut rng = Rng::new(seed ^ mix(attempt));
        let mut bot = match bots_play {
            true => {
                let bot: BotSpec = BOT.parse().map_err(|e| anyhow!("bot {e}"))?;
                Some(compiled.player(&bot, rng.next_u64()).map_err(anyhow::Error::msg)?)
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
            session.play(&text)?;
        }
        if session.outcome().is_none() && empties_of(&*session) == empties {
            return Ok(session.position());
        }
    }
    bail!("no game of {game} was found that is still under way with {empties} empty squares")
}

fn choice(bot: &mut dyn Player, session: &dyn Session) -> Result<String> {
    let chosen = bot.choose(session, &Task::default(), &Stop::new(), &mut |_| {});
    match chosen.map_err(anyhow::Error::msg)?.turn {
        Turn::Play(text) => Ok(text),
        Turn::Claim | Turn::Resign => bail!("a bot gave up"),
    }
}

/// A position in each line; `[real]` or another word in brackets names those that follow, and what comes after # is a remark.
pub(super) fn read(game: &str, file: &Path) -> Result<Vec<Case>> {
    let (mut cases, mut kind) = (Vec::new(), UNNAMED.to_owned());
    for (number, line) in files::read(file)?.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            kind = name.trim().to_owned();
            continue;
        }
        let mut session = open(game)?.session();
        let wrong = |e| anyhow!("{}, line {}: position {e}", file.display(), number + 1);
        session.set_position(line).map_err(wrong)?;
        let (empties, position) = (empties_of(&*session), session.position());
        cases.push(Case { kind: kind.clone(), empties, position });
    }
    ensure!(!cases.is_empty(), "{} holds no position", file.display());
    Ok(cases)
}

fn open(game: &str) -> Result<Arc<dyn CompiledGame>> {
    catalog::open(game).map_err(|e| anyhow!("game {e}"))
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
        let cases = made("reversi:6x6", 14..=15, 2, 7).unwrap();
        assert_eq!(cases.len(), 8);
        assert_eq!(cases, made("reversi:6x6", 14..=15, 2, 7).unwrap());
        assert_ne!(cases, made("reversi:6x6", 14..=15, 2, 8).unwrap());
        for Case { empties, position, .. } in &cases {
            let mut session = open("reversi:6x6").unwrap().session();
            session.set_position(position).unwrap();
            assert_eq!((session.outcome(), empties_of(&*session)), (None, *empties));
        }
        let mut different: Vec<&String> = cases.iter().map(|case| &case.position).collect();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 8);
        assert!(made("tictactoe", 40..=40, 1, 1).is_err());
    }
}
