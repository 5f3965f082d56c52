//! [`Amaf`]: which moves each side made in a trial, at whatever time ("all moves as first",
//! Brügmann 1993).

use game::{Game, Side};

/// A mark for each side and slot. Marks wear a number of their trial, so that nothing has to be
/// wiped between two of them.
#[derive(Clone, Debug)]
pub(super) struct Amaf {
    marks: [Vec<u32>; 2],
    trial: u32,
}

impl Amaf {
    pub(super) fn new(slots: usize) -> Amaf {
        Amaf { marks: [vec![0; slots], vec![0; slots]], trial: 0 }
    }

    /// Another trial begins.
    pub(super) fn begin(&mut self) {
        self.trial = self.trial.wrapping_add(1);
        if self.trial == 0 {
            self.marks.iter_mut().for_each(|marks| marks.fill(0));
            self.trial = 1;
        }
    }

    #[inline]
    pub(super) fn mark<G: Game>(&mut self, game: &G, side: Side, m: G::Move) {
        self.marks[side.index()][game.slot(m)] = self.trial;
    }

    #[inline]
    pub(super) fn is_marked<G: Game>(&self, game: &G, side: Side, m: G::Move) -> bool {
        self.marks[side.index()][game.slot(m)] == self.trial
    }
}
