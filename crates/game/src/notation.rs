//! [`Notation`]: positions, moves and games as text, and positions as bytes.

use crate::diagram::Diagram;
use crate::end_reason::{DrawCount, EndReason};
use crate::grid::Square;
use crate::look::Look;
use crate::packing::{Unpacker, read_unpacked};
use crate::path::Path;
use crate::rules::Game;
use crate::text_error::TextError;

/// Text of a game, as its family usually writes it: UCI for chess, transcripts for Reversi. Other ways are
/// [`Dialect`]s.
///
/// Reading checks everything, so that what comes out can be trusted; what is written reads back as
/// the same position or move.
pub trait Notation: Game {
    /// The name of this game with its parameters, as it was asked for: `mnk:3x3,k=3`.
    fn spec(&self) -> String;

    /// A position in one line.
    fn write_position(&self, p: &Self::Position) -> String;

    /// Reads a position and makes sure that the rules can go on from it.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// What of a position the rules compare to see whether it was there before, in one line that reads as a
    /// position: no move clocks, and nothing that can have no effect.
    fn write_repeatable(&self, p: &Self::Position) -> String {
        self.write_position(p)
    }

    /// Other texts of a position that are read too, each with its name. Where a text has room for it, the sign of the
    /// first player's margin under perfect play follows, if that is known.
    fn position_texts(&self, _: &Self::Position, _: Option<i32>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A position in few bytes, for those who keep or send many. Equal positions have equal bytes,
    /// different positions different ones: nothing that text keeps is left out. By default they are
    /// the bytes of [`write_position`](Notation::write_position); [`Packer`](crate::Packer) makes
    /// fewer.
    fn pack(&self, p: &Self::Position) -> Vec<u8> {
        self.write_position(p).into_bytes()
    }

    /// Reads what [`pack`](Notation::pack) wrote. Bytes come from outside as text does: the position
    /// is checked as strictly as [`read_position`](Notation::read_position) checks it, and bytes
    /// that `pack` would not have written are refused, whatever position they might mean.
    fn unpack(&self, bytes: &[u8]) -> Result<Self::Position, TextError> {
        let wrong = "this game packs positions as text, which these bytes are not";
        let text = std::str::from_utf8(bytes).map_err(|_| Unpacker::new(bytes).wrong(wrong))?;
        read_unpacked(self, text, bytes)
    }

    /// The name of a position wherever it is stored or sent: its smallest packed image, by bytes, and
    /// the symmetry that leads there, of several the first. All images have the same name. Where
    /// there is no one image for all ([`CANONICAL`](Game::CANONICAL)), the position itself.
    fn canonical_name(&self, p: &Self::Position) -> (Vec<u8>, usize) {
        let images = if Self::CANONICAL { self.symmetries() } else { 1 };
        let packed =
            (0..images).map(|symmetry| (self.pack(&self.transform(p, symmetry)), symmetry));
        packed.min().unwrap_or_default()
    }

    /// A move that was generated for this position.
    fn write_move(&self, p: &Self::Position, m: Self::Move) -> String;

    /// Reads a move; what comes back is legal here (but for `recall`).
    fn read_move(&self, p: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    /// Another text that is read as this move and names other squares, where hands make it in two ways.
    fn other_text(&self, _p: &Self::Position, _m: Self::Move) -> Option<String> {
        None
    }

    /// Reads a move as a person types it: whatever [`read_move`](Notation::read_move) reads, and what else can only mean
    /// one legal move. Files and proofs are read by `read_move`.
    fn read_typed_move(&self, p: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
        self.read_move(p, text)
    }

    /// The legal moves that begin with what this says and go on: captures over several pieces. What comes next may be
    /// typed after a space.
    fn moves_beginning(&self, _p: &Self::Position, _text: &str) -> Vec<Self::Move> {
        Vec::new()
    }

    /// How far the counts have come by which the game is drawn; those that stand at nothing are left out.
    fn draw_counts(&self, _p: &Self::Position, _path: &Path) -> Vec<DrawCount> {
        Vec::new()
    }

    /// Cuts the text of several moves into the text of each. Families whose moves are written
    /// without spaces override it.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text.split_whitespace().collect()
    }

    /// A move that people leave out when they write down this one after it, as they do with forced
    /// passes in Reversi transcripts.
    fn left_out(&self, _p: &Self::Position, _text: &str) -> Option<Self::Move> {
        None
    }

    /// Why the game is over here, or would be if somebody claimed it; asked where one of the two is so.
    /// `path` holds the positions before this one.
    fn end_reason(&self, p: &Self::Position, path: &Path) -> EndReason;

    /// The square of the king of the side to move, if it is in check.
    fn check(&self, _p: &Self::Position) -> Option<Square> {
        None
    }

    /// Why no legal move touches these squares in turn, as a hand does: first the piece, then where it shall
    /// go. `None` if nothing but [`recall`](Game::recall) is against it. Asked of an unfinished game.
    fn why_not(&self, _p: &Self::Position, _squares: &[Square]) -> Option<String> {
        Some("not a legal move here".to_owned())
    }

    /// What the players of a finished game may still agree on, as a question: which stones are dead.
    fn left_to_agree(&self, _p: &Self::Position) -> Option<&'static str> {
        None
    }

