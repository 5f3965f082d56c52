//! What `docs/certificates.md` says: the example is what is written, byte by byte; codes and
//! symmetries are those of the table.

use crate::common::bundles::{BundleBytes, judge_bundle};
use crate::common::{Known, judge, line_game, reversi};
use certificate::{Claim, Header, Lemma, LemmaHash, Step, Writer};
use game::{Game, Notation, Rng, Spec, moves_of};
use games::mnk::{self, Mnk, WordBoard};
use sha2::Digest;

const DOCUMENT: &str = include_str!("../../../../docs/certificates.md");

/// The bytes of the dumps, which stand in the document between these words: hexadecimal up to two
/// blanks, then what they mean.
fn dumps() -> Vec<Vec<u8>> {
    let dumps = DOCUMENT.split("```hexdump\n").skip(1);
    let bytes = |rest: &str| {
        let (dump, _) = rest.split_once("```").expect("the dump ends");
        let numbers = dump.lines().flat_map(|line| line.split("  ").next().unwrap().split(' '));
        numbers.map(|number| u8::from_str_radix(number, 16).expect(number)).collect()
    };
    dumps.map(bytes).collect()
}

fn dumped() -> Vec<u8> {
    dumps().swap_remove(0)
}

/// The same game as a bundle: what comes of b1 is a lemma, and with rows and columns swapped what
/// comes of a2.
#[test]
fn the_documented_bundle_is_written_and_proved() {
    let [_, lemma, root] = <[Vec<u8>; 3]>::try_from(dumps()).expect("three dumps");
    let game = line_game("mnk:2x2,k=2");
    let claim = Claim::AtLeast(1);
    let header = |position: &str| Header {
        game: game.spec(),
        position: position.to_owned(),
        symmetries: 8,
        leaf_budget: 1,
    };
    const POSITION: &str = "../xo x";
    let mut writer = Writer::new(header(POSITION));
    let mut proof = writer.proof(claim);
    proof.choice(2, Step::Settled);
    writer.add(proof);
    let bytes = writer.finish();
    assert_eq!(lemma, bytes, "{bytes:02x?}");
    let hash = LemmaHash::of(&game.spec(), POSITION, claim, &bytes);
    assert!(DOCUMENT.contains(&hash.to_string()), "{hash}");
    let table = [Lemma { hash, position: POSITION, claim }];
    let mut writer = Writer::with_lemmas(header(""), &table);
    let mut proof = writer.proof(claim);
    proof.choice(0, Step::To { ahead: 1, symmetry: 0 });
    proof.all(&[
        Step::Lemma { lemma: 0, symmetry: 0 },
        Step::Lemma { lemma: 0, symmetry: 4 },
        Step::To { ahead: 1, symmetry: 0 },
    ]);
    proof.choice(1, Step::Settled);
    writer.add(proof);
    let bytes = writer.finish();
    assert_eq!(root, bytes, "{bytes:02x?}");
    let bundle = BundleBytes { root, lemmas: [(hash, lemma)].into(), hashes: vec![hash] };
    let verdict = judge_bundle(&game, &bundle, 1, &()).unwrap();
    assert_eq!(
        verdict.to_string(),
        "proved: margin >= 1; 1 lemma, 4 nodes, 2 edges, 2 leaves settled by visiting 2 positions"
    );
}

/// The hash, written down once more as the document tells it.
#[test]
fn the_hash_is_the_documented_one() {
    let (game, position, file) = ("mnk:2x2,k=2", "../xo x", [7u8; 300]);
    let mut bytes = b"ZERMELO-LEMMA\x01".to_vec();
    bytes.push(game.len() as u8);
    bytes.extend(game.as_bytes());
    bytes.push(position.len() as u8);
    bytes.extend(position.as_bytes());
    // At most -2, folded; 300 as a number.
    bytes.extend([1, 3, 0xac, 0x02]);
    bytes.extend(file);
    let expected: [u8; 32] = sha2::Sha256::digest(&bytes).into();
    assert_eq!(LemmaHash::of(game, position, Claim::AtMost(-2), &file).0, expected);
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

/// The document says so of Reversi and of line games that are not too large, so that another
/// checker can need the same budget.
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
