//! Volunteers: their accounts, notices to them, and the door that their BOINC clients come in by.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use cluster::ClusterRecord;
use cluster::boinc::{BoincDoor, BoincKey, BoincOptions, Scheduler};
use cluster::record::FeedOrder;
use serde::Serialize;

use super::open;
use crate::args::{AccountCreate, Feed, ProjectNotice, ProjectServe};
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct NewAccount<'a> {
    authenticator: &'a str,
}

/// Makes an account.
pub(super) fn create_account(arguments: &AccountCreate, console: &Console) -> Result<Answer> {
    let AccountCreate { email, place, name } = arguments;
    let before = email.split('@').next().unwrap_or_default();
    let shown = name.as_deref().unwrap_or(before);
    let authenticator = open(place)?.create_account(email, None, shown)?;
    let made = NewAccount { authenticator: authenticator.reveal() };
    console.answer(&made, |out| {
        writeln!(out, "{}", made.authenticator)?;
        writeln!(out, "That is the account key, for `boinccmd --project_attach URL KEY`.")
    })
}

#[derive(Serialize)]
struct NewNotice {
    notice: u64,
}

/// Tells volunteers something.
pub(super) fn notice(arguments: &ProjectNotice, console: &Console) -> Result<Answer> {
    let ProjectNotice { title, words, place } = arguments;
    let made = NewNotice { notice: open(place)?.add_notice(title, words)? };
    console.answer(&made, |out| writeln!(out, "notice {} is published", made.notice))
}

/// Where BOINC clients come in, if they are to be let in.
pub(super) fn door(record: &ClusterRecord, arguments: &ProjectServe) -> Result<Option<BoincDoor>> {
    let given = &arguments.boinc;
    let Some(url) = &given.boinc else { return Ok(None) };
    let is_url = url.starts_with("https://") || url.starts_with("http://");
    ensure!(is_url && !url.contains(char::is_whitespace), "--boinc is an address: https://…/");
    ensure!(url.len() <= 180, "--boinc: an address of at most 180 letters is right");
    let key = upload_key(arguments)?;
    let options = BoincOptions {
        deadline: given.boinc_deadline,
        grace: given.boinc_grace,
        request_delay: given.boinc_delay,
        next_contact: given.boinc_contact,
        trickle: given.boinc_trickle,
        in_progress: arguments.in_progress,
        daily: arguments.daily,
        maintenance: given.maintenance,
        closed: given.boinc_closed,
        ..BoincOptions::new(url, &given.boinc_name)
    };
    Ok(Some(BoincDoor::new(Scheduler::new(record, options, key))))
}

/// Which unit comes first.
pub(super) fn feed_order(feed: Feed) -> FeedOrder {
    match feed {
        Feed::Age => FeedOrder::Age,
        Feed::Priority => FeedOrder::Priority,
        Feed::Random => FeedOrder::Random,
    }
}

fn upload_key(arguments: &ProjectServe) -> Result<BoincKey> {
    let file = match &arguments.boinc.boinc_upload_key {
        Some(file) => file.clone(),
        None if arguments.place.store.0.contains("://") => {
            bail!("--boinc-upload-key FILE is needed: every server of the project has the same one")
        }
        None => beside(Path::new(&arguments.place.store.0)),
    };
    BoincKey::read_or_generate(&file).context("uploads cannot be certified")
}

fn beside(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".upload.pem");
    PathBuf::from(name)
}
