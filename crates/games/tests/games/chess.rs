//! Chess from outside: conformance, known counts, edge cases, and the draws.

use std::collections::{HashMap, HashSet};

use evaluation::Tunable;
use evaluation::testkit::evaluation_conforms;
use game::testkit::{Effort, perft_matches};
use game::{Game, Notation, Path, Recall, Rng, Side, moves_of, perft};
use games::chess::{Chess, ChessEvaluation, Parameters, Position};
use play::testkit::conforms;
use play::{GameSession, Session};

fn fischer(number: usize) -> Chess {
    Chess::new(Parameters::fischer(number).unwrap())
}

fn read(text: &str) -> Position {
    Notation::read_position(&Chess::default(), text).unwrap()
}

fn write(p: &Position) -> String {
    Notation::write_position(&Chess::default(), p)
}

/// Plays moves and gives the position they lead to with the path before it.
fn play(game: &Chess, from: &str, moves: &str) -> (Position, Path) {
    let (mut p, mut path) = (Notation::read_position(game, from).unwrap(), Path::new());
    for text in moves.split_whitespace() {
        let m = Notation::read_move(game, &p, text).unwrap();
        path.push(game.path_key(&p));
        game.make(&mut p, m);
    }
    (p, path)
}

fn recall_after(from: &str, moves: &str) -> Recall {
    let game = Chess::default();
    let (p, path) = play(&game, from, moves);
    game.recall(&p, &path)
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const EFFORT: Effort = Effort { games: 8, longest: 10_000, plies: usize::MAX, seed: 1 };

#[test]
fn rules_conform() {
    conforms(&Chess::default(), EFFORT);
}

#[test]
fn rules_conform_from_other_starts() {
    for number in [0, 137, 355, 518, 959] {
        conforms(&fischer(number), Effort { games: 2, seed: number as u64, ..EFFORT });
    }
}

#[test]
fn evaluation_conforms_everywhere() {
    for game in [Chess::default(), fischer(0), fischer(700)] {
        for name in ChessEvaluation::NAMES {
            let fresh = || ChessEvaluation::named(name).unwrap();
            evaluation_conforms(&game, fresh, Effort { games: 5, ..EFFORT });
        }
    }
}

/// Positions, and their leaves at depth 1, 2, 3, …
const PERFT: [(&str, &[u64]); 6] = [
    (START, &[20, 400, 8902, 197_281, 4_865_609, 119_060_324]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97_862, 4_085_603, 193_690_690],
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2812, 43_238, 674_624, 11_030_083, 178_633_661],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467, 422_333, 15_833_292],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89_890, 3_894_594, 164_075_551],
    ),
];

#[test]
fn perft_of_six_positions() {
    for (text, table) in PERFT {
        let p = read(text);
        for (depth, &leaves) in (1..).zip(table) {
            assert_eq!(perft(&Chess::default(), &p, depth), leaves, "{text} at depth {depth}");
        }
    }
    perft_matches(&Chess::default(), &PERFT[0].1[..4]);
}

/// Perft of the mirrored board: what White can do Black can do.
#[test]
fn perft_is_the_same_with_colours_swapped() {
    for (text, table) in PERFT {
        let p = read(&swap_colours(text));
        assert_eq!(perft(&Chess::default(), &p, 4), table[3], "{text}");
    }
}

fn swap_colours(fen: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let rows: Vec<String> =
        fields[0].rsplit('/').map(|row| row.chars().map(swap).collect()).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling: String = fields[2].chars().map(swap).collect();
    format!("{} {side} {castling} - 0 1", rows.join("/"))
}

#[test]
fn mate_and_stalemate() {
    let game = Chess::default();
    for (text, margin) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", 1),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 150 105", 1),
        ("8/8/8/8/8/6k1/6q1/7K w - - 99 80", -1),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),
    ] {
        let p = read(text);
        assert_eq!(moves_of(&game, &p), [], "{text}");
        assert_eq!(game.margin(&p), None);
        assert_eq!(game.stuck(&p), margin, "{text}");
        assert_eq!(game.recall(&p, &Path::new()), Recall::Fresh, "{text}");
        let mut session = GameSession::new(game);
        session.set_position(text).unwrap();
        assert_eq!(session.outcome().map(|outcome| outcome.margin), Some(margin), "{text}");
    }
    // A stalemate is a draw whatever the clock says.
    let p = read("7k/5Q2/6K1/8/8/8/8/8 b - - 150 105");
    assert_eq!(game.recall(&p, &Path::new()), Recall::Over(0));
}

