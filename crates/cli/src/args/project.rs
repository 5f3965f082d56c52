//! Flags of `zermelo project` and `zermelo worker`: solving on many machines.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use play::numbers;
use solve::{Goal, Method};

use super::values::{Secret, StorePlace};
use super::{AdminFlags, BoincServe, Listening, ProjectAccount, ProjectApp, ProjectNotice, Spot};

/// `zermelo project`.
#[derive(Args, Debug)]
pub(crate) struct Project {
    #[command(subcommand)]
    pub(crate) command: ProjectCommand,
}

/// What to do with projects.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Make a project: one question about one game, for workers to answer together
    Create(Box<ProjectCreate>),
    /// List the projects of a record
    List(ProjectPlace),
    /// Hand out work and take results in, until Ctrl-C
    ///
    /// With PostgreSQL a second `serve` waits and takes over when the first one is silent, and any number of
    /// `serve --door-only` share the load. With SQLite everything runs on one machine. By default it listens on
    /// 127.0.0.1:8610. GET /metrics is a page for Prometheus, and needs the admin token where others can come in.
    Serve(Box<ProjectServe>),
    /// Say how a project stands
    Status(ProjectNamed),
    /// Hand out no more units of a project, for the time being
    Pause(ProjectNamed),
    /// Go on with a project that is paused
    Resume(ProjectNamed),
    /// Give a project up
    Cancel(ProjectNamed),
    /// Look at units, or add one by hand
    Unit(ProjectUnit),
    /// Make and revoke the tokens that workers say who they are with
    Token(ProjectToken),
    /// Say what the answer of a project rests on, and who vouches for it
    Audit(ProjectNamed),
    /// Show the audit log of a project
    Log(ProjectLog),
    /// List users and what they have done; or revoke one, whose results then count no longer
    User(ProjectUser),
    /// List teams and what they have done
    Team(ProjectTeam),
    /// Write the proof of a solved project to a new folder, for `zermelo verify`
    Export(ProjectExport),
    /// Write everything about a project to a file
    Backup(ProjectBackup),
    /// Make a project from a backup
    Restore(ProjectRestore),
    /// Look after the programs that BOINC clients run, and the keys that sign them
    App(ProjectApp),
    /// Delete what has been done with for long; facts, votes and the log stay
    Purge(ProjectPurge),
    /// Make the accounts that volunteers attach their BOINC client with
    Account(ProjectAccount),
    /// Tell volunteers something; their BOINC clients show it
    Notice(ProjectNotice),
}

/// Where projects are.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProjectPlace {
    /// The record: an SQLite file, which is made if it is not there, or postgres://user@host/name
    #[arg(long, value_name = "S", env = "ZERMELO_STORE", hide_env_values = true)]
    pub(crate) store: StorePlace,
}

/// A project by its name.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProjectNamed {
    /// What the project is called
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
}

