//! [`Unit`]: a piece of work that is complete in itself.

use std::fmt;

use game::Side;

use super::codec::{Frame, Sink, Source};
use super::{MessageError, hash_of};
use crate::method::Method;
use crate::name::{LONGEST_NAME, NodeName};

/// Which unit; none is ever used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// The project it belongs to.
    pub project: u32,
    /// How often the project had been claimed or restored when it was made.
    pub incarnation: u32,
    /// Its number within the project.
    pub number: u64,
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.project, self.incarnation, self.number)
    }
}

/// A question that only knows yes and no: does the prover get what it wants? The first player wants
/// a margin of at least this, the second one below it. A game that goes round in circles counts
/// against the prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Is the first player's margin at least this?
    pub at_least: i32,
    /// Who has to show something.
    pub prover: Side,
}

/// Which program a result can be compared with: two of the same version find the same, node by
/// node. A hash over the traces of fixed units; 0 where nobody has computed it, and then only trusted
/// machines work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SolverVersion(pub u64);

impl fmt::Display for SolverVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// How the cost of a node follows from what is seen of it: the binary logarithm of the nodes of a
/// search, in 256ths. Whole numbers, so that every machine cuts up the same nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostFit {
    /// Of any node.
    pub base: i32,
    /// For each ply that is left at most.
    pub plies_left: i32,
    /// For each move.
    pub moves: i32,
    /// Less by this where the evaluation is as far from even as its unit.
    pub lead: i32,
}

/// What is wanted of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitTask {
    /// The answer to its question.
    #[default]
    Answer,
    /// A proof of the answer, which is known, as lemmas.
    Certify {
        /// The first player's margin is at least what is asked, or it is not.
        holds: bool,
        /// How many positions a checker may visit for a leaf.
        leaf_budget: u64,
        /// About how many nodes a file may have.
        most_nodes: u64,
    },
}

/// One piece of work. What a worker does with it depends on nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Which.
    pub id: UnitId,
    /// What is wanted.
    pub task: UnitTask,
    /// The game with its parameters.
    pub game: String,
    /// The position that the project asks about, as text.
    pub root: String,
    /// The node to work at.
    pub node: NodeName,
    /// What is asked of it.
    pub question: Question,
    /// How many positions may be visited to find out, within one sub-job of them.
    pub budget: u64,
    /// The largest sub-job.
    pub slice: u64,
    /// How a sub-job is worked at.
    pub method: Method,
    /// The table of the largest sub-job.
    pub table_megabytes: u32,
    /// What nodes cost.
    pub fit: CostFit,
    /// Who is to work at it.
    pub solver: SolverVersion,
    /// Whether the table may be kept from one sub-job to the next: quicker, and node counts no
    /// longer repeat, so that nobody compares them.
    pub keep_table: bool,
    /// Whether a unit of one sub-job, once its question is answered, goes on with the same table to
    /// the next ones until the value of its node is known.
    pub ask_on: bool,
}

/// No unit has more bytes.
pub const LARGEST_UNIT: usize = 64 << 10;

/// No text of a unit has more bytes: positions of boards of 250x250 are the largest.
const LONGEST_TEXT: usize = 20 << 10;
const MOST_NODES: u64 = 1 << 50;

const FRAME: Frame = Frame { what: "unit", magic: *b"ZUNT", version: 2, largest: LARGEST_UNIT };

impl Unit {
    /// As bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Sink::default();
        self.id.write(&mut out);
        self.task.write(&mut out);
        out.bytes(self.game.as_bytes());
        out.bytes(self.root.as_bytes());
        out.bytes(self.node.as_bytes());
        self.question.write(&mut out);
        out.number(self.budget);
        out.number(self.slice);
        let method = Method::ALL.iter().position(|&method| method == self.method);
        out.number(method.unwrap_or_default() as u64);
        out.number(self.table_megabytes.into());
        let CostFit { base, plies_left, moves, lead } = self.fit;
        [base, plies_left, moves, lead].into_iter().for_each(|number| out.signed(number));
        out.0.extend(self.solver.0.to_le_bytes());
        out.number(u64::from(self.keep_table) | u64::from(self.ask_on) << 1);
        FRAME.seal(&out)
    }

    /// Reads one.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn decode(bytes: &[u8]) -> Result<Unit, MessageError> {
        let mut from = FRAME.open(bytes)?;
        let mut unit = Unit {
            id: UnitId::read(&mut from)?,
            task: UnitTask::read(&mut from)?,
            game: from.text(LONGEST_TEXT, "the game")?,
            root: from.text(LONGEST_TEXT, "the position asked about")?,
            node: NodeName::new(from.bytes(LONGEST_NAME, "the name of the node")?),
            question: Question::read(&mut from)?,
            budget: from.number(MOST_NODES, "the budget")?,
            slice: from.number(MOST_NODES, "the slice")?,
            method: {
                let number = from.number(Method::ALL.len() as u64 - 1, "the method")?;
                Method::ALL[number as usize]
            },
            table_megabytes: from.number(1 << 16, "the size of the table")? as u32,
            fit: CostFit {
                base: from.signed("the estimate")?,
                plies_left: from.signed("the estimate")?,
                moves: from.signed("the estimate")?,
                lead: from.signed("the estimate")?,
            },
            solver: {
                let wrong = from.wrong("the version of the solver");
                let bytes = from.take(8, "the version of the solver")?;
                SolverVersion(bytes.try_into().map(u64::from_le_bytes).map_err(|_| wrong)?)
            },
            keep_table: false,
            ask_on: false,
        };
        let flags = from.number(3, "whether the table is kept")?;
        (unit.keep_table, unit.ask_on) = (flags & 1 != 0, flags & 2 != 0);
        from.end()?;
        Ok(unit)
    }

    /// What a report repeats to say which unit it is about.
    #[must_use]
    pub fn hash(&self) -> u128 {
        hash_of(&self.encode())
    }
}

impl UnitTask {
    fn write(self, out: &mut Sink) {
        match self {
            UnitTask::Answer => out.number(0),
            UnitTask::Certify { holds, leaf_budget, most_nodes } => {
                out.number(1);
                out.number(holds.into());
                out.number(leaf_budget);
                out.number(most_nodes);
            }
        }
    }

    fn read(from: &mut Source<'_>) -> Result<UnitTask, MessageError> {
        Ok(match from.number(1, "the task")? {
            0 => UnitTask::Answer,
            _ => UnitTask::Certify {
                holds: from.number(1, "the answer")? == 1,
                leaf_budget: from.number(MOST_NODES, "the budget of a leaf")?,
                most_nodes: from.number(MOST_NODES, "the size of a file")?,
            },
        })
    }
}

impl UnitId {
    pub(super) fn write(self, out: &mut Sink) {
        out.number(self.project.into());
        out.number(self.incarnation.into());
        out.number(self.number);
    }

    pub(super) fn read(from: &mut Source<'_>) -> Result<UnitId, MessageError> {
        Ok(UnitId {
            project: from.number(u32::MAX.into(), "the project")? as u32,
            incarnation: from.number(u32::MAX.into(), "the incarnation")? as u32,
            number: from.number(u64::MAX, "the number of the unit")?,
        })
    }
}

impl Question {
    pub(super) fn write(self, out: &mut Sink) {
        out.signed(self.at_least);
        out.number(self.prover.index() as u64);
    }

    pub(super) fn read(from: &mut Source<'_>) -> Result<Question, MessageError> {
        Ok(Question {
            at_least: from.signed("the margin asked about")?,
            prover: match from.number(1, "the prover")? {
                0 => Side::First,
                _ => Side::Second,
            },
        })
    }
}
