//! Positions as few bytes: the squares without holes, row 1 first; the turn follows from the
//! stones. 9 bytes in Connect Four, 45 on 15x15.

use game::{Packer, TextError, Unpacker};

use super::board::Board;
use super::position::{Mnk, Position};
use super::shape::Shape;

pub(super) fn pack<S: Shape, B: Board>(game: &Mnk<S, B>, p: &Position<B>) -> Vec<u8> {
    let mut packer = Packer::new();
    for (square, _) in game.active.iter().enumerate().filter(|(_, active)| **active) {
        packer.stone(p.board.stone(&game.tables, square));
    }
    packer.finish()
}

pub(super) fn unpack<S: Shape, B: Board>(
    game: &Mnk<S, B>,
    bytes: &[u8],
) -> Result<Position<B>, TextError> {
    let mut unpacker = Unpacker::new(bytes);
    let squares: Vec<_> =
        game.active.iter().map(|&active| active.then(|| unpacker.stone()).flatten()).collect();
    unpacker.finish()?;
    let wrong = |why| unpacker.wrong(why);
    game.check_counts(&squares).map_err(wrong)?;
    game.check_gravity(&squares).map_err(|(_, why)| wrong(why))?;
    let mut p = game.set_up(&squares);
    p.turn = p.turn.with_end(game.end_of(&p).map_err(wrong)?);
    Ok(p)
}
