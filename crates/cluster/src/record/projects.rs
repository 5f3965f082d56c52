//! Projects: made, found, paused.

use std::fmt;
use std::str::FromStr;

use solve::store::Epoch;
use solve::{Bounds, NodeName};

use super::error::RecordError;
use super::link::{Link, Tuple, tuple};
use super::{ClusterRecord, log, random};

/// What a project is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProject {
    /// What people call it: unique in a record.
    pub name: String,
    /// The game with its parameters.
    pub game: String,
    /// The position asked about, as text.
    pub position: String,
    /// The question, as text.
    pub goal: String,
    /// How it is worked at, as JSON. The record does not look into it.
    pub plan: String,
    /// How many users have to agree.
    pub quorum: u32,
    /// Whether what a trusted machine says is enough.
    pub trusted_alone: bool,
    /// How much of the workers' time it gets, beside the shares of others.
    pub share: u32,
}

/// How a project stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectState {
    /// Units are handed out.
    Running,
    /// None are, until somebody resumes it.
    Paused,
    /// It is answered, and the answer is being audited; units are handed out.
    Auditing,
    /// The end: the answer is audited.
    Solved,
    /// The end: nobody wants the answer.
    Cancelled,
}

const STATES: [(ProjectState, &str); 5] = [
    (ProjectState::Running, "running"),
    (ProjectState::Paused, "paused"),
    (ProjectState::Auditing, "auditing"),
    (ProjectState::Solved, "solved"),
    (ProjectState::Cancelled, "cancelled"),
];

impl fmt::Display for ProjectState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = STATES.iter().find(|(state, _)| state == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl FromStr for ProjectState {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<ProjectState, RecordError> {
        let found = STATES.iter().find(|(_, name)| *name == text).map(|&(state, _)| state);
        found.ok_or_else(|| RecordError::Damaged(format!("{text:?} is no state of a project")))
    }
}

/// A project as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectRow {
    /// Its number: random, so that projects can move from one record to another.
    pub id: u32,
    /// What it was made of.
    pub made_of: NewProject,
    /// How it stands.
    pub state: ProjectState,
    /// Which coordinator may write.
    pub epoch: u64,
    /// How often it was claimed or restored.
    pub incarnation: u32,
    /// The number of the next unit.
    pub next_number: u64,
    /// The last batch that was written.
    pub batches: u64,
    /// Positions visited by units that were believed.
    pub nodes: u64,
    /// Time that coordinators have spent on it, in seconds.
    pub seconds: f64,
    /// Units that are done.
    pub done: u64,
    /// What is known of the first player's margin, if anything is.
    pub bounds: Option<Bounds>,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// When its coordinator last wrote something; 0 if nobody drives it.
    pub beat: u64,
    /// How far it is, as its coordinator last said, in JSON. The record does not look into it.
    pub progress: Option<String>,
}

/// One statement cannot be put together from pieces, as statements are constants.
macro_rules! select_projects {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, game, position, goal, plan, quorum, trusted_alone, share, state,
             epoch, incarnation, next_number, batches, nodes, seconds, done, lower_bound,
             upper_bound, created, beat, progress FROM projects ",
            $rest
        )
    };
}

