//! [`Registry`]: engines that whoever runs the program has given a name. Others may choose among the names; what
//! stands behind them is written nowhere but on the command line and in this small file.
//!
//! ```text
//! Zermelo engines 1
//! gnugo go gtp:/usr/games/gnugo --mode gtp
//! fish chess uci:/usr/games/stockfish option.Threads=1
//! ```

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use game::{TextError, quote};
use protocols::Protocol;
use storage::WriteError;
use thiserror::Error;

use crate::contestant::{Contestant, ContestantKind};

const MAGIC: &str = "Zermelo engines 1";
const LONGEST_NAME: usize = 40;
const MOST: usize = 200;

/// An engine with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// What people call it.
    pub name: String,
    /// The family of games that it plays.
    pub family: String,
    /// Its protocol and command line, as a contestant is written.
    pub command: String,
}

/// Why an engine has no name, or a name no engine.
#[derive(Debug, Error)]
pub enum RegistryError {
    /// The name is none.
    #[error(
        "{} is no name for an engine; letters, digits, -, _ and ., at most {LONGEST_NAME}, are right",
        quote(.0)
    )]
    Name(String),
    /// The command holds a control character, as the end of a line.
    #[error("a command stands on one line")]
    SeveralLines,
    /// The command cannot be read.
    #[error(transparent)]
    Command(#[from] TextError),
    /// The command is one of our own bots.
    #[error("{} is a bot of this program; an engine is PROTOCOL:COMMAND", quote(.0))]
    Bot(String),
    /// There is no such game.
    #[error("game {0}")]
    Game(TextError),
    /// Nobody has said what engines of a protocol play.
    #[error("what engines of {0} play has to be told")]
    NoUsualGame(Protocol),
    /// The family is not known any more.
    #[error("there is no such family")]
    NoFamily,
    /// Nobody has this name.
    #[error("there is no engine {}; {}", quote(name), names_of(known))]
    Unknown {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Somebody else has this name.
    #[error("there is an engine {} already", quote(.0))]
    Taken(String),
    /// There are far too many.
    #[error("there are {MOST} engines already")]
    Full,
    /// The text is none of such a file.
    #[error("this is no list of engines; one begins with {MAGIC:?}")]
    NoList,
    /// A line has too few words.
    #[error("a name, a family and a command are right")]
    NoEntry,
    /// A line of the file is wrong.
    #[error("line {number}: {why}")]
    Line {
        /// Which one, from 1.
        number: usize,
        /// How.
        why: Box<RegistryError>,
    },
    /// What stands in the file is wrong.
    #[error("{}: {why}", file.display())]
    In {
        /// The file.
        file: PathBuf,
        /// How.
        why: Box<RegistryError>,
    },
    /// The file cannot be read.
    #[error("cannot read {}: {error}", file.display())]
    Unread {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Unwritten(#[from] WriteError),
}

impl RegistryError {
    fn on_line(number: usize, why: RegistryError) -> RegistryError {
        RegistryError::Line { number, why: Box::new(why) }
    }
}

fn names_of(known: &[String]) -> String {
    match known.is_empty() {
        true => "`zermelo engines add` names one".to_owned(),
        false => format!("there are {}", known.join(", ")),
    }
}

impl Registered {
    /// An engine as it is to be remembered. By default it plays what most engines of its protocol play.
    ///
    /// # Errors
    /// If the name is none, there is no such family, or the command is not one of an engine.
    pub fn new(
        name: &str,
        command: &str,
        family: Option<&str>,
    ) -> Result<Registered, RegistryError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let fits = (1..=LONGEST_NAME).contains(&name.len());
        if !fits
            || !name.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !name.chars().all(plain)
        {
            return Err(RegistryError::Name(name.to_owned()));
        }
        let command = command.trim();
        if command.chars().any(char::is_control) {
            return Err(RegistryError::SeveralLines);
        }
        let read: Contestant = command.parse()?;
        let ContestantKind::Engine(engine) = &read.kind else {
            return Err(RegistryError::Bot(command.to_owned()));
        };
        let family = match family {
            Some(family) => family_of(family)?,
            None => family_of(usual_game(engine.setup.protocol)?)?,
        };
        Ok(Registered { name: name.to_owned(), family, command: command.to_owned() })
    }

    /// A game to try it with.
    ///
    /// # Errors
    /// As [`contestant`](Self::contestant).
    pub fn usual_game(&self) -> Result<&'static str, RegistryError> {
        let usual = match self.contestant()?.kind {
            ContestantKind::Engine(engine) => usual_game(engine.setup.protocol).ok(),
            ContestantKind::Bot(_) => None,
        };
        let own = usual.filter(|game| family_of(game).is_ok_and(|family| family == self.family));
        let family = catalog::families().find(|known| known.name == self.family);
        let preset = || family.and_then(|family| family.presets.first()).map(|preset| preset.name);
        let name = || family.map(|family| family.name);
        own.or_else(preset).or_else(name).ok_or(RegistryError::NoFamily)
    }

    /// Somebody who can play, under this name.
    ///
    /// # Errors
    /// If what is remembered is no engine any more: a book may be gone.
    pub fn contestant(&self) -> Result<Contestant, TextError> {
        let mut contestant: Contestant = self.command.parse()?;
        if let ContestantKind::Engine(engine) = &mut contestant.kind {
            engine.name.clone_from(&self.name);
        }
        Ok(contestant)
    }
}

/// The game that most engines of a protocol play.
///
/// # Errors
/// If nobody has said so.
pub fn usual_game(protocol: Protocol) -> Result<&'static str, RegistryError> {
    catalog::usual_game(protocol.name()).ok_or(RegistryError::NoUsualGame(protocol))
}

