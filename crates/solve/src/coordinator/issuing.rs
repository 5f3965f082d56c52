//! Which units are made, and which nobody needs any longer.

use game::Side;

use super::batch::{Batch, NewUnit};
use super::confirming::Confirmation;
use super::{Coordinator, Issued, ProjectId, ProjectStanding};
use crate::goal::Goal;
use crate::message::{Question, SolverVersion, Unit, UnitId, UnitTask};
use crate::name::NodeName;
use crate::plan::{Plan, TRIES, allotted};
use crate::tree::{ROOT, SLOTS, Slot};

/// Of so many units at least, and of one in so many, it is seen at each step whether anybody still
/// needs them. Nearly all that nobody needs are found below what was answered.
const REVIEWED: usize = 16;
const REVIEWED_ONE_IN: usize = 4096;
/// Of so many voters at least, and of one in so many, it is seen at each step whether they are
/// established by now.
const VOTERS: usize = 16;
const VOTERS_ONE_IN: usize = 64;

impl Coordinator<'_> {
    /// Looks whether units are still needed; those that are not are withdrawn. Seen at once are those
    /// below what was answered just now, and all when a question is; of the others some have their
    /// turn at each step.
    pub(super) fn review(&mut self, batch: &mut Batch) {
        let asked: [Option<i32>; SLOTS] = std::array::from_fn(|slot| self.tree.asked(slot));
        let looked: Vec<u64> = if self.reviewed_for != asked {
            self.issued.keys().copied().collect()
        } else {
            let mut looked = Vec::new();
            for slot in 0..SLOTS {
                let leased = self.tree.leased_below_answered(slot).into_iter();
                looked.extend(leased.filter_map(|name| self.unit_at.get(&(name, slot))));
            }
            let after = self.issued.range(self.reviewed + 1..).chain(self.issued.range(..));
            let turn = REVIEWED.max(self.issued.len() / REVIEWED_ONE_IN).min(self.issued.len());
            looked.extend(after.map(|(number, _)| number).take(turn));
            self.reviewed = looked.last().copied().unwrap_or_default();
            looked
        };
        self.reviewed_for = asked;
        for number in looked {
            let Some(issued) = self.issued.get(&number).filter(|issued| !issued.withdrawn) else {
                continue;
            };
            let asked = self.tree.asked(issued.slot) == Some(issued.unit.question.at_least);
            let node = self.tree.find(issued.unit.node.as_bytes());
            // Workers of an older program may all be gone; what they report late is taken.
            let is_old = issued.unit.solver != self.plan.solver;
            let is_lemma = issued.unit.task != UnitTask::Answer;
            let is_apart = is_lemma || issued.canary.is_some() || issued.confirms.is_some();
            let matters = is_apart
                || asked && node.map_or(issued.wished, |node| self.tree.matters(issued.slot, node));
            // Lemmas that are there already count, whoever made them.
            if matters && (!is_old || is_lemma && !issued.votes.is_empty()) {
                continue;
            }
            if is_lemma {
                self.look_for_lemmas_again();
            }
            let Some(mut issued) = self.issued.remove(&number) else { continue };
            batch.withdrawn.push(issued.unit.id);
            self.withdrawn.push_back(number);
            self.set_leased(&issued, false);
            self.confirm_again(&mut issued);
            issued.withdrawn = true;
            self.issued.insert(number, issued);
        }
    }

    /// Units wait for somebody who vouches: a voter may be established meanwhile.
    pub(super) fn review_voters(&mut self, now: u64, batch: &mut Batch) {
        let turn = VOTERS.max(self.voted.len() / VOTERS_ONE_IN).min(self.voted.len());
        let after =
            self.voted.range(self.reviewed_voter.saturating_add(1)..).chain(self.voted.range(..));
        let looked: Vec<u64> = after.map(|(&user, _)| user).take(turn).collect();
        self.reviewed_voter = looked.last().copied().unwrap_or_default();
        for user in looked {
            if self.trust.is_established(user, now, &self.plan.trust) {
                for number in self.voted.remove(&user).unwrap_or_default() {
                    self.reconsider(now, number, batch);
                }
            }
        }
    }

    /// Makes units.
    pub(super) fn issue(&mut self, more: usize, batch: &mut Batch) {
        for _ in 0..more {
            // What the store is asked about may be the most promising of all.
            if self.standing != ProjectStanding::Open || !self.awaited.is_empty() {
                return;
            }
            let share = u64::from(self.plan.second_share);
            let second = share > 0 && self.next_number % share == share - 1;
            let slots = if second { [1, 0] } else { [0, 1] };
            let may_speculate = self.may_speculate();
            let best = |slot: Slot| {
                let needed = self.tree.most_needed(slot).map(|node| (slot, node, true));
                let speculative = || Some((slot, self.tree.speculative(slot)?, false));
                needed.or_else(|| may_speculate.then(speculative).flatten())
            };
            let Some((slot, node, is_needed)) = slots.into_iter().find_map(best) else { break };
            let name = NodeName::new(self.tree.name(node));
            if self.tree.is_absent(node) {
                self.want(vec![name], batch);
                continue;
            }
            let Some(at_least) = self.tree.asked(slot) else { break };
            self.tree.set_leased(slot, node, true);
            let tries = self.first_worth_trying(&name, self.tree.tries(node));
            let unit = self.unit(name, at_least, tries);
            if !is_needed {
                self.speculated += unit.budget;
            }
            self.hand_out(unit, slot, None, batch);
        }
        let goes_on = |coordinator: &Self| coordinator.open_units().next().is_some();
        if more > 0 && self.awaited.is_empty() && batch.units.is_empty() && !goes_on(self) {
            self.standing = ProjectStanding::Undecided;
        }
    }

    /// Whether a unit may be made that is perhaps of no use; always if nobody works at any other.
    fn may_speculate(&self) -> bool {
        let is_little = |one_in: u64| self.speculated.saturating_mul(one_in) < self.spent;
        self.speculation.is_none_or(is_little) || self.open_units().next().is_none()
    }

    /// Makes units of nodes that somebody asks about, with the largest budget; those without a
    /// question, or that are worked at already, are left out.
    pub(super) fn issue_wishes(&mut self, batch: &mut Batch) {
        let Some(at_least) = self.tree.asked(0) else { return self.wishes.clear() };
        for name in std::mem::take(&mut self.wishes) {
            let is_begun = |issued: &Issued| {
                issued.unit.node == name && issued.unit.question.at_least == at_least
            };
            if !self.issued.values().any(|issued| is_begun(issued))
                && self.rules.sight(&name).is_ok()
            {
                let unit = self.unit(name, at_least, TRIES - 1);
                if let Some(node) = self.tree.find(unit.node.as_bytes()) {
                    self.tree.set_leased(0, node, true);
                }
                let issued = self.new_issued(unit, 0);
                self.put_out(Issued { wished: true, ..issued }, batch);
            }
        }
    }

    /// Where a try is a round of several users, none is made with a budget that the model of costs
    /// says is far too small.
    fn first_worth_trying(&self, name: &NodeName, tries: u32) -> u32 {
        if self.plan.trust.quorum < 2 {
            return tries;
        }
        let nodes = self.rules.measures(name).ok().and_then(|seen| self.fitting.nodes(&seen));
        let is_enough = |tries: &u32| {
            *tries + 1 >= TRIES
                || nodes
                    .is_none_or(|nodes| nodes <= 4.0 * allotted(self.plan.budget, *tries) as f64)
        };
        (tries..).find(is_enough).unwrap_or(tries)
    }

    pub(super) fn unit(&self, node: NodeName, at_least: i32, tries: u32) -> Unit {
        let Plan { method, budget, slice, table_megabytes, solver, keep_table, .. } = self.plan;
        let ProjectId { project, incarnation } = self.project;
        let budget = allotted(budget, tries);
        // Who keeps no table would begin every question about the root from nothing.
        let is_value = match self.goal {
            Goal::Value => true,
            Goal::Outcome => self.limit == 1,
            Goal::AtLeast(_) => false,
        };
        let is_root = node.as_bytes() == self.tree.name(ROOT);
        let ask_on = is_value && is_root && !keep_table && budget <= slice;
        Unit {
            id: UnitId { project, incarnation, number: self.next_number },
            task: UnitTask::Answer,
            game: self.game.clone(),
            root: self.root_text.clone(),
            node,
            question: Question { at_least, prover: Side::First },
            budget,
            slice,
            method,
            table_megabytes,
            fit: self.fitting.fit(),
            solver,
            keep_table,
            ask_on,
        }
    }

    pub(super) fn hand_out(
        &mut self,
        unit: Unit,
        slot: Slot,
        canary: Option<u128>,
        batch: &mut Batch,
    ) {
        let issued = self.new_issued(unit, slot);
        self.put_out(Issued { canary, ..issued }, batch);
    }

    /// The same, for the audit.
    pub(super) fn hand_out_for(
        &mut self,
        unit: Unit,
        trusted_only: bool,
        confirms: Option<Confirmation>,
        batch: &mut Batch,
    ) {
        let issued = self.new_issued(unit, 0);
        let trusted_only = issued.trusted_only || trusted_only;
        self.put_out(Issued { trusted_only, confirms, ..issued }, batch);
    }

    fn new_issued(&mut self, unit: Unit, slot: Slot) -> Issued {
        self.next_number += 1;
        Issued {
            slot,
            hash: unit.hash(),
            votes: Vec::new(),
            failures: 0,
            // There is nothing to compare what strangers say with.
            trusted_only: unit.solver == SolverVersion::default(),
            withdrawn: false,
            wished: false,
            canary: None,
            confirms: None,
            asked: None,
            is_unruled: false,
            lot: self.rng.next_u64(),
            unit,
        }
    }

    fn put_out(&mut self, issued: Issued, batch: &mut Batch) {
        let (unit, trusted_only) = (issued.unit.clone(), issued.trusted_only);
        self.enter(issued);
        batch.units.push(NewUnit { unit, trusted_only });
    }

    /// Keeps a unit, and where it is.
    pub(super) fn enter(&mut self, issued: Issued) {
        let number = issued.unit.id.number;
        if issued.canary.is_none() && issued.confirms.is_none() {
            self.unit_at.insert((issued.unit.node.clone(), issued.slot), number);
        }
        self.issued.insert(number, Box::new(issued));
    }

    /// Forgets where a unit was.
    pub(super) fn leave(&mut self, issued: &Issued) {
        let place = (issued.unit.node.clone(), issued.slot);
        if self.unit_at.get(&place) == Some(&issued.unit.id.number) {
            self.unit_at.remove(&place);
        }
        self.checking.remove(&issued.unit.id.number);
    }
}
