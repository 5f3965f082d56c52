//! [`Generation`]: the tree of a project to a depth, stored before anything is worked at.
//!
//! Nodes are written in portions, each in one transaction with the cursor. Whoever comes after a
//! kill walks to the cursor without writing, and goes on. Two who do it at once do not hurt: a
//! portion of the one that is late is refused.

use game::TextError;
use play::Stop;
use serde::{Deserialize, Serialize};
use solve::coordinator::NodeRow;
use solve::{Bounds, SolverRules};

use super::conductor::ConductError;
use super::walk::{TreeWalk, WalkCounts, WalkedNode};
use crate::record::{ClusterRecord, Portion, RecordError};

/// Nodes that are written at once.
const PORTION: usize = 10_000;

/// What is stored of which project.
#[allow(missing_debug_implementations, reason = "it holds the rules of a game")]
#[derive(Clone, Copy)]
pub struct Generation<'g> {
    /// Where.
    pub record: &'g ClusterRecord,
    /// Which project.
    pub project: u32,
    /// Its game and position.
    pub rules: &'g dyn SolverRules,
    /// How deep.
    pub depth: u32,
    /// Ends it between two portions.
    pub stop: &'g Stop,
}

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The tree is there.
    Whole(WalkCounts),
    /// Somebody said stop; the cursor says where to go on.
    Stopped(WalkCounts),
    /// Somebody else does it.
    Elsewhere,
}

/// Why a tree cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The record does not answer.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The rules do not know a node.
    #[error(transparent)]
    Rules(#[from] TextError),
}

impl GenerateError {
    /// For whoever drives the project of this name.
    pub(super) fn of(self, name: &str) -> ConductError {
        match self {
            GenerateError::Record(error) => ConductError::Record(error),
            GenerateError::Rules(error) => ConductError::Problem(name.to_owned(), error),
        }
    }
}

/// How far a tree has been stored.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Cursor {
    depth: u32,
    /// Which child on each ply, down to the last node that was stored.
    path: Vec<u32>,
    is_whole: bool,
    counts: WalkCounts,
}

impl Generation<'_> {
    /// Stores what is missing, and tells after each portion how far it is.
    ///
    /// # Errors
    /// If the record does not answer, or the rules do not know a node.
    pub fn run(&self, tell: &mut dyn FnMut(WalkCounts)) -> Result<Stored, GenerateError> {
        self.run_by(PORTION, tell)
    }

    /// The same with portions of another size.
    ///
    /// # Errors
    /// As there.
    pub fn run_by(
        &self,
        portion: usize,
        tell: &mut dyn FnMut(WalkCounts),
    ) -> Result<Stored, GenerateError> {
        let mut found = self.record.cursor(self.project)?;
        let cursor = found.as_deref().and_then(|bytes| self.read(bytes));
        let mut walk = TreeWalk::merged(self.rules, self.depth);
        if let Some(Cursor { path, is_whole, counts, .. }) = cursor {
            if is_whole {
                return Ok(Stored::Whole(counts));
            }
            if !walk.go_to(&path)? {
                // What was stored is stored once more, which changes nothing.
                walk = TreeWalk::merged(self.rules, self.depth);
            }
        }
        loop {
            if self.stop.is_stopped() {
                return Ok(Stored::Stopped(walk.counts()));
            }
            let rows = walk.by_ref().take(portion).map(|node| node.map(|node| row(&node)));
            let rows = rows.collect::<Result<Vec<NodeRow>, TextError>>()?;
            let (counts, is_whole) = (walk.counts(), rows.len() < portion);
            let cursor = Cursor { depth: self.depth, path: walk.path(), is_whole, counts };
            let after = serde_json::to_vec(&cursor).unwrap_or_default();
            let end = is_whole.then(|| in_words(self.depth, counts));
            let (before, end) = (found.as_deref(), end.as_deref());
            let portion = Portion { rows: &rows, before, after: &after, end };
            if !self.record.add_portion(self.project, &portion)? {
                return Ok(Stored::Elsewhere);
            }
            if is_whole {
                return Ok(Stored::Whole(counts));
            }
            tell(counts);
            found = Some(after);
        }
    }

    /// A cursor that is none, or of another depth, is none.
    fn read(&self, bytes: &[u8]) -> Option<Cursor> {
        let cursor: Cursor = serde_json::from_slice(bytes).ok()?;
        (cursor.depth == self.depth).then_some(cursor)
    }
}

/// A node as a coordinator loads it: all its moves lead to nodes, or work begins there.
fn row(node: &WalkedNode) -> NodeRow {
    NodeRow {
        name: node.name(),
        bounds: Bounds::ANY,
        tries: 0,
        effort: 0,
        order: (!node.is_unit).then(|| node.order.clone()),
    }
}

fn in_words(depth: u32, counts: WalkCounts) -> String {
    let WalkCounts { made, stored, skipped, duplicate } = counts;
    format!(
        "the tree to depth {depth} is stored: {stored} nodes, {made} of them for units; \
         {skipped} where the game is over, {duplicate} met again"
    )
}
