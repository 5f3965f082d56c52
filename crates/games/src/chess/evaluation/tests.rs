use game::{Game, Notation, Rng, Side, moves_of};

use super::weights::MOST_STEPS;
use super::*;
use crate::chess::board::Board;
use crate::chess::parameters::Parameters;
use crate::chess::position::{Chess, NOWHERE};

const ZERO: Tapered = Tapered::new(0, 0);
const ONE: Tapered = Tapered::new(1, 1);

/// Weighs nothing.
const NOTHING: Weights = Weights {
    tempo: ZERO,
    material: [ZERO; 5],
    squares: [[ZERO; 64]; 6],
    mobility: [[ZERO; MOST_STEPS]; 4],
    attack: [0; 4],
    danger: [ZERO; 40],
    shield: [ZERO; 2],
    bare_column: ZERO,
    threatened: ZERO,
    by_minor: ZERO,
    by_rook: ZERO,
    hanging: ZERO,
    passed: [ZERO; 8],
    stopped: ZERO,
    escort: [ZERO; 2],
    doubled: ZERO,
    isolated: ZERO,
    backward: ZERO,
    supported: [ZERO; 8],
    outpost: [ZERO; 2],
    bishop_pawn: ZERO,
    bishop_pair: ZERO,
    open_column: ZERO,
    half_open_column: ZERO,
    barren: 64,
    lone_king: [0; 2],
    phase: [1, 1, 2, 4],
    opening_phase: 24,
};

fn read(text: &str) -> Position {
    Notation::read_position(&Chess::default(), text).unwrap()
}

/// The score of a position with White to move, given by its pieces.
fn score(weights: Weights, pieces: &str) -> i32 {
    Classic { weights }.evaluate(&read(&format!("{pieces} w - - 0 1")))
}

/// Colours swapped and the board turned upside down.
pub(super) fn swapped(p: &Position) -> Position {
    let Board { white, low, mid, high } = p.board;
    let black = p.board.occupied() & !white;
    let [white, low, mid, high] = [black, low, mid, high].map(u64::swap_bytes);
    let turned = |square: u8| if square == NOWHERE { NOWHERE } else { square ^ 56 };
    Position {
        board: Board { white, low, mid, high },
        castling: p.castling.swap_bytes(),
        side: p.side.other(),
        passed: turned(p.passed),
        en_passant: turned(p.en_passant),
        ..*p
    }
}

/// Left and right swapped.
pub(super) fn mirrored(p: &Position) -> Position {
    let mirror = |set: u64| set.swap_bytes().reverse_bits();
    let Board { white, low, mid, high } = p.board;
    let [white, low, mid, high] = [white, low, mid, high].map(mirror);
    let board = Board { white, low, mid, high };
    Position { board, castling: 0, passed: NOWHERE, en_passant: NOWHERE, ..*p }
}

#[test]
fn swapped_and_mirrored_positions_score_the_same() {
    let (mut rng, classic) = (Rng::new(1), Classic::default());
    for number in 0..60 {
        let game = Chess::new(Parameters::fischer(16 * number).unwrap());
        let mut p = game.start();
        for _ in 0..200 {
            let score = classic.evaluate(&p);
            assert_eq!(classic.evaluate(&swapped(&p)), score, "{p:?}");
            assert_eq!(classic.evaluate(&mirrored(&p)), score, "{p:?}");
            assert!(score.abs() < LIMIT);
            let Some(m) = game.sample(&p, &mut rng) else { break };
            game.make(&mut p, m);
        }
    }
}

#[test]
fn the_start_is_even_and_crowded_boards_fit() {
    let game = Chess::default();
    assert_eq!(Classic::default().evaluate(&game.start()), Weights::DEFAULT.tempo.opening());
    let queens = "QQQQQQQQ/".repeat(7);
    let crowded = read(&format!("{queens}KQQQQQQk b - - 0 1"));
    assert_eq!(Classic::default().evaluate(&crowded), -LIMIT);
}

