//! [`San`]: moves as people write them, `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! A piece is told from others of its kind that could *legally* go there too, by its column, else
//! its row, else both. Reading is generous: marks may be missing or wrong (`x`, `+`, `#`, `=`),
//! comments such as `!?` may follow, castling may be written with zeros, letters may be of either
//! case (a small `b` is a pawn where that is legal, else a bishop), and squares may say more than
//! they need (`Ng1f3`). Castling may be the king's move or the king taking its rook (`e1-g1`, `Kxh1`)
//! where no other move is written so. What fits several moves is refused.

use game::{Dialect, Game, TextError, moves_of};

use super::board::{GRID, Kind, bit_of, name_of};
use super::position::{Chess, Move, Position, Special, castled};

/// The dialect of score sheets and PGN. Positions are FEN, as in the usual one.
#[derive(Clone, Copy, Debug)]
pub enum San {}

impl Dialect<Chess> for San {
    fn write_move(game: &Chess, p: &Position, m: Move) -> String {
        write(game, p, m)
    }

    fn read_move(game: &Chess, p: &Position, text: &str) -> Result<Move, TextError> {
        read(game, p, text)
    }
}

fn write(game: &Chess, p: &Position, m: Move) -> String {
    let mut next = *p;
    game.make(&mut next, m);
    let mark = match (game.in_check(&next), game.count(&next)) {
        (true, 0) => "#",
        (true, _) => "+",
        (false, _) => "",
    };
    bare(p, &moves_of(game, p), m) + mark
}

/// A move without the marks of check and mate, among the legal ones.
fn bare(p: &Position, legal: &[Move], m: Move) -> String {
    let kind = match (m.special(), p.board.kind_at(m.from())) {
        (Special::Castling, _) if m.to() > m.from() => return "O-O".to_owned(),
        (Special::Castling, _) => return "O-O-O".to_owned(),
        (_, kind) => kind.unwrap_or(Kind::Pawn),
    };
    let captures = p.board.occupied() >> m.to() & 1 == 1 || m.special() == Special::EnPassant;
    let square = name_of(m.from());
    let (column, row) = square.split_at(1);
    let mut text = String::new();
    if kind == Kind::Pawn {
        text.push_str(if captures { column } else { "" });
    } else {
        text.push(kind.letter().to_ascii_uppercase());
        let rival = |r: &&Move| {
            r.to() == m.to()
                && r.from() != m.from()
                && r.special() != Special::Castling
                && p.board.kind_at(r.from()) == Some(kind)
        };
        let rivals: Vec<usize> = legal.iter().filter(rival).map(|r| r.from()).collect();
        let same_column = rivals.iter().any(|r| r % 8 == m.from() % 8);
        let same_row = rivals.iter().any(|r| r / 8 == m.from() / 8);
        text.push_str(match (rivals.is_empty(), same_column, same_row) {
            (true, ..) => "",
            (_, false, _) => column,
            (_, true, false) => row,
            (_, true, true) => &square,
        });
    }
    text.push_str(if captures { "x" } else { "" });
    text.push_str(&name_of(m.to()));
    if let Special::Promotion(kind) = m.special() {
        text.push('=');
        text.push(kind.letter().to_ascii_uppercase());
    }
    text
}

/// Reads a move by what fits it among the legal ones.
pub(super) fn read(game: &Chess, p: &Position, text: &str) -> Result<Move, TextError> {
    let legal = moves_of(game, p);
    let wrong = |why: String| Err(TextError::new(text, why));
    if legal.is_empty() {
        return wrong("the game is over".to_owned());
    }
    let list =
        |moves: &[Move]| moves.iter().map(|&m| bare(p, &legal, m)).collect::<Vec<_>>().join(" ");
    let readings = Said::readings(text);
    let fitting = |fits: &dyn Fn(Move) -> bool| -> Vec<Move> {
        legal.iter().copied().filter(|&m| fits(m)).collect()
    };
    for said in &readings {
        let mut fits = fitting(&|m| said.fits(p, m));
        if fits.is_empty() {
            fits = fitting(&|m| said.castles(m));
        }
        match fits.as_slice() {
            [] => {}
            &[m] => return Ok(m),
            several => return wrong(format!("this may be {}; say which", list(several))),
        }
    }
    let of_kind = |kind| {
        let its = legal.iter().copied().filter(|m| p.board.kind_at(m.from()) == Some(kind));
        its.collect::<Vec<_>>()
    };
    match readings.last() {
        None => wrong("not a move; as in e2e4, Nf3, exd5, e8=Q or O-O it would be".to_owned()),
        Some(Said::Castling { .. }) => {
            wrong(format!("castling is not legal here; the moves are {}", list(&legal)))
        }
        Some(&Said::Piece { kind: Some(kind), .. }) if !of_kind(kind).is_empty() => {
            let moves = list(&of_kind(kind));
            wrong(format!("not legal here; the {} moves are {moves}", kind.name()))
        }
        Some(_) => wrong(format!("not legal here; the moves are {}", list(&legal))),
    }
}

