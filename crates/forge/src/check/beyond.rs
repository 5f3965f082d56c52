//! Beyond the thesis: random games, nonsense, counts.

use protocols::Point;
use protocols::text::{Command, Reply, Seat};

use crate::talk::{Talk, TalkError};

/// As many random games are compared, each with a seed of its own.
pub(super) const GAMES: usize = 20;
/// Longer ones are cut short.
const LONGEST: usize = 400;

/// Stones anywhere, so that games are won in every way; what ends them is heard and compared.
pub(super) fn random_games(talk: &mut Talk) -> Result<(), TalkError> {
    for _ in 0..GAMES {
        talk.new_game([Seat::Human; 2])?;
        let mut free = talk.referee.empties();
        while !talk.referee.is_over() && talk.referee.placed() < LONGEST {
            let Some(point) = talk.draw_any(&mut free) else { break };
            talk.make(point)?;
        }
        if talk.game.grid.squares() <= LONGEST {
            talk.compare_moves()?;
        }
    }
    Ok(())
}

/// Lines that mean nothing, in the middle of a game that goes on afterwards.
pub(super) fn nonsense(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Human; 2])?;
    let lines = [
        "",
        "   ",
        "makemove",
        "makemove 1",
        "makemove x y",
        "makemove 0 0",
        "makemove -1 1",
        "makemove 99999999999999999999 1",
        "makemove 1 1 1",
        "newgame nobody",
        "\u{1f3b2}",
        "a b c d e f g h",
    ];
    for line in lines {
        talk.say_anything(line)?;
    }
    let letters: Vec<char> = " 019ymakenw-".chars().collect();
    for _ in 0..50 {
        let length = talk.rng.below(30);
        let text: String = (0..length).map(|_| letters[talk.rng.below(letters.len())]).collect();
        // Anything but a move that would count.
        talk.say_anything(&format!("?{text}"))?;
    }
    talk.settle()?;
    if talk.game.grid.squares() > 1 && talk.game.k > 1 {
        // Off the board, on each side.
        let (rows, columns) = (talk.game.grid.rows, talk.game.grid.columns);
        for point in [Point { x: columns, y: 0 }, Point { x: 0, y: rows }] {
            talk.ask(&Command::MakeMove(point), &Reply::InvalidMove)?;
        }
    }
    talk.ask(&Command::MovesMade, &Reply::Number(0))?;
    let first = talk.referee.moves()[0];
    talk.make(first)
}

/// Stones are counted as they are placed.
pub(super) fn counts(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Human; 2])?;
    let mut free = talk.referee.empties();
    for _ in 0..LONGEST.min(free.len()) {
        let placed = talk.referee.placed() as u64;
        talk.ask(&Command::MovesMade, &Reply::Number(placed))?;
        let Some(point) = talk.draw(&mut free) else { break };
        talk.make(point)?;
        if talk.referee.is_over() {
            break;
        }
    }
    Ok(())
}
