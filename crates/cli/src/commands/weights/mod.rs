//! `zermelo weights`: the numbers of evaluations.

mod forms;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use compiled::CompiledGame;
use evaluation::weights::{Sheet, family_in};
use lab::weights::{Priority, bar};
use play::WeightsChoice;
use serde::Serialize;

use crate::args::{
    self, WeightForm, WeightsCommand, WeightsConvert, WeightsDiff, WeightsEdit, WeightsShow,
};
use crate::files;
use crate::output::{Answer, Console, counted};
use forms::Object;

/// Shows, compares, changes or converts.
pub(crate) fn run(arguments: &args::Weights, console: &Console) -> Result<Answer> {
    match &arguments.command {
        WeightsCommand::Show(show) => run_show(show, console),
        WeightsCommand::Diff(diff) => run_diff(diff, console),
        WeightsCommand::Edit(edit) => run_edit(edit, console),
        WeightsCommand::Convert(convert) => run_convert(convert, console),
    }
}

fn run_show(arguments: &WeightsShow, console: &Console) -> Result<Answer> {
    let sheet = match (file_of(&arguments.subject), &arguments.weights) {
        (Some(_), Some(_)) => {
            bail!("--weights belongs to a game, and {} is a file", arguments.subject)
        }
        (Some(file), None) => sheet_in(file)?,
        (None, weights) => sheet_of(
            &*open(&arguments.subject)?,
            &weights.clone().unwrap_or_default(),
            arguments.seed,
        )?,
    };
    if let Some(plot) = &arguments.plot {
        let title = arguments
            .weights
            .as_ref()
            .map_or_else(|| arguments.subject.clone(), WeightsChoice::to_string);
        files::write(plot, &lab::weights::plot(&[title], std::slice::from_ref(&sheet)))?;
    }
    console.answer(&Object::of(&sheet), |out| match arguments.words {
        true => explain(out, &sheet),
        false => out.write_all(sheet.write().as_bytes()),
    })
}

/// A line for each weight, and what the words mean.
fn explain(out: &mut dyn Write, sheet: &Sheet) -> io::Result<()> {
    let most = sheet.largest();
    writeln!(
        out,
        "{} of {}: {}",
        sheet.evaluation,
        sheet.game,
        counted(sheet.entries.len(), "weight")
    )?;
    let wide = sheet.entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for entry in &sheet.entries {
        let value = f64::from(entry.value);
        let (word, bar) = match entry.is_free() {
            true => (Priority::of(value, most).name(), bar(value, most)),
            false => ("", format!("from {} to {}", entry.range[0], entry.range[1])),
        };
        writeln!(out, "{:wide$} {:>6}  {word:15} {bar}", entry.name, entry.value)?;
    }
    let [medium, high] = [Priority::MEDIUM, Priority::HIGH].map(|share| share * 100.0);
    writeln!(
        out,
        "high: at least {high:.0}% of the largest weight, {most}; medium: at least {medium:.0}%; low: less"
    )?;
    writeln!(out, "numbers with a range of their own are shares or phases, not weights of features")
}

