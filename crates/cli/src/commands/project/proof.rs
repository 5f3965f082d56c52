//! What an answer rests on; proofs and backups as files.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};

use anyhow::{Context, Result, ensure};
use certificate::{BundleFolder, Certificate, LemmaHash};
use cluster::project::{Conductor, ROOT_FILE};
use cluster::record::ProjectState;
use play::Stop;
use serde::Serialize;
use solve::FactCounts;

use super::open;
use crate::args::{ProjectBackup, ProjectExport, ProjectNamed, ProjectRestore};
use crate::output::{Answer, Console, counted};

#[derive(Serialize)]
struct Audited {
    name: String,
    state: String,
    certified: bool,
    lemmas: u64,
    /// Of the whole project.
    all_facts: u64,
    /// Of the proof, as is all that follows.
    facts: usize,
    facts_of_one: usize,
    facts_of_two: usize,
    facts_of_three: usize,
    facts_trusted: usize,
    facts_short: usize,
    inner: usize,
    ends: usize,
    founded: bool,
}

/// Says what the answer rests on, who vouches for that, and whether it is proved.
pub(super) fn audit(project: &ProjectNamed, console: &Console) -> Result<Answer> {
    let record = open(&project.place)?;
    let status = record.status(&project.name)?;
    let certified = record.file(status.project.id, ROOT_FILE)?.is_some();
    let (audit, trust) = Conductor::new(&record, &project.name, &Stop::new())?.audit()?;
    let FactCounts { facts, of_one, of_two, of_three, trusted } = audit.counts();
    let audited = Audited {
        name: project.name.clone(),
        state: status.project.state.to_string(),
        certified,
        lemmas: status.lemmas,
        all_facts: status.facts,
        facts,
        facts_of_one: of_one,
        facts_of_two: of_two,
        facts_of_three: of_three,
        facts_trusted: trusted,
        facts_short: audit.short(&trust).count(),
        inner: audit.inner,
        ends: audit.ends,
        founded: audit.is_founded,
    };
    let is_sure = audited.founded && (certified || status.project.state == ProjectState::Solved);
    console.answer(&audited, |out| write_audited(out, &audited))?;
    Ok(if is_sure { Answer::Yes } else { Answer::No })
}

fn write_audited(out: &mut dyn io::Write, audited: &Audited) -> io::Result<()> {
    let &Audited { ref state, facts, facts_short, inner, ends, lemmas, all_facts, .. } = audited;
    writeln!(out, "state      {state}")?;
    writeln!(
        out,
        "rests on   {} of {all_facts}: {} seen by one user, {} by two, {} by three or more, {} by \
         trusted machines",
        counted(facts as u64, "fact"),
        audited.facts_of_one,
        audited.facts_of_two,
        audited.facts_of_three,
        audited.facts_trusted
    )?;
    if facts_short > 0 {
        writeln!(out, "short      {} below the quorum", counted(facts_short as u64, "fact"))?;
    }
    match audited.founded {
        true => {
            writeln!(out, "follows    {inner} nodes from others, without circles; {ends} ends")?;
        }
        false => writeln!(out, "follows    not from the facts that are stored")?,
    }
    match audited.certified {
        true => writeln!(out, "proof      certified: {lemmas} lemmas and a root, all verified"),
        false => writeln!(out, "proof      none yet; {lemmas} lemmas verified"),
    }
}

#[derive(Serialize)]
struct ExportedProof {
    folder: String,
    lemmas: u64,
    bytes: u64,
}

/// Writes the proof of a solved project as a bundle; the root comes last.
pub(super) fn export(arguments: &ProjectExport, console: &Console) -> Result<Answer> {
    let record = open(&arguments.project.place)?;
    let name = &arguments.project.name;
    let project = record.expect_project(name)?.id;
    let root = record.file(project, ROOT_FILE)?;
    let root = root.with_context(|| {
        format!("project {name} has no proof yet; `project status` tells how it stands")
    })?;
    let path = &arguments.folder;
    ensure!(!path.exists(), "{} is there already; a proof gets a new folder", path.display());
    std::fs::create_dir(path).with_context(|| format!("cannot make {}", path.display()))?;
    let folder = BundleFolder::new(path);
    let (mut lemmas, mut bytes) = (0, root.len() as u64);
    // Some lemmas were made for facts that the proof did not need in the end.
    let (mut written, mut todo) = (HashSet::new(), lemmas_of(&root)?);
    while let Some(hash) = todo.pop() {
        if !written.insert(hash.0) {
            continue;
        }
        let file = record.lemma_bytes(project, &hash.0)?;
        let file = file.with_context(|| format!("the record lacks lemma {hash} of the proof"))?;
        todo.extend(lemmas_of(&file)?);
        storage::write(&folder.lemma(&hash), &file)?;
        lemmas += 1;
        bytes += file.len() as u64;
    }
    storage::write(&folder.root(), &root)?;
    let exported = ExportedProof { folder: path.display().to_string(), lemmas, bytes };
    console.answer(&exported, |out| {
        let ExportedProof { folder, lemmas, bytes } = &exported;
        writeln!(out, "{folder}: a root and {}, {bytes} bytes", counted(*lemmas, "lemma"))?;
        writeln!(out, "`zermelo verify {folder}` checks it")
    })
}

/// What a file of a proof rests on.
fn lemmas_of(file: &[u8]) -> Result<Vec<LemmaHash>> {
    let read = Certificate::read(file).context("the record holds a damaged proof")?;
    Ok(read.lemmas().iter().map(|lemma| lemma.hash).collect())
}

#[derive(Serialize)]
struct Moved {
    file: String,
    rows: u64,
}

/// Writes everything about a project to a file.
pub(super) fn backup(arguments: &ProjectBackup, console: &Console) -> Result<Answer> {
    let file = &arguments.file;
    let made = File::create_new(file).with_context(|| format!("cannot make {}", file.display()))?;
    let mut out = BufWriter::new(made);
    let exported = open(&arguments.project.place)?.export(&arguments.project.name, &mut out);
    let kept = exported.map_err(anyhow::Error::from).and_then(|exported| {
        out.flush()?;
        out.get_ref().sync_all()?;
        Ok(exported)
    });
    let exported = match kept {
        Ok(exported) => exported,
        Err(error) => {
            // Half a backup is none.
            drop(std::fs::remove_file(file));
            return Err(error);
        }
    };
    let moved = Moved { file: file.display().to_string(), rows: exported.rows };
    console.answer(&moved, |out| writeln!(out, "{}: {} rows", moved.file, moved.rows))
}

/// Makes a project from a backup.
pub(super) fn restore(arguments: &ProjectRestore, console: &Console) -> Result<Answer> {
    let file = &arguments.file;
    let from = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let imported = open(&arguments.place)?.import(None, &mut BufReader::new(from))?;
    let moved = Moved { file: file.display().to_string(), rows: imported.rows };
    console.answer(&moved, |out| writeln!(out, "restored from {}: {} rows", moved.file, moved.rows))
}
