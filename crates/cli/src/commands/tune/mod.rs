//! `zermelo tune`: weights found by machine.

mod depths;
mod genetic;
mod report;

use anyhow::Result;

use crate::args::{self, TuneCommand};
use crate::output::{Answer, Console};

/// Plays, learns, proves.
pub(crate) fn run(arguments: &args::Tune, console: &Console) -> Result<Answer> {
    match &arguments.command {
        TuneCommand::Genetic(genetic) => genetic::run(genetic, console),
        TuneCommand::Report(report) => report::run(report, console),
        TuneCommand::Depths(depths) => depths::run(depths, console),
    }
}
