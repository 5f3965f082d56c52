//! Positions as few bytes: the side to move, the passes just made, the ko and the prisoners where
//! the rules know such, and the points, row 1 first. 11 bytes on 7x7, 73 on 19x19.

use game::{Notation, Packer, TextError, Unpacker, read_unpacked};

use super::notation::stone;
use super::parameters::{Ko, Scoring};
use super::points::{PointSet, bit_of, square_of};
use super::position::{Go, MOST_PRISONERS, NO_KO, Position};
use super::shape::Shape;

/// None, one or two passes.
const PASSES: u64 = 3;
const PRISONERS: u64 = MOST_PRISONERS as u64 + 1;

pub(super) fn pack<S: PointSet, R: Shape>(game: &Go<S, R>, p: &Position<S>) -> Vec<u8> {
    let parameters = game.parameters();
    let grid = parameters.size();
    let mut packer = Packer::new();
    packer.side(p.side);
    packer.digit(p.passes.into(), PASSES);
    if parameters.ko == Ko::Basic {
        let ko = p.ko().map_or(0, |bit| 1 + grid.index(square_of::<S>(bit)));
        packer.digit(ko as u64, 1 + grid.squares() as u64);
    }
    if parameters.scoring != Scoring::Area {
        p.prisoners.into_iter().for_each(|count| packer.digit(count.into(), PRISONERS));
    }
    for square in grid.iter() {
        packer.stone(stone(p, square));
    }
    packer.finish()
}

pub(super) fn unpack<S: PointSet, R: Shape>(
    game: &Go<S, R>,
    bytes: &[u8],
) -> Result<Position<S>, TextError> {
    let parameters = game.parameters();
    let grid = parameters.size();
    let mut unpacker = Unpacker::new(bytes);
    let side = unpacker.side();
    let passes = unpacker.digit(PASSES) as u8;
    let mut ko = NO_KO;
    if parameters.ko == Ko::Basic {
        let point = unpacker.digit(1 + grid.squares() as u64) as usize;
        ko = point.checked_sub(1).map_or(NO_KO, |index| bit_of::<S>(grid.square(index)) as u16);
    }
    let mut prisoners = [0; 2];
    if parameters.scoring != Scoring::Area {
        prisoners = prisoners.map(|_: u16| unpacker.digit(PRISONERS) as u16);
    }
    let mut stones = [S::default(); 2];
    for square in grid.iter() {
        if let Some(owner) = unpacker.stone() {
            stones[owner.index()] = stones[owner.index()] | S::single(bit_of::<S>(square));
        }
    }
    unpacker.finish()?;
    let [own, other] = [side, side.other()].map(|side| stones[side.index()]);
    let p = Position { own, other, prisoners, ko, quiet: 0, side, passes };
    read_unpacked(game, &game.write_position(&p), bytes)
}