#[test]
fn terms_count_what_they_name() {
    type Case = (fn(&mut Weights), &'static str, i32);
    let cases: [Case; 36] = [
        (|w| w.tempo = ONE, "4k3/p7/8/8/8/8/P7/4K3", 1),
        // A bare king is never better off.
        (|w| w.tempo = ONE, "4k3/p7/8/8/8/8/8/4K3", 0),
        (|w| w.material[2] = ONE, "2b1k3/8/8/8/8/8/8/B1B1K1B1", 2),
        (|w| w.squares[1][28] = ONE, "4k3/8/8/8/4N3/8/8/4K3", 1),
        (|w| w.squares[1][28] = ONE, "4k3/8/8/4n3/8/8/8/4K3", -1),
        (|w| w.mobility[0][2] = ONE, "4k3/8/8/8/8/8/8/N3K3", 1),
        // Two squares that a pawn attacks, and one of its own.
        (|w| w.mobility[0][8 - 2 - 1] = ONE, "4k3/3p4/3p4/8/3N4/8/4P3/4K3", 1),
        (|w| w.mobility[2][3] = ONE, "4k3/8/8/8/8/8/P7/R3K3", 1),
        (|w| w.shield[0] = ONE, "6k1/5ppp/8/8/8/7P/5PP1/6K1", 2 - 3),
        (|w| w.shield[1] = ONE, "6k1/5ppp/8/8/8/7P/5PP1/6K1", 1),
        (|w| w.bare_column = ONE, "4k3/p7/8/8/8/8/4P3/4K3", 2 - 3),
        (|w| w.threatened = ONE, "4k3/8/8/2p1p3/3N4/8/8/4K3", 1),
        (|w| w.by_minor = ONE, "4k3/8/8/3r1q2/8/4N3/8/4K3", -2),
        (|w| w.by_minor = ONE, "3k4/8/8/3r1q2/8/5R2/8/3K4", 0),
        (|w| w.by_rook = ONE, "4k3/8/8/3r1q2/8/5R2/8/4K3", -1),
        (|w| w.hanging = ONE, "4k3/8/8/3p4/8/8/8/K2R4", -1),
        (|w| w.hanging = ONE, "4k3/8/2p5/3p4/8/8/8/K2R4", 0),
        (|w| w.passed[4] = ONE, "4k3/8/8/4P3/8/8/8/4K3", 1),
        (|w| w.passed[4] = ONE, "4k3/5p2/8/4P3/8/8/8/4K3", 0),
        (|w| w.stopped = ONE, "8/8/4k3/4P3/8/8/8/4K3", 3),
        (|w| w.stopped = ONE, "8/3k4/8/4P3/8/8/8/4K3", 0),
        (|w| w.escort[0] = ONE, "k7/8/8/4P3/8/8/8/4K3", 3 * 5),
        (|w| w.escort[1] = ONE, "k7/8/8/4P3/8/8/8/4K3", 3 * 4),
        (|w| w.doubled = ONE, "4k3/8/4P3/4P3/4P3/8/8/4K3", 2),
        (|w| w.isolated = ONE, "4k3/8/8/8/8/8/PP1P4/4K3", 1),
        (|w| w.backward = ONE, "4k3/8/8/2p5/4P3/3P4/8/4K3", 1),
        (|w| w.supported[3] = ONE, "4k3/8/8/8/4P3/3P3P/8/4K3", 1),
        (|w| w.supported[2] = ONE, "4k3/8/8/8/4P3/3P3P/8/4K3", 0),
        (|w| w.outpost[0] = ONE, "4k3/8/8/3N4/2P5/8/8/4K3", 1),
        (|w| w.outpost[0] = ONE, "4k3/4p3/8/3N4/2P5/8/8/4K3", 0),
        (|w| w.outpost[1] = ONE, "4k3/8/5p2/4b3/8/8/8/4K3", -1),
        (|w| w.bishop_pawn = ONE, "4k3/8/8/3PP3/8/8/8/B3K3", 1),
        (|w| w.bishop_pair = ONE, "4kb2/8/8/8/8/8/8/2B1KB2", 1),
        (|w| w.open_column = ONE, "4k3/p7/8/8/8/8/7P/RR2K2R", 1),
        (|w| w.half_open_column = ONE, "4k3/p7/8/8/8/8/7P/RR2K2R", 1),
        // The rook attacks two squares by the king and the queen another two; alone they do nothing.
        (
            |w| (w.attack, w.danger[2 * 3 + 2 * 4]) = ([2, 2, 3, 4], ONE),
            "6k1/5ppp/8/8/8/8/8/1K3RQ1",
            0,
        ),
    ];
    for (set, pieces, expected) in cases {
        let mut weights = NOTHING;
        set(&mut weights);
        assert_eq!(score(weights, pieces), expected, "{pieces}");
    }
}

#[test]
fn one_attacker_does_no_harm() {
    let weights = Weights { attack: [1; 4], danger: [ONE; 40], ..NOTHING };
    assert_eq!(score(weights, "6k1/8/8/8/8/8/8/1K3R2"), 0);
    assert_eq!(score(weights, "6k1/8/8/8/8/8/7R/1K3R2"), 1);
}

#[test]
fn scores_blend_by_the_pieces_left() {
    let weights = Weights { tempo: Tapered::new(24, 0), ..NOTHING };
    assert_eq!(score(weights, "4k3/pppp4/8/8/8/8/8/4K3"), 0);
    assert_eq!(score(weights, "rnbqk3/8/8/8/8/8/P7/4K3"), 1 + 1 + 2 + 4);
    assert_eq!(score(weights, "rnbqkqqq/8/8/8/8/8/8/QQQQK3"), 24);
}

#[test]
fn captures_come_first_and_quiet_moves_stay_close() {
    let game = Chess::default();
    let p = read("3q4/4P1k1/8/8/3R4/8/3b4/3K4 w - - 0 1");
    let moves = moves_of(&game, &p);
    let mut promise = vec![0; moves.len()];
    Classic::default().rank(&p, &moves, &mut promise);
    let mut ranked: Vec<(i32, String)> = (promise.into_iter().zip(&moves))
        .map(|(promise, &m)| (-promise, Notation::write_move(&game, &p, m)))
        .collect();
    ranked.sort();
    let texts: Vec<&str> = ranked.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts[..3], ["e7d8q", "e7e8q", "d4d8"]);
    assert_eq!(texts[3..5], ["d4d2", "d1d2"]);
    let quiet = &ranked[5..moves.len() - 6];
    assert!(!quiet.is_empty() && quiet.iter().all(|(promise, _)| promise.abs() <= QUIET));
    assert!(texts[moves.len() - 6..].iter().all(|text| text.starts_with("e7")));
}

