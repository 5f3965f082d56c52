//! What `docs/certificates.md` says: the example is what is written, byte by byte; codes and symmetries are those of the table.

use crate::common::{Known, judge, line_game, reversi};
use certificate::Claim;
use game::{Game, Notation, Rng, Spec, moves_of};
use games::mnk::{self, Mnk, WordBoard};

const DOCUMENT: &str = include_str!("../../../../docs/certificates.md");

/// The bytes of the dump, which stands in the document between these words: hexadecimal up to two blanks, then what they mean.
fn dumped() -> Vec<u8> {
    let (_, rest) = DOCUMENT.split_once("```hexdump\n").expect("a dump begins");
    let (dump, _) = rest.split_once("```").expect("the dump ends");
    let numbers = dump.lines().flat_map(|line| line.split("  ").next().unwrap().split(' '));
    numbers.map(|number| u8::from_str_radix(number, 16).expect(number)).collect()
}

#[test]
fn the_documented_bytes_are_written() {
    let game = line_game("mnk:2x2,k=2");
    let bytes = Known::new(&game).prove("", &[Claim::AtLeast(1)], 1, true).bytes();
    assert_eq!(dumped(), bytes, "{bytes:02x?}");
}

#[test]
fn the_documented_bytes_are_a_proof() {
    let verdict = judge(&line_game("mnk:2x2,k=2"), &dumped()).unwrap();
    assert_eq!(
        verdict.to_string(),
        "proved: margin >= 1; 4 nodes, 4 edges, 2 leaves settled by visiting 2 positions"
    );
}

/// The document says so of Reversi and of line games that are not too large, so that another checker can need the same budget.
fn generates_in_the_order_of_codes<G: Game>(game: &G) {
    let mut rng = Rng::new(4);
    let mut p = game.start();
    loop {
        let moves = moves_of(game, &p);
        assert!(moves.is_sorted_by_key(|&m| game.code(m)));
        if moves.is_empty() {
            return;
        }
        game.make(&mut p, moves[rng.below(moves.len())]);
    }
}

#[test]
fn moves_come_in_the_order_of_their_codes() {
    let parameters = |text: &str| mnk::Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap();
    for spec in ["mnk:6x7,k=4,gravity", "mnk:6x7,k=4,holes=b2", "mnk:5x8,k=5,p=2,q=1"] {
        generates_in_the_order_of_codes(&Mnk::<_, WordBoard<u64>>::new(&parameters(spec)));
    }
    for spec in ["reversi:4x4", "reversi:6x8", "reversi:8x8"] {
        generates_in_the_order_of_codes(&reversi(spec));
    }
}

#[test]
fn codes_and_symmetries_are_those_of_the_table() {
    let code = |spec: &str, text: &str| {
        let game = line_game(spec);
        game.code(game.read_move(&game.start(), text).unwrap())
    };
    assert_eq!(code("mnk:3x4,k=3", "b1"), 1);
    assert_eq!(code("mnk:3x4,k=3", "a2"), 4);
    let game = reversi("reversi:4x4");
    let b1 = game.read_move(&game.start(), "b1").unwrap();
    assert_eq!(game.code(b1), 1);
    assert_eq!(game.code(games::reversi::Move::PASS), 64);
    assert_eq!(reversi("reversi:4x6").symmetries(), 4);
    assert_eq!(line_game("mnk:4x4,k=3,gravity").symmetries(), 2);
    // One corner gone: nothing, or rows and columns swapped.
    let game = line_game("mnk:3x3,k=3,holes=a1");
    assert_eq!(game.symmetries(), 2);
    let b1 = game.read_move(&game.start(), "b1").unwrap();
    assert_eq!(game.code(game.transform_move(&game.start(), b1, 1)), 3);
}
