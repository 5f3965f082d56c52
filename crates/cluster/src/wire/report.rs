//! [`ReportJson`]: what came of a unit.

use certificate::LemmaHash;
use serde::{Deserialize, Serialize};
use solve::Searched;
use solve::message::{Finding, SubFact, UnitReport, WorkFailure};

use super::unit::{QuestionJson, UnitIdText, hash_text, read_hash};
use super::{LONGEST_ERROR, WireError};
use crate::wire::DeliverRequest;

/// See [`UnitReport`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportJson {
    /// Which unit.
    pub unit: UnitIdText,
    /// Its hash, as the unit has it.
    pub hash: String,
    /// Which attempt at it.
    pub attempt: u32,
    /// What was found.
    pub finding: FindingJson,
    /// Positions visited.
    pub nodes: u64,
    /// What came of each sub-job. Empty where the table was kept.
    #[serde(default)]
    pub trace: Vec<SubJobJson>,
    /// Processor time.
    #[serde(default)]
    pub cpu_milliseconds: u64,
    /// The most memory in use.
    #[serde(default)]
    pub peak_bytes: u64,
}

/// See [`Searched`]: whether the first player's margin is as large as asked (`true`), is not (`false`)
/// or neither is known (`null`); the positions visited; without an answer the moves, the most promising
/// first, and those of them that are refuted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "[answer, nodes, order, refuted], which older workers do not report")]
pub struct SubJobJson(pub Option<bool>, pub u64, pub Vec<u16>, pub Vec<u16>);

/// See [`Finding`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FindingJson {
    /// The prover gets what it wants.
    Proved,
    /// The other side prevents it.
    Refuted,
    /// Nobody knows yet.
    Open {
        /// What was found out on the way.
        #[serde(default)]
        facts: Vec<SubFactJson>,
        /// The moves, the most promising first.
        #[serde(default)]
        order: Vec<u16>,
    },
    /// The answer has a proof, whose files were sent before.
    Certified {
        /// The hashes of its lemmas, 64 hexadecimal digits each, every one after all it refers to;
        /// the last is about the node of the unit.
        lemmas: Vec<String>,
    },
    /// It could not be worked at.
    Failed {
        /// Why.
        failure: FailureJson,
    },
}

/// See [`SubFact`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubFactJson {
    /// The moves that lead there, each by its place among the legal moves.
    pub path: Vec<u16>,
    /// What was asked there.
    pub question: QuestionJson,
    /// Proved, or else refuted.
    pub proved: bool,
}

/// See [`WorkFailure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureJson {
    /// There is not enough for its table.
    Memory,
    /// The game, position or node is not understood.
    Unreadable,
    /// The program has another version.
    OtherVersion,
    /// A fault of the program.
    Fault,
}

impl From<Searched> for SubJobJson {
    fn from(Searched { holds, nodes, order, refuted }: Searched) -> SubJobJson {
        SubJobJson(holds, nodes, order, refuted)
    }
}

impl From<SubJobJson> for Searched {
    fn from(SubJobJson(holds, nodes, order, refuted): SubJobJson) -> Searched {
        Searched { holds, nodes, order, refuted }
    }
}

impl From<&UnitReport> for ReportJson {
    fn from(report: &UnitReport) -> ReportJson {
        let fact = |fact: &SubFact| SubFactJson {
            path: fact.path.clone(),
            question: fact.question.into(),
            proved: fact.proved,
        };
        let finding = match &report.finding {
            Finding::Proved => FindingJson::Proved,
            Finding::Refuted => FindingJson::Refuted,
            Finding::Open { facts, order } => {
                FindingJson::Open { facts: facts.iter().map(fact).collect(), order: order.clone() }
            }
            Finding::Certified(lemmas) => {
                FindingJson::Certified { lemmas: lemmas.iter().map(LemmaHash::to_string).collect() }
            }
            Finding::Failed(failure) => FindingJson::Failed {
                failure: match failure {
                    WorkFailure::Memory => FailureJson::Memory,
                    WorkFailure::Unreadable => FailureJson::Unreadable,
                    WorkFailure::OtherVersion => FailureJson::OtherVersion,
                    WorkFailure::Fault => FailureJson::Fault,
                },
            },
        };
        ReportJson {
            unit: UnitIdText(report.unit),
            hash: hash_text(report.unit_hash),
            attempt: report.attempt,
            finding,
            nodes: report.nodes,
            trace: report.trace.iter().cloned().map(SubJobJson::from).collect(),
            cpu_milliseconds: report.cpu_milliseconds,
            peak_bytes: report.peak_bytes,
        }
    }
}

impl TryFrom<&ReportJson> for UnitReport {
    type Error = WireError;

    /// A report within the limits of the message.
    fn try_from(json: &ReportJson) -> Result<UnitReport, WireError> {
        let fact = |fact: &SubFactJson| SubFact {
            path: fact.path.clone(),
            question: fact.question.into(),
            proved: fact.proved,
        };
        let finding = match &json.finding {
            FindingJson::Proved => Finding::Proved,
            FindingJson::Refuted => Finding::Refuted,
            FindingJson::Open { facts, order } => {
                Finding::Open { facts: facts.iter().map(fact).collect(), order: order.clone() }
            }
            FindingJson::Certified { lemmas } => Finding::Certified(
                lemmas.iter().map(|hash| read_lemma(hash)).collect::<Result<_, _>>()?,
            ),
            FindingJson::Failed { failure } => Finding::Failed(match failure {
                FailureJson::Memory => WorkFailure::Memory,
                FailureJson::Unreadable => WorkFailure::Unreadable,
                FailureJson::OtherVersion => WorkFailure::OtherVersion,
                FailureJson::Fault => WorkFailure::Fault,
            }),
        };
        let report = UnitReport {
            unit: json.unit.0,
            unit_hash: read_hash(&json.hash)?,
            attempt: json.attempt,
            finding,
            nodes: json.nodes,
            trace: json.trace.iter().cloned().map(Searched::from).collect(),
            cpu_milliseconds: json.cpu_milliseconds,
            peak_bytes: json.peak_bytes,
        };
        match UnitReport::decode(&report.encode()) {
            Ok(_) => Ok(report),
            Err(error) => Err(WireError::Message(error.to_string())),
        }
    }
}

fn read_lemma(text: &str) -> Result<LemmaHash, WireError> {
    LemmaHash::from_hex(text).ok_or_else(|| WireError::Wrong {
        field: "lemmas",
        found: text.to_owned(),
        wanted: "64 hexadecimal digits in small letters",
    })
}

impl DeliverRequest {
    /// What is delivered, and what the program said where it failed.
    ///
    /// # Errors
    /// If it is no report, or says too much.
    pub fn check(&self) -> Result<(UnitReport, Option<&str>), WireError> {
        let error = self.error.as_deref();
        match error.map(str::len).filter(|&length| length > LONGEST_ERROR) {
            Some(bytes) => Err(WireError::TooLarge { bytes, most: LONGEST_ERROR }),
            None => Ok(((&self.report).try_into()?, error)),
        }
    }
}