#[test]
fn dead_positions() {
    for (text, dead) in [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", true),
        ("8/8/4kn2/8/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4k1b1/8/8/3BK3/8/8 w - - 0 1", true),
        ("8/5b2/4k1b1/8/8/3BK3/4B3/8 w - - 0 1", true),
        ("8/4Bb2/4k1b1/8/2B5/3BK3/8/8 b - - 0 1", false),
        ("7b/8/4k1b1/8/8/3BK3/8/8 w - - 0 1", false),
        ("8/5b2/4k3/7b/8/3BK3/8/5B2 w - - 0 1", true),
        ("8/8/4k2b/8/8/3BK3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1", false),
        ("8/8/4kn2/8/8/3NK3/8/8 w - - 0 1", false),
        ("8/8/4kb2/8/8/3NK3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/2BNK3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3PK3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3QK3/8/8 b - - 0 1", false),
    ] {
        let expected = if dead { Recall::Over(0) } else { Recall::Fresh };
        assert_eq!(recall_after(text, ""), expected, "{text}");
    }
}

#[test]
fn en_passant_that_bares_the_king_on_its_row() {
    let game = Chess::default();
    let p = read("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    assert_eq!(p.en_passant(), None);
    assert!(Notation::read_move(&game, &p, "e4d3").is_err());
    assert!(write(&p).contains(" b - d3 "));
}

#[test]
fn en_passant_traps() {
    let game = Chess::default();
    let legal = |from: &str, m: &str| Notation::read_move(&game, &read(from), m).is_ok();
    // The pawn that gives check is captured in passing.
    assert!(legal("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "e4d3"));
    // One capturer is pinned, the other is not.
    assert!(!legal("4k3/4r3/8/3pP1P1/8/8/8/4K3 w - d6 0 1", "e5d6"));
    let p = read("4k3/8/8/r1PpP2K/8/8/8/8 w - d6 0 1");
    assert_eq!(p.en_passant(), Some(43));
    // The captured pawn is what shields the king, once while it gives check itself.
    assert!(!legal("7k/8/5b2/3Pp3/8/8/1K6/8 w - e6 0 1", "d5e6"));
    assert!(!legal("k7/1b6/8/3pP3/4K3/8/8/8 w - d6 0 1", "e5d6"));
    // Along the pin it is legal.
    assert!(legal("1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1", "e5d6"));
    // It does not help against another check.
    assert!(!legal("4k3/8/8/3pP3/8/4n3/8/3K3r w - d6 0 1", "e5d6"));
}

#[test]
fn castling_traps() {
    let game = Chess::default();
    let legal = |game: &Chess, from: &str, m: &str| {
        let p = Notation::read_position(game, from).unwrap();
        Notation::read_move(game, &p, m).is_ok()
    };
    // The rook may be attacked and may cross an attacked square; the king may not.
    assert!(legal(&game, "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
    assert!(!legal(&game, "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
    assert!(!legal(&game, "2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
    assert!(!legal(&game, "4k3/4r3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
    assert!(!legal(&game, "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1"));
    assert!(!legal(&game, "4k3/8/8/8/8/8/6p1/4K2R w K - 0 1", "e1g1"));
    // Castling takes the rook that hides the king from a slider away.
    assert!(!legal(&fischer(0), "4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", "e1b1"));
    assert!(legal(&fischer(0), "4k3/8/8/8/8/8/q7/1R2K3 w B - 0 1", "e1b1"));
    // King and rook change places, or only one of them moves.
    let after = |from: &str, m: &str| {
        let (p, _) = play(&fischer(0), from, m);
        write(&p)
    };
    assert_eq!(after("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(after("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    assert_eq!(after("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", "c1a1"), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    assert_eq!(after("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1"), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    assert_eq!(after("4k3/8/8/8/8/8/8/1K1R4 w D - 0 1", "b1d1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
}

#[test]
fn mate_in_two() {
    let game = Chess::default();
    let problem = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";
    let (p, _) = play(&game, problem, "g3g6");
    let replies = moves_of(&game, &p);
    assert!(!replies.is_empty() && !game.in_check(&p));
    for reply in replies {
        let mut q = p;
        game.make(&mut q, reply);
        let mates = moves_of(&game, &q).into_iter().any(|m| {
            let mut end = q;
            game.make(&mut end, m);
            game.count(&end) == 0 && game.stuck(&end) == 1
        });
        assert!(mates, "{}", write(&q));
    }
    let (end, _) = play(&game, problem, "Qg6 fxg6 Nxg6#");
    assert_eq!((game.count(&end), game.stuck(&end)), (0, 1));
}

const THERE_AND_BACK: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn repetition() {
    let times = |n: usize| recall_after(START, &THERE_AND_BACK.repeat(n - 1));
    assert_eq!(times(1), Recall::Fresh);
    assert_eq!(times(2), Recall::Fresh);
    assert_eq!(times(3), Recall::Claim(0));
    assert_eq!(times(4), Recall::Claim(0));
    assert_eq!(times(5), Recall::Over(0));
    // A claim is a right, not an end.
    let mut session = GameSession::new(Chess::default());
    session.play_all(&THERE_AND_BACK.repeat(3)).unwrap();
    assert_eq!(session.outcome(), None);
    session.play_all(THERE_AND_BACK).unwrap();
    assert_eq!(session.outcome().map(|outcome| outcome.margin), Some(0));
}

#[test]
fn counts_towards_a_draw_are_told() {
    let counts = |from: &str, moves: &str| {
        let mut session = GameSession::new(Chess::default());
        session.set_position(from).unwrap();
        session.play_all(moves).unwrap();
        session.draw_counts().iter().map(|count| (count.done, count.of())).collect::<Vec<_>>()
    };
    assert_eq!(counts(START, ""), []);
    assert_eq!(counts(START, "e2e4"), []);
    assert_eq!(counts(START, "g1f3 g8f6"), [(2, 100)]);
    assert_eq!(counts(START, THERE_AND_BACK), [(4, 100), (2, 3)]);
    // Who does not claim is told how far the end is.
    assert_eq!(counts(START, &THERE_AND_BACK.repeat(2)), [(8, 100), (3, 5)]);
    assert_eq!(counts("4k3/8/8/8/8/8/8/R3K3 w - - 120 90", ""), [(120, 150)]);
    assert_eq!(counts(START, &THERE_AND_BACK.repeat(4)), [], "the game is over");
}

#[test]
fn a_capture_begins_anew() {
    let moves = "g1f3 g8f6 f3e5 f6g8 e5d7 g8f6 d7f6 e7f6 ";
    let shuffle = "b1c3 b8c6 c3b1 c6b8 ";
    let first = format!("{moves}{}", shuffle.repeat(2));
    assert_eq!(recall_after(START, &first), Recall::Claim(0));
    assert_eq!(recall_after(START, &format!("{moves}{shuffle}")), Recall::Fresh);
}

#[test]
fn castling_rights_make_positions_differ() {
    let from = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let game = Chess::default();
    let circle = "a1a2 e8e7 a2a1 e7e8 ";
    let key = |moves: &str| game.path_key(&play(&game, from, moves).0);
    assert_ne!(key(""), key(circle));
    assert_eq!(key(circle), key(&circle.repeat(2)));
    // The position before the right was lost does not count.
    assert_eq!(recall_after(from, &circle.repeat(2)), Recall::Fresh);
    assert_eq!(recall_after(from, &circle.repeat(3)), Recall::Claim(0));
}

#[test]
fn en_passant_makes_positions_differ_only_where_it_is_legal() {
    let game = Chess::default();
    let key = |text: &str| game.path_key(&read(text));
    let legal = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
    assert_ne!(key(legal), key("4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1"));
    // Pinned on its column, and nobody there to capture.
    for same in ["4k3/8/8/8/3Pp3/8/4R3/4K3 b - ", "4k3/8/8/8/3P1p2/8/8/4K3 b - "] {
        assert_eq!(key(&format!("{same}d3 0 1")), key(&format!("{same}- 0 1")), "{same}");
    }
    let circle = "e8d8 e1d1 d8e8 d1e1 ";
    let pinned = "4k3/8/8/8/4p3/8/3PR3/4K3 w - - 0 1";
    assert_eq!(recall_after(pinned, &format!("d2d4 {}", circle.repeat(2))), Recall::Claim(0));
    let free = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1";
    assert_eq!(recall_after(free, &format!("d2d4 {}", circle.repeat(2))), Recall::Fresh);
    assert_eq!(recall_after(free, &format!("d2d4 {}", circle.repeat(3))), Recall::Claim(0));
}

#[test]
fn fifty_and_seventy_five_moves() {
    let at = |clock: u16| recall_after(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 120"), "");
    assert_eq!(at(99), Recall::Fresh);
    assert_eq!(at(100), Recall::Claim(0));
    assert_eq!(at(149), Recall::Claim(0));
    assert_eq!(at(150), Recall::Over(0));
    assert_eq!(at(u16::MAX), Recall::Over(0));
    let (p, _) = play(&Chess::default(), "4k3/8/8/8/8/8/8/R3K3 w - - 99 120", "a1a2");
    assert_eq!(p.clock(), 100);
    // A check that is no mate is drawn.
    assert_eq!(recall_after("4k3/8/8/8/8/8/8/R3K3 w - - 149 120", "a1a8"), Recall::Over(0));
    assert_eq!(recall_after("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 120", "a1a8"), Recall::Fresh);
    // The largest clock and number go on counting nothing.
    let (p, _) = play(&Chess::default(), "4k3/8/8/8/8/8/8/R3K3 b - - 65535 65535", "e8e7");
    assert_eq!(write(&p), "8/4k3/8/8/8/8/8/R3K3 w - - 65535 65535");
}

#[test]
fn clocks_are_no_part_of_keys() {
    let game = Chess::default();
    let (a, b) = (read("4k3/8/8/8/8/8/8/R3K3 w - - 7 9"), read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
    assert_eq!((game.key(&a), game.path_key(&a)), (game.key(&b), game.path_key(&b)));
    assert_ne!(game.key(&a), game.key(&read("4k3/8/8/8/8/8/8/R3K3 b - - 7 9")));
}

/// Positions that differ have keys that differ, on a few hundred thousand of them.
#[test]
fn keys_do_not_clash() {
    fn visit(game: &Chess, p: &Position, depth: u32, seen: &mut HashMap<u64, String>) {
        let told = game.write_repeatable(p);
        let key = game.key(p);
        assert_eq!(*seen.entry(key).or_insert_with(|| told.clone()), told);
        for m in moves_of(game, p).into_iter().filter(|_| depth > 0) {
            let mut next = *p;
            game.make(&mut next, m);
            visit(game, &next, depth - 1, seen);
        }
    }
    let (game, mut seen) = (Chess::default(), HashMap::new());
    for (text, _) in PERFT {
        visit(&game, &read(text), 3, &mut seen);
    }
    let texts: HashSet<&String> = seen.values().collect();
    assert_eq!(texts.len(), seen.len());
    assert!(texts.len() > 100_000);
}

/// Each move is drawn about as often as the others.
#[test]
fn samples_are_fair() {
    let (game, mut rng) = (Chess::default(), Rng::new(3));
    for text in [
        START,
        "1n2k2r/P7/8/2pP4/8/8/8/R3K2R w KQk c6 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let p = read(text);
        let moves = moves_of(&game, &p);
        let mut drawn = vec![0_i32; moves.len()];
        for _ in 0..1_000 * moves.len() {
            let m = game.sample(&p, &mut rng).unwrap();
            drawn[moves.iter().position(|&other| other == m).unwrap()] += 1;
        }
        // Six standard deviations from a thousand.
        assert!(drawn.iter().all(|n| (n - 1_000).abs() < 190), "{text}: {drawn:?}");
    }
}

#[test]
fn crowded_boards_are_played_on() {
    let game = Chess::default();
    let p = read(&format!("k7/pp6/{}KQQQQQQQ w - - 0 1", "QQQQQQQQ/".repeat(5)));
    let moves = moves_of(&game, &p);
    assert_eq!(moves.len(), game.count(&p));
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let mut end = p;
        game.playout(&mut end, &mut Path::new(), &mut rng);
    }
    let p = read("8/PPPPPPPP/8/8/7k/8/8/K7 w - - 0 1");
    assert_eq!(moves_of(&game, &p).len(), game.count(&p));
    assert_eq!(game.count(&p), 8 * 4 + 3);
}

#[test]
fn random_games_end_in_every_way() {
    let game = Chess::default();
    let mut rng = Rng::new(7);
    let [mut won, mut lost, mut stalemates, mut claims, mut dead] = [0; 5];
    for _ in 0..2_000 {
        let (mut p, mut path) = (game.start(), Path::new());
        match game.playout(&mut p, &mut path, &mut rng) {
            1 => won += 1,
            -1 => lost += 1,
            _ => match game.recall(&p, &path) {
                Recall::Fresh => stalemates += 1,
                Recall::Claim(_) => claims += 1,
                _ => dead += 1,
            },
        }
        assert_eq!(game.to_move(&p), if path.len() % 2 == 0 { Side::First } else { Side::Second });
    }
    let ends = [won, lost, stalemates, claims, dead];
    assert!(ends.into_iter().all(|n| n > 50), "{ends:?}");
}
