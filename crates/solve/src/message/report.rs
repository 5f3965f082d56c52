//! [`UnitReport`]: what came of a unit.

use std::fmt;

use certificate::LemmaHash;

use super::codec::{Frame, Sink, Source};
use super::unit::{Question, UnitId};
use super::{MessageError, hash_of};
use crate::goal::Bounds;
use crate::rules::Searched;

/// What came of a unit, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitReport {
    /// Which unit.
    pub unit: UnitId,
    /// And that it is this one, by [`Unit::hash`](super::Unit::hash).
    pub unit_hash: u128,
    /// Which of the attempts at it.
    pub attempt: u32,
    /// What was found.
    pub finding: Finding,
    /// Positions visited.
    pub nodes: u64,
    /// What came of each sub-job, in order; empty where the table was kept. Which sub-job comes next
    /// follows from those before it, so that anybody can do any of them again.
    pub trace: Vec<Searched>,
    /// Processor time, in milliseconds.
    pub cpu_milliseconds: u64,
    /// The most memory in use.
    pub peak_bytes: u64,
}

/// What was found out about a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The prover gets what it wants.
    Proved,
    /// The other side prevents it.
    Refuted,
    /// The budget is used up, or nobody can force anything.
    Open {
        /// What was found out on the way.
        facts: Vec<SubFact>,
        /// The moves, the most promising first, by their place among all legal moves in ascending
        /// order of their codes. Those that are missing come last.
        order: Vec<u16>,
    },
    /// The answer has a proof: these lemmas, each after all it refers to. The last one is about the
    /// node of the unit. Their files travel by themselves.
    Certified(Vec<LemmaHash>),
    /// It could not be worked at.
    Failed(WorkFailure),
}

/// An answer at a node below the one of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubFact {
    /// The moves that lead there, each by its place among the legal moves.
    pub path: Vec<u16>,
    /// What was asked there.
    pub question: Question,
    /// Proved, or else refuted.
    pub proved: bool,
}

/// Why a unit could not be worked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkFailure {
    /// There is not enough for its table.
    Memory,
    /// The game, position or node is not understood.
    Unreadable,
    /// The program is not of the version that is wanted.
    OtherVersion,
    /// A fault of the program.
    Fault,
}

impl fmt::Display for WorkFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WorkFailure::Memory => "there is no memory for its table",
            WorkFailure::Unreadable => "it is not understood",
            WorkFailure::OtherVersion => "it is for another version of the solver",
            WorkFailure::Fault => "a fault of the program",
        })
    }
}

const FAILURES: [WorkFailure; 4] =
    [WorkFailure::Memory, WorkFailure::Unreadable, WorkFailure::OtherVersion, WorkFailure::Fault];

/// No report has more bytes.
pub const LARGEST_REPORT: usize = 512 << 10;

/// No report has more sub-jobs.
pub(crate) const MOST_SUB_JOBS: usize = 4096;
/// No unit goes on once its trace has so many bytes.
pub(crate) const LONG_TRACE: usize = 64 << 10;
/// No report has more facts.
pub(crate) const MOST_FACTS: usize = 256;
/// No report names more lemmas.
pub(crate) const MOST_CERTIFIED: usize = 4096;
/// No fact is farther away from its unit's node.
pub(crate) const LONGEST_PATH: usize = 64;
const MOST_MOVES: usize = 1 << 16;

const FRAME: Frame = Frame { what: "report", magic: *b"ZREP", version: 3, largest: LARGEST_REPORT };

impl UnitReport {
    /// As bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Sink::default();
        self.unit.write(&mut out);
        out.wide(self.unit_hash);
        out.number(self.attempt.into());
        self.finding.write(&mut out);
        out.number(self.nodes);
        write_trace(&self.trace, &mut out);
        out.number(self.cpu_milliseconds);
        out.number(self.peak_bytes);
        FRAME.seal(&out)
    }

    /// Reads one.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn decode(bytes: &[u8]) -> Result<UnitReport, MessageError> {
        let mut from = FRAME.open(bytes)?;
        let report = UnitReport {
            unit: UnitId::read(&mut from)?,
            unit_hash: from.wide("the hash of the unit")?,
            attempt: from.number(u32::MAX.into(), "the attempt")? as u32,
            finding: Finding::read(&mut from)?,
            nodes: from.number(u64::MAX, "the number of nodes")?,
            trace: read_trace(&mut from)?,
            cpu_milliseconds: from.number(u64::MAX, "the processor time")?,
            peak_bytes: from.number(u64::MAX, "the memory")?,
        };
        from.end()?;
        Ok(report)
    }

    /// What a quorum compares: the finding with all its facts and orders, the nodes and the trace.
    #[must_use]
    pub fn agreement(&self) -> u128 {
        let mut out = Sink::default();
        self.finding.write(&mut out);
        out.number(self.nodes);
        write_trace(&self.trace, &mut out);
        hash_of(&out.0)
    }
}

