//! Flags of `zermelo project app`: the programs that BOINC clients run, and the keys that vouch for
//! them.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ProjectPlace;

/// `zermelo project app`.
#[derive(Args, Debug)]
pub(crate) struct ProjectApp {
    #[command(subcommand)]
    pub(crate) command: AppCommand,
}

/// What to do with programs.
#[derive(Debug, Subcommand)]
pub(crate) enum AppCommand {
    /// Add a version of the program; it is handed out once it is signed
    Add(AppAdd),
    /// Sign a program or a new public key; works on files alone, where the private key is
    Sign(AppSign),
    /// Give a version in the record the signature that was made elsewhere
    Attach(AppAttach),
    /// List the versions
    List(ProjectPlace),
    /// Hand a version out no longer; what is worked at with it is still taken
    Supersede(AppSupersede),
    /// Make, set and list the keys that sign programs
    Key(AppKey),
}

/// `zermelo project app add`.
#[derive(Args, Debug)]
pub(crate) struct AppAdd {
    /// The program, as `cargo xtask volunteer` names it: NAME_VERSION_PLATFORM or NAME_VERSION_PLATFORM__CLASS
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// Its signature, as `project app sign` wrote it [default: FILE.sig, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: Option<PathBuf>,
    /// The versions of its solvers, as its own --solvers lists them [default: those of this program]
    #[arg(long, value_name = "FILE")]
    pub(crate) solvers: Option<PathBuf>,
    /// Hand out no longer what was added before for the same platform and class
    #[arg(long)]
    pub(crate) supersede: bool,
}

/// `zermelo project app sign`.
#[derive(Args, Debug)]
pub(crate) struct AppSign {
    /// A program, or a public key that is to follow
    pub(crate) file: PathBuf,
    /// The private key, in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Where the signature goes [default: FILE.sig]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// `zermelo project app attach`.
#[derive(Args, Debug)]
pub(crate) struct AppAttach {
    /// The version, by the name of its file
    pub(crate) name: String,
    /// Its signature, as `project app sign` wrote it
    pub(crate) signature: PathBuf,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
}

/// `zermelo project app supersede`.
#[derive(Args, Debug)]
pub(crate) struct AppSupersede {
    /// The version, by the name of its file
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
}

/// `zermelo project app key`.
#[derive(Args, Debug)]
pub(crate) struct AppKey {
    #[command(subcommand)]
    pub(crate) command: AppKeyCommand,
}

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub(crate) enum AppKeyCommand {
    /// Make a key: the private part in FILE, the public one in FILE.pub
    Create(AppKeyCreate),
    /// Sign programs with this key from now on; versions have to be signed anew
    Set(AppKeySet),
    /// List the keys of the record, the newest first
    List(ProjectPlace),
}

/// `zermelo project app key create`.
#[derive(Args, Debug)]
pub(crate) struct AppKeyCreate {
    /// A file that is not there yet
    pub(crate) file: PathBuf,
}

/// `zermelo project app key set`.
#[derive(Args, Debug)]
pub(crate) struct AppKeySet {
    /// The public key
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// Its signature by the key before it, by which clients believe it [default: FILE.sig, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: Option<PathBuf>,
}
