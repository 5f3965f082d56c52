//! What people type at the table, and the list they choose from.

use std::io::{self, BufRead, Read, Write};

/// The words that are understood.
pub(super) const COMMANDS: [&str; 12] = [
    "board", "claim", "draw", "help", "hint", "load", "moves", "quit", "resign", "save", "turn",
    "undo",
];

pub(super) const HELP: &str = "\
a move, as the list shows it or as players of the game write it, or its number in the list;
a capture over several pieces may be typed step by step
undo    take back to your previous turn      board   draw the board
moves   list the legal moves                 turn    see the board from the other side
hint    what the machine would play          draw    offer a draw, or claim one
save F  write the game to the file F         load F  go on with the game in the file F
claim   end the game by a claim              resign  give up
help    this                                 quit    leave; --resume goes on another time";

/// A line without its end; `None` at the end of the input. What is not UTF-8 becomes text that is no
/// move.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    const LONGEST: u64 = 1 << 16;
    let mut line = Vec::new();
    let read = input.take(LONGEST).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

/// Numbered, in columns that fit a terminal.
pub(super) fn list_moves(out: &mut dyn Write, moves: &[String]) -> io::Result<()> {
    const WIDTH: usize = 72;
    let widest = moves.iter().map(|text| text.chars().count()).max();
    let cell = widest.unwrap_or(0) + moves.len().to_string().len() + 4;
    let per_row = (WIDTH / cell).max(1);
    let digits = moves.len().to_string().len();
    for (row, texts) in moves.chunks(per_row).enumerate() {
        let number = |i: usize| row * per_row + i + 1;
        let cells = texts.iter().enumerate().map(|(i, text)| {
            let numbered = format!("{:>digits$}. {text}", number(i));
            format!("{numbered:<cell$}")
        });
        writeln!(out, "{}", cells.collect::<String>().trim_end())?;
    }
    Ok(())
}

/// What somebody typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry<'t> {
    Nothing,
    Help,
    Moves,
    Board,
    Hint,
    Undo,
    Claim,
    Draw,
    Turn,
    Save(&'t str),
    Load(&'t str),
    Resign,
    Quit,
    NoSuchNumber,
    /// A command that needs the name of a file, and has none.
    NoFile(&'static str),
    Move(&'t str),
}

impl<'t> Entry<'t> {
    /// A legal move comes first, then a word, then a number of the list; the rest is for the game to
    /// refuse.
    pub(super) fn read(line: &'t str, moves: &'t [String]) -> Entry<'t> {
        if moves.iter().any(|text| text == line) {
            return Entry::Move(line);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        match (&*word, rest) {
            ("", _) => Entry::Nothing,
            ("help" | "?", "") => Entry::Help,
            ("moves", "") => Entry::Moves,
            ("board", "") => Entry::Board,
            ("turn", "") => Entry::Turn,
            ("hint", "") => Entry::Hint,
            ("undo", "") => Entry::Undo,
            ("claim", "") => Entry::Claim,
            ("draw", "") => Entry::Draw,
            ("resign", "") => Entry::Resign,
            ("quit" | "exit", "") => Entry::Quit,
            ("save", "") => Entry::NoFile("save"),
            ("load", "") => Entry::NoFile("load"),
            ("save", file) => Entry::Save(file),
            ("load", file) => Entry::Load(file),
            _ if line.bytes().all(|b| b.is_ascii_digit()) => {
                let index = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let chosen = index.and_then(|index| moves.get(index));
                chosen.map_or(Entry::NoSuchNumber, |text| Entry::Move(text))
            }
            _ => Entry::Move(line),
        }
    }
}

/// Whether this looks like a command rather than like a move, all of which name squares by a digit.
pub(super) fn is_word(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    !word.is_empty() && word.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_moves_words_or_numbers() {
        let moves = ["a1", "b2", "3"].map(str::to_owned);
        for (line, entry) in [
            ("b2", Entry::Move("b2")),
            ("2", Entry::Move("b2")),
            ("3", Entry::Move("3")),
            ("0", Entry::NoSuchNumber),
            ("4", Entry::NoSuchNumber),
            ("99999999999999999999999", Entry::NoSuchNumber),
            ("undo", Entry::Undo),
            ("save a b.sgf", Entry::Save("a b.sgf")),
            ("load  x", Entry::Load("x")),
            ("load ", Entry::NoFile("load")),
            ("resign", Entry::Resign),
            ("draw", Entry::Draw),
            ("Turn", Entry::Turn),
            ("save", Entry::NoFile("save")),
            ("draw two", Entry::Move("draw two")),
            ("11 15", Entry::Move("11 15")),
            ("", Entry::Nothing),
            ("z9", Entry::Move("z9")),
        ] {
            assert_eq!(Entry::read(line, &moves), entry, "{line}");
        }
    }

    #[test]
    fn every_command_is_listed_and_helped_with() {
        for command in COMMANDS {
            assert!(!matches!(Entry::read(command, &[]), Entry::Move(_)), "{command}");
            assert!(HELP.contains(command), "{command}");
        }
        for (line, word) in
            [("nonsense", true), ("undoo 3", true), ("z9", false), ("O-O", false), ("", false)]
        {
            assert_eq!(is_word(line), word, "{line}");
        }
    }

    #[test]
    fn lines_end_somewhere() {
        let mut input: &[u8] = b" a1 \r\n\n\xff\xfe\nlast";
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some("a1"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
        let endless = vec![b'x'; 1 << 20];
        let line = read_line(&mut endless.as_slice()).unwrap();
        assert_eq!(line.map(|line| line.len()), Some(1 << 16));
    }

    #[test]
    fn lists_are_numbered_and_narrow() {
        let moves: Vec<String> = (1..=40).map(|n| format!("a{n}")).collect();
        let mut text = Vec::new();
        list_moves(&mut text, &moves).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(" 1. a1"), "{text}");
        assert!(text.contains("40. a40"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }
}
