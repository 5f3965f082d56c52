//! [`Weights`]: every number that [`Stable`](super::Stable) knows, in one place.

use evaluation::weights::{Visit, Weight, show_all};

/// What a feature is worth at the start, when half of the board is full, and at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages(pub [i32; 3]);

impl Weight for Stages {
    fn show(&mut self, name: &str, visit: &mut Visit<'_>) {
        show_all(name, ["opening", "middle", "endgame"], &mut self.0, visit);
    }
}

/// Thirty-seconds of a disc. What is counted is told in `stable`; mine less theirs, unless it is said
/// otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// To be the one who moves.
    pub tempo: Stages,
    /// A square where a disc can be placed.
    pub mobility: Stages,
    /// An empty square next to a disc of the other side.
    pub potential: Stages,
    /// A disc next to an empty square.
    pub frontier: Stages,
    /// A disc in a corner.
    pub corner: Stages,
    /// An empty corner that can be taken at once.
    pub corner_reach: Stages,
    /// A disc diagonally by an empty corner.
    pub x_square: Stages,
    /// A disc on the edge by an empty corner.
    pub c_square: Stages,
    /// A disc that cannot be turned any more.
    pub stable: Stages,
    /// For each disc more than the other side has.
    pub disc: Stages,
    /// To have the last move if nobody passes, as the mover has with an odd number of empty squares.
    pub parity: Stages,
    /// For the mover, a region of empty squares with an odd number of them.
    pub odd_region: Stages,
}

impl Weights {
    /// Fitted by least squares to the final margins of 8,000 games against itself, in which the last eleven
    /// squares were played out exactly; the rounds before it taught it to play them.
    pub const DEFAULT: Weights = Weights {
        tempo: Stages([-33, -63, -49]),
        mobility: Stages([6, 19, 53]),
        potential: Stages([13, 8, -33]),
        frontier: Stages([-60, -28, -21]),
        corner: Stages([147, 318, -10]),
        corner_reach: Stages([164, 125, 113]),
        x_square: Stages([-362, -190, 82]),
        c_square: Stages([-119, -20, -2]),
        stable: Stages([252, 23, 23]),
        disc: Stages([35, -2, 0]),
        parity: Stages([36, 55, 51]),
        odd_region: Stages([0, -4, 25]),
    };

    /// Shows every number once.
    pub(super) fn each(&mut self, visit: &mut Visit<'_>) {
        self.tempo.show("tempo", visit);
        self.mobility.show("mobility", visit);
        self.potential.show("potential", visit);
        self.frontier.show("frontier", visit);
        self.corner.show("corner", visit);
        self.corner_reach.show("corner_reach", visit);
        self.x_square.show("x_square", visit);
        self.c_square.show("c_square", visit);
        self.stable.show("stable", visit);
        self.disc.show("disc", visit);
        self.parity.show("parity", visit);
        self.odd_region.show("odd_region", visit);
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::DEFAULT
    }
}
