//! What stands after a flag: from text to a value, or one line that says what would be right.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use arena::{Agreement, Contestant, Registry, Scale, Sprt};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use game::{Expected, Side, TextError};
use play::numbers::number;
use play::{BotSpec, Level, Limits};
use protocols::Protocol;
use search::{Algorithm, Techniques};

use super::{Player, Role};
use crate::files;

/// Text that gets into no log: a token.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(pub(crate) String);

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Where a record is. What is shown of it has no password.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct StorePlace(pub(crate) String);

impl From<String> for StorePlace {
    fn from(text: String) -> StorePlace {
        StorePlace(text)
    }
}

impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cluster::record::without_passwords(&self.0))
    }
}

impl fmt::Debug for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

/// Before the name of a registered engine.
pub(crate) const NAMED: &str = "engine:";
/// What may stand before the description of a bot.
const BOT: &str = "bot:";

pub(super) fn algorithm_names() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.iter().map(|a| a.name())).try_map(|name| {
        let mut all = Algorithm::ALL.iter().copied();
        all.find(|algorithm| algorithm.name() == name).ok_or("there is no such algorithm")
    })
}

pub(super) fn perft_depth(text: &str) -> Result<u32, Expected> {
    number(text, 1, 99, "a depth").map(|n| n as u32)
}

pub(super) fn game_number(text: &str) -> Result<usize, Expected> {
    number(text, 1, u32::MAX.into(), "the number of a game").map(|n| n as usize)
}

pub(super) fn seed(text: &str) -> Result<u64, Expected> {
    number(text, 0, u64::MAX, "a seed")
}

pub(super) fn leaf_budget(text: &str) -> Result<u64, Expected> {
    number(text, 1, certificate::LARGEST_LEAF_BUDGET, "a number of positions")
}

pub(super) fn line_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 1000, "a number of lines").map(|n| n as usize)
}

pub(super) fn game_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 1_000_000, "a number of games").map(|n| n as usize)
}

pub(super) fn position_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 1000, "a number of positions").map(|n| n as usize)
}

pub(super) fn worker_count(text: &str) -> Result<usize, Expected> {
    number(text, 10, 100_000, "a number of workers").map(|n| n as usize)
}

pub(super) fn day_count(text: &str) -> Result<u32, Expected> {
    number(text, 1, 365, "a number of days").map(|n| n as u32)
}

pub(super) fn span_of_squares(text: &str) -> Result<RangeInclusive<usize>, Expected> {
    let bound = |text: &str| number(text, 0, 62_500, "a number of squares").map(|n| n as usize);
    span(text, bound, "14-19")
}

pub(super) fn span_of_plies(text: &str) -> Result<RangeInclusive<usize>, Expected> {
    span(text, opening_plies, "4-10")
}

/// `FROM-TO`, or one number for both.
fn span(
    text: &str,
    bound: impl Fn(&str) -> Result<usize, Expected>,
    example: &str,
) -> Result<RangeInclusive<usize>, Expected> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (bound(from)?, bound(to)?) {
        (from, to) if from <= to => Ok(from..=to),
        _ => Err(format!("the smaller number comes first, as in {example}").into()),
    }
}

pub(super) fn opening_plies(text: &str) -> Result<usize, Expected> {
    number(text, 0, 100, "a number of plies").map(|n| n as usize)
}

pub(super) fn book_depth(text: &str) -> Result<usize, Expected> {
    number(text, 1, 1000, "a number of plies").map(|n| n as usize)
}

pub(super) fn book_count(text: &str) -> Result<u32, Expected> {
    number(text, 1, u32::MAX.into(), "a number of games").map(|n| n as u32)
}

pub(super) fn techniques_help() -> String {
    let names = Techniques::NAMES.join(", ");
    format!(
        "What the search may use: all, none, or a list of {names}; a leading minus removes one, as in \
         all,-killers; minimax uses none"
    )
}

pub(super) fn techniques(text: &str) -> Result<Techniques, Expected> {
    let words: Vec<&str> = text.split(',').collect();
    let mut chosen = match words[0] {
        first if first.starts_with('-') => Techniques::ALL,
        _ => Techniques::NONE,
    };
    for (i, &word) in words.iter().enumerate() {
        match (i, word) {
            (0, "all") => chosen = Techniques::ALL,
            (0, "none") => chosen = Techniques::NONE,
            _ => {
                let (name, on) = match word.strip_prefix('-') {
                    Some(name) => (name, false),
                    None => (word, true),
                };
                let switch = chosen.switch(name).ok_or_else(|| {
                    let names = Techniques::NAMES.join(", ");
                    format!("write all, none or names of {names}, as in all,-killers")
                })?;
                *switch = on;
            }
        }
    }
    Ok(chosen)
}

