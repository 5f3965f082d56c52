//! `zermelo tune data`: games to learn from.

use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::Serialize;
use tune::{DataFile, Making};

use crate::again;
use crate::args::TuneData;
use crate::meeting::processors;
use crate::output::{Answer, Console, counted, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};

#[derive(Serialize)]
struct Made {
    game: String,
    made: String,
    file: String,
    games: usize,
    /// Of them in this run.
    played: usize,
    /// The command that goes on, if games are missing.
    resume: Option<String>,
    seconds: f64,
}

/// A signal ends it with what has been played, and the answer is no.
pub(crate) fn run(arguments: &TuneData, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let making = Making {
        game: game.facts().spec.clone(),
        bot: arguments.bot.clone(),
        plies: [*arguments.plies.start(), *arguments.plies.end()],
        ending: arguments.ending,
        seed: arguments.seed,
    };
    let mut file = DataFile::open(&arguments.out, &making)?;
    if file.torn > 0 {
        console.warn(&format!(
            "{}: {} at the end that make no whole game are dropped",
            arguments.out.display(),
            counted(file.torn, "byte")
        ));
    }
    let stop = stop_on_interrupt()?;
    let (before, start) = (file.games, Instant::now());
    let progress = Progress::of_parts(console, "games");
    let threads = arguments.threads.unwrap_or_else(processors);
    let filled = file.fill(&making, arguments.games, threads, &stop, &mut |games| {
        progress.parts(games, arguments.games);
        let rate = (games - before) as f64 / start.elapsed().as_secs_f64();
        let left = arguments.games.saturating_sub(games) as f64 / rate;
        progress.remark(format!("{rate:.1} games/s, {left:.0} s left"));
    });
    drop(progress);
    filled?;
    let made = Made {
        game: making.game.clone(),
        made: making.in_words(),
        file: arguments.out.display().to_string(),
        games: file.games,
        played: file.games - before,
        resume: (file.games < arguments.games).then(|| again::command_with(&[])),
        seconds: seconds_since(start),
    };
    console.answer(&made, |out| {
        writeln!(
            out,
            "{}: {} in {}, {} of them played now in {:.1} s",
            made.game,
            counted(made.games, "game"),
            made.file,
            made.played,
            made.seconds
        )?;
        match &made.resume {
            Some(command) => writeln!(out, "interrupted; to go on: {command}"),
            None => Ok(()),
        }
    })?;
    Ok(if file.games >= arguments.games { Answer::Yes } else { Answer::No })
}
