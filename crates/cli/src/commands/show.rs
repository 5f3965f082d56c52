//! `zermelo show`: one position, as people and programs look at it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use game::Mark;
use serde::Serialize;
use serde_json::Number;
use solve::message::{LARGEST_UNIT, Unit, UnitTask};

use crate::args::{self, Spot};
use crate::output::{
    Answer, Console, Texts, margin_of, other_texts, result_in_words, side_name, value_name,
    write_texts,
};

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: Option<&'static str>,
    moves: Vec<String>,
    last: Option<String>,
    board: String,
    over: bool,
    value: Option<&'static str>,
    margin: Option<Number>,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    texts: Texts,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<UnitShown>,
}

/// What is asked about the position of a unit.
#[derive(Serialize)]
struct UnitShown {
    id: String,
    /// Whether the first player's margin is at least this.
    at_least: i32,
    prover: &'static str,
    /// A proof is wanted of what is known.
    certify: bool,
    budget: u64,
    solver: String,
}

/// Shows the position that was asked for.
pub(crate) fn run(arguments: &args::Show, console: &Console) -> Result<Answer> {
    let unit = arguments.unit.as_deref().map(read_unit).transpose()?;
    let session = match &unit {
        Some(unit) => {
            let spot = spot_of(unit).context("the unit makes no sense")?;
            console.open_at(&unit.game, &spot)?.0.session
        }
        None => {
            let game = arguments.game.as_deref().unwrap_or_default();
            console.open_at(game, &arguments.spot)?.0.session
        }
    };
    let outcome = session.outcome();
    let diagram = session.diagram();
    let line = diagram.marked(Mark::Line);
    let shown = Shown {
        game: session.spec(),
        position: session.position(),
        to_move: outcome.is_none().then(|| side_name(session.to_move())),
        moves: session.moves(),
        last: session.played().pop(),
        board: diagram.to_string(),
        over: outcome.is_some(),
        value: outcome.map(|outcome| value_name(outcome.margin.signum())),
        margin: outcome.and_then(margin_of),
        line: line.map(|square| diagram.grid().name(square)).collect(),
        texts: other_texts(arguments.texts, &*session, outcome.map(|outcome| outcome.margin))?,
        unit: unit.as_ref().map(|unit| UnitShown {
            id: unit.id.to_string(),
            at_least: unit.question.at_least,
            prover: side_name(unit.question.prover),
            certify: unit.task != UnitTask::Answer,
            budget: unit.budget,
            solver: unit.solver.to_string(),
        }),
    };
    console.answer(&shown, |out| {
        writeln!(out, "{}\n\n{}\n", shown.game, shown.board)?;
        writeln!(out, "position  {}", shown.position)?;
        write_texts(out, &shown.texts, 9)?;
        if let Some(last) = &shown.last {
            writeln!(out, "last      {last}")?;
        }
        if let Some(side) = shown.to_move {
            writeln!(out, "to move   {side} player")?;
            writeln!(out, "moves     {}", shown.moves.join(" "))?;
        }
        if let Some(outcome) = outcome {
            writeln!(out, "result    {}", result_in_words(outcome))?;
        }
        if !shown.line.is_empty() {
            writeln!(out, "line      {}", shown.line.join(" "))?;
        }
        if let Some(UnitShown { id, at_least, certify, budget, .. }) = &shown.unit {
            let wanted = if *certify { "a proof that it is known whether" } else { "whether" };
            writeln!(out, "unit      {id}, at most {budget} positions")?;
            writeln!(out, "asks      {wanted} the first player's margin is at least {at_least}")?;
        }
        Ok(())
    })
}

/// Reads a unit from a file, or from where the BOINC client's file of that name points to.
fn read_unit(file: &Path) -> Result<Unit> {
    let read = |file: &Path| -> Result<Vec<u8>> {
        ensure!(fs::metadata(file)?.len() <= LARGEST_UNIT as u64, "it is too large for a unit");
        Ok(fs::read(file)?)
    };
    let failed = || format!("cannot read {}", file.display());
    let mut bytes = read(file).with_context(failed)?;
    if let Some(link) = soft_link(&bytes) {
        let target = file.parent().map_or_else(|| link.clone(), |folder| folder.join(&link));
        bytes = read(&target).with_context(|| format!("cannot read {}", target.display()))?;
    }
    Unit::decode(&bytes).with_context(failed)
}

fn soft_link(bytes: &[u8]) -> Option<PathBuf> {
    let text = str::from_utf8(bytes).ok()?.trim();
    let (target, _) = text.strip_prefix("<soft_link>")?.split_once("</soft_link>")?;
    Some(PathBuf::from(target.trim()))
}

/// Where the node of a unit is: a position, or moves from the root where the rules look back.
fn spot_of(unit: &Unit) -> Result<Spot> {
    let game = catalog::open(&unit.game)?;
    let text = game.solver_rules(&unit.root)?.text(&unit.node)?;
    let spot = Spot { position: None, file: None, number: 1, moves: None };
    Ok(match game.session().set_position(&text) {
        Ok(()) if !text.is_empty() => Spot { position: Some(text), ..spot },
        _ => Spot { position: Some(unit.root.clone()), moves: Some(text), ..spot },
    })
}
