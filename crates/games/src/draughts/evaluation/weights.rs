//! [`Weights`]: every number that [`Classic`](super::Classic) knows, in one place.

use evaluation::Tapered;
use evaluation::weights::{Visit, Weight, show_all};

/// A king that goes a step, and one that flies.
pub(super) const KINGS: [&str; 2] = ["short", "flying"];

/// Hundredths of a man, each for a board as full as at the start and for an empty one. What is counted
/// is told in `terms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A man.
    pub man: Tapered,
    /// A king: one that goes a step, and one that flies.
    pub king: [Tapered; 2],
    /// A row that a man has come forward.
    pub advance: Tapered,
    /// A man on its first row, where it keeps the others from being crowned.
    pub home: Tapered,
    /// A man in the centre.
    pub centre: Tapered,
    /// A man by the left or right border.
    pub border: Tapered,
    /// A king in the centre: one that goes a step, and one that flies.
    pub king_centre: [Tapered; 2],
    /// A king on the long diagonal: one that goes a step (often stuck in its corner), and one that
    /// flies.
    pub long_diagonal: [Tapered; 2],
    /// A king with no free square beside it.
    pub trapped: Tapered,
    /// A free step for a man.
    pub step: Tapered,
    /// A free step for a king.
    pub king_step: Tapered,
    /// Each man that one wing has more than the other.
    pub wings: Tapered,
    /// A piece that can be captured at once, of the side to move and of the other.
    pub hanging: [Tapered; 2],
    /// To be ahead, for each square without a piece.
    pub trade: i32,
    /// A bare king that is behind, in a double corner.
    pub shelter: i32,
    /// Each step between a king of the side that is ahead and the nearest bare king.
    pub apart: i32,
    /// How much of a score is left where kings fly and a lone one cannot be caught, in per cent.
    pub drawish: i32,
}

impl Weights {
    /// Set by hand.
    pub const DEFAULT: Weights = Weights {
        man: Tapered::new(100, 110),
        king: [Tapered::new(145, 155), Tapered::new(300, 290)],
        advance: Tapered::new(1, 5),
        home: Tapered::new(9, 2),
        centre: Tapered::new(4, 2),
        border: Tapered::new(-3, -1),
        king_centre: [Tapered::new(6, 8), Tapered::new(3, 4)],
        long_diagonal: [Tapered::new(-4, -6), Tapered::new(15, 20)],
        trapped: Tapered::new(-25, -35),
        step: Tapered::new(2, 3),
        king_step: Tapered::new(3, 4),
        wings: Tapered::new(-3, -1),
        hanging: [Tapered::new(-8, -8), Tapered::new(-35, -35)],
        trade: 1,
        shelter: 8,
        apart: 4,
        drawish: 10,
    };

    /// Shows every number once.
    pub(super) fn each(&mut self, visit: &mut Visit<'_>) {
        self.man.show("man", visit);
        show_all("king", KINGS, &mut self.king, visit);
        self.advance.show("advance", visit);
        self.home.show("home", visit);
        self.centre.show("centre", visit);
        self.border.show("border", visit);
        show_all("king_centre", KINGS, &mut self.king_centre, visit);
        show_all("long_diagonal", KINGS, &mut self.long_diagonal, visit);
        self.trapped.show("trapped", visit);
        self.step.show("step", visit);
        self.king_step.show("king_step", visit);
        self.wings.show("wings", visit);
        show_all("hanging", ["to_move", "waiting"], &mut self.hanging, visit);
        self.trade.show("trade", visit);
        self.shelter.show("shelter", visit);
        self.apart.show("apart", visit);
        self.drawish.show("drawish", visit);
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::DEFAULT
    }
}
