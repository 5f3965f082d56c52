//! `zermelo analyse`: what a position is worth and what to play.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use catalog::{Analysis, Workbench};
use game::{Limits, Meaning};
use search::Settings;
use serde::Serialize;
use serde_json::Number;

use crate::args;
use crate::output::{
    Answer, Console, analysis_in_words, is_proved, number, seconds_since, speed_in_words,
    value_name,
};
use crate::progress::{Progress, stop_on_interrupt};

/// How long it takes if nothing else is said.
const USUAL_TIME: Duration = Duration::from_secs(5);

#[derive(Serialize)]
struct Analysed {
    game: String,
    position: String,
    algorithm: &'static str,
    depth: Option<u32>,
    value: Option<Worth>,
    margin: Option<Number>,
    distance: Option<u32>,
    best: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    exact: bool,
}

/// The value for the first player: who wins, if that is proved, else a score.
#[derive(Serialize)]
#[serde(untagged)]
enum Worth {
    Proved(&'static str),
    Score(i32),
}

/// Searches, and says what is known when the search ends or is stopped. Knowing nothing is a negative
/// answer.
pub(crate) fn run(arguments: &args::Analyse, console: &Console) -> Result<Answer> {
    let bench = console.open(&arguments.place)?;
    let settings = settings(arguments, &*bench)?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_search(console);
    let start = Instant::now();
    let analysis = bench.analyse(&settings, &stop, &mut |info| progress.show(info));
    let seconds = seconds_since(start);
    drop(progress);
    let analysis = analysis.map_err(anyhow::Error::msg)?;
    let analysed = Analysed {
        game: bench.spec(),
        position: bench.position(),
        algorithm: settings.algorithm.name(),
        depth: analysis.depth,
        value: worth(&analysis),
        margin: analysis.margin.and_then(number),
        distance: analysis.distance,
        best: analysis.best.clone(),
        pv: analysis.pv.clone(),
        nodes: analysis.nodes,
        seconds,
        exact: is_proved(&analysis),
    };
    console.answer(&analysed, |out| write_words(out, &analysis, seconds))?;
    Ok(if analysis.value.is_some() { Answer::Yes } else { Answer::No })
}

fn settings(arguments: &args::Analyse, bench: &dyn Workbench) -> Result<Settings> {
    let mut limits =
        Limits { depth: arguments.depth, nodes: arguments.nodes, time: arguments.time };
    if limits == Limits::default() && arguments.searching.algorithm.is_none() {
        limits.time = Some(USUAL_TIME);
    }
    arguments.searching.settings(limits, bench)
}

fn worth(analysis: &Analysis) -> Option<Worth> {
    analysis.value.map(|value| match value.meaning() {
        Meaning::Score(score) if !is_proved(analysis) => Worth::Score(score),
        _ => Worth::Proved(value_name(value.signum())),
    })
}

fn write_words(out: &mut dyn Write, analysis: &Analysis, seconds: f64) -> io::Result<()> {
    writeln!(out, "value  {}", analysis_in_words(analysis))?;
    if let Some(best) = &analysis.best {
        writeln!(out, "best   {best}")?;
    }
    if !analysis.pv.is_empty() {
        writeln!(out, "line   {}", analysis.pv.join(" "))?;
    }
    match analysis.depth {
        Some(0) => {}
        Some(depth) => writeln!(out, "depth  {depth}")?,
        None => writeln!(out, "depth  to the end of the game")?,
    }
    writeln!(out, "work   {}", speed_in_words(analysis.nodes, seconds))
}
