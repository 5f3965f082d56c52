//! The lines of NBoard, both ways, as plain functions.

use game::{Meaning, Side, Value};

use crate::ggf::write_square;

/// How many units of a score make a disc.
const SCORE_UNITS: f64 = 32.0;
/// No game of this protocol is won by more.
const MOST_DISCS: f64 = 64.0;

/// What a front says to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// This protocol is spoken, in this version.
    Hello(u32),
    /// How deep to search.
    Depth(u32),
    /// A whole game, in GGF.
    Game(String),
    /// The game goes on with this move.
    Move(String),
    /// What are the best moves?
    Hint(usize),
    /// What would you play?
    Go,
    /// Stop thinking, and say this.
    Ping(String),
    /// Remember this game.
    Learn,
    /// What was each position of this game worth?
    Analyze,
    /// Goodbye.
    Quit,
}

impl Command {
    /// Reads a line; `None` if it says nothing that is known, upon which the protocol asks to ignore all of it.
    #[must_use]
    pub fn read(line: &str) -> Option<Command> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match first {
            "nboard" => Some(Command::Hello(rest.parse().ok()?)),
            "set" => {
                let (what, value) = rest.split_once(char::is_whitespace)?;
                match what {
                    "depth" => {
                        let depth: u32 = value.trim().parse().ok()?;
                        Some(Command::Depth(depth.clamp(1, 60)))
                    }
                    "game" => Some(Command::Game(value.trim().to_owned())),
                    _ => None,
                }
            }
            "move" => read_move(rest).map(Command::Move),
            "hint" => Some(Command::Hint(rest.parse().map_or(1, |n: usize| n.clamp(1, 60)))),
            "go" => Some(Command::Go),
            "ping" => Some(Command::Ping(rest.split_whitespace().next()?.to_owned())),
            "learn" => Some(Command::Learn),
            "analyze" => Some(Command::Analyze),
            "quit" => Some(Command::Quit),
            // Version 1.1 of the front said nothing but the move.
            _ if is_square(line) => Some(Command::Move(line.to_owned())),
            _ => None,
        }
    }
}

/// `F5/1.2/3`: only the move matters here.
fn read_move(text: &str) -> Option<String> {
    let end = |c: char| c == '/' || c.is_whitespace();
    let text = text.split(end).next().filter(|text| !text.is_empty())?;
    Some(text.to_owned())
}

/// `F5`, or a pass.
fn is_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = bytes.len() == 2 && bytes[0].is_ascii_alphabetic() && bytes[1].is_ascii_digit();
    square || ["pa", "pass"].iter().any(|pass| text.eq_ignore_ascii_case(pass))
}

/// What an engine says to its front.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// What it plays.
    Move {
        /// A square or `PA`.
        text: String,
        /// In discs, for the side to move.
        value: Option<f64>,
    },
    /// The answer to a ping.
    Pong(String),
    /// Its name.
    Name(String),
    /// What it thinks.
    Search {
        /// Moves that both sides would play.
        line: Vec<String>,
        /// In discs, for the side to move.
        value: f64,
        /// How deep it was searched; `None` for to the end.
        depth: Option<u32>,
    },
    /// How many positions it has visited.
    Nodes(u64),
}

impl Reply {
    /// Reads a line; `None` if it says nothing a front has to know.
    #[must_use]
    pub fn read(line: &str) -> Option<Reply> {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("===") {
            let mut parts = rest.trim().split(|c: char| c == '/' || c.is_whitespace());
            let text = parts.next().filter(|text| !text.is_empty())?.to_owned();
            return Some(Reply::Move { text, value: parts.next().and_then(read_number) });
        }
        let (first, rest) = line.split_once(char::is_whitespace)?;
        let rest = rest.trim();
        match first {
            "pong" => Some(Reply::Pong(rest.split_whitespace().next()?.to_owned())),
            "set" => Some(Reply::Name(rest.strip_prefix("myname")?.trim().to_owned())),
            "nodestats" => {
                let nodes = read_number(rest.split_whitespace().next()?)?;
                Some(Reply::Nodes(nodes.clamp(0.0, 1e18) as u64))
            }
            "search" | "book" => read_search(rest),
            _ => None,
        }
    }
}

/// `F5d6 1.25 0 12`: line, value, a zero, depth.
fn read_search(text: &str) -> Option<Reply> {
    let mut words = text.split_whitespace();
    let line = split_line(words.next()?);
    // A pair is what a draw is worth to either side.
    let value = words.next()?.trim_start_matches('(').split(',').next().and_then(read_number)?;
    let depth = words.nth(1).filter(|depth| !depth.ends_with('%'));
    Some(Reply::Search { line, value, depth: depth.and_then(|depth| depth.parse().ok()) })
}

