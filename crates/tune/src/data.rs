//! Positions to learn from: games that bots play against themselves, with how they ended and how their endings should have.
//!
//! ```text
//! zermelo positions 1
//! game reversi
//! made nodes=2000, openings of 4 to 10 plies, endings of 20000 nodes, seed 1
//! 12 12,12,10 f5 d6 c3 …
//! -4 - f5 f6 …
//! ```
//!
//! A line is a game: the first player's margin at its end, the margins that a search proved of the last positions before the end, and all moves
//! from the usual start. Games are in the order of their numbers, so that a file depends on what its third line says and on nothing else, and goes on
//! where it was left; a line that was cut off by a crash is played anew. Positions are not stored: they follow from the moves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use compiled::CompiledGame;
use game::{Expected, Meaning, Rng, Value, mix, quote};
use play::{BotSpec, Limits, Player, Session, Stop, Task, Turn};

use crate::error::TuneError;

const MAGIC: &str = "zermelo positions 1";

/// How games to learn from are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Making {
    /// The spec that all games of the file were played by.
    pub game: String,
    /// Who plays it against itself.
    pub bot: BotSpec,
    /// How many random plies games begin with, at least and at most.
    pub plies: [usize; 2],
    /// How many nodes may be visited to prove what a position near the end is worth; none are proved with 0.
    pub ending: u64,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// A game to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledGame {
    /// The first player's margin at the end.
    pub margin: i32,
    /// Proved margins of the last positions before the end.
    pub proved: Vec<i32>,
    /// From the start of the game, as it writes them.
    pub moves: Vec<String>,
}

impl LabelledGame {
    /// What the position after so many moves is worth, as far as anybody knows: what was proved of it, or else of the first position that something was
    /// proved of, or how the game ended.
    #[must_use]
    pub fn label(&self, ply: usize) -> i32 {
        let first = self.moves.len() - self.proved.len().min(self.moves.len());
        let known = self.proved.get(ply.saturating_sub(first));
        *known.unwrap_or(&self.margin)
    }

    fn write(&self) -> String {
        let proved: Vec<String> = self.proved.iter().map(ToString::to_string).collect();
        let proved = if proved.is_empty() { "-".to_owned() } else { proved.join(",") };
        let mut text = format!("{} {proved}", self.margin);
        for m in &self.moves {
            let _ = write!(text, " {m}");
        }
        text.push('\n');
        text
    }

    fn read(line: &str) -> Option<LabelledGame> {
        let mut words = line.split(' ');
        let margin = words.next()?.parse().ok()?;
        let proved = match words.next()? {
            "-" => Vec::new(),
            list => list.split(',').map(|n| n.parse().ok()).collect::<Option<Vec<i32>>>()?,
        };
        let moves: Vec<String> = words.map(str::to_owned).collect();
        let whole = proved.len() < moves.len() && moves.iter().all(|m| !m.is_empty());
        whole.then_some(LabelledGame { margin, proved, moves })
    }
}

/// What a file of games to learn from holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// The spec that all games of the file were played by.
    pub game: String,
    /// How they were made.
    pub made: String,
    /// The games.
    pub samples: Vec<LabelledGame>,
    /// How many bytes at the end are not whole.
    pub torn: usize,
}

