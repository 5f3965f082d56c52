//! [`Written`]: moves as files of games have them.

use game::{Dialect, Notation, TextError, moves_of};

use super::notation::Said;
use super::position::{Move, Position};
use super::rules::Draughts;
use super::switches::Rules;
use super::ways::way;

/// The usual text; read as well are moves with the wrong sign or none, and captures with some of the squares on their
/// way. CheckerBoard wrote `10x14` for plain moves and `15-22` for captures, and files with letters leave the
/// sign out: `a3b4`.
#[derive(Clone, Copy, Debug)]
pub enum Written {}

impl<R: Rules> Dialect<Draughts<R>> for Written {
    fn write_move(game: &Draughts<R>, p: &Position, m: Move) -> String {
        game.write_move(p, m)
    }

    fn read_move(game: &Draughts<R>, p: &Position, text: &str) -> Result<Move, TextError> {
        game.read_move(p, text).or_else(|error| {
            let Ok(said) = Said::read_typed(game, text) else { return Err(error) };
            let meant = game.meant(p, &said.squares, |_| true).ok();
            meant.or_else(|| by_the_way(game, p, &said.squares)).ok_or(error)
        })
    }
}

/// The only capture between these ends that comes by the squares between them.
fn by_the_way<R: Rules>(game: &Draughts<R>, p: &Position, squares: &[usize]) -> Option<Move> {
    let comes_by = |m: &Move| {
        let way = way(game.rules().switches(), p, *m);
        let mut left = way.iter();
        squares.iter().all(|square| left.any(|on_way| on_way == square))
    };
    let [from, _, .., to] = *squares else { return None };
    let captures = moves_of(game, p).into_iter().filter(|m| m.captured != 0);
    let mut between = captures.filter(|m| m.from() == from && m.to() == to && comes_by(m));
    between.next().filter(|_| between.next().is_none())
}
