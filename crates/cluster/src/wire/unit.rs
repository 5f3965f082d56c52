//! [`UnitJson`]: a unit that anybody can read.

use std::fmt::{self, Write as _};

use game::Side;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use solve::NodeName;
use solve::message::{CostFit, Question, SolverVersion, Unit, UnitId, UnitTask};

use super::WireError;

/// A unit; see [`Unit`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitJson {
    /// Which.
    pub id: UnitIdText,
    /// The game with its parameters.
    pub game: String,
    /// The position that the project asks about.
    pub root: String,
    /// The name of the node to work at, in hexadecimal digits.
    pub node: String,
    /// The same node as people write it: its position, or the moves that lead there from the root,
    /// where rules look back. For whoever cannot read names; it is no part of the hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// What to do there.
    #[serde(default)]
    pub task: TaskJson,
    /// What is asked.
    pub question: QuestionJson,
    /// How many positions may be visited, within one sub-job.
    pub budget: u64,
    /// The largest sub-job.
    pub slice: u64,
    /// How a sub-job is worked at.
    pub method: String,
    /// The table of the largest sub-job.
    pub table_megabytes: u32,
    /// What nodes cost.
    pub fit: FitJson,
    /// The solver version that is to work at it.
    pub solver: VersionText,
    /// Whether nobody compares nodes and trace.
    pub keep_table: bool,
    /// Whether further questions about the node follow, with the table of the first.
    #[serde(default)]
    pub ask_on: bool,
    /// What a report repeats: 32 hexadecimal digits.
    pub hash: String,
}

/// What to do with a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskJson {
    /// Answer its question.
    #[default]
    Answer,
    /// Prove the answer, which is known, by certificates.
    Certify {
        /// The first player's margin is at least what is asked, or it is not.
        holds: bool,
        /// How many positions a checker may visit for a leaf.
        leaf_budget: u64,
        /// About how many nodes a file may have.
        most_nodes: u64,
    },
}

impl From<UnitTask> for TaskJson {
    fn from(task: UnitTask) -> TaskJson {
        match task {
            UnitTask::Answer => TaskJson::Answer,
            UnitTask::Certify { holds, leaf_budget, most_nodes } => {
                TaskJson::Certify { holds, leaf_budget, most_nodes }
            }
        }
    }
}

impl From<TaskJson> for UnitTask {
    fn from(json: TaskJson) -> UnitTask {
        match json {
            TaskJson::Answer => UnitTask::Answer,
            TaskJson::Certify { holds, leaf_budget, most_nodes } => {
                UnitTask::Certify { holds, leaf_budget, most_nodes }
            }
        }
    }
}

/// See [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionJson {
    /// Is the first player's margin at least this?
    pub at_least: i32,
    /// Who has to show something.
    pub prover: SideJson,
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideJson {
    /// Who moves first in the game.
    First,
    /// The other.
    Second,
}

/// See [`CostFit`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FitJson {
    /// Of any node.
    pub base: i32,
    /// For each ply that is left.
    pub plies_left: i32,
    /// For each move.
    pub moves: i32,
    /// For a lead.
    pub lead: i32,
}

/// The id of a unit as text: `project.incarnation.number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitIdText(pub UnitId);

/// A solver version as text: 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionText(pub SolverVersion);

impl From<&Unit> for UnitJson {
    fn from(unit: &Unit) -> UnitJson {
        let CostFit { base, plies_left, moves, lead } = unit.fit;
        UnitJson {
            id: UnitIdText(unit.id),
            game: unit.game.clone(),
            root: unit.root.clone(),
            node: hex(unit.node.as_bytes()),
            position: None,
            task: unit.task.into(),
            question: unit.question.into(),
            budget: unit.budget,
            slice: unit.slice,
            method: unit.method.name().to_owned(),
            table_megabytes: unit.table_megabytes,
            fit: FitJson { base, plies_left, moves, lead },
            solver: VersionText(unit.solver),
            keep_table: unit.keep_table,
            ask_on: unit.ask_on,
            hash: hash_text(unit.hash()),
        }
    }
}

