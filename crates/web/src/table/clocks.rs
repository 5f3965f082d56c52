//! The clocks of a table: what a turn has taken, when a flag falls, how long a machine may think.

use std::sync::Arc;
use std::time::Duration;

use game::Side;
use play::{Limits, Task};

use super::{Inner, Table};
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::sheet::{Event, side_name};
use crate::wire::ClockReading;

impl Table {
    /// What the clocks show now, if there are any.
    pub(crate) fn clock(&self) -> Option<ClockReading> {
        let inner = self.lock();
        let (control, face) = inner.sheet.face()?;
        let timekeeper = &self.resources.timekeeper;
        let (used, counts) = timekeeper.used(&self.id, timekeeper.now());
        let turn = inner.sheet.turn().and(inner.sheet.to_move());
        let left = [Side::First, Side::Second].map(|side| {
            let left = face.left[side.index()];
            let used = match Some(side) {
                flagged if flagged == inner.sheet.flagged() => left,
                mover if mover == turn => used,
                _ => Duration::ZERO,
            };
            left.saturating_sub(used).as_millis() as u64
        });
        let running = turn.filter(|_| counts).map(side_name);
        Some(ClockReading { control: control.to_string(), left, running })
    }

    /// A flag has fallen, perhaps, and nobody has said so. Blocks.
    pub(crate) fn look_at_clock(self: &Arc<Self>) -> Result<(), Refusal> {
        let mut inner = self.lock();
        self.restore(&mut inner)?;
        if self.flag(&mut inner, self.resources.timekeeper.now())? {
            self.publish(&inner);
        }
        self.resources.timekeeper.follow(&self.id, inner.sheet.turn(), Duration::ZERO);
        Ok(())
    }

    /// Ends the game if the time of whoever has to move was over at this moment.
    pub(super) fn flag(&self, inner: &mut Inner, at: Duration) -> Result<bool, Refusal> {
        let (Some(turn), Some(side)) = (inner.sheet.turn(), inner.sheet.to_move()) else {
            return Ok(false);
        };
        if self.resources.timekeeper.used(&self.id, at).0 < turn.left {
            return Ok(false);
        }
        let drawn = !inner.sheet.session().can_win(side.other());
        self.happen(inner, Event::Flag { second: side == Side::Second, drawn })?;
        Ok(true)
    }

    /// How many milliseconds a move takes that is made now; none where there are no clocks.
    pub(super) fn spent(&self, inner: &Inner, at: Duration) -> Option<u64> {
        inner.sheet.face()?;
        let used = inner.sheet.turn().map(|_| self.resources.timekeeper.used(&self.id, at).0);
        Some(used.unwrap_or_default().as_millis() as u64)
    }

    /// What a machine is asked for that has to move: it thinks as long as it would without a clock,
    /// and no longer than its clock says.
    pub(super) fn task(&self, inner: &Inner, side: Side, seat: &Seat) -> Result<Task, Refusal> {
        let Some((control, face)) = inner.sheet.face() else { return Ok(Task::default()) };
        let facts = inner.sheet.game().facts();
        let usual = match seat {
            Seat::Human => Limits::default(),
            Seat::Bot(bot) => {
                let strength = bot.spec.strength(&facts.levels, &facts.ratings);
                strength.map_err(|why| Refusal::bad(why.to_string()))?.limits
            }
            Seat::Engine(named) => named.limits,
        };
        let used = self.resources.timekeeper.used(&self.id, self.resources.timekeeper.now()).0;
        let left = face.left[side.index()].saturating_sub(used);
        let limits = Limits { clock: Some(control.with(left)), ..usual };
        let other_clock = Some(control.with(face.left[side.other().index()]));
        Ok(Task { limits: Some(limits), other_clock, ..Task::default() })
    }

    /// Nobody looks on: what a machine has used of its time is kept until somebody does.
    pub(super) fn rest_clock(&self) {
        if let Some(taken) = self.resources.timekeeper.resting(&self.id)
            && let Err(error) = self.resources.store.note_turns(&[taken])
        {
            tracing::error!(id = self.id, %error, "the time of a turn could not be kept");
        }
    }
}
