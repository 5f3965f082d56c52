//! Lines: what wins.

use game::Side;
use protocols::Point;
use protocols::text::Seat;

use crate::talk::{Talk, Wrong};

/// Black completes k.
pub(super) fn k_win(talk: &mut Talk) -> Result<(), Wrong> {
    let k = talk.game.k;
    let Some(line) = straight(talk, k, 0) else { return Err(too_long("k")) };
    play(talk, &line, &[])?;
    ended_with(talk, Some(Side::First))
}

/// Black fills the gap in k+1. If that is too many, White completes k, and wins.
pub(super) fn one_more(talk: &mut Talk) -> Result<(), Wrong> {
    let k = talk.game.k;
    if k < 2 {
        return Err(Wrong::Idle("with k=1 the first stone wins".to_owned()));
    }
    let Some(mut line) = straight(talk, k + 1, 0) else { return Err(too_long("k+1")) };
    // Neither side of the gap is long enough.
    let gap = line.remove(1);
    line.push(gap);
    if !talk.game.exact {
        play(talk, &line, &[])?;
        return ended_with(talk, Some(Side::First));
    }
    // Far enough from Black's.
    let Some(answer) = straight(talk, k, 2) else { return Err(too_long("a second line")) };
    play(talk, &line, &answer)?;
    ended_with(talk, Some(Side::Second))
}

fn too_long(what: &str) -> Wrong {
    Wrong::Idle(format!("there is no room for {what} in a row"))
}

fn ended_with(talk: &Talk, winner: Option<Side>) -> Result<(), Wrong> {
    // Every stone was compared with what the referee says; this is about the plan.
    match talk.referee.winner() == winner {
        true => Ok(()),
        false => Err(Wrong::Idle("there is no room for all stones".to_owned())),
    }
}

/// A line of so many squares along the longer side, in this row or column.
fn straight(talk: &Talk, length: usize, at: usize) -> Option<Vec<Point>> {
    let grid = talk.game.grid;
    if length <= grid.columns && at < grid.rows {
        return Some((0..length).map(|x| Point { x, y: at }).collect());
    }
    (length <= grid.rows && at < grid.columns)
        .then(|| (0..length).map(|y| Point { x: at, y }).collect())
}

/// Black places its line in order, then White its own; White keeps its last stone until Black is done. All other stones go
/// where they do no harm.
fn play(talk: &mut Talk, black: &[Point], white: &[Point]) -> Result<(), Wrong> {
    talk.new_game([Seat::Human; 2])?;
    let reserved = [black, white].concat();
    let mut fillers = talk.referee.free();
    fillers.retain(|point| !reserved.contains(point));
    let mut placed = [0, 0];
    while !talk.referee.is_over() {
        let (side, _) = talk.referee.turn();
        let plan = [black, white][side.index()];
        let next = plan.get(placed[side.index()]).copied();
        let kept = side == Side::Second && placed[1] + 1 == white.len() && placed[0] < black.len();
        let point = match next.filter(|_| !kept) {
            Some(point) => {
                placed[side.index()] += 1;
                point
            }
            None => {
                let harmless =
                    fillers.iter().rposition(|&point| !talk.referee.would_win(point, side));
                let Some(i) = harmless else {
                    return Err(Wrong::Idle("there is no room for all stones".to_owned()));
                };
                fillers.remove(i)
            }
        };
        talk.make(point)?;
    }
    Ok(())
}
