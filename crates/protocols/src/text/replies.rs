//! What engines say in the text protocol, as plain functions. They are read with goodwill: case, spacing and brackets do not
//! matter, and numbers may be written in any usual way.

use game::{Grid, Meaning, Side, Value};

use super::codec::{colour, read_colour, read_point, read_points, write_point};
use crate::line_game::{LineGame, Point};

/// What engines have always said they measure: their player's choice, a stone with the look whether it wins, and the list of
/// moves.
pub const CLASSIC_TIMES: [&str; 3] =
    ["AIPlayer::GetMove()", "Game::CheckWin()", "Game::GetMoves()"];
/// A game of random moves, which the second version adds,
pub const PLAYOUT: &str = "Game::Playout()";
/// and a node of the search.
pub const NODE: &str = "Search::Node()";

/// What an engine says to its front.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A game begins.
    Started,
    /// The moves there are.
    Moves(Vec<Point>),
    /// A stone was placed.
    Move(Side, Point),
    /// It was not.
    InvalidMove,
    /// The game is won.
    Winner(Side),
    /// The ends of the winning line.
    WinningLine(Point, Point),
    /// The game is drawn.
    Draw,
    /// It is there.
    ReadyOk,
    /// Who is next.
    Player(Side),
    /// How many stones.
    Number(u64),
    /// The numbers of the game.
    Info(LineGame),
    /// How many nanoseconds something takes.
    Perf(String, f64),
    /// Goodbye.
    Exited,
    /// It does not know that.
    UnknownCommand,
    /// Who plays for it.
    Ai(String),
    /// The version it speaks, and who it is.
    Hello(u32, String),
    /// It has introduced itself.
    Ready,
    /// Which game exactly.
    Game(String),
    /// It has done so.
    Ok,
    /// It has not, and why.
    Error(String),
    /// The stone it would place.
    Best(Point),
    /// What it thinks.
    Thought(Thought),
}

/// How far a thought has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// In stones.
    pub depth: u32,
    /// To the side that thinks.
    pub worth: ThoughtWorth,
    /// Positions visited.
    pub nodes: u64,
    /// In milliseconds.
    pub time: u64,
    /// The best line.
    pub line: Vec<Point>,
}

/// What a position is worth to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThoughtWorth {
    /// In the engine's own units.
    Score(i32),
    /// Won after so many stones.
    Win(u32),
    /// Lost after so many.
    Loss(u32),
}

impl ThoughtWorth {
    /// Of a value for the same side.
    #[must_use]
    pub fn of(value: Value) -> ThoughtWorth {
        match value.meaning() {
            Meaning::WonIn(plies) => ThoughtWorth::Win(plies),
            Meaning::LostIn(plies) => ThoughtWorth::Loss(plies),
            Meaning::Margin(number) | Meaning::Score(number) => ThoughtWorth::Score(number),
        }
    }

    /// As a value for the same side.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            ThoughtWorth::Score(score) => Value::score(score),
            ThoughtWorth::Win(plies) => Value::won_in(plies.min(100_000)),
            ThoughtWorth::Loss(plies) => -Value::won_in(plies.min(100_000)),
        }
    }
}

impl Reply {
    /// Reads a line; `None` if it says nothing a front has to know, as the lines of a board.
    #[must_use]
    pub fn read(line: &str) -> Option<Reply> {
        let lower = line.trim().to_lowercase();
        if lower.ends_with("has exited") {
            return Some(Reply::Exited);
        }
        if let Some(game) = read_info(&lower) {
            return Some(Reply::Info(game));
        }
        if let Some(rest) = lower.strip_prefix("average") {
            return read_perf(rest);
        }
        let is_gap = |c: char| c.is_whitespace() || "(),:;".contains(c);
        let words: Vec<&str> = lower.split(is_gap).filter(|word| !word.is_empty()).collect();
        match *words {
            ["game", "started", ..] => Some(Reply::Started),
            ["moves", ref points @ ..] => read_points(points).map(Reply::Moves),
            ["move", who, x, y] => Some(Reply::Move(read_colour(who)?, read_point(x, y)?)),
            ["invalid", "move", ..] => Some(Reply::InvalidMove),
            ["winner", "is", who] => read_colour(who).map(Reply::Winner),
            ["wining" | "winning", "line", "is", "from", a, b, "to", c, d] => {
                Some(Reply::WinningLine(read_point(a, b)?, read_point(c, d)?))
            }
            ["draw"] => Some(Reply::Draw),
            ["readyok"] => Some(Reply::ReadyOk),
            ["unknown", "command", ..] => Some(Reply::UnknownCommand),
            ["ready"] => Some(Reply::Ready),
            ["ok"] => Some(Reply::Ok),
            ["best", x, y] => read_point(x, y).map(Reply::Best),
            ["think", ref rest @ ..] => read_thought(rest).map(Reply::Thought),
            [who @ ("black" | "white")] => read_colour(who).map(Reply::Player),
            [number] => number.parse().ok().map(Reply::Number),
            _ => read_text(line.trim()).or_else(|| read_bare_perf(&lower)),
        }
    }

