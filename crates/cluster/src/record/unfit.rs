//! Why nothing of what is ready is for a machine of a volunteer.

use solve::message::SolverVersion;

use super::link::tuple;
use super::work::family;
use super::{ClusterRecord, RecordError, ResultRequest};

impl ClusterRecord {
    /// Whether there is something ready for the program of a machine that got nothing: its user has
    /// had it all, and others have to answer.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn is_for_others(&self, asked: &ResultRequest<'_>) -> Result<bool, RecordError> {
        let rows = self.read(|link| {
            link.query(
                "SELECT DISTINCT p.game, u.solver
                 FROM projects p JOIN units u ON u.project = p.id
                 WHERE p.state IN ('running', 'auditing') AND p.share > 0
                 AND u.open = 1 AND u.waiting > 0 AND u.trusted_only = 0",
                &tuple![],
            )
        })?;
        for mut row in rows {
            let version = (family(&row.text(0)?).to_owned(), SolverVersion(row.word(1)?));
            if asked.solvers.contains(&version) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
