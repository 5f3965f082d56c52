//! Reading.

use super::text::{Fault, Kind, STRENGTHS, Token, glyph_of, next_token};
use super::{Board, Portable, ROSTER};
use crate::record::source::{FileError, Source};
use crate::record::walk::Walk;
use crate::record::{Games, Line, Ply, Record, Verdict, add_comment};
use game::TextError;

/// Variations inside variations beyond this are an attack, not analysis.
const DEEPEST: usize = 64;

/// Reads a file.
pub fn read<G: Portable>(game: &G, text: &str) -> Games {
    read_games(&|| Box::new(Walk::new(game, game.start())), text)
}

/// Makes a board for another game.
type MakeBoard<'g> = dyn Fn() -> Box<dyn Board + 'g> + 'g;

fn read_games(board: &MakeBoard<'_>, text: &str) -> Games {
    let mut source = Source::new(text);
    let mut next = next_token(&mut source);
    let games = std::iter::from_fn(|| {
        // A result between games, or a second one behind a game, says nothing.
        while let Ok(Some(Token { kind: Kind::Word(word), .. })) = &next
            && verdict(word).is_some()
        {
            next = next_token(&mut source);
        }
        match &next {
            Ok(None) => return None,
            Ok(Some(Token { at, .. })) | Err(Fault { at, .. }) => source.begin_game(*at),
        }
        let mut reader = Reader::new(board());
        let read = reader.read(&mut source, &mut next);
        if read.is_err() {
            reader.skip_rest(&mut source, &mut next);
        } else if reader.tags.is_empty() && !reader.in_moves {
            // Nothing but comments, at the end of the file.
            return None;
        }
        Some(read.and_then(|()| reader.finish(&source)))
    });
    games.collect()
}

/// One game while it is being read.
struct Reader<'g> {
    board: Box<dyn Board + 'g>,
    /// The main line, then the variations that are open, each inside the one before.
    open: Vec<Open>,
    record: Record,
    /// Names of the tags so far.
    tags: Vec<String>,
    /// Whether the tags are over.
    in_moves: bool,
    /// What the tag says of the result, in its own words.
    result: String,
}

struct Open {
    line: Line,
    /// Whether it replaces a move, which the board has put aside.
    replaces: bool,
    /// The byte where it begins.
    at: usize,
    /// Whether the rest of it is no play, since a side passes in it, and kept in words; then how many
    /// variations are open in these.
    in_words: Option<usize>,
}

type Next<'t> = Result<Option<Token<'t>>, Fault>;

impl<'g> Reader<'g> {
    fn new(board: Box<dyn Board + 'g>) -> Reader<'g> {
        let line = Open { line: Line::default(), replaces: false, at: 0, in_words: None };
        Reader {
            board,
            open: vec![line],
            record: Record::default(),
            tags: Vec::new(),
            in_moves: false,
            result: String::new(),
        }
    }

    /// Reads the game that begins with the token already taken, and stops behind it.
    fn read<'t>(&mut self, source: &mut Source<'t>, next: &mut Next<'t>) -> Result<(), FileError> {
        loop {
            let token = match next {
                Ok(None) => return Ok(()),
                Ok(Some(token)) if self.is_behind(source, token) => return Ok(()),
                Ok(Some(token)) => token.clone(),
                Err(Fault { at, error }) => return Err(source.error(*at, error.clone())),
            };
            *next = next_token(source);
            if self.take(source, &token)? {
                return Ok(());
            }
        }
    }

    /// Whether a token belongs to the next game: a tag after moves, a second position, or a tag that
    /// is there already and stands behind an empty line.
    fn is_behind(&self, source: &Source<'_>, token: &Token<'_>) -> bool {
        let Kind::Tag { name, .. } = token.kind else { return false };
        let again = self.tags.iter().any(|tag| tag == name);
        self.in_moves || again && (name == "FEN" || source.follows_empty_line(token.at))
    }

