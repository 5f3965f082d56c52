//! The XML of BOINC's messages: read into a small tree within limits, and written a line for each
//! element, as the client wants it.
//!
//! Nothing is expanded but the five entities of XML and numbers of characters; a document type is
//! refused, so that nothing small becomes large. Attributes are passed over: BOINC has none.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

/// An element with its text and what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XmlElement {
    /// Its name.
    pub name: String,
    /// Its text, without space around it.
    pub text: String,
    /// What is in it, in order.
    pub children: Vec<XmlElement>,
}

/// Why bytes are no message. Prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XmlError {
    /// It is no XML.
    #[error("byte {0}: this is no XML")]
    Malformed(u64),
    /// It has something that messages do not have.
    #[error("byte {0}: messages have no document types and no entities of their own")]
    Entity(u64),
    /// Elements in elements.
    #[error("byte {0}: elements are in each other more than {MOST_DEPTH} times")]
    Deep(u64),
    /// Too many of them.
    #[error("there are more than {MOST_ELEMENTS} elements")]
    Many,
    /// Names are short.
    #[error("byte {0}: this is no name of an element")]
    Name(u64),
    /// Another message than was expected.
    #[error("a message {0} was expected")]
    Other(&'static str),
}

/// So often elements may be in each other.
const MOST_DEPTH: usize = 16;
/// So many elements a message may have.
const MOST_ELEMENTS: usize = 50_000;
const LONGEST_NAME: usize = 64;

impl XmlElement {
    /// Reads one element, and nothing behind it.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn read(bytes: &[u8]) -> Result<XmlElement, XmlError> {
        let text = String::from_utf8_lossy(bytes);
        let mut reader = Reader::from_str(&text);
        reader.config_mut().allow_dangling_amp = true;
        let mut open: Vec<XmlElement> = Vec::new();
        let mut count = 0;
        loop {
            let at = reader.buffer_position();
            let event = reader.read_event().map_err(|_| XmlError::Malformed(at))?;
            let (started, is_empty) = match &event {
                Event::Start(tag) => (Some(tag.name()), false),
                Event::Empty(tag) => (Some(tag.name()), true),
                _ => (None, false),
            };
            if let Some(name) = started {
                count += 1;
                if count > MOST_ELEMENTS {
                    return Err(XmlError::Many);
                }
                if open.len() >= MOST_DEPTH {
                    return Err(XmlError::Deep(at));
                }
                let name = element_name(name.into_inner()).ok_or(XmlError::Name(at))?;
                open.push(XmlElement { name, ..XmlElement::default() });
            }
            let inner = open.last_mut();
            match event {
                Event::Start(_) => {}
                Event::Empty(_) | Event::End(_) => {
                    let Some(mut ended) = open.pop() else { return Err(XmlError::Malformed(at)) };
                    ended.trim();
                    match open.last_mut() {
                        Some(parent) => parent.children.push(ended),
                        None => return Ok(ended),
                    }
                }
                Event::Text(text) => match inner {
                    Some(inner) => inner.text.push_str(&text),
                    None if text.trim().is_empty() => {}
                    None => return Err(XmlError::Malformed(at)),
                },
                Event::CData(text) => {
                    inner.ok_or(XmlError::Malformed(at))?.text.push_str(&text);
                }
                Event::GeneralRef(named) => {
                    let letter = letter(&named).ok_or(XmlError::Entity(at))?;
                    inner.ok_or(XmlError::Malformed(at))?.text.push(letter);
                }
                Event::DocType(_) => return Err(XmlError::Entity(at)),
                Event::Eof => return Err(XmlError::Malformed(at)),
                Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            }
            debug_assert!(!is_empty || open.len() < MOST_DEPTH);
        }
    }

    /// The same for a message of this name.
    ///
    /// # Errors
    /// Also if it is another one.
    pub fn read_message(bytes: &[u8], name: &'static str) -> Result<XmlElement, XmlError> {
        let read = XmlElement::read(bytes)?;
        if read.name == name { Ok(read) } else { Err(XmlError::Other(name)) }
    }

    /// The first element of this name in it.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&XmlElement> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All elements of this name in it.
    pub fn all<'x>(&'x self, name: &'x str) -> impl Iterator<Item = &'x XmlElement> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first element of this name in it; nothing if it is not there.
    #[must_use]
    pub fn text_of(&self, name: &str) -> &str {
        self.child(name).map_or("", |child| &child.text)
    }

    /// The same as a number that makes sense.
    #[must_use]
    pub fn number_of(&self, name: &str) -> Option<f64> {
        self.text_of(name).parse::<f64>().ok().filter(|number| number.is_finite())
    }

    /// The same as a whole number, which BOINC sometimes writes with a fraction.
    #[must_use]
    pub fn whole_of(&self, name: &str) -> Option<i64> {
        let whole = self.text_of(name).parse().ok();
        whole.or_else(|| self.number_of(name).map(|number| number as i64))
    }

    fn trim(&mut self) {
        let trimmed = self.text.trim();
        if trimmed.len() < self.text.len() {
            self.text = trimmed.to_owned();
        }
    }
}

