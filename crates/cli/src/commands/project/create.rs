//! `zermelo project create`.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow};
use cluster::ClusterRecord;
use cluster::project::{Generation, ProjectPlan, Stored, TreeWalk, WalkCounts};
use cluster::record::NewProject;
use serde::Serialize;
use solve::{Method, SolverRules};

use crate::args::ProjectCreate;
use crate::output::{Answer, Console, Opened, counted};
use crate::progress::{Progress, stop_on_interrupt};

#[derive(Serialize)]
struct Created<'a> {
    name: &'a str,
    game: &'a str,
    position: &'a str,
    question: &'a str,
    quorum: u8,
    /// Without a password.
    store: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    generated: Option<GeneratedTree>,
}

/// What came of `--depth`.
#[derive(Clone, Copy, Serialize)]
struct GeneratedTree {
    #[serde(flatten)]
    counts: WalkCounts,
    /// Whether it is all; else `serve` goes on with it.
    whole: bool,
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
        unit_seconds: arguments
            .unit_seconds
            .unwrap_or(ProjectPlan::usual_seconds(arguments.quorum)),
        unit_nodes: arguments.unit_nodes,
        table_megabytes: u32::try_from(arguments.hash)?,
        quorum: arguments.quorum,
        established_results: arguments.established_results,
        established_days: arguments.established_days,
        established_checks: arguments.established_checks,
        depth: arguments.depth,
        ready: arguments.ready,
        certify: !arguments.no_proof,
        ..ProjectPlan::default()
    };
    let position = opened.session.position();
    let rules = opened.game.solver_rules(&position).map_err(|error| anyhow!("position {error}"))?;
    if let (true, Some(depth)) = (arguments.dry_run, arguments.depth) {
        return list(arguments.plain, opened, &*rules, depth, console);
    }
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
    let store = arguments.store.clone().unwrap_or_default();
    let record = ClusterRecord::open(&store.0).context("the record cannot be opened")?;
    let project = record.create_project(&new)?.id;
    let generated = match arguments.depth {
        Some(depth) => Some(generate(&record, project, &*rules, depth, console)?),
        None => None,
    };
    let created = Created {
        name: &new.name,
        game: &new.game,
        position: &new.position,
        question: &new.goal,
        quorum: arguments.quorum,
        store: store.to_string(),
        generated,
    };
    console.answer(&created, |out| {
        let Created { name, game, question, .. } = created;
        writeln!(out, "project {name}: {question} of {game}")?;
        if let Some(GeneratedTree { counts, whole }) = generated {
            writeln!(out, "{}", in_words(counts))?;
            if !whole {
                writeln!(out, "the tree is not complete; `project serve` goes on with it")?;
            }
        }
        writeln!(out, "`zermelo project serve {name} --store …` hands out its units")
    })
}

/// Stores the tree at once; what an interrupt leaves is stored by `serve`.
fn generate(
    record: &ClusterRecord,
    project: u32,
    rules: &dyn SolverRules,
    depth: u32,
    console: &Console,
) -> Result<GeneratedTree> {
    let stop = stop_on_interrupt()?;
    let generation = Generation { record, project, rules, depth, stop: &stop };
    let mut last = WalkCounts::default();
    let progress = Progress::of_search(console);
    let stored = generation.run(&mut |counts| {
        last = counts;
        progress.say(&format!("{} stored", counted(counts.stored, "node")));
    })?;
    drop(progress);
    Ok(match stored {
        Stored::Whole(counts) => GeneratedTree { counts, whole: true },
        Stored::Stopped(counts) => {
            record.release_project(project)?;
            GeneratedTree { counts, whole: false }
        }
        Stored::Elsewhere => GeneratedTree { counts: last, whole: false },
    })
}

fn in_words(counts: WalkCounts) -> String {
    let WalkCounts { made, stored, skipped, duplicate } = counts;
    let (stored, made) = (counted(stored, "node"), counted(made, "unit"));
    format!("{made} in {stored} stored; {skipped} skipped (game over), {duplicate} duplicate")
}

/// What `--dry-run` lists.
#[derive(Serialize)]
struct ListedNode {
    position: String,
    ply: u32,
    unit: bool,
}

#[derive(Serialize)]
struct ListedTree {
    nodes: Vec<ListedNode>,
    counts: WalkCounts,
}

/// Lists the nodes that would be stored, and makes nothing.
fn list(
    is_plain: bool,
    opened: Opened,
    rules: &dyn SolverRules,
    depth: u32,
    console: &Console,
) -> Result<Answer> {
    let mut walk = match is_plain {
        true => TreeWalk::plain(opened.session, depth),
        false => TreeWalk::merged(rules, depth),
    };
    let mut nodes: Vec<ListedNode> = Vec::new();
    let mut at: HashMap<Vec<u8>, usize> = HashMap::new();
    for node in walk.by_ref() {
        let node = node?;
        let position = match is_plain {
            true => String::from_utf8_lossy(&node.key).into_owned(),
            false => rules.text(&node.name())?,
        };
        let listed = ListedNode { position, ply: node.ply, unit: node.is_unit };
        match at.get(&node.key).filter(|_| !is_plain) {
            // Met again nearer to the root.
            Some(&before) => nodes[before] = listed,
            None => {
                at.insert(node.key, nodes.len());
                nodes.push(listed);
            }
        }
    }
    let tree = ListedTree { nodes, counts: walk.counts() };
    console.answer(&tree, |out| {
        for ListedNode { position, unit, .. } in &tree.nodes {
            writeln!(out, "{position}{}", if *unit { " B" } else { "" })?;
        }
        writeln!(out, "{}", in_words(tree.counts))
    })
}
