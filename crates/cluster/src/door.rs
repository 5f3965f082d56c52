//! [`WorkDoor`]: what a worker on another machine may ask of a project's record, whatever protocol it
//! speaks.

use std::net::IpAddr;

use solve::message::{SolverVersion, UnitId};
use solve::store::{Lease, Receipt};

/// Somebody who was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// Which user.
    pub user: u64,
    /// Which of the user's machines.
    pub host: u64,
    /// From which network: users behind one address may be one person.
    pub network: u64,
    /// One of the projects' own machines.
    pub trusted: bool,
}

/// What a visitor gets who asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handed {
    /// This, for so many seconds.
    Unit(Box<Lease>, u64),
    /// Nothing now; it is worth asking again after so many seconds.
    Later(u32),
    /// Nothing, and why; asking again is of no use before something changes.
    Refused(Refused),
}

/// Why somebody gets no work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Its program would not find the same as others; these versions are wanted.
    OtherVersion(Vec<(String, SolverVersion)>),
    /// It has as many units as it may have.
    TooMany(u32),
    /// It had as many units today as it may have; fewer after errors.
    Quota(u32),
    /// Units take at least so many megabytes, and it offers less.
    Memory(u32),
    /// Every project that has work was told by it what is not so.
    Banned,
    /// No project has work any longer.
    Over,
}

/// Why a door gives no answer.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// Nobody has this token, or it was revoked.
    #[error("this token is not known here; ask whoever runs the project for one")]
    UnknownToken,
    /// The record does not answer.
    #[error("the record of the project does not answer: {0}")]
    Record(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Where workers of other machines come in; any number of doors, none of which remembers anything.
/// What is taken is on the disk before the answer is given.
pub trait WorkDoor: Send + Sync {
    /// Whose token this is. `host` is the name that the machine gives itself.
    ///
    /// # Errors
    /// If nobody's, or the record does not answer, as everywhere here.
    fn admit(&self, token: &str, from: IpAddr, host: &str) -> Result<Visitor, DoorError>;

    /// Something to do, from one of the projects by their shares. `versions` are the solver
    /// versions of the visitor's program by family, `megabytes` is the largest table it can have.
    fn lease(
        &self,
        who: &Visitor,
        versions: &[(String, SolverVersion)],
        megabytes: u32,
    ) -> Result<Handed, DoorError>;

    /// Says that a visitor still works at its units; which of them are still wanted.
    fn renew(&self, who: &Visitor, units: &[(UnitId, u32)]) -> Result<Vec<bool>, DoorError>;

    /// Gives up a lease.
    fn release(&self, who: &Visitor, unit: UnitId, attempt: u32) -> Result<(), DoorError>;

    /// Takes the bytes of a report.
    fn deliver(&self, who: &Visitor, report: &[u8]) -> Result<Receipt, DoorError>;

    /// Takes what a program said when its attempt failed, for whoever runs the project. It is kept
    /// once, with a report of that user that says so, and changes nothing.
    fn explain(
        &self,
        who: &Visitor,
        unit: UnitId,
        attempt: u32,
        error: &str,
    ) -> Result<(), DoorError> {
        let _ = (who, unit, attempt, error);
        Ok(())
    }

    /// Takes the file of a lemma that a report about this unit will name.
    fn keep_lemma(
        &self,
        who: &Visitor,
        unit: UnitId,
        attempt: u32,
        file: &[u8],
    ) -> Result<Receipt, DoorError>;
}