/// The family of a game, which may be a family's name alone.
fn family_of(game: &str) -> Result<String, RegistryError> {
    if catalog::families().any(|known| known.name == game) {
        return Ok(game.to_owned());
    }
    let opened = catalog::open(game).map_err(RegistryError::Game)?;
    Ok(opened.facts().family.name.to_owned())
}

/// All engines that have names, in the order of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    engines: Vec<Registered>,
}

impl Registry {
    /// What a file says; where there is none, there are no engines.
    ///
    /// # Errors
    /// If the file cannot be read, or something else stands in it.
    pub fn load(file: &Path) -> Result<Registry, RegistryError> {
        let path = || file.to_owned();
        match std::fs::read_to_string(file) {
            Ok(text) => Registry::read(&text)
                .map_err(|why| RegistryError::In { file: path(), why: Box::new(why) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Registry::default()),
            Err(error) => Err(RegistryError::Unread { file: path(), error }),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, file: &Path) -> Result<(), RegistryError> {
        // A command line may hold a password.
        Ok(storage::write_private(file, self.write().as_bytes())?)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// Names the line that is wrong.
    pub fn read(text: &str) -> Result<Registry, RegistryError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().is_none_or(|(line, _)| line != MAGIC) {
            return Err(RegistryError::NoList);
        }
        let mut registry = Registry::default();
        for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
            let mut parts = line.splitn(3, ' ');
            let (Some(name), Some(family), Some(command)) =
                (parts.next(), parts.next(), parts.next())
            else {
                return Err(RegistryError::on_line(number, RegistryError::NoEntry));
            };
            let added = Registered::new(name, command, Some(family));
            added
                .and_then(|engine| registry.add(engine))
                .map_err(|why| RegistryError::on_line(number, why))?;
        }
        Ok(registry)
    }

    /// The text of such a file.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{MAGIC}\n");
        for Registered { name, family, command } in &self.engines {
            let _ = writeln!(text, "{name} {family} {command}");
        }
        text
    }

    /// In the order of the file.
    #[must_use]
    pub fn engines(&self) -> &[Registered] {
        &self.engines
    }