impl Finding {
    /// Whether facts about the node itself say what was asked.
    pub(crate) fn answers(&self, question: Question) -> bool {
        let Finding::Open { facts, .. } = self else { return false };
        let about_itself = facts.iter().filter(|fact| fact.path.is_empty());
        let all = Bounds { lower: i32::MIN, upper: i32::MAX };
        let known = |bounds: Bounds, fact: &SubFact| {
            bounds.with(fact.question.at_least, fact.question.holds(fact.proved))
        };
        about_itself.fold(all, known).answer(question.at_least).is_some()
    }

    fn write(&self, out: &mut Sink) {
        match self {
            Finding::Proved => out.number(0),
            Finding::Refuted => out.number(1),
            Finding::Open { facts, order } => {
                out.number(2);
                out.number(facts.len() as u64);
                for fact in facts {
                    out.places(&fact.path);
                    fact.question.write(out);
                    out.number(fact.proved.into());
                }
                out.places(order);
            }
            Finding::Certified(lemmas) => {
                out.number(4);
                out.number(lemmas.len() as u64);
                lemmas.iter().for_each(|hash| out.0.extend(hash.0));
            }
            Finding::Failed(failure) => {
                out.number(3);
                let number = FAILURES.iter().position(|known| known == failure);
                out.number(number.unwrap_or_default() as u64);
            }
        }
    }

    fn read(from: &mut Source<'_>) -> Result<Finding, MessageError> {
        Ok(match from.number(4, "the finding")? {
            0 => Finding::Proved,
            1 => Finding::Refuted,
            2 => {
                let count = from.number(MOST_FACTS as u64, "the number of facts")?;
                let facts = (0..count).map(|_| read_fact(from)).collect::<Result<_, _>>()?;
                Finding::Open { facts, order: from.places(MOST_MOVES)? }
            }
            4 => {
                let count = from.number(MOST_CERTIFIED as u64, "the number of lemmas")?;
                Finding::Certified((0..count).map(|_| read_hash(from)).collect::<Result<_, _>>()?)
            }
            _ => {
                let number = from.number(FAILURES.len() as u64 - 1, "the failure")?;
                Finding::Failed(FAILURES[number as usize])
            }
        })
    }
}

fn read_hash(from: &mut Source<'_>) -> Result<LemmaHash, MessageError> {
    let wrong = from.wrong("the hash of a lemma");
    let bytes = from.take(32, "the hash of a lemma")?;
    bytes.try_into().map(LemmaHash).map_err(|_| wrong)
}

fn read_fact(from: &mut Source<'_>) -> Result<SubFact, MessageError> {
    Ok(SubFact {
        path: from.places(LONGEST_PATH)?,
        question: Question::read(from)?,
        proved: from.number(1, "an answer")? == 1,
    })
}

pub(super) fn write_trace(trace: &[Searched], out: &mut Sink) {
    out.number(trace.len() as u64);
    for searched in trace {
        write_searched(searched, out);
    }
}

fn write_searched(searched: &Searched, out: &mut Sink) {
    out.number(match searched.holds {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    });
    out.number(searched.nodes);
    out.places(&searched.order);
    out.places(&searched.refuted);
}

/// How many bytes of a trace this is.
pub(crate) fn trace_bytes(searched: &Searched) -> usize {
    let mut out = Sink::default();
    write_searched(searched, &mut out);
    out.0.len()
}

pub(super) fn read_trace(from: &mut Source<'_>) -> Result<Vec<Searched>, MessageError> {
    let count = from.number(MOST_SUB_JOBS as u64, "the number of sub-jobs")?;
    let searched = |_| {
        let holds = match from.number(2, "an answer")? {
            0 => None,
            1 => Some(true),
            _ => Some(false),
        };
        let nodes = from.number(u64::MAX, "a number of nodes")?;
        let (order, refuted) = (from.places(MOST_MOVES)?, from.places(MOST_MOVES)?);
        Ok(Searched { holds, nodes, order, refuted })
    };
    (0..count).map(searched).collect()
}