fn element_name(name: &str) -> Option<String> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let fine = !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_fine);
    fine.then(|| name.to_owned())
}

fn letter(named: &BytesRef<'_>) -> Option<char> {
    if named.is_char_ref() {
        return named.resolve_char_ref().ok().flatten();
    }
    Some(match &**named {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// Writes a message, a line for each element.
#[derive(Clone, Debug, Default)]
pub(super) struct XmlText(String);

impl XmlText {
    pub(super) fn new(name: &str) -> XmlText {
        let mut text = XmlText::default();
        text.open(name);
        text
    }

    pub(super) fn open(&mut self, name: &str) -> &mut Self {
        self.raw(&format!("<{name}>"))
    }

    pub(super) fn close(&mut self, name: &str) -> &mut Self {
        self.raw(&format!("</{name}>"))
    }

    pub(super) fn flag(&mut self, name: &str) -> &mut Self {
        self.raw(&format!("<{name}/>"))
    }

    pub(super) fn value(&mut self, name: &str, value: impl std::fmt::Display) -> &mut Self {
        let value = escaped(&value.to_string());
        self.raw(&format!("<{name}>{value}</{name}>"))
    }

    /// Text of several lines, such as a signature.
    pub(super) fn lines(&mut self, name: &str, lines: &str) -> &mut Self {
        let lines = escaped(lines.trim());
        self.raw(&format!("<{name}>\n{lines}\n</{name}>"))
    }

    pub(super) fn raw(&mut self, line: &str) -> &mut Self {
        self.0.push_str(line);
        self.0.push('\n');
        self
    }

    pub(super) fn finish(mut self, name: &str) -> String {
        self.close(name);
        self.0
    }
}

/// Text as XML has it; control characters are left out.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let read = XmlElement::read(
            b"<?xml version=\"1.0\"?>\n<a>\n <b>1 &lt; 2 &#65;</b>\n <c/>\n\
              <b><![CDATA[<raw> & \x01]]></b><d x=\"1\">2.000000</d></a>\nrest",
        )
        .unwrap();
        assert_eq!(read.name, "a");
        assert_eq!(read.text_of("b"), "1 < 2 A");
        assert_eq!(read.all("b").nth(1).unwrap().text, "<raw> & \x01");
        assert!(read.child("c").is_some() && read.child("e").is_none());
        assert_eq!((read.number_of("d"), read.whole_of("d")), (Some(2.0), Some(2)));
        assert_eq!(read.number_of("b"), None);
        let dangling = XmlElement::read(b"<a>Ann & Bert</a>").unwrap();
        assert_eq!(dangling.text, "Ann & Bert");
    }

    #[test]
    fn bombs_are_refused() {
        let laughs = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]>\
                      <scheduler_request>&lol2;</scheduler_request>";
        assert!(matches!(XmlElement::read(laughs.as_bytes()), Err(XmlError::Entity(_))));
        let unknown = XmlElement::read(b"<a>&lol;</a>");
        assert!(matches!(unknown, Err(XmlError::Entity(_))), "{unknown:?}");
        let deep = "<a>".repeat(100_000);
        assert!(matches!(XmlElement::read(deep.as_bytes()), Err(XmlError::Deep(_))));
        let many = format!("<a>{}</a>", "<b/>".repeat(MOST_ELEMENTS));
        assert_eq!(XmlElement::read(many.as_bytes()), Err(XmlError::Many));
        let long = format!("<{}/>", "a".repeat(65));
        assert!(matches!(XmlElement::read(long.as_bytes()), Err(XmlError::Name(_))));
        for wrong in ["", " ", "<a>", "</a>", "<a></b>", "text", "<a", "<a><b></a></b>", "<é/>"] {
            assert!(XmlElement::read(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(XmlElement::read_message(b"<a/>", "b").is_err());
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut text = XmlText::new("a");
        text.value("b", "<&>\"'\u{1}é").flag("c").lines("d", "1\n2\n.\n");
        let text = text.finish("a");
        let read = XmlElement::read(text.as_bytes()).unwrap();
        assert_eq!((read.text_of("b"), read.text_of("d")), ("<&>\"'é", "1\n2\n."));
        assert!(text.lines().all(|line| line.len() < 256));
    }
}
