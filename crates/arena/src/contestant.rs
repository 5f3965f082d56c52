//! [`Contestant`]: who can play in a match, as people describe it in one text.
//!
//! ```text
//!   hard · depth=6,weights=mine.weights          a bot of this program
//!   uci:/usr/games/stockfish --an-argument       an engine: its protocol and its command line
//!     option.Threads=1 "option.Own Book=false"     options that it is told
//!     limit.nodes=1000 limit.clock=60+0.5          limits of its own
//!     name=Fish dir=/some/folder                   what to call it, where to start it
//!   book=FILE                                    with either: the book it begins with
//! ```
//!
//! Words of a command line are parted by spaces; quotation marks hold them together. The path of a
//! file needs none.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use compiled::CompiledGame;
use game::{Expected, TextError};
use play::{BotSpec, Limits, Player, PlayerError, Session, Way};
use protocols::{Engine, Patience, Program, Protocol, Setup};

use crate::book::{Book, Booked};
use crate::contest::ContestError;

/// Somebody who can play in a match.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Who that is.
    pub kind: ContestantKind,
    /// The book it begins with.
    book: Option<Arc<Book>>,
    /// As it was described.
    text: String,
}

/// A bot of this program or a foreign engine.
#[derive(Clone, Debug, PartialEq)]
pub enum ContestantKind {
    /// One of ours.
    Bot(BotSpec),
    /// A program that speaks a protocol.
    Engine(Box<Foreign>),
}

/// A foreign engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreign {
    /// What to start.
    pub setup: Setup,
    /// Limits of its own.
    pub limits: Option<Limits>,
    /// What to call it.
    pub name: String,
}

impl Contestant {
    /// When it stops thinking, if it says so itself.
    #[must_use]
    pub fn limits(&self) -> Option<Limits> {
        match &self.kind {
            ContestantKind::Bot(bot) => {
                Some(bot.limits).filter(|&limits| limits != Limits::default())
            }
            ContestantKind::Engine(engine) => engine.limits,
        }
    }

    /// Whether it knows by itself how long to think: a level does, and one who does not think.
    #[must_use]
    pub fn knows_when_to_stop(&self) -> bool {
        match &self.kind {
            ContestantKind::Bot(bot) => bot.way != Way::Search(None) || self.limits().is_some(),
            ContestantKind::Engine(engine) => engine.limits.is_some(),
        }
    }

    /// All that is known of it: what makes another one of it changes this text.
    #[must_use]
    pub fn described(&self) -> &str {
        &self.text
    }

    /// Whether it is kept from game to game: starting a program takes a while.
    pub(crate) fn stays(&self) -> bool {
        matches!(self.kind, ContestantKind::Engine(_))
    }

    /// Makes sure that it can play, before it is needed.
    ///
    /// # Errors
    /// If this game has no such bot, or the engine does not start or play it.
    pub fn try_out(
        &self,
        game: &dyn CompiledGame,
        session: &dyn Session,
    ) -> Result<(), ContestError> {
        let spec = &game.facts().spec;
        if let Some(book) = self.book.as_ref().filter(|book| book.game() != spec) {
            let (book, game) = (book.game().to_owned(), spec.clone());
            return Err(ContestError::Book { book, game });
        }
        match &self.kind {
            ContestantKind::Bot(bot) => Ok(game.player(bot, 0).map(drop)?),
            ContestantKind::Engine(engine) => {
                let mut started = Engine::new(engine.setup.clone());
                let failed = |fault| ContestError::Engine { name: engine.name.clone(), fault };
                started.prepare(session).map_err(failed)
            }
        }
    }

    /// Somebody to play for it. What a bot draws depends on the seed alone.
    ///
    /// # Errors
    /// If this game has no such bot, or the engine's protocol cannot be driven.
    pub fn player(
        &self,
        game: &dyn CompiledGame,
        seed: u64,
    ) -> Result<Box<dyn Player>, PlayerError> {
        let player: Box<dyn Player> = match &self.kind {
            ContestantKind::Bot(bot) => game.player(bot, seed)?,
            ContestantKind::Engine(engine) => Box::new(Engine::new(engine.setup.clone())),
        };
        Ok(match &self.book {
            Some(book) => Box::new(Booked::new(Arc::clone(book), player, seed)),
            None => player,
        })
    }
}

impl From<BotSpec> for Contestant {
    fn from(bot: BotSpec) -> Contestant {
        Contestant { text: bot.to_string(), kind: ContestantKind::Bot(bot), book: None }
    }
}

impl FromStr for Contestant {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Contestant, TextError> {
        let wrong = |why: Expected| why.of(text);
        let engine = text.split_once(':').filter(|(protocol, _)| !protocol.contains(['=', ',']));
        let (kind, book) = match engine {
            Some((protocol, line)) => {
                let protocol =
                    protocol.parse().map_err(|e: TextError| TextError::new(text, e.why()))?;
                let words = command_words(line).map_err(wrong)?;
                let (book, words) = take_book(words);
                let foreign = Foreign::read(protocol, words).map_err(wrong)?;
                (ContestantKind::Engine(Box::new(foreign)), book)
            }
            None => {
                let (book, parts) = take_book(text.split(',').map(str::to_owned).collect());
                let bot = match book.is_some() && parts.is_empty() {
                    true => BotSpec::default(),
                    false => parts.join(",").parse()?,
                };
                (ContestantKind::Bot(bot), book)
            }
        };
        let book = book.map(|file| read_book(&file).map(Arc::new)).transpose().map_err(wrong)?;
        Ok(Contestant { kind, book, text: text.to_owned() })
    }
}

