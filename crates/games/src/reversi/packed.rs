//! Positions as few bytes: the side to move, the passes just made, and the squares in reading
//! order. 8 bytes on 6x6, 14 on 8x8.

use game::{Packer, TextError, Unpacker};

use super::board::bit_of;
use super::notation::disc;
use super::position::{Position, Reversi};
use super::shape::Shape;

/// None, one or two passes.
const PASSES: u64 = 3;

pub(super) fn pack<S: Shape>(game: &Reversi<S>, p: &Position) -> Vec<u8> {
    let mut packer = Packer::new();
    packer.side(p.side);
    packer.digit(p.passes.into(), PASSES);
    for square in game.board().grid().iter() {
        packer.stone(disc(p, square));
    }
    packer.finish()
}

pub(super) fn unpack<S: Shape>(game: &Reversi<S>, bytes: &[u8]) -> Result<Position, TextError> {
    let mut unpacker = Unpacker::new(bytes);
    let side = unpacker.side();
    let passes = unpacker.digit(PASSES) as u8;
    let mut discs = [0; 2];
    for square in game.board().grid().iter() {
        if let Some(owner) = unpacker.stone() {
            discs[owner.index()] |= 1 << bit_of(square);
        }
    }
    unpacker.finish()?;
    let [own, other] = [side, side.other()].map(|side| discs[side.index()]);
    let p = Position { own, other, side, passes };
    game.needless_pass(&p).map_or(Ok(p), |why| Err(unpacker.wrong(why)))
}
