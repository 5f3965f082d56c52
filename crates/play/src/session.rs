//! [`Session`]: a game under way, behind one object-safe door for command lines, protocols and
//! pages.

use crate::limits::Stop;
use crate::record::{Line, Ply, Record, Verdict};
use game::Diagram;
use game::Perft;
use game::Points;
use game::Square;
use game::TextError;
use game::mix;
use game::{DrawCount, EndReason};
use game::{Game, Side};
use game::{Notation, moves_of};
use game::{Path, Recall, allows};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The first player's margin.
    pub margin: i32,
    /// The largest margin of the game; 1 where it is just won or lost.
    pub margin_limit: i32,
    /// How many units of margin make a point.
    pub margin_scale: i32,
}

impl Outcome {
    /// Who won, if anybody.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        Verdict::of_margin(self.margin).winner()
    }

    /// The margin in points, where the game has margins.
    #[must_use]
    pub fn points(self) -> Option<Points> {
        (self.margin_limit > 1).then(|| Points::new(self.margin, self.margin_scale))
    }
}

/// A game under way, spoken to in text. Everything that is read is checked.
pub trait Session: Send {
    /// The game and its parameters.
    fn spec(&self) -> String;
    /// The current position in one line.
    fn position(&self) -> String;
    /// What of it the rules compare to see whether it was there before, in one line.
    fn repeatable_position(&self) -> String;
    /// Other texts of it, each with its name; with who wins under perfect play, as the sign of the first player's
    /// margin, where that is known and the text has room for it.
    fn position_texts(&self, value: Option<i32>) -> Vec<(&'static str, String)>;
    /// Goes to a position and forgets the moves that led elsewhere.
    fn set_position(&mut self, text: &str) -> Result<(), TextError>;
    /// The position before the first move, in one line.
    fn first_position(&self) -> String;
    /// Who moves next.
    fn to_move(&self) -> Side;
    /// The legal moves, those that `recall` forbids left out; none once the game is over.
    fn moves(&self) -> Vec<String>;
    /// Legal moves that name other squares in another text, each with that text.
    fn other_texts(&self) -> Vec<(String, String)>;
    /// Plays a move, as a person types it, and gives it back as the game writes it.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Why no legal move touches these squares in turn, as a hand does; they lie on the board of
    /// [`diagram`](Session::diagram).
    fn why_not(&self, squares: &[Square]) -> String;
    /// The legal moves that begin with what this says and go on, as a capture over several pieces does. Followed by a space
    /// and what comes next, the text is read as one move.
    fn moves_beginning(&self, text: &str) -> Vec<String>;
    /// Plays several moves, and those that people leave out between them. The error says which one was
    /// wrong; those before it stay played.
    fn play_all(&mut self, text: &str) -> Result<(), TextError>;
    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;
    /// The moves played since the start or the last `set_position`.
    fn played(&self) -> Vec<String>;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Why it has ended, if it has; prints as English words.
    fn end_reason(&self) -> Option<EndReason>;
    /// The square of the king of the side to move, if it is in check.
    fn check(&self) -> Option<Square>;
    /// How the game would end if the side to move claimed what the rules let it claim, as a draw after a
    /// position has come up three times.
    fn claimable(&self) -> Option<Outcome>;
    /// How far the counts have come by which the game is drawn; those that stand at nothing are left out.
    fn draw_counts(&self) -> Vec<DrawCount>;
    /// Ends the game by such a claim; false if there is nothing to claim.
    fn claim(&mut self) -> bool;
    /// What the players of a game that has just ended may still agree on, as a question.
    fn left_to_agree(&self) -> Option<&'static str>;
    /// Ends the game as the players agree, and says how.
    fn agree(&mut self, text: &str) -> Result<Outcome, TextError>;
    /// The game so far, for a file.
    fn record(&self) -> Record;
    /// Goes to the end of a recorded game. Rules that look back and end a game do not cut it short: a
    /// record tells what was played.
    ///
    /// # Errors
    /// Names the first move or position that the rules do not allow, and changes nothing.
    fn replay(&mut self, record: &Record) -> Result<(), TextError>;
    /// How many moves were played.
    fn plies(&self) -> usize;
    /// Tells games apart by their first position and their first so many moves; `None` if there are fewer.
    fn gist(&self, plies: usize) -> Option<u64>;
    /// The moves after the first so many.
    fn played_after(&self, plies: usize) -> Vec<String>;
    /// Goes to where another session of the same game is, and says whether that game has gone on from here. Then it takes
    /// no more time than the new moves do.
    ///
    /// # Errors
    /// As [`replay`](Session::replay).
    fn follow(&mut self, other: &dyn Session) -> Result<bool, TextError>;
    /// Counts the leaves of the game tree at `depth`, and tells how many there are below each move
    /// from here. A finished game is one leaf and has no moves. `None` if somebody says stop
    /// meanwhile.
    fn divide(&self, depth: u32, stop: &Stop, tell: &mut dyn FnMut(String, u64)) -> Option<u64>;
    /// The board with the last move marked.
    fn diagram(&self) -> Diagram;
    /// The current position as engines of this game tell each other.
    fn wire_position(&self) -> String;
    /// What such a position is in the usual text.
    fn read_wire_position(&self, text: &str) -> Result<String, TextError>;
    /// A legal move as engines of this game tell each other.
    fn wire_move(&self, text: &str) -> Result<String, TextError>;
    /// What such a move is in the usual text.
    fn read_wire_move(&self, text: &str) -> Result<String, TextError>;
    /// The first position and the moves since then, as engines of this game tell each other.
    fn wire_game(&self) -> (String, Vec<String>);
    /// Moves from here on, one after the other, as engines of this game tell each other; as far as they are legal.
    fn wire_line(&self, moves: &[String]) -> Vec<String>;
    /// What such moves are in the usual text; as far as they are legal.
    fn read_wire_line(&self, moves: &[String]) -> Vec<String>;
}

const OVER: &str = "the game is over";
const REPEATS: &str = "this would repeat an earlier position, which the rules forbid";

/// The session of any game that has a notation.
#[derive(Debug)]
pub struct GameSession<G: Game> {
    game: G,
    now: State<G>,
}

#[derive(Debug)]
struct State<G: Game> {
    position: G::Position,
    path: Path,
    played: Vec<Played<G>>,
    /// The first position, if it is not the usual start.
    start: Option<String>,
    settled: Option<Settled>,
}

/// How players ended a game that had not ended by itself, or changed how it had.
#[derive(Clone, Copy, Debug)]
struct Settled {
    margin: i32,
    reason: EndReason,
}

impl<G: Game> State<G> {
    /// Nothing was played yet.
    fn new(position: G::Position) -> State<G> {
        State { position, path: Path::new(), played: Vec::new(), start: None, settled: None }
    }