/// The words without `book=FILE`, and that file.
fn take_book(mut words: Vec<String>) -> (Option<String>, Vec<String>) {
    let place = words.iter().position(|word| word.starts_with("book="));
    let book = place.map(|place| words.remove(place)["book=".len()..].to_owned());
    (book, words)
}

fn read_book(file: &str) -> Result<Book, Expected> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {file}: {e}"))?;
    Book::read(&text).map_err(|e| format!("{file}: {e}").into())
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ContestantKind::Bot(_) => f.write_str(&self.text),
            ContestantKind::Engine(engine) => f.write_str(&engine.name),
        }
    }
}

impl Foreign {
    fn read(protocol: Protocol, words: Vec<String>) -> Result<Foreign, Expected> {
        let (mut command, mut options, mut limits) = (Vec::new(), Vec::new(), Vec::new());
        let (mut name, mut folder) = (None, None);
        for word in words {
            if let Some((key, value)) = word.strip_prefix("option.").and_then(|w| w.split_once('='))
            {
                options.push((key.to_owned(), value.to_owned()));
            } else if let Some(limit) = word.strip_prefix("limit.") {
                limits.push(limit.to_owned());
            } else if let Some(text) = word.strip_prefix("name=") {
                name = Some(text.to_owned());
            } else if let Some(text) = word.strip_prefix("dir=") {
                folder = Some(PathBuf::from(text));
            } else {
                command.push(word);
            }
        }
        let limits = match limits.is_empty() {
            true => None,
            false => Some(BotSpec::read_limits(&limits.join(","))?),
        };
        let mut command = command.into_iter();
        let program = command.next().filter(|program| !program.is_empty());
        let program = program.ok_or("a program is missing; uci:/usr/games/stockfish is right")?;
        let short = program.rsplit('/').next().unwrap_or(&program).to_owned();
        let program = Program { program, arguments: command.collect(), folder };
        let setup = Setup { protocol, program, options, patience: Patience::default() };
        Ok(Foreign { setup, limits, name: name.unwrap_or(short) })
    }
}

/// The words of a command line. Where it begins with the path of a file, that is its first word,
/// whatever is in it.
fn command_words(line: &str) -> Result<Vec<String>, Expected> {
    let line = line.trim();
    let parts = |c: char| c.is_whitespace() || c == '"' || c == '\'';
    let gaps = line.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at);
    let ends: Vec<usize> = gaps.chain([line.len()]).collect();
    let is_path = |end: &usize| line[..*end].contains(parts) && Path::new(&line[..*end]).is_file();
    match ends.into_iter().rev().find(is_path) {
        None => split_words(line),
        Some(end) => {
            let (path, rest) = line.split_at(end);
            Ok([vec![path.to_owned()], split_words(rest)?].concat())
        }
    }
}

/// Words parted by spaces; quotation marks of either kind hold them together.
///
/// # Errors
/// If a quotation is not closed.
pub fn split_words(text: &str) -> Result<Vec<String>, Expected> {
    let (mut words, mut word, mut open) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (open, c) {
            (Some(quote), c) if c == quote => open = None,
            (None, '"' | '\'') => {
                word.get_or_insert_default();
                open = Some(c);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = open {
        return Err(format!("a {quote} is not closed").into());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn engines_are_read() {
        let text = "uci:/usr/games/toga2 -x \"a b\" option.Hash=16 'option.Own Book=false' limit.nodes=5 name=Toga dir=/tmp";
        let contestant: Contestant = text.parse().unwrap();
        let ContestantKind::Engine(engine) = &contestant.kind else { panic!("{text}") };
        assert_eq!(engine.setup.protocol, Protocol::Uci);
        assert_eq!(engine.setup.program.program, "/usr/games/toga2");
        assert_eq!(engine.setup.program.arguments, ["-x", "a b"]);
        assert_eq!(engine.setup.program.folder, Some(PathBuf::from("/tmp")));
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(engine.setup.options, [option("Hash", "16"), option("Own Book", "false")]);
        assert_eq!(engine.limits.unwrap().nodes, Some(5));
        assert_eq!(engine.name, "Toga");
        let short: Contestant = "cecp:/usr/games/phalanx".parse().unwrap();
        assert_eq!(short.to_string(), "phalanx");
    }

    #[test]
    fn paths_need_no_quotation_marks() {
        let folder = std::env::temp_dir().join(format!("žluťoučký kůň's, {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("an engine");
        std::fs::write(&path, "").unwrap();
        let path = path.to_str().unwrap();
        for (line, arguments) in [
            (path.to_owned(), &[][..]),
            (format!("{path} -x 'a b' option.ai=easy"), &["-x", "a b"]),
        ] {
            let contestant: Contestant = format!("text:{line}").parse().unwrap();
            let ContestantKind::Engine(engine) = &contestant.kind else { panic!("{line}") };
            assert_eq!(engine.setup.program.program, path);
            assert_eq!(engine.setup.program.arguments, arguments);
            assert_eq!(engine.name, "an engine");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn bots_are_read() {
        let bot: Contestant = "hard,time=0.5".parse().unwrap();
        assert_eq!(bot.to_string(), "hard,time=0.5");
        assert!(
            bot.knows_when_to_stop()
                && bot.limits().unwrap().time == Some(Duration::from_millis(500))
        );
        let plain: Contestant = "threads=1".parse().unwrap();
        assert!(!plain.knows_when_to_stop());
        for text in [
            "",
            "uci:",
            "uci: ",
            "uxi:/bin/true",
            "uci:\"/bin/true",
            "uci:/bin/true limit.nodes=x",
            "uci:/bin/true limit.noise=3",
        ] {
            assert!(text.parse::<Contestant>().is_err(), "{text}");
        }
    }
}
