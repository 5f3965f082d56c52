//! Flags of `zermelo project` that have to do with volunteers and their BOINC clients.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::ProjectPlace;

/// Flags of `zermelo project serve` for volunteers.
#[derive(Args, Clone, Debug)]
pub(crate) struct BoincServe {
    /// Let BOINC clients in, too: the address that volunteers attach to, as in https://example.org/
    #[arg(long, value_name = "URL")]
    pub(crate) boinc: Option<String>,
    /// What volunteers' clients call the project
    #[arg(long, value_name = "NAME", default_value = "Zermelo", requires = "boinc")]
    pub(crate) boinc_name: String,
    /// The key that certifies uploads, in PEM, made if it is not there [default: beside an SQLite record]
    #[arg(long, value_name = "FILE", requires = "boinc")]
    pub(crate) boinc_upload_key: Option<PathBuf>,
    /// Volunteers' results should be back after so many seconds
    #[arg(long, value_name = "N", default_value_t = 259_200, requires = "boinc",
        value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub(crate) boinc_deadline: u64,
    /// So many seconds later somebody else gets the unit; what comes late is still taken
    #[arg(long, value_name = "N", default_value_t = 43_200, requires = "boinc",
        value_parser = clap::value_parser!(u64).range(0..=31_536_000))]
    pub(crate) boinc_grace: u64,
    /// Clients wait at least so many seconds between requests; longer under load
    #[arg(long, value_name = "N", default_value_t = 10, requires = "boinc")]
    pub(crate) boinc_delay: u32,
    /// Clients come again after so many seconds although they need nothing; 0 for whenever they like
    #[arg(long, value_name = "N", default_value_t = 0, requires = "boinc")]
    pub(crate) boinc_contact: u32,
    /// Programs say after so many seconds how far they are; 0 for every six hours
    #[arg(long, value_name = "N", default_value_t = 0, requires = "boinc")]
    pub(crate) boinc_trickle: u32,
    /// Nobody new may open an account
    #[arg(long, requires = "boinc")]
    pub(crate) boinc_closed: bool,
    /// Tell BOINC clients that the project is down for maintenance
    #[arg(long, requires = "boinc")]
    pub(crate) maintenance: bool,
    /// Which of a project's units comes first
    #[arg(long, value_name = "ORDER", default_value = "age")]
    pub(crate) feed: Feed,
}

/// Which unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Feed {
    /// The oldest
    Age,
    /// The one that needs the fewest answers more
    Priority,
    /// Any
    Random,
}

/// `zermelo project account`.
#[derive(Args, Debug)]
pub(crate) struct ProjectAccount {
    #[command(subcommand)]
    pub(crate) command: AccountCommand,
}

/// What to do with accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Make an account, or show the key of the one that was made here before
    Create(AccountCreate),
}

/// `zermelo project account create`.
#[derive(Args, Debug)]
pub(crate) struct AccountCreate {
    /// The volunteer's address; only its MD5 is kept
    pub(crate) email: String,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// What the volunteer is called [default: what stands before the @]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// `zermelo project notice`.
#[derive(Args, Debug)]
pub(crate) struct ProjectNotice {
    /// In a few words
    pub(crate) title: String,
    /// In full
    pub(crate) words: String,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
}
