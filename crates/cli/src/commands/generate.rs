//! `zermelo generate`: parameters in, native engines out.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use forge::{Flags, Program, THESIS, Workshop, read_batch};
use serde::Serialize;

use crate::args;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::Progress;

#[derive(Serialize)]
struct Generated {
    engines: Vec<Engine>,
    /// For all of it, the parts that all engines share included if they were not there yet.
    seconds: f64,
    /// Over the engines, if each was built by itself.
    summary: Option<Summary>,
}

#[derive(Serialize)]
struct Engine {
    name: String,
    game: String,
    file: PathBuf,
    /// What it took, if it was built by itself.
    cpu_seconds: Option<f64>,
    seconds: Option<f64>,
}

/// Of processor time, in seconds.
#[derive(Serialize)]
struct Summary {
    mean: f64,
    median: f64,
    deviation: f64,
    min: f64,
    max: f64,
}

/// Builds all of them, then puts them where they are wanted.
pub(crate) fn run(arguments: &args::Generate, console: &Console) -> Result<Answer> {
    let programs = programs(arguments, console)?;
    fs::create_dir_all(&arguments.out)
        .and_then(|()| fs::write(arguments.out.join(PART), ""))
        .and_then(|()| fs::remove_file(arguments.out.join(PART)))
        .with_context(|| format!("cannot write to {}", arguments.out.display()))?;
    let cache =
        files::cache().context("there is no folder for a cache; ZERMELO_CACHE names one")?;
    let more = arguments.flags.as_deref().unwrap_or_default();
    let flags = Flags {
        target_cpu: arguments.target_cpu.clone(),
        more: more.split_whitespace().map(str::to_owned).collect(),
    };
    let start = Instant::now();
    let workshop = Workshop::open(&cache, flags).map_err(anyhow::Error::msg)?;
    let progress = Progress::of_parts(console, "engines");
    let costs = match arguments.measure {
        true => build_each(&workshop, &programs, &progress)?,
        false => build_all(&workshop, &programs, &progress)?,
    };
    let mut engines = Vec::new();
    for (program, (built, cost)) in programs.iter().zip(costs) {
        let file = deliver(&built, &arguments.out, &program.name)?;
        if arguments.keep_source {
            keep_source(program, &arguments.out)?;
        }
        engines.push(Engine {
            name: program.name.clone(),
            game: program.spec.clone(),
            file,
            cpu_seconds: cost.and_then(|(_, cpu)| cpu).map(|cpu| cpu.as_secs_f64()),
            seconds: cost.map(|(wall, _)| wall.as_secs_f64()),
        });
    }
    drop(progress);
    let times: Vec<f64> =
        engines.iter().filter_map(|engine| engine.cpu_seconds.or(engine.seconds)).collect();
    let generated =
        Generated { summary: summary(times), seconds: start.elapsed().as_secs_f64(), engines };
    console.answer(&generated, |out| {
        for engine in &generated.engines {
            match engine.cpu_seconds.or(engine.seconds) {
                Some(seconds) => writeln!(out, "{} {seconds:.2} s", engine.file.display())?,
                None => writeln!(out, "{}", engine.file.display())?,
            }
        }
        if let Some(Summary { mean, median, deviation, min, max }) = generated.summary {
            writeln!(
                out,
                "{} engines: mean {mean:.2} s, median {median:.2}, deviation {deviation:.2}, {min:.2} to {max:.2}",
                generated.engines.len()
            )?;
        }
        Ok(())
    })
}

fn programs(arguments: &args::Generate, console: &Console) -> Result<Vec<Program>> {
    let mut games = arguments.games.clone();
    if let Some(file) = &arguments.batch {
        let batch = match file.as_os_str() == "thesis" && !file.exists() {
            true => read_batch(THESIS),
            false => read_batch(&files::read(file)?),
        };
        games.extend(batch.map_err(|why| anyhow!("{}: {why}", file.display()))?);
    }
    let ai = arguments.ai.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut programs: Vec<Program> = Vec::new();
    for game in &games {
        let program = Program::new(game, &ai).map_err(|e| anyhow!("game {e}"))?;
        if let Some(warning) = &program.warning {
            console.warn(&format!("{}: {warning}", program.spec));
        }
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    if programs.is_empty() {
        bail!("there is no game in the batch; one a line is right, as in mnk:m=5..20,n=4,k=4");
    }
    Ok(programs)
}

/// Time on the wall and of the processor.
type Cost = Option<(Duration, Option<Duration>)>;

fn build_all(
    workshop: &Workshop,
    programs: &[Program],
    progress: &Progress,
) -> Result<Vec<(PathBuf, Cost)>> {
    let mut done = 0;
    progress.parts(0, programs.len());
    let built = workshop.build(programs, &mut |name| {
        done += 1;
        progress.parts(done, programs.len());
        progress.remark(name.to_owned());
    });
    Ok(built.map_err(anyhow::Error::msg)?.into_iter().map(|file| (file, None)).collect())
}

/// One after the other and each from the start, but for the parts that all share.
fn build_each(
    workshop: &Workshop,
    programs: &[Program],
    progress: &Progress,
) -> Result<Vec<(PathBuf, Cost)>> {
    progress.parts(0, programs.len());
    progress.remark("the parts that all share".to_owned());
    workshop.build_parts().map_err(anyhow::Error::msg)?;
    let mut all = Vec::new();
    for program in programs {
        progress.remark(program.name.clone());
        workshop.forget(program).map_err(anyhow::Error::msg)?;
        let (start, before) = (Instant::now(), forge::cpu_time_of_children());
        let mut built = workshop
            .build(std::slice::from_ref(program), &mut |_| {})
            .map_err(anyhow::Error::msg)?;
        let cpu = forge::cpu_time_of_children().zip(before).map(|(now, before)| now - before);
        all.extend(built.pop().map(|file| (file, Some((start.elapsed(), cpu)))));
        progress.parts(all.len(), programs.len());
    }
    Ok(all)
}

/// What is not whole yet has this name, and is never left behind.
const PART: &str = ".zermelo-part";

fn deliver(built: &Path, folder: &Path, name: &str) -> Result<PathBuf> {
    let file = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let part = folder.join(PART);
    let moved = fs::copy(built, &part).and_then(|_| fs::rename(&part, &file));
    moved
        .inspect_err(|_| drop(fs::remove_file(&part)))
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

fn keep_source(program: &Program, folder: &Path) -> Result<()> {
    let folder = folder.join(format!("{}.src", program.name));
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        let parent = file.parent().unwrap_or(&folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&file, text))
            .with_context(|| format!("cannot write {}", file.display()))
    };
    forge::whole_source(program).iter().try_for_each(|(name, text)| write(name, text))
}

fn summary(mut times: Vec<f64>) -> Option<Summary> {
    times.sort_by(f64::total_cmp);
    let (&min, &max) = (times.first()?, times.last()?);
    let count = times.len() as f64;
    let mean = times.iter().sum::<f64>() / count;
    let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / count;
    let middle = (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2.0;
    Some(Summary { mean, median: middle, deviation: variance.sqrt(), min, max })
}
