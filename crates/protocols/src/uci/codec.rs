//! The lines of UCI, both ways, as plain functions.

use std::time::Duration;

use game::{Meaning, Side, Value};
use play::{Clock, Limits};

use crate::clock::limit;
use crate::heard::Heard;

/// What a front says to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Who are you?
    Uci,
    /// Are you there?
    IsReady,
    /// Another game begins.
    NewGame,
    /// An option and its value.
    SetOption {
        /// Its name, in small letters.
        name: String,
        /// Its value; empty for a button.
        value: String,
    },
    /// `position fen … moves …`, or the usual start.
    Position {
        /// Its FEN; `None` for the start.
        fen: Option<String>,
        /// The moves after it.
        moves: Vec<String>,
    },
    /// Think.
    Go(GoCommand),
    /// Show the position; no part of the protocol, but many engines know it.
    Display,
    /// Stop thinking.
    Stop,
    /// The move that was pondered on has been played.
    PonderHit,
    /// Goodbye.
    Quit,
}

/// How to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// In plies.
    pub depth: Option<u32>,
    /// Positions visited, about.
    pub nodes: Option<u64>,
    /// For so long.
    pub move_time: Option<Duration>,
    /// What is left for White and for Black.
    pub time: [Option<Duration>; 2],
    /// What each of them gets for a move.
    pub increment: [Duration; 2],
    /// How many moves the time is for.
    pub moves_to_go: Option<u32>,
    /// For a mate in so many moves.
    pub mate: Option<u32>,
    /// Among these moves.
    pub among: Vec<String>,
    /// Until told.
    pub infinite: bool,
    /// On the other side's time.
    pub ponder: bool,
    /// Not at all: count the leaves of the tree at this depth.
    pub perft: Option<u32>,
}

impl Command {
    /// Reads a line; `None` if no word of it is known. Unknown words before a command are passed over, as the
    /// protocol asks.
    #[must_use]
    pub fn read(line: &str) -> Option<Command> {
        let mut words = line.split_whitespace();
        loop {
            let rest = words.clone();
            return Some(match words.next()? {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "setoption" => set_option(words)?,
                "position" => position(words)?,
                "go" => Command::Go(GoCommand::read(words)),
                "d" => Command::Display,
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                _ => {
                    words = rest;
                    words.next();
                    continue;
                }
            });
        }
    }
}

fn set_option<'l>(words: impl Iterator<Item = &'l str>) -> Option<Command> {
    let words: Vec<&str> = words.collect();
    let rest = words.strip_prefix(&["name"])?;
    let cut = rest.iter().position(|&word| word == "value");
    let (name, value) = match cut {
        Some(cut) => (&rest[..cut], &rest[cut + 1..]),
        None => (rest, &[][..]),
    };
    Some(Command::SetOption { name: name.join(" ").to_lowercase(), value: value.join(" ") })
}

fn position<'l>(mut words: impl Iterator<Item = &'l str>) -> Option<Command> {
    let kind = words.next()?;
    let words: Vec<&str> = words.collect();
    let cut = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.iter().skip(cut + 1).map(|&m| m.to_owned()).collect();
    match kind {
        "startpos" => Some(Command::Position { fen: None, moves }),
        "fen" => Some(Command::Position { fen: Some(words[..cut].join(" ")), moves }),
        _ => None,
    }
}

impl GoCommand {
    /// Reads what follows `go`; unknown words and numbers that are none are passed over.
    fn read<'l>(words: impl Iterator<Item = &'l str>) -> GoCommand {
        let mut go = GoCommand::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let mut number =
                || words.next_if(|next| next.parse::<i64>().is_ok())?.parse::<i64>().ok();
            let millis = |n: i64| Duration::from_millis(n.max(0) as u64);
            match word {
                "depth" => go.depth = number().map(|n| n.clamp(1, 999) as u32),
                "nodes" => go.nodes = number().map(|n| n.max(1) as u64),
                "movetime" => go.move_time = number().map(millis),
                "wtime" => go.time[0] = number().map(millis),
                "btime" => go.time[1] = number().map(millis),
                "winc" => go.increment[0] = number().map_or(Duration::ZERO, millis),
                "binc" => go.increment[1] = number().map_or(Duration::ZERO, millis),
                "movestogo" => {
                    go.moves_to_go = number().filter(|&n| n > 0).map(|n| n.min(10_000) as u32);
                }
                "mate" => go.mate = number().map(|n| n.clamp(1, 400) as u32),
                "perft" => go.perft = number().map(|n| n.clamp(1, 999) as u32),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|next| looks_like_move(next)) {
                        go.among.push(m.to_owned());
                    }
                }
                _ => {}
            }
        }
        go
    }

    /// What a player of this side is to heed, handing over a move taking so long.
    #[must_use]
    pub fn limits(&self, side: Side, overhead: Duration) -> Limits {
        let clock = self.time[side.index()].and_then(limit).map(|left| Clock {
            left: left.saturating_sub(overhead),
            increment: self.increment[side.index()],
            moves: self.moves_to_go,
        });
        let least = Duration::from_millis(1);
        let limits = Limits {
            depth: self.depth.into_iter().chain(self.mate.map(|moves| 2 * moves)).min(),
            nodes: self.nodes,
            time: self.move_time.map(|time| time.saturating_sub(overhead).max(least)),
            clock,
        };
        match limits == Limits::default() {
            _ if self.is_endless() => Limits { time: Some(ENDLESS), clock: None, ..limits },
            true => Limits { time: Some(USUAL), ..limits },
            false => limits,
        }
    }

    /// Whether an answer is due only when somebody says so.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        let limits = [self.depth, self.mate].iter().any(Option::is_some)
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.time.iter().any(Option::is_some);
        self.infinite || !limits
    }

    /// As a front writes it.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = "go".to_owned();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                text.extend([" ", name, " ", &*value]);
            }
        };
        let millis = |time: Duration| time.as_millis().to_string();
        add("wtime", self.time[0].map(millis));
        add("btime", self.time[1].map(millis));
        if self.time.iter().any(Option::is_some) {
            add("winc", Some(millis(self.increment[0])));
            add("binc", Some(millis(self.increment[1])));
        }
        add("movestogo", self.moves_to_go.map(|n| n.to_string()));
        add("depth", self.depth.map(|n| n.to_string()));
        add("nodes", self.nodes.map(|n| n.to_string()));
        add("movetime", self.move_time.map(millis));
        add("mate", self.mate.map(|n| n.to_string()));
        if self.infinite {
            text += " infinite";
        }
        if !self.among.is_empty() {
            text += " searchmoves ";
            text += &self.among.join(" ");
        }
        text
    }
}

