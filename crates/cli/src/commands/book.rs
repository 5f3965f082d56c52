//! `zermelo book`: books of openings.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use arena::{Book, BookMove};
use play::Session;
use serde::Serialize;

use super::record::Problem;
use crate::args::{self, BookBuild, BookCommand, BookShow};
use crate::files;
use crate::output::{Answer, Console, counted, plies, side_name};

#[derive(Serialize)]
struct Built {
    game: String,
    games: usize,
    positions: usize,
    depth: usize,
    min_count: u32,
    errors: Vec<Problem>,
}

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: &'static str,
    games: u64,
    moves: Vec<Known>,
}

#[derive(Serialize)]
struct Known {
    #[serde(rename = "move")]
    text: String,
    games: u32,
    /// Of all games that came here.
    share: f64,
    first: u32,
    draw: u32,
    second: u32,
}

/// Makes a book or looks into one.
pub(crate) fn run(arguments: &args::Book, console: &Console) -> Result<Answer> {
    match &arguments.command {
        BookCommand::Build(build) => run_build(build, console),
        BookCommand::Show(show) => run_show(show, console),
    }
}

/// The games that can be read make the book; where there are others, the answer is no.
fn run_build(arguments: &BookBuild, console: &Console) -> Result<Answer> {
    let to_standard_output = arguments.out.as_os_str() == "-";
    if to_standard_output && console.json {
        bail!("--out - and --json both want standard output; --out FILE is right");
    }
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let read = files::read_games(&*game, &arguments.games, arguments.strict)?;
    files::need_good(&arguments.games, &read)?;
    if !console.json {
        files::report_bad(&arguments.games, &read);
    }
    let errors: Vec<Problem> = read.bad().map(Problem::from).collect();
    let games = read.into_good();
    let book = Book::build(&*game.session(), &games, arguments.depth, arguments.min_count)?;
    files::write(&arguments.out, &book.write())?;
    let answer = if errors.is_empty() { Answer::Yes } else { Answer::No };
    if to_standard_output {
        return Ok(answer);
    }
    let built = Built {
        game: game.facts().spec.clone(),
        games: games.len(),
        positions: book.len(),
        depth: arguments.depth,
        min_count: book.min_count(),
        errors,
    };
    console.answer(&built, |out| {
        writeln!(
            out,
            "{}: {} that came up in at least {} of {}, up to {} deep",
            built.game,
            counted(built.positions, "position"),
            built.min_count,
            counted(built.games, "game"),
            plies(built.depth as u32)
        )
    })?;
    Ok(answer)
}

/// A position that is not in the book is a negative answer.
fn run_show(arguments: &BookShow, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let mut session = game.session();
    let file = arguments.file.display();
    let book = Book::read(&files::read(&arguments.file)?).map_err(|e| anyhow!("{file}: {e}"))?;
    if book.game() != session.spec() {
        bail!("{file} is a book of {}, not of {}", book.game(), session.spec());
    }
    if let Some(position) = &arguments.position {
        session.set_position(position).map_err(|e| anyhow!("position {e}"))?;
    }
    if let Some(moves) = &arguments.moves {
        session.play_all(moves)?;
    }
    let shown = shown(&*session, book.moves(&*session));
    console.answer(&shown, |out| write_words(out, &shown))?;
    Ok(if shown.moves.is_empty() { Answer::No } else { Answer::Yes })
}

fn shown(session: &dyn Session, moves: &[BookMove]) -> Shown {
    let games: u64 = moves.iter().map(|m| u64::from(m.times)).sum();
    let known = |m: &BookMove| Known {
        text: m.text.clone(),
        games: m.times,
        share: (f64::from(m.times) / games as f64 * 1e4).round() / 1e4,
        first: m.first,
        draw: m.draws,
        second: m.second,
    };
    Shown {
        game: session.spec(),
        position: session.position(),
        to_move: side_name(session.to_move()),
        games,
        moves: moves.iter().map(known).collect(),
    }
}

fn write_words(out: &mut dyn Write, shown: &Shown) -> io::Result<()> {
    writeln!(out, "{}", shown.position)?;
    if shown.moves.is_empty() {
        return writeln!(out, "not in the book");
    }
    let width = shown.moves.iter().map(|m| m.text.chars().count()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "{:width$} {:>8} {:>7} {:>8} {:>8} {:>8}",
        "move", "games", "share", "first", "draw", "second"
    )?;
    for Known { text, games, share, first, draw, second } in &shown.moves {
        let percent = format!("{:.1}%", share * 100.0);
        writeln!(out, "{text:width$} {games:>8} {percent:>7} {first:>8} {draw:>8} {second:>8}")?;
    }
    Ok(())
}
