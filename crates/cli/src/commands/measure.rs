//! `zermelo measure`: how fast engines of line games are, and how that depends on their numbers.

use std::io::Write;

use anyhow::{Result, anyhow, bail};
use forge::{Measured, Times};
use lab::speed::{Fit, SpeedReport};
use protocols::Protocol;

use super::check::{foreign, no_program};
use crate::args;
use crate::files;
use crate::output::{Answer, Console};
use crate::progress::{Progress, stop_on_interrupt};

/// Measures one engine after the other. What was measured is told even if some engine fails, which makes a negative answer,
/// or Ctrl-C ends it.
pub(crate) fn run(arguments: &args::Measure, console: &Console) -> Result<Answer> {
    let before = arguments.before.as_ref().map(|file| {
        let text = files::read(file)?;
        SpeedReport::read(&text).map_err(|why| anyhow!("{}: {why}", file.display()))
    });
    let before = before.transpose()?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "engines");
    let (mut engines, mut failed) = (Vec::new(), Vec::new());
    for (done, text) in arguments.engines.iter().enumerate() {
        if stop.is_stopped() {
            break;
        }
        progress.parts(done, arguments.engines.len());
        if let Some(why) = no_program(text).filter(|_| arguments.engines.len() > 1) {
            console.warn(&format!("{text}: passed over, {why}"));
            continue;
        }
        progress.remark(text.clone());
        match measure(text, arguments) {
            Ok(measured) => engines.push(measured),
            Err(why) => failed.push(format!("{text}: {why}")),
        }
    }
    drop(progress);
    if engines.is_empty() {
        bail!("{}", failed.first().map_or("nothing was measured", |why| why));
    }
    failed.iter().for_each(|why| console.warn(why));
    let report = SpeedReport::new(engines);
    if let Some(file) = &arguments.report {
        files::write(file, &report.page(before.as_ref())?)?;
    }
    console.answer(&report, |out| show(&report, before.as_ref(), out))?;
    Ok(if failed.is_empty() { Answer::Yes } else { Answer::No })
}

fn measure(text: &str, arguments: &args::Measure) -> Result<Measured> {
    let named = text.split_once(':').is_some_and(|(name, _)| name.parse::<Protocol>().is_ok());
    let alone = !named && !text.starts_with(args::NAMED);
    let described = if alone { format!("text:{text}") } else { text.to_owned() };
    let setup = foreign(&described)?;
    if setup.protocol != Protocol::Text {
        bail!("{} does not tell how long things take; text does", setup.protocol);
    }
    let (ai, games) = (arguments.ai.as_deref(), arguments.iterations);
    Ok(forge::measure(text, &setup.program, ai, games, arguments.timeout)?)
}

fn show(
    report: &SpeedReport,
    before: Option<&SpeedReport>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let width = report.engines.iter().map(|engine| engine.game.len()).max().unwrap_or(0);
    writeln!(
        out,
        "{:width$}  {:>10} {:>10} {:>8} {:>10} {:>13} {:>12}",
        "nanoseconds", "AI move", "win check", "plain", "move list", "random games/s", "nodes/s"
    )?;
    for Measured { game, times, plain, .. } in &report.engines {
        let Times { ai_move, win_check, move_list, random_game, node } = times;
        let rate = |time: &Option<f64>| time.map_or("-".to_owned(), |t| format!("{:.0}", 1e9 / t));
        writeln!(
            out,
            "{game:width$}  {ai_move:>10.1} {win_check:>10.2} {:>8.1} {move_list:>10.1} {:>14} {:>12}",
            plain.win_check,
            rate(random_game),
            rate(node)
        )?;
        if let Some(then) = before.and_then(|before| before.times_of(game)) {
            writeln!(
                out,
                "{:width$}  {:>9.2}x {:>9.2}x {:>8} {:>9.2}x",
                "  times as long as before",
                ai_move / then.ai_move,
                win_check / then.win_check,
                "",
                move_list / then.move_list
            )?;
        }
    }
    for series in &report.series {
        writeln!(out, "\n{} with {}", series.parameter.name(), series.fixed)?;
        for curves in &series.curves {
            let r_squared = |fit: &Option<Fit>| {
                fit.as_ref().map_or("-".to_owned(), |fit| format!("{:.3}", fit.r_squared))
            };
            let (line, parabola) = (r_squared(&curves.linear), r_squared(&curves.quadratic));
            writeln!(out, "  {:10} R² {line} as a line, {parabola} as a parabola", curves.what)?;
        }
    }
    Ok(())
}
