//! Which units are made, and which nobody needs any longer.

use game::Side;

use super::batch::{Batch, NewUnit};
use super::{Coordinator, Issued, ProjectId, ProjectStanding};
use crate::goal::Goal;
use crate::message::{Question, Unit, UnitId};
use crate::name::NodeName;
use crate::plan::{Plan, allotted};
use crate::tree::{ROOT, Slot};

/// Of so many units it is seen at once whether anybody still needs them.
const REVIEWED: usize = 16;

impl Coordinator<'_> {
    /// Looks whether some of the units are still needed; those that are not are withdrawn. All of
    /// them have their turn.
    pub(super) fn withdraw(&mut self, batch: &mut Batch) {
        let after = self.issued.range(self.reviewed + 1..).chain(self.issued.range(..));
        let looked: Vec<u64> =
            after.map(|(&number, _)| number).take(REVIEWED.min(self.issued.len())).collect();
        for number in looked {
            self.reviewed = number;
            let Some(issued) = self.issued.get(&number).filter(|issued| !issued.withdrawn) else {
                continue;
            };
            let asked = self.tree.asked(issued.slot) == Some(issued.unit.question.at_least);
            let node = self.tree.find(issued.unit.node.as_bytes());
            let matters = asked && node.is_some_and(|node| self.tree.matters(issued.slot, node));
            if matters || issued.canary.is_some() {
                continue;
            }
            let issued = issued.clone();
            self.set_leased(&issued, false);
            batch.withdrawn.push(issued.unit.id);
            if let Some(issued) = self.issued.get_mut(&number) {
                issued.withdrawn = true;
            }
        }
    }

    /// Makes units.
    pub(super) fn issue(&mut self, more: usize, batch: &mut Batch) {
        for _ in 0..more {
            if self.standing != ProjectStanding::Open {
                return;
            }
            let share = u64::from(self.plan.second_share);
            let second = share > 0 && self.next_number % share == share - 1;
            let slots = if second { [1, 0] } else { [0, 1] };
            let best = |slot: Slot| Some((slot, self.tree.most_promising(slot)?));
            let Some((slot, node)) = slots.into_iter().find_map(best) else { break };
            let name = NodeName::new(self.tree.name(node));
            if self.tree.is_absent(node) {
                self.want(vec![name], batch);
                continue;
            }
            let Some(at_least) = self.tree.asked(slot) else { break };
            self.tree.set_leased(slot, node, true);
            let unit = self.unit(name, at_least, self.tree.tries(node));
            self.hand_out(unit, slot, None, batch);
        }
        let nothing_goes_on = !self.issued.values().any(|issued| !issued.withdrawn);
        if more > 0 && nothing_goes_on && self.awaited.is_empty() && batch.units.is_empty() {
            self.standing = ProjectStanding::Undecided;
        }
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
        let id = unit.id;
        self.next_number += 1;
        let issued = Issued {
            unit: unit.clone(),
            slot,
            hash: unit.hash(),
            votes: Vec::new(),
            failures: 0,
            trusted_only: false,
            withdrawn: false,
            canary,
            lot: self.rng.next_u64(),
        };
        self.issued.insert(id.number, issued);
        batch.units.push(NewUnit { unit, trusted_only: false });
    }
}
