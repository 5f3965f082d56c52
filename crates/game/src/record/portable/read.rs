//! Reading.

use super::text::{Kind, SUFFIXES, Token, next_token};
use super::{Portable, ROSTER};
use crate::notation::Dialect;
use crate::record::source::{FileError, Source};
use crate::record::walk::Walk;
use crate::record::{Games, Line, Ply, Record, Verdict, add_comment};
use crate::text_error::TextError;

/// Variations inside variations beyond this are an attack, not analysis.
const DEEPEST: usize = 64;

/// Reads a file.
pub fn read<G: Portable>(game: &G, text: &str) -> Games {
    let mut source = Source::new(text);
    let mut games = Games::default();
    let mut next = next_token(&mut source);
    loop {
        match Reader::read_game(game, &mut source, &mut next) {
            Ok(Some(record)) => games.games.push(record),
            Ok(None) => return games,
            Err(error) => return Games { error: Some(error), ..games },
        }
    }
}

/// One game while it is being read.
struct Reader<'g, G: Portable> {
    walk: Walk<'g, G>,
    /// The main line, then the variations that are open, each inside the one before.
    open: Vec<Open<G::Move>>,
    record: Record,
}

struct Open<M> {
    line: Line,
    /// The move that this variation replaces.
    instead_of: Option<M>,
    /// The byte where it begins.
    at: usize,
}

type Next<'t> = Result<Option<Token<'t>>, FileError>;