/// `zermelo project create`.
#[derive(Args, Debug)]
pub(crate) struct ProjectCreate {
    /// What to call it: letters, digits, dots, dashes and underscores
    pub(crate) name: String,
    /// The game, as in reversi:6x6 or mnk:4x7,k=4
    pub(crate) game: String,
    /// The record: an SQLite file, which is made if it is not there, or postgres://user@host/name
    #[arg(
        long,
        value_name = "S",
        required_unless_present = "dry_run",
        env = "ZERMELO_STORE",
        hide_env_values = true
    )]
    pub(crate) store: Option<StorePlace>,
    #[command(flatten)]
    pub(crate) spot: Spot,
    /// What to find out: value, outcome, or ge:K (whether the first player's margin is at least K points)
    #[arg(long, value_name = "Q", default_value = "value")]
    pub(crate) question: Goal,
    /// How many users have to agree on a result; with 1 every worker is believed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    pub(crate) quorum: u8,
    /// About how many seconds the largest units take [default: 60 with a quorum of 1, else 1200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) unit_seconds: Option<u32>,
    /// The most nodes of a unit, instead of seconds
    #[arg(long, value_name = "N", value_parser = numbers::node_count, conflicts_with = "unit_seconds")]
    pub(crate) unit_nodes: Option<u64>,
    /// How a unit is worked at: alphabeta, proof or bestfirst [default: what suits the game]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<Method>,
    /// Megabytes of a worker's table, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "256", value_parser = numbers::hash_megabytes)]
    pub(crate) hash: usize,
    /// Store the whole tree to this depth before anything is worked at; units begin there
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) depth: Option<u32>,
    /// Keep so many units waiting for workers [default: as many as there are workers for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) ready: Option<u32>,
    /// With --depth: list what would be stored and make nothing; nodes that would become units are marked with B
    #[arg(long, requires = "depth")]
    pub(crate) dry_run: bool,
    /// With --dry-run: list every node of the tree, with images of a position and what is met again as nodes of their own
    #[arg(long, requires = "dry_run")]
    pub(crate) plain: bool,
    /// How much of the workers' time this project gets, beside the shares of others
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) share: u32,
    /// Make no proof of the answer
    #[arg(long)]
    pub(crate) no_proof: bool,
    /// With a quorum: after so many valid results a user is established
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) established_results: u32,
    /// With a quorum: and after so many days
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) established_days: u32,
    /// With a quorum: and so many checked by the server
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) established_checks: u32,
}

/// `zermelo project serve`.
#[derive(Args, Debug)]
pub(crate) struct ProjectServe {
    /// Which projects [default: all that are not at an end, also those that are made later]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    #[command(flatten)]
    pub(crate) listening: Listening,
    #[command(flatten)]
    pub(crate) admin: AdminFlags,
    /// Let workers in and drive no project: another `serve` does that
    #[arg(long)]
    pub(crate) door_only: bool,
    /// The certificate of this server, in PEM; without one only this machine or a named proxy may come in
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) certificate: Option<PathBuf>,
    /// Its key, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub(crate) key: Option<PathBuf>,
    /// Believe this proxy in front of the server when its X-Forwarded-For header says who asks; may be given several times
    #[arg(long, value_name = "ADDR")]
    pub(crate) proxy: Vec<IpAddr>,
    /// Threads of this machine that work, too, and are trusted [default: 1 where a quorum is asked for, else 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=256))]
    pub(crate) threads: Option<u32>,
    /// After so many seconds without a sign of its worker a unit is given to somebody else
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(2..=604_800))]
    pub(crate) lease_seconds: u64,
    /// How many units a machine may have at once
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) in_progress: u32,
    /// How many units a machine may have on one day; fewer after errors
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) daily: u32,
    /// How many requests a second one address may send, 1 to 1000000; ten times as many at once
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) requests: u32,
    /// Delete what has been done with for so many days
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) purge_days: u64,
    /// End when all projects are at an end
    #[arg(long)]
    pub(crate) until_solved: bool,
    #[command(flatten)]
    pub(crate) boinc: BoincServe,
}

/// `zermelo project unit`.
#[derive(Args, Debug)]
pub(crate) struct ProjectUnit {
    #[command(subcommand)]
    pub(crate) command: UnitCommand,
}

/// What to do with units.
#[derive(Debug, Subcommand)]
pub(crate) enum UnitCommand {
    /// List units with what came of them
    List(UnitList),
    /// Ask the project's question about one position, before all others
    Add(UnitAdd),
}

/// `zermelo project unit list`.
#[derive(Args, Debug)]
pub(crate) struct UnitList {
    #[command(flatten)]
    pub(crate) project: ProjectNamed,
    /// Only units that have failed, with why
    #[arg(long)]
    pub(crate) failed: bool,
    /// At most so many, the newest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) most: u32,
}

/// `zermelo project unit add`.
#[derive(Args, Debug)]
pub(crate) struct UnitAdd {
    #[command(flatten)]
    pub(crate) project: ProjectNamed,
    /// The position, as the game writes it; may be given several times
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Vec<String>,
    /// Positions in a file, one in each line
    #[arg(long, value_name = "FILE")]
    pub(crate) positions: Option<PathBuf>,
}

