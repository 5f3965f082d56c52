//! Beyond the thesis: random games, nonsense, counts.

use protocols::text::{Command, Seat};

use crate::talk::{Talk, TalkError};

/// As many random games are compared, each with a seed of its own.
pub(super) const GAMES: usize = 20;
/// Longer ones are cut short.
const LONGEST: usize = 400;

/// Stones anywhere, so that games are won in every way; what ends them is heard and compared.
pub(super) fn random_games(talk: &mut Talk) -> Result<(), TalkError> {
    for _ in 0..GAMES {
        talk.new_game([Seat::Human; 2])?;
        let mut free = talk.referee().empties();
        while !talk.referee().is_over() && talk.referee().placed() < LONGEST {
            let Some(point) = talk.draw_any(&mut free) else { break };
            talk.make(point)?;
        }
        if talk.game.grid.squares() <= LONGEST {
            talk.ask_all()?;
        }
    }
    talk.hear_out()
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
        "makemove 1.5 1",
        "newgame nobody",
        "\u{1f3b2}",
        "a b c d e f g h",
    ];
    for line in lines {
        talk.tell(line)?;
        talk.ask(&Command::MovesMade)?;
        talk.ask(&Command::MovesLeft)?;
    }
    let letters: Vec<char> = " 019ymakenw-".chars().collect();
    for _ in 0..50 {
        let length = talk.rng.below(30);
        let text: String = (0..length).map(|_| letters[talk.rng.below(letters.len())]).collect();
        // Anything but a move that would count.
        talk.tell(format!("?{text}"))?;
    }
    talk.ask_all()?;
    let first = talk.referee().moves()[0];
    talk.make(first)?;
    talk.ask_all()?;
    talk.hear_out()
}

/// Stones are counted as they are placed.
pub(super) fn counts(talk: &mut Talk) -> Result<(), TalkError> {
    talk.new_game([Seat::Human; 2])?;
    let mut free = talk.referee().empties();
    for _ in 0..LONGEST.min(free.len()) {
        talk.ask(&Command::MovesMade)?;
        let Some(point) = talk.draw(&mut free) else { break };
        talk.make(point)?;
        if talk.referee().is_over() {
            break;
        }
    }
    talk.hear_out()
}
