//! [`Reader`]: a text read character by character, which knows where it is when something is wrong.

use game::{Square, TextError, column_name};

use super::squares::Squares;

#[derive(Debug)]
pub(super) struct Reader<'t> {
    text: &'t str,
    chars: Vec<char>,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, chars: text.chars().collect(), at: 0 }
    }

    /// The number of the next character.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// The next character, which is thereby read.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Reads this character if it is the next one.
    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    pub(super) fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Goes on behind the first of these characters, if there is one.
    pub(super) fn skip_past(&mut self, c: char) {
        let rest = &self.chars[self.at..];
        self.at += rest.iter().position(|&found| found == c).map_or(0, |before| before + 1);
    }

    /// An error about the whole text, at the next character.
    pub(super) fn wrong(&self, why: impl Into<String>) -> TextError {
        self.wrong_at(self.at, why)
    }

    pub(super) fn wrong_at(&self, at: usize, why: impl Into<String>) -> TextError {
        TextError::new(self.text, why).at(at)
    }

    /// What is next, in words.
    pub(super) fn found(&self) -> String {
        self.peek().map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"))
    }

    /// A number up to `most`.
    pub(super) fn number(&mut self, most: usize) -> Result<usize, TextError> {
        let begin = self.at;
        let mut number = 0usize;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit as usize);
            self.at += 1;
        }
        if begin == self.at {
            return Err(self.wrong(format!("here comes a number, not {}", self.found())));
        }
        if number > most {
            return Err(
                self.wrong_at(begin, format!("this number is too large; {most} is the largest"))
            );
        }
        Ok(number)
    }

    /// A square by its number or by column and row, as a bit.
    pub(super) fn square(&mut self, squares: Squares) -> Result<usize, TextError> {
        let begin = self.at;
        let (last, side) = (squares.size.squares(), squares.size.side());
        let column = self.peek().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase());
        let bit = if let Some(letter) = column {
            self.at += 1;
            let (column, row) = (letter as usize - 'a' as usize, self.number(usize::MAX)?);
            let on_board = column < side && (1..=side).contains(&row);
            on_board.then(|| Square { row: row - 1, column }).and_then(|s| squares.of_square(s))
        } else {
            squares.of_number(self.number(usize::MAX)?)
        };
        bit.ok_or_else(|| {
            let corner = column_name(side - 1);
            let why = format!("not a dark square; these are 1 to {last} or a1 to {corner}{side}");
            self.wrong_at(begin, why)
        })
    }
}