impl ClusterRecord {
    /// How long nobody has driven a project, in seconds; very long if whoever did has let go of it.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn silence(&self, project: u32) -> Result<u64, RecordError> {
        let beat = self.read(|link| {
            let beat = link.number("SELECT beat FROM projects WHERE id = $1", &tuple![project])?;
            Ok(link.now()?.saturating_sub(beat as u64))
        })?;
        Ok(beat)
    }

    /// Says that nobody drives a project any longer, so that nobody waits.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn release_project(&self, project: u32) -> Result<(), RecordError> {
        let update = "UPDATE projects SET beat = 0 WHERE id = $1";
        self.write(|link| link.execute(update, &tuple![project]).map(drop))
    }

    /// Units of a project that somebody may have now, and leases that have not run out.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn ready_and_leased(&self, project: u32) -> Result<(u64, u64), RecordError> {
        self.read(|link| {
            let ready = "SELECT count(*) FROM units
                         WHERE project = $1 AND open = 1 AND waiting > 0";
            let leased = "SELECT count(*) FROM attempts WHERE project = $1 AND state = 0";
            let ready = link.number(ready, &tuple![project])?;
            Ok((ready as u64, link.number(leased, &tuple![project])? as u64))
        })
    }

    /// How many machines asked for work in vain within these seconds, and got none since.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn hungry(&self, seconds: u64) -> Result<u64, RecordError> {
        let asked = "SELECT count(*) FROM hosts WHERE asked >= {now} - $1";
        self.read(|link| Ok(link.number(asked, &tuple![seconds])? as u64))
    }

    /// Positions that somebody wants to have worked at before all others; how many are new.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn add_wishes(&self, project: u32, names: &[NodeName]) -> Result<usize, RecordError> {
        self.write(|link| {
            let insert = "INSERT INTO wishes (project, name, created) VALUES ($1, $2, {now})
                          ON CONFLICT DO NOTHING";
            let mut new = 0;
            for name in names {
                new += link.execute(insert, &tuple![project, name.as_bytes()])?;
            }
            Ok(new as usize)
        })
    }

    /// What somebody wants to have worked at.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn wishes(&self, project: u32) -> Result<Vec<NodeName>, RecordError> {
        let select = "SELECT name FROM wishes WHERE project = $1 ORDER BY created, name";
        let rows = self.read(|link| link.query(select, &tuple![project]))?;
        rows.into_iter().map(|mut row| Ok(NodeName::new(row.bytes(0)?))).collect()
    }

    /// These have become units.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn forget_wishes(&self, project: u32, names: &[NodeName]) -> Result<(), RecordError> {
        self.write(|link| {
            names.iter().try_for_each(|name| {
                let delete = "DELETE FROM wishes WHERE project = $1 AND name = $2";
                link.execute(delete, &tuple![project, name.as_bytes()]).map(drop)
            })
        })
    }

    /// Keeps a file of a project under a name, in the place of one that was there.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn keep_file(&self, project: u32, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        self.write(|link| {
            let insert = "INSERT INTO files (project, name, bytes, created)
                          VALUES ($1, $2, $3, {now})
                          ON CONFLICT (project, name) DO UPDATE SET bytes = excluded.bytes";
            link.execute(insert, &tuple![project, name, bytes]).map(drop)
        })
    }

    /// A file of a project.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn file(&self, project: u32, name: &str) -> Result<Option<Vec<u8>>, RecordError> {
        let select = "SELECT bytes FROM files WHERE project = $1 AND name = $2";
        let row = self.read(|link| link.query_one(select, &tuple![project, name]))?;
        row.map(|mut row| row.bytes(0)).transpose()
    }

    /// A project by its name.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn project(&self, name: &str) -> Result<Option<ProjectRow>, RecordError> {
        let select = select_projects!("WHERE name = $1");
        self.read(|link| link.query_one(select, &tuple![name])?.map(project_row).transpose())
    }

    /// A project by its name, which has to be there.
    ///
    /// # Errors
    /// Also if it is not.
    pub fn expect_project(&self, name: &str) -> Result<ProjectRow, RecordError> {
        self.project(name)?.ok_or_else(|| RecordError::NoProject(name.to_owned()))
    }

    /// All projects, the oldest first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn projects(&self) -> Result<Vec<ProjectRow>, RecordError> {
        let select = select_projects!("ORDER BY created, name");
        let rows = self.read(|link| link.query(select, &tuple![]))?;
        rows.into_iter().map(project_row).collect()
    }

    /// Makes a project, which runs from now on.
    ///
    /// # Errors
    /// If there is one of this name.
    pub fn create_project(&self, new: &NewProject) -> Result<ProjectRow, RecordError> {
        check_name(&new.name)?;
        self.write(|link| {
            let same = link.query("SELECT 1 FROM projects WHERE name = $1", &tuple![&*new.name])?;
            if !same.is_empty() {
                return Err(RecordError::ProjectExists(new.name.clone()));
            }
            let id = free_id(link)?;
            let NewProject { name, game, position, goal, plan, .. } = new;
            let given = tuple![
                id,
                name.as_str(),
                game.as_str(),
                position.as_str(),
                goal.as_str(),
                plan.as_str(),
                new.quorum,
                new.trusted_alone,
                new.share,
            ];
            link.execute(
                "INSERT INTO projects (id, name, game, position, goal, plan, quorum, trusted_alone,
                 share, state, epoch, incarnation, next_number, batches, nodes, seconds, done,
                 created)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', 0, 0, 0, 0, 0, 0, 0,
                     {now})",
                &given,
            )?;
            log(link, id, &format!("made: {goal} of {game}"))
        })?;
        self.expect_project(&new.name)
    }

    /// Pauses a project, resumes it, or ends it.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn set_state(&self, project: u32, state: ProjectState) -> Result<(), RecordError> {
        self.write(|link| put_state(link, project, state))
    }

    /// Says how far a project is; only whoever drives it may.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn set_progress(
        &self,
        project: u32,
        epoch: Epoch,
        progress: &str,
    ) -> Result<(), RecordError> {
        let set = "UPDATE projects SET progress = $3 WHERE id = $1 AND epoch = $2";
        self.write(|link| link.execute(set, &tuple![project, epoch.0, progress]).map(drop))
    }

    /// Changes how much of the workers' time a project gets.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn set_share(&self, project: u32, share: u32) -> Result<(), RecordError> {
        self.write(|link| {
            let given = tuple![project, share];
            link.execute("UPDATE projects SET share = $2 WHERE id = $1", &given).map(drop)
        })
    }

    /// Changes how a project is worked at from its next claim on.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn set_plan(&self, project: u32, plan: &str) -> Result<(), RecordError> {
        self.write(|link| {
            let given = tuple![project, plan];
            link.execute("UPDATE projects SET plan = $2 WHERE id = $1", &given).map(drop)
        })
    }
}

