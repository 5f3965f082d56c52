//! Positions as text: FEN, with the castling letters of X-FEN and Shredder-FEN.
//!
//! Written are all six fields: pieces from a8 to h1, side to move, castling, en passant, the clock
//! of moves since the last capture or pawn move, and the number of the move. Castling is `KQkq` in
//! chess and the columns of the rooks (`HAha`) in Fischer random chess. The en passant square is the
//! one behind a pawn that has just moved two rows, whether it can be captured or not.
//!
//! Read as well: either kind of castling letters, the side in either case, and text whose last
//! fields are missing, the pieces alone at least: White moves, nobody castles, nothing was passed,
//! and it is the first move.

use game::{Expected, Side, TextError};

use super::board::{Board, GRID, Kind, ROW_1, ROW_8, bit_of, bits, name_of};
use super::moves::{self, Black, Colour, White};
use super::position::{Chess, NOWHERE, Position};

/// The place of a character and what is wrong there.
type Wrong = (usize, String);

pub(super) fn write(game: &Chess, p: &Position) -> String {
    format!("{} {} {}", write_fields(game, p, p.passed()), p.clock, p.number)
}

/// The fields that a repetition compares: no clocks, and the en passant square only where a pawn can
/// legally capture there.
pub(super) fn write_repeatable(game: &Chess, p: &Position) -> String {
    write_fields(game, p, p.en_passant())
}

fn write_fields(game: &Chess, p: &Position, passed: Option<usize>) -> String {
    let side = if p.side == Side::First { 'w' } else { 'b' };
    let passed = passed.map_or("-".to_owned(), name_of);
    format!("{} {side} {} {passed}", write_board(&p.board), write_castling(game, p))
}

