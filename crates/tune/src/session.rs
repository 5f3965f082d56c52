//! [`TuningSession`]: how far a search for weights by games has come, in a file that is written whole after every step.
//!
//! ```text
//! zermelo tuning 1
//! what spsa draughts:english features, depth 4, … seed 1
//! step 12
//! games 480
//! numbers mean 0.25 -1.5
//! end
//! ```
//!
//! What is drawn in a step depends on the seed and the number of the step alone, so a session that goes on does what it would have done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use game::{Expected, quote};
use storage::Lock;

use crate::error::TuneError;

const MAGIC: &str = "zermelo tuning 1";

/// How far it has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TuningSession {
    /// In one line, all that makes another session.
    pub what: String,
    /// Steps done.
    pub step: u64,
    /// Games played.
    pub games: u64,
    /// What the method knows, by name.
    pub numbers: BTreeMap<String, Vec<f64>>,
}

impl TuningSession {
    /// A session that has not begun.
    #[must_use]
    pub fn new(what: &str) -> TuningSession {
        TuningSession { what: what.replace(['\n', '\r'], " "), ..TuningSession::default() }
    }

    /// Goes on with the session in a file, or begins one if there is none. It is the caller's as long as
    /// the lock is.
    ///
    /// # Errors
    /// If the file is damaged, of another session, or in use.
    pub fn open(path: &Path, what: &str) -> Result<(TuningSession, Lock), TuneError> {
        let lock = Lock::in_new_folder(path)?;
        TuningSession::find(path, what).map(|session| (session, lock))
    }

    fn find(path: &Path, what: &str) -> Result<TuningSession, TuneError> {
        let foreign = |why| TuneError::Foreign { path: path.to_owned(), why };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(TuningSession::new(what)),
            Err(error) => {
                return Err(TuneError::File { doing: "use", path: path.to_owned(), error });
            }
        };
        let session = TuningSession::read(&text).map_err(foreign)?;
        let new = TuningSession::new(what);
        match session.what == new.what {
            true => Ok(session),
            false => {
                let (found, wanted) = (quote(&session.what), quote(&new.what));
                Err(foreign(format!("it is a session of {found}, not {wanted}").into()))
            }
        }
    }

    /// Writes it, so that the file is there as a whole at any time.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TuneError> {
        Ok(storage::write_in_new_folder(path, self.write().as_bytes())?)
    }

    /// As text.
    #[must_use]
    pub fn write(&self) -> String {
        let TuningSession { what, step, games, numbers } = self;
        let mut text = format!("{MAGIC}\nwhat {what}\nstep {step}\ngames {games}\n");
        for (name, numbers) in numbers {
            let _ = write!(text, "numbers {name}");
            for number in numbers {
                // The shortest text that is read back as the same number.
                let _ = write!(text, " {number:?}");
            }
            text.push('\n');
        }
        text + "end\n"
    }

    /// What a text says.
    ///
    /// # Errors
    /// Names the line that is wrong.
    pub fn read(text: &str) -> Result<TuningSession, Expected> {
        let mut session = TuningSession::default();
        let mut ended = false;
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |right: &str| {
                let shown: String = line.chars().take(40).collect();
                Err(format!("line {number} is {}; {right}", quote(&shown)).into())
            };
            let count = |text: &str| text.parse::<u64>().ok();
            match (number, line.split_once(' ')) {
                _ if ended => return wrong("nothing follows the end"),
                (1, _) if line == MAGIC => {}
                (1, _) if line.starts_with("zermelo tuning ") => {
                    return wrong("another version of the format; only 1 is known");
                }
                (1, _) => return wrong(&format!("a session begins with {MAGIC}")),
                (2, Some(("what", what))) => what.clone_into(&mut session.what),
                (2, _) => return wrong("what and which session would be right"),
                (3, Some(("step", step))) if count(step).is_some() => {
                    session.step = count(step).unwrap_or(0);
                }
                (3, _) => return wrong("step NUMBER would be right"),
                (4, Some(("games", games))) if count(games).is_some() => {
                    session.games = count(games).unwrap_or(0);
                }
                (4, _) => return wrong("games NUMBER would be right"),
                (_, Some(("numbers", rest))) => match read_numbers(rest) {
                    Some((name, numbers)) if !session.numbers.contains_key(name) => {
                        session.numbers.insert(name.to_owned(), numbers);
                    }
                    _ => return wrong("numbers NAME NUMBERS would be right, each name once"),
                },
                (_, _) if line == "end" => ended = true,
                _ => return wrong("numbers or end would be right"),
            }
        }
        if ended { Ok(session) } else { Err("the text ends too early: it was cut off".into()) }
    }

    /// The numbers of that name, of which there must be so many.
    pub(crate) fn get(&self, name: &str, count: usize) -> Option<Vec<f64>> {
        self.numbers.get(name).filter(|numbers| numbers.len() == count).cloned()
    }
}

fn read_numbers(text: &str) -> Option<(&str, Vec<f64>)> {
    let mut words = text.split(' ');
    let name = words.next().filter(|name| !name.is_empty())?;
    let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
    Some((name, words.map(number).collect::<Option<Vec<f64>>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    fn session() -> TuningSession {
        let numbers = [("mean", vec![0.1, -2.5e-9, 3.0]), ("none", vec![])];
        let numbers = numbers.map(|(name, numbers)| (name.to_owned(), numbers));
        TuningSession { what: "a session".to_owned(), step: 3, games: 48, numbers: numbers.into() }
    }

    #[test]
    fn sessions_round_trip() {
        assert_eq!(TuningSession::read(&session().write()), Ok(session()));
        assert_eq!(session().get("mean", 3), Some(vec![0.1, -2.5e-9, 3.0]));
        assert_eq!((session().get("mean", 2), session().get("other", 0)), (None, None));
    }

    #[test]
    fn any_session_is_read_or_refused() {
        let mut rng = Rng::new(4);
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let mut bytes = session().write().into_bytes();
            for _ in 0..=rng.below(2) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => bytes[at] = rng.below(256) as u8,
                    1 => bytes[at] = b"0123456789-. \nenda"[rng.below(18)],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            match TuningSession::read(&String::from_utf8_lossy(&bytes)) {
                Ok(session) => {
                    taken += 1;
                    assert_eq!(TuningSession::read(&session.write()), Ok(session));
                }
                Err(error) => {
                    refused += 1;
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                }
            }
        }
        assert!(taken > 1_000 && refused > 1_000, "{taken} {refused}");
    }

    /// Wherever a file was cut off, it is refused.
    #[test]
    fn no_part_of_a_session_is_one() {
        let text = session().write();
        for end in 0..text.len() - 1 {
            assert!(TuningSession::read(&text[..end]).is_err(), "{end}");
        }
    }
}