    /// The one of this name.
    ///
    /// # Errors
    /// If there is none; names those that there are.
    pub fn find(&self, name: &str) -> Result<&Registered, RegistryError> {
        let found = self.engines.iter().find(|engine| engine.name == name);
        found.ok_or_else(|| RegistryError::Unknown {
            name: name.to_owned(),
            known: self.engines.iter().map(|engine| engine.name.clone()).collect(),
        })
    }

    /// One more.
    ///
    /// # Errors
    /// If the name is taken, or there are far too many.
    pub fn add(&mut self, engine: Registered) -> Result<(), RegistryError> {
        if self.engines.len() >= MOST {
            return Err(RegistryError::Full);
        }
        match self.engines.binary_search_by(|known| known.name.cmp(&engine.name)) {
            Ok(_) => Err(RegistryError::Taken(engine.name)),
            Err(place) => {
                self.engines.insert(place, engine);
                Ok(())
            }
        }
    }

    /// One less.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn remove(&mut self, name: &str) -> Result<(), RegistryError> {
        self.find(name)?;
        self.engines.retain(|engine| engine.name != name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_round_trip_and_are_in_order() {
        let mut registry = Registry::default();
        for (name, command, family, expected) in [
            ("toga", "uci:/usr/games/toga2 option.Hash=16", None, "chess"),
            ("go.1", "gtp:\"/my games/gnugo\" --mode gtp", None, "go"),
            ("Othello", "gtp:edax", Some("reversi"), "reversi"),
            ("five", "gomocup:pbrain", None, "mnk"),
        ] {
            let engine = Registered::new(name, command, family).unwrap();
            assert_eq!(engine.family, expected);
            assert_eq!(family_of(engine.usual_game().unwrap()).unwrap(), expected);
            assert_eq!(engine.contestant().unwrap().to_string(), name);
            registry.add(engine.clone()).unwrap();
            assert!(registry.add(engine).is_err(), "a name is given once");
        }
        assert_eq!(Registry::read(&registry.write()).unwrap(), registry);
        let names: Vec<&str> = registry.engines().iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["Othello", "five", "go.1", "toga"]);
        registry.remove("five").unwrap();
        let why = registry.remove("five").unwrap_err().to_string();
        assert!(why.contains("Othello, go.1, toga"), "{why}");
    }

    #[test]
    fn what_is_no_engine_is_not_registered() {
        let long = "x".repeat(41);
        for name in ["", "a b", "a,b", "-a", "a/b", "ž", "a\n", &long] {
            assert!(Registered::new(name, "uci:x", None).is_err(), "{name:?}");
        }
        for command in ["", "hard", "uci:", "sh:/bin/sh", "uci:a\nb chess uci:c"] {
            assert!(Registered::new("a", command, None).is_err(), "{command:?}");
        }
        let why = Registered::new("a", "uci:x", Some("poker")).unwrap_err().to_string();
        assert!(why.contains("poker"), "{why}");
        assert_eq!(Registered::new("a", "gtp:x", Some("othello")).unwrap().family, "reversi");
        for text in ["", "engines", "Zermelo engines 2\n", "Zermelo engines 1\nfish chess\n"] {
            assert!(Registry::read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_missing_file_is_an_empty_list() {
        let folder = std::env::temp_dir().join(format!("zermelo-engines-{}", std::process::id()));
        let file = folder.join("engines.txt");
        assert_eq!(Registry::load(&file).unwrap(), Registry::default());
        let mut registry = Registry::default();
        registry.add(Registered::new("fish", "uci:fish", None).unwrap()).unwrap();
        registry.save(&file).unwrap();
        registry.save(&file).unwrap();
        assert_eq!(Registry::load(&file).unwrap(), registry);
        #[cfg(unix)]
        for (path, expected) in [(&folder, 0o700), (&file, 0o600)] {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, expected, "{}", path.display());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
