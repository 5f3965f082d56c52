//! What fronts say in the text protocol, as plain functions. Points are counted from 1 here, the top left being `1 1`.

use std::time::Duration;

use game::Side;
use play::{Clock, Limits};

use crate::clock::limit;
use crate::line_game::Point;

/// Nobody needs more to know how fast an engine is.
const MOST_GAMES: usize = 100_000;

/// All commands, for a person who asks.
pub(crate) const HELP: &[&str] = &[
    "newgame [COLOUR WHO [COLOUR WHO]]  begin a game; COLOUR is black or white, WHO is ai or human;",
    "                                   newgame alone: you are Black, the engine is White",
    "makemove X Y                       place your stone: column X from the left, row Y from the top",
    "printboard                         the board: X is Black, O is White",
    "getmoves, getplayer                the legal moves; whose stone is next",
    "movesleft, movesmade               stones left in this turn; stones on the board",
    "setai NAME                         another player: beginner, easy, medium, hard, master,",
    "                                   random, adjacent, threats, alphabeta, montecarlo, or",
    "                                   limits as in time=5 or depth=6",
    "info, game                         the numbers of the game; all of its rules",
    "perf [GAMES]                       how long things take",
    "position start [moves X Y ...]     another position; BOARD TURN instead of start for any",
    "go [time MS] [depth N] [nodes N]   which stone the engine would place",
    "time MS, depth N, nodes N          limits from now on; time 0 for none",
    "think on, think off, halt          tell thoughts or not; end the thought under way",
    "isready, mnk 2                     are you there; which version is spoken",
    "help                               this list",
    "quit, exit, stop                   goodbye",
];

/// Who places the stones of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The front.
    Human,
    /// The engine.
    Ai,
}

/// What a front says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A game begins, with these for Black and White.
    NewGame([Seat; 2]),
    /// Show the board.
    PrintBoard,
    /// Which moves are there?
    GetMoves,
    /// Who is next?
    GetPlayer,
    /// How many stones are left in this turn?
    MovesLeft,
    /// How many stones are on the board?
    MovesMade,
    /// The front's stone.
    MakeMove(Point),
    /// How fast are you, over so many games if that matters?
    Perf(Option<usize>),
    /// Are you there?
    IsReady,
    /// Which game is this?
    Info,
    /// What may be said?
    Help,
    /// Goodbye.
    Quit,
    /// Another player.
    SetAi(String),
    /// Which version do you speak? The front speaks this one.
    Hello(u32),
    /// Which game exactly; or another one.
    Game(Option<String>),
    /// A position, and the stones placed after it.
    Position {
        /// As the game writes it; `None` for the empty board.
        start: Option<String>,
        /// From there.
        moves: Vec<Point>,
    },
    /// Which stone would you place?
    Go(GoCommand),
    /// Limits for all thoughts from now on.
    Limit(Limits),
    /// Whether thoughts are to be told.
    Think(bool),
    /// Enough thought.
    Halt,
}

