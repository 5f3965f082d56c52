//! Writing, as the PGN standard's export format wants it.

use super::{Portable, ROSTER};
use crate::record::tag::escaped;
use crate::record::walk::Walk;
use crate::record::{Line, Record, Verdict};
use game::Dialect;
use game::Side;
use game::TextError;

/// The standard allows 79 columns; a few are left for closing brackets.
const LINE_WIDTH: usize = 76;

/// Writes a game, ended by an empty line.
///
/// # Errors
/// If a move or the first position of the record is not legal.
pub fn write<G: Portable>(game: &G, record: &Record) -> Result<String, TextError> {
    let start = match &record.start {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    let result = match record.result {
        None => "*",
        Some(Verdict::First) => game.results()[0],
        Some(Verdict::Draw) => game.results()[1],
        Some(Verdict::Second) => game.results()[2],
    };
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        out.push_str(&format!("[{name} \"{}\"]\n", escaped(value)));
    };
    for (name, unknown) in ROSTER {
        tag(name, record.tag(name).unwrap_or(unknown));
    }
    tag("Result", result);
    for (name, value) in game.own_tags() {
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
    let number = game.move_number(&start);
    let walk = Walk::new(game, start);
    let mut writer = Writer { walk, number, column: 0, brackets: 0, out };
    writer.line(&record.line)?;
    writer.word(result);
    writer.out.push_str("\n\n");
    Ok(writer.out)
}

struct Writer<'g, G: Portable> {
    walk: Walk<'g, G>,
    number: u32,
    column: usize,
    /// How many variations begin with the next word.
    brackets: usize,
    out: String,
}

impl<G: Portable> Writer<'_, G> {
    /// Writes a line of moves and leaves the walk at its end.
    fn line(&mut self, line: &Line) -> Result<(), TextError> {
        let game = self.walk.game;
        self.comment(&line.comment);
        let mut needs_number = true;
        for ply in &line.plies {
            let m = game.read_move(&self.walk.position, &ply.text)?;
            let side = game.to_move(&self.walk.position);
            match side {
                Side::First => self.word(&format!("{}.", self.number)),
                Side::Second if needs_number => self.word(&format!("{}...", self.number)),
                Side::Second => {}
            }
            self.word(&G::Moves::write_move(game, &self.walk.position, m));
            for glyph in &ply.glyphs {
                self.word(&format!("${glyph}"));
            }
            self.comment(&ply.comment);
            let number = self.number;
            for variation in &ply.variations {
                let depth = self.walk.depth();
                self.brackets += 1;
                self.line(variation)?;
                self.close();
                self.walk.back_to(depth);
                self.number = number;
            }
            self.walk.play(m, &ply.text)?;
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
