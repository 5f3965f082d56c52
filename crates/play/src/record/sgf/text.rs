//! The words of SGF: brackets of trees, nodes, properties with their values.

use crate::record::source::{FileError, Source};
use game::TextError;

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
    source.take_while(is_space);
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
        source.take_while(is_space);
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

const VALUE_NEVER_CLOSED: &str = "this value is never closed; ] closes it";

/// White space, the mark that old systems put at the end of files, and byte order marks between files
/// that were put together.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1a}' | '\u{feff}')
}

/// Where the next game begins, and goes there: text before `(;` and behind the last game is no part of any. What is
/// in brackets or looks like nodes is taken for a game, so that somebody says what is wrong with it; so is
/// whatever is in a file without games.
pub(super) fn skip_to_game(source: &mut Source<'_>) -> Option<usize> {
    source.take_while(is_space);
    let rest = source.rest();
    if !rest.starts_with('(') {
        let begins = |i: &usize| rest[i + 1..].trim_start_matches(is_space).starts_with(';');
        let next = rest.match_indices('(').map(|(i, _)| i).find(begins);
        let is_nothing = source.games() > 0 && !rest.contains([';', '[']);
        match next {
            Some(skipped) => source.go_to(source.at() + skipped),
            None if is_nothing => return None,
            None => {}
        }
    }
    source.peek().map(|_| source.at())
}

/// Goes on behind a game that could not be read: behind the bracket that closes it, or to the next line
/// that begins a game.
pub(super) fn skip_rest(source: &mut Source<'_>, begin: usize) {
    source.go_to(begin);
    let text = source.rest();
    let next = text.match_indices('\n').map(|(i, _)| i + 1).find(|&i| begins_game(&text[i..]));
    let length = closing_bracket(text).into_iter().chain(next).min();
    source.go_to(begin + length.unwrap_or(text.len()));
}

/// The properties that a game begins with.
const FIRST: [&str; 10] = ["FF", "GM", "SZ", "CA", "AP", "EV", "PB", "PW", "GN", "DT"];

/// Whether a text begins with the first property of a game.
fn begins_game(text: &str) -> bool {
    first_property(text).is_some_and(|name| FIRST.contains(&name))
}

/// The name of the property in `(;NAME[`.
fn first_property(text: &str) -> Option<&str> {
    let node = text.strip_prefix('(')?.trim_start_matches(is_space).strip_prefix(';')?;
    let node = node.trim_start_matches(is_space);
    let name = &node[..node.find('[')?];
    name.bytes().all(|b| b.is_ascii_uppercase()).then_some(name)
}

/// The byte behind the bracket that closes the tree a text begins with.
fn closing_bracket(text: &str) -> Option<usize> {
    let (mut depth, mut in_value, mut escaped) = (0usize, false, false);
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_value => escaped = true,
            b']' => in_value = false,
            b'[' => in_value = true,
            b'(' if !in_value => depth += 1,
            b')' if !in_value => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The text up to the closing bracket. A backslash keeps the next character, or joins lines. A value that
/// would reach into the first property of another tree is not closed.
fn value(source: &mut Source<'_>, opened: usize) -> Result<Text, FileError> {
    let at = source.at();
    let mut text = String::new();
    loop {
        match source.next() {
            Some(']') => {
                let last = source.since(at).rfind('\n').map_or("", |i| &source.since(at)[i + 1..]);
                return match first_property(last) {
                    None => Ok(Text { at, text }),
                    Some(_) => Err(error(source, opened, VALUE_NEVER_CLOSED)),
                };
            }
            Some('\\') => match source.next() {
                Some('\n') => {}
                Some('\r') if source.peek() == Some('\n') => drop(source.next()),
                other => text.extend(other),
            },
            Some(c) => text.push(c),
            None => return Err(error(source, opened, VALUE_NEVER_CLOSED)),
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
