//! [`LineWeights`]: every number the evaluation of line games knows, in one place.

use evaluation::weights::{Visit, Weight, show_all};

/// What shapes are worth. A shape is seen from an empty square along one direction: the windows through
/// it that a side can still fill and that lack the fewest stones. Arrays are by that number of missing
/// stones, from 1 up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineWeights {
    /// One such window: half open, as it can be stopped from one side.
    pub single: [i32; 5],
    /// Two of them, so that the line can grow in two ways.
    pub open: [i32; 5],
    /// Three or more.
    pub wide: [i32; 5],
    /// How much more the shapes of the side to move count, in hundredths, for every stone left in its turn
    /// times the stones of a whole turn. Too little where turns are two stones made deep searches timid:
    /// those that ended with the opponent's turn feared more than those that ended with the own one.
    pub tempo: i32,
    /// With gravity: a square that completes a line, out of reach for now, that the side will be forced to
    /// get if all else is filled in turn.
    pub timely: i32,
    /// The same, but the other side will get the square first.
    pub untimely: i32,
}

impl LineWeights {
    /// Set by hand.
    pub const DEFAULT: LineWeights = LineWeights {
        single: [400, 100, 12, 3, 1],
        open: [500, 200, 45, 7, 1],
        wide: [500, 200, 60, 12, 2],
        tempo: 15,
        timely: 300,
        untimely: 40,
    };

    /// Shows every number.
    pub(super) fn each(&mut self, visit: &mut Visit<'_>) {
        let LineWeights { single, open, wide, tempo, timely, untimely } = self;
        show_all("single", 1.., single, visit);
        show_all("open", 1.., open, visit);
        show_all("wide", 1.., wide, visit);
        tempo.show("tempo", visit);
        timely.show("timely", visit);
        untimely.show("untimely", visit);
    }

    /// The worth of a shape.
    #[inline]
    pub(super) fn shape(&self, missing: usize, windows: usize) -> i32 {
        let row = match windows {
            0 => return 0,
            1 => &self.single,
            2 => &self.open,
            _ => &self.wide,
        };
        row.get(missing - 1).copied().unwrap_or(0)
    }
}

impl Default for LineWeights {
    fn default() -> LineWeights {
        LineWeights::DEFAULT
    }
}
