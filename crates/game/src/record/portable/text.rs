//! The words of PGN and PDN: tags, moves, comments, glyphs, brackets.

use crate::record::source::{FileError, Source};
use crate::text_error::TextError;

/// What stands in a file, with the byte where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) at: usize,
    pub(super) kind: Kind<'t>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// `[Name "value"]`, and the byte where the value begins.
    Tag {
        name: &'t str,
        value: String,
        value_at: usize,
    },
    /// A move, a result or a move number with a move stuck to it.
    Word(&'t str),
    Comment(&'t str),
    Glyph(u8),
    Open,
    Close,
}

/// Suffixes of moves and their glyphs, the longest first. PDN files mark a forced move by `*`.
pub(super) const SUFFIXES: [(&str, u8); 7] =
    [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2), ("*", 7)];

/// The next token; `None` at the end of the file.
pub(super) fn next_token<'t>(source: &mut Source<'t>) -> Result<Option<Token<'t>>, FileError> {
    skip_space(source);
    let at = source.at();
    let Some(c) = source.peek() else {
        return Ok(None);
    };
    let kind = match c {
        '[' => tag(source)?,
        '{' => {
            source.next();
            let comment = source.take_through('}').map(Kind::Comment);
            comment.ok_or_else(|| error(source, at, "this comment is never closed; } closes it"))?
        }
        ';' => {
            source.next();
            Kind::Comment(source.take_while(|c| c != '\n'))
        }
        '(' => open_or_strength(source),
        ')' => {
            source.next();
            Kind::Close
        }
        '$' => glyph(source)?,
        '<' | '>' | ']' | '}' | '"' => {
            return Err(error(
                source,
                at,
                "this belongs to a tag or comment that is not open here",
            ));
        }
        _ => Kind::Word(source.take_while(is_word)),
    };
    Ok(Some(Token { at, kind }))
}

/// Whether a character may be part of a move, a number or a result.
fn is_word(c: char) -> bool {
    !c.is_whitespace() && !"[]{}();$<>\"".contains(c)
}

/// White space, and lines that begin with `%`.
fn skip_space(source: &mut Source<'_>) {
    loop {
        source.take_while(char::is_whitespace);
        if source.peek() != Some('%') || !source.begins_line() {
            return;
        }
        source.take_while(|c| c != '\n');
    }
}

/// `(` opens a variation, but `(!)` and the like are glyphs of the move before.
fn open_or_strength<'t>(source: &mut Source<'t>) -> Kind<'t> {
    source.next();
    for (suffix, number) in SUFFIXES {
        let rest = source.rest().strip_prefix(suffix);
        if rest.is_some_and(|rest| rest.starts_with(')')) {
            source.take_through(')');
            return Kind::Glyph(number);
        }
    }
    Kind::Open
}

fn glyph<'t>(source: &mut Source<'t>) -> Result<Kind<'t>, FileError> {
    let at = source.at();
    source.next();
    let digits = source.take_while(|c| c.is_ascii_digit());
    match digits.parse() {
        Ok(number) => Ok(Kind::Glyph(number)),
        Err(_) => Err(error(source, at, "a glyph is $ and a number from 0 to 255")),
    }
}

fn tag<'t>(source: &mut Source<'t>) -> Result<Kind<'t>, FileError> {
    const RIGHT: &str = "a tag is written [Name \"value\"]";
    let at = source.at();
    source.next();
    source.take_while(char::is_whitespace);
    let name = source.take_while(|c| c.is_alphanumeric() || c == '_');
    source.take_while(char::is_whitespace);
    if name.is_empty() || source.next() != Some('"') {
        return Err(error(source, at, RIGHT));
    }
    let value_at = source.at();
    let mut value = String::new();
    loop {
        match source.next() {
            Some('"') => break,
            Some('\\') if matches!(source.peek(), Some('"' | '\\')) => value.extend(source.next()),
            Some('\n') | None => {
                let why = "the value of this tag has no closing quotation mark";
                return Err(error(source, at, why));
            }
            Some(c) => value.push(if c.is_control() { ' ' } else { c }),
        }
    }
    source.take_while(char::is_whitespace);
    match source.next() {
        Some(']') => Ok(Kind::Tag { name, value, value_at }),
        _ => Err(error(source, at, RIGHT)),
    }
}

/// An error about what begins at a byte, quoting as much as is on that line.
fn error(source: &Source<'_>, at: usize, why: &str) -> FileError {
    source.error(at, TextError::new(source.line_from(at), why))
}

/// A value as it stands between the quotation marks of a tag.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            _ => text.push(c),
        }
    }
    text
}