    /// Of the first position.
    fn first_gist(&self) -> u64 {
        let start = self.start.iter().flat_map(|start| start.bytes());
        mix(start.fold(0, |gist, byte| mix(gist ^ u64::from(byte))))
    }
}

#[derive(Debug)]
struct Played<G: Game> {
    m: G::Move,
    undo: G::Undo,
    text: String,
    /// Of all moves up to this one.
    gist: u64,
}

impl<G: Notation> GameSession<G> {
    /// A new game.
    pub fn new(game: G) -> GameSession<G> {
        let now = State::new(game.start());
        GameSession { game, now }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The current position, for searches.
    pub fn current(&self) -> &G::Position {
        &self.now.position
    }

    /// The moves after the first so many, as [`Session::played_after`] writes them.
    pub fn made_after(&self, plies: usize) -> Vec<G::Move> {
        self.now.played.iter().skip(plies).map(|played| played.m).collect()
    }

    /// The positions before it.
    pub fn path(&self) -> &Path {
        &self.now.path
    }

    /// The legal moves, those that `recall` forbids left out.
    pub fn legal(&self) -> Vec<G::Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = moves_of(&self.game, &self.now.position);
        moves.retain(|&m| self.allows(m));
        moves
    }

    /// Plays a legal move and gives it back as text.
    fn make(&mut self, m: G::Move) -> String {
        let text = self.game.write_move(&self.now.position, m);
        self.now.path.push(self.game.path_key(&self.now.position));
        let undo = self.game.make(&mut self.now.position, m);
        let before = self.now.played.last().map_or_else(|| self.now.first_gist(), |last| last.gist);
        let gist = text.bytes().fold(before, |gist, byte| mix(gist ^ u64::from(byte)));
        self.now.played.push(Played { m, undo, text: text.clone(), gist });
        text
    }

