//! Files of plain moves, for games that have no format of their own:
//!
//! ```text
//! [Game "ring:4"]
//! [Black "Ann"]
//! [White "Bob"]
//! [Result "first"]
//!
//! + + {the only way} +
//! ```
//!
//! Headers in brackets, then moves as the game itself writes them, between blanks. `{words}` comment on the move
//! before, `$6` marks it, and `(` and `)` enclose what might have been played instead; all of these stand between
//! blanks too. A game's own moves must not look like these, and hold no blanks.

use game::{Notation, TextError};

use super::source::{FileError, Source};
use super::tag::{Tag, escaped, is_name, read_tag};
use super::walk::{Steps, Walk};
use super::{Games, Line, Ply, Record, Verdict, add_comment};

/// How such files' names end.
pub const EXTENSION: &str = "moves";

/// The name of the game.
const GAME: &str = "Game";
/// Who won.
const RESULT: &str = "Result";
/// The first position, if it is not the usual one.
const POSITION: &str = "Position";

/// How results are written, and then how they are read too.
const RESULTS: [(&str, Verdict); 6] = [
    ("first", Verdict::First),
    ("draw", Verdict::Draw),
    ("second", Verdict::Second),
    ("1-0", Verdict::First),
    ("1/2-1/2", Verdict::Draw),
    ("0-1", Verdict::Second),
];
const UNKNOWN: [&str; 3] = ["*", "?", ""];

const OPEN: &str = "(";
const CLOSE: &str = ")";
/// Variations inside variations beyond this are an attack, not analysis.
const DEEPEST: usize = 64;
/// Characters in a line of moves.
const LINE_WIDTH: usize = 76;

/// Reads a file. A game begins with headers behind the moves of the one before, or where a header is given again.
pub fn read<G: Notation>(game: &G, text: &str) -> Games {
    let mut source = Source::new(text);
    let games = std::iter::from_fn(|| {
        source.take_while(char::is_whitespace);
        source.peek()?;
        source.begin_game(source.at());
        let mut reader = Reader::new(game);
        let read = reader.read(&mut source);
        if read.is_err() {
            reader.skip_rest(&mut source);
        }
        Some(read.map(|()| reader.record))
    });
    games.collect()
}

/// One game while it is being read.
struct Reader<'g, G: Notation> {
    walk: Walk<'g, G>,
    /// The main line, then the variations that are open, each inside the one before.
    open: Vec<Open<G::Move>>,
    record: Record,
    /// Names of the headers so far.
    names: Vec<String>,
    /// Whether the headers are over.
    in_moves: bool,
}

struct Open<M> {
    line: Line,
    /// The move that this variation replaces.
    instead_of: Option<M>,
    /// The byte where it begins.
    at: usize,
}

