//! What the page and the server tell each other, as JSON. `docs/web.md` describes it for people.

use game::{Info, InfoLine, Meaning, Outcome, Points, Value};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::board::{Board, Move, Names};
use crate::offers::{Offer, Wish};
use crate::refusal::Refusal;
use crate::seats::Rights;
use crate::sheet::{Ply, Sheet, side_name};

/// What somebody at a table says.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The first message: who it is, and the last version seen.
    Hello {
        #[serde(default)]
        tokens: Vec<String>,
        #[serde(default)]
        since: Option<u64>,
    },
    Play {
        #[serde(rename = "move")]
        text: String,
        /// The version the move was meant for.
        version: u64,
    },
    Undo,
    Redo,
    Resign,
    Claim,
    Agree {
        text: String,
    },
    Swap,
    /// One of two people asks the other for something.
    Offer {
        what: Wish,
    },
    /// The other says yes to it.
    Accept {
        what: Wish,
    },
    /// Or no; or whoever asked thinks better of it.
    Decline,
    /// The bots wait, and what they thought is forgotten.
    Pause,
    /// They go on.
    Resume,
    /// The bot plays the best it has found so far.
    MoveNow,
    /// How long a bot's move takes at least.
    Pace {
        milliseconds: u64,
    },
    /// What the machine would play.
    Hint {
        #[serde(default)]
        lines: Option<usize>,
    },
    /// No more of that.
    StopHint,
}

/// What the server says at a table.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message<'m> {
    /// What this one may do.
    Welcome {
        host: bool,
        first: bool,
        second: bool,
    },
    /// The whole table, whenever it has changed.
    State(&'m State),
    /// Nothing has happened since the version that was named.
    Current {
        version: u64,
        paused: bool,
        pace: u64,
        trouble: &'m Option<String>,
    },
    Thinking(&'m Thought),
    Refused {
        error: &'m str,
        character: Option<usize>,
    },
}

impl Message<'_> {
    pub(crate) fn welcome(rights: Rights) -> Message<'static> {
        let [first, second] = rights.sides;
        Message::Welcome { host: rights.host, first, second }
    }

    pub(crate) fn refused(refusal: &Refusal) -> Message<'_> {
        let body = refusal.body();
        Message::Refused { error: body.error, character: body.character }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("messages are JSON")
    }
}

/// A table as everybody sees it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    pub(crate) id: String,
    pub(crate) version: u64,
    pub(crate) game: String,
    /// What it is called: a preset's name, if it is one; else as `game`.
    pub(crate) name: String,
    pub(crate) family: String,
    /// What the two sides are called in this game's files.
    pub(crate) colours: [&'static str; 2],
    pub(crate) seats: [String; 2],
    #[serde(flatten)]
    pub(crate) view: View,
    /// All moves, those that were taken back too.
    pub(crate) line: Vec<Ply>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    pub(crate) paused: bool,
    pub(crate) pace: u64,
    /// How files of this game end.
    pub(crate) extension: &'static str,
    pub(crate) warning: Option<String>,
    /// What went wrong with the bot, if something did.
    pub(crate) trouble: Option<String>,
    /// What one of two people has asked the other for.
    pub(crate) offer: Option<Offer>,
    /// What was declined since something last happened.
    pub(crate) declined: Vec<Offer>,
    /// What the first and the second player could ask for.
    pub(crate) offers: [Vec<Wish>; 2],
    /// The game that both went on to.
    pub(crate) next: Option<String>,
}

/// A position as everybody sees it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct View {
    /// How many moves of the line have been played.
    pub(crate) ply: usize,
    /// As text; left out of the states of large boards, where it is as long as the board.
    pub(crate) position: Option<String>,
    pub(crate) board: Board,
    /// `first` or `second`; null once the game is over.
    pub(crate) to_move: Option<&'static str>,
    pub(crate) moves: Vec<Move>,
    /// Whether the moves are to all empty squares of a large board, and not listed.
    pub(crate) free: bool,
    pub(crate) outcome: Option<Ending>,
    pub(crate) claimable: bool,
    /// What the players may still agree on, as a question.
    pub(crate) to_agree: Option<&'static str>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ending {
    /// `first`, `draw` or `second`.
    value: &'static str,
    /// The first player's, where the game has margins.
    margin: Option<Number>,
    /// `rules`, `claimed`, `resigned` or `agreed`.
    reason: &'static str,
}

impl Ending {
    fn new(outcome: Outcome, reason: &'static str) -> Ending {
        let margin = outcome.points().and_then(number);
        Ending { value: outcome.winner().map_or("draw", side_name), margin, reason }
    }
}

impl View {
    pub(crate) fn of(sheet: &Sheet) -> View {
        let mut view = View::at(sheet.bench(), sheet.names(), sheet.ply());
        if let Some((outcome, reason)) = sheet.outcome() {
            view.outcome = Some(Ending::new(outcome, reason));
            view.moves.clear();
            view.free = false;
        }
        if view.board.is_large() {
            view.position = None;
        }
        view.to_move = sheet.to_move().map(side_name);
        view.claimable &= view.outcome.is_none();
        view
    }

