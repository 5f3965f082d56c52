//! What the page and the server tell each other, as JSON. `docs/web.md` describes it for people.

use std::sync::{Arc, Mutex, PoisonError};

use compiled::CompiledSession;
use game::{Decisive, EndReason, Look, Tint};
use play::{Info, InfoLine, Outcome, Scores};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::board::{Board, Move, Names, Spoken, spoken_on};
use crate::exact::Exact;
use crate::offers::{Offer, Wish};
use crate::people::PresenceEntry;
use crate::refusal::Refusal;
use crate::review::Review;
use crate::seats::Rights;
use crate::sheet::{Ply, Sheet, side_name};
use crate::worth::{Opinion, Scale, Worth, number};

/// No line that is shown is longer, and none that is asked about.
pub(crate) const LONGEST_LINE: usize = 16;

/// What somebody at a table says.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Request {
    /// The first message: who it is, and the last version seen.
    Hello {
        #[serde(default)]
        tokens: Vec<String>,
        #[serde(default)]
        since: Option<u64>,
        /// What they want to be called.
        #[serde(default)]
        name: Option<String>,
        /// A key of their own, to take the seat with whose token is shown.
        #[serde(default)]
        claim: Option<String>,
    },
    /// Whether something has happened since this version: asked to hear that the server is there.
    Sync {
        version: u64,
    },
    /// What they want to be called from now on.
    Name {
        name: String,
    },
    Play {
        #[serde(rename = "move")]
        text: String,
        /// The version the move was meant for.
        version: u64,
    },
    /// Squares were touched that make no legal move: why not?
    WhyNot {
        squares: Vec<usize>,
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
    /// What the table of a solved game says, or no more of that.
    Exact {
        on: bool,
    },
    /// A look at every position of a finished game.
    Review,
    /// No more of that.
    StopReview,
}

impl Request {
    /// Whether those may ask who only look on, perhaps not at any time.
    pub(crate) fn is_for_all(&self) -> bool {
        matches!(
            self,
            Request::Review
                | Request::StopReview
                | Request::Exact { .. }
                | Request::Sync { .. }
                | Request::Name { .. }
        )
    }
}

/// What the server says at a table.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Message<'m> {
    /// What this one may do.
    Welcome {
        host: bool,
        first: bool,
        second: bool,
    },
    /// The whole table, whenever it has changed.
    State(Told<'m>),
    /// Nothing has happened since the version that was named.
    Current {
        version: u64,
        clock: Option<ClockReading>,
        paused: bool,
        pace: u64,
        trouble: &'m Option<String>,
        opinions: &'m [Seen],
        review: &'m Option<Review>,
        exact: &'m Option<Exact>,
    },
    Thinking(&'m Thought),
    /// Who is here, whenever that has changed.
    People(PresenceEntry<'m>),
    /// The search under way was given up.
    Quiet,
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

    pub(crate) fn current(now: &State, clock: Option<ClockReading>) -> Message<'_> {
        Message::Current {
            version: now.version,
            clock,
            paused: now.paused,
            pace: now.pace,
            trouble: &now.trouble,
            opinions: &now.opinions,
            review: &now.review,
            exact: &now.view.exact,
        }
    }

    pub(crate) fn refused(refusal: &Refusal) -> Message<'_> {
        let body = refusal.body();
        Message::Refused { error: body.error, character: body.character }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("messages are JSON")
    }
}

/// A table as somebody hears of it, with its clocks at that moment.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "TableState"))]
pub(crate) struct Told<'s> {
    #[serde(flatten)]
    pub(crate) state: &'s State,
    pub(crate) clock: Option<ClockReading>,
}

/// What clocks show.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClockReading {
    /// How much time there is: `300`, `300+3` or `1/30`.
    pub(crate) control: String,
    /// What the first and the second player have left, in milliseconds.
    pub(crate) left: [u64; 2],
    /// Whose clock runs.
    #[cfg_attr(test, ts(as = "Option<crate::typescript::SideName>"))]
    pub(crate) running: Option<&'static str>,
}

