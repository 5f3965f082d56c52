//! `zermelo project create`.

use anyhow::{Result, anyhow};
use cluster::project::ProjectPlan;
use cluster::record::NewProject;
use serde::Serialize;
use solve::Method;

use super::open;
use crate::args::ProjectCreate;
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Created<'a> {
    name: &'a str,
    game: &'a str,
    position: &'a str,
    question: &'a str,
    quorum: u8,
    store: &'a str,
}

/// Makes a project.
pub(super) fn run(arguments: &ProjectCreate, console: &Console) -> Result<Answer> {
    let (opened, _) = console.open_at(&arguments.game, &arguments.spot)?;
    let method = arguments.method;
    anyhow::ensure!(
        method != Some(Method::Retrograde),
        "the method retrograde has no units to hand out; alphabeta, proof and bestfirst have"
    );
    let plan = ProjectPlan {
        method: method.map(|method| method.name().to_owned()),
        unit_seconds: arguments.unit_seconds,
        unit_nodes: arguments.unit_nodes,
        table_megabytes: u32::try_from(arguments.hash)?,
        quorum: arguments.quorum,
        established_results: arguments.established_results,
        established_days: arguments.established_days,
        ready: arguments.ready,
        certify: !arguments.no_proof,
        ..ProjectPlan::default()
    };
    let position = opened.session.position();
    opened.game.solver_rules(&position).map_err(|error| anyhow!("position {error}"))?;
    let new = NewProject {
        name: arguments.name.clone(),
        game: opened.game.facts().spec.clone(),
        position,
        goal: arguments.question.to_string(),
        plan: plan.to_json(),
        quorum: arguments.quorum.into(),
        trusted_alone: true,
        share: arguments.share,
    };
    let record = open(&arguments.place)?;
    record.create_project(&new)?;
    let created = Created {
        name: &new.name,
        game: &new.game,
        position: &new.position,
        question: &new.goal,
        quorum: arguments.quorum,
        store: &arguments.place.store,
    };
    console.answer(&created, |out| {
        let Created { name, game, question, .. } = created;
        writeln!(out, "project {name}: {question} of {game}")?;
        writeln!(out, "`zermelo project serve {name} --store …` hands out its units")
    })
}