pub(super) fn put_state(
    link: &mut dyn Link,
    project: u32,
    state: ProjectState,
) -> Result<(), RecordError> {
    let state = state.to_string();
    let given = tuple![project, &*state];
    link.execute("UPDATE projects SET state = $2 WHERE id = $1", &given)?;
    log(link, project, &state)
}

/// A number that no project has.
fn free_id(link: &mut dyn Link) -> Result<u32, RecordError> {
    loop {
        let id = (u32::from_le_bytes(random()?) >> 1).max(1);
        if link.query("SELECT 1 FROM projects WHERE id = $1", &tuple![id])?.is_empty() {
            return Ok(id);
        }
    }
}

/// Names are written on command lines, into logs and addresses.
pub(super) fn check_name(name: &str) -> Result<(), RecordError> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "._-@".contains(c);
    let is_short = (1..=64).contains(&name.len());
    if is_short && name.chars().all(is_fine) && !name.starts_with('-') {
        return Ok(());
    }
    Err(RecordError::BadName(name.to_owned()))
}

fn project_row(mut row: Tuple) -> Result<ProjectRow, RecordError> {
    let bound = |column| row.optional_int(column).map(|bound| bound as i32);
    let bounds = bound(17).zip(bound(18)).map(|(lower, upper)| Bounds { lower, upper });
    Ok(ProjectRow {
        id: row.small(0)?,
        made_of: NewProject {
            name: row.text(1)?,
            game: row.text(2)?,
            position: row.text(3)?,
            goal: row.text(4)?,
            plan: row.text(5)?,
            quorum: row.small(6)?,
            trusted_alone: row.flag(7)?,
            share: row.small(8)?,
        },
        state: row.text(9)?.parse()?,
        epoch: row.word(10)?,
        incarnation: row.small(11)?,
        next_number: row.word(12)?,
        batches: row.word(13)?,
        nodes: row.word(14)?,
        seconds: row.real(15)?,
        done: row.word(16)?,
        bounds,
        created: row.word(19)?,
        beat: row.word(20)?,
        progress: row.text(21).ok(),
    })
}