fn write_board(board: &Board) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for column in 0..8 {
            match board.piece_at(row * 8 + column) {
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
    text
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
    let fields = split(text);
    let pieces = fields
        .first()
        .ok_or_else(|| (0, "the pieces are missing, as in 8/8/4k3/8/8/3QK3/8/8".to_owned()))?;
    let end = text.chars().count();
    let board = read_board(pieces)?;
    let (side_at, side) = match fields.get(1) {
        Some(field) => (field.0, read_side(field)?),
        None => (end, Side::First),
    };
    let waiting = side.other();
    let king = board.king(waiting);
    if moves::attackers(&board, king, side) != 0 {
        let (side, king) = (name(side), name_of(king));
        let why = format!("{side} cannot be to move and attack the king on {king} already");
        return Err((side_at, why));
    }
    let castling = fields.get(2).map_or(Ok(0), |field| read_castling(game, &board, field))?;
    let [passed, en_passant] = match (side, fields.get(3)) {
        (_, None) => [NOWHERE; 2],
        (Side::First, Some(field)) => read_en_passant::<White>(&board, field)?,
        (Side::Second, Some(field)) => read_en_passant::<Black>(&board, field)?,
    };
    let clock = fields.get(4).map_or(Ok(0), read_number)?;
    let number = fields.get(5).map_or(Ok(1), read_number)?;
    if let Some((at, _)) = fields.get(6) {
        return Err((*at, "nothing comes after the number of the move".to_owned()));
    }
    Ok(Position { board, castling, side, passed, en_passant, clock, number })
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

fn read_board(&(begin, ref field): &Field) -> Result<Board, Wrong> {
    check_rows(begin, field)?;
    let mut board = Board::default();
    let (mut row, mut column) = (7, 0);
    for (i, &c) in field.iter().enumerate() {
        let at = begin + i;
        let width = match c {
            '/' if column < 8 => return Err((at, short_row(row, column))),
            '/' => {
                (row, column) = (row - 1, 0);
                continue;
            }
            '1'..='8' => c as usize - '0' as usize,
            _ => 1,
        };
        if column + width > 8 {
            return Err((at, format!("row {} has more than 8 squares; 8 are right", row + 1)));
        }
        if !matches!(c, '1'..='8') {
            put(&mut board, row * 8 + column, c).map_err(|why| (at, why.into()))?;
        }
        column += width;
    }
    if column < 8 {
        return Err((begin + field.len(), short_row(row, column)));
    }
    for side in [Side::First, Side::Second] {
        if board.all(Kind::King) & board.of(side) == 0 {
            return Err((begin, format!("{} has no king; one is right", name(side))));
        }
    }
    Ok(board)
}

/// With a row too many or too few every piece would be taken for one of another row.
fn check_rows(begin: usize, field: &[char]) -> Result<(), Wrong> {
    let rows = field.split(|&c| c == '/').count();
    let at = begin + if rows > 8 { 0 } else { field.len() };
    match rows {
        8 => Ok(()),
        1 => Err((at, "there is 1 row; 8 are right, with / between them".to_owned())),
        _ => Err((at, format!("there are {rows} rows; 8 are right, with / between them"))),
    }
}

fn short_row(row: usize, squares: usize) -> String {
    let squares = if squares == 1 { "1 square".to_owned() } else { format!("{squares} squares") };
    format!("row {} has {squares}; 8 are right", row + 1)
}

fn put(board: &mut Board, bit: usize, c: char) -> Result<(), Expected> {
    let kind = Kind::from_letter(c).ok_or_else(|| {
        format!(
            "{c:?} cannot stand on {}; PNBRQK, pnbrqk and numbers of empty squares can",
            name_of(bit)
        )
    })?;
    let side = if c.is_ascii_uppercase() { Side::First } else { Side::Second };
    if kind == Kind::Pawn && (ROW_1 | ROW_8) >> bit & 1 == 1 {
        let place = name_of(bit);
        return Err(format!("a pawn cannot stand on {place}; rows 2 to 7 are right").into());
    }
    if kind == Kind::King && board.all(kind) & board.of(side) != 0 {
        return Err(format!("{} has a second king; one is right", name(side)).into());
    }
    board.put(side, kind, 1 << bit);
    Ok(())
}

fn read_side((at, field): &Field) -> Result<Side, Wrong> {
    match field.as_slice() {
        ['w' | 'W'] => Ok(Side::First),
        ['b' | 'B'] => Ok(Side::Second),
        _ => Err((*at, "after the pieces comes the side to move, w or b".to_owned())),
    }
}

fn read_castling(game: &Chess, board: &Board, (begin, field): &Field) -> Result<u64, Wrong> {
    let mut castling = 0;
    if field.as_slice() == ['-'] {
        return Ok(castling);
    }
    for (i, &c) in field.iter().enumerate() {
        let rook = castling_rook(game, board, c).map_err(|why| (begin + i, why.into()))?;
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
fn castling_rook(game: &Chess, board: &Board, c: char) -> Result<usize, Expected> {
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
        _ => {
            let why = format!("{c:?} is no castling; KQkq, the column of a rook or - is right");
            return Err(why.into());
        }
    };
    match (game.parameters().fischer_number(), rook) {
        (None, Some(rook)) if king == row + 4 && matches!(rook - row, 0 | 7) => Ok(rook),
        (None, _) => {
            let corner = row + if matches!(c.to_ascii_lowercase(), 'k' | 'h') { 7 } else { 0 };
            let (king, rook) = (name_of(row + 4), name_of(corner));
            Err(format!("{c:?} needs the king on {king} and a rook on {rook}").into())
        }
        (Some(_), Some(rook)) if (row + 1..row + 7).contains(&king) => Ok(rook),
        (Some(_), _) => {
            let (from, to) = (name_of(row + 1), name_of(row + 6));
            Err(format!("{c:?} needs the king on {from} to {to} and such a rook on its row").into())
        }
    }
}

/// The square that a pawn has just passed, and the same if it can be captured there.
fn read_en_passant<Us: Colour>(board: &Board, (at, field): &Field) -> Result<[u8; 2], Wrong> {
    let said: String = field.iter().collect();
    if said == "-" {
        return Ok([NOWHERE; 2]);
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
    let passed = passed as u8;
    Ok([passed, if capturers == 0 { NOWHERE } else { passed }])
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
