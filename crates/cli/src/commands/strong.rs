//! `zermelo solve --proof strong`: every position of a small game, in a table.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail, ensure};
use indicatif::HumanCount;
use solve::strong::{Direction, Solid, StrongError, Tiering, TieringProgress, file_name};
use solve::{Bounds, Method};

use super::solve::{Solved, in_units, open, write_words};
use crate::args::Solve;
use crate::files::{self, LockedFile};
use crate::output::{
    Answer, Console, Opened, counted, other_texts, per_second, plies, seconds_since,
    speed_in_words, write_texts,
};
use crate::progress::{Progress, stop_on_interrupt};

/// Solves all positions or none. What is found is written as a whole.
pub(super) fn run(arguments: &Solve, console: &Console) -> Result<Answer> {
    let by_other_means = arguments.method.is_some_and(|method| method != Method::Retrograde);
    ensure!(!by_other_means, "a strong proof is found by --method retrograde alone");
    for (given, flag) in [
        (arguments.store.is_some(), "--store"),
        (arguments.certificate.is_some(), "--certificate"),
        (arguments.slice.is_some(), "--slice"),
        (arguments.weights.is_some(), "--weights"),
    ] {
        ensure!(!given, "{flag} is not for --proof strong, which writes a table");
    }
    let opened = open(arguments, console)?;
    let (facts, session) = (opened.game.facts(), &*opened.session);
    let file = place_for(arguments, &opened)?;
    let new_file = LockedFile::begin(&file)?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_search(console);
    let began = std::time::Instant::now();
    let &Solve { threads, hash: hash_megabytes, nodes, .. } = arguments;
    let tiering = Tiering { threads, hash_megabytes, nodes };
    let mut made = 0;
    let found = session.solve_strongly(&tiering, &stop, &mut |now| {
        made = now.nodes;
        progress.show_tiers(now);
        if arguments.time.is_some_and(|time| began.elapsed() >= time) {
            stop.stop();
        }
    });
    drop(progress);
    let seconds = seconds_since(began);
    let solid = match found {
        Ok(solid) => solid,
        Err(StrongError::Stopped) => {
            return unfinished(arguments, &opened, made, seconds, console);
        }
        Err(error) => bail!("{error}"),
    };
    let bytes = solid.to_bytes();
    new_file.finish(&bytes)?;
    let Solid { worth, nodes, .. } = solid;
    let (margin, distance) = (i32::from(worth.margin), u32::from(worth.distance));
    let bounds = Bounds { lower: margin, upper: margin };
    let mut solved = Solved::new(&opened, arguments.question, bounds, nodes, seconds);
    (solved.distance, solved.proved) = (Some(distance), true);
    solved.texts = other_texts(arguments.texts, session, bounds.outcome())?;
    let size = HumanCount(bytes.len() as u64);
    console.answer(&solved, |out| {
        write_words(out, facts, in_units(arguments.question, facts.margin_scale), bounds)?;
        write_texts(out, &solved.texts, 6)?;
        writeln!(out, "end    in {}, if both play their best", plies(distance))?;
        let tiers = counted(solid.tiers().count(), "tier");
        writeln!(out, "table  {} positions in {tiers}", HumanCount(solid.positions()))?;
        writeln!(out, "file   {size} bytes in {}", file.display())?;
        writeln!(out, "work   {}", speed_in_words(nodes, seconds))
    })
}

/// The file that was asked for, or the one where the web table looks.
fn place_for(arguments: &Solve, opened: &Opened) -> Result<PathBuf> {
    if let Some(file) = &arguments.table {
        return Ok(file.clone());
    }
    let folder = files::tables();
    let folder = folder.ok_or_else(|| anyhow!("there is no home for tables: say --table FILE"))?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let start = opened.game.session().position();
    let now = opened.session.position();
    Ok(folder.join(file_name(&opened.game.facts().spec, if now == start { "" } else { &now })))
}

/// Tiers are of no use before they are complete.
fn unfinished(
    arguments: &Solve,
    opened: &Opened,
    nodes: u64,
    seconds: f64,
    console: &Console,
) -> Result<Answer> {
    let limit = opened.game.facts().margin_limit;
    let bounds = Bounds { lower: -limit, upper: limit };
    let solved = Solved::new(opened, arguments.question, bounds, nodes, seconds);
    console.answer(&solved, |out| {
        writeln!(out, "open   {}", StrongError::Stopped)?;
        writeln!(out, "work   {}", speed_in_words(nodes, seconds))
    })?;
    Ok(Answer::No)
}

impl Progress {
    /// What a strong solver reports.
    fn show_tiers(&self, now: &TieringProgress) {
        tracing::debug!(?now, "solving");
        let what = match now.direction {
            Direction::Forward => "found",
            Direction::Backward => "solved",
        };
        self.say(&format!(
            "tier {}, {} positions {what}, {} nodes, {} nodes/s",
            now.tier,
            HumanCount(now.positions),
            HumanCount(now.nodes),
            HumanCount(per_second(now.nodes, now.time.as_secs_f64())),
        ));
    }
}
