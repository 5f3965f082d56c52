//! What the lines of Hub mean, both ways, as plain functions. What is not known is passed over, as the protocol asks.

use std::time::Duration;

use game::{Meaning, Side, Value};
use play::{Clock, Limits};

use super::sentence::{LONGEST, Sentence};
use crate::clock::limit;
use crate::heard::Heard;

/// What a front says to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you?
    Hub,
    /// A parameter and its value.
    SetParam {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Get ready.
    Init,
    /// A position and the moves after it.
    Position {
        /// The side to move and all squares; `None` for the start of the game.
        position: Option<String>,
        /// Made from that position, in the words of the protocol.
        moves: Vec<String>,
    },
    /// How long to think.
    Level(LevelLimits),
    /// Think.
    Go(Mode),
    /// The move that was pondered on has been played.
    PonderHit,
    /// Stop thinking.
    Stop,
    /// Another game begins.
    NewGame,
    /// Are you there?
    Ping,
    /// Goodbye.
    Quit,
}

/// What thinking is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A move.
    Think,
    /// A move, on the other side's time.
    Ponder,
    /// A value and a line.
    Analyze,
}

/// How long to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelLimits {
    /// In plies.
    pub depth: Option<u32>,
    /// Positions visited, about.
    pub nodes: Option<u64>,
    /// For so long.
    pub move_time: Option<Duration>,
    /// What is left for the game.
    pub time: Option<Duration>,
    /// What each move adds.
    pub increment: Duration,
    /// How many moves the time is for.
    pub moves: Option<u32>,
    /// Until told.
    pub infinite: bool,
}

impl Command {
    /// Reads a line; `None` if its command is not known.
    #[must_use]
    pub fn read(line: &str) -> Option<Command> {
        let sentence = Sentence::read(line)?;
        Some(match &*sentence.command {
            "hub" => Command::Hub,
            "set-param" => Command::SetParam {
                name: sentence.value("name")?.to_owned(),
                value: sentence.value("value").unwrap_or_default().to_owned(),
            },
            "init" => Command::Init,
            "pos" => Command::Position {
                position: sentence.value("pos").map(str::to_owned),
                moves: read_moves(sentence.value("moves").unwrap_or_default()),
            },
            "level" => Command::Level(LevelLimits::read(&sentence)),
            "go" => Command::Go(Mode::read(&sentence)),
            "ponder-hit" => Command::PonderHit,
            "stop" => Command::Stop,
            "new-game" => Command::NewGame,
            "ping" => Command::Ping,
            "quit" => Command::Quit,
            _ => return None,
        })
    }

    /// As a front writes it.
    #[must_use]
    pub fn write(&self) -> String {
        let plain = |command: &str| Sentence::new(command).write();
        match self {
            Command::Hub => plain("hub"),
            Command::SetParam { name, value } => {
                Sentence::new("set-param").with("name", name).with("value", value).write()
            }
            Command::Init => plain("init"),
            Command::Position { position, moves } => {
                let mut sentence = Sentence::new("pos");
                if let Some(position) = position {
                    sentence = sentence.with("pos", position);
                }
                if !moves.is_empty() {
                    sentence = sentence.with("moves", moves.join(" "));
                }
                sentence.write()
            }
            Command::Level(level) => level.write(),
            Command::Go(mode) => Sentence::new("go").write_with_flag(mode.word()),
            Command::PonderHit => plain("ponder-hit"),
            Command::Stop => plain("stop"),
            Command::NewGame => plain("new-game"),
            Command::Ping => plain("ping"),
            Command::Quit => plain("quit"),
        }
    }
}

fn read_moves(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Mode {
    /// A front that says only `go` wants a move.
    fn read(sentence: &Sentence) -> Mode {
        let known = [Mode::Ponder, Mode::Analyze];
        known.into_iter().find(|mode| sentence.value(mode.word()).is_some()).unwrap_or(Mode::Think)
    }

    fn word(self) -> &'static str {
        match self {
            Mode::Think => "think",
            Mode::Ponder => "ponder",
            Mode::Analyze => "analyze",
        }
    }
}

