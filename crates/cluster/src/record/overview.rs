//! What an operator watches: all projects at once, and what was done lately.

use super::error::RecordError;
use super::link::tuple;
use super::{ClusterRecord, ProjectStatus};

/// What was done within some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoneLately {
    /// Units with a result that was believed.
    pub units: u64,
    /// Positions that these results report, each as often as it was reported.
    pub nodes: u64,
    /// How long that was, in seconds: no longer than the project is old.
    pub seconds: u64,
}

impl DoneLately {
    /// Units a second.
    #[must_use]
    pub fn units_per_second(self) -> f64 {
        self.units as f64 / self.seconds.max(1) as f64
    }

    /// Nodes a second.
    #[must_use]
    pub fn nodes_per_second(self) -> f64 {
        self.nodes as f64 / self.seconds.max(1) as f64
    }
}

/// A project with what can go wrong with it. Ages are in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectOverview {
    /// How it stands.
    pub status: ProjectStatus,
    /// How long ago its coordinator has written something, if one drives it.
    pub silence: Option<u64>,
    /// How long the oldest result waits that no coordinator has heard of.
    pub oldest_delivery: Option<u64>,
    /// How long the oldest unit waits that somebody may have.
    pub oldest_unit: Option<u64>,
    /// Leases that ran out and were not given to anybody else yet.
    pub overdue: u64,
    /// What was done in the last five minutes.
    pub lately: DoneLately,
}

/// All projects, and who works at them.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOverview {
    /// The oldest first.
    pub projects: Vec<ProjectOverview>,
    /// Users that were not revoked.
    pub users: u64,
    /// Machines that were seen in the last hour.
    pub hosts: u64,
    /// Tokens that are worth something.
    pub tokens: u64,
}

/// What counts as lately.
pub const LATELY: u64 = 300;

impl ClusterRecord {
    /// What was done at a project within so many seconds.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn done_lately(&self, project: u32, seconds: u64) -> Result<DoneLately, RecordError> {
        self.read(|link| {
            let row = link.query_one(
                "SELECT count(DISTINCT unit), CAST(coalesce(sum(credit), 0) AS BIGINT),
                     (SELECT {now} - created FROM projects WHERE id = $1)
                 FROM votes WHERE project = $1 AND made > {now} - $2 AND verdict = 0",
                &tuple![project, seconds],
            )?;
            let missing = || RecordError::Damaged(format!("project {project} is missing"));
            let row = row.ok_or_else(missing)?;
            let age = row.optional_int(2).ok_or_else(missing)?.max(1) as u64;
            let (units, nodes) = (row.word(0)?, row.word(1)?);
            Ok(DoneLately { units, nodes, seconds: seconds.min(age) })
        })
    }

    /// How all projects stand.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn overview(&self) -> Result<RecordOverview, RecordError> {
        let mut projects = Vec::new();
        for row in self.projects()? {
            match self.project_overview(&row.made_of.name) {
                Ok(overview) => projects.push(overview),
                // It was deleted meanwhile.
                Err(RecordError::NoProject(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.read(|link| {
            let mut count = |text| link.number(text, &tuple![]).map(|count| count as u64);
            Ok(RecordOverview {
                users: count("SELECT count(*) FROM users WHERE revoked = 0")?,
                hosts: count("SELECT count(*) FROM hosts WHERE seen > {now} - 3600")?,
                tokens: count("SELECT count(*) FROM tokens WHERE revoked = 0")?,
                projects: std::mem::take(&mut projects),
            })
        })
    }

    fn project_overview(&self, name: &str) -> Result<ProjectOverview, RecordError> {
        let status = self.status(name)?;
        let id = status.project.id;
        let lately = self.done_lately(id, LATELY)?;
        self.read(|link| {
            let now = link.now()?;
            let age = |then: i64| (then > 0).then(|| now.saturating_sub(then as u64));
            let mut number = |text| link.number(text, &tuple![id]);
            Ok(ProjectOverview {
                silence: age(status.project.beat as i64),
                oldest_delivery: age(number(
                    "SELECT coalesce(min(delivered), 0) FROM attempts
                     WHERE project = $1 AND state = 2",
                )?),
                oldest_unit: age(number(
                    "SELECT coalesce(min(created), 0) FROM units
                     WHERE project = $1 AND open = 1 AND waiting > 0",
                )?),
                overdue: number(
                    "SELECT count(*) FROM attempts
                     WHERE project = $1 AND state = 0 AND until <= {now}",
                )? as u64,
                status: status.clone(),
                lately,
            })
        })
    }
}
