//! PDN: numbered squares, moves and positions.
//!
//! * **A square** is a number or, in Russian and Czech draughts, a column and a row; both are read
//!   everywhere. Where square 1 is depends on the [`Numbering`](super::Numbering).
//! * **A move** is `11-15`, a capture `25x14`; with all the squares on its way, `25x14x3x12`, where
//!   several captures have the same ends. Either form is read where it is clear, and `x` or `:` in
//!   captures. Russian and Czech captures are written `c3:e5`. People may type any sign or none
//!   (`c3d4`, `11 15`), and `11-18` for a capture where no other move has these ends.
//! * **A position** is a FEN of PDN: the side to move, then each colour's squares, with a K before
//!   those of kings: `W:W21,22,K5:B1,K30`. Ranges are read, `W31-50`, and so are either order of
//!   colours, a full stop at the end, and the tag `[FEN "…"]` as it stands. Counts follow where they
//!   are not zero: `:H12` plies without a capture or a man's move, `:E3` plies of an ending that has a
//!   count of its own, and in Frisian draughts `:+2(28)+0` for White's king on 28 that has gone twice
//!   in a row. `:F7`, the number of the move, is read and forgotten.

use game::{
    BoardStyle, Diagram, Dialect, DrawCount, EndReason, Expected, Look, Mark, Notation, Path,
    PieceSet, RowOne, Square, TextError, Tint, moves_of,
};

use super::fen;
use super::hub::HubDialect;
use super::packed;
use super::position::{Colour, Move, Position};
use super::reader::Reader;
use super::rules::Draughts;
use super::switches::Rules;
use super::ways::{follow, goes_on, way};

impl<R: Rules> Notation for Draughts<R> {
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
        packed::pack(self, p)
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Position, TextError> {
        packed::unpack(self, bytes)
    }

    fn write_move(&self, p: &Position, m: Move) -> String {
        self.write_among(p, m, &moves_of(self, p))
    }

    fn read_move(&self, p: &Position, text: &str) -> Result<Move, TextError> {
        let said = Said::read(self, text)?;
        let meant = self.meant(p, &said.squares, |m| (m.captured != 0) == said.captures);
        meant.map_err(|why| why.of(text))
    }

    fn read_typed_move(&self, p: &Position, text: &str) -> Result<Move, TextError> {
        let strictly = self.read_move(p, text);
        match (strictly, Said::read_typed(self, text)) {
            (Err(_), Ok(said)) => {
                let meant = self.meant(p, &said.squares, |m| m.captured != 0 || !said.captures);
                meant.map_err(|why| why.of(text))
            }
            (strictly, _) => strictly,
        }
    }

    fn moves_beginning(&self, p: &Position, text: &str) -> Vec<Move> {
        let Ok(said) = Said::read_typed(self, text) else { return Vec::new() };
        let mut moves = moves_of(self, p);
        moves.retain(|&m| goes_on(self.rules().switches(), p, m, &said.squares));
        moves
    }

    fn draw_counts(&self, p: &Position, path: &Path) -> Vec<DrawCount> {
        self.counts(p, path)
    }

    fn write_wire_position(&self, p: &Position) -> String {
        HubDialect::write_position(self, p)
    }

    fn read_wire_position(&self, text: &str) -> Result<Position, TextError> {
        HubDialect::read_position(self, text)
    }

    fn write_wire_move(&self, p: &Position, m: Move) -> String {
        HubDialect::write_move(self, p, m)
    }

    fn read_wire_move(&self, p: &Position, text: &str) -> Result<Move, TextError> {
        HubDialect::read_move(self, p, text)
    }

    fn end_reason(&self, p: &Position, path: &Path) -> EndReason {
        self.reason_of_end(p, path)
    }

    fn why_not(&self, p: &Position, squares: &[Square]) -> Option<String> {
        let bits: Option<Vec<usize>> =
            squares.iter().map(|&square| self.squares().of_square(square)).collect();
        let Some(bits) = bits else {
            return Some("pieces stand on the dark squares only".to_owned());
        };
        let (&from, rest) = bits.split_first()?;
        Some(self.reason(p, from, rest.last().copied(), &moves_of(self, p)))
    }

    fn look(&self) -> Look {
        Look {
            board: BoardStyle::Chequered,
            pieces: PieceSet::Draughtsmen,
            sides: match game::Game::start(self).colour {
                Colour::White => [Tint::Light, Tint::Dark],
                Colour::Black => [Tint::Dark, Tint::Light],
            },
            must_capture: "x:",
            ..Look::default()
        }
    }

    fn diagram(&self, p: &Position, last: Option<Move>) -> Diagram {
        let squares = self.squares();
        let glyph = |square: Square| match squares.of_square(square) {
            Some(bit) => glyph(p, bit, '.'),
            None => ' ',
        };
        let owner = |square: Square| {
            let (colour, _) = p.piece(squares.of_square(square)?)?;
            Some(self.side(colour))
        };
        let mut diagram = Diagram::new(squares.grid(), RowOne::Bottom, glyph)
            .with_owners(owner)
            .with_below(self.side(Colour::White));
        if !squares.algebraic {
            diagram = diagram
                .with_numbers(|square| squares.of_square(square).map(|bit| squares.number(bit)));
        }
        if let Some(m) = last {
            diagram.mark(squares.square(m.to()), Mark::Last);
        }
        diagram
    }
}

/// w and b for men, W and B for kings.
pub(super) fn glyph(p: &Position, bit: usize, empty: char) -> char {
    match p.piece(bit) {
        None => empty,
        Some((Colour::White, false)) => 'w',
        Some((Colour::White, true)) => 'W',
        Some((Colour::Black, false)) => 'b',
        Some((Colour::Black, true)) => 'B',
    }
}

