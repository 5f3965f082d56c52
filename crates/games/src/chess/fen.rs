//! Positions as text: FEN, with the castling letters of X-FEN and Shredder-FEN.
//!
//! Written are all six fields: pieces from a8 to h1, side to move, castling, en passant, the clock
//! of moves since the last capture or pawn move, and the number of the move. Castling is `KQkq` in
//! chess and the columns of the rooks (`HAha`) in Fischer random chess. The en passant square is
//! written where a pawn can legally capture there.
//!
//! Read as well: either kind of castling letters, en passant squares where nothing can be captured
//! (they are left out), and text without the last field or the last two.

use game::{Side, TextError};

use super::board::{Board, GRID, Kind, ROW_1, ROW_8, bit_of, bits, name_of};
use super::moves::{self, Black, Colour, White};
use super::position::{Chess, NOWHERE, Position};

/// The place of a character and what is wrong there.
type Wrong = (usize, String);

pub(super) fn write(game: &Chess, p: &Position) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for column in 0..8 {
            match p.board.piece_at(row * 8 + column) {
                None => empty += 1,
                Some((side, kind)) => {
                    push_number(&mut text, empty);
                    empty = 0;
                    text.push(letter(side, kind));
                }
            }
        }
        push_number(&mut text, empty);
        if row > 0 {
            text.push('/');
        }
    }
    let side = if p.side == Side::First { 'w' } else { 'b' };
    let castling = write_castling(game, p);
    let en_passant = p.en_passant().map_or("-".to_owned(), name_of);
    format!("{text} {side} {castling} {en_passant} {} {}", p.clock, p.number)
}

/// White's pieces are upper case.
pub(super) fn letter(side: Side, kind: Kind) -> char {
    match side {
        Side::First => kind.letter().to_ascii_uppercase(),
        Side::Second => kind.letter(),
    }
}

fn push_number(text: &mut String, empty: u32) {
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
}