impl Data {
    /// Reads a file.
    ///
    /// # Errors
    /// Names the line that is wrong. One that ends without being whole is not.
    pub fn read(text: &str) -> Result<Data, Expected> {
        let mut data = Data::default();
        let mut read = 0;
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let Some(line) = line.strip_suffix('\n') else { break };
            let wrong =
                |right: &str| Err(format!("line {number} is {}; {right}", shortened(line)).into());
            match (number, line.split_once(' ')) {
                (1, _) if line == MAGIC => {}
                (1, Some(("zermelo", rest))) if rest.starts_with("positions ") => {
                    return wrong("another version of the format; only 1 is known");
                }
                (1, _) => return wrong(&format!("games to learn from begin with {MAGIC}")),
                (2, Some(("game", game))) => game.clone_into(&mut data.game),
                (2, _) => return wrong("game NAME would be right"),
                (3, Some(("made", made))) => made.clone_into(&mut data.made),
                (3, _) => return wrong("made and how would be right"),
                (_, _) => match LabelledGame::read(line) {
                    Some(sample) => data.samples.push(sample),
                    None => return wrong("MARGIN MARGINS|- MOVES would be right"),
                },
            }
            read += line.len() + 1;
        }
        data.torn = text.len() - read;
        match data.made.is_empty() {
            true => {
                Err(format!("the text ends before the first game; it begins with {MAGIC}").into())
            }
            false => Ok(data),
        }
    }
}

/// Lines of games are long.
fn shortened(line: &str) -> String {
    quote(&line.chars().take(40).collect::<String>())
}

impl Making {
    /// In one line, all that makes other games.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Making { bot, plies: [least, most], ending, seed, .. } = self;
        format!(
            "{bot}, openings of {least} to {most} plies, endings of {ending} nodes, seed {seed}"
        )
    }

    /// Plays the game of that number; `None` if somebody said stop.
    ///
    /// # Errors
    /// If the game or the bot is not to be had.
    pub fn play(&self, number: usize, stop: &Stop) -> Result<Option<LabelledGame>, TuneError> {
        let seed = mix(self.seed.wrapping_add(mix(number as u64)));
        let game = catalog::open(&self.game).map_err(TuneError::Game)?;
        let mut session = game.session();
        let [least, most] = self.plies;
        let plies = least + Rng::new(seed).below(most.saturating_sub(least) + 1);
        arena::opening(&mut *session, plies, mix(seed));
        // One player for both sides: what it found for one helps the other.
        let mut player = game.player(&self.bot, seed)?;
        while session.outcome().is_none() {
            let choice = player.choose(&*session, &Task::default(), stop, &mut |_| {})?;
            if stop.is_stopped() {
                return Ok(None);
            }
            match choice.turn {
                Turn::Play(text) => drop(session.play(&text).map_err(TuneError::Move)?),
                Turn::Claim if session.claim() => {}
                Turn::Claim | Turn::Resign => return Err(TuneError::GaveUp),
            }
        }
        let margin = session.outcome().map_or(0, |outcome| outcome.margin);
        let moves = session.played();
        let mut proved = match self.ending {
            0 => Vec::new(),
            nodes => self.prove_ending(&*game, &mut *session, margin, plies, nodes, stop)?,
        };
        proved.reverse();
        Ok((!stop.is_stopped()).then_some(LabelledGame { margin, proved, moves }))
    }

    /// Goes back from the end as far as a search can prove what positions are worth; the last one first.
    fn prove_ending(
        &self,
        game: &dyn CompiledGame,
        session: &mut dyn Session,
        margin: i32,
        opening: usize,
        nodes: u64,
        stop: &Stop,
    ) -> Result<Vec<i32>, TuneError> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let bot = BotSpec { limits, hash_megabytes: self.bot.hash_megabytes, ..BotSpec::default() };
        let mut prover: Box<dyn Player> = game.player(&bot, 1)?;
        let mut proved = Vec::new();
        while session.plies() > opening.max(1) && session.undo() && !stop.is_stopped() {
            let choice = prover.choose(session, &Task::default(), stop, &mut |_| {})?;
            let worth = match choice.analysis {
                // Nothing to choose: as good as what it leads to.
                None => Some(*proved.last().unwrap_or(&margin)),
                Some(analysis) => analysis.value.filter(|_| analysis.exact).map(margin_of),
            };
            match worth {
                Some(worth) => proved.push(worth),
                None => break,
            }
        }
        Ok(proved)
    }
}

/// The first player's margin, of a value that was proved.
fn margin_of(value: Value) -> i32 {
    match value.meaning() {
        Meaning::WonIn(_) => 1,
        Meaning::LostIn(_) => -1,
        Meaning::Margin(margin) => margin,
        Meaning::Score(_) => 0,
    }
}

