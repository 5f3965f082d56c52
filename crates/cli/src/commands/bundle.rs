//! `zermelo verify FOLDER`: whether a certificate and the lemmas it rests on prove what they claim
//! together.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use certificate::{
    Bundle, BundleFolder, BundleLimits, BundleProgress, BundleRefusal, BundleVerdict,
    BundleWatcher, Certificate, CheckProof, Claim, LemmaHash, Limit, ProofGraph,
};
use game::shown;
use indicatif::HumanCount;
use play::Stop;
use serde::Serialize;
use serde_json::Number;

use super::verify::{bounds_of, claimed, in_words, read_at_most, write_subject};
use crate::again;
use crate::args::Verify;
use crate::output::{Answer, Console, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};
use crate::proof_files::VerifiedList;

#[derive(Serialize)]
struct VerifiedBundle {
    file: String,
    game: String,
    position: String,
    lower: Option<Number>,
    upper: Option<Number>,
    proved: bool,
    refused: Option<String>,
    lemmas: u64,
    earlier: u64,
    strangers: u64,
    nodes: u64,
    edges: u64,
    leaves: u64,
    visited: u64,
    seconds: f64,
    resume: Option<String>,
}

/// Checks every node of every file, or says why not.
pub(crate) fn run(arguments: &Verify, console: &Console) -> Result<Answer> {
    ensure!(
        arguments.sample.is_none(),
        "--sample is for a single certificate; a bundle is checked as a whole"
    );
    let start = Instant::now();
    let folder = BundleFolder::new(&arguments.file);
    let name = folder.root().display().to_string();
    let memory = arguments.memory << 20;
    ensure!(
        fs::metadata(folder.root()).is_ok_and(|found| found.is_file()),
        "{} holds no file root.proof: it is no bundle, or one that was not finished",
        arguments.file.display()
    );
    let read = read_at_most(&folder.root(), memory);
    let bytes = read.with_context(|| format!("cannot read {name}"))?;
    ensure!(
        bytes.len() <= memory,
        "{name} has more than {} MB; --memory {} would let it be read",
        arguments.memory,
        arguments.memory * 2
    );
    let root = Certificate::read(&bytes).map_err(|refusal| anyhow!("{name}: {refusal}"))?;
    let header = root.header();
    let game = catalog::open(&header.game).map_err(|e| anyhow!("{name}: game {e}"))?;
    let list = arguments.resume.as_deref().map(|list| open_list(list, &arguments.file));
    let list = list.transpose()?;
    let limits =
        BundleLimits { most_bytes: memory - bytes.len(), until: start.checked_add(arguments.time) };
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_parts(console, "nodes");
    let watcher = Watcher { list: list.as_ref(), stop: &stop, progress: &progress };
    let mut strangers = (0, Vec::new());
    let verdict = Bundle::gather(&root, &folder, &limits, &watcher).and_then(|bundle| {
        // What cannot be listed has no strangers that anybody could be warned of.
        strangers = folder.strangers(&bundle).unwrap_or_default();
        let check: &CheckProof<'_> =
            &|file, options, progress| game.verify(file, options, progress);
        bundle.verify(&folder, check, arguments.threads, &limits, &watcher)
    });
    drop(progress);
    warn_of_strangers(&strangers, console);
    let seconds = seconds_since(start);
    let claims: Vec<Claim> = root.proofs().iter().map(ProofGraph::claim).collect();
    let facts = game.facts();
    let [lower, upper] = bounds_of(&claims, facts.margin_scale);
    let checked = verdict.as_ref().ok();
    let count = |of: fn(&BundleVerdict) -> u64| checked.map_or(0, of);
    let refused = verdict.as_ref().err();
    let refused_in_words = refused.map(|refusal| in_words(refusal, refusal.limit(), arguments));
    let verified = VerifiedBundle {
        file: arguments.file.display().to_string(),
        game: header.game.clone(),
        position: header.position.clone(),
        lower,
        upper,
        proved: verdict.is_ok(),
        refused: refused_in_words.clone(),
        lemmas: count(|verdict| verdict.lemmas),
        earlier: count(|verdict| verdict.earlier),
        strangers: strangers.0,
        nodes: count(|verdict| verdict.nodes),
        edges: count(|verdict| verdict.edges),
        leaves: count(|verdict| verdict.leaves),
        visited: count(|verdict| verdict.visited),
        seconds,
        resume: refused.and_then(|refusal| to_go_on(refusal, arguments)),
    };
    let claimed = claimed(&claims, facts.has_margins(), facts.margin_scale);
    console.answer(&verified, |out| {
        let said = if verdict.is_ok() { "PROVED" } else { "REFUSED, so not proved" };
        write_subject(out, said, header, &claimed)?;
        match (&verdict, &refused_in_words) {
            (Ok(verdict), _) => writeln!(out, "{verdict}, {seconds:.3} s")?,
            (Err(_), Some(words)) => writeln!(out, "refused: {words}")?,
            (Err(refusal), None) => writeln!(out, "refused: {refusal}")?,
        }
        match &verified.resume {
            Some(command) => writeln!(out, "to go on: {command}"),
            None => Ok(()),
        }
    })?;
    Ok(if verdict.is_ok() { Answer::Yes } else { Answer::No })
}

