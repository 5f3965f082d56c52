//! Positions as few bytes: how many they are, that they stay what they are, and that bytes from
//! outside are positions or refused. The conformance of every game checks the rest.

use game::testkit::{Effort, packing_conforms, random_games};
use game::{Game, Notation, Spec};
use games::chess::{self, Chess};
use games::draughts::{self, Draughts};
use games::go::{self, Go, Wide};
use games::mnk::{self, LineBoard, Mnk, RunShape, WordBoard};
use games::reversi::{self, Reversi};

fn spec(text: &str) -> Spec {
    Spec::parse(text).unwrap()
}

fn reversi(text: &str) -> Reversi {
    Reversi::new(reversi::Parameters::from_spec(&spec(text)).unwrap())
}

fn line_game<B: mnk::Board>(text: &str) -> Mnk<RunShape, B> {
    Mnk::new(&mnk::Parameters::from_spec(&spec(text)).unwrap())
}

fn connect4() -> Mnk<RunShape, WordBoard<u64>> {
    line_game("mnk:6x7,k=4,gravity")
}

fn draughts(text: &str) -> Draughts {
    Draughts::new(draughts::Parameters::from_spec(&spec(text)).unwrap()).unwrap()
}

fn go(text: &str) -> Go<Wide> {
    Go::new(go::Parameters::from_spec(&spec(text)).unwrap())
}

fn fischer(number: usize) -> Chess {
    let text = format!("chess:fischer={number}");
    Chess::new(chess::Parameters::from_spec(&spec(&text)).unwrap())
}

const FEW: Effort = Effort { games: 5, longest: 10_000, plies: usize::MAX, seed: 7 };

/// The most bytes that a position of random games takes.
fn longest<G: Notation>(game: &G) -> usize {
    let mut longest = 0;
    random_games(game, FEW, |p, _, _, _| longest = longest.max(game.pack(p).len()));
    longest
}

#[test]
fn positions_take_few_bytes() {
    assert_eq!(longest(&reversi("reversi:4x4")), 4);
    assert_eq!(longest(&reversi("reversi:6x6")), 8);
    assert_eq!(longest(&reversi("reversi:8x8")), 14);
    assert_eq!(longest(&line_game::<WordBoard<u16>>("mnk:3x3,k=3")), 2);
    assert_eq!(longest(&connect4()), 9);
    assert_eq!(longest(&line_game::<LineBoard>("mnk:15x15,k=5")), 45);
    assert_eq!(longest(&draughts("draughts:english")), 12);
    assert_eq!(longest(&draughts("draughts:russian")), 13);
    assert_eq!(longest(&draughts("draughts:international")), 19);
    assert!(longest(&draughts("draughts:frisian")) <= 21);
    assert!(longest(&draughts("draughts:frisian,8x8")) <= 16);
    assert_eq!(longest(&go("go:7x7")), 11);
    assert_eq!(longest(&go("go:19x19")), 73);
    assert_eq!(longest(&Chess::default()), 28);
}

/// 62,500 squares, of which the text takes a letter each.
#[test]
fn the_largest_board_is_packed() {
    let game = line_game::<LineBoard>("mnk:250x250,k=5");
    let mut p = game.start();
    for text in ["a1", "b2", "ip250", "a250", "dx125"] {
        let m = game.read_move(&p, text).unwrap();
        game.make(&mut p, m);
        let bytes = game.pack(&p);
        assert_eq!(bytes.len(), 12_500);
        assert_eq!(game.unpack(&bytes).as_ref(), Ok(&p));
        assert!(game.unpack(&bytes[1..]).is_err());
    }
}

