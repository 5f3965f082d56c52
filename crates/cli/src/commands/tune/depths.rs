//! `zermelo tune depths`: the experiment on MIN and MAX. Whoever looks an even number of plies ahead judges positions in which
//! it is on the move itself, with an odd number the opponent is: does that change what is important?

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use lab::weights::{Findings, Priority, apart};
use play::Stop;
use serde::Serialize;
use tune::genetic::{BreedingSettings, Folder, Population};

use super::genetic::{Until, breed, breeder, changed, usual_settings};
use super::report::largest_of;
use crate::again;
use crate::args::TuneDepths;
use crate::output::{Answer, Console};
use crate::progress::stop_on_interrupt;

#[derive(Serialize)]
struct Compared {
    depths: [u32; 2],
    runs: u64,
    within: f64,
    between: f64,
    chance: f64,
    ways: usize,
    agree: usize,
    weights: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    means: [f64; 2],
    priorities: [String; 2],
    agree: bool,
}

/// Runs all sessions and compares them.
pub(crate) fn run(arguments: &TuneDepths, console: &Console) -> Result<Answer> {
    let (one, other) = arguments.depths;
    let stop = stop_on_interrupt()?;
    let mut groups: [Vec<Vec<i32>>; 2] = [Vec::new(), Vec::new()];
    let (mut names, mut largest) = (Vec::new(), 1.0);
    for run in 0..arguments.runs {
        for (group, depth) in [one, other].into_iter().enumerate() {
            // Every session has a seed of its own, so that no two begin alike.
            let seed = arguments.seed + 2 * run + group as u64;
            let mut settings =
                changed(&usual_settings(&arguments.game), &arguments.breeding, Some(seed))?;
            settings.terms.depth = depth;
            let folder = arguments.out.join(format!("depth-{depth}-seed-{seed}"));
            let Some(population) = session(&settings, &folder, arguments, &stop, console)? else {
                let done = groups.iter().map(Vec::len).sum();
                return interrupted(arguments, done, console);
            };
            groups[group].extend(population.champion.clone());
            largest = largest_of(Some(&population));
            names = population.names;
        }
    }
    let [first, second] = &groups;
    let test = apart([first, second], largest, arguments.seed)?;
    let averages = groups.each_ref().map(|runs| {
        let sessions = runs.iter().map(|run| (names.clone(), run.clone())).collect();
        Findings::new(sessions).map(|findings| findings.means())
    });
    let [Ok(ones), Ok(others)] = averages else { bail!("there is nothing to compare") };
    let rows: Vec<Row> = names
        .iter()
        .zip(ones.iter().zip(&others))
        .map(|(name, (&one, &other))| {
            let words = [one, other].map(|mean| Priority::of(mean, largest));
            let agree = words[0] == words[1];
            Row {
                name: name.clone(),
                means: [one, other],
                priorities: words.map(|w| w.to_string()),
                agree,
            }
        })
        .collect();
    let compared = Compared {
        depths: [one, other],
        runs: arguments.runs,
        within: test.within,
        between: test.between,
        chance: test.chance,
        ways: test.ways,
        agree: rows.iter().filter(|row| row.agree).count(),
        weights: rows,
    };
    console.answer(&compared, |out| in_words(&compared, out))
}

#[derive(Serialize)]
struct Interrupted {
    /// Sessions that are whole, of how many.
    sessions: [u64; 2],
    folder: String,
    resume: String,
}

/// What there is when somebody ends it early: the sessions in their folders.
fn interrupted(arguments: &TuneDepths, done: usize, console: &Console) -> Result<Answer> {
    let so_far = Interrupted {
        sessions: [done as u64, 2 * arguments.runs],
        folder: arguments.out.display().to_string(),
        resume: again::command_with(&[]),
    };
    console.answer(&so_far, |out| {
        let ([done, all], folder) = (so_far.sessions, &so_far.folder);
        writeln!(out, "{done} of {all} sessions are whole, in {folder}")?;
        writeln!(out, "interrupted; to go on: {}", so_far.resume)
    })?;
    Ok(Answer::No)
}

/// One session to its end, from where it was left; `None` if it was interrupted.
fn session(
    settings: &BreedingSettings,
    folder: &Path,
    arguments: &TuneDepths,
    stop: &Stop,
    console: &Console,
) -> Result<Option<Population>> {
    let mut breeder = breeder(settings, arguments.threads)?;
    let kept = Folder::at(folder);
    let _lock = kept.lock()?;
    let population = match kept.generations()?.is_empty() {
        true => breeder.first(settings),
        false => kept.last()?,
    };
    if population.settings != *settings {
        bail!(
            "{} holds a session with other settings; another --out would be right",
            folder.display()
        );
    }
    kept.save(&population)?;
    let until = Until { generations: arguments.generations, deadline: None };
    let population = breed(&mut breeder, population, &kept, until, stop, console)?;
    Ok((!stop.is_stopped()).then_some(population))
}

fn in_words(compared: &Compared, out: &mut dyn Write) -> io::Result<()> {
    let [one, other] = compared.depths;
    let width = compared.weights.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for (number, row) in (1..).zip(&compared.weights) {
        let [word, other_word] = &row.priorities;
        let same = if row.agree { "=" } else { " " };
        writeln!(out, "{number:>3}  {:width$}  {word:>15} {same} {other_word}", row.name)?;
    }
    writeln!(
        out,
        "depth {one} and depth {other} agree in {} of {} words",
        compared.agree,
        compared.weights.len()
    )?;
    writeln!(
        out,
        "two sessions of the same depth are {:.4} apart, of different depths {:.4}; by chance alone so far or further in {:.1}% of {} ways",
        compared.within,
        compared.between,
        100.0 * compared.chance,
        compared.ways
    )
}
