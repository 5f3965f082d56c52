//! Numbers as people write them after a flag or in a bot's text: read within a range, or refused
//! in one line that says what would be right.

use std::time::Duration;

use game::Expected;

use crate::limits::Clock;

/// A number in plain digits within a range.
///
/// # Errors
/// Says what would be right.
pub fn number(text: &str, low: u64, high: u64, what: &str) -> Result<u64, Expected> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|n| is_plain && (low..=high).contains(n));
    number.ok_or_else(|| match high {
        u64::MAX => format!("{what} is a number from {low} up").into(),
        _ => format!("{what} is a number from {low} to {high}").into(),
    })
}

/// How many plies to search.
///
/// # Errors
/// Says what would be right.
pub fn depth(text: &str) -> Result<u32, Expected> {
    number(text, 1, 999, "a depth").map(|n| n as u32)
}

/// How many nodes to visit.
///
/// # Errors
/// Says what would be right.
pub fn node_count(text: &str) -> Result<u64, Expected> {
    number(text, 1, u64::MAX, "a node count")
}

/// How long to search. A clock cannot be set further ahead than it can count, hence the upper end.
///
/// # Errors
/// Says what would be right.
pub fn seconds(text: &str) -> Result<Duration, Expected> {
    const LONGEST: f64 = 1e9;
    let seconds = text.parse().ok().filter(|&s: &f64| s > 0.0 && s <= LONGEST);
    let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    // What is too little to measure is nothing.
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| format!("a time is a number of seconds above 0, at most {LONGEST}").into())
}

/// How many threads to search with.
///
/// # Errors
/// Says what would be right.
pub fn thread_count(text: &str) -> Result<usize, Expected> {
    number(text, 1, 256, "a number of threads").map(|n| n as usize)
}

/// How much memory to search with.
///
/// # Errors
/// Says what would be right.
pub fn hash_megabytes(text: &str) -> Result<usize, Expected> {
    number(text, 1, 65536, "a table size").map(|n| n as usize)
}

/// Seconds for the whole game and for each move, as in 60+0.5; or for so many moves, as in 40/60+0.5.
///
/// # Errors
/// Says what would be right.
pub fn clock(text: &str) -> Result<Clock, Expected> {
    let right = "a clock is seconds for the game plus seconds a move, as in 60+0.5 or 40/60";
    let wrong = |_| Expected::from(right);
    let (moves, text) = match text.split_once('/') {
        Some((moves, text)) => (Some(number(moves, 1, 1000, "moves").map_err(wrong)? as u32), text),
        None => (None, text),
    };
    let (left, increment) = text.split_once('+').unwrap_or((text, "0"));
    let increment = match increment {
        "0" => Duration::ZERO,
        increment => seconds(increment).map_err(wrong)?,
    };
    Ok(Clock { left: seconds(left).map_err(wrong)?, increment, moves })
}
