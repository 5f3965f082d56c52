//! [`Written`]: moves as files of games have them.

use game::{Dialect, Notation, TextError, moves_of};

use super::position::{Move, Position};
use super::rules::Draughts;
use super::switches::Rules;

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
            let squares = squares_of(text);
            let said = |sign: &str| game.read_move(p, &squares.join(sign));
            let read = said("-").or_else(|_| said("x"));
            read.or_else(|_| by_the_way(game, p, &squares).ok_or(error))
        })
    }
}

/// The only capture between these ends that comes by the squares between them.
fn by_the_way<R: Rules>(game: &Draughts<R>, p: &Position, squares: &[&str]) -> Option<Move> {
    let comes_by = |m: &Move| {
        let text = game.write_move(p, *m);
        let way = squares_of(&text);
        let mut left = way.iter();
        let ends = [way.first(), way.last()] == [squares.first(), squares.last()];
        ends && squares.iter().all(|square| left.any(|on_way| on_way == square))
    };
    let mut moves = moves_of(game, p).into_iter().filter(comes_by);
    moves.next().filter(|_| moves.next().is_none() && squares.len() > 2)
}

/// The names of squares in a move, whatever stands between them.
fn squares_of(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() || matches!(c, 'x' | 'X'));
    parts.flat_map(lettered).filter(|square| !square.is_empty()).collect()
}

/// Cuts before each letter.
fn lettered(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let next = rest.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic());
        let (square, behind) = rest.split_at(next.map_or(rest.len(), |(i, _)| i));
        rest = behind;
        (!square.is_empty()).then_some(square)
    })
}