/// How to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// Until when; what was set before if nothing is.
    pub limits: Limits,
    /// Which points to choose among; all if there are none.
    pub among: Vec<Point>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Nobody knows it.
    Unknown,
    /// A move that is none.
    Move,
    /// What would be right, for commands of the second version.
    Text(String),
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
        let words: Vec<&str> = rest.split_whitespace().collect();
        let text = |right: &str| Wrong::Text(format!("{first} is written {right}"));
        Ok(Some(match &*first.to_ascii_lowercase() {
            "" => return Ok(None),
            "newgame" => Command::NewGame(read_seats(&words).ok_or(Wrong::Unknown)?),
            "printboard" => Command::PrintBoard,
            "getmoves" => Command::GetMoves,
            "getplayer" => Command::GetPlayer,
            "movesleft" => Command::MovesLeft,
            "movesmade" => Command::MovesMade,
            "makemove" => Command::MakeMove(read_one_point(&words).ok_or(Wrong::Move)?),
            "perf" if rest.is_empty() => Command::Perf(None),
            "perf" => {
                let games = rest.parse().ok().filter(|games| (1..=MOST_GAMES).contains(games));
                Command::Perf(Some(games.ok_or_else(|| text("perf [GAMES]"))?))
            }
            "isready" => Command::IsReady,
            "info" => Command::Info,
            "help" | "--help" | "?" => Command::Help,
            "quit" | "exit" | "stop" => Command::Quit,
            "setai" if !rest.is_empty() => Command::SetAi(rest.to_owned()),
            "setai" => return Err(text("setai NAME")),
            "mnk" => Command::Hello(rest.parse().map_err(|_| text("mnk VERSION"))?),
            "game" => Command::Game((!rest.is_empty()).then(|| rest.to_owned())),
            "position" => {
                read_position(&words).ok_or_else(|| text("position start|TEXT [moves X Y …]"))?
            }
            "go" => {
                let go = read_go(&words);
                let right =
                    "go [time MS] [clock MS [MS [MOVES]]] [depth N] [nodes N] [among X Y …]";
                Command::Go(go.ok_or_else(|| text(right))?)
            }
            "time" | "clock" | "depth" | "nodes" => {
                let all: Vec<&str> = [first].into_iter().chain(words).collect();
                let go = read_go(&all).filter(|go| go.among.is_empty());
                let right = format!("{first} NUMBER");
                Command::Limit(go.ok_or_else(|| text(&right))?.limits)
            }
            "think" => match rest {
                "on" => Command::Think(true),
                "off" => Command::Think(false),
                _ => return Err(text("think on|off")),
            },
            "halt" => Command::Halt,
            _ => return Err(Wrong::Unknown),
        }))
    }

    /// As a front writes it.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Command::NewGame([black, white]) => {
                format!("newgame black {} white {}", seat_name(*black), seat_name(*white))
            }
            Command::PrintBoard => "printboard".to_owned(),
            Command::GetMoves => "getmoves".to_owned(),
            Command::GetPlayer => "getplayer".to_owned(),
            Command::MovesLeft => "movesleft".to_owned(),
            Command::MovesMade => "movesmade".to_owned(),
            Command::MakeMove(point) => format!("makemove {}", write_point(*point)),
            Command::Perf(None) => "perf".to_owned(),
            Command::Perf(Some(games)) => format!("perf {games}"),
            Command::IsReady => "isready".to_owned(),
            Command::Info => "info".to_owned(),
            Command::Help => "help".to_owned(),
            Command::Quit => "quit".to_owned(),
            Command::SetAi(name) => format!("setai {name}"),
            Command::Hello(version) => format!("mnk {version}"),
            Command::Game(None) => "game".to_owned(),
            Command::Game(Some(text)) => format!("game {text}"),
            Command::Position { start, moves } => {
                let start = start.as_deref().unwrap_or("start");
                format!("position {start}{}", listed(" moves", moves))
            }
            Command::Go(GoCommand { limits, among }) => {
                format!("go{}{}", write_limits(limits), listed(" among", among))
            }
            Command::Limit(limits) => write_limits(limits).trim_start().to_owned(),
            Command::Think(on) => format!("think {}", if *on { "on" } else { "off" }),
            Command::Halt => "halt".to_owned(),
        }
    }
}

pub(super) fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::Human => "human",
        Seat::Ai => "ai",
    }
}

/// The colour of a side.
pub(super) fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

pub(super) fn read_colour(word: &str) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|&side| word.eq_ignore_ascii_case(colour(side)))
}

/// `white ai black human`. If only one colour is named, the other one is of the other kind; if none is, a human plays Black.
fn read_seats(words: &[&str]) -> Option<[Seat; 2]> {
    let pair = |colour: &str, seat: &str| {
        let seats = [Seat::Human, Seat::Ai];
        let seat = seats.into_iter().find(|&s| seat.eq_ignore_ascii_case(seat_name(s)))?;
        Some((read_colour(colour)?, seat))
    };
    let other = |seat| if seat == Seat::Ai { Seat::Human } else { Seat::Ai };
    let mut seats = [Seat::Human, Seat::Ai];
    match *words {
        [] => {}
        [colour, seat] => {
            let (side, seat) = pair(colour, seat)?;
            seats[side.index()] = seat;
            seats[side.other().index()] = other(seat);
        }
        [colour, seat, other_colour, other_seat] => {
            let ((side, seat), (other_side, other_seat)) =
                (pair(colour, seat)?, pair(other_colour, other_seat)?);
            if side == other_side {
                return None;
            }
            seats[side.index()] = seat;
            seats[other_side.index()] = other_seat;
        }
        _ => return None,
    }
    Some(seats)
}

