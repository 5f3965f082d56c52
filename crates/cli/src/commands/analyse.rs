//! `zermelo analyse`: what a position is worth and what to play.

use play::{Analysis, Facts, Info, Limits};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use compiled::CompiledSession;
use game::{Meaning, Value};
use indicatif::HumanCount;
use search::Settings;
use serde::Serialize;
use serde_json::Number;

use crate::args::Analyse;
use crate::output::{
    Answer, Console, Opened, Texts, analysis_in_words, is_proved, number, other_texts, per_second,
    seconds_since, speed_in_words, value_in_short, value_name, write_texts,
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
    selective_depth: u32,
    value: Option<Worth>,
    margin: Option<Number>,
    distance: Option<u32>,
    best: Option<String>,
    pv: Vec<String>,
    lines: Vec<Line>,
    nodes: u64,
    seconds: f64,
    exact: bool,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    texts: Texts,
}

/// One of the best moves and what follows it.
#[derive(Serialize)]
struct Line {
    value: Worth,
    pv: Vec<String>,
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
pub(crate) fn run(arguments: &Analyse, console: &Console) -> Result<Answer> {
    if arguments.branching {
        return super::branching::run(arguments, console);
    }
    let Opened { game, session } = console.open(&arguments.place)?;
    let settings = settings(arguments, game.facts())?;
    // A game without such texts is better refused before the work than after it.
    other_texts(arguments.texts, &*session, None)?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_search(console);
    let start = Instant::now();
    // Progress is told from another thread, which has a board of its own to write moves as people do.
    let mut beside = game.session();
    beside.follow(&*session)?;
    let scale = game.facts().margin_scale;
    let shown = &progress;
    let analysis = session.analyse(&settings, &stop, &mut move |info| {
        if !console.json && !console.quiet {
            for line in words_of(info, &*beside, scale) {
                shown.line(&line);
            }
        }
        shown.show(info);
    });
    let seconds = seconds_since(start);
    drop(progress);
    let analysis = analysis?;
    let proved = analysis.value.filter(|_| is_proved(&analysis)).map(Value::signum);
    let analysed = Analysed {
        game: session.spec(),
        position: session.position(),
        algorithm: settings.algorithm.name(),
        depth: analysis.depth,
        selective_depth: analysis.selective_depth,
        value: worth(&analysis),
        margin: analysis.margin.and_then(number),
        distance: analysis.distance,
        best: analysis.best.clone(),
        pv: analysis.pv.clone(),
        lines: lines_of(&analysis),
        nodes: analysis.nodes,
        seconds,
        exact: is_proved(&analysis),
        texts: other_texts(arguments.texts, &*session, proved)?,
    };
    console.answer(&analysed, |out| {
        write_words(out, &analysis, &*session, seconds)?;
        write_texts(out, &analysed.texts, 6)
    })?;
    Ok(if analysis.value.is_some() { Answer::Yes } else { Answer::No })
}

fn settings(arguments: &Analyse, facts: &Facts) -> Result<Settings> {
    let Analyse { depth, nodes, time, .. } = *arguments;
    let mut limits = Limits { depth, nodes, time, clock: None };
    if limits == Limits::default() && arguments.searching.algorithm.is_none() {
        limits.time = Some(USUAL_TIME);
    }
    let settings = arguments.searching.settings(limits, facts)?;
    Ok(Settings { techniques: arguments.techniques, lines: arguments.lines, ..settings })
}

/// A finished depth in one line for each of the best moves.
fn words_of(info: &Info, session: &dyn CompiledSession, scale: i32) -> Vec<String> {
    let depth = info.depth.map_or("end".to_owned(), |depth| depth.to_string());
    let rate = per_second(info.nodes, info.elapsed.as_secs_f64());
    let used = info.table_per_mille / 10;
    let work = format!(
        "{:>3}/{:<3} {:>7.2}s {:>13} {:>11}/s {used:>3}%",
        depth,
        info.selective_depth,
        info.elapsed.as_secs_f64(),
        HumanCount(info.nodes).to_string(),
        HumanCount(rate).to_string(),
    );
    let lines = info.lines.iter();
    lines
        .map(|line| {
            let value = value_in_short(line.value, scale, info.scores);
            format!("{work} {value:>12}  {}", session.line_for_people(&line.moves).join(" "))
        })
        .collect()
}

/// The best line and the others that were asked for.
fn lines_of(analysis: &Analysis) -> Vec<Line> {
    let first = worth(analysis).map(|value| Line { value, pv: analysis.pv.clone() });
    let others = analysis.others.iter();
    let others = others.map(|line| Line { value: Worth::of(line.value), pv: line.moves.clone() });
    first.into_iter().chain(others).collect()
}

fn worth(analysis: &Analysis) -> Option<Worth> {
    analysis.value.map(|value| match is_proved(analysis) {
        true => Worth::Proved(value_name(value.signum())),
        false => Worth::of(value),
    })
}

impl Worth {
    /// What the value says by itself.
    fn of(value: Value) -> Worth {
        match value.meaning() {
            Meaning::Score(score) => Worth::Score(score),
            _ => Worth::Proved(value_name(value.signum())),
        }
    }
}

/// With moves as people write them; programs read the JSON.
fn write_words(
    out: &mut dyn Write,
    analysis: &Analysis,
    session: &dyn CompiledSession,
    seconds: f64,
) -> io::Result<()> {
    let line_of = |moves: &[String]| session.line_for_people(moves).join(" ");
    writeln!(out, "value  {}", analysis_in_words(analysis))?;
    if let Some(best) = &analysis.best {
        writeln!(out, "best   {}", line_of(std::slice::from_ref(best)))?;
    }
    if !analysis.pv.is_empty() {
        writeln!(out, "line   {}", line_of(&analysis.pv))?;
    }
    for line in &analysis.others {
        let value = value_in_short(line.value, analysis.margin_scale, analysis.scores);
        writeln!(out, "then   {value}: {}", line_of(&line.moves))?;
    }
    match analysis.depth {
        Some(0) => {}
        Some(depth) => writeln!(out, "depth  {depth}")?,
        None => writeln!(out, "depth  to the end of the game")?,
    }
    writeln!(out, "work   {}", speed_in_words(analysis.nodes, seconds))
}