fn write_castling(game: &Chess, p: &Position) -> String {
    let mut text = String::new();
    for (side, row) in [(Side::First, ROW_1), (Side::Second, ROW_8)] {
        let king = p.board.king(side);
        let mut rooks: Vec<usize> = bits(p.castling & row).collect();
        rooks.reverse();
        for rook in rooks {
            let letter = match game.parameters().fischer_number() {
                Some(_) => (b'a' + (rook & 7) as u8) as char,
                None if rook > king => 'k',
                None => 'q',
            };
            text.push(if side == Side::First { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

pub(super) fn read(game: &Chess, text: &str) -> Result<Position, TextError> {
    read_fields(game, text).map_err(|(at, why)| TextError::new(text, why).at(at))
}

/// A word and the place of its first character.
type Field = (usize, Vec<char>);

fn read_fields(game: &Chess, text: &str) -> Result<Position, Wrong> {
    const NAMES: [&str; 4] = [
        "the pieces, as in 8/8/4k3/8/8/3QK3/8/8",
        "the side to move, w or b",
        "castling, as in KQkq, or - for none",
        "the en passant square, or - for none",
    ];
    let fields = split(text);
    let field = |i: usize| {
        fields.get(i).ok_or_else(|| (text.chars().count(), format!("missing here: {}", NAMES[i])))
    };
    let board = read_board(field(0)?)?;
    let side = read_side(field(1)?)?;
    let waiting = side.other();
    let king = board.king(waiting);
    if moves::attackers(&board, king, side) != 0 {
        let (side, king) = (name(side), name_of(king));
        let why = format!("{side} cannot be to move and attack the king on {king} already");
        return Err((field(1)?.0, why));
    }
    let castling = read_castling(game, &board, field(2)?)?;
    let en_passant = match side {
        Side::First => read_en_passant::<White>(&board, field(3)?)?,
        Side::Second => read_en_passant::<Black>(&board, field(3)?)?,
    };
    let clock = fields.get(4).map_or(Ok(0), read_number)?;
    let number = fields.get(5).map_or(Ok(1), read_number)?;
    if let Some((at, _)) = fields.get(6) {
        return Err((*at, "nothing comes after the number of the move".to_owned()));
    }
    Ok(Position { board, castling, side, en_passant, clock, number })
}

/// The words of a text with their places.
fn split(text: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut inside = false;
    for (at, c) in text.chars().enumerate() {
        match (c.is_whitespace(), fields.last_mut()) {
            (true, _) => inside = false,
            (false, Some((_, word))) if inside => word.push(c),
            (false, _) => {
                fields.push((at, vec![c]));
                inside = true;
            }
        }
    }
    fields
}

fn read_board((begin, field): &Field) -> Result<Board, Wrong> {
    let mut board = Board::default();
    let (mut row, mut column) = (7, 0);
    for (i, &c) in field.iter().enumerate() {
        let at = begin + i;
        let width = match c {
            '/' if column < 8 => return Err((at, short_row(row, column))),
            '/' if row == 0 => {
                return Err((at, "row 1 is the last; after it comes the side to move".to_owned()));
            }
            '/' => {
                (row, column) = (row - 1, 0);
                continue;
            }
            '1'..='8' => c as usize - '0' as usize,
            _ => 1,
        };
        if column + width > 8 {
            return Err((at, format!("row {} has more than 8 squares", row + 1)));
        }
        if !matches!(c, '1'..='8') {
            put(&mut board, row * 8 + column, c).map_err(|why| (at, why))?;
        }
        column += width;
    }
    if (row, column) != (0, 8) {
        return Err((begin + field.len(), short_row(row, column)));
    }
    for side in [Side::First, Side::Second] {
        if board.all(Kind::King) & board.of(side) == 0 {
            return Err((*begin, format!("{} has no king; one is right", name(side))));
        }
    }
    Ok(board)
}

fn short_row(row: usize, squares: usize) -> String {
    let rest = if row > 0 { format!("; row {row} follows after /") } else { String::new() };
    format!("row {} has {squares} squares here; there are 8{rest}", row + 1)
}

fn put(board: &mut Board, bit: usize, c: char) -> Result<(), String> {
    let kind = Kind::from_letter(c).ok_or_else(|| {
        format!(
            "{c:?} cannot stand on {}; PNBRQK, pnbrqk and numbers of empty squares can",
            name_of(bit)
        )
    })?;
    let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
    if kind == Kind::Pawn && (ROW_1 | ROW_8) >> bit & 1 == 1 {
        return Err(format!("a pawn cannot stand on {}; rows 2 to 7 are right", name_of(bit)));
    }
    if kind == Kind::King && board.all(kind) & board.of(side) != 0 {
        return Err(format!("{} has a second king; one is right", name(side)));
    }
    board.put(side, kind, 1 << bit);
    Ok(())
}

fn read_side((at, field): &Field) -> Result<Side, Wrong> {
    match field.as_slice() {
        ['w'] => Ok(Side::First),
        ['b'] => Ok(Side::Second),
        _ => Err((*at, "after the pieces comes the side to move, w or b".to_owned())),
    }
}

fn read_castling(game: &Chess, board: &Board, (begin, field): &Field) -> Result<u64, Wrong> {
    let mut castling = 0;
    if field.as_slice() == ['-'] {
        return Ok(castling);
    }
    for (i, &c) in field.iter().enumerate() {
        let rook = castling_rook(game, board, c).map_err(|why| (begin + i, why))?;
        let side = if rook < 8 { Side::First } else { Side::Second };
        let king = board.king(side);
        let wing = if rook > king { u64::MAX << king } else { !(u64::MAX << king) };
        let row = 0xff << (rook & !7);
        if castling & wing & row != 0 {
            let why = format!("{c:?} gives a second rook on this side of the king; one can castle");
            return Err((begin + i, why));
        }
        castling |= 1 << rook;
    }
    Ok(castling)
}

/// The rook that a castling letter means.
fn castling_rook(game: &Chess, board: &Board, c: char) -> Result<usize, String> {
    let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
    let (row, king) = (if side == Side::First { 0 } else { 56 }, board.king(side));
    let rooks = board.all(Kind::Rook) & board.of(side) & 0xff << row;
    let wing = u64::MAX << king;
    let rook = match c.to_ascii_lowercase() {
        'k' => bits(rooks & wing).last(),
        'q' => bits(rooks & !wing).next(),
        column @ 'a'..='h' => {
            let bit = row + (column as usize - 'a' as usize);
            Some(bit).filter(|bit| rooks >> bit & 1 == 1)
        }
        _ => return Err(format!("{c:?} is no castling; KQkq, the column of a rook or - is right")),
    };
    match (game.parameters().fischer_number(), rook) {
        (None, Some(rook)) if king == row + 4 && matches!(rook - row, 0 | 7) => Ok(rook),
        (None, _) => {
            let corner = row + if matches!(c.to_ascii_lowercase(), 'k' | 'h') { 7 } else { 0 };
            let (king, rook) = (name_of(row + 4), name_of(corner));
            Err(format!("{c:?} needs the king on {king} and a rook on {rook}"))
        }
        (Some(_), Some(rook)) if (row + 1..row + 7).contains(&king) => Ok(rook),
        (Some(_), _) => {
            let (from, to) = (name_of(row + 1), name_of(row + 6));
            Err(format!("{c:?} needs the king on {from} to {to} and such a rook on its row"))
        }
    }
}

fn read_en_passant<Us: Colour>(board: &Board, (at, field): &Field) -> Result<u8, Wrong> {
    let said: String = field.iter().collect();
    if said == "-" {
        return Ok(NOWHERE);
    }
    let square = GRID.read(&said).map_err(|_| {
        (*at, "after castling comes the en passant square, as in e3, or - for none".to_owned())
    })?;
    let passed = bit_of(square);
    let bit = 1 << passed;
    let pawn = Us::back(bit) & board.all(Kind::Pawn) & board.of(Us::Other::SIDE);
    let way = bit | Us::ahead(bit);
    if bit & Us::Other::THIRD_ROW == 0 || pawn == 0 || way & board.occupied() != 0 {
        let why = format!("no pawn can just have passed {said}; - is right where none has");
        return Err((*at, why));
    }
    let capturers = moves::en_passant_capturers::<Us>(board, passed);
    Ok(if capturers == 0 { NOWHERE } else { passed as u8 })
}

fn read_number((at, field): &Field) -> Result<u16, Wrong> {
    let said: String = field.iter().collect();
    let plain = said.bytes().all(|b| b.is_ascii_digit());
    said.parse()
        .ok()
        .filter(|_| plain)
        .ok_or_else(|| (*at, format!("here comes a number of moves, from 0 to {}", u16::MAX)))
}

/// The player.
pub(super) fn name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}