impl LevelLimits {
    /// Numbers that are none are passed over.
    fn read(sentence: &Sentence) -> LevelLimits {
        LevelLimits {
            depth: sentence.number::<i64>("depth").map(|n| n.clamp(1, 999) as u32),
            nodes: sentence.number::<u64>("nodes").map(|n| n.max(1)),
            move_time: sentence.seconds("move-time").and_then(limit),
            time: sentence.seconds("time").and_then(limit),
            increment: sentence.seconds("inc").unwrap_or_default(),
            moves: sentence.number::<i64>("moves").filter(|&n| n > 0).map(|n| n.min(10_000) as u32),
            infinite: sentence.value("infinite").is_some(),
        }
    }

    fn write(&self) -> String {
        let mut sentence = Sentence::new("level");
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let increment = self.time.map(|_| self.increment).filter(|time| !time.is_zero());
        for (name, value) in [
            ("depth", self.depth.map(|n| n.to_string())),
            ("nodes", self.nodes.map(|n| n.to_string())),
            ("move-time", self.move_time.map(seconds)),
            ("moves", self.moves.map(|n| n.to_string())),
            ("time", self.time.map(seconds)),
            ("inc", increment.map(seconds)),
        ] {
            if let Some(value) = value {
                sentence = sentence.with(name, value);
            }
        }
        if self.infinite { sentence.write_with_flag("infinite") } else { sentence.write() }
    }

    /// What a player is asked to heed; a second for what says nothing else.
    #[must_use]
    pub fn of(limits: Limits) -> LevelLimits {
        let nothing = limits == Limits::default();
        LevelLimits {
            depth: limits.depth,
            nodes: limits.nodes,
            move_time: limits.time.or(nothing.then_some(Duration::from_secs(1))),
            time: limits.clock.map(|clock| clock.left),
            increment: limits.clock.map_or(Duration::ZERO, |clock| clock.increment),
            moves: limits.clock.and_then(|clock| clock.moves),
            infinite: false,
        }
    }

    /// What a player is to heed; `None` if nothing was said, which leaves it to the player.
    #[must_use]
    pub fn limits(&self) -> Option<Limits> {
        let clock =
            self.time.map(|left| Clock { left, increment: self.increment, moves: self.moves });
        let least = Duration::from_millis(1);
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.move_time.map(|time| time.max(least)),
            clock,
        };
        match (self.infinite, limits == Limits::default()) {
            (true, _) => Some(Limits { time: Some(LONGEST), clock: None, ..limits }),
            (false, true) => None,
            (false, false) => Some(limits),
        }
    }
}

/// From here on a score says in how many plies the game is won or lost, as Scan's do.
const DECIDED: f64 = 99.0;

/// A score for the side to move, in men.
#[must_use]
pub fn write_score(value: Value, side: Side) -> String {
    let won = |plies: u32| (10_000 - plies.min(99) as i32, 10_000);
    let below = |score: i32| (score, 9_899);
    let (hundredths, limit) = match value.seen_by(side).meaning() {
        Meaning::WonIn(plies) => won(plies),
        Meaning::LostIn(plies) => (-won(plies).0, won(plies).1),
        Meaning::Margin(score) | Meaning::Score(score) => below(score),
    };
    format!("{:.2}", f64::from(hundredths.clamp(-limit, limit)) / 100.0)
}

fn read_score(text: &str) -> Option<Value> {
    let score = text.parse::<f64>().ok().filter(|score| score.is_finite())?;
    if score.abs() > DECIDED && score.abs() <= 100.0 {
        let won = Value::won_in(((100.0 - score.abs()) * 100.0).round() as u32);
        return Some(if score > 0.0 { won } else { -won });
    }
    Some(Value::score((score * 100.0).round() as i32))
}

/// What an engine says to its front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Its name.
    Id(String),
    /// A parameter that it has.
    Param(Param),
    /// That was all about me; set what is to be set.
    Wait,
    /// I am ready.
    Ready,
    /// I am here.
    Pong,
    /// What it thinks.
    Info(Heard),
    /// What it plays.
    Done(String),
    /// What it did not like.
    Error(String),
}