#[test]
fn castling_is_better_than_walking() {
    let game = Chess::default();
    let p = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1");
    let moves = moves_of(&game, &p);
    let mut promise = vec![0; moves.len()];
    Classic::default().rank(&p, &moves, &mut promise);
    let of = |text: &str| {
        let m = Notation::read_move(&game, &p, text).unwrap();
        promise[moves.iter().position(|&other| other == m).unwrap()]
    };
    assert!(of("e1g1") > of("e1f1") && of("e1c1") > of("e1d1"));
}

#[test]
fn too_little_to_mate_with_counts_little() {
    let of = |pieces: &str| score(Weights::DEFAULT, pieces);
    for barren in ["4k3/8/8/8/8/8/8/2NNK3", "4kb2/8/8/8/8/8/8/R3K3", "4kr2/8/8/8/8/8/8/RB2K3"] {
        assert!((0..120).contains(&of(barren)), "{barren}: {}", of(barren));
    }
    for enough in ["4k3/8/8/8/8/8/8/2BNK3", "4k3/8/8/8/8/8/8/R3K3", "4kb2/8/8/8/8/8/P7/R3K3"] {
        assert!(of(enough) > 200, "{enough}: {}", of(enough));
    }
}

#[test]
fn what_nobody_can_win_is_even() {
    let of = |pieces: &str| score(Weights::DEFAULT, pieces);
    for drawn in [
        "7k/8/6KP/8/8/3B4/8/8",
        "8/6k1/8/7P/4K3/3B4/7P/8",
        "k7/8/8/P7/K7/8/8/2B5",
        "8/8/8/3b4/p6k/8/8/1K6",
        "4k3/8/8/8/8/8/8/2NNK3",
        "2nnk3/8/8/8/8/8/8/4K3",
    ] {
        assert_eq!(of(drawn), 0, "{drawn}");
    }
    let sides = [Side::First, Side::Second];
    let winners = |pieces: &str| {
        let p = read(&format!("{pieces} w - - 0 1"));
        sides.map(|side| endings::can_win(p.board(), side))
    };
    assert_eq!(winners("7k/8/6KP/8/8/3B4/8/8"), [false, false]);
    assert_eq!(winners("8/6k1/8/7P/4K3/3B4/7P/8"), [false, false]);
    assert_eq!(winners("8/8/8/8/7p/b6b/1K6/6k1"), [false, true]);
    assert_eq!(winners("8/8/8/8/p6k/4b3/1K6/8"), [false, true]);
    assert_eq!(winners("8/8/8/8/p6k/3b4/1K6/8"), [false, false]);
    assert_eq!(winners("7k/8/6KP/8/8/4B3/8/8"), [true, false]);
    assert_eq!(winners("7k/p7/6KP/8/8/3B4/8/8"), [true, true]);
    assert_eq!(winners("4k3/8/8/8/8/8/8/2NNK3"), [true, false]);
    for won in [
        // The bishop guards the corner, the king is far away, another pawn helps, or a knight.
        "7k/8/6KP/8/8/4B3/8/8",
        "8/8/6KP/8/1k6/3B4/8/8",
        "7k/8/6KP/8/8/3B4/6P1/8",
        "7k/8/6KP/8/8/3BN3/8/8",
        "7k/8/6KP/8/8/3BB3/8/8",
        "7k/p7/6KP/8/8/3B4/8/8",
        "7k/8/6KP/8/8/8/8/8",
        "4k3/8/8/8/8/8/8/1NNNK3",
        "4k3/8/8/8/8/8/8/2BNK3",
    ] {
        assert!(of(won) > 100, "{won}: {}", of(won));
    }
}

#[test]
fn lone_kings_are_driven_to_the_border_and_the_right_corner() {
    let weights = Weights { lone_king: [10, 1], ..NOTHING };
    let rook = ["8/8/8/3k4/8/8/8/R3K3", "8/3k4/8/8/8/8/8/R3K3", "3k4/8/8/8/8/8/8/R3K3"];
    assert!(rook.map(|pieces| score(weights, pieces)).is_sorted());
    // The bishop on c1 is on the colour of h8, not of a8.
    let bishop = ["k7/8/8/8/8/8/8/2B1K1N1", "4k3/8/8/8/8/8/8/2B1K1N1", "7k/8/8/8/8/8/8/2B1K1N1"];
    assert!(bishop.map(|pieces| score(weights, pieces)).is_sorted_by(|a, b| a < b));
}