impl<'g, G: Portable> Reader<'g, G> {
    /// The game that begins with the token already taken; `None` at the end of the file.
    fn read_game<'t>(
        game: &'g G,
        source: &mut Source<'t>,
        next: &mut Next<'t>,
    ) -> Result<Option<Record>, FileError> {
        let line = Open { line: Line::default(), instead_of: None, at: 0 };
        let walk = Walk::new(game, game.start());
        let mut reader = Reader { walk, open: vec![line], record: Record::default() };
        let mut anything = false;
        while let Some(token) = next.clone()? {
            if let Kind::Tag { name, .. } = token.kind
                && (reader.has_moves() || reader.record.tag(name).is_some())
            {
                break;
            }
            *next = next_token(source);
            if reader.take(source, &token)? {
                if anything {
                    return reader.finish(source).map(Some);
                }
                continue;
            }
            anything = true;
        }
        if anything { reader.finish(source).map(Some) } else { Ok(None) }
    }

    fn has_moves(&self) -> bool {
        self.open.len() > 1 || !self.open[0].line.plies.is_empty()
    }

    /// The line that moves are added to.
    fn line(&mut self) -> &mut Line {
        let last = self.open.len() - 1;
        &mut self.open[last].line
    }

    /// Takes a token; whether it ends the game.
    fn take(&mut self, source: &Source<'_>, token: &Token<'_>) -> Result<bool, FileError> {
        match &token.kind {
            Kind::Tag { name, value, value_at } => self.tag(source, name, value, *value_at)?,
            Kind::Comment(words) => {
                // Only a comment to the end of a line can hold what would close a longer one.
                let words = words.replace('}', ")");
                let line = self.line();
                add_comment(
                    line.plies.last_mut().map_or(&mut line.comment, |p| &mut p.comment),
                    &words,
                );
            }
            Kind::Glyph(number) => {
                if let Some(ply) = self.line().plies.last_mut() {
                    ply.glyphs.push(*number);
                }
            }
            Kind::Open => self.begin_variation(source, token.at)?,
            Kind::Close => self.end_variation(source, token.at)?,
            Kind::Word(word) => return self.word(source, token.at, word),
        }
        Ok(false)
    }

    fn tag(
        &mut self,
        source: &Source<'_>,
        name: &str,
        value: &str,
        value_at: usize,
    ) -> Result<(), FileError> {
        let game = self.walk.game;
        if let Some(why) = game.contradicts(name, value) {
            return Err(source.error(value_at, TextError::new(value, why)));
        }
        match name {
            "FEN" => {
                let position = game.read_position(value);
                let position = position.map_err(|error| source.error(value_at, error))?;
                let usual = position == game.start();
                self.record.start = (!usual).then(|| game.write_position(&position));
                self.walk = Walk::new(game, position);
            }
            "SetUp" => {}
            "Result" => self.record.result = verdict(value).flatten(),
            _ if game.own_tags().iter().any(|(own, _)| *own == name) => {}
            _ if ROSTER.contains(&(name, value)) => {}
            _ => self.record.tags.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    fn begin_variation(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        let error = |why: &str| source.error(at, TextError::new(source.line_from(at), why));
        if self.open.len() > DEEPEST {
            return Err(error("variations inside variations go too deep here"));
        }
        if self.line().plies.is_empty() {
            return Err(error("a variation replaces the move before it, and there is none"));
        }
        let instead_of = self.walk.back();
        self.open.push(Open { line: Line::default(), instead_of, at });
        Ok(())
    }

    fn end_variation(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        let error = |why: &str| source.error(at, TextError::new(source.line_from(at), why));
        let inner = if self.open.len() > 1 { self.open.pop() } else { None };
        let Some(Open { line, instead_of: Some(m), .. }) = inner else {
            return Err(error("no variation is open here that could be closed"));
        };
        self.walk.back_to(self.walk.depth() - line.plies.len());
        self.walk.play(m, "").map_err(|e| source.error(at, e))?;
        if line != Line::default()
            && let Some(ply) = self.line().plies.last_mut()
        {
            ply.variations.push(line);
        }
        Ok(())
    }

    /// Takes a move, a number or a result; whether it ends the game.
    fn word(&mut self, source: &Source<'_>, at: usize, word: &str) -> Result<bool, FileError> {
        if let Some(result) = verdict(word)
            && word != CASTLING_OR_FORFEIT
        {
            return self.end_game(source, result).map(|()| true);
        }
        let said = without_number(word);
        if said.is_empty() || said == "e.p." {
            return Ok(false);
        }
        let (mut text, mut glyphs) = (said, Vec::new());
        if let Some((suffix, glyph)) = SUFFIXES.iter().find(|(suffix, _)| said.ends_with(suffix)) {
            text = &said[..said.len() - suffix.len()];
            glyphs.push(*glyph);
        }
        if text.is_empty() {
            // A strength that stands apart from its move.
            if let Some(ply) = self.line().plies.last_mut() {
                ply.glyphs.append(&mut glyphs);
            }
            return Ok(false);
        }
        let game = self.walk.game;
        let m = match G::Moves::read_move(game, &self.walk.position, text) {
            Ok(m) => m,
            Err(_) if word == CASTLING_OR_FORFEIT => {
                return self.end_game(source, None).map(|()| true);
            }
            Err(error) => return Err(source.error(at + word.len() - said.len(), error)),
        };
        let text = game.write_move(&self.walk.position, m);
        self.walk.play(m, word).map_err(|error| source.error(at, error))?;
        self.line().plies.push(Ply { text, glyphs, ..Ply::default() });
        Ok(false)
    }

    fn end_game(&mut self, source: &Source<'_>, result: Option<Verdict>) -> Result<(), FileError> {
        self.record.result = result.or(self.record.result);
        self.check_closed(source)
    }

    fn check_closed(&self, source: &Source<'_>) -> Result<(), FileError> {
        match self.open.get(1) {
            None => Ok(()),
            Some(Open { at, .. }) => {
                let why = "this variation is never closed; ) closes it";
                Err(source.error(*at, TextError::new(source.line_from(*at), why)))
            }
        }
    }

    fn finish(mut self, source: &Source<'_>) -> Result<Record, FileError> {
        self.check_closed(source)?;
        self.record.line = std::mem::take(self.line());
        let place = |name: &str| ROSTER.iter().position(|(usual, _)| *usual == name);
        self.record.tags.sort_by_key(|(name, _)| place(name).unwrap_or(ROSTER.len()));
        Ok(self.record)
    }
}

/// Castling in chess if that is legal, else the result of a game that both lost.
const CASTLING_OR_FORFEIT: &str = "0-0";

/// What a result says; `None` if it is none.
fn verdict(word: &str) -> Option<Option<Verdict>> {
    match word {
        "1-0" | "2-0" => Some(Some(Verdict::First)),
        "0-1" | "0-2" => Some(Some(Verdict::Second)),
        "1/2-1/2" | "1-1" | "½-½" => Some(Some(Verdict::Draw)),
        "*" | CASTLING_OR_FORFEIT => Some(None),
        _ => None,
    }
}

/// A word without the move number that it begins with, or is.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest {
        "" => "",
        _ if rest.starts_with(['.', '…']) => rest.trim_start_matches(['.', '…']),
        _ => word,
    }
}
