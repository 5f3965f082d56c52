//! The text of a file and places in it.

use std::fmt;

use game::TextError;

/// Where a file could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The number of the game in the file, counted from 1.
    pub game: usize,
    /// Counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The offending text, what is wrong with it and what would be right.
    pub error: TextError,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileError { game, line, column, error } = self;
        write!(f, "game {game}, line {line}, column {column}: {error}")
    }
}

impl std::error::Error for FileError {}

/// A file being read from its beginning. A byte order mark is skipped.
#[derive(Clone, Debug)]
pub(in crate::record) struct Source<'t> {
    text: &'t str,
    at: usize,
    /// The number of the game being read.
    game: usize,
    /// Where that game begins.
    begin: usize,
    /// Ends of lines before it, so that they are counted only once in files of many games.
    lines: usize,
}

impl<'t> Source<'t> {
    pub(in crate::record) fn new(text: &'t str) -> Source<'t> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Source { text, at, game: 0, begin: 0, lines: 0 }
    }

    /// Counts the next game, which begins at this byte.
    pub(in crate::record) fn begin_game(&mut self, at: usize) {
        self.lines += line_ends(&self.text[self.begin..at]);
        self.begin = at;
        self.game += 1;
    }

    /// How many games have begun.
    pub(in crate::record) fn games(&self) -> usize {
        self.game
    }

    /// Goes on from this byte.
    pub(in crate::record) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// What stands from a byte to the next one to be read.
    pub(in crate::record) fn since(&self, at: usize) -> &'t str {
        &self.text[at..self.at]
    }

    /// The byte that comes next.
    pub(in crate::record) fn at(&self) -> usize {
        self.at
    }

    pub(in crate::record) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(in crate::record) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether the next character is the first of its line.
    pub(in crate::record) fn begins_line(&self) -> bool {
        self.is_first_of_line(self.at)
    }

    pub(in crate::record) fn is_first_of_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_start_matches('\u{feff}');
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    /// Whether the line before the one with this byte has nothing in it.
    pub(in crate::record) fn follows_empty_line(&self, at: usize) -> bool {
        let mut lines = self.text[..at].rsplit('\n').skip(1);
        lines.next().is_some_and(|line| line.trim().is_empty())
    }

    pub(in crate::record) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes characters as long as they are wanted.
    pub(in crate::record) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes everything up to a character, and that one too; `None` if it never comes.
    pub(in crate::record) fn take_through(&mut self, end: char) -> Option<&'t str> {
        let rest = self.rest();
        let length = rest.find(end)?;
        self.at += length + end.len_utf8();
        Some(&rest[..length])
    }

    /// What stands from a byte to the end of its line.
    pub(in crate::record) fn line_from(&self, at: usize) -> &'t str {
        let rest = &self.text[at..];
        rest.split(['\n', '\r']).next().unwrap_or(rest)
    }

    /// An error about the text that begins at a byte. If the error has a place of its own inside that
    /// text, the two are added.
    pub(in crate::record) fn error(&self, at: usize, error: TextError) -> FileError {
        let inner = error.character().unwrap_or(0);
        let begin =
            self.text[at..].char_indices().nth(inner).map_or(self.text.len(), |(i, _)| at + i);
        let line_begin = self.text[..begin].rfind('\n').map_or(0, |i| i + 1);
        let line = self.text[line_begin..begin].trim_start_matches('\u{feff}');
        FileError {
            game: self.game.max(1),
            line: self.lines + line_ends(&self.text[self.begin.min(begin)..begin]) + 1,
            column: line.chars().count() + 1,
            error,
        }
    }
}

fn line_ends(text: &str) -> usize {
    text.matches('\n').count()
}
