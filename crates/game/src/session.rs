//! [`Session`]: a game under way, behind one object-safe door for command lines, protocols and
//! pages.

use crate::diagram::Diagram;
use crate::notation::{Notation, moves_of};
use crate::path::{Path, Recall};
use crate::rules::{Game, Side};
use crate::text_error::TextError;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The first player's margin.
    pub margin: i32,
    /// The largest margin of the game; 1 where it is just won or lost.
    pub margin_limit: i32,
}

impl Outcome {
    /// Who won, if anybody.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self.margin.signum() {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        }
    }
}

/// A game under way, spoken to in text. Everything that is read is checked.
pub trait Session: Send {
    /// The game and its parameters.
    fn spec(&self) -> String;
    /// The current position in one line.
    fn position(&self) -> String;
    /// Goes to a position and forgets the moves that led elsewhere.
    fn set_position(&mut self, text: &str) -> Result<(), TextError>;
    /// Who moves next.
    fn to_move(&self) -> Side;
    /// The legal moves, those that `recall` forbids left out; none once the game is over.
    fn moves(&self) -> Vec<String>;
    /// Plays a move and gives it back as the game writes it.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Plays several moves, and those that people leave out between them. The error says which one was
    /// wrong; those before it stay played.
    fn play_all(&mut self, text: &str) -> Result<(), TextError>;
    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;
    /// The moves played since the start or the last `set_position`.
    fn played(&self) -> Vec<String>;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The board with the last move marked.
    fn diagram(&self) -> Diagram;
}

/// The session of any game that has a notation.
#[derive(Debug)]
pub struct GameSession<G: Game> {
    game: G,
    position: G::Position,
    path: Path,
    played: Vec<Played<G>>,
}

#[derive(Debug)]
struct Played<G: Game> {
    m: G::Move,
    undo: G::Undo,
    text: String,
}

impl<G: Notation> GameSession<G> {
    /// A new game.
    pub fn new(game: G) -> GameSession<G> {
        let position = game.start();
        GameSession { game, position, path: Path::new(), played: Vec::new() }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The current position, for searches.
    pub fn current(&self) -> &G::Position {
        &self.position
    }

    /// The positions before it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The legal moves, those that `recall` forbids left out.
    pub fn legal(&self) -> Vec<G::Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = moves_of(&self.game, &self.position);
        moves.retain(|&m| self.allowed(m));
        moves
    }

    /// Plays a legal move and gives it back as text.
    fn make(&mut self, m: G::Move) -> String {
        let text = self.game.write_move(&self.position, m);
        self.path.push(self.game.path_key(&self.position));
        let undo = self.game.make(&mut self.position, m);
        self.played.push(Played { m, undo, text: text.clone() });
        text
    }

    /// Whether the rules that look back have nothing against a move.
    fn allowed(&self, m: G::Move) -> bool {
        if !self.game.looks_back() {
            return true;
        }
        let (mut position, mut path) = (self.position.clone(), self.path.clone());
        path.push(self.game.path_key(&position));
        self.game.make(&mut position, m);
        self.game.recall(&position, &path) != Recall::Forbidden
    }
}

impl<G: Notation> Session for GameSession<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn position(&self) -> String {
        self.game.write_position(&self.position)
    }

    fn set_position(&mut self, text: &str) -> Result<(), TextError> {
        self.position = self.game.read_position(text)?;
        self.path = Path::new();
        self.played.clear();
        Ok(())
    }

    fn to_move(&self) -> Side {
        self.game.to_move(&self.position)
    }

    fn moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|m| self.game.write_move(&self.position, m)).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        if self.outcome().is_some() {
            return Err(TextError::new(text, "the game is over"));
        }
        let m = self.game.read_move(&self.position, text)?;
        if !self.allowed(m) {
            return Err(TextError::new(
                text,
                "this would repeat an earlier position, which the rules forbid",
            ));
        }
        Ok(self.make(m))
    }

    fn play_all(&mut self, text: &str) -> Result<(), TextError> {
        for (i, part) in self.game.split_moves(text).into_iter().enumerate() {
            while self.outcome().is_none()
                && let Some(m) = self.game.left_out(&self.position, part)
            {
                self.make(m);
            }
            self.play(part)
                .map_err(|e| TextError::new(part, format!("move {}: {}", i + 1, e.why())))?;
        }
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some(Played { m, undo, .. }) = self.played.pop() else {
            return false;
        };
        self.game.unmake(&mut self.position, m, undo);
        self.path.pop();
        true
    }

    fn played(&self) -> Vec<String> {
        self.played.iter().map(|played| played.text.clone()).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = |margin| Some(Outcome { margin, margin_limit: self.game.margin_limit() });
        if let Some(margin) = self.game.margin(&self.position) {
            return over(margin);
        }
        if let Recall::Over(margin) = self.game.recall(&self.position, &self.path) {
            return over(margin);
        }
        let moves = moves_of(&self.game, &self.position);
        let blocked = !moves.iter().any(|&m| self.allowed(m));
        if blocked { over(self.game.stuck(&self.position)) } else { None }
    }

    fn diagram(&self) -> Diagram {
        self.game.diagram(&self.position, self.played.last().map(|played| played.m))
    }
}
