//! Writing, as the PGN standard's export format wants it.

use super::{Board, Portable, ROSTER};
use crate::record::tag::escaped;
use crate::record::walk::Walk;
use crate::record::{Line, Record, Verdict};
use game::Side;
use game::TextError;

/// The standard allows 79 columns; a few are left for closing brackets.
const LINE_WIDTH: usize = 76;

/// Writes a game, ended by an empty line.
///
/// # Errors
/// If a move or the first position of the record is not legal.
pub fn write<G: Portable>(game: &G, record: &Record) -> Result<String, TextError> {
    write_record(&mut Walk::new(game, game.start()), record)
}

fn write_record(board: &mut dyn Board, record: &Record) -> Result<String, TextError> {
    if let Some(text) = &record.start {
        board.set_position(text)?;
    }
    let result = match record.result {
        None => "*",
        Some(Verdict::First) => board.results()[0],
        Some(Verdict::Draw) => board.results()[1],
        Some(Verdict::Second) => board.results()[2],
    };
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        out.push_str(&format!("[{name} \"{}\"]\n", escaped(value)));
    };
    for (name, unknown) in ROSTER {
        tag(name, record.tag(name).unwrap_or(unknown));
    }
    tag("Result", result);
    for (name, value) in board.own_tags() {
        tag(name, &value);
    }
    if let Some(position) = &record.start {
        tag("SetUp", "1");
        tag("FEN", position);
    }
    for (name, value) in &record.tags {
        if !ROSTER.iter().any(|(known, _)| known == name) {
            tag(name, value);
        }
    }
    out.push('\n');
    let number = board.move_number();
    let mut writer = Writer { board, number, column: 0, brackets: 0, out };
    writer.line(&record.line)?;
    writer.word(result);
    writer.out.push_str("\n\n");
    Ok(writer.out)
}

struct Writer<'b, 'g> {
    board: &'b mut (dyn Board + 'g),
    number: u32,
    column: usize,
    /// How many variations begin with the next word.
    brackets: usize,
    out: String,
}

impl Writer<'_, '_> {
    /// Writes a line of moves and leaves the walk at its end.
    fn line(&mut self, line: &Line) -> Result<(), TextError> {
        self.comment(&line.comment);
        let mut needs_number = true;
        for ply in &line.plies {
            let side = self.board.to_move();
            let written = self.board.translate_move(&ply.text)?;
            match side {
                Side::First => self.word(&format!("{}.", self.number)),
                Side::Second if needs_number => self.word(&format!("{}...", self.number)),
                Side::Second => {}
            }
            self.word(&written);
            for glyph in &ply.glyphs {
                self.word(&format!("${glyph}"));
            }
            self.comment(&ply.comment);
            let number = self.number;
            for variation in &ply.variations {
                let depth = self.board.depth();
                self.brackets += 1;
                self.line(variation)?;
                self.close();
                self.board.back_to(depth);
                self.number = number;
            }
            self.board.play_aside(&ply.text)?;
            self.number += u32::from(side == Side::Second);
            needs_number = !ply.comment.is_empty() || !ply.variations.is_empty();
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        let inside = comment.replace('}', ")");
        let words: Vec<&str> = inside.split_whitespace().collect();
        for (i, word) in words.iter().enumerate() {
            let open = if i == 0 { "{" } else { "" };
            let close = if i + 1 == words.len() { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"));
        }
    }

    /// A word on this line, or on the next one if there is no room. A line that began with `%` would not
    /// be read, one with `[` be taken for a tag.
    fn word(&mut self, word: &str) {
        let brackets = std::mem::take(&mut self.brackets);
        let length = brackets + word.chars().count();
        if self.column > 0 && self.column + 1 + length > LINE_WIDTH && !word.starts_with(['%', '['])
        {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(&"(".repeat(brackets));
        self.out.push_str(word);
        self.column += length;
    }

    /// Closes a variation, close to its last word.
    fn close(&mut self) {
        if self.brackets > 0 {
            self.word("");
        }
        self.out.push(')');
        self.column += 1;
    }
}
