//! Positions as few bytes: the side to move, what these rules count, and the squares in the order
//! of their numbers. 12 or 13 bytes on 8x8, 19 on 10x10, and up to 2 more in Frisian draughts,
//! which counts the moves of kings.

use game::{Notation, Packer, TextError, Unpacker, read_unpacked};

use super::draws::Endings;
use super::position::{Colour, Position, Run};
use super::rules::Draughts;
use super::switches::Rules;

const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];
/// What a square holds: nothing, or a man or king of either colour.
const PIECES: [Option<(Colour, bool)>; 5] = [
    None,
    Some((Colour::White, false)),
    Some((Colour::White, true)),
    Some((Colour::Black, false)),
    Some((Colour::Black, true)),
];
const QUIET: u64 = 1 << u16::BITS;
const ENDING: u64 = 1 << u8::BITS;
const RUN: u64 = 1 + Run::LONGEST as u64;

pub(super) fn pack<R: Rules>(game: &Draughts<R>, p: &Position) -> Vec<u8> {
    let (squares, counted) = (game.squares(), Counted::by(game));
    let mut packer = Packer::new();
    packer.digit(p.colour as u64, 2);
    if counted.quiet {
        packer.digit(p.quiet.into(), QUIET);
    }
    if counted.ending {
        packer.digit(p.ending.into(), ENDING);
    }
    if counted.runs {
        for Run { moves, king } in COLOURS.map(|colour| p.run(colour)) {
            packer.digit(moves.into(), RUN);
            if moves > 0 {
                let number = squares.number(king.into());
                packer.digit(number as u64 - 1, squares.size.squares() as u64);
            }
        }
    }
    for bit in squares.in_order() {
        let piece = p.piece(bit);
        let digit = PIECES.iter().position(|&other| other == piece).unwrap_or(0);
        packer.digit(digit as u64, PIECES.len() as u64);
    }
    packer.finish()
}

pub(super) fn unpack<R: Rules>(game: &Draughts<R>, bytes: &[u8]) -> Result<Position, TextError> {
    let (squares, counted) = (game.squares(), Counted::by(game));
    let mut unpacker = Unpacker::new(bytes);
    let colour = COLOURS[unpacker.digit(2) as usize];
    let quiet = if counted.quiet { unpacker.digit(QUIET) as u16 } else { 0 };
    let ending = if counted.ending { unpacker.digit(ENDING) as u8 } else { 0 };
    let mut runs = [Run::default(); 2];
    if counted.runs {
        for of_colour in COLOURS {
            let moves = unpacker.digit(RUN) as u8;
            if moves > 0 {
                let number = 1 + unpacker.digit(squares.size.squares() as u64) as usize;
                let king = squares.of_number(number).unwrap_or(0) as u8;
                runs[usize::from(of_colour != colour)] = Run { moves, king };
            }
        }
    }
    let (mut pieces, mut kings) = ([0; 2], 0);
    for bit in squares.in_order() {
        if let Some((colour, king)) = PIECES[unpacker.digit(PIECES.len() as u64) as usize] {
            pieces[colour as usize] |= 1 << bit;
            kings |= u64::from(king) << bit;
        }
    }
    unpacker.finish()?;
    let p = Position { quiet, ending, runs, ..Position::of(pieces, kings, colour) };
    read_unpacked(game, &game.write_position(&p), bytes)
}

/// What of a position the rules count: the rest is always 0.
struct Counted {
    quiet: bool,
    ending: bool,
    runs: bool,
}

impl Counted {
    fn by<R: Rules>(game: &Draughts<R>) -> Counted {
        Counted {
            quiet: game.draws().counts(),
            ending: game.draws().endings != Endings::None,
            runs: game.rules().switches().restless,
        }
    }
}