/// `zermelo project token`.
#[derive(Args, Debug)]
pub(crate) struct ProjectToken {
    #[command(subcommand)]
    pub(crate) command: TokenCommand,
}

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token for a user, who is made if there is none; it is shown this once
    Create(TokenCreate),
    /// Revoke a token
    Revoke(TokenRevoke),
}

/// `zermelo project token create`.
#[derive(Args, Debug)]
pub(crate) struct TokenCreate {
    /// Whose
    pub(crate) user: String,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// Its machines are the project's own: what they say needs no second opinion
    #[arg(long)]
    pub(crate) trusted: bool,
    /// The team of the user
    #[arg(long, value_name = "NAME")]
    pub(crate) team: Option<String>,
}

/// `zermelo project token revoke`.
#[derive(Args, Debug)]
pub(crate) struct TokenRevoke {
    /// The token
    pub(crate) token: Secret,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
}

/// `zermelo project log`.
#[derive(Args, Debug)]
pub(crate) struct ProjectLog {
    #[command(flatten)]
    pub(crate) project: ProjectNamed,
    /// At most so many lines, the newest
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) most: u32,
}

/// `zermelo project user`.
#[derive(Args, Debug)]
pub(crate) struct ProjectUser {
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// Revoke this user: its results count no longer, and what rested on them alone is worked at again
    #[arg(long, value_name = "NAME")]
    pub(crate) revoke: Option<String>,
    /// Machines instead of users
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) hosts: bool,
    /// Only what was done for this project
    #[arg(long, value_name = "NAME", conflicts_with_all = ["revoke", "hosts"])]
    pub(crate) project: Option<String>,
}

/// `zermelo project team`.
#[derive(Args, Debug)]
pub(crate) struct ProjectTeam {
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// Only what was done for this project
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
}

/// `zermelo project export`.
#[derive(Args, Debug)]
pub(crate) struct ProjectExport {
    #[command(flatten)]
    pub(crate) project: ProjectNamed,
    /// A folder that is not there yet
    pub(crate) folder: PathBuf,
}

/// `zermelo project backup`.
#[derive(Args, Debug)]
pub(crate) struct ProjectBackup {
    #[command(flatten)]
    pub(crate) project: ProjectNamed,
    /// A file that is not there yet
    pub(crate) file: PathBuf,
}

/// `zermelo project restore`.
#[derive(Args, Debug)]
pub(crate) struct ProjectRestore {
    /// What `project backup` wrote
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
}

/// `zermelo project purge`.
#[derive(Args, Debug)]
pub(crate) struct ProjectPurge {
    #[command(flatten)]
    pub(crate) place: ProjectPlace,
    /// Older than so many days
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) days: u64,
}

/// `zermelo worker`.
#[derive(Args, Debug)]
pub(crate) struct Worker {
    /// Where the work comes from: https://…, or http://… on this machine
    pub(crate) url: String,
    /// The token that says who works; better in a file, since others on this machine can read command lines
    #[arg(long, value_name = "T", required_unless_present = "token_file")]
    pub(crate) token: Option<Secret>,
    /// A file with the token
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub(crate) token_file: Option<PathBuf>,
    /// How many units are worked at at once, 1 to 256
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::thread_count)]
    pub(crate) threads: usize,
    /// Megabytes for the tables of each thread, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "256", value_parser = numbers::hash_megabytes)]
    pub(crate) hash: usize,
    /// How much of its threads' time the worker uses, in per cent
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) cpu: u8,
    /// When to work, as in 22-6 for the night [default: always]
    #[arg(long, value_name = "H-H")]
    pub(crate) hours: Option<cluster::WorkHours>,
    /// What this machine calls itself [default: its host name]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Where leases, checkpoints and reports are kept [default: a folder of this server in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Certificates to know the server by, in PEM [default: the system's]
    #[arg(long, value_name = "FILE")]
    pub(crate) certificates: Option<PathBuf>,
    /// End after so many units
    #[arg(long, value_name = "N")]
    pub(crate) units: Option<u64>,
    /// Stay when there is no work any longer, and ask now and then
    #[arg(long)]
    pub(crate) stay: bool,
}
