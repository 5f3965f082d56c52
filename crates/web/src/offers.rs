//! What one of two people asks of the other: to take back, a draw, another game. Nothing here knows what
//! follows from a yes.

use game::Side;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::sheet::side_name;

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Wish {
    /// To take back one's last move.
    Undo,
    /// To call the game a draw.
    Draw,
    /// Another game, sides swapped.
    Rematch,
}

impl Wish {
    pub(crate) const ALL: [Wish; 3] = [Wish::Rematch, Wish::Undo, Wish::Draw];
}

/// An offer as everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Offer {
    pub(crate) what: Wish,
    /// Who made it.
    #[cfg_attr(test, ts(as = "crate::typescript::SideName"))]
    pub(crate) side: &'static str,
}

/// The offers of a game. At most one is open; one that was declined is not made again before something else happens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offers {
    open: Option<(Wish, Side)>,
    declined: Vec<(Wish, Side)>,
}

impl Offers {
    pub(crate) fn open(&self) -> Option<(Wish, Side)> {
        self.open
    }

    pub(crate) fn shown(&self) -> (Option<Offer>, Vec<Offer>) {
        let offer = |(what, side): (Wish, Side)| Offer { what, side: side_name(side) };
        (self.open.map(offer), self.declined.iter().copied().map(offer).collect())
    }

    /// Whether this may be asked now.
    pub(crate) fn allow(&self, wish: Wish, side: Side) -> Result<(), Refusal> {
        if self.open.is_some() {
            return Err(Refusal::conflict("there is an offer that waits for an answer"));
        }
        if self.declined.contains(&(wish, side)) {
            return Err(Refusal::conflict("that was declined; something must happen first"));
        }
        Ok(())
    }

    pub(crate) fn make(&mut self, wish: Wish, side: Side) {
        self.open = Some((wish, side));
    }

    /// The other one says no, or whoever asked thinks better of it.
    pub(crate) fn decline(&mut self) -> Result<(), Refusal> {
        let open = self.open.take().ok_or_else(nothing)?;
        self.declined.push(open);
        Ok(())
    }

    /// The other one says yes to this. Gives who asked.
    pub(crate) fn accept(&mut self, wish: Wish) -> Result<Side, Refusal> {
        match self.open {
            Some((open, side)) if open == wish => {
                self.open = None;
                Ok(side)
            }
            _ => Err(nothing()),
        }
    }

    /// A side has moved. A draw stays on offer until the other side does.
    pub(crate) fn moved(&mut self, mover: Side) {
        self.declined.clear();
        self.open = self.open.filter(|&open| open == (Wish::Draw, mover));
    }

    /// Something else has happened.
    pub(crate) fn clear(&mut self) {
        *self = Offers::default();
    }
}

fn nothing() -> Refusal {
    Refusal::conflict("there is no such offer any more")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_stays_on_offer_until_the_other_side_moves() {
        let mut offers = Offers::default();
        offers.make(Wish::Draw, Side::First);
        assert!(offers.allow(Wish::Undo, Side::Second).is_err(), "one at a time");
        offers.moved(Side::First);
        assert_eq!(offers.open(), Some((Wish::Draw, Side::First)));
        offers.moved(Side::Second);
        assert_eq!(offers.open(), None);
        offers.make(Wish::Undo, Side::First);
        offers.moved(Side::First);
        assert_eq!(offers.open(), None);
    }

    #[test]
    fn nobody_is_asked_again_and_again() {
        let mut offers = Offers::default();
        offers.make(Wish::Undo, Side::Second);
        assert!(offers.accept(Wish::Draw).is_err(), "another offer than was meant");
        offers.decline().unwrap();
        assert!(offers.decline().is_err());
        assert!(offers.allow(Wish::Undo, Side::Second).is_err());
        assert!(offers.allow(Wish::Undo, Side::First).is_ok());
        offers.moved(Side::First);
        assert!(offers.allow(Wish::Undo, Side::Second).is_ok());
        offers.make(Wish::Undo, Side::Second);
        assert_eq!(offers.accept(Wish::Undo).unwrap(), Side::Second);
        assert!(offers.accept(Wish::Undo).is_err(), "a yes counts once");
    }
}
