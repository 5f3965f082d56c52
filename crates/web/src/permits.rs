//! Who may do what at a table: what a [`Sheet`] says to somebody's [`Rights`].

use game::Side;

use crate::refusal::Refusal;
use crate::seats::{Rights, Seat};
use crate::sheet::Sheet;

impl Sheet {
    pub(crate) fn has_bots_only(&self) -> bool {
        !self.seats().iter().any(Seat::is_human)
    }

    pub(crate) fn must_be_on_turn(&self, rights: Rights) -> Result<(), Refusal> {
        match self.to_move() {
            None => Err(Refusal::conflict("the game is over")),
            Some(side) if rights.plays(side) => Ok(()),
            Some(_) => Err(Refusal::conflict("it is the other side's turn")),
        }
    }

    /// What somebody does who is on turn, in the position that was meant.
    pub(crate) fn must_be_about(&self, rights: Rights, version: u64) -> Result<(), Refusal> {
        self.must_be_on_turn(rights)?;
        let stale = || Refusal::conflict("the game has moved on since");
        self.is_about(version).then_some(()).ok_or_else(stale)
    }

    /// What changes the game for everybody is for whoever plays all people's sides; where only bots play, for
    /// whoever set up the table.
    pub(crate) fn must_speak_for_all(&self, rights: Rights) -> Result<(), Refusal> {
        let seats = self.seats();
        let all = [Side::First, Side::Second]
            .into_iter()
            .all(|side| !seats[side.index()].is_human() || rights.plays(side));
        match all && (rights.host || !self.has_bots_only()) {
            true => Ok(()),
            false => Err(Refusal::forbidden("the other player would have to agree")),
        }
    }

    /// Which side gives up: one's own, and of two own ones that to move. True for the second.
    pub(crate) fn resigning(&self, rights: Rights) -> Result<bool, Refusal> {
        match rights.sides {
            [true, true] => Ok(self.to_move() == Some(Side::Second)),
            [first, second] if first || second => Ok(second),
            _ => Err(Refusal::forbidden("only a player can give up")),
        }
    }
}