/// A move as it was written.
#[derive(Debug)]
pub(super) struct Said {
    /// At least two, as bits.
    pub(super) squares: Vec<usize>,
    pub(super) captures: bool,
}

impl Said {
    pub(super) fn read<R: Rules>(game: &Draughts<R>, text: &str) -> Result<Said, TextError> {
        let mut reader = Reader::new(text);
        reader.skip_space();
        let mut said = Said { squares: vec![reader.square(game.squares())?], captures: false };
        loop {
            reader.skip_space();
            match reader.peek() {
                None if said.squares.len() > 1 => return Ok(said),
                Some('-') if said.squares.len() == 1 => {}
                Some(c) if is_sign(c) && c != '-' && (said.squares.len() == 1 || said.captures) => {
                    said.captures = true;
                }
                _ => {
                    let found = reader.found();
                    let why = format!("a move is written 11-15 or 25x14, and {found} does not fit");
                    return Err(reader.wrong(why));
                }
            }
            reader.next();
            reader.skip_space();
            said.squares.push(reader.square(game.squares())?);
        }
    }

    /// The same with any sign between the squares or none, and a square twice where a leg ends and the next begins:
    /// `c3d4`, `11 15`, `11x18 18x25`. Only `x` and its like say that it is a capture.
    pub(super) fn read_typed<R: Rules>(game: &Draughts<R>, text: &str) -> Result<Said, TextError> {
        let mut reader = Reader::new(text);
        let mut said = Said { squares: Vec::new(), captures: false };
        loop {
            reader.skip_space();
            if reader.peek().is_none() && said.squares.len() > 1 {
                return Ok(said);
            }
            if let Some(sign) = reader.peek().filter(|&c| is_sign(c) && !said.squares.is_empty()) {
                said.captures |= sign != '-';
                reader.next();
                reader.skip_space();
            }
            let square = reader.square(game.squares())?;
            if said.squares.last() != Some(&square) {
                said.squares.push(square);
            }
        }
    }
}

/// What stands between the squares of a move.
fn is_sign(c: char) -> bool {
    matches!(c, '-' | 'x' | 'X' | ':' | '×')
}

impl<R: Rules> Draughts<R> {
    /// The one legal move of this kind that goes through these squares, or has them as its ends; else why there is none.
    pub(super) fn meant(
        &self,
        p: &Position,
        squares: &[usize],
        is_kind: impl Fn(&Move) -> bool,
    ) -> Result<Move, Expected> {
        let legal = moves_of(self, p);
        let (from, to) = (squares[0], squares[squares.len() - 1]);
        let has_ends = |m: &Move| m.from() == from && m.to() == to;
        let between: Vec<Move> =
            legal.iter().copied().filter(|m| has_ends(m) && is_kind(m)).collect();
        let followed = follow(self.rules().switches(), p, squares);
        let exact = followed.and_then(|(captured, crowns)| {
            between.iter().find(|m| m.captured == captured && m.crowns == crowns)
        });
        match (exact, between.as_slice()) {
            (Some(&m), _) => Ok(m),
            (None, [m]) if squares.len() == 2 => Ok(*m),
            (None, several) if several.len() > 1 && squares.len() == 2 => {
                let names = self.names(p, several, &legal);
                Err(format!("several captures have these ends: {names}").into())
            }
            (None, _) => Err(self.illegal(p, from, to, &legal).into()),
        }
    }

    /// A move of this list, with the squares on its way if others have the same ends.
    fn write_among(&self, p: &Position, m: Move, legal: &[Move]) -> String {
        let same_ends = legal
            .iter()
            .filter(|o| (o.from, o.to, o.captured != 0) == (m.from, m.to, m.captured != 0));
        let ways = if m.captured != 0 && same_ends.count() > 1 {
            way(self.rules().switches(), p, m)
        } else {
            vec![m.from(), m.to()]
        };
        let sign = if m.captured == 0 { '-' } else { self.parameters().variant().capture_sign() };
        let names: Vec<String> = ways.into_iter().map(|bit| self.squares().name(bit)).collect();
        names.join(&sign.to_string())
    }

    fn names(&self, p: &Position, moves: &[Move], legal: &[Move]) -> String {
        const MANY: usize = 20;
        let names = moves.iter().take(MANY).map(|&m| self.write_among(p, m, legal));
        let more = if moves.len() > MANY { " …" } else { "" };
        names.collect::<Vec<_>>().join(" ") + more
    }

    /// Why nothing like that is legal here, and what is.
    pub(super) fn illegal(&self, p: &Position, from: usize, to: usize, legal: &[Move]) -> String {
        if legal.is_empty() {
            return format!("{} has no move: the game is over", fen::word(p.colour));
        }
        let reason = self.reason(p, from, Some(to), legal);
        format!("{reason}; the moves are {}", self.names(p, legal, legal))
    }

    /// Why the piece on a square cannot move, to another one or at all.
    fn reason(&self, p: &Position, from: usize, to: Option<usize>, legal: &[Move]) -> String {
        let (name, colour) = (self.squares().name(from), fen::word(p.colour));
        let captures = legal.first().is_some_and(|m| m.captured != 0);
        let its = legal.iter().any(|m| m.from() == from);
        if p.own >> from & 1 == 0 {
            return format!("no {colour} piece stands on {name}");
        }
        if captures {
            let which = if its { "this is" } else { &format!("the piece on {name} has") };
            return format!("a capture is compulsory, and {which} none that may be chosen");
        }
        if p.runs[0].tired() >> from & 1 == 1 {
            return format!("the king on {name} went three times in a row without a capture");
        }
        match to {
            Some(to) if its => {
                format!("the piece on {name} does not go to {}", self.squares().name(to))
            }
            _ => format!("the piece on {name} is blocked"),
        }
    }
}
