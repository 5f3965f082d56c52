//! What a worker and a door say to each other: JSON over HTTP, under `/api/v1/`
//! (`docs/worker-protocol.md`).
//!
//! Everything that comes from outside is read by plain functions ([`read`] and the conversions of
//! [`UnitJson`] and [`ReportJson`]): of limited size, checked, refused in one line.

mod report;
mod unit;

use std::collections::BTreeMap;

use game::shown;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use solve::message::SolverVersion;
use solve::store::{Lease, Receipt};

use crate::door::Refused;
pub use report::{FailureJson, FindingJson, ReportJson, SubFactJson};
pub use unit::{FitJson, QuestionJson, SideJson, TaskJson, UnitIdText, UnitJson, VersionText};

/// The version of the protocol that this program speaks: the number in `/api/v1/`.
pub const PROTOCOL: u32 = 1;
/// The header with the name that a machine gives itself.
pub const WORKER_NAME: &str = "worker-name";
/// No JSON of the protocol has more bytes.
pub const LARGEST_JSON: usize = 1 << 20;
/// No file of a lemma has more bytes.
pub const LARGEST_LEMMA: usize = 16 << 20;
/// No name of a machine has more bytes, and no token.
pub const LONGEST_NAME: usize = 200;
/// No error text has more bytes.
pub const LONGEST_ERROR: usize = 4000;
/// No machine works at more units.
pub const MOST_UNITS: usize = 1024;

/// Why JSON is not what it should be. Prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// It has too many bytes.
    #[error("this has {bytes} bytes; at most {most} are allowed")]
    TooLarge {
        /// So many.
        bytes: usize,
        /// No more than this.
        most: usize,
    },
    /// It is no JSON of this kind.
    #[error("this is not the JSON that is expected here: {}", shown(.0))]
    Malformed(String),
    /// A field does not say what it should.
    #[error("{field}: {} is not {wanted}", game::quote(.found))]
    Wrong {
        /// Which.
        field: &'static str,
        /// What it says.
        found: String,
        /// What would be right.
        wanted: &'static str,
    },
    /// More than any message holds, or numbers that no message has.
    #[error("{0}")]
    Message(String),
    /// A unit is not what its hash says.
    #[error("unit {0} does not have its hash: a field is not understood, or was changed")]
    OtherHash(UnitIdText),
}

/// Reads what came from outside.
///
/// # Errors
/// Says in one line what is wrong with it.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    if bytes.len() > LARGEST_JSON {
        return Err(WireError::TooLarge { bytes: bytes.len(), most: LARGEST_JSON });
    }
    serde_json::from_slice(bytes).map_err(|error| WireError::Malformed(error.to_string()))
}

/// Solver versions by family.
pub type VersionsJson = BTreeMap<String, VersionText>;

/// Versions as they are sent.
#[must_use]
pub fn versions_json(versions: &[(String, SolverVersion)]) -> VersionsJson {
    versions.iter().map(|(family, version)| (family.clone(), VersionText(*version))).collect()
}

/// `GET /api/v1/about`: what a door is, for anybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutJson {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The server's program and its version.
    pub program: String,
    /// The solver versions that units are made for, by family.
    pub versions: VersionsJson,
    /// How to get a program of these versions.
    pub upgrade: String,
}

/// `POST /api/v1/lease`: something to do, please.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRequest {
    /// The worker's program and its version, for logs.
    #[serde(default)]
    pub program: String,
    /// The solver versions of the worker by family.
    #[serde(default)]
    pub versions: VersionsJson,
    /// The largest table that it can have.
    pub megabytes: u32,
}

/// What comes of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum LeaseAnswer {
    /// This.
    Unit {
        /// What to do.
        unit: Box<UnitJson>,
        /// Which attempt at it this is; the report repeats it.
        attempt: u32,
        /// So long the report is waited for; `renew` begins that time anew.
        seconds: u64,
    },
    /// Nothing now.
    Later {
        /// Ask again after this time.
        seconds: u32,
    },
    /// Nothing before something changes.
    Refused {
        /// What has to change.
        code: RefusalCode,
        /// The same in one line.
        error: String,
        /// The versions that are wanted, where others are the reason.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: VersionsJson,
    },
}

/// Why somebody gets no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// Another solver version is wanted.
    OtherVersion,
    /// It has as many units as it may have.
    TooMany,
    /// It had as many today as it may have.
    Quota,
    /// It offers less memory than any unit takes.
    Memory,
    /// It has reported what is not so, and is believed no longer.
    Banned,
    /// There is no work any longer.
    Over,
}