/// A move where the clock says nothing.
const USUAL: Duration = Duration::from_secs(1);
/// Longer than anybody waits.
const ENDLESS: Duration = Duration::from_secs(365 * 24 * 3600);

/// `e2e4`, `e7e8q`: what stands after `searchmoves` until a word that is none.
fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |at: usize| bytes[at].is_ascii_lowercase() && bytes[at + 1].is_ascii_digit();
    matches!(bytes.len(), 4 | 5) && square(0) && square(2)
}

/// A score for the side to move, as `info` writes it.
#[must_use]
pub fn write_score(value: Value, side: Side) -> String {
    match value.seen_by(side).meaning() {
        Meaning::WonIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Meaning::LostIn(0 | 1) => "mate 0".to_owned(),
        Meaning::LostIn(plies) => format!("mate -{}", plies / 2),
        Meaning::Margin(score) | Meaning::Score(score) => format!("cp {score}"),
    }
}

/// How often in a thousand games the side to move wins, draws and loses with such a score. Whoever
/// is this much ahead wins half of the games; a rule of thumb, as is how fast that changes.
pub(super) fn write_chances(value: Value, side: Side) -> String {
    const HALF: f64 = 110.0;
    const SLOPE: f64 = 110.0;
    let per_mille = |ahead: f64| (1000.0 / (1.0 + ((HALF - ahead) / SLOPE).exp())).round() as u32;
    let [won, lost] = match value.seen_by(side).meaning() {
        Meaning::WonIn(_) => [1000, 0],
        Meaning::LostIn(_) => [0, 1000],
        Meaning::Margin(score) | Meaning::Score(score) => {
            [per_mille(score.into()), per_mille((-score).into())]
        }
    };
    format!("wdl {won} {} {lost}", 1000 - won - lost)
}

/// What an engine says to its front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Its name.
    Name(String),
    /// An option it has.
    Option {
        /// Its name.
        name: String,
    },
    /// That was all about me.
    UciOk,
    /// I am here.
    ReadyOk,
    /// What it thinks.
    Info(Heard),
    /// What it plays.
    BestMove(String),
}

impl Reply {
    /// Reads a line; `None` if it is none of these.
    #[must_use]
    pub fn read(line: &str) -> Option<Reply> {
        let mut words = line.split_whitespace();
        Some(match words.next()? {
            "id" if words.next()? == "name" => Reply::Name(words.collect::<Vec<_>>().join(" ")),
            "option" => {
                words.next().filter(|&word| word == "name")?;
                let name = words.take_while(|&word| word != "type").collect::<Vec<_>>();
                Reply::Option { name: name.join(" ") }
            }
            "uciok" => Reply::UciOk,
            "readyok" => Reply::ReadyOk,
            "info" => Reply::Info(read_info(words)),
            "bestmove" => Reply::BestMove(words.next()?.to_owned()),
            _ => return None,
        })
    }
}

fn read_info<'l>(mut words: impl Iterator<Item = &'l str>) -> Heard {
    let mut heard = Heard::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => heard.depth = words.next().and_then(|n| n.parse().ok()),
            "seldepth" => heard.selective_depth = words.next().and_then(|n| n.parse().ok()),
            "nodes" => heard.nodes = words.next().and_then(|n| n.parse().ok()),
            "score" => {
                let kind = words.next();
                let number = words.next().and_then(|n| n.parse::<i32>().ok());
                heard.value = kind.zip(number).and_then(|(kind, number)| read_score(kind, number));
            }
            "lowerbound" | "upperbound" => heard.value = None,
            "pv" => {
                heard.pv = words.by_ref().take(500).map(str::to_owned).collect();
                break;
            }
            "string" => break,
            _ => {}
        }
    }
    heard
}

fn read_score(kind: &str, number: i32) -> Option<Value> {
    // Plies of a mate beyond any game are an engine's way to say "won".
    let plies = number.unsigned_abs().min(500) * 2;
    match kind {
        "cp" => Some(Value::score(number)),
        "mate" if number > 0 => Some(Value::won_in(plies - 1)),
        "mate" => Some(-Value::won_in(plies)),
        _ => None,
    }
}
