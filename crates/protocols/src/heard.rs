//! [`Heard`]: what an engine says it thinks, in whatever words.

use std::time::Duration;

use game::{Side, Value};
use play::{Analysis, Choice, Info, InfoLine, Turn};

/// What an engine has told of its thinking, as far as anybody wants to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// In plies, as the engine counts them.
    pub depth: Option<u32>,
    /// The longest line.
    pub selective_depth: Option<u32>,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// What the position is worth to the side to move; `None` too where it is only a bound.
    pub value: Option<Value>,
    /// The line.
    pub pv: Vec<String>,
}

impl Heard {
    fn longest(&self) -> u32 {
        self.selective_depth.or(self.depth).unwrap_or(0)
    }

    /// For whoever watches, if it says anything about the position. The side is that to move.
    #[must_use]
    pub fn info(&self, side: Side, elapsed: Duration) -> Option<Info> {
        let value = self.value?.seen_by(side);
        Some(Info {
            depth: self.depth,
            selective_depth: self.longest(),
            nodes: self.nodes.unwrap_or(0),
            elapsed,
            table_per_mille: 0,
            root_moves: (0, 0),
            best: self.pv.first().cloned(),
            lines: vec![InfoLine { value, moves: self.pv.clone() }],
            scores: None,
        })
    }

    /// The move that was chosen at last, with what was said about it.
    #[must_use]
    pub(crate) fn choice(&self, side: Side, legal: String) -> Choice {
        Choice { turn: Turn::Play(legal.clone()), analysis: Some(self.analysis(side, legal)) }
    }

    /// What it says about the move that was chosen at last.
    #[must_use]
    pub fn analysis(&self, side: Side, best: String) -> Analysis {
        Analysis {
            value: self.value.map(|value| value.seen_by(side)),
            exact: false,
            margin: None,
            margin_scale: 1,
            scores: None,
            distance: None,
            depth: self.depth,
            selective_depth: self.longest(),
            best: Some(best),
            pv: self.pv.clone(),
            others: Vec::new(),
            nodes: self.nodes.unwrap_or(0),
        }
    }
}
