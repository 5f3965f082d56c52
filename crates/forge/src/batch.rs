//! Batches: many games in few lines.
//!
//! ```text
//!   # the width grows                       a comment
//!   gomoku                                  one game
//!   mnk:m=5..20,n=4,k=4                     sixteen games: ranges have both their ends
//!   mnk:m=10..50/10,n=m,k=5                 in steps of ten, and square
//!   mnk:8x8,k=5,win=more|exact              one after the other
//! ```
//!
//! Several ranges in one line give all combinations, the last one changing fastest. In line games `m` and `n` may be
//! given by name. A game that was there before is passed over.

use game::{Expected, TextError, shown};
use thiserror::Error;

/// The batch that generated engines were first measured with.
pub const THESIS: &str = include_str!("../batches/thesis.txt");

/// More than this from one line is a slip of the pen.
const MOST: usize = 10_000;

/// A line of a batch that stands for no games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {number}: {why}")]
pub struct BadLine {
    /// Which one, from 1.
    pub number: usize,
    /// What is wrong, and what would be right.
    pub why: LineError,
}

/// What is wrong with a line of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// A game that it stands for is none.
    #[error("game {0}")]
    Game(TextError),
    /// A range is none, or the line stands for far too many games.
    #[error(transparent)]
    Range(#[from] Expected),
}

/// The games of a batch, each by its own name.
///
/// # Errors
/// All lines that are wrong.
pub fn read_batch(text: &str) -> Result<Vec<String>, Vec<BadLine>> {
    let (mut games, mut bad): (Vec<String>, Vec<BadLine>) = Default::default();
    // Some editors begin files with a mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        match games_of(line) {
            Err(why) => bad.push(BadLine { number, why }),
            Ok(specs) => {
                for spec in specs {
                    if !games.contains(&spec) {
                        games.push(spec);
                    }
                }
            }
        }
    }
    if bad.is_empty() { Ok(games) } else { Err(bad) }
}

/// The games of one line, each by its own name.
fn games_of(line: &str) -> Result<Vec<String>, LineError> {
    if line.is_empty() {
        return Ok(Vec::new());
    }
    let open = |text: &String| catalog::open(text).map(|game| game.facts().spec.clone());
    let opened: Result<Vec<String>, TextError> = expand(line)?.iter().map(open).collect();
    opened.map_err(LineError::Game)
}

/// All games that one line stands for.
fn expand(line: &str) -> Result<Vec<String>, Expected> {
    let Some((family, arguments)) = line.split_once(':') else { return Ok(vec![line.to_owned()]) };
    let mut all: Vec<Vec<(&str, String)>> = vec![Vec::new()];
    for argument in arguments.split(',') {
        let (key, value) = argument.split_once('=').unwrap_or((argument, ""));
        let values = if value.is_empty() { vec![String::new()] } else { values(value)? };
        if all.len().saturating_mul(values.len()) > MOST {
            return Err(format!("{} would be more than {MOST} games", shown(line)).into());
        }
        all = all
            .into_iter()
            .flat_map(|before| {
                values.iter().map(move |value| {
                    let copied = before.iter().find(|(other, _)| other == value);
                    let value = copied.map_or(value, |(_, value)| value).clone();
                    [&before[..], &[(key.trim(), value)]].concat()
                })
            })
            .collect();
    }
    Ok(all.iter().map(|arguments| write(family, arguments)).collect())
}

/// `5`, `5..20`, `10..50/10`, `more|exact`.
fn values(text: &str) -> Result<Vec<String>, Expected> {
    let mut values = Vec::new();
    for part in text.split('|').map(str::trim) {
        let Some((low, rest)) = part.split_once("..") else {
            values.push(part.to_owned());
            continue;
        };
        let (high, step) = rest.split_once('/').unwrap_or((rest, "1"));
        let [low, high, step] = [low, high, step].map(|number| number.trim().parse::<usize>());
        let (Ok(low), Ok(high), Ok(step @ 1..)) = (low, high, step) else {
            return Err(format!("{part} is no range; 5..20 or 10..50/10 is right").into());
        };
        if low > high || (high - low) / step >= MOST {
            let why = format!("{part} is no range; it begins with the lower end, as in 5..20");
            return Err(why.into());
        }
        values.extend((low..=high).step_by(step).map(|number| number.to_string()));
    }
    Ok(values)
}

/// The usual name of a game, where m and n are one argument.
fn write(family: &str, arguments: &[(&str, String)]) -> String {
    let named = |key: &str| arguments.iter().find(|(other, _)| *other == key);
    let size = named("m").zip(named("n")).map(|((_, m), (_, n))| format!("{m}x{n}"));
    let others =
        arguments.iter().filter(|(key, _)| size.is_none() || !["m", "n"].contains(key)).map(
            |(key, value)| {
                if value.is_empty() { (*key).to_owned() } else { format!("{key}={value}") }
            },
        );
    let all: Vec<String> = size.iter().cloned().chain(others).collect();
    format!("{family}:{}", all.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_for_games() {
        let text = "# series\n\ngomoku # and one\nmnk:m=5..7,n=4,k=4\nmnk:15x15,k=5\nmnk:m=10..30/10,n=m,k=5,win=more|exact\n";
        let games = read_batch(text).unwrap();
        assert_eq!(
            games,
            [
                "mnk:15x15,k=5",
                "mnk:5x4,k=4",
                "mnk:6x4,k=4",
                "mnk:7x4,k=4",
                "mnk:10x10,k=5",
                "mnk:10x10,k=5,win=exact",
                "mnk:20x20,k=5",
                "mnk:20x20,k=5,win=exact",
                "mnk:30x30,k=5",
                "mnk:30x30,k=5,win=exact",
            ]
        );
        assert_eq!(read_batch("reversi:6x6\nconnect4").unwrap().len(), 2);
    }

    #[test]
    fn the_first_batch_has_its_164_engines() {
        assert_eq!(read_batch(THESIS).unwrap().len(), 164);
    }

    #[test]
    fn what_is_no_batch_is_refused_with_its_line() {
        for (text, line) in [
            ("gomoku\nnonsense", 2),
            ("mnk:m=5..,n=4,k=4", 1),
            ("\n\nmnk:m=9..5,n=4,k=4", 3),
            ("mnk:m=1..9/0,n=4,k=4", 1),
            ("mnk:m=1..250,n=1..250,k=3", 1),
            ("mnk:m=251,n=4,k=4", 1),
            ("mnk:5x5", 1),
            ("mnk:m=5,k=3", 1),
            ("mnk:m=1..99999999999,n=3,k=3", 1),
        ] {
            let bad = read_batch(text).expect_err(text);
            assert_eq!((bad.len(), bad[0].number), (1, line), "{text}: {bad:?}");
            assert!(!bad[0].to_string().contains('\n'));
        }
    }

    #[test]
    fn all_bad_lines_are_named() {
        let bad = read_batch("gomoku\nfoo\n\nmnk:5x5\nreversi\nbar").unwrap_err();
        assert_eq!(bad.iter().map(|bad| bad.number).collect::<Vec<_>>(), [2, 4, 6]);
    }

    #[test]
    fn a_mark_at_the_beginning_is_passed_over() {
        assert_eq!(read_batch("\u{feff}gomoku\r\nreversi\r\n").unwrap().len(), 2);
    }
}
