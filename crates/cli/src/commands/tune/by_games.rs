//! `zermelo tune spsa` and `zermelo tune cma`: weights found by games alone.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use arena::Score;
use compiled::duels::Terms;
use serde::Serialize;
use tune::{Cma, Ground, Spsa, TuningSession, cma_step, spsa_step};

use super::gate::{Gated, hold_gate};
use super::write_weights;
use crate::again;
use crate::args::{ByGames, TuneCma, TuneSpsa};
use crate::commands::matches::Matched;
use crate::meeting::processors;
use crate::output::{Answer, Console, counted, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};

/// Longer games are drawn.
const LONGEST: u32 = 400;

#[derive(Serialize)]
struct Found<'a> {
    game: String,
    evaluation: &'a str,
    method: &'static str,
    file: String,
    weights: usize,
    changed: usize,
    steps: u64,
    games: u64,
    /// Whether the budget was used up; a session that was interrupted goes on with the same file.
    finished: bool,
    /// The command that goes on with it.
    resume: Option<String>,
    seconds: f64,
    gate: Option<&'a Matched>,
}

pub(crate) fn run_spsa(arguments: &TuneSpsa, console: &Console) -> Result<Answer> {
    let by_games = &arguments.by_games;
    let games_of_step = 2 * by_games.pairs as u64;
    let spsa = Spsa {
        pairs: by_games.pairs,
        steps: by_games.games.div_ceil(games_of_step),
        reach: by_games.reach,
        rate: arguments.rate,
    };
    run(by_games, "spsa", &format!("{spsa:?}"), console, |session, ground| {
        spsa_step(session, ground, &spsa, by_games.seed)
    })
}

pub(crate) fn run_cma(arguments: &TuneCma, console: &Console) -> Result<Answer> {
    let by_games = &arguments.by_games;
    let cma = Cma {
        candidates: arguments.candidates.unwrap_or(0),
        pairs: by_games.pairs,
        reach: by_games.reach,
    };
    run(by_games, "cma", &format!("{cma:?}"), console, |session, ground| {
        cma_step(session, ground, &cma, by_games.seed)
    })
}

/// Takes steps until the games are played or somebody interrupts it.
fn run(
    arguments: &ByGames,
    method: &'static str,
    settings: &str,
    console: &Console,
    mut step: impl FnMut(&mut TuningSession, &mut Ground) -> Score,
) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let usual = arguments.weights.clone().unwrap_or_default();
    let start_sheet = game.weights().sheet(&usual, 1)?;
    let terms = Terms {
        depth: arguments.depth,
        nodes: arguments.nodes,
        opening: arguments.plies as u32,
        longest: LONGEST,
    };
    let what = format!(
        "{method} {} from {} {usual}, {terms:?}, {settings}, seed {}",
        game.facts().spec.clone(),
        start_sheet.evaluation,
        arguments.seed
    );
    let opened =
        arguments.session.as_deref().map(|file| TuningSession::open(file, &what)).transpose();
    let (mut session, _lock) = match opened? {
        Some((session, lock)) => (session, Some(lock)),
        None => (TuningSession::new(&what), None),
    };
    let threads = arguments.threads.unwrap_or_else(processors);
    let ground = Ground::new(&game.facts().spec, start_sheet.clone(), terms, threads);
    let mut ground = ground?;
    if ground.dimensions() == 0 {
        bail!("{} has no weights that could be changed", start_sheet.evaluation);
    }
    let stop = stop_on_interrupt()?;
    let (before, begun) = (session.games, Instant::now());
    let progress = Progress::of_parts(console, "games");
    while session.games < arguments.games && !stop.is_stopped() {
        let score = step(&mut session, &mut ground);
        if let Some(file) = &arguments.session {
            session.save(file)?;
        }
        progress.parts(session.games as usize, arguments.games as usize);
        let rate = (session.games - before) as f64 / begun.elapsed().as_secs_f64();
        let left = arguments.games.saturating_sub(session.games) as f64 / rate;
        let share = score.share() * 100.0;
        progress.remark(format!("{rate:.0} games/s, {left:.0} s left, step {share:.0}%"));
    }
    drop(progress);
    let seconds = seconds_since(begun);
    let mean = session.numbers.get("mean").cloned().unwrap_or_default();
    let sheet = ground.sheet(&mean);
    write_weights(&arguments.out, &sheet)?;
    let finished = session.games >= arguments.games;
    let gated = match finished {
        true => {
            let threads = arguments.threads;
            hold_gate(
                &arguments.gate,
                game.facts(),
                &arguments.out,
                &usual,
                threads,
                &stop,
                console,
            )?
        }
        false => None,
    };
    let resume = (!finished).then(|| resume(arguments, &session)).transpose()?;
    let differs = |(a, b): &(i32, i32)| a != b;
    let found = Found {
        game: game.facts().spec.clone(),
        evaluation: &sheet.evaluation,
        method,
        file: arguments.out.display().to_string(),
        weights: sheet.entries.len(),
        changed: sheet.values().into_iter().zip(start_sheet.values()).filter(differs).count(),
        steps: session.step,
        games: session.games,
        finished,
        resume,
        seconds,
        gate: gated.as_ref().map(|gated| &gated.matched),
    };
    console.answer(&found, |out| write_words(out, &found, gated.as_ref()))?;
    let proved = gated.as_ref().is_none_or(Gated::is_passed);
    Ok(if finished && proved { Answer::Yes } else { Answer::No })
}

/// The command that goes on. Whoever named no file for the session finds it beside the weights.
fn resume(arguments: &ByGames, session: &TuningSession) -> Result<String> {
    if arguments.session.is_some() {
        return Ok(again::command_with(&[]));
    }
    let mut file = arguments.out.clone().into_os_string();
    file.push(".session");
    session.save(Path::new(&file))?;
    Ok(again::command_with(&[("--session", Some(file.to_string_lossy().into_owned()))]))
}

fn write_words(out: &mut dyn Write, found: &Found<'_>, gated: Option<&Gated>) -> io::Result<()> {
    writeln!(
        out,
        "{}: {} of {} of {} changed by {} in {} of {}, {:.1} s",
        found.game,
        found.changed,
        counted(found.weights, "weight"),
        found.evaluation,
        found.method,
        counted(found.steps, "step"),
        counted(found.games, "game"),
        found.seconds
    )?;
    writeln!(out, "in     {}", found.file)?;
    if let Some(command) = &found.resume {
        writeln!(out, "interrupted; to go on: {command}")?;
    }
    gated.map_or(Ok(()), |gated| gated.write(out))
}
