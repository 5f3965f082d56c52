//! `zermelo verify`: whether a certificate proves what it claims.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use certificate::{Certificate, Claim, Options, Refusal, Sample, Verdict};
use game::Points;
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::Number;

use crate::args::Verify;
use crate::output::{Answer, Console, number, seconds_since};
use crate::progress::Progress;

#[derive(Serialize)]
struct Verified {
    file: String,
    game: String,
    position: String,
    lower: Option<Number>,
    upper: Option<Number>,
    proved: bool,
    refused: Option<String>,
    nodes: u64,
    edges: u64,
    leaves: u64,
    settled: u64,
    visited: u64,
    seconds: f64,
}

/// Checks every node, or says why not: a proof that is not accepted is a negative answer; a file that cannot be read, or is about no game, is
/// bad input.
pub(crate) fn run(arguments: &Verify, console: &Console) -> Result<Answer> {
    let name = arguments.file.display().to_string();
    let bytes = fs::read(&arguments.file).with_context(|| format!("cannot read {name}"))?;
    let start = Instant::now();
    let certificate = Certificate::read(&bytes).map_err(|refusal| anyhow!("{name}: {refusal}"))?;
    let header = certificate.header();
    let solver = catalog::open_solver(&header.game).map_err(|e| anyhow!("{name}: game {e}"))?;
    let sample = arguments.sample.map(|leaves| Sample { leaves, seed: arguments.seed });
    let progress = Progress::of_parts(console, "nodes");
    let options = Options { sample, ..Options::default() };
    let verdict = solver.verify(&certificate, &options, &mut |now| {
        // As often as anybody could look.
        if now.nodes.is_multiple_of(1 << 10) {
            progress.parts(now.nodes as usize, now.all_nodes as usize);
            progress.remark(format!("{} positions visited", HumanCount(now.visited)));
        }
    });
    drop(progress);
    let seconds = seconds_since(start);
    let scale = solver.margin_scale();
    let bound = |wanted: fn(Claim) -> Option<i32>| {
        let margin = certificate.proofs().iter().find_map(|proof| wanted(proof.claim()));
        margin.and_then(|margin| number(Points::new(margin, scale)))
    };
    let checked = verdict.as_ref().ok();
    let verified = Verified {
        file: name.clone(),
        game: header.game.clone(),
        position: header.position.clone(),
        lower: bound(|claim| match claim {
            Claim::AtLeast(margin) => Some(margin),
            Claim::AtMost(_) => None,
        }),
        upper: bound(|claim| match claim {
            Claim::AtMost(margin) => Some(margin),
            Claim::AtLeast(_) => None,
        }),
        proved: checked.is_some_and(Verdict::is_proof),
        refused: verdict.as_ref().err().map(Refusal::to_string),
        nodes: certificate.nodes(),
        edges: certificate.edges(),
        leaves: certificate.leaves(),
        settled: checked.map_or(0, |verdict| verdict.settled),
        visited: checked.map_or(0, |verdict| verdict.visited),
        seconds,
    };
    console.answer(&verified, |out| {
        let from = match header.position.as_str() {
            "" => "from its start",
            position => &format!("from {position}"),
        };
        writeln!(out, "game   {} {from}", header.game)?;
        match &verdict {
            Ok(verdict) => writeln!(out, "{verdict}, {seconds:.3} s"),
            Err(refusal) => writeln!(out, "refused: {refusal}"),
        }
    })?;
    Ok(if verdict.is_ok() { Answer::Yes } else { Answer::No })
}
