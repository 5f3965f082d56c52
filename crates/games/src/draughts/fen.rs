//! Positions as PDN files have them: `W:W31-50:B1-20`.

use game::{Expected, TextError};

use super::board::bits;
use super::position::{Colour, Position, Run};
use super::reader::Reader;
use super::rules::Draughts;
use super::squares::Squares;
use super::switches::Rules;

/// Both colours, in the order in which they are written.
const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

pub(super) fn letter(colour: Colour) -> char {
    match colour {
        Colour::White => 'W',
        Colour::Black => 'B',
    }
}

pub(super) fn colour_of(letter: char) -> Option<Colour> {
    COLOURS.into_iter().find(|&colour| self::letter(colour) == letter.to_ascii_uppercase())
}

pub(super) fn word(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

/// Writes the side to move, the pieces, and counts that are not zero.
pub(super) fn write<R: Rules>(game: &Draughts<R>, p: &Position) -> String {
    let squares = game.squares();
    let mut text = letter(p.colour).to_string();
    for colour in COLOURS {
        let of_colour = squares.in_order().filter(|bit| p.pieces(colour) >> bit & 1 == 1);
        let names = of_colour.map(|bit| {
            let king = if p.kings >> bit & 1 == 1 { "K" } else { "" };
            format!("{king}{}", squares.name(bit))
        });
        text += &format!(":{}{}", letter(colour), names.collect::<Vec<_>>().join(","));
    }
    for (field, count) in [('H', p.quiet), ('E', p.ending.into())] {
        if count != 0 {
            text += &format!(":{field}{count}");
        }
    }
    if p.runs != [Run::default(); 2] {
        text.push(':');
        for colour in COLOURS {
            let Run { moves, king } = p.run(colour);
            text += &format!("+{moves}");
            if moves != 0 {
                text += &format!("({})", squares.name(king.into()));
            }
        }
    }
    text
}

/// Reads a position and checks that the rules can go on from it.
pub(super) fn read<R: Rules>(game: &Draughts<R>, text: &str) -> Result<Position, TextError> {
    let mut reader = Reader::new(text);
    let tag = text.trim_start().starts_with(['[', '"']);
    if tag {
        reader.skip_past('"');
    }
    reader.skip_space();
    let Some(colour) = reader.peek().and_then(colour_of) else {
        let found = reader.found();
        return Err(
            reader.wrong(format!("a position begins with W or B, the side to move, not {found}"))
        );
    };
    reader.next();
    let mut board = Fields { pieces: [None; 2], ..Fields::default() };
    while reader.eat(':') {
        read_field(game, &mut reader, &mut board)?;
    }
    reader.eat('.');
    if tag {
        reader.eat('"');
        reader.skip_space();
        reader.eat(']');
    }
    reader.skip_space();
    if reader.peek().is_some() {
        let found = reader.found();
        return Err(reader.wrong(format!("here comes a colon or the end, not {found}")));
    }
    let [Some(white), Some(black)] = board.pieces else {
        return Err(reader.wrong("both colours are needed, as in W:W31-50:B1-20; one may be empty"));
    };
    let mut p = Position::of([white, black], board.kings, colour);
    counts(game, &reader, &board, &mut p)?;
    Ok(p)
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Fields {
    pieces: [Option<u64>; 2],
    kings: u64,
    quiet: usize,
    /// A count and where it stands.
    ending: Option<(usize, usize)>,
    /// Times, the king if it was named, and where that stands.
    runs: [Option<(u8, Option<usize>, usize)>; 2],
}

fn read_field<R: Rules>(
    game: &Draughts<R>,
    reader: &mut Reader<'_>,
    fields: &mut Fields,
) -> Result<(), TextError> {
    let begin = reader.at();
    match reader.next() {
        Some(c) if colour_of(c).is_some() => {
            let colour = colour_of(c).unwrap_or(Colour::White);
            if fields.pieces[colour as usize].is_some() {
                let why = format!("the {} pieces are given twice; once is right", word(colour));
                return Err(reader.wrong_at(begin, why));
            }
            fields.pieces[colour as usize] = Some(0);
            read_pieces(game.squares(), reader, colour, fields)
        }
        Some('H' | 'h') => {
            let quiet = reader.number(u16::MAX.into())?;
            fields.quiet = if game.draws().counts() { quiet } else { 0 };
            Ok(())
        }
        // The number of the move: no rule asks for it.
        Some('F' | 'f') => reader.number(usize::MAX).map(|_| ()),
        Some('E' | 'e') => {
            fields.ending = Some((reader.number(u8::MAX.into())?, begin));
            Ok(())
        }
        Some('+') => read_runs(game.squares(), reader, fields),
        _ => Err(reader
            .wrong_at(begin, "after a colon come W or B and squares, or H, E or F and a number")),
    }
}

/// `31-50`, `K3,K7,12`, or nothing.
fn read_pieces(
    squares: Squares,
    reader: &mut Reader<'_>,
    colour: Colour,
    fields: &mut Fields,
) -> Result<(), TextError> {
    if matches!(reader.peek(), None | Some(':' | '.' | '"'))
        || reader.peek().is_some_and(char::is_whitespace)
    {
        return Ok(());
    }
    loop {
        reader.skip_space();
        let begin = reader.at();
        let king = reader.eat('K') || reader.eat('k');
        let first = reader.square(squares)?;
        let mut last = first;
        if reader.eat('-') {
            let _ = reader.eat('K') || reader.eat('k');
            last = reader.square(squares)?;
        }
        let range = squares.number(first)..=squares.number(last);
        if range.is_empty() {
            return Err(
                reader.wrong_at(begin, "a range goes from a smaller number to a larger one")
            );
        }
        for bit in range.filter_map(|number| squares.of_number(number)) {
            place(squares, colour, king, bit, fields).map_err(|why| reader.wrong_at(begin, why))?;
        }
        if !reader.eat(',') {
            return Ok(());
        }
    }
}

fn place(
    squares: Squares,
    colour: Colour,
    king: bool,
    bit: usize,
    fields: &mut Fields,
) -> Result<(), Expected> {
    let (square, name) = (1 << bit, squares.name(bit));
    if fields.pieces.iter().flatten().any(|pieces| pieces & square != 0) {
        return Err(format!("two pieces stand on {name}; one is right").into());
    }
    if king {
        fields.kings |= square;
    } else if squares.size.last_row(colour) & square != 0 {
        let colour = word(colour);
        return Err(format!("a {colour} man on {name} would be a king; K{name} is right").into());
    }
    *fields.pieces[colour as usize].get_or_insert(0) |= square;
    Ok(())
}

/// `+2(28)+0`, White's king first; the plus of the first has been read.
fn read_runs(
    squares: Squares,
    reader: &mut Reader<'_>,
    fields: &mut Fields,
) -> Result<(), TextError> {
    for colour in COLOURS {
        if colour == Colour::Black && !reader.eat('+') {
            return Err(reader.wrong("here comes + and the moves of Black's king, as in +2(28)+0"));
        }
        let begin = reader.at();
        let moves = reader.number(Run::LONGEST.into())? as u8;
        let mut king = None;
        if reader.eat('(') {
            king = Some(reader.square(squares)?);
            if !reader.eat(')') {
                return Err(reader.wrong("here comes a closing bracket, as in +2(28)+0"));
            }
        }
        fields.runs[colour as usize] = (moves != 0).then_some((moves, king, begin));
    }
    Ok(())
}

/// Puts the counts into a position, if they can be true of it.
fn counts<R: Rules>(
    game: &Draughts<R>,
    reader: &Reader<'_>,
    fields: &Fields,
    p: &mut Position,
) -> Result<(), TextError> {
    p.quiet = fields.quiet as u16;
    if let Some((count, at)) = fields.ending.filter(|(count, _)| *count != 0) {
        if game.draws().ending(p).is_none() {
            let why =
                "E counts plies of an ending with few pieces, which this is not; leave it out";
            return Err(reader.wrong_at(at, why));
        }
        p.ending = count as u8;
    }
    for colour in COLOURS {
        let Some((moves, king, at)) = fields.runs[colour as usize] else { continue };
        if !game.rules().switches().restless {
            continue;
        }
        let (kings, men) = (p.pieces(colour) & p.kings, p.pieces(colour) & !p.kings);
        let mut candidates = bits(kings).filter(|&bit| king.is_none_or(|named| named == bit));
        let (Some(found), None, true) = (candidates.next(), candidates.next(), men != 0) else {
            let colour = word(colour);
            let why = format!(
                "{colour} needs men and one king on the square in brackets, as in +2(28)+0"
            );
            return Err(reader.wrong_at(at, why));
        };
        p.runs[usize::from(colour != p.colour)] = Run { moves, king: found as u8 };
    }
    Ok(())
}
