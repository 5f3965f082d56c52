//! Moves as UCI writes them, and the board.
//!
//! * **A move** is the square it leaves and the square it goes to, `e2e4`, with a letter for the
//!   piece a pawn becomes, `e7e8q`. Castling is the king's move in chess, `e1g1`, and king takes
//!   rook in Fischer random chess, `e1h1`; either is read in both, where it can mean nothing else.
//!   What does not look like this is read as [`San`](super::San).
//! * **A position** is FEN: see `fen`.

use game::{
    BoardStyle, Diagram, DrawCount, EndReason, Look, Mark, Notation, Path, PieceSet, RowOne, Side,
    Square, TextError, Tint, moves_of,
};

use super::board::{GRID, Kind, bit_of, name_of, square_of};
use super::position::{Chess, Move, Position, Special, castled};
use super::{fen, packed, recall, san, why};

impl Notation for Chess {
    fn spec(&self) -> String {
        self.parameters().to_string()
    }

    fn write_position(&self, p: &Position) -> String {
        fen::write(self, p)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        fen::read(self, text)
    }

    fn pack(&self, p: &Position) -> Vec<u8> {
        packed::pack(p)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Position, TextError> {
        packed::unpack(self, bytes)
    }

    fn write_repeatable(&self, p: &Position) -> String {
        fen::write_repeatable(self, p)
    }

    fn write_move(&self, _: &Position, m: Move) -> String {
        uci(self, m)
    }

    fn read_move(&self, p: &Position, text: &str) -> Result<Move, TextError> {
        let Some(said) = Said::read(text) else {
            return san::read(self, p, text);
        };
        let legal = moves_of(self, p);
        let exact = legal.iter().find(|&&m| said == Said::of(m, m.to()));
        let castles = |m: &&Move| m.special() == Special::Castling;
        let by_king = |m: &&Move| said == Said::of(**m, castled(m.from(), m.to()).king);
        let found = exact.or_else(|| legal.iter().filter(castles).find(by_king));
        found.copied().ok_or_else(|| TextError::new(text, self.illegal(p, &legal, &said)))
    }

    fn end_reason(&self, p: &Position, path: &Path) -> EndReason {
        recall::end_reason(self, p, path)
    }

    fn check(&self, p: &Position) -> Option<Square> {
        self.in_check(p).then(|| square_of(p.board.king(p.side)))
    }

    /// Castling in the form that is not written, unless that is another move.
    fn other_text(&self, p: &Position, m: Move) -> Option<String> {
        let castled = (m.special() == Special::Castling).then(|| castled(m.from(), m.to()))?;
        let to = if self.is_fischer() { castled.king } else { m.to() };
        let text = name_of(m.from()) + &name_of(to);
        let names_others = to != m.from() && text != uci(self, m);
        (names_others && self.read_move(p, &text) == Ok(m)).then_some(text)
    }

    fn why_not(&self, p: &Position, squares: &[Square]) -> Option<String> {
        let (&from, rest) = squares.split_first()?;
        Some(why::reason(self, p, bit_of(from), rest.last().map(|&to| bit_of(to))))
    }

    fn draw_counts(&self, p: &Position, path: &Path) -> Vec<DrawCount> {
        recall::counts(self, p, path)
    }

    fn look(&self) -> Look {
        Look {
            board: BoardStyle::Chequered,
            pieces: PieceSet::Chessmen,
            sides: [Tint::Light, Tint::Dark],
            ..Look::default()
        }
    }

    fn diagram(&self, p: &Position, last: Option<Move>) -> Diagram {
        let glyph = |square| {
            p.board.piece_at(bit_of(square)).map_or('.', |(side, kind)| fen::letter(side, kind))
        };
        let owner = |square| p.board.piece_at(bit_of(square)).map(|(side, _)| side);
        let mut diagram =
            Diagram::new(GRID, RowOne::Bottom, glyph).with_owners(owner).with_below(Side::First);
        if let Some(m) = last {
            diagram.mark(square_of(arrival(m)), Mark::Last);
        }
        diagram
    }
}

/// A move in the form of UCI.
pub(super) fn uci(game: &Chess, m: Move) -> String {
    let to = if game.is_fischer() { m.to() } else { arrival(m) };
    let mut text = name_of(m.from()) + &name_of(to);
    if let Special::Promotion(kind) = m.special() {
        text.push(kind.letter());
    }
    text
}

/// Where the piece that is moved comes to, in castling the king.
pub(super) fn arrival(m: Move) -> usize {
    match m.special() {
        Special::Castling => castled(m.from(), m.to()).king,
        _ => m.to(),
    }
}

/// What a text in the form of UCI says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said {
    from: usize,
    to: usize,
    promotion: Option<Kind>,
}

impl Said {
    fn of(m: Move, to: usize) -> Said {
        let promotion = match m.special() {
            Special::Promotion(kind) => Some(kind),
            _ => None,
        };
        Said { from: m.from(), to, promotion }
    }

    /// Two squares and perhaps a letter, in either case; but `B1d4` is a bishop's move in SAN.
    fn read(text: &str) -> Option<Said> {
        let text = text.trim();
        if text.starts_with('B') && text.get(2..3)?.starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        let square = |part: Option<&str>| GRID.read(part?).ok().map(bit_of);
        let (from, to) = (square(text.get(..2))?, square(text.get(2..4))?);
        let rest: Vec<char> = text[4..].chars().collect();
        let promotion = match rest.as_slice() {
            [] => None,
            &[c] => Some(Kind::from_letter(c).filter(|kind| Kind::PROMOTIONS.contains(kind))?),
            _ => return None,
        };
        Some(Said { from, to, promotion })
    }
}

impl Chess {
    /// Whether castling is written as king takes rook.
    fn is_fischer(&self) -> bool {
        self.parameters().fischer_number().is_some()
    }

    /// What is wrong with a move that is not legal, and what would be right.
    fn illegal(&self, p: &Position, legal: &[Move], said: &Said) -> String {
        if legal.is_empty() {
            return "the game is over".to_owned();
        }
        let its: Vec<Move> = legal.iter().copied().filter(|m| m.from() == said.from).collect();
        // Where the squares are right, the letter of the promotion is not.
        let reason = match (its.iter().any(|m| m.to() == said.to), said.promotion) {
            (true, None) => "say what the pawn becomes".to_owned(),
            (true, Some(_)) => "nothing is promoted here".to_owned(),
            (false, _) => why::reason(self, p, said.from, Some(said.to)),
        };
        if its.is_empty() {
            return format!("{reason}; the moves are {}", self.list(legal));
        }
        let piece = p.board.kind_at(said.from).map_or("piece", Kind::name);
        let square = name_of(said.from);
        format!("{reason}; the moves of the {piece} on {square} are {}", self.list(&its))
    }

    fn list(&self, moves: &[Move]) -> String {
        moves.iter().map(|&m| uci(self, m)).collect::<Vec<_>>().join(" ")
    }
}
