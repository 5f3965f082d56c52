//! Nodes that are stored before anybody drives a project.

use solve::coordinator::NodeRow;

use super::commit::insert_nodes;
use super::error::RecordError;
use super::link::tuple;
use super::{ClusterRecord, log};

/// The file of a project that says how far its tree has been stored.
const CURSOR: &str = "cursor";

/// A portion of a tree that is stored in one transaction.
#[derive(Clone, Copy, Debug)]
pub struct Portion<'p> {
    /// The nodes.
    pub rows: &'p [NodeRow],
    /// The cursor as it was found.
    pub before: Option<&'p [u8]>,
    /// What it is from now on.
    pub after: &'p [u8],
    /// If that was all: a line for the audit log.
    pub end: Option<&'p str>,
}

impl ClusterRecord {
    /// How far the tree of a project has been stored, as [`add_portion`](Self::add_portion) was
    /// told.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn cursor(&self, project: u32) -> Result<Option<Vec<u8>>, RecordError> {
        self.file(project, CURSOR)
    }

    /// Stores nodes together with the cursor, so that a kill costs nothing; whether it has: not if
    /// somebody else has moved the cursor meanwhile. What is known of a node stays as it is. Until
    /// the last portion the project counts as driven.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn add_portion(&self, project: u32, portion: &Portion<'_>) -> Result<bool, RecordError> {
        self.write(|link| {
            link.query("SELECT 1 FROM projects WHERE id = $1 {lock}", &tuple![project])?;
            let select = "SELECT bytes FROM files WHERE project = $1 AND name = $2";
            let found = link.query_one(select, &tuple![project, CURSOR])?;
            let found = found.map(|mut row| row.bytes(0)).transpose()?;
            if found.as_deref() != portion.before {
                return Ok(false);
            }
            insert_nodes(link, project, portion.rows)?;
            link.execute(
                "INSERT INTO files (project, name, bytes, created) VALUES ($1, $2, $3, {now})
                 ON CONFLICT (project, name) DO UPDATE SET bytes = excluded.bytes",
                &tuple![project, CURSOR, portion.after],
            )?;
            let beat = match portion.end {
                Some(_) => "UPDATE projects SET beat = 0 WHERE id = $1",
                None => "UPDATE projects SET beat = {now} WHERE id = $1",
            };
            link.execute(beat, &tuple![project])?;
            portion.end.map_or(Ok(()), |line| log(link, project, line))?;
            Ok(true)
        })
    }
}