    /// As an engine writes it.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Reply::Started => "game started".to_owned(),
            Reply::Moves(points) => format!("moves:{}", bracketed(points)),
            Reply::Move(side, point) => format!("move {} {}", colour(*side), write_point(*point)),
            Reply::InvalidMove => "invalid move".to_owned(),
            Reply::Winner(side) => format!("winner is {}", colour(*side)),
            // So it was written when the first engines spoke it.
            Reply::WinningLine(a, b) => {
                format!("wining line is from {} to {}", write_point(*a), write_point(*b))
            }
            Reply::Draw => "draw".to_owned(),
            Reply::ReadyOk => "readyok".to_owned(),
            Reply::Player(side) => colour(*side).to_owned(),
            Reply::Number(number) => number.to_string(),
            Reply::Info(game) => {
                let rule = if game.exact { "EXACTLY_K_TO_WIN" } else { "K_OR_MORE_TO_WIN" };
                format!("{} {rule}", numbers(game))
            }
            Reply::Perf(what, nanoseconds) => {
                format!("average {what} execution is {nanoseconds:.1} ns")
            }
            Reply::Exited => "GameEngine has exited".to_owned(),
            Reply::UnknownCommand => "unknown command".to_owned(),
            Reply::Ai(name) => format!("ai is {name}"),
            Reply::Hello(version, name) => format!("mnk {version} {name}"),
            Reply::Ready => "ready".to_owned(),
            Reply::Game(text) => format!("game {text}"),
            Reply::Ok => "ok".to_owned(),
            Reply::Error(why) => format!("error {why}"),
            Reply::Best(point) => format!("best {}", write_point(*point)),
            Reply::Thought(thought) => write_thought(thought),
        }
    }
}

/// `(m,n,k,p,q)`.
pub(super) fn numbers(game: &LineGame) -> String {
    let LineGame { grid: Grid { rows, columns }, k, p, q, .. } = game;
    format!("({rows},{columns},{k},{p},{q})")
}

fn bracketed(points: &[Point]) -> String {
    points.iter().map(|&point| format!(" ({})", write_point(point))).collect()
}

/// `(m,n,k,p,q) K_OR_MORE_TO_WIN`, the rule perhaps left out, blanks anywhere.
fn read_info(line: &str) -> Option<LineGame> {
    let (numbers, rule) = line.strip_prefix('(')?.split_once(')')?;
    let numbers: Option<Vec<usize>> = numbers
        .split([',', ' '])
        .filter(|part| !part.trim().is_empty())
        .map(|part| part.trim().parse().ok())
        .collect();
    let &[rows, columns, k, p, q] = numbers?.as_slice() else { return None };
    let exact = match rule.trim() {
        "" | "k_or_more_to_win" => false,
        "exactly_k_to_win" => true,
        _ => return None,
    };
    Some(LineGame { grid: Grid { rows, columns }, k, p, q, exact, plain: true })
}

/// ` AIPlayer::GetMove() execution is 1.06e4 ns`, the point perhaps a comma.
fn read_perf(rest: &str) -> Option<Reply> {
    let (what, time) = rest.split_once("execution is")?;
    Some(Reply::Perf(what.trim().to_owned(), read_time(time)?))
}

/// The same in other words: one of the classic times, and the first number after its name.
fn read_bare_perf(line: &str) -> Option<Reply> {
    let what = classic_time(line)?;
    let end_of = |name: &&str| line.find(name).map(|at| at + name.len());
    let rest = &line[["checkwin", "getmoves", "move"].iter().find_map(end_of)?..];
    let number = rest.find(|c: char| c.is_ascii_digit())?;
    Some(Reply::Perf(what.to_owned(), read_time(&rest[number..])?))
}

