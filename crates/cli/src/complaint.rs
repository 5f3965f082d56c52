//! Bad input gets exactly one line, whatever bytes it held.

use std::fmt;

use clap::error::{ContextKind, ContextValue};

/// Several things that are wrong with the same input; each gets a line.
#[derive(Debug)]
pub(crate) struct Complaints(pub(crate) Vec<String>);

impl fmt::Display for Complaints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for Complaints {}

/// What clap has to say, without usage and on one line: the first paragraph, and the tip if there is
/// one.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let mut text = error.render().to_string();
    // An argument with blank lines in it must not cut the paragraph short.
    for (_, value) in error.context().filter(|(kind, _)| *kind != ContextKind::Usage) {
        if let ContextValue::String(given) = value
            && given.contains(char::is_control)
        {
            text = text.replace(given, &given.escape_debug().to_string());
        }
    }
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let first = paragraphs.next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let lines: Vec<&str> = first.lines().map(str::trim).collect();
    let mut line = lines.join(" ");
    if let Some(tip) = paragraphs.find_map(|paragraph| paragraph.strip_prefix("tip: ")) {
        line.push_str("; ");
        line.push_str(tip.lines().next().unwrap_or_default());
    }
    line
}

/// What went wrong and why, from the outside in. Errors that name their cause in their own words are
/// not asked for it again.
pub(crate) fn in_words(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        match line.is_empty() {
            true => line = cause,
            false if line.ends_with(&cause) => {}
            false => line = format!("{line}: {cause}"),
        }
    }
    line
}

/// The text with everything written out that would break the line or steer the terminal, and without
/// passwords. What is too long to be read loses its middle: names stand at the beginning, and what is
/// wrong at the end.
pub(crate) fn on_one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let line = game::escaped(&cluster::record::without_passwords(text));
    let length = line.chars().count();
    if length <= LONGEST {
        return line;
    }
    let beginning = line.chars().take(LONGEST / 2);
    let end = line.chars().skip(length - LONGEST / 2);
    beginning.chain(['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::Parser;

    fn complaint(arguments: &[&str]) -> String {
        let all = ["zermelo"].into_iter().chain(arguments.iter().copied());
        one_line(&Arguments::try_parse_from(all).unwrap_err())
    }

    #[test]
    fn says_what_is_wrong_and_what_would_be_right() {
        for (arguments, line) in [
            (
                &["perft", "reversi", "--depth", "x"][..],
                "invalid value 'x' for '--depth <N>': a depth is a number from 1 to 99",
            ),
            (
                &["perft", "reversi"],
                "the following required arguments were not provided: --depth <N>",
            ),
            (&["shwo"], "unrecognized subcommand 'shwo'; a similar subcommand exists: 'show'"),
            (
                &["analyse", "reversi", "--algorithm", "minmax"],
                "invalid value 'minmax' for '--algorithm <NAME>' [possible values: minimax, \
                 alphabeta, negascout, mtdf, playing, montecarlo, proof]; a similar value \
                 exists: 'minimax'",
            ),
            (&["show"], "the following required arguments were not provided: <GAME>"),
            (
                &["perft", "reversi", "--depth", "a\n\nb"],
                "invalid value 'a\\n\\nb' for '--depth <N>': a depth is a number from 1 to 99",
            ),
        ] {
            assert_eq!(complaint(arguments), line);
        }
    }

    #[test]
    fn causes_are_told_once() {
        let of_store =
            anyhow::Error::from(solve::SolveError::Place(game::TextError::new("a", "b")));
        assert_eq!(in_words(&of_store), "the store is damaged: \"a\": b");
        let of_file = std::io::Error::other("no disk");
        let of_file = anyhow::Error::from(of_file).context("cannot write x");
        assert_eq!(in_words(&of_file), "cannot write x: no disk");
    }

    #[test]
    fn nothing_breaks_the_line() {
        assert_eq!(on_one_line("a\r\n\u{1b}[31mé"), r"a\r\n\u{1b}[31mé");
        assert_eq!(on_one_line("no postgres://a:b@c/d here"), "no postgres://a:…@c/d here");
        let long = on_one_line(&format!("begins {} ends", "x".repeat(9999)));
        assert_eq!(long.chars().count(), 401);
        assert!(long.starts_with("begins x") && long.ends_with("x ends"), "{long}");
    }
}