/// How a game's board is drawn: see [`Look`].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Look"))]
pub(crate) struct LookEntry {
    #[cfg_attr(
        test,
        ts(type = "\"squares\" | \"chequered\" | \"felt\" | \"points\" | \"paper\" | \"rack\"")
    )]
    board: &'static str,
    #[cfg_attr(
        test,
        ts(
            type = "\"lettered\" | \"stones\" | \"discs\" | \"marks\" | \"draughtsmen\" | \"chessmen\""
        )
    )]
    pieces: &'static str,
    /// The colours of the first and the second player's pieces.
    #[cfg_attr(test, ts(as = "[crate::typescript::Colour; 2]"))]
    sides: [&'static str; 2],
    must_capture: &'static str,
    turns_over: bool,
    shows_moves: bool,
}

impl From<Look> for LookEntry {
    fn from(look: Look) -> LookEntry {
        LookEntry {
            board: look.board.name(),
            pieces: look.pieces.name(),
            sides: look.sides.map(Tint::name),
            must_capture: look.must_capture,
            turns_over: look.turns_over,
            shows_moves: look.shows_moves,
        }
    }
}

/// A table as everybody sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Standing"))]
pub(crate) struct State {
    pub(crate) id: String,
    pub(crate) version: u64,
    pub(crate) game: String,
    /// What it is called: a preset's name, if it is one; else as `game`.
    pub(crate) name: String,
    pub(crate) family: String,
    /// What the two sides are called in this game's files.
    pub(crate) colours: [&'static str; 2],
    pub(crate) look: LookEntry,
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
    /// Whether somebody has taken the first and the second player's seat for good.
    pub(crate) taken: [bool; 2],
    /// What bots and hints thought of positions, by ply.
    pub(crate) opinions: Vec<Seen>,
    /// What a look at the finished game found, if somebody asked for one.
    pub(crate) review: Option<Review>,
    /// Whether there is a table of this game.
    pub(crate) tabled: bool,
}

/// What was thought of the position after so many moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Seen {
    pub(crate) ply: usize,
    #[serde(flatten)]
    pub(crate) opinion: Opinion,
}

/// A position along a line.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Step {
    /// The move that led to it.
    #[serde(flatten)]
    pub(crate) spoken: Spoken,
    pub(crate) board: Board,
}

/// A position as everybody sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct View {
    /// How many moves of the line have been played.
    pub(crate) ply: usize,
    /// As text; left out of the states of large boards, where it is as long as the board.
    pub(crate) position: Option<String>,
    pub(crate) board: Board,
    /// `first` or `second`; null once the game is over.
    #[cfg_attr(test, ts(as = "Option<crate::typescript::SideName>"))]
    pub(crate) to_move: Option<&'static str>,
    /// The square of the king that is in check, if one is.
    pub(crate) check: Option<usize>,
    pub(crate) moves: Vec<Move>,
    /// Whether the moves are to all empty squares of a large board, and not listed.
    pub(crate) free: bool,
    pub(crate) outcome: Option<Ending>,
    pub(crate) claimable: bool,
    /// What the players may still agree on, as a question.
    pub(crate) to_agree: Option<&'static str>,
    /// What the table of this game says, if that is to be seen.
    pub(crate) exact: Option<Exact>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ending {
    /// `first`, `draw` or `second`.
    #[cfg_attr(test, ts(type = "SideName | \"draw\""))]
    value: &'static str,
    /// The first player's, where the game has margins.
    #[cfg_attr(test, ts(type = "number | null"))]
    margin: Option<Number>,
    /// `rules`, `claimed`, `resigned`, `agreed` or `time`.
    #[cfg_attr(test, ts(as = "crate::typescript::Reason"))]
    reason: &'static str,
    /// Which rule it was; null where players resigned or agreed.
    why: Option<Why>,
}

impl Ending {
    fn new(outcome: Outcome, reason: &'static str, why: Option<EndReason>) -> Ending {
        let margin = outcome.points().and_then(number);
        let value = outcome.winner().map_or("draw", side_name);
        Ending { value, margin, reason, why: why.map(Why::from) }
    }
}

