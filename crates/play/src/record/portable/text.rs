//! The words of PGN and PDN: tags, moves, comments, glyphs, brackets.

use crate::record::source::Source;
use crate::record::tag::{Tag, is_name, read_tag};
use game::TextError;

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
const SUFFIXES: [(&str, u8); 7] =
    [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2), ("*", 7)];

/// What cannot be read, with the byte where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) error: TextError,
}

/// The next token; `None` at the end of the file. Behind a fault reading goes on.
pub(super) fn next_token<'t>(source: &mut Source<'t>) -> Result<Option<Token<'t>>, Fault> {
    skip_space(source);
    let at = source.at();
    let Some(c) = source.peek() else {
        return Ok(None);
    };
    let kind = match c {
        '[' => tag(source)?,
        '{' => comment(source)?,
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
            let why = "this belongs to a tag or comment that is not open here";
            let fault = fault(source, at, why);
            source.next();
            return Err(fault);
        }
        _ => Kind::Word(word(source)),
    };
    Ok(Some(Token { at, kind }))
}

/// A move, a number or a result. One that ends with a sign goes on after spaces: files in columns
/// write `1- 7` below `11-17`.
fn word<'t>(source: &mut Source<'t>) -> &'t str {
    let at = source.at();
    source.take_while(is_word);
    let before = source.since(at).strip_suffix(['-', 'x', ':']);
    let signed = before.is_some_and(|before| before.ends_with(is_digit));
    let rest = source.rest().trim_start_matches(' ');
    if signed && rest.starts_with(is_digit) {
        source.take_while(|c| c == ' ');
        source.take_while(is_word);
    }
    source.since(at)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Whether a character may be part of a move, a number or a result.
fn is_word(c: char) -> bool {
    !is_space(c) && !"[]{}();$<>\"".contains(c)
}

/// Files that were put together hold byte order marks between their games.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// White space, and lines that begin with `%`.
fn skip_space(source: &mut Source<'_>) {
    loop {
        source.take_while(is_space);
        if source.peek() != Some('%') || !source.begins_line() {
            return;
        }
        source.take_while(|c| c != '\n');
    }
}

/// A comment up to the brace that closes it, or to the first one where those inside have no partners.
/// One that would reach into the tags of another game is not closed.
fn comment<'t>(source: &mut Source<'t>) -> Result<Kind<'t>, Fault> {
    let at = source.at();
    source.next();
    let rest = source.rest();
    let rest = &rest[..tag_line(rest).unwrap_or(rest.len())];
    let Some(first) = rest.find('}') else {
        let fault = fault(source, at, "this comment is never closed; } closes it");
        source.go_to(source.at() + rest.len());
        return Err(fault);
    };
    let mut length = first;
    if rest[..first].contains('{') {
        length = partner(rest).unwrap_or(first);
    }
    source.go_to(source.at() + length + 1);
    Ok(Kind::Comment(&rest[..length]))
}

/// The brace that closes a comment with comments inside.
fn partner(text: &str) -> Option<usize> {
    let mut open = 1;
    let braces = text.char_indices().filter(|(_, c)| matches!(c, '{' | '}'));
    braces
        .filter_map(|(i, c)| {
            if c == '{' {
                open += 1;
            } else {
                open -= 1;
            }
            (open == 0).then_some(i)
        })
        .next()
}

/// Where the first line begins that is a tag as far as one can tell: `[Event "`.
fn tag_line(text: &str) -> Option<usize> {
    let is_tag = |line: &str| {
        let inside = line.strip_prefix('[').map(str::trim_start);
        inside.is_some_and(|inside| {
            let value = inside.trim_start_matches(is_name);
            value.len() < inside.len() && value.trim_start_matches(' ').starts_with('"')
        })
    };
    let mut lines = text.match_indices('\n').map(|(i, _)| i + 1);
    lines.find(|&i| is_tag(&text[i..]))
}

/// `(` opens a variation, but `(!)` and the like are glyphs of the move before.
fn open_or_strength<'t>(source: &mut Source<'t>) -> Kind<'t> {
    source.next();
    let rest = source.rest();
    let strength = &rest[..rest.len() - rest.trim_start_matches(STRENGTHS).len()];
    if strength.is_empty() || !rest[strength.len()..].starts_with(')') {
        return Kind::Open;
    }
    source.take_through(')');
    glyph_of(strength).map_or(Kind::Comment(""), Kind::Glyph)
}

fn glyph<'t>(source: &mut Source<'t>) -> Result<Kind<'t>, Fault> {
    let at = source.at();
    source.next();
    let digits = source.take_while(is_digit);
    if digits.is_empty() {
        return Err(fault(source, at, "a glyph is $ and a number from 0 to 255"));
    }
    // Some programs have numbers of their own beyond the standard's.
    Ok(digits.parse().map_or(Kind::Comment(""), Kind::Glyph))
}

fn tag<'t>(source: &mut Source<'t>) -> Result<Kind<'t>, Fault> {
    let at = source.at();
    let Tag { name, value, value_at } = read_tag(source).map_err(|error| Fault { at, error })?;
    Ok(Kind::Tag { name, value, value_at })
}

/// What marks good and bad moves is made of these.
pub(super) const STRENGTHS: [char; 3] = ['!', '?', '*'];

/// The glyph of a mark; of the first part of one that nobody knows: `!?!!` is `!?`.
pub(super) fn glyph_of(strength: &str) -> Option<u8> {
    let found = SUFFIXES.iter().find(|(suffix, _)| strength.starts_with(suffix));
    found.map(|(_, glyph)| *glyph)
}

/// What is wrong with the text that begins at a byte, quoting as much as is on that line.
fn fault(source: &Source<'_>, at: usize, why: &str) -> Fault {
    Fault { at, error: TextError::new(source.line_from(at), why) }
}