/// Which of the classic times is meant by a name.
#[must_use]
pub fn classic_time(what: &str) -> Option<&'static str> {
    let what = what.to_lowercase();
    let [player, check, list] = CLASSIC_TIMES;
    let is_choice = || what.split_once("ai").is_some_and(|(_, rest)| rest.contains("move"));
    match () {
        () if what.contains("checkwin") => Some(check),
        () if what.contains("getmoves") => Some(list),
        () if is_choice() => Some(player),
        () => None,
    }
}

/// A number and its unit, in nanoseconds, which is also meant where there is no unit.
fn read_time(text: &str) -> Option<f64> {
    let text = text.trim();
    let after = |text: &'_ str, more: &str| -> usize {
        text.find(|c: char| !c.is_ascii_digit() && !more.contains(c)).unwrap_or(text.len())
    };
    let mut end = after(text, ".,");
    if let Some(exponent) = text[end..].strip_prefix('e') {
        end += 1 + after(exponent, "+-");
    }
    let (number, unit) = text.split_at(end);
    let number =
        number.replace(',', ".").parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0)?;
    let scale = match unit.split_whitespace().next().unwrap_or("ns") {
        "ns" | "nanoseconds" => 1.0,
        "us" | "\u{b5}s" | "\u{3bc}s" | "microseconds" => 1e3,
        "ms" | "milliseconds" => 1e6,
        "s" | "seconds" => 1e9,
        _ => return None,
    };
    Some(number * scale)
}