/// Why the rules ended a game.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Why {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    Repetition {
        times: usize,
    },
    Quiet {
        plies: u16,
        #[cfg_attr(test, ts(as = "crate::typescript::Without"))]
        without: &'static str,
    },
    NoMove,
    NoPiece,
    NeitherMoves,
    TwoPasses,
    BoardFull,
    Line {
        count: usize,
    },
    Agreed,
}

impl From<EndReason> for Why {
    fn from(reason: EndReason) -> Why {
        match reason {
            EndReason::Checkmate => Why::Checkmate,
            EndReason::Stalemate => Why::Stalemate,
            EndReason::InsufficientMaterial => Why::InsufficientMaterial,
            EndReason::Repetition(times) => Why::Repetition { times },
            EndReason::Quiet { plies, without } => {
                let without = match without {
                    Decisive::CaptureOrPawn => "capture_or_pawn",
                    Decisive::CaptureOrMan => "capture_or_man",
                    Decisive::Capture => "capture",
                    Decisive::Ending => "ending",
                };
                Why::Quiet { plies, without }
            }
            EndReason::NoMove => Why::NoMove,
            EndReason::NoPiece => Why::NoPiece,
            EndReason::NeitherMoves => Why::NeitherMoves,
            EndReason::TwoPasses => Why::TwoPasses,
            EndReason::BoardFull => Why::BoardFull,
            EndReason::Line(count) => Why::Line { count },
            EndReason::Agreed => Why::Agreed,
        }
    }
}

impl View {
    pub(crate) fn of(sheet: &Sheet) -> View {
        let mut view = View::at(sheet.session(), sheet.names(), sheet.ply());
        if let Some((outcome, reason)) = sheet.outcome() {
            let why = matches!(reason, "rules" | "claimed").then(|| sheet.session().end_reason());
            view.outcome = Some(Ending::new(outcome, reason, why.flatten()));
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

    pub(crate) fn at(session: &dyn CompiledSession, names: &Names, ply: usize) -> View {
        let outcome = session.outcome();
        let board = Board::new(&session.diagram());
        let moves = session.moves();
        let free = board.is_free_to_all(names, &moves);
        let listed = if free { &[][..] } else { &moves };
        // The same moves by other squares.
        let others = if free { Vec::new() } else { session.other_texts() };
        let others = others.into_iter().map(|(text, other)| Move { text, ..names.outline(&other) });
        View {
            ply,
            position: Some(session.position()),
            board,
            to_move: outcome.is_none().then(|| side_name(session.to_move())),
            check: session.check().map(|king| names.index(king)),
            moves: listed.iter().map(|text| names.outline(text)).chain(others).collect(),
            free,
            outcome: outcome.map(|outcome| Ending::new(outcome, "rules", session.end_reason())),
            claimable: session.claimable().is_some(),
            to_agree: session.left_to_agree(),
            exact: None,
        }
    }
}

/// How far a search has come. Values are the first player's.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Thought {
    /// The version it is about.
    pub(crate) version: u64,
    /// How many moves had been played then.
    pub(crate) ply: usize,
    /// `move`, `hint` or `review`.
    #[cfg_attr(test, ts(type = "\"move\" | \"hint\" | \"review\""))]
    pub(crate) purpose: &'static str,
    /// Whether it has ended.
    pub(crate) done: bool,
    /// `first` or `second`.
    #[cfg_attr(test, ts(as = "crate::typescript::SideName"))]
    pub(crate) side: &'static str,
    pub(crate) depth: Option<u32>,
    pub(crate) selective_depth: u32,
    pub(crate) nodes: u64,
    pub(crate) milliseconds: u64,
    pub(crate) best: Option<Move>,
    pub(crate) lines: Vec<Line>,
    /// How many positions of a review are done.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) progress: Option<Progress>,
}

impl Thought {
    /// How far a review has come.
    pub(crate) fn of_review(version: u64, progress: Progress) -> Thought {
        Thought {
            version,
            ply: progress.of - 1,
            purpose: "review",
            done: false,
            side: side_name(game::Side::First),
            depth: None,
            selective_depth: 0,
            nodes: 0,
            milliseconds: 0,
            best: None,
            lines: Vec::new(),
            progress: Some(progress),
        }
    }

