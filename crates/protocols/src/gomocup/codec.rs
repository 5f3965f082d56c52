//! The lines of the Gomocup protocol, both ways, as plain functions. Points are counted from 0, the top left being `0,0`.

use crate::line_game::Point;

/// What a manager says to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty board of this size.
    Start {
        /// Its width.
        columns: usize,
        /// Its height.
        rows: usize,
    },
    /// An empty board of the same size.
    Restart,
    /// Make the first move.
    Begin,
    /// The other side's move; answer it.
    Turn(Point),
    /// Stones follow.
    Board,
    /// Stones of an opening follow.
    Swap2Board,
    /// A stone, after [`Board`](Command::Board) with whose it is.
    Stone(Point, Option<u32>),
    /// No more stones follow.
    Done,
    /// A limit or a rule.
    Info {
        /// Which one, in small letters.
        key: String,
        /// What it is.
        value: String,
    },
    /// The last move never happened.
    TakeBack(Point),
    /// Who are you?
    About,
    /// Enough thought; a word of the Yixin extension, which managers without a window use.
    Stop,
    /// Goodbye.
    End,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Nobody knows it.
    Unknown(String),
    /// It is known, and what follows is not right.
    Bad(String),
}

impl Command {
    /// Reads a line; `None` if there is nothing in it.
    ///
    /// # Errors
    /// If it is unknown, or what follows it is not right.
    pub fn read(line: &str) -> Result<Option<Command>, Wrong> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let bad = |right: &str| Wrong::Bad(format!("{} is written {right}", first.to_uppercase()));
        Ok(Some(match &*first.to_ascii_uppercase() {
            "" => return Ok(None),
            "START" => {
                let size = rest.parse().map_err(|_| bad("START SIZE, as in START 15"))?;
                Command::Start { columns: size, rows: size }
            }
            "RECTSTART" => {
                let size = read_point(rest);
                let Point { x: columns, y: rows } =
                    size.ok_or_else(|| bad("RECTSTART WIDTH,HEIGHT"))?;
                Command::Start { columns, rows }
            }
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => Command::Turn(read_point(rest).ok_or_else(|| bad("TURN X,Y"))?),
            "BOARD" => Command::Board,
            "SWAP2BOARD" => Command::Swap2Board,
            "DONE" => Command::Done,
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Command::Info { key: key.to_ascii_lowercase(), value: value.trim().to_owned() }
            }
            "TAKEBACK" => Command::TakeBack(read_point(rest).ok_or_else(|| bad("TAKEBACK X,Y"))?),
            "ABOUT" => Command::About,
            "YXSTOP" => Command::Stop,
            "END" => Command::End,
            _ => return read_stone(line).map(Some),
        }))
    }

    /// As a manager writes it.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Command::Start { columns, rows } if columns == rows => format!("START {columns}"),
            Command::Start { columns, rows } => format!("RECTSTART {columns},{rows}"),
            Command::Restart => "RESTART".to_owned(),
            Command::Begin => "BEGIN".to_owned(),
            Command::Turn(point) => format!("TURN {}", write_point(*point)),
            Command::Board => "BOARD".to_owned(),
            Command::Swap2Board => "SWAP2BOARD".to_owned(),
            Command::Stone(point, Some(whose)) => format!("{},{whose}", write_point(*point)),
            Command::Stone(point, None) => write_point(*point),
            Command::Done => "DONE".to_owned(),
            Command::Info { key, value } => format!("INFO {key} {value}"),
            Command::TakeBack(point) => format!("TAKEBACK {}", write_point(*point)),
            Command::About => "ABOUT".to_owned(),
            Command::Stop => "YXSTOP".to_owned(),
            Command::End => "END".to_owned(),
        }
    }
}

/// `x,y` or `x,y,whose`.
fn read_stone(line: &str) -> Result<Command, Wrong> {
    let numbers = read_numbers(line);
    match numbers.as_deref() {
        Some(&[x, y]) => Ok(Command::Stone(Point { x, y }, None)),
        Some(&[x, y, whose]) => Ok(Command::Stone(Point { x, y }, u32::try_from(whose).ok())),
        _ => Err(Wrong::Unknown("command".to_owned())),
    }
}

fn read_point(text: &str) -> Option<Point> {
    match *read_numbers(text)? {
        [x, y] => Some(Point { x, y }),
        _ => None,
    }
}

fn read_numbers(text: &str) -> Option<Vec<usize>> {
    let number = |part: &str| {
        let part = part.trim();
        let plain = part.bytes().all(|b| b.is_ascii_digit());
        part.parse().ok().filter(|_| plain)
    };
    // Three is the most that anything has.
    text.split(',').take(4).map(number).collect()
}

/// A point as this protocol writes it.
#[must_use]
pub(super) fn write_point(point: Point) -> String {
    format!("{},{}", point.x, point.y)
}

/// What an engine says to its manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It has done so.
    Ok,
    /// It cannot do that.
    Error(String),
    /// It does not know that.
    Unknown(String),
    /// For whoever looks on.
    Message(String),
    /// It would like to move there, and waits.
    Suggest(Point),
    /// It takes the other colour.
    Swap,
    /// Its move; or the stones of an opening.
    Stones(Vec<Point>),
    /// Who it is: names and values.
    About(Vec<(String, String)>),
}

