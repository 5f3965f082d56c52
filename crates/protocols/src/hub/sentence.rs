//! [`Sentence`]: a line of Hub, a command and arguments: `name=value`, `name="a value"` or `name` alone.

use std::str::FromStr;
use std::time::Duration;

/// Longer than anybody waits.
pub(super) const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// A line in its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The first word.
    pub command: String,
    /// What follows it; a name alone has an empty value.
    pub arguments: Vec<(String, String)>,
}

impl Sentence {
    /// A command without arguments.
    #[must_use]
    pub fn new(command: &str) -> Sentence {
        Sentence { command: command.to_owned(), arguments: Vec::new() }
    }

    /// With an argument more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Sentence {
        self.arguments.push((name.to_owned(), value.into()));
        self
    }

    /// Reads a line; `None` if it has no word. Quotes that are not closed end with the line, signs that belong to nothing are
    /// passed over.
    #[must_use]
    pub fn read(line: &str) -> Option<Sentence> {
        let (command, mut rest) = cut_name(skip_strays(line));
        if command.is_empty() {
            return None;
        }
        let mut sentence = Sentence::new(command);
        loop {
            let (name, after) = cut_name(skip_strays(rest));
            if name.is_empty() {
                return Some(sentence);
            }
            let (value, left) = match after.trim_start().strip_prefix('=') {
                Some(value) => cut_value(value.trim_start()),
                None => ("", after),
            };
            sentence.arguments.push((name.to_owned(), value.to_owned()));
            rest = left;
        }
    }

    /// The value of an argument.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.arguments.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// As a line. Nothing that is said can break out of its quotes: there is no way to write a quote within them.
    #[must_use]
    pub fn write(&self) -> String {
        let mut line = self.command.clone();
        for (name, value) in &self.arguments {
            line.extend([" ", name]);
            let plain = !value.is_empty() && value.chars().all(is_plain);
            let text: String =
                value.chars().map(|c| if c == '"' || c.is_control() { '\'' } else { c }).collect();
            if plain {
                line.extend(["=", &text]);
            } else {
                line.extend(["=\"", &text, "\""]);
            }
        }
        line
    }

    /// As a line that ends with a name alone.
    pub(super) fn write_with_flag(&self, flag: &str) -> String {
        format!("{} {flag}", self.write())
    }

    /// The value of an argument, if it is a number.
    pub(super) fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }

    /// The value of an argument, if it is a time.
    pub(super) fn seconds(&self, name: &str) -> Option<Duration> {
        let seconds = self.number::<f64>(name).filter(|seconds| seconds.is_finite())?;
        // A clock may have run out already.
        Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST.as_secs_f64())))
    }
}

/// What may stand without quotes.
fn is_plain(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && c != '=' && c != '"'
}

fn skip_strays(text: &str) -> &str {
    text.trim_start_matches(|c| !is_plain(c))
}

fn cut_name(text: &str) -> (&str, &str) {
    let end = text.find(|c| !is_plain(c)).unwrap_or(text.len());
    text.split_at(end)
}

fn cut_value(text: &str) -> (&str, &str) {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => cut_name(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn sentences_are_cut() {
        let read = |line: &str| Sentence::read(line).map(|sentence| sentence.arguments);
        assert_eq!(read(""), None);
        assert_eq!(read("  \t = \" "), None);
        assert_eq!(read("go think"), Some(vec![argument("think", "")]));
        let two = vec![argument("a", "1"), argument("b", "two words=2"), argument("c", "")];
        assert_eq!(read("  x  a=1 b=\"two words=2\"   c "), Some(two.clone()));
        assert_eq!(read("x a = 1 b= \"two words=2\" c=\"\""), Some(two));
        assert_eq!(read("x a=\"open to the end"), Some(vec![argument("a", "open to the end")]));
        assert_eq!(read("x == a=\"1\"\"b"), Some(vec![argument("a", "1"), argument("b", "")]));
    }

    #[test]
    fn quotes_are_put_where_they_are_needed() {
        let said = Sentence::new("error").with("message", "no \"such\" thing\n").with("x", "1.5");
        assert_eq!(said.write(), "error message=\"no 'such' thing'\" x=1.5");
        assert_eq!(Sentence::new("a").with("b", "").write(), "a b=\"\"");
    }
}
