//! `zermelo check`: whether engines keep to their protocols.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use arena::{Contestant, Finding, Kind, check};
use protocols::{Engine, Protocol, Setup};
use serde::Serialize;

use crate::args;
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Checked {
    engines: Vec<CheckedEngine>,
    /// Whether all of them do everything right.
    fine: bool,
}

#[derive(Serialize)]
struct CheckedEngine {
    engine: String,
    protocol: &'static str,
    game: String,
    fine: bool,
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    what: &'static str,
    fine: Option<bool>,
    detail: String,
}

/// Looks at each engine; any that does something wrong is a negative answer.
pub(crate) fn run(arguments: &args::Check, console: &Console) -> Result<Answer> {
    let mut engines = Vec::new();
    for text in &arguments.engines {
        engines.push(look_at(text, arguments, console)?);
    }
    let fine = engines.iter().all(|engine| engine.fine);
    let checked = Checked { engines, fine };
    console.answer(&checked, |_| Ok(()))?;
    Ok(if fine { Answer::Yes } else { Answer::No })
}

fn look_at(text: &str, arguments: &args::Check, console: &Console) -> Result<CheckedEngine> {
    let setup = setup_of(text, arguments.game.as_deref())?;
    let game = arguments.game.as_deref().unwrap_or(setup.protocol.usual_game());
    let game = catalog::open(game).map_err(|e| anyhow!("game {e}"))?.spec();
    let mut findings = Vec::new();
    let mut out = io::stdout().lock();
    if !console.json {
        writeln!(out, "{text}: {} in {}", game, setup.protocol)?;
    }
    let fine = check(&setup, &game, arguments.games, &mut |finding| {
        let Finding { what, fine, detail } = finding.clone();
        if !console.json {
            let word = if fine == Some(true) { "ok   " } else { "WRONG" };
            // Who does not want to see it may look at the exit code.
            let _ = writeln!(out, "  {word} {what}: {detail}").and_then(|()| out.flush());
        }
        findings.push(Found { what, fine, detail });
    });
    Ok(CheckedEngine {
        engine: text.to_owned(),
        protocol: setup.protocol.name(),
        game,
        fine,
        findings,
    })
}

/// The engine as it is described; a command alone is tried in every protocol.
fn setup_of(text: &str, game: Option<&str>) -> Result<Setup> {
    foreign(&with_protocol(text, game)?)
}

/// An engine with its protocol: a command alone is tried in all of them.
pub(super) fn with_protocol(text: &str, game: Option<&str>) -> Result<String> {
    let named = text.split_once(':').is_some_and(|(name, _)| name.parse::<Protocol>().is_ok());
    if named {
        return Ok(text.to_owned());
    }
    for protocol in Protocol::ALL {
        let described = format!("{protocol}:{text}");
        let setup = foreign(&described)?;
        let bench = catalog::open(game.unwrap_or(protocol.usual_game()))
            .map_err(|e| anyhow!("game {e}"))?;
        if Engine::new(setup).start(&*bench).is_ok() {
            return Ok(described);
        }
    }
    bail!("{text:?} does not greet in any protocol; uci:{text} names one")
}

fn foreign(text: &str) -> Result<Setup> {
    let contestant: Contestant = text.parse().map_err(|e| anyhow!("engine {e}"))?;
    match contestant.kind {
        Kind::Engine(engine) => Ok(engine.setup),
        Kind::Bot(_) => {
            bail!("{text:?} is a bot of this program, which `zermelo engine` speaks for")
        }
    }
}
