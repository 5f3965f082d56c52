//! The words of SGF: brackets of trees, nodes, properties with their values.

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
    Open,
    Close,
    Node,
    Property(&'t str, Vec<Text>),
}

/// A property's value, its escapes undone, and the byte where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) at: usize,
    pub(super) text: String,
}

/// The next token; `None` at the end of the file.
pub(super) fn next_token<'t>(source: &mut Source<'t>) -> Result<Option<Token<'t>>, FileError> {
    source.take_while(char::is_whitespace);
    let at = source.at();
    let Some(c) = source.peek() else {
        return Ok(None);
    };
    let kind = match c {
        '(' | ')' | ';' => {
            source.next();
            match c {
                '(' => Kind::Open,
                ')' => Kind::Close,
                _ => Kind::Node,
            }
        }
        _ if c.is_ascii_alphabetic() => property(source)?,
        _ => return Err(error(source, at, "expected ( or ) or ; or a property such as B[dd]")),
    };
    Ok(Some(Token { at, kind }))
}

fn property<'t>(source: &mut Source<'t>) -> Result<Kind<'t>, FileError> {
    let at = source.at();
    let name = source.take_while(|c| c.is_ascii_alphabetic());
    let mut values = Vec::new();
    loop {
        source.take_while(char::is_whitespace);
        if source.peek() != Some('[') {
            break;
        }
        let opened = source.at();
        source.next();
        values.push(value(source, opened)?);
    }
    if values.is_empty() {
        return Err(error(source, at, "a property has a value in brackets, as in B[dd]"));
    }
    Ok(Kind::Property(name, values))
}

/// The text up to the closing bracket. A backslash keeps the next character, or joins lines.
fn value(source: &mut Source<'_>, opened: usize) -> Result<Text, FileError> {
    let at = source.at();
    let mut text = String::new();
    loop {
        match source.next() {
            Some(']') => return Ok(Text { at, text }),
            Some('\\') => match source.next() {
                Some('\n') => {}
                Some('\r') if source.peek() == Some('\n') => drop(source.next()),
                other => text.extend(other),
            },
            Some(c) => text.push(c),
            None => return Err(error(source, opened, "this value is never closed; ] closes it")),
        }
    }
}

/// An error about what begins at a byte, quoting as much as is on that line.
pub(super) fn error(source: &Source<'_>, at: usize, why: &str) -> FileError {
    source.error(at, TextError::new(source.line_from(at), why))
}

/// A value as it stands between brackets.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        if matches!(c, ']' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
