//! Lines: what wins.

use game::Side;
use protocols::Point;
use protocols::text::Seat;

use crate::referee::Referee;
use crate::talk::{Talk, TalkError};

/// Black completes k.
pub(super) fn k_win(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    let line = level(talk, k, &[]).or_else(|| upright(talk, k, &[]));
    let line = line.ok_or_else(|| too_long("k"))?;
    play(talk, &line, &[])?;
    ended_with(talk, Side::First)
}

/// Black fills the gap in k+1. If that is too many, White completes k, and wins. Where there is room for k alone nothing can be
/// too many: then the gap is in k, which wins by either rule.
pub(super) fn one_more(talk: &mut Talk) -> Result<(), TalkError> {
    let k = talk.game.k;
    if k < 2 {
        return Err(TalkError::Idle("with k=1 the first stone wins".to_owned()));
    }
    let longer = with_gap(talk, k + 1);
    let too_many = longer.is_some() && talk.game.exact;
    let line = longer.or_else(|| with_gap(talk, k)).ok_or_else(|| too_long("k"))?;
    if !too_many {
        play(talk, &line, &[])?;
        return ended_with(talk, Side::First);
    }
    let answer = match talk.ground().gravity {
        true => on_top(talk, &line),
        false => level(talk, k, &line).or_else(|| upright(talk, k, &line)),
    };
    let answer = answer.ok_or_else(|| too_long("a second line"))?;
    play(talk, &line, &answer)?;
    ended_with(talk, Side::Second)
}

fn too_long(what: &str) -> TalkError {
    TalkError::Idle(format!("there is no room for {what} in a row"))
}

fn ended_with(talk: &Talk, winner: Side) -> Result<(), TalkError> {
    // Every stone was compared with what the referee says; this is about the plan.
    match talk.referee.winner() == Some(winner) {
        true => Ok(()),
        false => Err(no_room()),
    }
}

fn no_room() -> TalkError {
    TalkError::Idle("there is no room for all stones".to_owned())
}

/// A line whose second square comes last. Neither side of that gap is long enough. Where stones fall no gap is left in a column.
fn with_gap(talk: &Talk, length: usize) -> Option<Vec<Point>> {
    let falls = talk.ground().gravity;
    let upright = || if falls { None } else { upright(talk, length, &[]) };
    let mut line = level(talk, length, &[]).or_else(upright)?;
    let gap = line.remove(1);
    line.push(gap);
    Some(line)
}

/// A line of so many squares along a row, which can be placed in any order.
fn level(talk: &Talk, length: usize, far_from: &[Point]) -> Option<Vec<Point>> {
    let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
    let lines = (0..rows).map(|y| (0..columns).map(|x| Point { x, y }).collect::<Vec<_>>());
    let fits = |board: &Referee, point| board.is_free(point);
    first_of(talk, lines, length, far_from, fits)
}

/// A line along a column, from below.
fn upright(talk: &Talk, length: usize, far_from: &[Point]) -> Option<Vec<Point>> {
    let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
    let lines = (0..columns).map(|x| (0..rows).rev().map(|y| Point { x, y }).collect::<Vec<_>>());
    let fits = |board: &Referee, point| board.is_empty(point);
    first_of(talk, lines, length, far_from, fits)
}

/// The first squares in a row that fit, and are not next to others.
fn first_of(
    talk: &Talk,
    mut lines: impl Iterator<Item = Vec<Point>>,
    length: usize,
    far_from: &[Point],
    fits: impl Fn(&Referee, Point) -> bool,
) -> Option<Vec<Point>> {
    let board = Referee::new(talk.game, talk.ground());
    let near = |a: Point, b: Point| a.x.abs_diff(b.x) < 2 && a.y.abs_diff(b.y) < 2;
    let good = |&p: &Point| fits(&board, p) && !far_from.iter().any(|&other| near(p, other));
    lines.find_map(|line| {
        line.windows(length).find(|window| window.iter().all(good)).map(<[Point]>::to_vec)
    })
}

/// k squares on top of k+1, with the one above the gap as the last.
fn on_top(talk: &Talk, line: &[Point]) -> Option<Vec<Point>> {
    let mut board = Referee::new(talk.game, talk.ground());
    line.iter().for_each(|&point| board.place(point));
    let above = |&Point { x, y }: &Point| {
        (0..y).rev().map(|y| Point { x, y }).find(|&point| board.is_free(point))
    };
    let found: Vec<Point> = line[1..].iter().map(above).collect::<Option<_>>()?;
    found.iter().all(|point| point.y == found[0].y).then_some(found)
}

/// The squares before and after a line along a row or column, in whatever order it is.
fn ends(line: &[Point]) -> Vec<Point> {
    let (Some(low), Some(high)) = (
        line.iter().min_by_key(|point| (point.x, point.y)),
        line.iter().max_by_key(|point| (point.x, point.y)),
    ) else {
        return Vec::new();
    };
    let (dx, dy) = (usize::from(low.x < high.x), usize::from(low.y < high.y));
    let before = low.x.checked_sub(dx).zip(low.y.checked_sub(dy)).map(|(x, y)| Point { x, y });
    let after = Point { x: high.x + dx, y: high.y + dy };
    before.into_iter().chain([after]).collect()
}

/// Black places its line in order, White its own; White keeps its last stone until Black is done. All other stones go
/// where they do no harm.
fn play(talk: &mut Talk, black: &[Point], white: &[Point]) -> Result<(), TalkError> {
    talk.new_game([Seat::Human; 2])?;
    let mut reserved = [black, white].concat();
    if talk.game.exact {
        reserved.extend(ends(black).into_iter().chain(ends(white)));
    }
    let mut fillers = talk.referee.empties();
    fillers.retain(|point| !reserved.contains(point));
    let mut placed = [0, 0];
    while !talk.referee.is_over() {
        let (side, _) = talk.referee.turn();
        let plan = [black, white][side.index()];
        let next = plan.get(placed[side.index()]).copied();
        let kept = side == Side::Second && placed[1] + 1 == white.len() && placed[0] < black.len();
        let point = match next.filter(|&point| !kept && talk.referee.is_free(point)) {
            Some(point) => {
                placed[side.index()] += 1;
                point
            }
            None => {
                let harmless = |&point: &Point| {
                    talk.referee.is_free(point) && !talk.referee.would_win(point, side)
                };
                let i = fillers.iter().rposition(harmless).ok_or_else(no_room)?;
                fillers.remove(i)
            }
        };
        talk.make(point)?;
    }
    Ok(())
}
