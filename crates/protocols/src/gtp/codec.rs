//! The lines of GTP, both ways, as plain functions.

use std::fmt;

use game::Side;

/// What a front asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What the answer is to be marked with, if anything: digits.
    pub id: String,
    /// The word after the number, as it was written.
    pub command: String,
    /// What it is about.
    pub arguments: Vec<String>,
}

impl Request {
    /// Reads a line; `None` if nothing is asked in it. Control characters and remarks are passed over, as the protocol asks.
    #[must_use]
    pub fn read(line: &str) -> Option<Request> {
        let line = plain(line);
        let said = line.split('#').next().unwrap_or_default();
        let mut words = said.split_whitespace().peekable();
        let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let id = words.next_if(is_number).unwrap_or_default().to_owned();
        let command = words.next()?.to_owned();
        Some(Request { id, command, arguments: words.map(str::to_owned).collect() })
    }

    /// As a front writes it.
    #[must_use]
    pub fn write(&self) -> String {
        let id = (!self.id.is_empty()).then_some(&self.id);
        let words: Vec<&str> =
            id.into_iter().chain([&self.command]).chain(&self.arguments).map(|w| &**w).collect();
        words.join(" ")
    }
}

/// A line without control characters, its tabs as spaces.
fn plain(line: &str) -> String {
    let seen = line.chars().map(|c| if c == '\t' { ' ' } else { c });
    seen.filter(|c| !c.is_control()).collect()
}

/// What an engine answers: what was asked for, or why not.
pub type GtpAnswer = Result<String, Failure>;

/// Why an engine does not do what it was asked, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// An answer with the empty line that ends it, but for the end of that line.
#[must_use]
pub fn write_answer(id: &str, answer: &GtpAnswer) -> String {
    let (mark, text) = match answer {
        Ok(text) => ('=', text),
        Err(Failure(why)) => ('?', why),
    };
    // An empty line would end the answer.
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let space = match text.chars().next() {
        _ if lines.is_empty() => "",
        // What is drawn begins on a line of its own.
        Some('\n') => "\n",
        _ => " ",
    };
    format!("{mark}{id}{space}{}\n", lines.join("\n"))
}

/// Puts answers together from the lines of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    begun: Option<GtpAnswer>,
}

impl Answers {
    /// Hears a line and gives the answer that it ends. What stands between answers is passed over.
    pub fn hear(&mut self, line: &str) -> Option<GtpAnswer> {
        let line = plain(line);
        let line = line.trim();
        match (&mut self.begun, line.chars().next()) {
            (Some(_), None) => self.begun.take(),
            (Some(Ok(text) | Err(Failure(text))), Some(_)) => {
                text.push('\n');
                text.push_str(line);
                None
            }
            (None, Some(mark @ ('=' | '?'))) => {
                let rest = line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
                self.begun = Some(match mark {
                    '=' => Ok(rest.to_owned()),
                    _ => Err(Failure(rest.to_owned())),
                });
                None
            }
            (None, _) => None,
        }
    }
}

/// Black is the first player in every game that is spoken of.
#[must_use]
pub fn read_colour(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

/// `black` for the first player, `white` for the second.
#[must_use]
pub fn colour_name(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Whether a word is written as a vertex, whatever the board.
pub(crate) fn looks_like_vertex(text: &str) -> bool {
    let mut letters = text.chars();
    let column = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    let row = letters.as_str();
    let is_point = column && !row.is_empty() && row.bytes().all(|b| b.is_ascii_digit());
    is_point || text.eq_ignore_ascii_case("pass")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: &str, words: &[&str]) -> Option<Request> {
        let mut words = words.iter().map(|&word| word.to_owned());
        let command = words.next()?;
        Some(Request { id: id.to_owned(), command, arguments: words.collect() })
    }

    #[test]
    fn requests_are_read() {
        assert_eq!(Request::read("genmove b"), request("", &["genmove", "b"]));
        assert_eq!(
            Request::read("12\tplay  white\tD4 # why"),
            request("12", &["play", "white", "D4"])
        );
        assert_eq!(Request::read("na\u{7}me\u{1b}\r"), request("", &["name"]));
        assert_eq!(Request::read("#name"), None);
        assert_eq!(Request::read("7"), None);
        assert_eq!(Request::read(" \t"), None);
        for line in ["name", "3 play black C3", "time_settings 0 5 1"] {
            assert_eq!(Request::read(line).unwrap().write(), line);
        }
    }

    #[test]
    fn answers_round_trip() {
        for (id, answer) in [
            ("", Ok("2".to_owned())),
            ("17", Ok(String::new())),
            ("", Err(Failure("illegal move".to_owned()))),
            ("0", Ok("one\ntwo".to_owned())),
        ] {
            let mut answers = Answers::default();
            let text = write_answer(id, &answer) + "\n";
            let heard: Vec<GtpAnswer> =
                text.lines().filter_map(|line| answers.hear(line)).collect();
            assert_eq!(heard, [answer], "{text:?}");
        }
        assert_eq!(write_answer("", &Ok(String::new())), "=\n");
        assert_eq!(write_answer("", &Ok("\n A B\n1 x".to_owned())), "=\n A B\n1 x\n");
        assert_eq!(write_answer("4", &Err(Failure("no\n\nway".to_owned()))), "?4 no\nway\n");
    }

    #[test]
    fn what_is_no_answer_is_passed_over() {
        let mut answers = Answers::default();
        for line in ["", "hello", "", "=3"] {
            assert_eq!(answers.hear(line), None);
        }
        assert_eq!(answers.hear("C3"), None);
        assert_eq!(answers.hear(" \r"), Some(Ok("\nC3".to_owned())));
    }

    #[test]
    fn colours_and_vertices() {
        assert_eq!(read_colour("W"), Some(Side::Second));
        assert_eq!(read_colour("Black"), Some(Side::First));
        assert_eq!(read_colour("red"), None);
        for vertex in ["A1", "t19", "Pass", "z99"] {
            assert!(looks_like_vertex(vertex), "{vertex}");
        }
        for other in ["", "A", "11", "resign", "A1B", "é1"] {
            assert!(!looks_like_vertex(other), "{other}");
        }
    }
}
