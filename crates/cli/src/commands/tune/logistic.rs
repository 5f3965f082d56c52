//! `zermelo tune logistic`: weights fitted to how games ended.

use play::Facts;
use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use compiled::Detail;
use evaluation::weights::Sheet;
use serde::Serialize;
use tune::{Data, Fitted, Fitting, LabelledGame, Network, Split, Target, View, fit, judge_all};

use super::gate::{Gated, hold_gate};
use super::write_weights;
use crate::args::{Prediction, TuneLogistic};
use crate::commands::matches::Matched;
use crate::files;
use crate::meeting::processors;
use crate::output::{Answer, Console, counted, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};

/// Openings are random for about so many plies: what follows from them is not what anybody chose.
const AFTER: usize = 6;

#[derive(Serialize)]
struct Learnt<'a> {
    game: String,
    evaluation: &'a str,
    file: String,
    games: usize,
    /// Learnt from, and held out.
    positions: [usize; 2],
    weights: usize,
    changed: usize,
    steepness: f64,
    pull: f64,
    steps: usize,
    /// Mean loss of positions learnt from and held out: with the weights before, and with the new ones.
    before: [f64; 2],
    after: [f64; 2],
    /// That of held-out positions by the evaluation itself with the new weights, in which not all is linear.
    really: f64,
    /// And by the network.
    network: Option<f64>,
    judged_seconds: f64,
    fitted_seconds: f64,
    gate: Option<&'a Matched>,
}

/// Learns, and proves it if asked to.
pub(crate) fn run(arguments: &TuneLogistic, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let usual = arguments.weights.clone().unwrap_or_default();
    let sheet = game.weights().sheet(&usual, 1)?;
    let samples = read_data(arguments, &game.facts().spec, console)?;
    let target = target(arguments, game.facts())?;
    let threads = arguments.threads.unwrap_or_else(processors);
    let view = View { after: AFTER, detail: Detail::Terms, target, threads };
    let start = Instant::now();
    let split = judge(&game.facts().spec, &sheet, &samples, view, console)?;
    if split.training.is_empty() || split.held_out.is_empty() {
        bail!("there are no quiet positions to learn from; more games are right");
    }
    let judged_seconds = seconds_since(start);
    let start = Instant::now();
    let fitting = Fitting { target, pull: arguments.pull, steps: arguments.steps, threads };
    let fitted = fit(&sheet, &split, &fitting);
    let fitted_seconds = seconds_since(start);
    write_weights(&arguments.out, &fitted.sheet)?;
    let view = View { detail: Detail::Score, ..view };
    let seen = judge(&game.facts().spec, &fitted.sheet, &samples, view, console)?;
    let network = arguments
        .network
        .then(|| Network::train(&split, fitted.steepness, target, arguments.seed).losses[1]);
    // Until here an interruption loses nothing but the work; now the weights are written.
    let stop = stop_on_interrupt()?;
    let threads = arguments.threads;
    let gated =
        hold_gate(&arguments.gate, game.facts(), &arguments.out, &usual, threads, &stop, console)?;
    let differs = |(a, b): &(i32, i32)| a != b;
    let learnt = Learnt {
        game: game.facts().spec.clone(),
        evaluation: &sheet.evaluation,
        file: arguments.out.display().to_string(),
        games: samples.len(),
        positions: [split.training.len(), split.held_out.len()],
        weights: sheet.entries.len(),
        changed: sheet.values().into_iter().zip(fitted.sheet.values()).filter(differs).count(),
        steepness: fitted.steepness,
        pull: fitted.pull,
        steps: fitted.steps,
        before: fitted.before,
        after: fitted.after,
        really: mean_loss(&seen, &fitted, target),
        network,
        judged_seconds,
        fitted_seconds,
        gate: gated.as_ref().map(|gated| &gated.matched),
    };
    console.answer(&learnt, |out| write_words(out, &learnt, gated.as_ref()))?;
    Ok(if gated.as_ref().is_none_or(Gated::is_passed) { Answer::Yes } else { Answer::No })
}

fn target(arguments: &TuneLogistic, facts: &Facts) -> Result<Target> {
    match arguments.target {
        Prediction::Result => Ok(Target::Result),
        Prediction::Margin if facts.has_margins() => Ok(Target::Margin),
        Prediction::Margin => bail!("{} is won or lost, not by a margin", facts.spec),
    }
}

/// The games of all files, which must be of this game.
fn read_data(arguments: &TuneLogistic, spec: &str, console: &Console) -> Result<Vec<LabelledGame>> {
    let mut samples = Vec::new();
    for file in &arguments.data {
        let at = file.display();
        let data = Data::read(&files::read(file)?).map_err(|e| anyhow!("{at}: {e}"))?;
        if data.game != spec {
            bail!("{at} holds games of {}, not {spec}", data.game);
        }
        if data.torn > 0 {
            console
                .warn(&format!("{at}: no whole game in {} at the end", counted(data.torn, "byte")));
        }
        samples.extend(data.samples);
    }
    Ok(samples)
}

fn judge(
    game: &str,
    sheet: &Sheet,
    samples: &[LabelledGame],
    view: View,
    console: &Console,
) -> Result<Split> {
    let progress = Progress::of_parts(console, "games");
    let told = |done: usize| progress.parts(done, samples.len());
    Ok(judge_all(game, &sheet.write(), samples, view, &told)?)
}

/// Of held-out positions as they were judged.
fn mean_loss(seen: &Split, fitted: &Fitted, target: Target) -> f64 {
    let rows = seen.held_out.scores.iter().zip(&seen.held_out.targets);
    let losses = rows.map(|(&score, &worth)| {
        target.loss(fitted.steepness * f64::from(score), f64::from(worth)).0
    });
    losses.sum::<f64>() / seen.held_out.len().max(1) as f64
}

fn write_words(out: &mut dyn Write, learnt: &Learnt<'_>, gated: Option<&Gated>) -> io::Result<()> {
    let Learnt { positions: [training, held_out], before, after, .. } = learnt;
    writeln!(
        out,
        "{}: {} of {}, and {held_out} held out; judged in {:.1} s",
        learnt.game,
        counted(*training, "position"),
        counted(learnt.games, "game"),
        learnt.judged_seconds
    )?;
    writeln!(
        out,
        "fit    {} of {} changed in {}, {:.1} s; steepness {:.6}, pull {}",
        learnt.changed,
        counted(learnt.weights, "weight"),
        counted(learnt.steps, "step"),
        learnt.fitted_seconds,
        learnt.steepness,
        learnt.pull
    )?;
    writeln!(out, "loss   learnt from {:.5} -> {:.5}", before[0], after[0])?;
    writeln!(
        out,
        "       held out    {:.5} -> {:.5}, by the evaluation itself {:.5}",
        before[1], after[1], learnt.really
    )?;
    if let Some(loss) = learnt.network {
        writeln!(
            out,
            "       held out    {loss:.5} by a network of the same features, which does not play"
        )?;
    }
    writeln!(out, "in     {}", learnt.file)?;
    gated.map_or(Ok(()), |gated| gated.write(out))
}
