//! The plainest rules, timed beside an engine's: what a board of squares and a walk in four directions take.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::Rng;
use protocols::LineGame;

use super::PlainTimes;
use crate::referee::{Ground, Referee};

/// As many random games as fit in here.
const ENOUGH: Duration = Duration::from_millis(20);

pub(super) fn time(game: LineGame, ground: &Arc<Ground>) -> PlainTimes {
    let mut rng = Rng::new(1);
    let (mut placing, mut listing) = (Duration::ZERO, Duration::ZERO);
    let (mut placed, mut lists) = (0, 0);
    while placing + listing < ENOUGH {
        let mut referee = Referee::new(game, ground);
        let mut points = referee.empties();
        rng.shuffle(&mut points);
        let begun = Instant::now();
        for &point in &points {
            referee.place(referee.landing(point));
            placed += 1;
            if referee.is_over() {
                break;
            }
        }
        placing += begun.elapsed();
        let begun = Instant::now();
        black_box(referee.moves());
        listing += begun.elapsed();
        lists += 1;
    }
    let each = |time: Duration, count: u32| time.as_nanos() as f64 / f64::from(count.max(1));
    PlainTimes { win_check: each(placing, placed), move_list: each(listing, lists) }
}
