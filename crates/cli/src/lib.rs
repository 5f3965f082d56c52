//! `zermelo`: the command line. It reads arguments, asks the catalog for a game, and says what comes
//! back in words or in JSON; everything else is done elsewhere.
//!
//! Exit codes: 0 done, 1 a negative answer, 2 bad input with one line on standard error.

mod again;
mod args;
mod commands;
mod complaint;
mod files;
mod meeting;
mod opening;
mod output;
mod platform;
mod progress;
mod proof_files;
mod unfinished;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use output::{Answer, Console};

/// The whole program: what stands on the command line is read, done and answered. Families that
/// were [registered](catalog::register) before are games like any other.
pub fn main() -> ExitCode {
    protocols::keep_programs();
    platform::hear_of_large_files();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => return complain(&complaint::one_line(&error)),
        Err(help) => return finish(help.print().map(|()| Answer::Yes).map_err(Into::into)),
    };
    finish(run(&arguments))
}

fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let console = Console::new(&arguments.common);
    let Some(command) = &arguments.command else {
        return commands::serve::run(&args::Serve::default(), &console);
    };
    tracing::info!(?command, "starting");
    match command {
        Command::Serve(serve) => commands::serve::run(serve, &console),
        Command::Overview => commands::overview::run(&console),
        Command::Games => commands::games::run(&console),
        Command::Show(show) => commands::show::run(show, &console),
        Command::Perft(perft) => commands::perft::run(perft, &console),
        Command::Analyse(analyse) => commands::analyse::run(analyse, &console),
        Command::Solve(solve) => commands::solve::run(solve, &console),
        Command::Verify(verify) => commands::verify::run(verify, &console),
        Command::Play(play) => commands::play::run(play, &console),
        Command::Engine(engine) => commands::engine::run(engine, &console),
        Command::Generate(generate) => commands::generate::run(generate, &console),
        Command::Check(check) => commands::check::run(check, &console),
        Command::Measure(measure) => commands::measure::run(measure, &console),
        Command::Engines(engines) => commands::engines::run(engines, &console),
        Command::Talk(talk) => commands::talk::run(talk),
        Command::Dxp(dxp) => commands::dxp::run(dxp, &console),
        Command::Match(arguments) => commands::matches::run(arguments, &console),
        Command::Tournament(arguments) => commands::tournament::run(arguments, &console),
        Command::Weights(weights) => commands::weights::run(weights, &console),
        Command::Tune(tune) => commands::tune::run(tune, &console),
        Command::Record(record) => commands::record::run(record, &console),
        Command::Book(book) => commands::book::run(book, &console),
        Command::Project(project) => commands::project::run(project, &console),
        Command::Worker(worker) => commands::worker::run(worker, &console),
        Command::Bench => commands::bench::run(&console),
        Command::Completions { shell } => commands::manual::completions(*shell, &console),
        Command::Man => commands::manual::man(&console),
    }
}

fn finish(done: anyhow::Result<Answer>) -> ExitCode {
    match done {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<complaint::Complaints>() {
            Some(several) => several.0.iter().fold(ExitCode::from(2), |_, why| complain(why)),
            None => complain(&complaint::in_words(&error)),
        },
    }
}

/// Whoever reads the output has seen enough: `zermelo games | head -1`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn complain(why: &str) -> ExitCode {
    let line = complaint::on_one_line(why);
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "zermelo: {line}");
    ExitCode::from(2)
}
