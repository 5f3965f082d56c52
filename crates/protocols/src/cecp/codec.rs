//! What CECP engines say.

use game::Value;

/// What an engine says to its front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// What it can, as `name=value`; whether the list ends here.
    Features(Vec<(String, String)>),
    /// The answer to a ping.
    Pong(String),
    /// The move the engine plays, in its own text.
    Move(String),
    /// It gives up.
    Resign,
    /// It thinks the game is over, or claims a draw.
    Claim,
    /// It did not take a move or a command.
    Refused(String),
    /// What it thinks: depth, score in hundredths of a pawn, and nodes.
    Thought {
        /// Plies.
        depth: u32,
        /// For the side to move.
        value: Value,
        /// So far.
        nodes: u64,
        /// The line, in the engine's own words.
        line: Vec<String>,
    },
}

impl Reply {
    /// Reads a line; `None` if it says nothing a front has to know.
    pub(crate) fn read(line: &str) -> Option<Reply> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let last = || rest.split_whitespace().last().map(str::to_owned);
        match first {
            "feature" => Some(Reply::Features(read_features(rest))),
            "pong" => Some(Reply::Pong(rest.trim().to_owned())),
            "move" => Some(Reply::Move(rest.split_whitespace().next()?.to_owned())),
            // Engines of the first version wrote "My move is: e2e4", or "1. ... e7e5".
            "My" if rest.starts_with("move is") => last().map(Reply::Move),
            _ if is_move_number(first) && rest.trim_start().starts_with("...") => {
                last().map(Reply::Move)
            }
            "resign" => Some(Reply::Resign),
            "1-0" | "0-1" if rest.contains("resign") => Some(Reply::Resign),
            "1-0" | "0-1" | "1/2-1/2" => Some(Reply::Claim),
            "offer" => None,
            "Illegal" | "Error" => Some(Reply::Refused(line.to_owned())),
            _ => read_thought(line),
        }
    }
}

fn is_move_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// `a=1 b="two words"`.
fn read_features(text: &str) -> Vec<(String, String)> {
    let mut features = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        features.push((name.trim().to_owned(), value.to_owned()));
        rest = left.trim_start();
    }
    features
}

/// `ply score time nodes line`.
fn read_thought(line: &str) -> Option<Reply> {
    /// From here on a score is a mate in so many moves.
    const MATE: i32 = 100_000;
    let mut words = line.split_whitespace();
    let depth = words.next()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let _time: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let value = match score.checked_abs().filter(|&size| size > MATE && size < MATE + 1000) {
        Some(size) => {
            let won = Value::won_in(2 * (size - MATE) as u32);
            if score > 0 { won } else { -won }
        }
        None => Value::score(score),
    };
    Some(Reply::Thought { depth, value, nodes, line: words.take(200).map(str::to_owned).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read() {
        let moved = |text: &str| Some(Reply::Move(text.to_owned()));
        assert_eq!(Reply::read("move e2e4"), moved("e2e4"));
        assert_eq!(Reply::read("My move is: e2e4"), moved("e2e4"));
        assert_eq!(Reply::read("1. ... e7e5"), moved("e7e5"));
        assert_eq!(Reply::read("pong 3"), Some(Reply::Pong("3".to_owned())));
        assert_eq!(Reply::read("0-1 {White resigns}"), Some(Reply::Resign));
        assert_eq!(Reply::read("1/2-1/2 {Draw by repetition}"), Some(Reply::Claim));
        assert_eq!(Reply::read("# anything"), None);
        assert_eq!(Reply::read(""), None);
        let features = [("ping", "1"), ("myname", "An engine 2"), ("done", "1")];
        let features = features.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let read = Reply::read("feature ping=1 myname=\"An engine 2\" done=1");
        assert_eq!(read, Some(Reply::Features(features.to_vec())));
        let line = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        let value = Value::score(156);
        let thought = Reply::Thought { depth: 9, value, nodes: 48299, line };
        assert_eq!(Reply::read("9 156 1084 48299 e2e4 e7e5"), Some(thought));
    }
}