    pub(crate) fn at(bench: &dyn catalog::Workbench, names: &Names, ply: usize) -> View {
        let outcome = bench.outcome();
        let board = Board::new(&bench.diagram());
        let moves = bench.moves();
        let free = board.is_free_to_all(names, &moves);
        let listed = if free { &[][..] } else { &moves };
        View {
            ply,
            position: Some(bench.position()),
            board,
            to_move: outcome.is_none().then(|| side_name(bench.to_move())),
            moves: listed.iter().map(|text| names.outline(text)).collect(),
            free,
            outcome: outcome.map(|outcome| Ending::new(outcome, "rules")),
            claimable: bench.claimable().is_some(),
            to_agree: bench.left_to_agree(),
        }
    }
}

/// How far a search has come. Values are the first player's.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Thought {
    /// The version it is about.
    pub(crate) version: u64,
    /// `move` or `hint`.
    pub(crate) purpose: &'static str,
    /// Whether it has ended.
    pub(crate) done: bool,
    /// `first` or `second`.
    pub(crate) side: &'static str,
    pub(crate) depth: Option<u32>,
    pub(crate) selective_depth: u32,
    pub(crate) nodes: u64,
    pub(crate) milliseconds: u64,
    pub(crate) best: Option<Move>,
    pub(crate) lines: Vec<Line>,
}

/// A line that a search thinks of.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) value: Worth,
    pub(crate) moves: Vec<Move>,
}

/// What a position is worth: won in so many plies, won by a margin, or a score for the first player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Worth {
    winner: Option<&'static str>,
    plies: Option<u32>,
    margin: Option<Number>,
    score: Option<i32>,
    /// Whether it is proved.
    exact: bool,
}

impl Worth {
    pub(crate) fn new(value: Value, margin_scale: i32, exact: bool) -> Worth {
        let winner = match value.signum() {
            1 => Some("first"),
            -1 => Some("second"),
            _ => None,
        };
        let nothing = Worth { winner: None, plies: None, margin: None, score: None, exact };
        match value.meaning() {
            Meaning::WonIn(n) | Meaning::LostIn(n) => {
                Worth { winner, plies: Some(n), exact: true, ..nothing }
            }
            Meaning::Margin(margin) => {
                Worth { winner, margin: number(Points::new(margin, margin_scale)), ..nothing }
            }
            Meaning::Score(score) => Worth { score: Some(score), ..nothing },
        }
    }
}

/// How a search is shown.
#[derive(Clone, Debug)]
pub(crate) struct Showing {
    pub(crate) version: u64,
    pub(crate) purpose: &'static str,
    pub(crate) side: &'static str,
    pub(crate) names: Names,
    pub(crate) margin_scale: i32,
}

impl Showing {
    /// Progress as it is sent; lines that it does not tell stay those of before.
    pub(crate) fn thought(&self, info: &Info, before: Option<&Thought>) -> Thought {
        let lines = match info.lines.is_empty() {
            true => before.map_or_else(Vec::new, |before| before.lines.clone()),
            false => info.lines.iter().map(|line| self.line(line, false)).collect(),
        };
        Thought {
            version: self.version,
            purpose: self.purpose,
            done: false,
            side: self.side,
            depth: info.depth,
            selective_depth: info.selective_depth,
            nodes: info.nodes,
            milliseconds: info.elapsed.as_millis() as u64,
            best: info.best.as_ref().map(|text| self.names.outline(text)),
            lines,
        }
    }

    pub(crate) fn line(&self, line: &InfoLine, exact: bool) -> Line {
        let moves = line.moves.iter().map(|text| self.names.outline(text)).collect();
        Line { value: Worth::new(line.value, self.margin_scale, exact), moves }
    }
}

/// As JSON gives points: a whole number where it is one.
fn number(points: Points) -> Option<Number> {
    points.whole().map(Number::from).or_else(|| Number::from_f64(points.as_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_strict() {
        let read = serde_json::from_str::<Request>;
        assert!(read(r#"{"type":"play","move":"b2","version":3}"#).is_ok());
        assert!(read(r#"{"type":"undo"}"#).is_ok());
        for text in [
            "",
            "[]",
            "null",
            r#"{"type":"shell","command":"ls"}"#,
            r#"{"type":"play","move":"b2"}"#,
            r#"{"type":"play","move":3,"version":3}"#,
            r#"{"type":"play","move":"b2","version":-1}"#,
            r#"{"type":"hello","tokens":"x"}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_say_who_wins() {
        let worth = Worth::new(-Value::won_in(4), 1, false);
        assert_eq!((worth.winner, worth.plies, worth.exact), (Some("second"), Some(4), true));
        let worth = Worth::new(Value::over(7, 64), 2, true);
        assert_eq!((worth.winner, worth.margin), (Some("first"), Number::from_f64(3.5)));
        let worth = Worth::new(Value::score(-12), 1, false);
        assert_eq!((worth.winner, worth.score, worth.exact), (None, Some(-12), false));
    }
}
