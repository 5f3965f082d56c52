//! [`EndReason`]: why a game is over, as plain data that prints as English words.

use std::fmt;

/// Why a game is over, or would be if somebody claimed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The side to move is in check and has no move.
    Checkmate,
    /// The side to move has no move and is not in check; the game is drawn.
    Stalemate,
    /// Nobody can mate with the pieces that are left.
    InsufficientMaterial,
    /// The same position so many times.
    Repetition(usize),
    /// A count of plies in which nothing decisive happened has run out.
    Quiet {
        /// Of both sides together.
        plies: u16,
        /// What would have started the count anew.
        without: Decisive,
    },
    /// The side to move has pieces and cannot move one; it has lost.
    NoMove,
    /// The side to move has no piece left; it has lost.
    NoPiece,
    /// Neither side can move.
    NeitherMoves,
    /// Both players passed, one after the other.
    TwoPasses,
    /// There is no empty square left.
    BoardFull,
    /// So many in a row.
    Line(usize),
    /// The players agreed on what the rules leave to them.
    Agreed,
}

/// What starts a count of quiet plies anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decisive {
    /// A capture or a move of a pawn, as in chess.
    CaptureOrPawn,
    /// A capture or a move of a man, as in draughts.
    CaptureOrMan,
    /// A piece was taken.
    Capture,
    /// Another ending: the present one has few pieces and a count of its own.
    Ending,
}

/// How far a count has come that ends the game, or lets a player claim a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawCount {
    /// Where it stands.
    pub done: usize,
    /// What it leads to: quiet plies or repetition.
    pub end: EndReason,
}

impl DrawCount {
    /// Where it ends.
    #[must_use]
    pub fn of(&self) -> usize {
        match self.end {
            EndReason::Quiet { plies, .. } => plies.into(),
            EndReason::Repetition(times) => times,
            _ => self.done,
        }
    }
}

impl fmt::Display for DrawCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawCount { done, end } = self;
        match end {
            EndReason::Quiet { plies, without } => write!(f, "{done} of {plies} plies {without}"),
            EndReason::Repetition(times) => write!(f, "{done} of {times} times the same position"),
            other => other.fmt(f),
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match *self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::InsufficientMaterial => "insufficient material",
            EndReason::Repetition(2) => "the same position twice",
            EndReason::Repetition(times) => {
                return write!(f, "the same position {times} times");
            }
            EndReason::Quiet { plies, without } => {
                let count = match plies {
                    even if even % 2 == 0 => format!("{} moves", plies / 2),
                    odd => format!("{odd} plies"),
                };
                return write!(f, "{count} {without}");
            }
            EndReason::NoMove => "no move left",
            EndReason::NoPiece => "no piece left",
            EndReason::NeitherMoves => "neither side can move",
            EndReason::TwoPasses => "two passes in a row",
            EndReason::BoardFull => "the board is full",
            EndReason::Line(count) => return write!(f, "{count} in a row"),
            EndReason::Agreed => "as the players agreed",
        };
        f.write_str(words)
    }
}

impl fmt::Display for Decisive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decisive::CaptureOrPawn => "without a capture or a pawn move",
            Decisive::CaptureOrMan => "without a capture or a move of a man",
            Decisive::Capture => "without a capture",
            Decisive::Ending => "in an ending with few pieces",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_words() {
        let quiet = |plies, without| EndReason::Quiet { plies, without }.to_string();
        assert_eq!(
            quiet(100, Decisive::CaptureOrPawn),
            "50 moves without a capture or a pawn move"
        );
        assert_eq!(quiet(81, Decisive::Capture), "81 plies without a capture");
        assert_eq!(quiet(32, Decisive::Ending), "16 moves in an ending with few pieces");
        assert_eq!(EndReason::Repetition(3).to_string(), "the same position 3 times");
        assert_eq!(EndReason::Line(5).to_string(), "5 in a row");
        let without = Decisive::Capture;
        let count = DrawCount { done: 12, end: EndReason::Quiet { plies: 80, without } };
        assert_eq!((count.of(), &*count.to_string()), (80, "12 of 80 plies without a capture"));
        let count = DrawCount { done: 2, end: EndReason::Repetition(3) };
        assert_eq!((count.of(), &*count.to_string()), (3, "2 of 3 times the same position"));
    }
}