/// Lines with text of which the case matters.
fn read_text(line: &str) -> Option<Reply> {
    let (first, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    match &*first.to_ascii_lowercase() {
        "ai" => {
            let (is, name) = rest.split_once(char::is_whitespace)?;
            is.eq_ignore_ascii_case("is").then(|| Reply::Ai(name.trim().to_owned()))
        }
        "mnk" => {
            let (version, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            Some(Reply::Hello(version.parse().ok()?, name.trim().to_owned()))
        }
        "game" => Some(Reply::Game(rest.to_owned())),
        "error" => Some(Reply::Error(rest.to_owned())),
        _ => None,
    }
}

fn write_thought(thought: &Thought) -> String {
    let worth = match thought.worth {
        ThoughtWorth::Score(score) => format!("score {score}"),
        ThoughtWorth::Win(plies) => format!("win {plies}"),
        ThoughtWorth::Loss(plies) => format!("loss {plies}"),
    };
    let Thought { depth, nodes, time, line, .. } = thought;
    format!("think depth {depth} {worth} nodes {nodes} time {time} line{}", bracketed(line))
}

fn read_thought(words: &[&str]) -> Option<Thought> {
    let mut thought =
        Thought { depth: 0, worth: ThoughtWorth::Score(0), nodes: 0, time: 0, line: Vec::new() };
    let mut rest = words;
    while let &[key, value, ref more @ ..] = rest {
        match key {
            "depth" => thought.depth = value.parse().ok()?,
            "score" => thought.worth = ThoughtWorth::Score(value.parse().ok()?),
            "win" => thought.worth = ThoughtWorth::Win(value.parse().ok()?),
            "loss" => thought.worth = ThoughtWorth::Loss(value.parse().ok()?),
            "nodes" => thought.nodes = value.parse().ok()?,
            "time" => thought.time = value.parse().ok()?,
            "line" => {
                thought.line = read_points(&rest[1..])?;
                return Some(thought);
            }
            // What later versions may add.
            _ => {}
        }
        rest = more;
    }
    Some(thought)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: Point = Point { x: 2, y: 0 };
    const OTHER: Point = Point { x: 9, y: 11 };

    #[test]
    fn replies_round_trip() {
        let game = |text: &str| LineGame::of(text).unwrap();
        let thought = Thought {
            depth: 7,
            worth: ThoughtWorth::Loss(4),
            nodes: 123,
            time: 45,
            line: vec![POINT, OTHER],
        };
        let perf = |what: &str| Reply::Perf(what.to_owned(), 10620.1);
        for (line, reply) in [
            ("game started", Reply::Started),
            ("moves: (3 1) (10 12)", Reply::Moves(vec![POINT, OTHER])),
            ("moves:", Reply::Moves(vec![])),
            ("move black 3 1", Reply::Move(Side::First, POINT)),
            ("move white 10 12", Reply::Move(Side::Second, OTHER)),
            ("invalid move", Reply::InvalidMove),
            ("winner is black", Reply::Winner(Side::First)),
            ("wining line is from 3 1 to 10 12", Reply::WinningLine(POINT, OTHER)),
            ("draw", Reply::Draw),
            ("readyok", Reply::ReadyOk),
            ("white", Reply::Player(Side::Second)),
            ("17", Reply::Number(17)),
            ("(3,4,3,2,1) K_OR_MORE_TO_WIN", Reply::Info(game("mnk:3x4,k=3,p=2"))),
            ("(3,4,3,1,1) EXACTLY_K_TO_WIN", Reply::Info(game("mnk:3x4,k=3,win=exact"))),
            ("average game::checkwin() execution is 10620.1 ns", perf("game::checkwin()")),
            ("GameEngine has exited", Reply::Exited),
            ("unknown command", Reply::UnknownCommand),
            ("ai is Hard,hash=4", Reply::Ai("Hard,hash=4".to_owned())),
            ("mnk 2 name A B version 1", Reply::Hello(2, "name A B version 1".to_owned())),
            ("ready", Reply::Ready),
            ("game 6x7,k=4,gravity", Reply::Game("6x7,k=4,gravity".to_owned())),
            ("ok", Reply::Ok),
            ("error Why it is so", Reply::Error("Why it is so".to_owned())),
            ("best 3 1", Reply::Best(POINT)),
            ("think depth 7 loss 4 nodes 123 time 45 line (3 1) (10 12)", Reply::Thought(thought)),
        ] {
            assert_eq!(Reply::read(line), Some(reply.clone()), "{line}");
            assert_eq!(reply.write(), line);
        }
    }

    #[test]
    fn engines_are_read_with_goodwill() {
        let white = Some(Reply::Move(Side::Second, POINT));
        for line in
            ["Move White 3 1", "  move   white  3   1 ", "move white: (3, 1)", "MOVE WHITE 3,1\t"]
        {
            assert_eq!(Reply::read(line), white, "{line}");
        }
        let line = Some(Reply::WinningLine(POINT, OTHER));
        assert_eq!(Reply::read("Winning line is from (3 1) to (10 12)"), line);
        assert_eq!(Reply::read("( 3, 4 ,3,1,1 ) exactly_k_to_win"), {
            Some(Reply::Info(LineGame::of("mnk:3x4,k=3,win=exact").unwrap()))
        });
        for number in ["10620.1", "10620,1", "1.06201e4", "1,06201E+04"] {
            let line = format!("average AIPlayer::GetMove() execution is {number} ns");
            let perf = Reply::Perf("aiplayer::getmove()".to_owned(), 10620.1);
            assert_eq!(Reply::read(&line), Some(perf), "{line}");
        }
        for line in
            ["( 3 , 4,3 ,1,1 )", "(3,4,3,1,1)K_OR_MORE_TO_WIN", "(3 4 3 1 1) k_or_more_to_win"]
        {
            let game = LineGame::of("mnk:3x4,k=3").unwrap();
            assert_eq!(Reply::read(line), Some(Reply::Info(game)), "{line}");
        }
        for (time, nanoseconds) in [
            ("10.5 \u{b5}s", 10_500.0),
            ("10.5\u{3bc}s", 10_500.0),
            ("10,5 us", 10_500.0),
            ("1.5e1 ms", 15_000_000.0),
            ("2 s", 2e9),
            ("17", 17.0),
        ] {
            for line in ["average Game::CheckWin() execution is", "CheckWin:", "time of checkWin ="]
            {
                let Some(Reply::Perf(what, read)) = Reply::read(&format!("{line} {time}")) else {
                    panic!("{line} {time}")
                };
                assert_eq!(classic_time(&what), Some(CLASSIC_TIMES[1]), "{line}");
                assert!((read / nanoseconds - 1.0).abs() < 1e-9, "{line} {time}: {read}");
            }
        }
        let choice = Some(Reply::Perf(CLASSIC_TIMES[0].to_owned(), 7e6));
        assert_eq!(Reply::read("AI, time for a move: 7 ms"), choice);
        assert_eq!(Reply::read("(3,3,3,1,1)GameEngine has exited"), Some(Reply::Exited));
        for line in [
            "",
            "X.O",
            "move red 1 1",
            "move black 0 1",
            "move black 1",
            "winner is",
            "average x execution is nan ns",
            "average x execution is 3 apples",
            "(3,3,3,1) K_OR_MORE_TO_WIN",
            "(3,3,3,1,1) nonsense",
        ] {
            assert_eq!(Reply::read(line), None, "{line}");
        }
    }

    #[test]
    fn worth_is_value() {
        for worth in [ThoughtWorth::Score(-12), ThoughtWorth::Win(5), ThoughtWorth::Loss(4)] {
            assert_eq!(ThoughtWorth::of(worth.value()), worth);
        }
    }
}
