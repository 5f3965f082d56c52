//! Writing.

use super::text::escaped;
use super::{MARKS, RESULT, SgfGame, TAGS, is_property, size_text, verdict, write_point};
use crate::record::walk::Walk;
use crate::record::{Ply, Record, Verdict};
use game::Side;
use game::TextError;

/// Writes a game.
///
/// # Errors
/// If a move or the first position of the record is not legal.
pub fn write<G: SgfGame>(game: &G, record: &Record) -> Result<String, TextError> {
    let grid = game.grid();
    let start = match &record.start {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    let mut out = format!("(;FF[4]CA[UTF-8]GM[{}]SZ[{}]", G::NUMBER, size_text(grid));
    let mut property = |name: &str, value: &str| {
        out.push_str(&format!("{name}[{}]", escaped(value)));
    };
    for (name, value) in game.own_properties() {
        if record.tag(name).is_none() {
            property(name, &value);
        }
    }
    for (tag, value) in &record.tags {
        match TAGS.iter().find(|(_, known)| known == tag) {
            Some((name, _)) => property(name, value),
            None if is_property(tag) => property(tag, value),
            None => {}
        }
    }
    if record.tag(RESULT).and_then(verdict) != record.result || record.tag(RESULT).is_none() {
        match record.result {
            Some(Verdict::First) => property(RESULT, "B+"),
            Some(Verdict::Draw) => property(RESULT, "0"),
            Some(Verdict::Second) => property(RESULT, "W+"),
            None => {}
        }
    }
    if record.start.is_some() {
        for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
            let stones = grid.iter().filter(|&square| game.stone(&start, square) == Some(side));
            let points: Vec<String> =
                stones.map(|square| format!("[{}]", write_point::<G>(grid, square))).collect();
            if !points.is_empty() {
                out.push_str(&format!("{name}{}", points.concat()));
            }
        }
        out.push_str(if game.to_move(&start) == Side::First { "PL[B]" } else { "PL[W]" });
    }
    let mut writer = Writer { walk: Walk::new(game, start), out };
    writer.comment(&record.line.comment);
    writer.plies(&record.line.plies)?;
    writer.out.push_str(")\n");
    Ok(writer.out)
}

struct Writer<'g, G: SgfGame> {
    walk: Walk<'g, G>,
    out: String,
}

impl<G: SgfGame> Writer<'_, G> {
    /// Writes what follows and takes its moves back.
    fn plies(&mut self, plies: &[Ply]) -> Result<(), TextError> {
        let depth = self.walk.depth();
        for (i, ply) in plies.iter().enumerate() {
            if ply.variations.is_empty() {
                self.ply(ply)?;
                continue;
            }
            let branch = self.walk.depth();
            self.out.push_str("\n(");
            self.ply(ply)?;
            self.plies(&plies[i + 1..])?;
            self.out.push(')');
            for variation in &ply.variations {
                self.walk.back_to(branch);
                self.out.push_str("\n(");
                if !variation.comment.is_empty() {
                    self.out.push(';');
                    self.comment(&variation.comment);
                }
                self.plies(&variation.plies)?;
                self.out.push(')');
            }
            break;
        }
        self.walk.back_to(depth);
        Ok(())
    }

    fn ply(&mut self, ply: &Ply) -> Result<(), TextError> {
        let game = self.walk.game;
        let m = game.read_move(&self.walk.position, &ply.text)?;
        let colour = if game.to_move(&self.walk.position) == Side::First { 'B' } else { 'W' };
        let point = game.square_of(m).map_or(String::new(), |s| write_point::<G>(game.grid(), s));
        if self.walk.depth().is_multiple_of(MOVES_PER_LINE) {
            self.out.push('\n');
        }
        self.out.push_str(&format!(";{colour}[{point}]"));
        for glyph in &ply.glyphs {
            if let Some((mark, emphasis, _)) = MARKS.iter().find(|(_, _, number)| number == glyph) {
                self.out.push_str(&format!("{mark}[{emphasis}]"));
            }
        }
        self.comment(&ply.comment);
        self.walk.play(m, &ply.text)
    }

    fn comment(&mut self, comment: &str) {
        if !comment.is_empty() {
            self.out.push_str(&format!("C[{}]", escaped(comment)));
        }
    }
}

const MOVES_PER_LINE: usize = 10;
