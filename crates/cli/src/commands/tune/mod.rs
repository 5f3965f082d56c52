//! `zermelo tune`: weights found by machine.

mod by_games;
mod data;
mod depths;
mod gate;
pub(crate) mod genetic;
mod logistic;
mod report;

use std::path::Path;

use anyhow::Result;
use evaluation::weights::Sheet;

use crate::args::{self, TuneCommand};
use crate::files;
use crate::output::{Answer, Console};

/// Plays, learns, proves.
pub(crate) fn run(arguments: &args::Tune, console: &Console) -> Result<Answer> {
    match &arguments.command {
        TuneCommand::Genetic(genetic) => genetic::run(genetic, console),
        TuneCommand::Report(report) => report::run(report, console),
        TuneCommand::Depths(depths) => depths::run(depths, console),
        TuneCommand::Data(data) => data::run(data, console),
        TuneCommand::Logistic(logistic) => logistic::run(logistic, console),
        TuneCommand::Spsa(spsa) => by_games::run_spsa(spsa, console),
        TuneCommand::Cma(cma) => by_games::run_cma(cma, console),
    }
}

/// Writes weights with the command that made them.
fn write_weights(file: &Path, sheet: &Sheet) -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = sheet.write();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let command = words.join(" ").replace(['\n', '\r'], " ");
    files::write(file, &format!("{first}\n# zermelo {command}\n{rest}"))
}
