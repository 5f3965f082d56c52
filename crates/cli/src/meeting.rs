//! How contestants meet, for matches and tournaments: from flags to a [`Contest`], and their games into a file.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use arena::{
    Adjudication, Contest, Contestant, ContestantKind, Journal, MatchVerdict, Openings, PairResult,
    PlayedPair, Standing,
};
use compiled::CompiledGame;
use play::record::Record;
use play::{BotSpec, Limits, Stop};
use protocols::ggf::GgfGame;

use crate::args;
use crate::files;

/// What bots of a match take for a move if nobody says anything: enough to tell weights apart, and quick.
const QUICK: Limits = Limits { nodes: Some(5_000), depth: None, time: None, clock: None };

/// When contestants stop thinking who do not say so themselves. Engines are left alone: not all of them can count nodes.
pub(crate) fn limits(meeting: &args::Meeting, contestants: &[Contestant]) -> Option<Limits> {
    let undecided = || contestants.iter().filter(|contestant| !contestant.knows_when_to_stop());
    let bots_alone =
        undecided().all(|contestant| matches!(contestant.kind, ContestantKind::Bot(_)));
    meeting.each.or_else(|| (bots_alone && undecided().next().is_some()).then_some(QUICK))
}

/// Limits as people write them.
pub(crate) fn limits_text(limits: &Limits) -> String {
    BotSpec { limits: *limits, ..BotSpec::default() }.to_string()
}

/// The same, to add to a sentence; nothing if there are none.
pub(crate) fn limits_in_words(limits: Option<Limits>) -> String {
    limits.map_or_else(String::new, |limits| format!(", {} a move", limits_text(&limits)))
}

/// The match of two contestants on these terms, with the limits that go for all.
pub(crate) fn contest(
    meeting: &args::Meeting,
    limits: Option<Limits>,
    game: &dyn CompiledGame,
    contestants: [Contestant; 2],
) -> Result<Contest> {
    Ok(Contest {
        game: game.facts().spec.clone(),
        contestants,
        pairs: meeting.games.div_ceil(2),
        openings: openings(meeting, game)?,
        limits,
        grace: meeting.grace,
        adjudication: Adjudication { draw: meeting.draw, resign: meeting.resign },
        at_once: meeting.threads.unwrap_or_else(processors),
        seed: meeting.seed,
    })
}

/// How much can be done at a time.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

fn openings(meeting: &args::Meeting, game: &dyn CompiledGame) -> Result<Openings> {
    let plies = meeting.plies.unwrap_or(game.facts().opening_plies);
    Ok(match &*meeting.openings {
        "random" => Openings::Random { plies },
        "balanced" => Openings::Balanced { plies },
        file => {
            let path = Path::new(file);
            let read = files::read_games(game, path, false)?;
            files::need_good(path, &read)?;
            files::report_bad(path, &read);
            let games = read.into_good();
            Openings::Recorded { games: Arc::new(games), plies: meeting.plies }
        }
    })
}

/// Where a match is written down.
pub(crate) struct Ledger {
    journal: Option<Journal>,
    /// Where its games go.
    pub(crate) games: Option<GamesFile>,
    /// All pairs, those that were played before with them.
    pairs: Vec<PairResult>,
}

impl Ledger {
    /// Opens a journal, if there is to be one; gives the pairs that were played before.
    pub(crate) fn open(
        path: Option<&Path>,
        description: &str,
    ) -> Result<(Ledger, Vec<PairResult>)> {
        let opened = path.map(|path| Journal::open(path, description)).transpose();
        let (journal, earlier) = match opened? {
            Some((journal, earlier)) => (Some(journal), earlier),
            None => (None, Vec::new()),
        };
        Ok((Ledger { journal, games: None, pairs: earlier.clone() }, earlier))
    }

    /// Writes a journal of what was played without one.
    pub(crate) fn keep(&self, path: &Path, description: &str) -> Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        // What an earlier run left there was played again.
        let _ = std::fs::remove_file(path);
        let (mut journal, _) = Journal::open(path, description)?;
        Ok(self.pairs.iter().try_for_each(|pair| journal.add(pair))?)
    }

    /// Plays what is left of a match and writes it down; `seen` hears how it stands after each pair.
    pub(crate) fn play(
        &mut self,
        contest: &Contest,
        earlier: &[PairResult],
        stop: &Stop,
        seen: &mut (dyn FnMut(&Standing) -> MatchVerdict + Send),
    ) -> Result<Standing> {
        let mut trouble = None;
        let standing = contest.run(earlier, stop, &mut |standing, pair| match self.add(pair) {
            Ok(()) => seen(standing),
            Err(error) => {
                trouble = Some(error);
                MatchVerdict::Enough
            }
        });
        let standing = standing?;
        trouble.map_or(Ok(standing), Err)
    }

    /// Games first: a pair that the journal knows is in the file.
    fn add(&mut self, pair: &PlayedPair) -> Result<()> {
        if let Some(games) = &mut self.games {
            games.add(pair)?;
        }
        self.pairs.push(pair.result.clone());
        Ok(self.journal.as_mut().map_or(Ok(()), |journal| journal.add(&pair.result))?)
    }
}

/// A file that takes games as they end, so that none is lost.
pub(crate) struct GamesFile {
    file: File,
    path: PathBuf,
    form: Form,
    /// Writes games as its family does.
    game: Arc<dyn CompiledGame>,
}

/// How games are written, by the end of the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As the family does: PGN, PDN, SGF.
    Own,
    /// `.ggf`, for Reversi.
    Ggf,
    /// `.txt`: the moves of a game on a line.
    Transcript,
}

impl Form {
    fn of(path: &Path) -> Form {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("ggf") => Form::Ggf,
            Some("txt") => Form::Transcript,
            _ => Form::Own,
        }
    }
}

impl GamesFile {
    /// Begins a file of games of this kind, or goes on with one.
    pub(crate) fn open(
        path: &Path,
        goes_on: bool,
        game: Arc<dyn CompiledGame>,
    ) -> Result<GamesFile> {
        let form = Form::of(path);
        if form == Form::Ggf {
            // What cannot be written is said before the first game.
            GgfGame::of(&*game.session())?;
        }
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(goes_on).truncate(!goes_on);
        let file =
            options.open(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(GamesFile { file, path: path.to_owned(), form, game })
    }

    /// Adds both games of a pair.
    fn add(&mut self, pair: &PlayedPair) -> Result<()> {
        let mut text = String::new();
        for (i, game) in pair.games.iter().enumerate() {
            let mut record = game.record.clone();
            let round = format!("{}.{}", pair.result.number + 1, i + 1);
            record.tags.insert(0, ("Round".to_owned(), round));
            record.add_tag("Date", files::today(self.game.facts()));
            text += &self.write(&record)?;
            text.push('\n');
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| storage::sync(&self.file));
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn write(&mut self, record: &Record) -> Result<String> {
        match self.form {
            Form::Own => Ok(self.game.files().write(record)?),
            Form::Ggf => {
                let mut session = self.game.session();
                session.replay(record)?;
                let mut game = GgfGame::of(&*session)?;
                for (tag, property) in [("Black", "PB"), ("White", "PW")] {
                    game.set_tag(property, record.tag(tag).unwrap_or_default());
                }
                Ok(game.write())
            }
            Form::Transcript => {
                let moves: Vec<&str> = record.line.plies.iter().map(|ply| &*ply.text).collect();
                Ok(moves.join(" "))
            }
        }
    }
}
