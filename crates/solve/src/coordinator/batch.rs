//! What a coordinator hears and what it wants written: [`Event`] and [`Batch`].

use certificate::LemmaHash;

use crate::goal::Bounds;
use crate::message::{Question, Unit, UnitId, UnitReport};
use crate::name::NodeName;

/// Somebody who delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Voter {
    /// Which user.
    pub user: u64,
    /// From which network: users behind one address may be one person.
    pub network: u64,
    /// One of the project's own machines.
    pub trusted: bool,
}

/// Something that happened outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A report came in.
    Delivered(Voter, Box<UnitReport>),
    /// What the checker says of the lemmas of an attempt that were to be
    /// [checked](Batch::checks); `Err` says why it refuses one.
    Checked(UnitId, u32, Result<(), String>),
    /// What was found out about reports that were to be [ruled on](Batch::rulings).
    Ruled(UnitId, Ruling),
    /// What a store knows of nodes that were [wanted](Batch::wanted); of others it knows nothing.
    Known(Vec<NodeRow>),
}

/// What a store keeps of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// Its name.
    pub name: NodeName,
    /// What is known of it, as far as it was backed up: it follows from facts.
    pub bounds: Bounds,
    /// How often work at it has come to nothing.
    pub tries: u32,
    /// Positions visited for its sake.
    pub effort: u64,
    /// If it has children: its moves, the most promising first, by their places among the legal
    /// moves. `None` in a batch leaves what the store has.
    pub order: Option<Vec<u16>>,
}

/// What a unit has shown, for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Where.
    pub name: NodeName,
    /// What was asked.
    pub question: Question,
    /// Proved, or else refuted.
    pub proved: bool,
    /// By which unit.
    pub unit: UnitId,
    /// How many users from different networks say so.
    pub users: u32,
    /// Whether one of the project's own machines does.
    pub trusted: bool,
}

impl Fact {
    /// What it says about the node.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        Bounds::ANY.with(self.question.at_least, self.question.holds(self.proved))
    }
}

impl NodeRow {
    /// What a store knows of a node: what was backed up, if anything was, and facts, which are the
    /// truth.
    #[must_use]
    pub fn with_facts(name: &NodeName, row: Option<NodeRow>, facts: Bounds) -> NodeRow {
        let bare = || NodeRow {
            name: name.clone(),
            bounds: Bounds::ANY,
            tries: 0,
            effort: 0,
            order: None,
        };
        let row = row.unwrap_or_else(bare);
        NodeRow { bounds: row.bounds.and(facts), ..row }
    }
}

/// A node whose answer has a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLemma {
    /// Which.
    pub name: NodeName,
    /// Whether the first player's margin is at least this.
    pub at_least: i32,
    /// It is, or it is not.
    pub holds: bool,
    /// The lemma that shows it.
    pub hash: LemmaHash,
}

/// Lemmas that a checker has to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LemmaCheck {
    /// What was asked.
    pub unit: Unit,
    /// Which attempt made them.
    pub attempt: u32,
    /// Each after all it refers to; the last is about the node of the unit.
    pub lemmas: Vec<LemmaHash>,
}

/// Reports about a unit of which somebody has to find out whether they are right: see
/// [`rule_on`](crate::rule_on). The store has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulingRequest {
    /// What was asked.
    pub unit: Unit,
    /// Which attempts reported: those that disagree, or one.
    pub attempts: Vec<u32>,
    /// Draws the sub-job of one report that is done again. Without it that is the first about which
    /// reports disagree.
    pub spot: Option<u64>,
}

/// What was found out about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// These attempts are wrong; nothing speaks against the others.
    Wrong(Vec<u32>),
    /// It cannot be found out here.
    Unknown,
}

/// A unit to hand out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewUnit {
    /// What to do.
    pub unit: Unit,
    /// Only the project's own machines may have it.
    pub trusted_only: bool,
}

/// One more result of a unit is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    /// Which.
    pub unit: UnitId,
    /// How many results, delivered ones included.
    pub wanted: u32,
    /// Only the project's own machines may have it now.
    pub trusted_only: bool,
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedAttempt {
    /// At which unit.
    pub unit: UnitId,
    /// Which.
    pub attempt: u32,
    /// Whose.
    pub user: u64,
    /// Right or wrong.
    pub verdict: AttemptVerdict,
    /// What it earns: the nodes of the canonical result.
    pub credit: u64,
    /// Whether the project itself has looked whether it is right.
    pub checked: bool,
}

/// Whether a report is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptVerdict {
    /// It is what all who are believed say.
    Valid,
    /// It is not.
    Invalid,
    /// It says that nothing could be done.
    Failed,
    /// It is about a unit that nobody remembers, or that is another one.
    Gone,
    /// It was taken as advice: paid if it is what a quorum says, but nobody vouches for that, and it
    /// counts for nobody's record.
    Unvouched,
}

/// All that one step changes. It is written in one transaction or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Counts from 1.
    pub number: u64,
    /// Nodes that changed.
    pub nodes: Vec<NodeRow>,
    /// What was shown.
    pub facts: Vec<Fact>,
    /// What to hand out.
    pub units: Vec<NewUnit>,
    /// What to hand out once more.
    pub again: Vec<Again>,
    /// What nobody needs any longer.
    pub withdrawn: Vec<UnitId>,
    /// What is done: no more results are wanted.
    pub done: Vec<UnitId>,
    /// Attempts whose reports wait for others: they are told again only after a claim.
    pub heard: Vec<(UnitId, u32)>,
    /// What became of reports.
    pub judged: Vec<JudgedAttempt>,
    /// Users who were wrong about what is known: nobody counts their votes any longer.
    pub banned: Vec<u64>,
    /// What was proved.
    pub lemmas: Vec<NodeLemma>,
    /// What has to be checked before it counts; nothing of it is written.
    pub checks: Vec<LemmaCheck>,
    /// What has to be found out about reports that wait; nothing of it is written.
    pub rulings: Vec<RulingRequest>,
    /// For the audit log, one line each.
    pub log: Vec<String>,
    /// Nodes that the store may know more of.
    pub wanted: Vec<NodeName>,
    /// The number that the next unit gets.
    pub next_number: u64,
    /// Positions visited by all units that were believed.
    pub spent: u64,
}

impl Batch {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Batch {
            nodes,
            facts,
            units,
            again,
            withdrawn,
            done,
            heard,
            judged,
            banned,
            lemmas,
            log,
            ..
        } = self;
        nodes.is_empty()
            && facts.is_empty()
            && units.is_empty()
            && again.is_empty()
            && withdrawn.is_empty()
            && done.is_empty()
            && heard.is_empty()
            && judged.is_empty()
            && banned.is_empty()
            && lemmas.is_empty()
            && log.is_empty()
    }
}