impl Reply {
    /// Reads a line; `None` if it says nothing a manager has to know.
    #[must_use]
    pub fn read(line: &str) -> Option<Reply> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = || rest.trim().to_owned();
        match &*first.to_ascii_uppercase() {
            "OK" => Some(Reply::Ok),
            "ERROR" => Some(Reply::Error(rest())),
            "UNKNOWN" => Some(Reply::Unknown(rest())),
            "MESSAGE" | "DEBUG" => Some(Reply::Message(rest())),
            "SUGGEST" => read_point(&rest()).map(Reply::Suggest),
            "SWAP" => Some(Reply::Swap),
            _ if line.contains('=') => Some(Reply::About(read_about(line))),
            "" => None,
            _ => read_stones(line).map(Reply::Stones),
        }
    }

    /// As an engine writes it.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Reply::Ok => "OK".to_owned(),
            Reply::Error(why) => format!("ERROR {why}"),
            Reply::Unknown(why) => format!("UNKNOWN {why}"),
            Reply::Message(text) => format!("MESSAGE {text}"),
            Reply::Suggest(point) => format!("SUGGEST {}", write_point(*point)),
            Reply::Swap => "SWAP".to_owned(),
            Reply::Stones(points) => {
                points.iter().copied().map(write_point).collect::<Vec<_>>().join(" ")
            }
            Reply::About(pairs) => {
                let pairs = pairs.iter().map(|(name, value)| format!("{name}=\"{value}\""));
                pairs.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// `7,7 8,7`; some engines put blanks around the comma of a single move.
fn read_stones(line: &str) -> Option<Vec<Point>> {
    if let Some(point) = read_point(line) {
        return Some(vec![point]);
    }
    // An opening has three stones at most.
    line.split_whitespace().take(4).map(read_point).collect()
}

/// `name="A brain", version="1"`.
fn read_about(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(',').unwrap_or((after, "")),
        };
        let name = name.trim_matches(|c: char| c == ',' || c.is_whitespace());
        pairs.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        rest = left;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: Point = Point { x: 10, y: 3 };

    #[test]
    fn commands_round_trip() {
        let info = |key: &str, value: &str| Command::Info { key: key.into(), value: value.into() };
        for (line, command) in [
            ("START 20", Command::Start { columns: 20, rows: 20 }),
            ("RECTSTART 30,20", Command::Start { columns: 30, rows: 20 }),
            ("RESTART", Command::Restart),
            ("BEGIN", Command::Begin),
            ("TURN 10,3", Command::Turn(POINT)),
            ("BOARD", Command::Board),
            ("SWAP2BOARD", Command::Swap2Board),
            ("10,3,2", Command::Stone(POINT, Some(2))),
            ("10,3", Command::Stone(POINT, None)),
            ("DONE", Command::Done),
            ("INFO timeout_turn 5000", info("timeout_turn", "5000")),
            ("INFO folder C:\\two words", info("folder", "C:\\two words")),
            ("TAKEBACK 10,3", Command::TakeBack(POINT)),
            ("ABOUT", Command::About),
            ("YXSTOP", Command::Stop),
            ("END", Command::End),
        ] {
            assert_eq!(Command::read(line), Ok(Some(command.clone())), "{line}");
            assert_eq!(command.write(), line);
        }
        assert_eq!(Command::read("  turn 10 , 3 \r"), Ok(Some(Command::Turn(POINT))));
        assert_eq!(Command::read(" "), Ok(None));
    }

    #[test]
    fn wrong_lines_are_told_apart() {
        for line in
            ["START", "START -1", "START 1x1", "RECTSTART 3", "TURN", "TURN 1,2,3", "TAKEBACK a,b"]
        {
            assert!(matches!(Command::read(line), Err(Wrong::Bad(_))), "{line}");
        }
        for line in ["HELLO", "1", "1,2,3,4", "-1,2", "1,,2", "99999999999999999999999,1"] {
            assert!(matches!(Command::read(line), Err(Wrong::Unknown(_))), "{line}");
        }
    }

    #[test]
    fn replies_round_trip() {
        let text = "why it is so".to_owned();
        for (line, reply) in [
            ("OK", Reply::Ok),
            ("ERROR why it is so", Reply::Error(text.clone())),
            ("UNKNOWN why it is so", Reply::Unknown(text.clone())),
            ("MESSAGE why it is so", Reply::Message(text)),
            ("SUGGEST 10,3", Reply::Suggest(POINT)),
            ("SWAP", Reply::Swap),
            ("10,3", Reply::Stones(vec![POINT])),
            ("10,3 0,0 10,3", Reply::Stones(vec![POINT, Point { x: 0, y: 0 }, POINT])),
            (
                "name=\"A, B\", version=\"1.0\"",
                Reply::About(vec![
                    ("name".into(), "A, B".into()),
                    ("version".into(), "1.0".into()),
                ]),
            ),
        ] {
            assert_eq!(Reply::read(line), Some(reply.clone()), "{line}");
            assert_eq!(reply.write(), line);
        }
        assert_eq!(Reply::read("ok - everything is good"), Some(Reply::Ok));
        assert_eq!(Reply::read("10 , 3"), Some(Reply::Stones(vec![POINT])));
        for line in ["", "hello", "1", "1,2 hello", "SUGGEST", "nan,1"] {
            assert_eq!(Reply::read(line), None, "{line}");
        }
    }
}