/// A point as this protocol writes it.
pub(super) fn write_point(point: Point) -> String {
    format!("{} {}", point.x + 1, point.y + 1)
}

fn read_one_point(words: &[&str]) -> Option<Point> {
    match *words {
        [x, y] => read_point(x, y),
        _ => None,
    }
}

pub(super) fn read_point(x: &str, y: &str) -> Option<Point> {
    let number = |word: &str| {
        let plain = word.bytes().all(|b| b.is_ascii_digit());
        word.parse::<usize>().ok().filter(|_| plain)?.checked_sub(1)
    };
    Some(Point { x: number(x)?, y: number(y)? })
}

/// Pairs of numbers; brackets around them are passed over.
pub(super) fn read_points(words: &[&str]) -> Option<Vec<Point>> {
    let plain = |word: &&str| word.trim_matches(['(', ')', ',']).to_owned();
    let numbers: Vec<String> = words.iter().map(plain).filter(|word| !word.is_empty()).collect();
    let pairs = numbers.chunks(2).map(|pair| match pair {
        [x, y] => read_point(x, y),
        _ => None,
    });
    pairs.collect()
}

/// ` moves 1 2 3 4`, or nothing.
fn listed(word: &str, points: &[Point]) -> String {
    let mut text = String::new();
    for &point in points {
        text += if text.is_empty() { word } else { "" };
        text += " ";
        text += &write_point(point);
    }
    text
}

fn read_position(words: &[&str]) -> Option<Command> {
    let cut = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (text, moves) = words.split_at(cut);
    let moves = read_points(moves.get(1..).unwrap_or_default())?;
    match text {
        [] => None,
        ["start"] => Some(Command::Position { start: None, moves }),
        text => Some(Command::Position { start: Some(text.join(" ")), moves }),
    }
}

/// Limits, and points to choose among; a limit of 0 is none.
fn read_go(words: &[&str]) -> Option<GoCommand> {
    let mut go = GoCommand::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let mut number = || {
            let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
            words.next_if(is_number)?.parse::<u64>().ok()
        };
        let some = |n: u64| Some(n).filter(|&n| n > 0);
        let millis = Duration::from_millis;
        match &*word.to_ascii_lowercase() {
            "time" => go.limits.time = some(number()?).map(millis).and_then(limit),
            "depth" => {
                let depth = some(number()?);
                go.limits.depth = depth.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            }
            "nodes" => go.limits.nodes = some(number()?),
            "clock" => {
                let left = millis(number()?);
                let increment = millis(number().unwrap_or(0));
                let moves = number().and_then(some);
                let moves = moves.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
                go.limits.clock = limit(left).map(|left| Clock { left, increment, moves });
            }
            "among" => {
                let rest: Vec<&str> = words.by_ref().collect();
                go.among = read_points(&rest)?;
            }
            _ => return None,
        }
    }
    Some(go)
}

fn write_limits(limits: &Limits) -> String {
    let mut text = String::new();
    if let Some(time) = limits.time {
        // Less than the least is not none.
        text += &format!(" time {}", time.as_millis().max(1));
    }
    if let Some(Clock { left, increment, moves }) = limits.clock {
        text += &format!(" clock {} {}", left.as_millis(), increment.as_millis());
        text += &moves.map(|moves| format!(" {moves}")).unwrap_or_default();
    }
    text += &limits.depth.map(|depth| format!(" depth {depth}")).unwrap_or_default();
    text += &limits.nodes.map(|nodes| format!(" nodes {nodes}")).unwrap_or_default();
    text
}