/// A list of what was verified, which is not part of the bundle.
fn open_list(list: &Path, bundle: &Path) -> Result<VerifiedList> {
    let parent = list.parent().filter(|parent| *parent != Path::new(""));
    let home = fs::canonicalize(parent.unwrap_or(Path::new(".")));
    let inside = home
        .is_ok_and(|home| fs::canonicalize(bundle).is_ok_and(|bundle| home.starts_with(bundle)));
    ensure!(
        !inside,
        "the list {} is inside the bundle, where whoever made the bundle could have put it; it is \
         believed, so keep it elsewhere",
        list.display()
    );
    VerifiedList::open(list)
}

/// The command that goes on where a check ended that found nothing wrong.
fn to_go_on(refusal: &BundleRefusal, arguments: &Verify) -> Option<String> {
    let list = arguments.resume.as_ref()?;
    let limit = refusal.limit()?;
    let resume = || ("--resume", Some(list.display().to_string()));
    let seconds = (arguments.time.as_secs_f64() * 2.0).to_string();
    Some(match limit {
        Limit::Stop => again::command_with(&[resume()]),
        Limit::Time => again::command_with(&[resume(), ("--time", Some(seconds))]),
        Limit::Memory => {
            let memory = (arguments.memory * 2).to_string();
            again::command_with(&[resume(), ("--memory", Some(memory))])
        }
    })
}

fn warn_of_strangers((count, names): &(u64, Vec<String>), console: &Console) {
    if *count == 0 {
        return;
    }
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    let more = if *count > names.len() as u64 { ", …" } else { "" };
    console.warn(&format!(
        "nothing in the bundle refers to {} of its files, which were not looked at: {}{more}",
        HumanCount(*count),
        names.join(", ")
    ));
}

/// What the check is told, and whom it tells.
struct Watcher<'w> {
    list: Option<&'w VerifiedList>,
    stop: &'w Stop,
    progress: &'w Progress,
}

impl BundleWatcher for Watcher<'_> {
    fn was_verified(&self, hash: &LemmaHash) -> bool {
        self.list.is_some_and(|list| list.contains(hash))
    }

    fn verified(&self, hash: &LemmaHash) -> io::Result<()> {
        self.list.map_or(Ok(()), |list| list.add(hash))
    }

    fn progress(&self, now: &BundleProgress) {
        let (lemmas, all) = (HumanCount(now.lemmas), HumanCount(now.all_lemmas));
        if now.all_nodes == 0 {
            self.progress.remark(format!("{lemmas} of {all} lemmas found"));
            return;
        }
        self.progress.parts(now.nodes as usize, now.all_nodes as usize);
        let visited = HumanCount(now.visited);
        self.progress.remark(format!("{lemmas} of {all} lemmas, {visited} positions visited"));
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }
}
