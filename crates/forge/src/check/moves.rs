//! Moves: which there are, when there are no more, and that a refused one changes nothing.

use protocols::Point;
use protocols::text::{Command, Seat};

use crate::talk::{Talk, TalkError};

const HUMANS: [Seat; 2] = [Seat::Human; 2];

/// On boards with more squares than this lists are compared at some moves only.
pub(super) const SMALL: usize = 2_500;
/// At so many of the first and of the last moves.
pub(super) const ENDS: usize = 50;
/// And so often in between.
pub(super) const BETWEEN: usize = 100;
/// Games on small boards have so many stones together.
const STONES: usize = 400;
/// Refused moves are tried after so many stones of a game,
pub(super) const REFUSED: usize = 150;
/// and in so many games.
const REFUSED_GAMES: usize = 8;

/// Whether lists are compared after so many stones.
fn is_sample(placed: usize, squares: usize) -> bool {
    let step = (squares.saturating_sub(2 * ENDS) / BETWEEN).max(1);
    squares <= SMALL
        || placed <= ENDS
        || placed + ENDS >= squares
        || (placed - ENDS).is_multiple_of(step)
}

/// A whole game, and on a small board as many as have some hundred stones.
pub(super) fn after_every_move(talk: &mut Talk) -> Result<(), TalkError> {
    for _ in 0..(STONES / talk.game.grid.squares()).max(1) {
        one_game(talk)?;
    }
    talk.hear_out()
}

fn one_game(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game(HUMANS)?;
    let mut free = talk.referee().empties();
    let squares = free.len();
    talk.ask(&Command::GetMoves)?;
    while !talk.referee().is_over() {
        let placed = talk.referee().placed();
        let next = (placed + 1..squares).find(|&placed| is_sample(placed, squares));
        talk.make_some(&mut free, next.unwrap_or(squares) - placed)?;
        talk.ask(&Command::GetMoves)?;
    }
    Ok(())
}

/// Until the board is full, or somebody cannot help winning: then nothing can be placed any more.
pub(super) fn all_of_them(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game(HUMANS)?;
    let mut free = talk.referee().empties();
    talk.make_some(&mut free, usize::MAX)?;
    talk.ask_all()?;
    let last = free.first().copied().unwrap_or(Point { x: 0, y: 0 });
    talk.make(last)?;
    talk.ask_all()?;
    talk.hear_out()
}

pub(super) fn twice(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game(HUMANS)?;
    let free = talk.referee().moves();
    let point = free[free.len() / 2];
    talk.make(point)?;
    talk.make(point)?;
    talk.ask(&Command::GetMoves)?;
    talk.hear_out()
}

/// After every stone something is tried that must be refused, and all questions are asked before
/// the next one. The game ends by chance, or when the board is full, and is asked about then, too.
pub(super) fn refused(talk: &mut Talk) -> Result<(), TalkError> {
    talk.tell("makemove 1 1")?;
    for game in 0..REFUSED_GAMES {
        talk.new_game(HUMANS)?;
        talk.ask_all()?;
        let mut free = talk.referee().empties();
        for number in 0..=REFUSED {
            // Each game begins with another kind.
            refuse(talk, number + game)?;
            if talk.referee().is_over() || (game > 1 && number > REFUSED / 8) {
                break;
            }
            // Every second one ends soon.
            let careful = game.is_multiple_of(2);
            let point = if careful { talk.draw(&mut free) } else { talk.draw_any(&mut free) };
            let Some(point) = point else { break };
            talk.make(point)?;
        }
        for number in 0..8 {
            refuse(talk, number)?;
        }
    }
    talk.hear_out()
}

/// One of the ways to place a stone where none can be.
fn refuse(talk: &mut Talk, number: usize) -> Result<(), TalkError> {
    let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
    let (x, y) = (1 + talk.rng.below(columns), 1 + talk.rng.below(rows));
    let line = match number % 8 {
        0 => format!("makemove {} {y}", columns + 1),
        1 => format!("makemove {x} {}", rows + 1),
        2 => format!("makemove 0 {y}"),
        3 => format!("makemove {x} 0"),
        4 => format!("makemove -1 {y}"),
        5 => format!("makemove {} {}", x + 256, y + 65_536),
        // Once the game is over, a free one, too.
        7 if talk.referee().is_over() && !talk.referee().empties().is_empty() => {
            let Point { x, y } = talk.referee().moves()[0];
            format!("makemove {} {}", x + 1, y + 1)
        }
        _ => match taken(talk, number) {
            Some(Point { x, y }) => format!("makemove {} {}", x + 1, y + 1),
            None => format!("makemove {} {}", columns + 1, rows + 1),
        },
    };
    talk.tell(line)?;
    match talk.game.grid.squares() <= SMALL {
        true => talk.ask_all(),
        false => [Command::GetPlayer, Command::MovesLeft, Command::MovesMade]
            .iter()
            .try_for_each(|command| talk.ask(command)),
    }
}

/// A square that has a stone, another one each time.
fn taken(talk: &Talk, number: usize) -> Option<Point> {
    let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
    let squares = rows * columns;
    let point = |n: usize| Point { x: n % squares % columns, y: n % squares / columns };
    let from = number * 7919;
    (from..from + squares).map(point).find(|&point| talk.referee().stone(point).is_some())
}

/// New games in the middle of a game, after wins and after full boards: nothing is left of them.
pub(super) fn begun_anew(talk: &mut Talk) -> Result<(), TalkError> {
    let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
    let squares = rows * columns;
    let corners = [Point { x: columns - 1, y: rows - 1 }, Point { x: 0, y: 0 }];
    for stones in [0, 1, 2, 3, squares / 2, squares, squares] {
        talk.new_game(HUMANS)?;
        talk.ask_all()?;
        let mut free = talk.referee().empties();
        for number in 0..stones.min(SMALL) {
            let corner = corners.get(number).filter(|&&point| talk.referee().is_free(point));
            let point = match corner {
                Some(&point) => Some(point),
                None => talk.draw_any(&mut free),
            };
            let Some(point) = point else { break };
            free.retain(|&other| other != point);
            talk.make(point)?;
            if talk.referee().is_over() {
                break;
            }
        }
    }
    talk.new_game(HUMANS)?;
    talk.ask_all()?;
    talk.hear_out()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_boards_are_sampled() {
        assert!((0..=SMALL).all(|placed| is_sample(placed, SMALL)));
        let samples = (0..=62_500).filter(|&placed| is_sample(placed, 62_500)).count();
        assert!((180..=210).contains(&samples), "{samples}");
    }
}