/// Names are stored and sent: other bytes for the same position would make strangers of nodes that
/// are known.
#[test]
fn bytes_stay_what_they_are() {
    fn start<G: Notation>(game: &G) -> String {
        game.pack(&game.start()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
    assert_eq!(start(&reversi("reversi:6x6")), "f8fd592122000000");
    assert_eq!(start(&connect4()), "000000000000000000");
    assert_eq!(start(&draughts("draughts:english")), "010078efd31500009452a303");
    let international = "000000a0a76b4a3541f390a3e471d9194b4c00";
    assert_eq!(start(&draughts("draughts:international")), international);
    let chess = "ffff00000000ffff00001200b0bce612065d0f9e8c6c4610d3d13653";
    assert_eq!(start(&Chess::default()), chess);

    let game = connect4();
    let mut p = game.start();
    for text in ["d1", "d2", "a1"] {
        let m = game.read_move(&p, text).unwrap();
        game.make(&mut p, m);
    }
    // a1 is digit 0 and worth 1, d1 digit 3 and worth 27, d2 digit 10 and twice 3^10.
    assert_eq!(game.pack(&p)[..4], (1 + 27 + 2 * 3_u32.pow(10)).to_le_bytes());
    // The mirror image has g1, digit 6, in place of a1, and by bytes it is the smaller one.
    let mirrored = (729 + 27 + 2 * 3_u32.pow(10)).to_le_bytes();
    let (name, symmetry) = game.canonical_name(&p);
    assert_eq!((&name[..4], symmetry), (&mirrored[..], 1));
}

/// What holds the stones makes no difference to their bytes.
#[test]
fn boards_of_all_kinds_pack_alike() {
    let text = "mnk:5x5,k=4,p=2,holes=c3";
    let (words, lines) = (line_game::<WordBoard<u32>>(text), line_game::<LineBoard>(text));
    random_games(&words, FEW, |p, _, _, _| {
        let q = lines.unpack(&words.pack(p)).unwrap();
        assert_eq!(lines.write_position(&q), words.write_position(p));
        assert_eq!(lines.pack(&q), words.pack(p));
    });
}

/// Each of these is refused by text, too.
#[test]
fn what_the_rules_cannot_go_on_from_is_refused() {
    fn refused<G: Notation>(game: &G, bytes: &[u8], why: &str) {
        let error = game.unpack(bytes).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    // Black passes in the start position, where there are moves.
    let game = reversi("reversi:6x6");
    let mut bytes = game.pack(&game.start());
    bytes[0] += 2;
    refused(&game, &bytes, "and so did not pass");
    refused(&game, &[], "8 bytes are right");
    refused(&game, &[255; 8], "larger than any");
    // Two crosses and no nought; a stone in the air; crosses that won before the last nought.
    let three = line_game::<WordBoard<u16>>("mnk:3x3,k=3");
    refused(&three, &[4, 0], "of 2 stones 1 are x and 1 are o");
    let mut floats = [0; 9];
    floats[..2].copy_from_slice(&3_u16.pow(7).to_le_bytes());
    refused(&connect4(), &floats, "the stone on a2 floats");
    let won_before = 1 + 3 + 9 + 2 * (27 + 81 + 729);
    refused(&three, &u16::to_le_bytes(won_before), "the game ended before");
    // A white man on 1, the row where it is crowned, behind the bit of the side to move.
    refused(&draughts("draughts:english,6x6,draw=none"), &[2, 0, 0, 0, 0, 0], "would be a king");
    // A stone without a liberty, behind six states of turn and passes; an empty board.
    refused(&go("go:1x1"), &[6], "has no liberty");
    refused(&Chess::default(), &[0; 13], "has no king");
}

/// 20,000 inputs a game: whatever is taken packs back and is legal, and nothing panics.
#[test]
fn bytes_are_taken_or_refused() {
    const INPUTS: usize = 20_000;
    packing_conforms(&reversi("reversi:6x6"), FEW, INPUTS);
    packing_conforms(&connect4(), FEW, INPUTS);
    packing_conforms(&line_game::<WordBoard<u32>>("mnk:5x5,k=4,p=2"), FEW, INPUTS);
    packing_conforms(&draughts("draughts:english"), FEW, INPUTS);
    packing_conforms(&draughts("draughts:frisian"), FEW, INPUTS);
    packing_conforms(&go("go:5x5,ko=basic,scoring=territory"), FEW, INPUTS);
    packing_conforms(&Chess::default(), FEW, INPUTS);
    packing_conforms(&fischer(7), FEW, INPUTS);
}
