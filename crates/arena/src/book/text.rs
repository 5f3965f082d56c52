//! Books as text, one position to a line:
//!
//! ```text
//! zermelo book 1
//! game mnk:3x3,k=3
//! min-count 2
//! .../.../... x; b2 5 3 1 1; a1 2 0 2 0
//! .../.x./... o; a1 4 2 1 1
//! ```
//!
//! A position is followed by its moves, each with the number of games in which it was played, and how many of these
//! the first player won, were drawn, and the second player won. What is not as it should be is refused with the number of its
//! line: positions and moves are tried on a board.

use std::collections::BTreeMap;
use std::fmt::Display;

use game::{TextError, quote};
use play::Session;

use super::{Book, BookMove, place, times, usual_first};

const FIRST_LINE: &str = "zermelo book 1";
const GAME: &str = "game";
const MIN_COUNT: &str = "min-count";

impl Book {
    /// As it stands in a file.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text =
            format!("{FIRST_LINE}\n{GAME} {}\n{MIN_COUNT} {}\n", self.game, self.min_count);
        for (position, moves) in &self.positions {
            text += position;
            for BookMove { text: m, times, first, draws, second } in moves {
                text += &format!("; {m} {times} {first} {draws} {second}");
            }
            text.push('\n');
        }
        text
    }

    /// The book that a text holds.
    ///
    /// # Errors
    /// Names the line and what would be right there.
    pub fn read(text: &str) -> Result<Book, TextError> {
        let mut lines = (1..).zip(text.lines().map(str::trim_end));
        let (_, first) = lines.next().unwrap_or((1, ""));
        if first != FIRST_LINE {
            let why = match first.starts_with("zermelo book ") {
                true => "another version of the format; only 1 is known",
                false => "not a book, which begins with \"zermelo book 1\"",
            };
            return Err(wrong(1, first, why));
        }
        let (number, game) = value(&mut lines, 2, GAME, "the game, as in \"game chess\"")?;
        let opened = catalog::open(game).map_err(|e| wrong(number, e.text(), e.why()))?;
        let mut session = opened.session();
        let right = "how many games make a position known, as in \"min-count 2\"";
        let (number, least) = value(&mut lines, 3, MIN_COUNT, right)?;
        let min_count = match count(number, least)? {
            0 => return Err(wrong(number, least, "a number from 1 would be right")),
            n => n,
        };
        let mut book = Book { game: session.spec(), min_count, positions: BTreeMap::new() };
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let (position, moves) = read_position(&mut *session, number, line)?;
            if times(&moves) < u64::from(min_count) {
                let why = format!("fewer than {min_count} games came here, so it does not belong");
                return Err(wrong(number, &position, why));
            }
            if book.positions.contains_key(&position) {
                return Err(wrong(number, &position, "this position has been given before"));
            }
            book.positions.insert(position, moves);
        }
        Ok(book)
    }
}

/// What stands after a key in the next line, and the number of the line.
fn value<'t>(
    lines: &mut impl Iterator<Item = (usize, &'t str)>,
    number: usize,
    key: &str,
    right: &str,
) -> Result<(usize, &'t str), TextError> {
    let Some((number, line)) = lines.next() else {
        return Err(wrong(number, "", format!("the text ends; here comes {right}")));
    };
    match line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ')) {
        Some(value) => Ok((number, value.trim())),
        None => Err(wrong(number, line, format!("here comes {right}"))),
    }
}

/// A line of a position and its moves.
fn read_position(
    session: &mut dyn Session,
    number: usize,
    line: &str,
) -> Result<(String, Vec<BookMove>), TextError> {
    let mut parts = line.split(';').map(str::trim);
    let position = parts.next().unwrap_or_default();
    session.set_position(position).map_err(|e| wrong(number, e.text(), e.why()))?;
    let written = place(session);
    if written != position {
        let why = format!("a book has this position as {}", quote(&written));
        return Err(wrong(number, position, why));
    }
    let mut moves: Vec<BookMove> = Vec::new();
    for part in parts {
        let read = read_move(session, number, part)?;
        if moves.iter().any(|m| m.text == read.text) {
            return Err(wrong(number, &read.text, "this move has been given before"));
        }
        moves.push(read);
    }
    if moves.is_empty() {
        return Err(wrong(number, position, "moves are missing, as in \"; e2e4 10 5 3 2\""));
    }
    usual_first(&mut moves);
    Ok((written, moves))
}

/// A move with its counts.
fn read_move(session: &mut dyn Session, number: usize, part: &str) -> Result<BookMove, TextError> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let [text, counts @ ..] = words.as_slice() else {
        return Err(wrong(number, part, "a move is missing, as in \"; e2e4 10 5 3 2\""));
    };
    let &[all, first, draws, second] = counts else {
        let right = "a move and four numbers would be right: games, won by the first player, drawn, \
                     won by the second, as in \"e2e4 10 5 3 2\"";
        return Err(wrong(number, part, right));
    };
    let played = session.play(text).map_err(|e| wrong(number, e.text(), e.why()))?;
    session.undo();
    if played != *text {
        return Err(wrong(number, text, format!("a book has this move as {}", quote(&played))));
    }
    let [all, first, draws, second] =
        [count(number, all)?, count(number, first)?, count(number, draws)?, count(number, second)?];
    let results = u64::from(first) + u64::from(draws) + u64::from(second);
    if all == 0 || results > u64::from(all) {
        let why = "the first number is that of all games, so it is above 0 and no less than the others together";
        return Err(wrong(number, part, why));
    }
    Ok(BookMove { text: played, times: all, first, draws, second })
}

fn count(number: usize, text: &str) -> Result<u32, TextError> {
    // The standard parser takes a plus sign, which is not how counts are written.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let read = text.parse().ok().filter(|_| digits);
    read.ok_or_else(|| {
        wrong(number, text, format!("a number from 0 to {} would be right", u32::MAX))
    })
}

fn wrong(line: usize, text: &str, why: impl Display) -> TextError {
    TextError::new(text, format!("line {line}: {why}"))
}
