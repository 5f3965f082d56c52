//! `zermelo tune genetic`: a session, from its first generation or from where it was left.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use compiled::duels::Terms;
use play::{Stop, WeightsChoice};
use serde::Serialize;
use tune::genetic::{
    Breeder, BreedingSettings, Crossover, Folder, GenerationOutcome, Mutation, Population,
    Selection, load,
};

use super::gate::{Gated, hold_gate};
use crate::again;
use crate::args::{Breeding, TuneGenetic};
use crate::commands::matches::Matched;
use crate::files;
use crate::output::{Answer, Console, counted};
use crate::progress::{Progress, stop_on_interrupt};

/// Generations, unless something else is said.
pub(crate) const USUAL_GENERATIONS: u64 = 100;

#[derive(Serialize)]
struct Bred<'a> {
    game: String,
    evaluation: String,
    generation: u64,
    games: u64,
    seconds: f64,
    games_per_second: f64,
    file: String,
    finished: bool,
    /// The command that goes on with it.
    resume: Option<String>,
    gate: Option<&'a Matched>,
}

/// When a session ends.
#[derive(Clone, Copy)]
pub(super) struct Until {
    pub(super) generations: u64,
    pub(super) deadline: Option<Instant>,
}

/// Runs a session.
pub(crate) fn run(arguments: &TuneGenetic, console: &Console) -> Result<Answer> {
    let folder = Folder::at(&arguments.out);
    let _lock = folder.lock()?;
    let there = folder.generations()?;
    let (mut breeder, population) = match &arguments.resume {
        None if !there.is_empty() => bail!(
            "{} holds a session already; --resume would go on with it",
            arguments.out.display()
        ),
        None => begin(arguments)?,
        Some(from) => go_on(arguments, from.as_deref(), &folder)?,
    };
    folder.forget_after(population.generation)?;
    folder.save(&population)?;
    let most = match (arguments.generations, arguments.time) {
        (Some(generations), _) => generations,
        (None, Some(_)) => u64::MAX,
        (None, None) => USUAL_GENERATIONS,
    };
    let deadline = arguments.time.map(|time| Instant::now() + time);
    let until = Until { generations: most, deadline };
    let stop = stop_on_interrupt()?;
    let population = breed(&mut breeder, population, &folder, until, &stop, console)?;
    let (finished, mut gated) = (!stop.is_stopped(), None);
    if let (Some(file), Some(champion)) = (&arguments.weights, &population.champion) {
        files::write(file, &with_origin(&breeder.text(champion), &population))?;
        if finished {
            gated = prove(arguments, file, &population.settings, &stop, console)?;
        }
    }
    tell(&population, &folder, finished, gated.as_ref(), console)?;
    // A proof that was asked for and not given, since somebody interrupted, is none.
    let proved = !arguments.gate.gate || gated.as_ref().is_some_and(Gated::is_passed);
    Ok(if finished && proved { Answer::Yes } else { Answer::No })
}

/// The match against what the evaluation has if nobody changes it: a session begins with weights drawn by lot.
fn prove(
    arguments: &TuneGenetic,
    champion: &Path,
    settings: &BreedingSettings,
    stop: &Stop,
    console: &Console,
) -> Result<Option<Gated>> {
    let game = catalog::open(&settings.game)?;
    let before = WeightsChoice::Named(settings.evaluation.clone());
    hold_gate(&arguments.gate, game.facts(), champion, &before, arguments.threads, stop, console)
}

/// The first generation of a new session.
fn begin(arguments: &TuneGenetic) -> Result<(Breeder, Population)> {
    let usual = usual_settings(&arguments.game);
    let settings = changed(&usual, &arguments.breeding, arguments.seed)?;
    let breeder = breeder(&settings, arguments.threads)?;
    let population = breeder.first(&settings);
    Ok((breeder, population))
}

/// A generation that is there, perhaps with other settings from now on.
fn go_on(
    arguments: &TuneGenetic,
    from: Option<&Path>,
    folder: &Folder,
) -> Result<(Breeder, Population)> {
    let found = match from {
        Some(file) => load(file),
        None => folder.last(),
    };
    let population = found?;
    let before = BreedingSettings { game: arguments.game.clone(), ..population.settings.clone() };
    let settings = changed(&before, &arguments.breeding, arguments.seed)?;
    let breeder = breeder(&settings, arguments.threads)?;
    let population = match settings == population.settings {
        true => population,
        false => breeder.adopt(population, &settings)?,
    };
    Ok((breeder, population))
}

pub(super) fn breeder(settings: &BreedingSettings, threads: Option<usize>) -> Result<Breeder> {
    let all = || thread::available_parallelism().map_or(1, usize::from);
    Ok(Breeder::new(settings, threads.unwrap_or_else(all))?)
}

/// As the thesis had it, as far as it says.
pub(crate) fn usual_settings(game: &str) -> BreedingSettings {
    BreedingSettings {
        game: game.to_owned(),
        evaluation: "features".to_owned(),
        population: 48,
        duels: 0,
        noise: 2,
        mutation: 30,
        selection: Selection::Half,
        crossover: Crossover::OnePoint,
        change: Mutation::Redraw,
        terms: Terms::default(),
        seed: 1,
        off: Vec::new(),
    }
}

