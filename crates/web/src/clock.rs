//! The clocks of a game: how much time there is ([`TimeControl`]), and what both clocks showed
//! after each move ([`Clocks`]). Nothing here knows what time it is; what a move took is told with
//! it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use game::{Side, TextError};
use play::Clock;
use play::numbers::clock;

/// How much time each side has, as files of games write it: `300` seconds for the game, `300+3`
/// with three more for each move, `1/30` thirty for every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeControl(Clock);

const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
const LARGEST_INCREMENT: Duration = Duration::from_secs(60 * 60);

impl TimeControl {
    /// What both clocks show at first.
    fn start(self) -> Duration {
        self.0.left
    }

    fn is_per_move(self) -> bool {
        self.0.moves.is_some()
    }

    /// For a player who has so much left.
    pub(crate) fn with(self, left: Duration) -> Clock {
        Clock { left, ..self.0 }
    }
}

impl FromStr for TimeControl {
    type Err = TextError;

    fn from_str(text: &str) -> Result<TimeControl, TextError> {
        let right = "a clock is 300 for five minutes, 300+3 with three seconds a move more, or \
                     1/30 for thirty seconds a move; from a second to a day";
        let control = clock(text).map_err(|why| why.of(text))?;
        let Clock { left, increment, moves } = control;
        let is_known = match moves {
            None => increment <= LARGEST_INCREMENT,
            Some(moves) => moves == 1 && increment.is_zero(),
        };
        match is_known && (SHORTEST..=LONGEST).contains(&left) {
            true => Ok(TimeControl(control)),
            false => Err(TextError::new(text, right)),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clock { left, increment, moves } = self.0;
        if let Some(moves) = moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", left.as_secs_f64())?;
        match increment.is_zero() {
            true => Ok(()),
            false => write!(f, "+{}", increment.as_secs_f64()),
        }
    }
}

/// What both clocks show when a turn begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Face {
    pub(crate) left: [Duration; 2],
    /// Which sides have moved. Each has its first move for nothing, so that nobody loses time
    /// before the other has come.
    has_moved: [bool; 2],
}

impl Face {
    pub(crate) fn runs(&self) -> bool {
        self.has_moved == [true; 2]
    }
}

/// The clocks of a game, after each move of its line. Whoever takes back goes back in time: the
/// clocks show what they showed then.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    /// From the first position on.
    faces: Vec<Face>,
}

impl Clocks {
    pub(crate) fn new(control: TimeControl) -> Clocks {
        let face = Face { left: [control.start(); 2], has_moved: [false; 2] };
        Clocks { control, faces: vec![face] }
    }

    pub(crate) fn control(&self) -> TimeControl {
        self.control
    }

    /// After so many moves.
    pub(crate) fn at(&self, ply: usize) -> Face {
        self.faces[ply.min(self.faces.len() - 1)]
    }

    /// A side has moved after so many moves, in so much time; moves from a file took none. Its turn
    /// may go on, as where two stones are placed: then it gets nothing yet for it.
    pub(crate) fn played(
        &mut self,
        ply: usize,
        mover: Side,
        turn_ends: bool,
        spent: Option<Duration>,
    ) {
        let mut face = self.at(ply);
        self.faces.truncate(ply + 1);
        if let Some(spent) = spent {
            let left = &mut face.left[mover.index()];
            *left = left.saturating_sub(spent);
            if turn_ends {
                face.has_moved[mover.index()] = true;
                match self.control.is_per_move() {
                    true => *left = self.control.start(),
                    false => *left += self.control.0.increment,
                }
            }
        }
        self.faces.push(face);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(clocks: &Clocks, ply: usize) -> [u64; 2] {
        clocks.at(ply).left.map(|left| left.as_secs())
    }

    /// Moves in turn, each with what it took.
    fn clocks(control: &str, spent: &[u64]) -> Clocks {
        let mut clocks = Clocks::new(control.parse().unwrap());
        for (ply, &spent) in spent.iter().enumerate() {
            let mover = if ply % 2 == 0 { Side::First } else { Side::Second };
            clocks.played(ply, mover, true, Some(Duration::from_secs(spent)));
        }
        clocks
    }

    #[test]
    fn controls_are_read_and_written() {
        for text in ["300", "300+3", "0.5+1", "90+0.5", "1/30", "86400", "1"] {
            let read = text.parse::<TimeControl>();
            match text {
                "0.5+1" => assert!(read.is_err(), "nobody moves in half a second"),
                _ => assert_eq!(read.unwrap().to_string(), text),
            }
        }
        for text in [
            "", "0", "-5", "x", "300+", "+3", "86401", "2/30", "1/30+1", "0/30", "1e9", "NaN",
            "inf",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("a clock is"), "{text}: {error}");
        }
    }

    #[test]
    fn sudden_death_only_takes() {
        let clocks = clocks("300", &[0, 0, 10, 20, 5]);
        assert_eq!(seconds(&clocks, 5), [285, 280]);
        assert_eq!(seconds(&clocks, 3), [290, 300], "as it was then");
        assert!(!clocks.at(1).runs() && clocks.at(2).runs(), "first moves are free");
    }

    #[test]
    fn increments_come_with_the_end_of_a_turn() {
        assert_eq!(seconds(&clocks("60+2", &[0, 0, 10]), 3), [54, 62]);
        let mut two_stones = Clocks::new("60+2".parse().unwrap());
        two_stones.played(0, Side::First, false, Some(Duration::from_secs(5)));
        assert_eq!(seconds(&two_stones, 1), [55, 60]);
        two_stones.played(1, Side::First, true, Some(Duration::from_secs(5)));
        assert_eq!(seconds(&two_stones, 2), [52, 60]);
    }

    #[test]
    fn time_for_a_move_is_not_saved_up() {
        assert_eq!(seconds(&clocks("1/30", &[0, 0, 29, 1]), 4), [30, 30]);
    }

    #[test]
    fn taking_back_is_going_back_in_time() {
        let mut clocks = clocks("60+2", &[0, 0, 10, 10, 10]);
        // Another third move instead.
        clocks.played(2, Side::First, true, Some(Duration::from_secs(1)));
        assert_eq!(seconds(&clocks, 3), [63, 62]);
        assert_eq!(seconds(&clocks, 9), [63, 62], "the last one there is");
    }

    #[test]
    fn moves_from_a_file_take_nothing_and_bring_nothing() {
        let mut clocks = Clocks::new("60+2".parse().unwrap());
        clocks.played(0, Side::First, true, None);
        clocks.played(1, Side::Second, true, None);
        assert_eq!((seconds(&clocks, 2), clocks.at(2).runs()), ([60, 60], false));
    }
}