/// What a text says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Castling {
        long: bool,
    },
    Piece {
        /// Any, where both squares are given without a letter.
        kind: Option<Kind>,
        column: Option<usize>,
        row: Option<usize>,
        to: usize,
        captures: bool,
        promotion: Option<Kind>,
    },
}

impl Said {
    /// What a text may mean, the likelier first; nothing if it is no move at all.
    fn readings(text: &str) -> Vec<Said> {
        let marks = |c: char| matches!(c, '+' | '#' | '!' | '?') || c.is_whitespace();
        let text = text.trim().trim_end_matches(marks);
        let text = text.strip_suffix("e.p.").unwrap_or(text).trim_end();
        if let Some(castling) = Said::castling(text) {
            return vec![castling];
        }
        let mut chars = text.chars();
        let first = chars.next();
        let after = chars.as_str();
        let piece = first.and_then(Kind::from_letter);
        let readings = match (first, piece) {
            (Some('b'), _) => [Said::squares(text, None), Said::squares(after, Some(Kind::Bishop))],
            (_, Some(kind)) => [Said::squares(after, Some(kind)), None],
            _ => [Said::squares(text, None), None],
        };
        readings.into_iter().flatten().collect()
    }

    fn castling(text: &str) -> Option<Said> {
        let letters: String = text.chars().filter(|&c| c != '-').collect();
        let all = |c: char| matches!(c, 'o' | 'O' | '0');
        match letters.chars().all(all).then_some(letters.len()) {
            Some(2) => Some(Said::Castling { long: false }),
            Some(3) => Some(Said::Castling { long: true }),
            _ => None,
        }
    }

    /// What follows the letter of the piece: `f3`, `xf3`, `gf3`, `1f3`, `g1xf3`, `e8=Q`.
    fn squares(text: &str, kind: Option<Kind>) -> Option<Said> {
        let captures = text.contains(['x', 'X', ':']);
        let plain = |c: &char| !matches!(c, 'x' | 'X' | ':' | '-' | '=');
        let mut chars: Vec<char> =
            text.chars().filter(plain).map(|c| c.to_ascii_lowercase()).collect();
        let last = *chars.last()?;
        let promotion = Kind::from_letter(last).filter(|kind| Kind::PROMOTIONS.contains(kind));
        if promotion.is_some() {
            chars.pop();
        }
        let column = |c: char| matches!(c, 'a'..='h').then(|| c as usize - 'a' as usize);
        let row = |c: char| matches!(c, '1'..='8').then(|| c as usize - '1' as usize);
        let (origin, target) = chars.split_at(chars.len().checked_sub(2)?);
        let to = bit_of(GRID.read(&target.iter().collect::<String>()).ok()?);
        let (from_column, from_row) = match *origin {
            [] => (None, None),
            [c] => (column(c), row(c)),
            [c, r] => (Some(column(c)?), Some(row(r)?)),
            _ => return None,
        };
        if origin.len() == 1 && (from_column, from_row) == (None, None) {
            return None;
        }
        let kind = kind.or((origin.len() < 2).then_some(Kind::Pawn));
        Some(Said::Piece { kind, column: from_column, row: from_row, to, captures, promotion })
    }

    /// Whether a king's move that is none means castling: the king goes two squares or onto its rook.
    fn castles(&self, m: Move) -> bool {
        let Said::Piece { kind, column, row, to, promotion: None, .. } = *self else {
            return false;
        };
        m.special() == Special::Castling
            && matches!(kind, None | Some(Kind::King))
            && (to == m.to() || to == castled(m.from(), m.to()).king)
            && column.is_none_or(|column| column == m.from() % 8)
            && row.is_none_or(|row| row == m.from() / 8)
    }

    fn fits(&self, p: &Position, m: Move) -> bool {
        match *self {
            Said::Castling { long } => {
                m.special() == Special::Castling && long == (m.to() < m.from())
            }
            Said::Piece { kind, column, row, to, captures, promotion } => {
                let its = p.board.kind_at(m.from());
                // Without a column and a mark of capture a pawn goes straight ahead.
                let straight = its == Some(Kind::Pawn) && column.is_none() && !captures;
                let becomes = match m.special() {
                    Special::Castling => return false,
                    Special::Promotion(kind) => promotion.is_none_or(|said| said == kind),
                    _ => promotion.is_none(),
                };
                becomes
                    && m.to() == to
                    && (kind.is_none() || kind == its)
                    && column.is_none_or(|column| column == m.from() % 8)
                    && row.is_none_or(|row| row == m.from() / 8)
                    && (!straight || m.from() % 8 == m.to() % 8)
            }
        }
    }
}