    /// What it says of its position, to be kept.
    pub(crate) fn opinion(&self) -> Option<Opinion> {
        let value = self.lines.first()?.value.clone();
        Some(Opinion { value, depth: self.depth })
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Progress {
    pub(crate) done: usize,
    pub(crate) of: usize,
}

/// A line that a search thinks of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Line {
    pub(crate) value: Worth,
    pub(crate) moves: Vec<Spoken>,
}

/// How a search is shown.
#[derive(Clone, Debug)]
pub(crate) struct Showing {
    pub(crate) version: u64,
    pub(crate) ply: usize,
    pub(crate) purpose: &'static str,
    pub(crate) side: &'static str,
    pub(crate) interpreter: Arc<Interpreter>,
    pub(crate) scale: Scale,
}

/// Writes lines from one position as people do.
pub(crate) struct Interpreter {
    names: Names,
    /// None where every move is written as it is.
    session: Option<Mutex<Box<dyn CompiledSession>>>,
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interpreter").finish_non_exhaustive()
    }
}

impl Interpreter {
    /// On large boards, where playing through lines takes a while and moves are squares, moves are left as they are.
    pub(crate) fn new(names: Names, session: Box<dyn CompiledSession>) -> Interpreter {
        let session = (!names.is_large()).then(|| Mutex::new(session));
        Interpreter { names, session }
    }

    pub(crate) fn outline(&self, text: &str) -> Move {
        self.names.outline(text)
    }

    pub(crate) fn line(&self, moves: &[String]) -> Vec<Spoken> {
        let moves = &moves[..moves.len().min(LONGEST_LINE)];
        let Some(session) = &self.session else {
            return moves.iter().map(|text| self.names.plain(text)).collect();
        };
        let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
        Interpreter::speak(&mut **session, &self.names, moves)
    }

    /// Plays through a line and back. What the rules do not know is told as it came.
    pub(crate) fn speak(
        session: &mut dyn CompiledSession,
        names: &Names,
        moves: &[String],
    ) -> Vec<Spoken> {
        let played = |text: &String| spoken_on(session, names, text).ok().map(|(spoken, _)| spoken);
        let mut spoken: Vec<Spoken> = moves.iter().map_while(played).collect();
        let count = spoken.len();
        for _ in 0..count {
            session.undo();
        }
        spoken.extend(moves[count..].iter().map(|text| names.plain(text)));
        spoken
    }
}

impl Showing {
    /// Progress as it is sent; lines that it does not tell stay those of before.
    pub(crate) fn thought(&self, info: &Info, before: Option<&Thought>) -> Thought {
        let lines = match info.lines.is_empty() {
            true => before.map_or_else(Vec::new, |before| before.lines.clone()),
            false => info.lines.iter().map(|line| self.line(line, false, info.scores)).collect(),
        };
        Thought {
            version: self.version,
            ply: self.ply,
            purpose: self.purpose,
            done: false,
            side: self.side,
            depth: info.depth,
            selective_depth: info.selective_depth,
            nodes: info.nodes,
            milliseconds: info.elapsed.as_millis() as u64,
            best: info.best.as_ref().map(|text| self.interpreter.outline(text)),
            lines,
            progress: None,
        }
    }

    pub(crate) fn line(&self, line: &InfoLine, exact: bool, scores: Option<Scores>) -> Line {
        let moves = self.interpreter.line(&line.moves);
        Line { value: self.scale.with(scores).worth(line.value, exact), moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hand castles by moving the king or by putting it onto its rook.
    #[test]
    fn castling_is_told_by_the_squares_of_both_ways() {
        for game in ["chess", "chess:fischer=518"] {
            let mut session = catalog::open(game).unwrap().session();
            let names = Names::new(&session.diagram());
            session.set_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
            let view = View::at(&*session, &names, 0);
            let castling = session.play("O-O").unwrap();
            for to in [6, 7] {
                let found = view.moves.iter().filter(|m| m.squares == [4, to]);
                let texts: Vec<&str> = found.map(|m| m.text.as_str()).collect();
                assert_eq!(texts, [castling.as_str()], "{game}");
            }
        }
    }

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
}
