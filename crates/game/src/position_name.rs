//! [`PositionName`]: what a position is called in the table of a solver.

/// A position in a table, by more than 64 bits.
///
/// Among the billions of positions of a long search two may share a key. A solver that took one for
/// the other would prove what is false, so it compares a second number, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PositionName {
    /// As [`table_key`](crate::Game::table_key) has it.
    pub key: u64,
    /// The same for equal positions, and independent of the key for others; 0 where the key alone
    /// tells all positions of the game apart.
    pub check: u64,
    /// The symmetry that leads to the position that is meant.
    pub symmetry: usize,
}

impl PositionName {
    /// What to compare where the key says where to look: the key again would say little new.
    #[inline]
    #[must_use]
    pub fn compared(self) -> u64 {
        self.key.wrapping_add(self.check)
    }
}
