//! [`HubDialect`]: the text of the Hub protocol, version 2, which engines speak among each other.
//!
//! A position is the side to move and one letter for each square in order: `w`, `b` for men, `W`, `B` for
//! kings, `e` for empty. A move is `32-28`, a capture `28x19x23`: from, to and then all captured
//! squares in order. Squares are numbers in every variant; counts are not written.

use game::{Dialect, TextError, moves_of};

use super::board::bits;
use super::fen::{colour_of, letter, word};
use super::notation::{Said, glyph};
use super::position::{Colour, Move, Position};
use super::reader::Reader;
use super::rules::Draughts;
use super::switches::Rules;

/// The dialect of the Hub protocol.
#[derive(Clone, Copy, Debug)]
pub enum HubDialect {}

impl<R: Rules> Dialect<Draughts<R>> for HubDialect {
    fn write_position(game: &Draughts<R>, p: &Position) -> String {
        let squares = game.squares().in_order().map(|bit| glyph(p, bit, 'e'));
        std::iter::once(letter(p.colour)).chain(squares).collect()
    }

    fn read_position(game: &Draughts<R>, text: &str) -> Result<Position, TextError> {
        let squares = game.squares();
        let mut reader = Reader::new(text);
        reader.skip_space();
        let Some(colour) = reader.peek().and_then(colour_of) else {
            let found = reader.found();
            return Err(reader.wrong(format!("here comes W or B, the side to move, not {found}")));
        };
        reader.next();
        let (mut pieces, mut kings) = ([0; 2], 0);
        for bit in squares.in_order() {
            let piece = match reader.peek() {
                Some('e') => None,
                Some('w') => Some((Colour::White, false)),
                Some('b') => Some((Colour::Black, false)),
                Some('W') => Some((Colour::White, true)),
                Some('B') => Some((Colour::Black, true)),
                _ => {
                    let (found, number) = (reader.found(), squares.number(bit));
                    let why = format!("{found} cannot stand on {number}; w, b, W, B or e can");
                    return Err(reader.wrong(why));
                }
            };
            if let Some((colour, king)) = piece {
                let square = 1 << bit;
                if !king && squares.size.last_row(colour) & square != 0 {
                    let (colour, right) = (word(colour), letter(colour));
                    let number = squares.number(bit);
                    let why =
                        format!("a {colour} man on {number} would be a king; {right} is right");
                    return Err(reader.wrong(why));
                }
                pieces[colour as usize] |= square;
                kings |= if king { square } else { 0 };
            }
            reader.next();
        }
        reader.skip_space();
        match reader.peek() {
            None => Ok(Position::of(pieces, kings, colour)),
            Some(_) => {
                let count = squares.size.squares();
                Err(reader.wrong(format!("there are {count} squares, and more letters than that")))
            }
        }
    }

    fn write_move(game: &Draughts<R>, _: &Position, m: Move) -> String {
        let squares = game.squares();
        let number = |bit| squares.number(bit).to_string();
        if m.captured == 0 {
            return format!("{}-{}", number(m.from()), number(m.to()));
        }
        let mut captured: Vec<usize> = bits(m.captured).map(|bit| squares.number(bit)).collect();
        captured.sort_unstable();
        let captured: Vec<String> = captured.iter().map(ToString::to_string).collect();
        format!("{}x{}x{}", number(m.from()), number(m.to()), captured.join("x"))
    }

    fn read_move(game: &Draughts<R>, p: &Position, text: &str) -> Result<Move, TextError> {
        let said = Said::read(game, text)?;
        let legal = moves_of(game, p);
        let captured = said.squares[2..].iter().fold(0, |set, bit| set | 1 << bit);
        let fits = |m: &&Move| {
            [m.from(), m.to()] == said.squares[..2]
                && (m.captured != 0) == said.captures
                && (m.captured == captured || captured == 0)
        };
        let mut fitting = legal.iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(&m), None) => Ok(m),
            (Some(&m), Some(_)) if captured != 0 => Ok(m),
            (Some(_), Some(_)) => Err(TextError::new(
                text,
                "several captures have these ends; add the captured squares",
            )),
            (None, _) => {
                Err(TextError::new(text, game.illegal(p, said.squares[0], said.squares[1], &legal)))
            }
        }
    }
}