/// A file that grows by one game after the other.
#[derive(Debug)]
pub struct DataFile {
    file: File,
    path: PathBuf,
    /// Whole games in the file, those of earlier runs included.
    pub games: usize,
    /// How many bytes were cut off at its end, because they were no whole game.
    pub torn: usize,
}

impl DataFile {
    /// Begins a file, or goes on with one that was made in the same way.
    ///
    /// # Errors
    /// If it is another file, or cannot be written.
    pub fn open(path: &Path, making: &Making) -> Result<DataFile, TuneError> {
        let at = |error| TuneError::File { doing: "use", path: path.to_owned(), error };
        let foreign = |why| TuneError::Foreign { path: path.to_owned(), why };
        let header = format!("{MAGIC}\ngame {}\nmade {}\n", making.game, making.in_words());
        let earlier = match std::fs::read_to_string(path) {
            // Nothing was written, or a crash cut off the first lines.
            Ok(text) if header.len() > text.len() && header.starts_with(&text) => None,
            Ok(text) => Some((Data::read(&text).map_err(foreign)?, text.len())),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(at(e)),
        };
        let mut file =
            OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(at)?;
        let (mut games, mut torn, mut whole) = (0, 0, 0);
        if let Some((data, length)) = earlier {
            let [found, wanted] = [(&data.game, &data.made), (&making.game, &making.in_words())]
                .map(|(game, made)| format!("{game}: {made}"));
            if found != wanted {
                let (found, wanted) = (quote(&found), quote(&wanted));
                return Err(foreign(format!("it holds games of {found}, not {wanted}").into()));
            }
            (games, torn, whole) = (data.samples.len(), data.torn, length - data.torn);
        }
        file.set_len(whole as u64).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        if whole == 0 {
            file.write_all(header.as_bytes()).map_err(at)?;
            storage::sync(&file).and_then(|()| storage::sync_folder(path)).map_err(at)?;
        }
        Ok(DataFile { file, path: path.to_owned(), games, torn })
    }

    fn add(&mut self, sample: &LabelledGame) -> Result<(), TuneError> {
        self.games += 1;
        let written = self.file.write_all(sample.write().as_bytes());
        let path = || self.path.clone();
        written.map_err(|error| TuneError::File { doing: "write", path: path(), error })
    }

    /// Plays games until there are so many in the file, several at a time; `told` hears how many there are.
    ///
    /// # Errors
    /// If the game or the bot is not to be had, or the file not to be written.
    pub fn fill(
        &mut self,
        making: &Making,
        games: usize,
        threads: usize,
        stop: &Stop,
        told: &mut (dyn FnMut(usize) + Send),
    ) -> Result<(), TuneError> {
        let next = AtomicUsize::new(self.games);
        let failure = Mutex::new(None);
        // Finished games that wait for one before them.
        let shared = Mutex::new((self, told, BTreeMap::new()));
        let add = |number: usize, sample: LabelledGame| -> Result<(), TuneError> {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (file, told, waiting) = &mut *shared;
            waiting.insert(number, sample);
            while let Some(sample) = waiting.remove(&file.games) {
                file.add(&sample)?;
                told(file.games);
            }
            Ok(())
        };
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner).is_some();
                if number >= games || stop.is_stopped() || failed() {
                    return;
                }
                let done = making.play(number, stop);
                let added = done.and_then(|sample| match sample {
                    Some(sample) => add(number, sample),
                    None => Ok(()),
                });
                if let Err(error) = added {
                    failure.lock().unwrap_or_else(PoisonError::into_inner).replace(error);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(work);
            }
        });
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (file, ..) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let path = file.path.clone();
        let failed = |error| TuneError::File { doing: "write", path, error };
        let synced = storage::sync(&file.file).map_err(failed);
        failure.map_or(synced, Err)
    }
}