    /// The first player's margin if the players of a finished game agree on this answer.
    fn agreed(&self, _p: &Self::Position, text: &str) -> Result<i32, TextError> {
        Err(TextError::new(text, "the rules of this game leave nothing to agree on"))
    }

    /// A position as engines of this game tell each other, where that is not the usual text.
    fn write_wire_position(&self, p: &Self::Position) -> String {
        self.write_position(p)
    }

    /// Reads a position as engines tell each other.
    fn read_wire_position(&self, text: &str) -> Result<Self::Position, TextError> {
        self.read_position(text)
    }

    /// A move as engines of this game tell each other, where that is not the usual text.
    fn write_wire_move(&self, p: &Self::Position, m: Self::Move) -> String {
        self.write_move(p, m)
    }

    /// Reads a move as engines tell each other; what comes back is legal here (but for `recall`).
    fn read_wire_move(&self, p: &Self::Position, text: &str) -> Result<Self::Move, TextError> {
        self.read_move(p, text)
    }

    /// How the board is drawn where it is drawn.
    fn look(&self) -> Look {
        Look::default()
    }

    /// The board, with the last move and the winning line marked where there are such.
    fn diagram(&self, p: &Self::Position, last: Option<Self::Move>) -> Diagram;
}

/// Another way to write what [`Notation`] writes, named by a type: `San::write_move(&chess, …)`. It keeps
/// the same promises.
pub trait Dialect<G: Notation> {
    /// A position in one line; by default the usual one.
    fn write_position(game: &G, p: &G::Position) -> String {
        game.write_position(p)
    }

    /// Reads a position and makes sure that the rules can go on from it.
    fn read_position(game: &G, text: &str) -> Result<G::Position, TextError> {
        game.read_position(text)
    }

    /// A move that was generated for this position.
    fn write_move(game: &G, p: &G::Position, m: G::Move) -> String;

    /// Reads a move; what comes back is legal here (but for `recall`).
    fn read_move(game: &G, p: &G::Position, text: &str) -> Result<G::Move, TextError>;
}

/// The dialect that is the usual text.
#[derive(Clone, Copy, Debug)]
pub enum Usual {}

impl<G: Notation> Dialect<G> for Usual {
    fn write_move(game: &G, p: &G::Position, m: G::Move) -> String {
        game.write_move(p, m)
    }

    fn read_move(game: &G, p: &G::Position, text: &str) -> Result<G::Move, TextError> {
        game.read_move(p, text)
    }
}

/// All generated moves as a list.
pub fn moves_of<G: Game>(game: &G, p: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.margin(p).is_none() {
        game.generate(p, &mut moves);
    }
    moves
}