/// A weight of two evaluations.
#[derive(Serialize)]
struct Compared {
    name: String,
    one: Option<i32>,
    other: Option<i32>,
    /// The priorities, if both have it.
    words: Option<[&'static str; 2]>,
}

#[derive(Serialize)]
struct Difference {
    game: String,
    evaluations: [String; 2],
    differ: usize,
    of: usize,
    weights: Vec<Compared>,
}

fn run_diff(arguments: &WeightsDiff, console: &Console) -> Result<Answer> {
    let both = [&arguments.one, &arguments.other];
    let file = both.iter().find_map(|weights| match weights {
        WeightsChoice::File(file) => Some(file),
        _ => None,
    });
    let game = match (&arguments.game, file) {
        (Some(game), _) => open(game)?,
        (None, Some(file)) => open_family(&family_of_file(Path::new(file))?)?,
        (None, None) => bail!("--game says which game's evaluations these are"),
    };
    let [one, other] = both.map(|weights| sheet_of(&*game, weights, 1));
    let sheets = [one?, other?];
    if let Some(plot) = &arguments.plot {
        let titles = both.map(ToString::to_string);
        files::write(plot, &lab::weights::plot(&titles, &sheets))?;
    }
    let difference = compare(&sheets, arguments.all);
    console.answer(&difference, |out| write_difference(out, both, &sheets, &difference))
}

/// Weights by name, in the order of the one, then what only the other has.
fn compare([one, other]: &[Sheet; 2], all: bool) -> Difference {
    let value_in = |sheet: &Sheet, name: &str| {
        sheet.entries.iter().find(|entry| entry.name == name).map(|entry| entry.value)
    };
    let only_other = other.entries.iter().filter(|entry| value_in(one, &entry.name).is_none());
    let names: Vec<&str> = one.entries.iter().chain(only_other).map(|entry| &*entry.name).collect();
    let most = [one.largest(), other.largest()];
    let compared = |&name: &&str| {
        let (one, other) = (value_in(one, name), value_in(other, name));
        let word = |value: i32, most: f64| Priority::of(f64::from(value), most).name();
        let words = one.zip(other).map(|(one, other)| [word(one, most[0]), word(other, most[1])]);
        Compared { name: name.to_owned(), one, other, words }
    };
    let mut weights: Vec<Compared> = names.iter().map(compared).collect();
    let differ = weights.iter().filter(|weight| weight.one != weight.other).count();
    if !all {
        weights.retain(|weight| weight.one != weight.other);
    }
    Difference {
        game: one.game.clone(),
        evaluations: [one.evaluation.clone(), other.evaluation.clone()],
        differ,
        of: names.len(),
        weights,
    }
}

fn write_difference(
    out: &mut dyn Write,
    titles: [&WeightsChoice; 2],
    sheets: &[Sheet; 2],
    difference: &Difference,
) -> io::Result<()> {
    let [one, other] = titles;
    let most = sheets.iter().map(Sheet::largest).fold(0.0, f64::max);
    writeln!(
        out,
        "{}: {one} and {other}; {} of {} differ",
        difference.game,
        difference.differ,
        counted(difference.of, "weight")
    )?;
    let wide = difference.weights.iter().map(|weight| weight.name.len()).max().unwrap_or(0);
    for weight in &difference.weights {
        let number =
            |value: Option<i32>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let mut line =
            format!("{:wide$} {:>6} {:>6}", weight.name, number(weight.one), number(weight.other));
        if let (Some(one), Some(other), Some([before, after])) =
            (weight.one, weight.other, weight.words)
        {
            let change = other - one;
            let words =
                if before == after { before.to_owned() } else { format!("{before} -> {after}") };
            // Writing to a string cannot fail.
            let _ = write!(line, "  {change:>+6} {}  {words}", bar(f64::from(change), most));
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Written {
    game: String,
    evaluation: String,
    file: String,
    changed: Vec<String>,
}

fn run_edit(arguments: &WeightsEdit, console: &Console) -> Result<Answer> {
    let mut sheet = match file_of(&arguments.subject) {
        Some(file) => sheet_in(file)?,
        None => sheet_of(&*open(&arguments.subject)?, &WeightsChoice::Usual, 1)?,
    };
    for (name, value) in &arguments.changes {
        sheet.set(name, value)?;
    }
    files::write(&arguments.out, &sheet.write())?;
    let changed = arguments.changes.iter().map(|(name, value)| format!("{name} {value}")).collect();
    say_written(console, &sheet, &arguments.out, changed)
}

fn run_convert(arguments: &WeightsConvert, console: &Console) -> Result<Answer> {
    let at = || arguments.file.display().to_string();
    let text = forms::as_text(&files::read(&arguments.file)?).with_context(at)?;
    let game = open_family(&family_in(&text).with_context(at)?)?;
    let (sheet, remarks) = game.weights().older(&text).with_context(at)?;
    match remarks.first() {
        Some(first) if !arguments.upgrade => {
            bail!("{}: {first}; --upgrade brings it up to date", at());
        }
        _ if !console.json => remarks.iter().for_each(|remark| console.warn(remark)),
        _ => {}
    }
    files::write(&arguments.out, &forms::write(&sheet, arguments.to)?)?;
    if arguments.to == WeightForm::Text || arguments.out.as_os_str() != "-" {
        return say_written(console, &sheet, &arguments.out, remarks);
    }
    Ok(Answer::Yes)
}

/// Nothing is to be said where the weights themselves went to standard output.
fn say_written(
    console: &Console,
    sheet: &Sheet,
    file: &Path,
    changed: Vec<String>,
) -> Result<Answer> {
    if file.as_os_str() == "-" {
        return Ok(Answer::Yes);
    }
    let file = file.display().to_string();
    let written =
        Written { game: sheet.game.clone(), evaluation: sheet.evaluation.clone(), file, changed };
    console.answer(&written, |out| {
        writeln!(out, "{} of {} are in {}", written.evaluation, written.game, written.file)
    })
}

fn open(game: &str) -> Result<Arc<dyn CompiledGame>> {
    catalog::open(game).map_err(|e| anyhow!("game {e}"))
}

fn sheet_of(game: &dyn CompiledGame, weights: &WeightsChoice, seed: u64) -> Result<Sheet> {
    Ok(game.weights().sheet(weights, seed)?)
}

/// What a game or a file is named by is a file if it is there, or looks like one and not like a game.
fn file_of(subject: &str) -> Option<&Path> {
    let path = Path::new(subject);
    let looks_like_one = subject.contains(['/', '\\']) || subject.ends_with(".weights");
    (looks_like_one || path.is_file()).then_some(path)
}

fn family_of_file(file: &Path) -> Result<String> {
    family_in(&files::read(file)?).map_err(|e| anyhow!("{}: {e}", file.display()))
}

/// The weights in a file, of the family that it names.
fn sheet_in(file: &Path) -> Result<Sheet> {
    let game = open_family(&family_of_file(file)?)?;
    sheet_of(&*game, &WeightsChoice::File(file.display().to_string()), 1)
}

/// Any game of a family: all of them have the same evaluations.
fn open_family(name: &str) -> Result<Arc<dyn CompiledGame>> {
    let found = catalog::families().find(|family| family.name == name);
    let family =
        found.ok_or_else(|| anyhow!("{}: there is no such family of games", game::quote(name)))?;
    let preset = family.presets.first().map(|preset| preset.name);
    open(preset.unwrap_or(name))
}
