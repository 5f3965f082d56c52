//! Which units are made, and which nobody needs any longer.

use game::Side;

use super::batch::{Batch, NewUnit};
use super::{Coordinator, Issued, ProjectId, ProjectStanding};
use crate::message::{Question, SolverVersion, Task, Unit, UnitId};
use crate::name::NodeName;
use crate::plan::{Plan, TRIES, allotted};
use crate::tree::Slot;

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
            // Workers of an older program may all be gone; what they report late is taken.
            let is_old = issued.unit.solver != self.plan.solver;
            let matters =
                !is_old && asked && node.is_some_and(|node| self.tree.matters(issued.slot, node));
            if matters || issued.canary.is_some() || issued.unit.task != Task::Answer {
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

    /// Makes units of nodes that somebody asks about, with the largest budget; those without a
    /// question, or that are worked at already, are left out.
    pub(super) fn issue_wishes(&mut self, batch: &mut Batch) {
        let Some(at_least) = self.tree.asked(0) else { return self.wishes.clear() };
        for name in std::mem::take(&mut self.wishes) {
            let is_begun = |issued: &Issued| {
                issued.unit.node == name && issued.unit.question.at_least == at_least
            };
            if !self.issued.values().any(is_begun) && self.rules.sight(&name).is_ok() {
                let unit = self.unit(name, at_least, TRIES - 1);
                if let Some(node) = self.tree.find(unit.node.as_bytes()) {
                    self.tree.set_leased(0, node, true);
                }
                self.hand_out(unit, 0, None, batch);
            }
        }
    }

    pub(super) fn unit(&self, node: NodeName, at_least: i32, tries: u32) -> Unit {
        let Plan { method, budget, slice, table_megabytes, solver, keep_table, .. } = self.plan;
        let ProjectId { project, incarnation } = self.project;
        Unit {
            id: UnitId { project, incarnation, number: self.next_number },
            task: Task::Answer,
            game: self.game.clone(),
            root: self.root_text.clone(),
            node,
            question: Question { at_least, prover: Side::First },
            budget: allotted(budget, tries),
            slice,
            method,
            table_megabytes,
            fit: self.fitting.fit(),
            solver,
            keep_table,
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
            // There is nothing to compare what strangers say with.
            trusted_only: unit.solver == SolverVersion::default(),
            withdrawn: false,
            canary,
            lot: self.rng.next_u64(),
        };
        let trusted_only = issued.trusted_only;
        self.issued.insert(id.number, issued);
        batch.units.push(NewUnit { unit, trusted_only });
    }
}