impl TryFrom<&UnitJson> for Unit {
    type Error = WireError;

    /// A unit that has the hash that it says.
    fn try_from(json: &UnitJson) -> Result<Unit, WireError> {
        let FitJson { base, plies_left, moves, lead } = json.fit;
        let wrong_method = |_| WireError::Wrong {
            field: "method",
            found: json.method.clone(),
            wanted: "the name of a method",
        };
        let unit = Unit {
            id: json.id.0,
            task: json.task.into(),
            game: json.game.clone(),
            root: json.root.clone(),
            node: NodeName::new(read_hex("node", &json.node)?),
            question: json.question.into(),
            budget: json.budget,
            slice: json.slice,
            method: json.method.parse().map_err(wrong_method)?,
            table_megabytes: json.table_megabytes,
            fit: CostFit { base, plies_left, moves, lead },
            solver: json.solver.0,
            keep_table: json.keep_table,
            ask_on: json.ask_on,
        };
        let bytes = unit.encode();
        // The limits are those of the message.
        Unit::decode(&bytes).map_err(|error| WireError::Message(error.to_string()))?;
        match read_hash(&json.hash)? == solve::message::hash_of(&bytes) {
            true => Ok(unit),
            false => Err(WireError::OtherHash(json.id)),
        }
    }
}

impl From<Question> for QuestionJson {
    fn from(Question { at_least, prover }: Question) -> QuestionJson {
        let prover = match prover {
            Side::First => SideJson::First,
            Side::Second => SideJson::Second,
        };
        QuestionJson { at_least, prover }
    }
}

impl From<QuestionJson> for Question {
    fn from(QuestionJson { at_least, prover }: QuestionJson) -> Question {
        let prover = match prover {
            SideJson::First => Side::First,
            SideJson::Second => Side::Second,
        };
        Question { at_least, prover }
    }
}

impl fmt::Display for UnitIdText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for UnitIdText {
    type Err = WireError;

    /// One spelling: no signs, no zeros in front.
    fn from_str(text: &str) -> Result<UnitIdText, WireError> {
        let mut parts = text.splitn(3, '.').map(str::parse::<u64>);
        let mut part = || parts.next().and_then(Result::ok);
        let id = || {
            let (project, incarnation) = (part()?.try_into().ok()?, part()?.try_into().ok()?);
            Some(UnitId { project, incarnation, number: part()? })
        };
        let read = { id }().filter(|id| id.to_string() == text);
        read.map(UnitIdText).ok_or_else(|| WireError::Wrong {
            field: "unit",
            found: text.to_owned(),
            wanted: "the id of a unit, as 1.1.7",
        })
    }
}

impl Serialize for UnitIdText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for UnitIdText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<UnitIdText, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for VersionText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for VersionText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<VersionText, D::Error> {
        let text = String::deserialize(from)?;
        let version = u64::from_str_radix(&text, 16).ok().map(SolverVersion);
        let read = version.filter(|version| version.to_string() == text);
        let wrong = || WireError::Wrong {
            field: "solver version",
            found: text.clone(),
            wanted: "16 hexadecimal digits",
        };
        read.map(VersionText).ok_or_else(|| serde::de::Error::custom(wrong()))
    }
}

/// A hash as text.
pub(super) fn hash_text(hash: u128) -> String {
    format!("{hash:032x}")
}

pub(super) fn read_hash(text: &str) -> Result<u128, WireError> {
    let hash = u128::from_str_radix(text, 16).ok().filter(|&hash| hash_text(hash) == text);
    hash.ok_or_else(|| WireError::Wrong {
        field: "hash",
        found: text.to_owned(),
        wanted: "32 hexadecimal digits",
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn read_hex(field: &'static str, text: &str) -> Result<Vec<u8>, WireError> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
    let bytes = pairs.iter().map(byte).collect::<Option<Vec<u8>>>();
    bytes.filter(|_| rest.is_empty()).ok_or_else(|| WireError::Wrong {
        field,
        found: text.to_owned(),
        wanted: "hexadecimal digits, two a byte",
    })
}
