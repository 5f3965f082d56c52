//! `zermelo record`: the games of a file, and what is wrong with it.

use anyhow::{Result, anyhow, bail};
use game::shown;
use play::record::{FileError, Record, Verdict};
use serde::Serialize;

use crate::args;
use crate::files;
use crate::output::{Answer, Console, plies};

#[derive(Serialize)]
struct Listed {
    game: String,
    games: Vec<Entry>,
    errors: Vec<Problem>,
}

#[derive(Serialize)]
struct Entry {
    number: usize,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
    value: Option<&'static str>,
    start: Option<String>,
    moves: Vec<String>,
}

/// Where a file could not be read, for programs.
#[derive(Serialize)]
pub(super) struct Problem {
    game: usize,
    line: usize,
    column: usize,
    text: String,
    why: String,
}

impl From<&FileError> for Problem {
    fn from(e: &FileError) -> Problem {
        Problem {
            game: e.game,
            line: e.line,
            column: e.column,
            text: e.error.text().to_owned(),
            why: e.error.why().to_owned(),
        }
    }
}

/// Reads a file and says what it holds. Where a game cannot be read, the answer is no.
pub(crate) fn run(arguments: &args::Record, console: &Console) -> Result<Answer> {
    let to_standard_output = arguments.out.as_ref().is_some_and(|out| out.as_os_str() == "-");
    if to_standard_output && console.json {
        bail!("--out - and --json both want standard output; --out FILE is right");
    }
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let games = files::read_games(&*game, &arguments.file, arguments.strict)?;
    let answer = if games.bad().next().is_none() { Answer::Yes } else { Answer::No };
    if let Some(out) = &arguments.out {
        let mut text = String::new();
        for (_, record) in games.good() {
            text.push_str(&game.files().write(record)?);
        }
        files::write(out, &text)?;
        if to_standard_output {
            files::report_bad(&arguments.file, &games);
            return Ok(answer);
        }
    }
    let listed = Listed {
        game: game.facts().spec.clone(),
        games: games.good().map(|(number, record)| entry(number, record)).collect(),
        errors: games.bad().map(Problem::from).collect(),
    };
    console.answer(&listed, |out| {
        for entry in &listed.games {
            let name = |name: &Option<String>| shown(name.as_deref().unwrap_or("?"));
            let (white, black) = (name(&entry.white), name(&entry.black));
            let result = match entry.value {
                Some("draw") => ", draw".to_owned(),
                Some(winner) => format!(", {winner} player wins"),
                None => String::new(),
            };
            let length = plies(entry.moves.len() as u32);
            let number = entry.number;
            writeln!(out, "{number}. White {white}, Black {black}: {length}{result}")?;
        }
        if games.is_empty() { writeln!(out, "no game") } else { Ok(()) }
    })?;
    if !console.json {
        files::report_bad(&arguments.file, &games);
    }
    Ok(answer)
}

fn entry(number: usize, record: &Record) -> Entry {
    let tag = |name| record.tag(name).filter(|value| *value != "?").map(str::to_owned);
    Entry {
        number,
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date"),
        value: record.result.map(|verdict| match verdict {
            Verdict::First => "first",
            Verdict::Draw => "draw",
            Verdict::Second => "second",
        }),
        start: record.start.clone(),
        moves: record.line.plies.iter().map(|ply| ply.text.clone()).collect(),
    }
}