    /// Whether the rules that look back have nothing against a move.
    pub fn allows(&self, m: G::Move) -> bool {
        allows(&self.game, &self.now.position, &self.now.path, m)
    }

    fn read_allowed(&self, text: &str) -> Result<G::Move, TextError> {
        self.allowed(text, self.game.read_move(&self.now.position, text)?)
    }

    /// The move that this text means, unless the rules that look back forbid it.
    fn allowed(&self, text: &str, m: G::Move) -> Result<G::Move, TextError> {
        if self.allows(m) {
            return Ok(m);
        }
        Err(TextError::new(text, REPEATS))
    }

    fn play_record(&mut self, record: &Record) -> Result<(), TextError> {
        if let Some(start) = &record.start {
            self.set_position(start)?;
        }
        for ply in &record.line.plies {
            let m = self.read_allowed(&ply.text)?;
            self.make(m);
        }
        Ok(())
    }

    /// Moves from here on, one after the other, written in another way; as far as they are legal.
    pub fn rewrite(
        &self,
        moves: &[String],
        write: impl Fn(&G, &G::Position, G::Move) -> String,
    ) -> Vec<String> {
        self.translate(self.now.position.clone(), moves, G::read_move, write)
    }

    /// Reads moves from a position on and writes them anew, up to the first that is not legal.
    fn translate(
        &self,
        mut position: G::Position,
        moves: &[String],
        read: impl Fn(&G, &G::Position, &str) -> Result<G::Move, TextError>,
        write: impl Fn(&G, &G::Position, G::Move) -> String,
    ) -> Vec<String> {
        let translated = moves.iter().map_while(|text| {
            let goes_on = self.game.margin(&position).is_none();
            let m = goes_on.then(|| read(&self.game, &position, text))?.ok()?;
            let written = write(&self.game, &position, m);
            self.game.make(&mut position, m);
            Some(written)
        });
        translated.collect()
    }

    fn outcome_of(&self, margin: i32) -> Outcome {
        let (margin_limit, margin_scale) = (self.game.margin_limit(), self.game.margin_scale());
        Outcome { margin, margin_limit, margin_scale }
    }
}

impl<G: Notation> Session for GameSession<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn position(&self) -> String {
        self.game.write_position(&self.now.position)
    }

    fn repeatable_position(&self) -> String {
        self.game.write_repeatable(&self.now.position)
    }

    fn position_texts(&self, value: Option<i32>) -> Vec<(&'static str, String)> {
        self.game.position_texts(&self.now.position, value)
    }

    fn first_position(&self) -> String {
        let usual = || self.game.write_position(&self.game.start());
        self.now.start.clone().unwrap_or_else(usual)
    }

    fn set_position(&mut self, text: &str) -> Result<(), TextError> {
        self.now = State::new(self.game.read_position(text)?);
        let usual = self.now.position == self.game.start();
        self.now.start = (!usual).then(|| self.position());
        Ok(())
    }

    fn to_move(&self) -> Side {
        self.game.to_move(&self.now.position)
    }

