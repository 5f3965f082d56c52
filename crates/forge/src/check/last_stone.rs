//! Boards that are full: a draw, or a win by the very last stone.

use std::cmp::Ordering;
use std::collections::HashMap;

use game::{Rng, Side};
use protocols::Point;
use protocols::text::{Command, Seat};

use super::plan::{Row, rows_of};
use crate::referee::{DIRECTIONS, Referee};
use crate::talk::{Talk, TalkError};

/// So often a board without another line is looked for, for each direction.
const TRIES: usize = 2_000;
/// So many changes each time.
const CHANGES: usize = 1_000;
/// Larger boards are not filled.
pub(super) const LARGEST: usize = 2_500;

/// The last stone completes the only line, in each direction; and a full board without any line is
/// a draw.
pub(super) fn last_stone(talk: &mut Talk) -> Result<(), TalkError> {
    let game = talk.game;
    let board = Referee::new(game, talk.ground());
    let squares = board.empties().len();
    if squares > LARGEST {
        return Err(TalkError::Idle(format!("boards of over {LARGEST} squares are not filled")));
    }
    let mut rows = rows_of(&game, &board, game.k);
    talk.rng.shuffle(&mut rows);
    let mut steps: Vec<(isize, isize)> = rows.iter().map(|row| row.step).collect();
    steps.sort_unstable();
    steps.dedup();
    let mut played = 0;
    for step in steps {
        let some: Vec<&Row> = rows.iter().filter(|row| row.step == step).collect();
        let found = (0..TRIES).find_map(|n| fill(&board, Some(some[n % some.len()]), talk));
        played += usize::from(play(talk, found)?);
    }
    for _ in 0..2 {
        let found = (0..TRIES).find_map(|_| fill(&board, None, talk));
        played += usize::from(play(talk, found)?);
    }
    talk.hear_out()?;
    match played {
        0 => Err(TalkError::Idle("no full board without another line was found".to_owned())),
        _ => Ok(()),
    }
}

fn play(talk: &mut Talk, stones: Option<Vec<Point>>) -> Result<bool, TalkError> {
    let Some(stones) = stones else { return Ok(false) };
    talk.new_game([Seat::Human; 2])?;
    for point in stones {
        talk.make(point)?;
    }
    talk.ask(&Command::GetPlayer)?;
    talk.ask(&Command::MovesLeft)?;
    talk.ask(&Command::GetMoves)?;
    Ok(true)
}

/// All squares of a board in an order in which nobody wins before the last stone, which completes
/// this row, or nothing.
fn fill(board: &Referee, row: Option<&Row>, talk: &mut Talk) -> Option<Vec<Point>> {
    let game = talk.game;
    let squares = board.empties();
    let (last_side, _) = game.turn_after(squares.len() - 1);
    let own = row.map_or(Some(Vec::new()), |row| row.squares(&game, board))?;
    let counts =
        |side: Side| (0..squares.len()).filter(|&stones| game.turn_after(stones).0 == side).count();
    let colours = colours(&squares, &own, last_side, counts(Side::First), game.k, &mut talk.rng)?;
    let last = match own.is_empty() {
        true => squares[talk.rng.below(squares.len())],
        false => own[talk.rng.below(own.len())],
    };
    order(board, &colours, last, own.is_empty(), &mut talk.rng)
}

/// A colour for each square, so many of them Black's: pairs of one colour in each row, shifted from
/// row to row, have no three in a line. The squares of the row get its colour, and others change
/// where that makes no line until the number is right.
fn colours(
    squares: &[Point],
    own: &[Point],
    side: Side,
    black: usize,
    k: usize,
    rng: &mut Rng,
) -> Option<Vec<(Point, Side)>> {
    let (shift, turned, random) = (rng.below(4), rng.below(2) == 0, rng.below(4) == 0);
    let sides = [Side::First, Side::Second];
    let mut colour = |point: Point| {
        let (x, y) = if turned { (point.x, point.y) } else { (point.y, point.x) };
        // On small boards any may be the one.
        let n = if random { rng.below(2) } else { (x + shift) / 2 + y };
        if own.contains(&point) { side } else { sides[n % 2] }
    };
    let mut colours: HashMap<Point, Side> =
        squares.iter().map(|&point| (point, colour(point))).collect();
    let mut now = colours.values().filter(|&&colour| colour == Side::First).count();
    for _ in 0..CHANGES {
        let point = squares[rng.below(squares.len())];
        let too_many = match now.cmp(&black) {
            Ordering::Equal => {
                return Some(squares.iter().map(|&point| (point, colours[&point])).collect());
            }
            Ordering::Greater => Side::First,
            Ordering::Less => Side::Second,
        };
        if colours[&point] == too_many
            && !own.contains(&point)
            && longest(&colours, point, too_many.other()) < k
        {
            colours.insert(point, too_many.other());
            now = if too_many == Side::First { now - 1 } else { now + 1 };
        }
    }
    None
}

/// How long a line through a square would be if it had this colour.
fn longest(colours: &HashMap<Point, Side>, point: Point, side: Side) -> usize {
    let run = |dx: isize, dy: isize| {
        let own = |n: &isize| {
            let x = point.x.checked_add_signed(n * dx);
            let y = point.y.checked_add_signed(n * dy);
            let at = x.zip(y).map(|(x, y)| Point { x, y });
            at.and_then(|at| colours.get(&at)) == Some(&side)
        };
        (1..).take_while(own).count()
    };
    let line = |&(dx, dy): &(isize, isize)| 1 + run(dx, dy) + run(-dx, -dy);
    DIRECTIONS.iter().map(line).max().unwrap_or(1)
}

/// The squares in an order that gives each its colour, if nobody wins on the way.
fn order(
    board: &Referee,
    colours: &[(Point, Side)],
    last: Point,
    drawn: bool,
    rng: &mut Rng,
) -> Option<Vec<Point>> {
    let mut board = board.clone();
    let mut left: Vec<(Point, Side)> = colours.to_vec();
    rng.shuffle(&mut left);
    let mut stones = Vec::new();
    while !left.is_empty() {
        let (side, _) = board.turn();
        let good = |&(point, colour): &(Point, Side)| {
            colour == side && board.is_free(point) && (left.len() == 1 || point != last)
        };
        let at = left.iter().rposition(good)?;
        let (point, _) = left.swap_remove(at);
        board.place(point);
        stones.push(point);
        if board.winner().is_some() && !left.is_empty() {
            return None;
        }
    }
    (board.winner().is_none() == drawn).then_some(stones)
}