impl LeaseAnswer {
    /// A lease of so many seconds, with its node as people write it. When it ends by the record's
    /// clock is of no use to anybody who has another one.
    #[must_use]
    pub fn unit(lease: &Lease, position: Option<String>, seconds: u64) -> LeaseAnswer {
        let unit = Box::new(UnitJson { position, ..UnitJson::from(&lease.unit) });
        LeaseAnswer::Unit { unit, attempt: lease.attempt, seconds }
    }

    /// Why there is nothing; `upgrade` says how to get another version.
    #[must_use]
    pub fn refused(refused: &Refused, upgrade: &str) -> LeaseAnswer {
        let (code, error) = match refused {
            Refused::OtherVersion(wanted) => {
                let wanted: Vec<String> = wanted
                    .iter()
                    .map(|(family, version)| format!("{} {version}", shown(family)))
                    .collect();
                let wanted = wanted.join(", ");
                let error = format!("other solver versions are wanted ({wanted}): {upgrade}");
                (RefusalCode::OtherVersion, error)
            }
            Refused::TooMany(most) => {
                let error = format!("this machine has {most} units, and may not have more at once");
                (RefusalCode::TooMany, error)
            }
            Refused::Quota(most) => {
                let error = format!("this machine has had its {most} units of today");
                (RefusalCode::Quota, error)
            }
            Refused::Memory(least) => {
                let error = format!("units take at least {least} MB, and this worker offers less");
                (RefusalCode::Memory, error)
            }
            Refused::Banned => {
                let error = "results of this user were wrong, and are not believed any longer; \
                             perhaps the memory of a machine is faulty: ask whoever runs the project";
                (RefusalCode::Banned, error.to_owned())
            }
            Refused::Over => (RefusalCode::Over, "there is no work any longer".to_owned()),
        };
        let versions = match refused {
            Refused::OtherVersion(wanted) => versions_json(wanted),
            _ => BTreeMap::new(),
        };
        LeaseAnswer::Refused { code, error, versions }
    }
}

/// A unit that somebody works at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptJson {
    /// Which.
    pub unit: UnitIdText,
    /// Which attempt at it.
    pub attempt: u32,
}

/// `POST /api/v1/renew`: these are still worked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenewRequest {
    /// At most [`MOST_UNITS`].
    pub units: Vec<AttemptJson>,
}

impl RenewRequest {
    /// Whether they are few enough.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self) -> Result<(), WireError> {
        let wrong = |found: usize| WireError::Wrong {
            field: "units",
            found: found.to_string(),
            wanted: "a number of units that a machine may have (at most 1024)",
        };
        if self.units.len() > MOST_UNITS { Err(wrong(self.units.len())) } else { Ok(()) }
    }
}

/// What comes of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenewAnswer {
    /// Of each unit, whether it is still wanted; work at others is to stop at once.
    pub wanted: Vec<bool>,
}

/// `POST /api/v1/release`: this one is given back.
pub type ReleaseRequest = AttemptJson;

/// What comes of that: nothing more is to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseAnswer {}

/// `POST /api/v1/deliver`: this came of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliverRequest {
    /// What.
    pub report: ReportJson,
    /// Where the unit failed: what the program said, at most [`LONGEST_ERROR`] bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What becomes of a delivery, or of a lemma.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "receipt", rename_all = "snake_case")]
pub enum ReceiptJson {
    /// It is on the disk; the same again gets the same answer.
    Taken,
    /// It is not taken, and will not be if it comes again.
    Refused {
        /// Why, in one line.
        error: String,
    },
}

impl From<Receipt> for ReceiptJson {
    fn from(receipt: Receipt) -> ReceiptJson {
        match receipt {
            Receipt::Taken => ReceiptJson::Taken,
            Receipt::Refused(why) => ReceiptJson::Refused { error: why },
        }
    }
}

/// What is said instead, with a status of 400 or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorJson {
    /// One line.
    pub error: String,
    /// One word that does not change.
    pub code: ErrorCode,
}

/// What went wrong, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request is not understood.
    Malformed,
    /// It is too large.
    TooLarge,
    /// It took too long to come.
    TooSlow,
    /// There is no token, or nobody's.
    UnknownToken,
    /// It comes from where nobody may ask.
    Forbidden,
    /// There is nothing here.
    NotFound,
    /// The protocol has another version.
    Protocol,
    /// Too much, or too often, from one address.
    TooOften,
    /// Too much at once; worth asking again.
    Busy,
    /// The record does not answer; worth asking again.
    Record,
    /// Anything else.
    #[serde(other)]
    Other,
}

impl ErrorCode {
    /// The word.
    pub(crate) fn name(&self) -> String {
        let word = serde_json::to_value(self).ok();
        word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    }
}
