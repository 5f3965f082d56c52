//! [`Budget`]: how many nodes and how much time a search may take, and how much it has taken.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use play::{Allotment, Limits, Stop};

use crate::lazy_smp::{LazySmp, Role};

/// How much work passes between two looks at the clock, in nodes with a hundred moves or so.
const CLOCK_INTERVAL: u64 = 1 << 10;
/// What the first depth may take beyond the limits.
const FIRST_DEPTH_TIME: Duration = Duration::from_secs(1);
const FIRST_DEPTH_NODES: u64 = 1_000_000;
/// A node counts as several where it has more moves than this.
const MOVES_OF_A_NODE: u64 = 1 << 7;
/// How many nodes pass between two reports.
const PROGRESS_INTERVAL: u64 = 1 << 16;

/// The nodes, the clock and the stop of one thread of a search.
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    /// Positions visited by this thread.
    pub(crate) nodes: u64,
    began: Instant,
    stop: &'a Stop,
    /// After it no deeper iteration is begun.
    last_call: Option<Instant>,
    deadline: Option<Instant>,
    node_limit: u64,
    /// Before that, only the user's stop counts, or that the first depth takes far more than the
    /// limits: in a turn of many stones on a large board it may never end.
    limits_count: bool,
    /// Nodes, where one with very many moves counts as several.
    work: u64,
    next_look: u64,
    next_report: u64,
    expired: bool,
    smp: LazySmp<'a>,
    /// The nodes that a helper has told of.
    told: u64,
}

/// What a budget was before something was done on the side.
pub(crate) struct Saved {
    nodes: u64,
    node_limit: u64,
    limits_count: bool,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(stop: &'a Stop, limits: &Limits, smp: LazySmp<'a>) -> Budget<'a> {
        let allotted = limits.clock.map(|clock| clock.allotment());
        let (usual, most) = match allotted {
            Some(Allotment { usual, most }) => (Some(usual), Some(most)),
            None => (None, None),
        };
        let time = limits.time.into_iter().chain(most).min();
        let now = Instant::now();
        Budget {
            nodes: 0,
            began: now,
            stop,
            // The next iteration takes longer than all before it together.
            last_call: usual.and_then(|usual| now.checked_add(usual * 3 / 5)),
            deadline: time.and_then(|time| now.checked_add(time)),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            limits_count: false,
            work: 0,
            next_look: 0,
            next_report: PROGRESS_INTERVAL,
            expired: false,
            smp,
            told: 0,
        }
    }

    /// A position is visited.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        self.work += 1;
    }

    /// Positions were visited elsewhere.
    #[inline]
    pub(crate) fn count_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.work += nodes;
    }

    /// Moves were generated.
    #[inline]
    pub(crate) fn count_moves(&mut self, moves: usize) {
        self.work += moves as u64 / MOVES_OF_A_NODE;
    }

    /// Whether it is time to [look](Budget::look) at the clock.
    #[inline]
    pub(crate) fn is_look_due(&self) -> bool {
        self.work >= self.next_look || self.nodes >= self.node_limit
    }

    /// Whether time, nodes or patience were used up at the last look.
    #[inline]
    pub(crate) fn is_expired(&self) -> bool {
        self.expired
    }

    /// Looks at the clock; whether a report is due.
    pub(crate) fn look(&mut self) -> bool {
        let nodes = match self.smp.role {
            Role::Main => self.all_nodes(),
            Role::Helper => {
                self.tell_nodes();
                self.nodes
            }
        };
        let (more_time, more_nodes) = match self.limits_count {
            true => (Duration::ZERO, 0),
            false => (FIRST_DEPTH_TIME, FIRST_DEPTH_NODES),
        };
        let deadline = self.deadline.and_then(|deadline| deadline.checked_add(more_time));
        let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let limits_reached = nodes >= self.node_limit.saturating_add(more_nodes) || late();
        self.expired |= limits_reached || self.stop.is_stopped();
        self.next_look = self.work + CLOCK_INTERVAL;
        let reports = self.nodes >= self.next_report;
        if reports {
            self.next_report = self.nodes + PROGRESS_INTERVAL;
        }
        reports
    }

    /// There is no use in going on.
    #[cfg(feature = "study")]
    pub(crate) fn give_up(&mut self) {
        self.expired = true;
    }

    /// From now on the limits count.
    pub(crate) fn enforce(&mut self) {
        self.limits_count = true;
        self.next_look = 0;
    }

    /// Whether a clock allows another iteration.
    pub(crate) fn may_go_deeper(&self) -> bool {
        self.last_call.is_none_or(|call| Instant::now() < call)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Adds the nodes since the last time to those of all helpers.
    pub(crate) fn tell_nodes(&mut self) {
        self.smp.helped.fetch_add(self.nodes - self.told, Ordering::Relaxed);
        self.told = self.nodes;
    }

    /// Nodes of all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.smp.helped.load(Ordering::Relaxed)
    }

    /// What the limit leaves.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.all_nodes())
    }

    /// Something is done on the side that may visit so many nodes; [`restore`](Budget::restore)
    /// ends it.
    pub(crate) fn lend(&mut self, nodes: u64) -> Saved {
        let Budget { node_limit, limits_count, .. } = *self;
        let saved = Saved { nodes: self.nodes, node_limit, limits_count };
        self.node_limit = self.all_nodes().saturating_add(nodes);
        self.enforce();
        saved
    }

    pub(crate) fn restore(&mut self, saved: &Saved) {
        self.nodes = saved.nodes;
        (self.node_limit, self.limits_count) = (saved.node_limit, saved.limits_count);
        // Whether the real limits are reached shows at the next look.
        (self.expired, self.next_look) = (false, 0);
    }
}
