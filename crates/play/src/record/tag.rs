//! Tags, as the heads of several formats have them: `[Name "value"]`.

use game::TextError;

use super::source::Source;

/// What a tag says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::record) struct Tag<'t> {
    pub(in crate::record) name: &'t str,
    pub(in crate::record) value: String,
    /// The byte where the value begins.
    pub(in crate::record) value_at: usize,
}

/// Reads the tag that begins here. Behind one with a fault reading goes on with the next line.
///
/// # Errors
/// Quotes the line from here on.
pub(in crate::record) fn read_tag<'t>(source: &mut Source<'t>) -> Result<Tag<'t>, TextError> {
    let at = source.at();
    tag_inside(source).map_err(|why| {
        let line = source.line_from(at);
        source.go_to(at + line.len());
        TextError::new(line, why)
    })
}

fn tag_inside<'t>(source: &mut Source<'t>) -> Result<Tag<'t>, &'static str> {
    const RIGHT: &str = "a tag is written [Name \"value\"]";
    source.next();
    source.take_while(char::is_whitespace);
    let name = source.take_while(is_name);
    source.take_while(char::is_whitespace);
    if name.is_empty() || source.next() != Some('"') {
        return Err(RIGHT);
    }
    let value_at = source.at();
    let mut value = String::new();
    loop {
        match source.next() {
            Some('"') if closes(source) => break,
            Some('\\') if is_escape(source) => value.extend(source.next()),
            Some('\n') | None => return Err("the value of this tag has no closing quotation mark"),
            Some(c) => value.push(if c.is_control() { ' ' } else { c }),
        }
    }
    source.take_while(char::is_whitespace);
    match source.next() {
        Some(']') => Ok(Tag { name, value, value_at }),
        _ => Err(RIGHT),
    }
}

/// Whether the quotation mark just read ends the value of a tag. One inside a value should have a
/// backslash before it, but people forget: `[Event "The "Open" of Delft"]`.
fn closes(source: &Source<'_>) -> bool {
    let line = source.line_from(source.at());
    let ends = |text: &str| text.trim_start().starts_with(']');
    ends(line) || !line.match_indices('"').any(|(i, _)| ends(&line[i + 1..]))
}

/// Whether the backslash just read belongs to the quotation mark or backslash after it. The last quotation mark of
/// a line closes its tag whatever stands before: `[White "Sm\"]`.
fn is_escape(source: &Source<'_>) -> bool {
    let line = source.line_from(source.at());
    match source.peek() {
        Some('"') => line[1..].contains('"'),
        Some('\\') => true,
        _ => false,
    }
}

/// What names of tags are made of.
pub(in crate::record) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A value as it stands between the quotation marks of a tag.
pub(in crate::record) fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            _ => text.push(c),
        }
    }
    text
}