/// The bot that a name after `setai` means. In this protocol `alphabeta` has always been an engine's usual search,
/// which bots call `playing`; every other name is a bot's own.
#[must_use]
pub fn bot_named(name: &str) -> String {
    let part = |part: &'_ str| if part == "alphabeta" { "playing" } else { part }.to_owned();
    name.split(',').map(part).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabeta_is_the_usual_search_here() {
        assert_eq!(bot_named("alphabeta"), "playing");
        assert_eq!(bot_named("alphabeta,time=1"), "playing,time=1");
        for name in ["montecarlo", "threats", "algorithm=alphabeta", "hard,time=1", ""] {
            assert_eq!(bot_named(name), name);
        }
    }

    const POINT: Point = Point { x: 2, y: 0 };

    #[test]
    fn commands_round_trip() {
        use Seat::{Ai, Human};
        let ms = Duration::from_millis;
        let clock = Clock { left: ms(60_000), increment: ms(500), moves: Some(20) };
        let time = Limits { time: Some(ms(250)), ..Limits::default() };
        let all = Limits { clock: Some(clock), depth: Some(7), nodes: Some(1000), ..time };
        let board = "x.../..../.... o2".to_owned();
        for (line, command) in [
            ("newgame black human white ai", Command::NewGame([Human, Ai])),
            ("printboard", Command::PrintBoard),
            ("getmoves", Command::GetMoves),
            ("getplayer", Command::GetPlayer),
            ("movesleft", Command::MovesLeft),
            ("movesmade", Command::MovesMade),
            ("makemove 3 1", Command::MakeMove(POINT)),
            ("perf", Command::Perf(None)),
            ("perf 1000", Command::Perf(Some(1000))),
            ("isready", Command::IsReady),
            ("info", Command::Info),
            ("help", Command::Help),
            ("quit", Command::Quit),
            ("setai hard,threads=2", Command::SetAi("hard,threads=2".to_owned())),
            ("mnk 2", Command::Hello(2)),
            ("game", Command::Game(None)),
            ("game 3x3,k=3", Command::Game(Some("3x3,k=3".to_owned()))),
            ("position start", Command::Position { start: None, moves: vec![] }),
            (
                "position x.../..../.... o2 moves 3 1 3 1",
                Command::Position { start: Some(board), moves: vec![POINT, POINT] },
            ),
            ("go", Command::Go(GoCommand::default())),
            (
                "go time 250 clock 60000 500 20 depth 7 nodes 1000 among 3 1",
                Command::Go(GoCommand { limits: all, among: vec![POINT] }),
            ),
            ("time 250", Command::Limit(time)),
            ("think on", Command::Think(true)),
            ("halt", Command::Halt),
        ] {
            assert_eq!(Command::read(line), Ok(Some(command.clone())), "{line}");
            assert_eq!(command.write(), line);
        }
    }

    #[test]
    fn seats_may_be_left_out() {
        use Seat::{Ai, Human};
        for (line, seats) in [
            ("newgame", [Human, Ai]),
            ("newgame white ai black human", [Human, Ai]),
            ("NewGame White Human", [Ai, Human]),
            ("newgame black ai", [Ai, Human]),
            ("newgame white ai  black ai", [Ai, Ai]),
        ] {
            assert_eq!(Command::read(line), Ok(Some(Command::NewGame(seats))), "{line}");
        }
        for line in
            ["newgame black", "newgame red ai", "newgame black ai black ai", "newgame 1 2 3 4 5"]
        {
            assert_eq!(Command::read(line), Err(Wrong::Unknown), "{line}");
        }
    }

    #[test]
    fn wrong_lines_are_told_apart() {
        for line in [
            "makemove",
            "makemove 0 1",
            "makemove 1",
            "makemove -1 2",
            "makemove a b",
            "makemove 1 2 3",
        ] {
            assert_eq!(Command::read(line), Err(Wrong::Move), "{line}");
        }
        for line in ["hello", "newgames", "1 1", "."] {
            assert_eq!(Command::read(line), Err(Wrong::Unknown), "{line}");
        }
        for line in [
            "mnk",
            "position",
            "position start moves 1",
            "go fast",
            "time",
            "think",
            "setai",
            "clock x",
            "perf 0",
            "perf 99999999999",
            "perf fast",
        ] {
            assert!(matches!(Command::read(line), Err(Wrong::Text(_))), "{line}");
        }
        assert_eq!(Command::read(" \t"), Ok(None));
        assert_eq!(Command::read("stop"), Ok(Some(Command::Quit)));
        assert_eq!(Command::read("exit"), Ok(Some(Command::Quit)));
        assert_eq!(Command::read("time 0"), Ok(Some(Command::Limit(Limits::default()))));
    }
}