impl<'g, G: Notation> Reader<'g, G> {
    fn new(game: &'g G) -> Reader<'g, G> {
        Reader {
            walk: Walk::new(game, game.start()),
            open: vec![Open { line: Line::default(), instead_of: None, at: 0 }],
            record: Record::default(),
            names: Vec::new(),
            in_moves: false,
        }
    }

    /// Reads the game that begins here, and stops before the next one.
    fn read(&mut self, source: &mut Source<'_>) -> Result<(), FileError> {
        loop {
            source.take_while(char::is_whitespace);
            let at = source.at();
            match (source.peek(), header_name(source)) {
                (None, _) => break,
                (_, Some(name)) if self.is_behind(source, name) => break,
                (_, Some(_)) => self.header(source)?,
                (Some('{'), None) => self.comment(source)?,
                (Some(_), None) => {
                    let word = source.take_while(|c| !c.is_whitespace());
                    self.word(source, at, word)?;
                }
            }
        }
        if let Some(Open { at, .. }) = self.open.get(1) {
            return Err(wrong(source, *at, "this variation is never closed; ) closes it"));
        }
        self.record.line = std::mem::take(self.line());
        Ok(())
    }

    /// Whether a header of this name belongs to the next game.
    fn is_behind(&self, source: &Source<'_>, name: &str) -> bool {
        let again = self.names.iter().any(|known| known == name);
        let begins = again || name == GAME && !self.names.is_empty();
        let apart = again && name == GAME || source.follows_empty_line(source.at());
        self.in_moves || begins && apart
    }

    /// Goes on to where the next game seems to begin.
    fn skip_rest(&mut self, source: &mut Source<'_>) {
        loop {
            source.take_while(char::is_whitespace);
            match (source.peek(), header_name(source)) {
                (None, _) => return,
                (_, Some(name)) if self.is_behind(source, name) => return,
                (_, Some(name)) => {
                    self.names.push(name.to_owned());
                    source.go_to(source.at() + source.line_from(source.at()).len());
                }
                (Some(_), None) => {
                    self.in_moves = true;
                    source.take_while(|c| !c.is_whitespace());
                }
            }
        }
    }

    /// The line that moves are added to.
    fn line(&mut self) -> &mut Line {
        let last = self.open.len() - 1;
        &mut self.open[last].line
    }

    fn header(&mut self, source: &mut Source<'_>) -> Result<(), FileError> {
        let at = source.at();
        let Tag { name, value, value_at } =
            read_tag(source).map_err(|error| source.error(at, error))?;
        let value = value.as_str();
        let error = |error| source.error(value_at, error);
        let game = self.walk.game;
        let again = self.names.iter().any(|known| known == name);
        self.names.push(name.to_owned());
        match name {
            _ if again => {}
            GAME if value != game.spec() => {
                let why = format!("this is another game than {}", game.spec());
                return Err(error(TextError::new(value, why)));
            }
            GAME => {}
            POSITION => {
                let position = game.read_position(value).map_err(error)?;
                let usual = position == game.start();
                self.record.start = (!usual).then(|| game.write_position(&position));
                self.walk = Walk::new(game, position);
            }
            RESULT if UNKNOWN.contains(&value) => {}
            RESULT => {
                let found = RESULTS.iter().find(|(word, _)| *word == value);
                let why = "a result is first, draw or second";
                let (_, verdict) = found.ok_or_else(|| error(TextError::new(value, why)))?;
                self.record.result = Some(*verdict);
            }
            _ => self.record.tags.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    fn comment(&mut self, source: &mut Source<'_>) -> Result<(), FileError> {
        self.in_moves = true;
        let at = source.at();
        source.next();
        let Some(words) = source.take_through('}') else {
            return Err(wrong(source, at, "this comment is never closed; } closes it"));
        };
        let line = self.line();
        add_comment(line.plies.last_mut().map_or(&mut line.comment, |p| &mut p.comment), words);
        Ok(())
    }

    /// Takes a move, a glyph or the border of a variation.
    fn word(&mut self, source: &Source<'_>, at: usize, word: &str) -> Result<(), FileError> {
        self.in_moves = true;
        match word {
            OPEN => return self.begin_variation(source, at),
            CLOSE => return self.end_variation(source, at),
            _ => {}
        }
        if let Some(Ok(glyph)) = word.strip_prefix('$').map(str::parse) {
            if let Some(ply) = self.line().plies.last_mut() {
                ply.glyphs.push(glyph);
            }
            return Ok(());
        }
        let (game, position) = (self.walk.game, &self.walk.position);
        let m = game.read_move(position, word).map_err(|error| source.error(at, error))?;
        let text = game.write_move(position, m);
        self.walk.play(m, word).map_err(|error| source.error(at, error))?;
        self.line().plies.push(Ply { text, ..Ply::default() });
        Ok(())
    }

    fn begin_variation(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        if self.open.len() > DEEPEST {
            return Err(wrong(source, at, "variations inside variations go too deep here"));
        }
        if self.line().plies.is_empty() {
            let why = "a variation replaces the move before it, and there is none";
            return Err(wrong(source, at, why));
        }
        let instead_of = self.walk.back();
        self.open.push(Open { line: Line::default(), instead_of, at });
        Ok(())
    }

    fn end_variation(&mut self, source: &Source<'_>, at: usize) -> Result<(), FileError> {
        let inner = if self.open.len() > 1 { self.open.pop() } else { None };
        let Some(Open { line, instead_of: Some(m), .. }) = inner else {
            return Err(wrong(source, at, "no variation is open here that could be closed"));
        };
        self.walk.back_to(self.walk.depth() - line.plies.len());
        self.walk.play(m, CLOSE).map_err(|e| source.error(at, e))?;
        if line != Line::default()
            && let Some(ply) = self.line().plies.last_mut()
        {
            ply.variations.push(line);
        }
        Ok(())
    }
}

/// The name of the header that begins here, if one does: `[Name "`.
fn header_name<'t>(source: &Source<'t>) -> Option<&'t str> {
    let line = source.line_from(source.at()).strip_prefix('[')?;
    let name = &line[..line.find(|c| !is_name(c)).unwrap_or(line.len())];
    let value = line[name.len()..].trim_start();
    (source.begins_line() && !name.is_empty() && value.starts_with('"')).then_some(name)
}

fn wrong(source: &Source<'_>, at: usize, why: &str) -> FileError {
    source.error(at, TextError::new(source.line_from(at), why))
}

/// Writes a game, ended by an empty line.
///
/// # Errors
/// If a move or the first position of the record is not legal.
pub fn write<G: Notation>(game: &G, record: &Record) -> Result<String, TextError> {
    let start = match &record.start {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    let mut out = String::new();
    let mut header = |name: &str, value: &str| {
        let value = value.replace(char::is_control, " ");
        out.push_str(&format!("[{name} \"{}\"]\n", escaped(&value)));
    };
    header(GAME, &game.spec());
    for (name, value) in &record.tags {
        let plain = !name.is_empty() && name.chars().all(is_name);
        if plain && ![GAME, RESULT, POSITION].contains(&name.as_str()) {
            header(name, value);
        }
    }
    if let Some(result) = record.result
        && let Some((word, _)) = RESULTS.iter().find(|(_, verdict)| *verdict == result)
    {
        header(RESULT, word);
    }
    if let Some(position) = &record.start {
        header(POSITION, position);
    }
    out.push('\n');
    let mut writer = Writer { walk: Walk::new(game, start), column: 0, out };
    writer.line(&record.line)?;
    writer.out.push_str(if writer.column > 0 { "\n\n" } else { "" });
    Ok(writer.out)
}

struct Writer<'g, G: Notation> {
    walk: Walk<'g, G>,
    column: usize,
    out: String,
}

impl<G: Notation> Writer<'_, G> {
    /// Writes a line of moves and leaves the walk at its end.
    fn line(&mut self, line: &Line) -> Result<(), TextError> {
        let game = self.walk.game;
        self.comment(&line.comment);
        for ply in &line.plies {
            let m = game.read_move(&self.walk.position, &ply.text)?;
            self.word(&game.write_move(&self.walk.position, m));
            for glyph in &ply.glyphs {
                self.word(&format!("${glyph}"));
            }
            self.comment(&ply.comment);
            let depth = self.walk.depth();
            self.walk.play(m, &ply.text)?;
            for variation in &ply.variations {
                self.walk.back_to(depth);
                self.word(OPEN);
                self.line(variation)?;
                self.word(CLOSE);
                self.walk.back_to(depth);
                self.walk.play(m, &ply.text)?;
            }
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) {
        let mut words = String::new();
        add_comment(&mut words, &comment.replace('}', ")"));
        if words.is_empty() {
            return;
        }
        for word in format!("{{{words}}}").split(' ') {
            self.word(word);
        }
    }

    /// A word on this line, or on the next one if there is no room. A line that begins with `[` could be taken for a
    /// header.
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > LINE_WIDTH && !word.starts_with('[') {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += length;
    }
}