    /// Goes on to where the next game seems to begin: behind the result of this one, at tags, or at a
    /// first move behind an empty line.
    fn skip_rest<'t>(&mut self, source: &mut Source<'t>, next: &mut Next<'t>) {
        let mut depth = self.open.len() - 1;
        loop {
            match next {
                Ok(None) => return,
                Err(fault) => self.in_moves |= !fault.error.text().starts_with('['),
                Ok(Some(token)) if self.is_behind(source, token) => return,
                Ok(Some(Token { at, kind })) => match kind {
                    Kind::Tag { name, .. } => self.tags.push((*name).to_owned()),
                    Kind::Comment(_) | Kind::Glyph(_) => {}
                    Kind::Open => depth += 1,
                    Kind::Close => depth = depth.saturating_sub(1),
                    Kind::Word(word) => {
                        let first = word.strip_prefix("1.").is_some_and(|m| !m.starts_with('.'));
                        if first && self.in_moves && source.follows_empty_line(*at) {
                            return;
                        }
                        self.in_moves = true;
                        let is_result = verdict(word).is_some() && *word != CASTLING_OR_FORFEIT;
                        if is_result && depth == 0 {
                            *next = next_token(source);
                            return;
                        }
                    }
                },
            }
            *next = next_token(source);
        }
    }

    /// The line that moves are added to.
    fn line(&mut self) -> &mut Line {
        let last = self.open.len() - 1;
        &mut self.open[last].line
    }

    /// Takes a token; whether it ends the game.
    fn take(&mut self, source: &Source<'_>, token: &Token<'_>) -> Result<bool, FileError> {
        self.in_moves |= !matches!(token.kind, Kind::Tag { .. } | Kind::Comment(_));
        if self.take_in_words(&token.kind) {
            return Ok(false);
        }
        match &token.kind {
            Kind::Tag { name, value, value_at } => self.tag(source, name, value, *value_at)?,
            Kind::Comment(words) => {
                // What is written in braces must not hold what would close them.
                let words = match words.contains('}') {
                    true => words.replace('{', "(").replace('}', ")"),
                    false => (*words).to_owned(),
                };
                self.comment(&words);
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

    /// Adds to what is said at this place.
    fn comment(&mut self, words: &str) {
        let line = self.line();
        add_comment(line.plies.last_mut().map_or(&mut line.comment, |p| &mut p.comment), words);
    }

    /// Takes a token as words where the variation has left the game; whether it does.
    fn take_in_words(&mut self, kind: &Kind<'_>) -> bool {
        let last = self.open.len() - 1;
        let Some(depth) = &mut self.open[last].in_words else { return false };
        match kind {
            Kind::Word(word) => self.comment(word),
            Kind::Open => {
                *depth += 1;
                self.comment("(");
            }
            Kind::Close if *depth > 0 => {
                *depth -= 1;
                self.comment(")");
            }
            Kind::Glyph(_) => {}
            Kind::Tag { .. } | Kind::Comment(_) | Kind::Close => return false,
        }
        true
    }

    fn tag(
        &mut self,
        source: &Source<'_>,
        name: &str,
        value: &str,
        value_at: usize,
    ) -> Result<(), FileError> {
        if let Some(why) = self.board.contradicts(name, value) {
            return Err(source.error(value_at, TextError::new(value, why)));
        }
        let again = self.tags.iter().any(|tag| tag == name);
        self.tags.push(name.to_owned());
        match name {
            _ if again => {}
            "FEN" if value.is_empty() => {}
            "FEN" => {
                let start = self.board.set_position(value);
                self.record.start = start.map_err(|error| source.error(value_at, error))?;
            }
            _ if name.eq_ignore_ascii_case("SetUp") => {}
            "Result" => {
                self.record.result = verdict(value).flatten();
                self.result = value.to_owned();
            }
            _ if self.board.own_tags().iter().any(|(own, _)| *own == name) => {}
            _ if ROSTER.iter().any(|(usual, unknown)| {
                *usual == name && (value == *unknown || value.is_empty())
            }) => {}
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
        let replaces = self.board.take_aside();
        self.open.push(Open { line: Line::default(), replaces, at, in_words: None });
        Ok(())
    }

    fn end_variation(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        let error = |why: &str| source.error(at, TextError::new(source.line_from(at), why));
        let inner = if self.open.len() > 1 { self.open.pop() } else { None };
        let Some(Open { line, replaces: true, .. }) = inner else {
            return Err(error("no variation is open here that could be closed"));
        };
        self.board.back_to(self.board.depth() - line.plies.len());
        self.board.play_aside("").map_err(|e| source.error(at, e))?;
        if line != Line::default()
            && let Some(ply) = self.line().plies.last_mut()
        {
            ply.variations.push(line);
        }
        Ok(())
    }

    /// Takes a move, a number or a result; whether it ends the game.
    fn word(&mut self, source: &Source<'_>, at: usize, word: &str) -> Result<bool, FileError> {
        // What is said of a variation does not end the game.
        let in_main_line = self.open.len() == 1;
        if let Some(result) = verdict(word)
            && word != CASTLING_OR_FORFEIT
        {
            self.record.result = result.filter(|_| in_main_line).or(self.record.result);
            return Ok(in_main_line);
        }
        let said = without_number(word);
        if said.is_empty() || said == "e.p." {
            return Ok(false);
        }
        let text = said.trim_end_matches(STRENGTHS);
        let glyph = glyph_of(&said[text.len()..]);
        if text.is_empty() {
            // A strength that stands apart from its move.
            if let Some(ply) = self.line().plies.last_mut() {
                ply.glyphs.extend(glyph);
            }
            return Ok(false);
        }
        let remark = match read_move(&mut *self.board, text) {
            Ok(remark) => remark,
            Err(_) if word == CASTLING_OR_FORFEIT || word == self.result => {
                return Ok(in_main_line);
            }
            Err(_) if NULL_MOVES.contains(&text) && !in_main_line => {
                let last = self.open.len() - 1;
                self.open[last].in_words = Some(0);
                self.comment(word);
                return Ok(false);
            }
            Err(error) => return Err(source.error(at + word.len() - said.len(), error)),
        };
        let text = self.board.play_aside(word).map_err(|error| source.error(at, error))?;
        let glyphs = glyph.into_iter().collect();
        self.line().plies.push(Ply { text, glyphs, ..Ply::default() });
        self.comment(remark);
        Ok(false)
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
        sort_tags(&mut self.record.tags);
        Ok(self.record)
    }
}

/// Those of the roster first, in its order.
fn sort_tags(tags: &mut [(String, String)]) {
    let place = |name: &str| ROSTER.iter().position(|(usual, _)| *usual == name);
    tags.sort_by_key(|(name, _)| place(name).unwrap_or(ROSTER.len()));
}

/// Puts a move aside, and gives what is written close behind it: `8-11Redoverstepped`.
fn read_move<'t>(board: &mut dyn Board, text: &'t str) -> Result<&'t str, TextError> {
    board.read_move(text).map(|()| "").or_else(|error| {
        let behind_digit = |(i, c): &(usize, char)| {
            c.is_ascii_uppercase() && text[..*i].ends_with(|c: char| c.is_ascii_digit())
        };
        let Some((cut, _)) = text.char_indices().find(behind_digit) else { return Err(error) };
        let (said, remark) = text.split_at(cut);
        board.read_move(said).map(|()| remark).map_err(|_| error)
    })
}

/// How a turn is written in which nobody moves.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "null", "0000"];

/// Castling in chess if that is legal, else the result of a game that both lost.
const CASTLING_OR_FORFEIT: &str = "0-0";

/// What a result says; `None` if it is none.
fn verdict(word: &str) -> Option<Option<Verdict>> {
    if word.contains(' ') {
        return verdict(&word.replace(' ', ""));
    }
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