    fn moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|m| self.game.write_move(&self.now.position, m)).collect()
    }

    fn other_texts(&self) -> Vec<(String, String)> {
        let p = &self.now.position;
        let both = |m| Some((self.game.write_move(p, m), self.game.other_text(p, m)?));
        self.legal().into_iter().filter_map(both).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        if self.outcome().is_some() {
            return Err(TextError::new(text, OVER));
        }
        let m = self.allowed(text, self.game.read_typed_move(&self.now.position, text)?)?;
        Ok(self.make(m))
    }

    fn why_not(&self, squares: &[Square]) -> String {
        if self.outcome().is_some() {
            return OVER.to_owned();
        }
        let why = self.game.why_not(&self.now.position, squares);
        why.unwrap_or_else(|| REPEATS.to_owned())
    }

    fn moves_beginning(&self, text: &str) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let p = &self.now.position;
        let moves = self.game.moves_beginning(p, text).into_iter().filter(|&m| self.allows(m));
        moves.map(|m| self.game.write_move(p, m)).collect()
    }

    fn play_all(&mut self, text: &str) -> Result<(), TextError> {
        for (i, part) in self.game.split_moves(text).into_iter().enumerate() {
            while self.outcome().is_none()
                && let Some(m) = self.game.left_out(&self.now.position, part)
            {
                self.make(m);
            }
            self.play(part)
                .map_err(|e| TextError::new(part, format!("move {}: {}", i + 1, e.why())))?;
        }
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some(Played { m, undo, .. }) = self.now.played.pop() else {
            return false;
        };
        self.game.unmake(&mut self.now.position, m, undo);
        self.now.path.pop();
        self.now.settled = None;
        true
    }

    fn played(&self) -> Vec<String> {
        self.now.played.iter().map(|played| played.text.clone()).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = |margin| Some(self.outcome_of(margin));
        let settled = self.now.settled.map(|settled| settled.margin);
        if let Some(margin) = settled.or_else(|| self.game.margin(&self.now.position)) {
            return over(margin);
        }
        if let Recall::Over(margin) = self.game.recall(&self.now.position, &self.now.path) {
            return over(margin);
        }
        // A list of all moves of a large board is not made for nothing.
        if !G::GETS_STUCK && !self.game.looks_back() {
            return None;
        }
        let moves = moves_of(&self.game, &self.now.position);
        let blocked = !moves.iter().any(|&m| self.allows(m));
        if blocked { over(self.game.stuck(&self.now.position)) } else { None }
    }

    fn end_reason(&self) -> Option<EndReason> {
        self.outcome()?;
        let by_rules = || self.game.end_reason(&self.now.position, &self.now.path);
        Some(self.now.settled.map_or_else(by_rules, |settled| settled.reason))
    }

    fn check(&self) -> Option<Square> {
        self.game.check(&self.now.position)
    }

    fn claimable(&self) -> Option<Outcome> {
        match self.game.recall(&self.now.position, &self.now.path) {
            Recall::Claim(margin) if self.outcome().is_none() => Some(self.outcome_of(margin)),
            _ => None,
        }
    }

    fn draw_counts(&self) -> Vec<DrawCount> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.game.draw_counts(&self.now.position, &self.now.path),
        }
    }

    fn claim(&mut self) -> bool {
        let Some(outcome) = self.claimable() else {
            return false;
        };
        let reason = self.game.end_reason(&self.now.position, &self.now.path);
        self.now.settled = Some(Settled { margin: outcome.margin, reason });
        true
    }

    fn left_to_agree(&self) -> Option<&'static str> {
        let ended = self.now.settled.is_none() && self.game.margin(&self.now.position).is_some();
        if ended { self.game.left_to_agree(&self.now.position) } else { None }
    }

    fn agree(&mut self, text: &str) -> Result<Outcome, TextError> {
        if self.left_to_agree().is_none() {
            return Err(TextError::new(text, "there is nothing to agree on here"));
        }
        let margin = self.game.agreed(&self.now.position, text)?;
        self.now.settled = Some(Settled { margin, reason: EndReason::Agreed });
        Ok(self.outcome_of(margin))
    }

    fn record(&self) -> Record {
        let plies = self
            .now
            .played
            .iter()
            .map(|played| Ply { text: played.text.clone(), ..Ply::default() });
        Record {
            tags: Vec::new(),
            start: self.now.start.clone(),
            line: Line { comment: String::new(), plies: plies.collect() },
            result: self.outcome().map(|outcome| Verdict::of_margin(outcome.margin)),
        }
    }

    fn replay(&mut self, record: &Record) -> Result<(), TextError> {
        let before = std::mem::replace(&mut self.now, State::new(self.game.start()));
        let replayed = self.play_record(record);
        if replayed.is_err() {
            self.now = before;
        }
        replayed
    }

    fn plies(&self) -> usize {
        self.now.played.len()
    }

    fn gist(&self, plies: usize) -> Option<u64> {
        match plies.checked_sub(1) {
            None => Some(self.now.first_gist()),
            Some(last) => self.now.played.get(last).map(|played| played.gist),
        }
    }

    fn played_after(&self, plies: usize) -> Vec<String> {
        self.now.played.iter().skip(plies).map(|played| played.text.clone()).collect()
    }

    fn follow(&mut self, other: &dyn Session) -> Result<bool, TextError> {
        let own = self.plies();
        if other.gist(own) != self.gist(own) {
            return self.replay(&other.record()).map(|()| false);
        }
        for text in other.played_after(own) {
            let m = self.read_allowed(&text)?;
            self.make(m);
        }
        Ok(true)
    }

    fn divide(&self, depth: u32, stop: &Stop, tell: &mut dyn FnMut(String, u64)) -> Option<u64> {
        let (game, mut p) = (&self.game, self.now.position.clone());
        if game.margin(&p).is_some() {
            return Some(1);
        }
        let mut counter = Perft::new(game);
        let mut sum = 0;
        for m in moves_of(game, &p) {
            let text = game.write_move(&p, m);
            let undo = game.make(&mut p, m);
            let leaves =
                counter.count_until(&mut p, depth.saturating_sub(1), &|| stop.is_stopped());
            game.unmake(&mut p, m, undo);
            sum += leaves?;
            tell(text, leaves?);
        }
        Some(sum)
    }

    fn diagram(&self) -> Diagram {
        self.game.diagram(&self.now.position, self.now.played.last().map(|played| played.m))
    }

    fn wire_position(&self) -> String {
        self.game.write_wire_position(&self.now.position)
    }

    fn read_wire_position(&self, text: &str) -> Result<String, TextError> {
        self.game.read_wire_position(text).map(|p| self.game.write_position(&p))
    }

    fn wire_move(&self, text: &str) -> Result<String, TextError> {
        let m = self.game.read_move(&self.now.position, text)?;
        Ok(self.game.write_wire_move(&self.now.position, m))
    }

    fn read_wire_move(&self, text: &str) -> Result<String, TextError> {
        let m = self.game.read_wire_move(&self.now.position, text)?;
        Ok(self.game.write_move(&self.now.position, m))
    }

    fn wire_game(&self) -> (String, Vec<String>) {
        let mut position = self
            .now
            .start
            .as_ref()
            .and_then(|text| self.game.read_position(text).ok())
            .unwrap_or_else(|| self.game.start());
        let first = self.game.write_wire_position(&position);
        let moves = self.now.played.iter().map(|played| {
            let text = self.game.write_wire_move(&position, played.m);
            self.game.make(&mut position, played.m);
            text
        });
        (first, moves.collect())
    }

    fn wire_line(&self, moves: &[String]) -> Vec<String> {
        self.rewrite(moves, G::write_wire_move)
    }

    fn read_wire_line(&self, moves: &[String]) -> Vec<String> {
        self.translate(self.now.position.clone(), moves, G::read_wire_move, G::write_move)
    }
}
