//! [`Queue`]: what to work at next, who works at what, and what follows from the answers. It is pure: it knows neither threads nor clocks
//! nor the game, so that the workers may be threads here or machines anywhere.
//!
//! A [`Unit`] is a yes-or-no question about one place with a budget of nodes. A place is first tried with a small budget, then with larger
//! ones; if even the largest is not enough, its moves become places of their own (job-level proof-number search, Wu et al. 2013).

use std::collections::BTreeMap;

use crate::question::{Bounds, Question};
use crate::tree::{Place, ROOT, Sight, Tree};

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its number; none is ever used twice.
    pub number: u64,
    /// The name of its place.
    pub name: String,
    /// Is the first player's margin there at least this?
    pub at_least: i32,
    /// How many positions may be visited to find out.
    pub budget: u64,
}

/// What came of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The answer.
    Holds(bool),
    /// The budget is used up.
    OverBudget,
    /// The budget is used up, and will not grow: these are the places its moves lead to, the most promising first, with what was found out about
    /// them on the way.
    Split(Vec<Sight>),
}

#[derive(Clone, Debug)]
struct Lease {
    place: Place,
    at_least: i32,
    worker: String,
    until: u64,
}

/// Hands out work and takes in answers until a question is answered.
#[derive(Clone, Debug)]
pub struct Queue {
    tree: Tree,
    question: Question,
    slice: u64,
    leases: BTreeMap<u64, Lease>,
    next_number: u64,
    nodes: u64,
}

/// How many budgets a place is tried with, and how much larger each is than the one before.
const TRIES: u32 = 3;
const GROWTH: u64 = 16;

impl Queue {
    /// The largest budget of a unit is `slice`.
    #[must_use]
    pub fn new(tree: Tree, question: Question, slice: u64) -> Queue {
        let mut queue =
            Queue { tree, question, slice, leases: BTreeMap::new(), next_number: 0, nodes: 0 };
        queue.ask_on();
        queue
    }

    /// What is known.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What has changed since this was last asked, for a store.
    pub fn take_changed(&mut self) -> Vec<Place> {
        self.tree.take_changed()
    }

    /// The bounds of the root.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    /// Whether the question is answered.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.next_question().is_none()
    }

    /// Positions visited by all units that came back.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The next unit, leased until this moment; nothing if all that matters is being worked at, or the question is answered.
    pub fn lease(&mut self, worker: &str, until: u64) -> Option<Unit> {
        if self.is_answered() {
            return None;
        }
        let place = self.tree.most_promising()?;
        self.tree.set_leased(place, true);
        let number = self.next_number;
        self.next_number += 1;
        let at_least = self.tree.asked();
        let lease = Lease { place, at_least, worker: worker.to_owned(), until };
        self.leases.insert(number, lease);
        let known = self.tree.get(place);
        let smaller = GROWTH.pow(TRIES - 1 - known.tries.min(TRIES - 1));
        let budget = (self.slice / smaller).max(1);
        Some(Unit { number, name: known.sight.name.clone(), at_least, budget })
    }

    /// Whether a unit that finds no answer should say where the moves of its place lead.
    #[must_use]
    pub fn is_last_try(&self, number: u64) -> bool {
        let place = self.leases.get(&number).map(|lease| lease.place);
        place.is_some_and(|place| self.tree.get(place).tries + 1 >= TRIES)
    }

    /// Takes in what a unit found, and names the units that nobody needs any more. What comes from nobody's lease is left.
    pub fn complete(&mut self, number: u64, finding: Finding, nodes: u64) -> Vec<u64> {
        let Some(lease) = self.leases.remove(&number) else { return Vec::new() };
        self.nodes += nodes;
        let Lease { place, at_least, .. } = lease;
        self.tree.set_leased(place, false);
        match finding {
            Finding::Holds(holds) => self.tree.learn(place, at_least, Some(holds), nodes),
            Finding::OverBudget => self.tree.learn(place, at_least, None, nodes),
            Finding::Split(children) => {
                self.tree.learn(place, at_least, None, nodes);
                self.tree.expand(place, children);
            }
        }
        self.ask_on();
        self.withdrawn()
    }

    /// Gives up a unit whose worker has stopped before it was done: others may have it.
    pub fn release(&mut self, number: u64) {
        if let Some(lease) = self.leases.remove(&number) {
            self.tree.set_leased(lease.place, false);
        }
    }

    /// Gives up what was leased until a moment that has passed, and says which units and whose.
    pub fn expire(&mut self, now: u64) -> Vec<(u64, String)> {
        let late = |lease: &Lease| lease.until <= now;
        let late: Vec<_> = self.leases.iter().filter(|(_, lease)| late(lease)).collect();
        let late: Vec<_> = late.into_iter().map(|(&n, lease)| (n, lease.worker.clone())).collect();
        for &(number, _) in &late {
            self.release(number);
        }
        late
    }

    /// The next question, once one is answered.
    fn ask_on(&mut self) {
        if let Some(next) = self.next_question()
            && next != self.tree.asked()
        {
            self.tree.ask(next);
        }
    }

    fn next_question(&self) -> Option<i32> {
        let mover = self.tree.get(ROOT).sight.mover;
        self.question.next(self.bounds(), mover, self.tree.manner().step)
    }

    /// Units whose answers no longer matter.
    fn withdrawn(&self) -> Vec<u64> {
        let asked = self.tree.asked();
        let is_moot = |lease: &Lease| lease.at_least != asked || !self.tree.matters(lease.place);
        self.leases.iter().filter(|(_, lease)| is_moot(lease)).map(|(&number, _)| number).collect()
    }
}
