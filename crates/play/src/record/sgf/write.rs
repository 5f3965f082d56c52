//! Writing.

use super::text::escaped;
use super::{
    Board, MARKS, PointNames, RESULT, Rules, SgfGame, TAGS, is_property, size_text, verdict,
    write_point,
};
use crate::record::walk::Walk;
use crate::record::{Ply, Record, Verdict};
use game::Side;
use game::TextError;

/// Writes a game.
///
/// # Errors
/// If a move or the first position of the record is not legal.
pub fn write<G: SgfGame>(game: &G, record: &Record) -> Result<String, TextError> {
    write_record(&mut Walk::new(game, game.start()), record)
}

fn write_record(board: &mut dyn Board, record: &Record) -> Result<String, TextError> {
    let Rules { number, points, .. } = board.rules();
    let grid = points.grid;
    if let Some(text) = &record.start {
        board.set_position(text)?;
    }
    let mut out = format!("(;FF[4]CA[UTF-8]GM[{number}]SZ[{}]", size_text(grid));
    let mut property = |name: &str, value: &str| {
        out.push_str(&format!("{name}[{}]", escaped(value)));
    };
    for (name, value) in board.own_properties() {
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
            let stones = grid.iter().filter(|&square| board.stone(square) == Some(side));
            let points: Vec<String> =
                stones.map(|square| format!("[{}]", write_point(points, square))).collect();
            if !points.is_empty() {
                out.push_str(&format!("{name}{}", points.concat()));
            }
        }
        out.push_str(if board.to_move() == Side::First { "PL[B]" } else { "PL[W]" });
    }
    let mut writer = Writer { board, points, out };
    writer.comment(&record.line.comment);
    writer.plies(&record.line.plies)?;
    writer.out.push_str(")\n");
    Ok(writer.out)
}

struct Writer<'b, 'g> {
    board: &'b mut (dyn Board + 'g),
    points: PointNames,
    out: String,
}

impl Writer<'_, '_> {
    /// Writes what follows and takes its moves back.
    fn plies(&mut self, plies: &[Ply]) -> Result<(), TextError> {
        let depth = self.board.depth();
        for (i, ply) in plies.iter().enumerate() {
            if ply.variations.is_empty() {
                self.ply(ply)?;
                continue;
            }
            let branch = self.board.depth();
            self.out.push_str("\n(");
            self.ply(ply)?;
            self.plies(&plies[i + 1..])?;
            self.out.push(')');
            for variation in &ply.variations {
                self.board.back_to(branch);
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
        self.board.back_to(depth);
        Ok(())
    }

    fn ply(&mut self, ply: &Ply) -> Result<(), TextError> {
        let square = self.board.read_move(&ply.text)?;
        let colour = if self.board.to_move() == Side::First { 'B' } else { 'W' };
        let point = square.map_or(String::new(), |square| write_point(self.points, square));
        if self.board.depth().is_multiple_of(MOVES_PER_LINE) {
            self.out.push('\n');
        }
        self.out.push_str(&format!(";{colour}[{point}]"));
        for glyph in &ply.glyphs {
            if let Some((mark, emphasis, _)) = MARKS.iter().find(|(_, _, number)| number == glyph) {
                self.out.push_str(&format!("{mark}[{emphasis}]"));
            }
        }
        self.comment(&ply.comment);
        self.board.play_aside(&ply.text).map(drop)
    }

    fn comment(&mut self, comment: &str) {
        if !comment.is_empty() {
            self.out.push_str(&format!("C[{}]", escaped(comment)));
        }
    }
}

const MOVES_PER_LINE: usize = 10;