pub(super) fn minutes(text: &str) -> Result<u16, Expected> {
    number(text, 1, 999, "a number of minutes").map(|n| n as u16)
}

pub(super) fn move_count(text: &str) -> Result<u16, Expected> {
    number(text, 1, 999, "a number of moves").map(|n| n as u16)
}

pub(super) fn role(text: &str) -> Result<Role, Expected> {
    match text {
        "initiator" => Ok(Role::Initiator),
        "follower" => Ok(Role::Follower),
        _ => Err("a role is initiator or follower".into()),
    }
}

pub(super) fn side(text: &str) -> Result<Side, Expected> {
    match text {
        "first" => Ok(Side::First),
        "second" => Ok(Side::Second),
        _ => Err("a side is first or second".into()),
    }
}

pub(super) fn bot(text: &str) -> Result<BotSpec, Expected> {
    text.parse().map_err(|e: TextError| e.why().to_owned().into())
}

/// A bot by the names that the text protocol has for it.
pub(super) fn text_bot(text: &str) -> Result<BotSpec, Expected> {
    bot(&protocols::text::bot_named(text))
}

pub(crate) fn contestant(text: &str) -> anyhow::Result<Contestant> {
    // As players of a single game are written.
    let text = text.strip_prefix(BOT).unwrap_or(text);
    if let Some(name) = text.strip_prefix(NAMED) {
        let file = files::engines().context("there is no home to find engines in")?;
        return Ok(Registry::load(&file)?.find(name)?.contestant()?);
    }
    text.parse().map_err(|e: TextError| anyhow!("{}", e.why()))
}

/// `ELO0,ELO1` and perhaps the chances of an error.
pub(super) fn sprt(text: &str) -> anyhow::Result<Sprt> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|n| n.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[elo0, elo1]) => Ok(Sprt::new(elo0, elo1, 0.05, 0.05, Scale::Logistic)?),
        Some(&[elo0, elo1, alpha, beta]) => {
            Ok(Sprt::new(elo0, elo1, alpha, beta, Scale::Logistic)?)
        }
        _ => bail!("ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA is right, as in 0,5"),
    }
}

pub(super) fn meeting_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 1000, "a number of meetings").map(|n| n as usize)
}

pub(super) fn limits(text: &str) -> Result<Limits, Expected> {
    BotSpec::read_limits(text)
}

pub(super) fn milliseconds(text: &str) -> Result<Duration, Expected> {
    number(text, 0, 60_000, "a time in milliseconds").map(Duration::from_millis)
}

/// Moves in a row, a score, and from which move on, which may be left out.
pub(super) fn agreement(text: &str) -> Result<Agreement, Expected> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|n| n.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[moves, score]) if moves > 0 => Ok(Agreement { moves, score: score as i32, from: 0 }),
        Some(&[moves, score, from]) if moves > 0 => {
            Ok(Agreement { moves, score: score as i32, from })
        }
        _ => Err("MOVES,SCORE or MOVES,SCORE,FROM is right, as in 4,600 or 8,10,40".into()),
    }
}

pub(super) fn protocol(text: &str) -> Result<Protocol, Expected> {
    text.parse().map_err(|e: TextError| e.why().to_owned().into())
}

pub(super) fn evaluation(text: &str) -> Result<play::WeightsChoice, Expected> {
    play::WeightsChoice::read(text)
}

pub(super) fn player(text: &str) -> anyhow::Result<Player> {
    match text.split_once(':') {
        None if text == "human" => Ok(Player::Human),
        None if text == "bot" => Ok(Player::Bot(BotSpec::at(Level::USUAL))),
        Some((name, _)) if name.parse::<Protocol>().is_ok() || text.starts_with(NAMED) => {
            contestant(text).map(|engine| Player::Engine(Box::new(engine)))
        }
        _ => bot(text.strip_prefix(BOT).unwrap_or(text)).map(Player::Bot).map_err(|why| {
            anyhow!("a player is human, a bot, PROTOCOL:COMMAND or engine:NAME, as in easy or uci:/usr/games/stockfish; {why}")
        }),
    }
}

/// `NAME=VALUE`.
pub(super) fn assignment(text: &str) -> Result<(String, String), Expected> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("NAME=VALUE is right, as in man.opening=105".into()),
    }
}

pub(super) fn step_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 100_000, "a number of steps").map(|n| n as usize)
}

pub(super) fn pull(text: &str) -> Result<f64, Expected> {
    let read = text.parse().ok().filter(|pull: &f64| (0.0..=1e9).contains(pull));
    read.ok_or("a number from 0 to 1000000000 is right".into())
}

pub(super) fn budget(text: &str) -> Result<u64, Expected> {
    number(text, 1, 1_000_000_000, "a number of games")
}
