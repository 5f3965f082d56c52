use evaluation::Features;
use game::{Game, Rng};

use super::reference::features as plainly;
use super::*;
use crate::draughts::board::{Size, bits};
use crate::draughts::reference::Plain;
use crate::draughts::variant::Variant;
use crate::draughts::{AnyRules, Parameters};

/// Half from games, half with pieces thrown on the board, kings among them.
fn random_position(game: &Draughts, rng: &mut Rng) -> Position {
    let size = game.rules().switches().size;
    let mut p = game.start();
    if rng.below(2) == 0 {
        for _ in 0..rng.below(80) {
            match game.sample(&p, rng) {
                Some(m) => drop(game.make(&mut p, m)),
                None => break,
            }
        }
        return p;
    }
    let (crowded, mut pieces, mut kings) = (3 + rng.below(12), [0; 2], 0);
    for bit in bits(size.all()) {
        if rng.below(20) >= crowded {
            continue;
        }
        let colour = if rng.below(2) == 0 { Colour::White } else { Colour::Black };
        let crowned = size.last_row(colour) >> bit & 1 == 1 || rng.below(4) == 0;
        pieces[colour as usize] |= 1 << bit;
        kings |= u64::from(crowned) << bit;
    }
    Position::of(pieces, kings, if rng.below(2) == 0 { Colour::White } else { Colour::Black })
}

fn fast<R: Rules>(game: &Draughts<R>, p: &Position, viewer: Side) -> Vec<i32> {
    let mut out = vec![0; COUNT];
    Sixty::write(game, p, viewer, &mut out);
    out
}

/// The board after half a turn, with the colours swapped.
fn turned(size: Size, p: &Position) -> Position {
    let last = size.bit(size.side() - 1, size.half() - 1);
    let turn = |set: u64| set.reverse_bits() >> (63 - last);
    Position::of(
        [turn(p.pieces(Colour::Black)), turn(p.pieces(Colour::White))],
        turn(p.kings),
        p.colour.other(),
    )
}

/// Checks so many random positions of a variant.
fn check(parameters: Parameters, positions: usize, rng: &mut Rng) {
    let game = Draughts::<AnyRules>::new(parameters).unwrap();
    let plain = Plain::new(parameters);
    let size = game.rules().switches().size;
    for _ in 0..positions {
        // What was counted on the way is no feature.
        let p = random_position(&game, rng);
        let p = Position::of([p.pieces(Colour::White), p.pieces(Colour::Black)], p.kings, p.colour);
        for colour in [Colour::White, Colour::Black] {
            let found = fast(&game, &p, game.side(colour));
            let expected = plainly(&plain, &plain.plain(&p), colour);
            let named: Vec<_> = NAMES.iter().zip(&found).zip(&expected).collect();
            let wrong = named.iter().find(|((_, found), expected)| found != expected);
            assert!(wrong.is_none(), "{parameters}: {wrong:?} for {colour:?} in {p:?}");
            let mirrored = fast(&game, &turned(size, &p), game.side(colour.other()));
            assert_eq!(found, mirrored, "{parameters}: {p:?}");
        }
    }
}

#[test]
fn features_are_what_the_plain_twin_says_and_mirror() {
    let mut rng = Rng::new(9);
    for variant in Variant::ALL {
        let positions = if variant.switches().size == Size::Eight { 13_000 } else { 5_000 };
        check(variant.into(), positions, &mut rng);
    }
}

#[test]
fn other_boards_have_them_too() {
    let mut rng = Rng::new(10);
    for spec in ["draughts:english,6x6", "draughts:russian,10x10", "draughts:frisian,8x8"] {
        let parameters = Parameters::from_spec(&game::Spec::parse(spec).unwrap()).unwrap();
        check(parameters, 1_000, &mut rng);
    }
}
