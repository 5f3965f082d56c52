//! Stores of version 1: nodes by their texts, without the order of their moves.

use game::TextError;
use play::Stop;
use rusqlite::Connection;
use search::{ProofTable, Table};

use crate::coordinator::NodeRow;
use crate::goal::Bounds;
use crate::method::Method;
use crate::name::NodeName;
use crate::rules::{SolverRules, With};

pub(super) const VERSION: i32 = 1;

/// What a store of version 1 holds.
pub(super) struct OldStore {
    nodes: Vec<OldNode>,
    visited: u64,
    seconds: f64,
}

struct OldNode {
    /// Its position, or the moves that lead there.
    text: String,
    bounds: Bounds,
    tries: u32,
    effort: u64,
    expanded: bool,
}

/// The same for a store of today.
#[derive(Debug, Default)]
pub(super) struct Upgraded {
    pub(super) rows: Vec<NodeRow>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

impl OldStore {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<OldStore> {
        let spent = "SELECT nodes, seconds FROM problem";
        let (visited, seconds) = connection.query_row(spent, [], |row| {
            Ok((row.get::<_, i64>(0)? as u64, row.get::<_, f64>(1)?))
        })?;
        let question = "SELECT name, lower, upper, tries, nodes, expanded FROM places";
        let mut statement = connection.prepare(question)?;
        let nodes = statement.query_map([], |row| {
            Ok(OldNode {
                text: row.get(0)?,
                bounds: Bounds { lower: row.get(1)?, upper: row.get(2)? },
                tries: row.get(3)?,
                effort: row.get::<_, i64>(4)? as u64,
                expanded: row.get(5)?,
            })
        })?;
        Ok(OldStore { nodes: nodes.collect::<rusqlite::Result<_>>()?, visited, seconds })
    }

    /// Names instead of texts; moves in the order in which a search would try them, which nobody
    /// wrote down.
    pub(super) fn upgraded(
        self,
        rules: &dyn SolverRules,
        method: Method,
    ) -> Result<Upgraded, TextError> {
        let row = |node: OldNode| {
            let name = rules.read(&node.text)?;
            let order = node.expanded.then(|| order(rules, method, &name)).transpose()?;
            let OldNode { bounds, tries, effort, .. } = node;
            Ok(NodeRow { name, bounds, tries, effort, order })
        };
        let rows = self.nodes.into_iter().map(row).collect::<Result<_, TextError>>()?;
        Ok(Upgraded { rows, nodes: self.visited, seconds: self.seconds })
    }
}

fn order(rules: &dyn SolverRules, method: Method, name: &NodeName) -> Result<Vec<u16>, TextError> {
    if !rules.manner(method).ordered {
        return Ok(Vec::new());
    }
    // Any question will do, since nobody waits for the answer.
    let (table, stop) = (Table::of_bytes(0), Stop::new());
    let mut nobody = |_, _| {};
    let with = &mut With {
        method,
        table: &table,
        proofs: &mut ProofTable::new(0),
        stop: &stop,
        visited: &mut nobody,
    };
    Ok(rules.search(name, 1, 0, with)?.order)
}