/// A parameter of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What it may be, where it has a list.
    pub values: Vec<String>,
}

impl Reply {
    /// Reads a line; `None` if it is none of these.
    #[must_use]
    pub fn read(line: &str) -> Option<Reply> {
        let sentence = Sentence::read(line)?;
        let value = |name: &str| sentence.value(name).unwrap_or_default().to_owned();
        Some(match &*sentence.command {
            "id" => Reply::Id(value("name")),
            "param" => Reply::Param(Param {
                name: sentence.value("name")?.to_owned(),
                value: value("value"),
                values: read_moves(&value("values")),
            }),
            "wait" => Reply::Wait,
            "ready" => Reply::Ready,
            "pong" => Reply::Pong,
            "info" => Reply::Info(read_info(&sentence)),
            "done" => Reply::Done(sentence.value("move")?.to_owned()),
            "error" => Reply::Error(value("message")),
            _ => return None,
        })
    }
}

fn read_info(sentence: &Sentence) -> Heard {
    Heard {
        depth: sentence.number("depth"),
        selective_depth: None,
        nodes: sentence.number("nodes"),
        value: sentence.value("score").and_then(read_score),
        pv: read_moves(sentence.value("pv").unwrap_or_default()).into_iter().take(500).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    #[test]
    fn commands_round_trip() {
        let level = LevelLimits {
            depth: Some(7),
            nodes: Some(1000),
            move_time: Some(Duration::from_millis(1500)),
            time: Some(Duration::from_millis(291_587)),
            increment: Duration::from_millis(100),
            moves: Some(9),
            infinite: true,
        };
        let moves = ["38-15", "5-41x10"].map(str::to_owned).to_vec();
        for command in [
            Command::Hub,
            Command::SetParam { name: "book".to_owned(), value: "two words".to_owned() },
            Command::Init,
            Command::Position { position: Some("Weewb".to_owned()), moves: moves.clone() },
            Command::Position { position: Some("Weewb".to_owned()), moves: Vec::new() },
            Command::Position { position: None, moves },
            Command::Level(level),
            Command::Level(LevelLimits::default()),
            Command::Go(Mode::Think),
            Command::Go(Mode::Ponder),
            Command::Go(Mode::Analyze),
            Command::PonderHit,
            Command::Stop,
            Command::NewGame,
            Command::Ping,
            Command::Quit,
        ] {
            assert_eq!(Command::read(&command.write()), Some(command.clone()), "{command:?}");
        }
        assert_eq!(Command::read("go"), Some(Command::Go(Mode::Think)));
        assert_eq!(Command::read("set-param value=1"), None);
        assert_eq!(Command::read("joho hub"), None);
    }

    #[test]
    fn levels_become_limits() {
        let limits = |line: &str| match Command::read(line) {
            Some(Command::Level(level)) => level.limits(),
            other => panic!("{other:?}"),
        };
        assert_eq!(limits("level"), None);
        assert_eq!(limits("level depth=x time=nan move-time=inf"), None);
        let depth = Limits { depth: Some(999), ..Limits::default() };
        assert_eq!(limits("level depth=99999"), Some(depth));
        let late = limits("level time=-3 inc=1e300 moves=-4").unwrap().clock.unwrap();
        assert_eq!((late.left, late.moves), (Duration::ZERO, None));
        assert_eq!(limits("level infinite time=3").unwrap().clock, None);
        for said in [
            Limits { nodes: Some(5), ..Limits::default() },
            Limits { time: Some(Duration::from_millis(20)), ..Limits::default() },
        ] {
            assert_eq!(LevelLimits::of(said).limits(), Some(said));
        }
        assert_eq!(LevelLimits::of(Limits::default()).write(), "level move-time=1.000");
    }

    #[test]
    fn scores_are_men() {
        let both = |value: Value| {
            let text = write_score(value, Side::First);
            assert_eq!(write_score(-value, Side::Second), text);
            (text.clone(), read_score(&text))
        };
        for (value, text) in [
            (Value::score(25), "0.25"),
            (Value::score(-1), "-0.01"),
            (Value::DRAW, "0.00"),
            (Value::won_in(3), "99.97"),
            (-Value::won_in(12), "-99.88"),
            (Value::won_in(99), "99.01"),
        ] {
            assert_eq!(both(value), (text.to_owned(), Some(value)));
        }
        assert_eq!(both(Value::score(1_000_000)).0, "98.99");
        assert_eq!(both(Value::won_in(4000)).0, "99.01");
        assert_eq!(read_score("nan"), None);
        assert_eq!(read_score("1e300"), Some(Value::score(i32::MAX)));
    }

    #[test]
    fn replies_are_read() {
        let line = "param name=variant value=normal type=enum values=\"normal killer bt\"";
        let values = ["normal", "killer", "bt"].map(str::to_owned).to_vec();
        let param = Param { name: "variant".to_owned(), value: "normal".to_owned(), values };
        assert_eq!(Reply::read(line), Some(Reply::Param(param)));
        let line = "info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 \
                    pv=\"32-28 17-22 28x17x22\"";
        let Some(Reply::Info(heard)) = Reply::read(line) else { panic!() };
        assert_eq!((heard.depth, heard.nodes), (Some(21), Some(31_261_613)));
        assert_eq!(heard.value, Some(Value::score(-1)));
        assert_eq!(heard.pv, ["32-28", "17-22", "28x17x22"]);
        let done = Reply::Done("32-28".to_owned());
        assert_eq!(Reply::read("done move=32-28 ponder=17-22"), Some(done));
        assert_eq!(Reply::read("done"), None);
        assert_eq!(Reply::read("error message=\"no\""), Some(Reply::Error("no".to_owned())));
        assert_eq!(Reply::read("Scan loads its tables"), None);
    }

    /// Whatever stands in a line, it is read without harm, and what was understood means the same when it is said again.
    #[test]
    fn mangled_lines_do_no_harm() {
        const LINES: [&str; 12] = [
            "hub",
            "set-param name=variant value=\"russian,majority=quantity\"",
            "pos pos=Wbbbbeeeewwww moves=\"32-28 17-22 28x17x22\"",
            "level moves=9 time=291.587 inc=0.1 depth=12 nodes=99999 move-time=1e-3 infinite",
            "go ponder",
            "id name=Scan version=3.1 author=\"Fabien Letouzey\" country=France",
            "param name=hash value=64 type=int min=1 max=65536",
            "param name=variant value=normal type=enum values=\"normal killer\"",
            "info depth=21 mean-depth=20.8 score=-99.01 nodes=31261613 pv=\"32-28 17-22\"",
            "done move=32-28 ponder=17-22",
            "error message=\"what = is \"",
            "ponder-hit wait ready pong",
        ];
        const SIGNS: [&str; 10] = ["=", "\"", " ", "\t", "-", "9", "é", "\u{0}", "pos", "="];
        let mut rng = Rng::new(5);
        for _ in 0..20_000 {
            let mut chars: Vec<char> = LINES[rng.below(LINES.len())].chars().collect();
            for _ in 0..rng.below(6) {
                let at = rng.below(chars.len() + 1);
                match rng.below(3) {
                    0 => chars.truncate(at),
                    1 if at < chars.len() => drop(chars.remove(at)),
                    _ => drop(chars.splice(at..at, SIGNS[rng.below(SIGNS.len())].chars())),
                }
            }
            let line: String = chars.into_iter().collect();
            if let Some(command) = Command::read(&line) {
                let again = Command::read(&command.write());
                match command {
                    // Times are said in thousandths.
                    Command::Level(_) => assert!(matches!(again, Some(Command::Level(_)))),
                    _ if line.contains(char::is_control) => {}
                    _ => assert_eq!(again, Some(command), "{line}"),
                }
            }
            let _ = Reply::read(&line);
        }
    }
}