/// With what was given in place of what was.
pub(super) fn changed(
    before: &BreedingSettings,
    given: &Breeding,
    seed: Option<u64>,
) -> Result<BreedingSettings> {
    let before = before.clone();
    let off = match &given.off {
        Some(file) => files::read(file)?.split_whitespace().map(str::to_owned).collect(),
        None => before.off,
    };
    Ok(BreedingSettings {
        game: before.game,
        evaluation: given.evaluation.clone().unwrap_or(before.evaluation),
        population: given.population.unwrap_or(before.population),
        duels: given.duels.unwrap_or(before.duels),
        noise: given.noise.unwrap_or(before.noise),
        mutation: given.mutation.unwrap_or(before.mutation),
        selection: given.selection.unwrap_or(before.selection),
        crossover: given.crossover.unwrap_or(before.crossover),
        change: given.change.unwrap_or(before.change),
        terms: Terms {
            depth: given.depth.unwrap_or(before.terms.depth),
            nodes: None,
            opening: given.opening.map_or(before.terms.opening, |plies| plies as u32),
            longest: given.longest.unwrap_or(before.terms.longest),
        },
        seed: seed.unwrap_or(before.seed),
        off,
    })
}

/// Breeds until it is time to stop. A generation that is not finished is as if it had not been begun.
pub(super) fn breed(
    breeder: &mut Breeder,
    mut population: Population,
    folder: &Folder,
    until: Until,
    stop: &Stop,
    console: &Console,
) -> Result<Population> {
    let progress = Progress::of_parts(console, "games");
    let late = || until.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    while population.generation < until.generations && !stop.is_stopped() && !late() {
        let (number, start) = (population.generation + 1, Instant::now());
        let seen = |done: usize, all: usize| {
            progress.parts(done, all);
            let rate = done as f64 / start.elapsed().as_secs_f64().max(1e-3);
            let left = until.generations.saturating_sub(number);
            let estimate = match until.generations {
                u64::MAX => String::new(),
                _ => estimate(all - done, left * all as u64, rate),
            };
            progress.remark(format!("of generation {number}, {rate:.0} games/s{estimate}"));
        };
        let Some((next, outcome)) = breeder.next(&population, stop, &seen) else { break };
        folder.save(&next)?;
        if !console.json && !console.quiet {
            progress.line(&generation_line(&next, &outcome, start.elapsed()));
        }
        population = next;
    }
    Ok(population)
}

fn estimate(now: usize, later: u64, rate: f64) -> String {
    let seconds = (now as f64 + later as f64) / rate.max(1e-3);
    format!(", {} to go", indicatif::HumanDuration(Duration::from_secs_f64(seconds.min(1e9))))
}

fn generation_line(next: &Population, outcome: &GenerationOutcome, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    format!(
        "generation {:>4}  {:>6} games  {:>6.0} games/s  {:>2.0}% drawn  best won {:>3}  {}",
        next.generation,
        outcome.games,
        outcome.games as f64 / seconds.max(1e-6),
        100.0 * outcome.drawn as f64 / outcome.games.max(1) as f64,
        outcome.wins,
        if outcome.succeeded { "new champion" } else { "champion stays" }
    )
}

/// The weights with how they came about.
fn with_origin(text: &str, population: &Population) -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let command = words.join(" ").replace(['\n', '\r'], " ");
    let generation = population.generation;
    format!("{first}\n# zermelo {command}\n# champion after generation {generation}\n{rest}")
}

fn tell(
    population: &Population,
    folder: &Folder,
    finished: bool,
    gated: Option<&Gated>,
    console: &Console,
) -> Result<()> {
    let Population { settings, generation, games, seconds, .. } = population;
    let file: PathBuf = folder.file(*generation);
    let bred = Bred {
        game: settings.game.clone(),
        evaluation: settings.evaluation.clone(),
        generation: *generation,
        games: *games,
        seconds: *seconds,
        games_per_second: *games as f64 / seconds.max(1e-6),
        file: file.display().to_string(),
        finished,
        resume: (!finished).then(|| again::command_with(&[("--resume", None)])),
        gate: gated.map(|gated| &gated.matched),
    };
    console.answer(&bred, |out| {
        writeln!(
            out,
            "{}, {} in {:.1} s, {:.0} games/s; the last is {}",
            counted(bred.generation, "generation"),
            counted(bred.games, "game"),
            bred.seconds,
            bred.games_per_second,
            bred.file
        )?;
        if let Some(command) = &bred.resume {
            writeln!(out, "interrupted; to go on: {command}")?;
        }
        gated.map_or(Ok(()), |gated| gated.write(out))
    })?;
    Ok(())
}

/// The champion of a session: of a folder's last generation, or of a file's.
pub(super) fn champion_of(session: &Path) -> Result<(Population, Vec<i32>)> {
    let found = if session.is_dir() { Folder::at(session).last() } else { load(session) };
    let population = found?;
    let champion = population.champion.clone();
    let champion = champion
        .ok_or_else(|| anyhow!("{} has no champion yet: it has not played", session.display()))?;
    Ok((population, champion))
}
