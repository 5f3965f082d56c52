//! How contestants meet, for matches and tournaments: from flags to a [`Contest`], and their games into a file.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use arena::{Adjudication, Contest, Contestant, Openings, PlayedPair};
use catalog::Workbench;

use crate::args;
use crate::files;

/// The match of two contestants on these terms.
pub(crate) fn contest(
    meeting: &args::Meeting,
    bench: &dyn Workbench,
    contestants: [Contestant; 2],
) -> Result<Contest> {
    Ok(Contest {
        game: bench.spec(),
        contestants,
        pairs: meeting.games.div_ceil(2),
        openings: openings(meeting, bench)?,
        limits: meeting.each,
        grace: meeting.grace,
        adjudication: Adjudication { draw: meeting.draw, resign: meeting.resign },
        at_once: meeting.threads.unwrap_or_else(processors),
        seed: meeting.seed,
    })
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

fn openings(meeting: &args::Meeting, bench: &dyn Workbench) -> Result<Openings> {
    let plies = meeting.plies.unwrap_or_else(|| arena::usual_plies(bench));
    Ok(match &*meeting.openings {
        "random" => Openings::Random { plies },
        "balanced" => Openings::Balanced { plies },
        file => {
            let read = bench.read_games(&files::read(Path::new(file))?);
            if let Some(error) = read.error {
                bail!("{file}: {error}");
            }
            if read.games.is_empty() {
                bail!("{file} has no game to begin with");
            }
            Openings::Recorded { games: Arc::new(read.games), plies: meeting.plies }
        }
    })
}

/// A file that takes games as they end, so that none is lost.
pub(crate) struct GamesFile {
    file: File,
    path: PathBuf,
    /// Writes games as its family does.
    bench: Box<dyn Workbench>,
}

impl GamesFile {
    /// Begins a file of games of this kind, or goes on with one.
    pub(crate) fn open(path: &Path, goes_on: bool, bench: Box<dyn Workbench>) -> Result<GamesFile> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(goes_on).truncate(!goes_on);
        let file =
            options.open(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(GamesFile { file, path: path.to_owned(), bench })
    }

    /// Adds both games of a pair.
    pub(crate) fn add(&mut self, pair: &PlayedPair) -> Result<()> {
        let mut text = String::new();
        for (i, game) in pair.games.iter().enumerate() {
            let mut record = game.record.clone();
            let round = format!("{}.{}", pair.result.number + 1, i + 1);
            record.tags.insert(0, ("Round".to_owned(), round));
            text += &self.bench.write_game(&record).map_err(|e| anyhow!("{e}"))?;
            text.push('\n');
        }
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}
