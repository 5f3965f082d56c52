//! `zermelo generate`: parameters in, native engines out.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use forge::{BuildError, Flags, GeneratedProgram, THESIS, Workshop, read_batch};
use serde::Serialize;

use crate::args;
use crate::complaint::Complaints;
use crate::files;
use crate::output::{Answer, Console, counted};
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
    let (out, cannot) = (&arguments.out, || format!("cannot write to {}", arguments.out.display()));
    fs::create_dir_all(out).with_context(cannot)?;
    // Said before long work begins; no file of this name is ever there.
    drop(storage::NewFile::create(&out.join(".zermelo")).with_context(cannot)?);
    let cache =
        files::cache().context("there is no folder for a cache; ZERMELO_CACHE names one")?;
    let more = arguments.flags.as_deref().unwrap_or_default();
    let flags = Flags {
        target_cpu: arguments.target_cpu.clone(),
        more: more.split_whitespace().map(str::to_owned).collect(),
    };
    let start = Instant::now();
    let progress = Progress::of_parts(console, "engines");
    let workshop = Workshop::open(&cache, flags)?;
    let built = match arguments.measure {
        true => build_each(&workshop, &programs, &progress),
        false => build_all(&workshop, &programs, &progress),
    };
    let built = built.inspect_err(|error| {
        if let Some(whole) = error.whole().filter(|_| console.verbose) {
            let _ = writeln!(io::stderr(), "{}", whole.trim_end());
        }
    })?;
    let wanted: Vec<Wanted<'_>> = programs
        .iter()
        .zip(&built)
        .map(|(program, (built, _))| Wanted::new(program, built, out))
        .collect();
    if !arguments.force {
        wanted.iter().try_for_each(|wanted| wanted.spares(arguments.keep_source))?;
    }
    let costs = built.iter().map(|&(_, cost)| cost);
    let mut engines = Vec::new();
    for (wanted, cost) in wanted.into_iter().zip(costs) {
        wanted.deliver()?;
        if arguments.keep_source {
            wanted.keep_source()?;
        }
        let Wanted { program, file, .. } = wanted;
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
                "{}: mean {mean:.2} s, median {median:.2}, deviation {deviation:.2}, {min:.2} to {max:.2}",
                counted(generated.engines.len(), "engine")
            )?;
        }
        Ok(())
    })
}

fn programs(arguments: &args::Generate, console: &Console) -> Result<Vec<GeneratedProgram>> {
    let mut games = arguments.games.clone();
    if let Some(file) = &arguments.batch {
        let batch = match file.as_os_str() == "thesis" && !file.exists() {
            true => read_batch(THESIS),
            false => read_batch(&files::read(file)?),
        };
        let in_file = |bad: &forge::BadLine| format!("{}: {bad}", file.display());
        games.extend(batch.map_err(|bad| Complaints(bad.iter().map(in_file).collect()))?);
    }
    let ai = arguments.ai.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut programs: Vec<GeneratedProgram> = Vec::new();
    for game in &games {
        let program = GeneratedProgram::new(game, &ai).map_err(|e| anyhow!("game {e}"))?;
        if let Some(bot) = &arguments.ai {
            let game = catalog::open(game).map_err(|e| anyhow!("game {e}"))?;
            game.player(bot, 0).map_err(|why| anyhow!("--ai {bot}: {why}"))?;
        }
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
    programs: &[GeneratedProgram],
    progress: &Progress,
) -> Result<Vec<(PathBuf, Cost)>, BuildError> {
    let mut done = 0;
    progress.parts(0, programs.len());
    let built = workshop.build(programs, &mut |name| {
        done += 1;
        progress.parts(done, programs.len());
        progress.remark(name);
    });
    Ok(built?.into_iter().map(|file| (file, None)).collect())
}

/// One after the other and each from the start, but for the parts that all share.
fn build_each(
    workshop: &Workshop,
    programs: &[GeneratedProgram],
    progress: &Progress,
) -> Result<Vec<(PathBuf, Cost)>, BuildError> {
    progress.parts(0, programs.len());
    progress.remark("the parts that all share");
    workshop.build_parts()?;
    let mut all = Vec::new();
    for program in programs {
        progress.remark(program.name.clone());
        workshop.forget(program)?;
        let (start, before) = (Instant::now(), lab::cpu_time_of_children());
        let mut built = workshop.build(std::slice::from_ref(program), &mut |_| {})?;
        let cpu = lab::cpu_time_of_children().zip(before).map(|(now, before)| now - before);
        all.extend(built.pop().map(|file| (file, Some((start.elapsed(), cpu)))));
        progress.parts(all.len(), programs.len());
    }
    Ok(all)
}

/// An engine that was built, and where it is to be.
struct Wanted<'p> {
    program: &'p GeneratedProgram,
    built: &'p Path,
    file: PathBuf,
    source: PathBuf,
}

impl<'p> Wanted<'p> {
    fn new(program: &'p GeneratedProgram, built: &'p Path, folder: &Path) -> Wanted<'p> {
        let file = folder.join(format!("{}{}", program.name, std::env::consts::EXE_SUFFIX));
        let source = folder.join(format!("{}.src", program.name));
        Wanted { program, built, file, source }
    }

    /// Whether nothing is lost by it that was there before.
    fn spares(&self, source: bool) -> Result<()> {
        let taken = |path: &Path| path.symlink_metadata().is_ok();
        for (path, same) in
            [(&self.file, self.is_there()), (&self.source, !source || self.source_is_there())]
        {
            if !same && taken(path) {
                bail!(
                    "{} is there already and is not the same; --force overwrites it",
                    path.display()
                );
            }
        }
        Ok(())
    }

    fn is_there(&self) -> bool {
        let read = |file: &Path| fs::read(file).ok();
        read(&self.file).is_some_and(|old| Some(old) == read(self.built))
    }

    fn source_is_there(&self) -> bool {
        let same = |(name, text): &(String, String)| {
            fs::read_to_string(self.source.join(name)).is_ok_and(|old| old == *text)
        };
        forge::whole_source(self.program).iter().all(same)
    }

    /// The same is left as it is.
    fn deliver(&self) -> Result<()> {
        if self.is_there() {
            return Ok(());
        }
        let cannot = || format!("cannot write {}", self.file.display());
        let program = fs::read(self.built).with_context(cannot)?;
        let file = storage::NewFile::create(&self.file)?;
        file.make_executable()?;
        Ok(file.finish(&program)?)
    }

    /// Writes it beside its place first, so that it is whole; what was there is removed.
    fn keep_source(&self) -> Result<()> {
        if self.source_is_there() {
            return Ok(());
        }
        let cannot = || format!("cannot write {}", self.source.display());
        let part = storage::name_beside(&self.source);
        fs::create_dir(&part).with_context(cannot)?;
        let write = |name: &str, text: &str| {
            let file = part.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&part))?;
            fs::write(&file, text)
        };
        let sources = forge::whole_source(self.program);
        let written = sources.iter().try_for_each(|(name, text)| write(name, text));
        let old = self.source.symlink_metadata();
        let moved = written
            .and_then(|()| match old {
                Ok(old) if old.is_dir() => fs::remove_dir_all(&self.source),
                Ok(_) => fs::remove_file(&self.source),
                Err(_) => Ok(()),
            })
            .and_then(|()| fs::rename(&part, &self.source));
        moved.inspect_err(|_| drop(fs::remove_dir_all(&part))).with_context(cannot)
    }
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