fn read_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

/// `F5d6C3` and `F5-D6-C3`.
fn split_line(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().filter(char::is_ascii_alphanumeric).take(256).collect();
    letters.chunks_exact(2).map(|pair| pair.iter().collect()).collect()
}

/// Moves as the protocol writes them, without anything between them.
#[must_use]
pub fn write_line(moves: &[String]) -> String {
    moves.iter().map(|m| write_square(m)).collect()
}

/// A value for the first player in discs for a side.
#[must_use]
pub fn write_discs(value: Value, side: Side) -> f64 {
    match value.seen_by(side).meaning() {
        Meaning::WonIn(_) => MOST_DISCS,
        Meaning::LostIn(_) => -MOST_DISCS,
        Meaning::Margin(discs) => f64::from(discs),
        Meaning::Score(score) => (f64::from(score) / SCORE_UNITS).clamp(-MOST_DISCS, MOST_DISCS),
    }
}

/// Discs for a side as a value for the first player.
#[must_use]
pub fn read_discs(discs: f64, side: Side) -> Value {
    let discs = discs.clamp(-MOST_DISCS, MOST_DISCS);
    Value::score((discs * SCORE_UNITS).round() as i32).seen_by(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let moved = |text: &str| Some(Command::Move(text.to_owned()));
        for (line, command) in [
            ("nboard 2", Some(Command::Hello(2))),
            ("set depth 12", Some(Command::Depth(12))),
            ("set depth 0", Some(Command::Depth(1))),
            ("set depth x", None),
            ("set contempt 0.5", None),
            ("set game (;GM[Othello];)", Some(Command::Game("(;GM[Othello];)".to_owned()))),
            ("move F5/1.0/2", moved("F5")),
            ("move PA", moved("PA")),
            ("move", None),
            ("f5", moved("f5")),
            ("hint 3", Some(Command::Hint(3))),
            ("hint", Some(Command::Hint(1))),
            ("go", Some(Command::Go)),
            ("ping 7", Some(Command::Ping("7".to_owned()))),
            ("ping", None),
            ("learn", Some(Command::Learn)),
            ("analyze", Some(Command::Analyze)),
            ("quit", Some(Command::Quit)),
            ("whatever", None),
            ("", None),
        ] {
            assert_eq!(Command::read(line), command, "{line}");
        }
    }

    #[test]
    fn replies_are_read() {
        let moved = |text: &str, value| Some(Reply::Move { text: text.to_owned(), value });
        assert_eq!(Reply::read("=== F5/1.50/0.2"), moved("F5", Some(1.5)));
        assert_eq!(Reply::read("=== d6 -1.00 0.0"), moved("d6", Some(-1.0)));
        assert_eq!(Reply::read("===PA"), moved("PA", None));
        assert_eq!(Reply::read("==="), None);
        assert_eq!(Reply::read("pong 4"), Some(Reply::Pong("4".to_owned())));
        assert_eq!(Reply::read("set myname a b"), Some(Reply::Name("a b".to_owned())));
        assert_eq!(Reply::read("nodestats 1e3 0.1"), Some(Reply::Nodes(1000)));
        assert_eq!(Reply::read("status anything"), None);
        let line = ["F5", "d6", "PA"].map(str::to_owned).to_vec();
        let search = Reply::Search { line: line.clone(), value: -2.5, depth: Some(12) };
        assert_eq!(Reply::read("search F5d6PA -2.5 0 12 and more"), Some(search.clone()));
        assert_eq!(Reply::read("search F5-d6-PA (-2.5,0) 0 12"), Some(search));
        let book = Reply::Search { line, value: 0.0, depth: None };
        assert_eq!(Reply::read("book F5d6PA 0 17 100%"), Some(book));
        assert_eq!(Reply::read("search F5"), None);
    }

    #[test]
    fn discs_round_trip() {
        for side in [Side::First, Side::Second] {
            for discs in [-64.0, -1.5, 0.0, 0.25, 10.0] {
                assert!((write_discs(read_discs(discs, side), side) - discs).abs() < 1e-9);
            }
            assert!((write_discs(Value::over(12, 64), side)).abs() > 11.9);
        }
        assert_eq!(write_line(&["f5".to_owned(), "pass".to_owned()]), "F5PA");
    }
}
