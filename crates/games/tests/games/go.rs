//! Go from outside: conformance over sizes and rules, known counts, and the plain twin of the rules.

use evaluation::Tunable;
use evaluation::testkit::evaluation_conforms;
use game::testkit::{Effort, symmetry_conforms};
use game::{
    Game, Grid, Notation, Path, Recall, Rng, Side, Spec, Square, moves_of, perft, random_playout,
};
use games::go::reference::{self, Plain};
use games::go::{Go, GoEvaluation, Move, Parameters, PointSet, Position, Wide};
use play::testkit::conforms;
use proptest::prelude::*;

fn parameters(spec: &str) -> Parameters {
    Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()
}

fn go<S: PointSet>(spec: &str) -> Go<S> {
    Go::new(parameters(spec))
}

fn read<G: Notation>(game: &G, text: &str) -> G::Position {
    game.read_position(text).unwrap()
}

fn write<G: Notation>(game: &G, p: &G::Position) -> String {
    game.write_position(p)
}

fn effort(games: usize, plies: usize) -> Effort {
    Effort { games, longest: 10_000, plies, seed: 1 }
}

/// Runs a check on small boards in every width of word, and on larger ones in their own.
macro_rules! everywhere {
    ($check:expr) => {
        for spec in [
            "go:1x1",
            "go:1x2,suicide=yes",
            "go:2x2,ko=basic,suicide=yes,komi=0.5",
            "go:3x4,ko=situational,suicide=yes",
            "go:5x5,ko=basic,komi=-3",
            "go:4x3,ko=basic,scoring=territory,dead=stay",
            "go:3x3,suicide=yes,scoring=territory,komi=6.5",
            "go:8x7",
        ] {
            $check(&go::<u64>(spec), effort(30, 1000));
            $check(&go::<u128>(spec), effort(2, 300));
            $check(&go::<Wide>(spec), effort(2, 300));
        }
        for spec in ["go:9x9,komi=7", "go:7x8,ko=basic,scoring=territory", "go:11x10,suicide=yes"] {
            $check(&go::<u128>(spec), effort(1, 200));
            $check(&go::<Wide>(spec), effort(1, 100));
        }
        for spec in ["go:19x19,ko=basic,komi=6.5", "go:19x19,suicide=yes", "go:1x19", "go:13x17"] {
            $check(&go::<Wide>(spec), effort(1, 60));
        }
    };
}

#[test]
fn rules_conform() {
    everywhere!(conforms);
}

#[test]
fn symmetries_conform() {
    everywhere!(symmetry_conforms);
}

#[test]
fn evaluation_conforms_everywhere() {
    everywhere!(|game, effort| evaluation_conforms(game, GoEvaluation::default, effort));
    let features = || GoEvaluation::named("features").unwrap();
    everywhere!(|game, effort| evaluation_conforms(game, features, effort));
}

/// All boards of a size that the rules can go on from, as text without the side to move.
fn legal_boards(size: Grid) -> Vec<String> {
    let spec = format!("go:{}x{}", size.rows, size.columns);
    let game = go::<u128>(&spec);
    let boards = 3usize.pow(size.squares() as u32);
    let text = |number: usize| {
        let mut number = number;
        let mut text = String::new();
        for point in 0..size.squares() {
            if point > 0 && point % size.columns == 0 {
                text.push('/');
            }
            text.push(['.', 'X', 'O'][number % 3]);
            number /= 3;
        }
        text
    };
    let legal = |text: &String| Notation::read_position(&game, &format!("{text} b")).is_ok();
    (0..boards).map(text).filter(legal).collect()
}

#[test]
fn legal_positions() {
    for (rows, columns, boards) in [
        (1, 1, 1),
        (1, 2, 5),
        (1, 3, 15),
        (1, 4, 41),
        (1, 5, 113),
        (1, 6, 313),
        (1, 7, 867),
        (1, 8, 2401),
        (1, 9, 6649),
        (1, 10, 18_413),
        (2, 2, 57),
        (2, 3, 489),
        (3, 2, 489),
        (2, 4, 4125),
        (2, 5, 35_117),
        (3, 3, 12_675),
    ] {
        assert_eq!(legal_boards(Grid { rows, columns }).len(), boards, "{rows}x{columns}");
    }
}

#[test]
fn legal_positions_of_twelve_points() {
    assert_eq!(legal_boards(Grid { rows: 2, columns: 6 }).len(), 299_681);
    assert_eq!(legal_boards(Grid { rows: 3, columns: 4 }).len(), 321_689);
}

/// Pairs of a legal position and a stone that Black or White may place there without suicide.
#[test]
fn legal_moves() {
    for (rows, columns, pairs) in [(2, 2, 184), (2, 3, 2220), (3, 3, 83_502)] {
        let game = go::<u64>(&format!("go:{rows}x{columns}"));
        let mut found = 0;
        for board in legal_boards(Grid { rows, columns }) {
            for side in ["b", "w"] {
                found += game.placements(&read(&game, &format!("{board} {side}"))).len();
            }
        }
        assert_eq!(found, pairs, "{rows}x{columns}");
    }
}

#[test]
fn legal_moves_of_twelve_points() {
    let game = go::<u64>("go:3x4");
    let boards = legal_boards(Grid { rows: 3, columns: 4 });
    let positions = boards.iter().flat_map(|board| [format!("{board} b"), format!("{board} w")]);
    let found: usize = positions.map(|text| game.placements(&read(&game, &text)).len()).sum();
    assert_eq!(found, 2_795_884);
}

/// Complete games in which no board comes back. A game is told by its boards: between two of them lies
/// at most one pass, and two at the end.
fn complete_games<G: Game>(game: &G, p: &mut G::Position, path: &mut Path) -> u64 {
    if game.margin(p).is_some() {
        return 1;
    }
    let mut games = 0;
    path.push(game.path_key(p));
    for m in moves_of(game, p) {
        let undo = game.make(p, m);
        if game.recall(p, path) != Recall::Forbidden {
            games += complete_games(game, p, path);
        }
        game.unmake(p, m, undo);
    }
    path.pop();
    games
}

#[test]
fn numbers_of_games() {
    for (spec, games) in
        [("go:1x1,suicide=yes", 1), ("go:1x2,suicide=yes", 9), ("go:1x3,suicide=yes", 907)]
    {
        let (fast, plain) = (go::<u64>(spec), Plain::new(parameters(spec)));
        assert_eq!(complete_games(&fast, &mut fast.start(), &mut Path::new()), games, "{spec}");
        assert_eq!(complete_games(&plain, &mut plain.start(), &mut Path::new()), games, "{spec}");
    }
}

/// A position of the plain rules as the fast ones write it.
fn text_of(p: &reference::Position) -> String {
    let glyph = |stone: &Option<Side>| match stone {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    };
    let row_text = |row: &Vec<Option<Side>>| row.iter().map(glyph).collect::<String>();
    let rows: Vec<String> = p.stones.iter().rev().map(row_text).collect();
    let side = if p.side == Side::First { 'b' } else { 'w' };
    let passes = " pass".repeat(p.passes.into());
    let letter = |column| char::from(b"ABCDEFGHJKLMNOPQRST"[column]);
    let ko = p.ko.map_or(String::new(), |s| format!(" ko={}{}", letter(s.column), s.row + 1));
    let prisoners = match p.prisoners {
        [0, 0] => String::new(),
        [blacks, whites] => format!(" prisoners={blacks}:{whites}"),
    };
    format!("{} {side}{passes}{ko}{prisoners}", rows.join("/"))
}

fn squares<S: PointSet>(game: &Go<S>, moves: &[Move]) -> Vec<Option<Square>> {
    moves.iter().map(|&m| game.square(m)).collect()
}

/// Plays one random game by both rules and compares everything on the way.
fn play_both<S: PointSet>(spec: &str, seed: u64) {
    let (fast, plain) = (go::<S>(spec), Plain::new(parameters(spec)));
    let (mut p, mut q) = (fast.start(), plain.start());
    let (mut path, mut plain_path) = (Path::new(), Path::new());
    let mut rng = Rng::new(seed);
    loop {
        assert_eq!(write(&fast, &p), text_of(&q), "{spec}");
        assert_eq!(fast.margin(&p), plain.margin(&q), "{spec}");
        let over = fast.recall(&p, &path);
        assert_eq!(over, plain.recall(&q, &plain_path), "{spec}");
        let moves = moves_of(&fast, &p);
        assert_eq!(squares(&fast, &moves), moves_of(&plain, &q), "{spec} {}", write(&fast, &p));
        if moves.is_empty() || matches!(over, Recall::Over(_)) {
            return;
        }
        path.push(fast.path_key(&p));
        plain_path.push(plain.path_key(&q));
        loop {
            let m = moves[rng.below(moves.len())];
            let undo = fast.make(&mut p, m);
            let plain_undo = plain.make(&mut q, fast.square(m));
            let verdict = fast.recall(&p, &path);
            assert_eq!(verdict, plain.recall(&q, &plain_path), "{spec} {}", write(&fast, &p));
            if verdict != Recall::Forbidden {
                break;
            }
            fast.unmake(&mut p, m, undo);
            plain.unmake(&mut q, fast.square(m), plain_undo);
        }
    }
}

/// Every combination of the rules that the plain twin knows.
fn rules() -> Vec<String> {
    let mut rules = Vec::new();
    for ko in ["positional", "situational", "basic"] {
        for suicide in ["no", "yes"] {
            for scoring in ["scoring=area", "scoring=territory,dead=stay,komi=6.5"] {
                rules.push(format!("ko={ko},suicide={suicide},{scoring}"));
            }
        }
    }
    rules
}

#[test]
fn random_games_agree_with_the_plain_rules() {
    for (number, rules) in rules().iter().enumerate() {
        for seed in 0..40 {
            for size in ["1x4", "2x2", "2x3", "3x3", "4x3", "5x5"] {
                play_both::<u64>(&format!("go:{size},{rules}"), seed);
            }
            play_both::<u128>(&format!("go:3x3,{rules}"), seed);
            play_both::<Wide>(&format!("go:2x3,{rules}"), seed);
        }
        play_both::<u64>(&format!("go:7x7,{rules}"), number as u64);
        play_both::<u128>(&format!("go:9x9,{rules}"), number as u64);
    }
}

#[test]
#[ignore = "half a minute"]
fn large_random_games_agree_with_the_plain_rules() {
    for (number, rules) in rules().iter().enumerate() {
        play_both::<u128>(&format!("go:11x10,{rules}"), number as u64);
        play_both::<Wide>(&format!("go:11x13,{rules}"), number as u64);
    }
    play_both::<Wide>("go:19x19", 1);
}

proptest! {
    /// Boards that no game reaches: the same are legal, and the same happens on them.
    #[test]
    fn random_boards_agree_with_the_plain_rules(
        (rows, columns) in (1..=5usize, 1..=5usize),
        rule in 0..12usize,
        points in prop::collection::vec(0..7u8, 25),
    ) {
        let spec = format!("go:{rows}x{columns},{}", rules()[rule]);
        let (fast, plain) = (go::<u64>(&spec), Plain::new(parameters(&spec)));
        let mut q = plain.start();
        for (square, n) in (Grid { rows, columns }).iter().zip(points) {
            q.stones[square.row][square.column] = match n {
                0..=1 => Some(Side::First),
                2..=3 => Some(Side::Second),
                _ => None,
            };
        }
        let text = text_of(&q);
        let read = Notation::read_position(&fast, &text);
        prop_assert_eq!(read.is_ok(), plain.all_breathe(&q.stones), "{}", text);
        if let Ok(p) = read {
            let moves = moves_of(&fast, &p);
            prop_assert_eq!(squares(&fast, &moves), moves_of(&plain, &q));
            for m in moves {
                let (mut p, mut q) = (p, q.clone());
                fast.make(&mut p, m);
                plain.make(&mut q, fast.square(m));
                prop_assert_eq!(write(&fast, &p), text_of(&q));
                while p.passes() < 2 {
                    fast.make(&mut p, Move::PASS);
                    plain.make(&mut q, None);
                }
                prop_assert_eq!(fast.margin(&p), plain.margin(&q));
            }
        }
    }
}

/// How far counts are from equal shares, in units that average 1 for each share but one.
fn chi_square(counts: &[usize]) -> f64 {
    let expected = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum()
}

/// Every legal move is as likely as every other, as the first of a playout and as a sample, also where
/// some are suicide and superko forbids one.
#[test]
fn random_moves_are_fair() {
    const DRAWS: usize = 4_000;
    for spec in ["go:3x3", "go:3x3,suicide=yes", "go:3x3,ko=situational", "go:2x3,ko=basic"] {
        let game = go::<u64>(spec);
        let mut rng = Rng::new(7);
        let (mut p, mut path) = (game.start(), Path::new());
        for _ in 0..25 {
            let moves = moves_of(&game, &p);
            if moves.is_empty() || game.recall(&p, &path) != Recall::Fresh {
                break;
            }
            let mut sampled = vec![0; moves.len()];
            for _ in 0..DRAWS {
                let m = game.sample(&p, &mut rng).unwrap();
                sampled[moves.iter().position(|&n| n == m).unwrap()] += 1;
            }
            assert!(chi_square(&sampled) < 40.0, "{spec} {} {sampled:?}", write(&game, &p));

            path.push(game.path_key(&p));
            let after = |m: Move| {
                let mut next = p;
                game.make(&mut next, m);
                next
            };
            let legal: Vec<Move> = moves
                .into_iter()
                .filter(|&m| game.recall(&after(m), &path) != Recall::Forbidden)
                .collect();
            let keys: Vec<u64> = legal.iter().map(|&m| game.path_key(&after(m))).collect();
            path.pop();
            let mut first = vec![0; legal.len()];
            for _ in 0..DRAWS {
                let (mut end, mut went) = (p, path.clone());
                game.playout(&mut end, &mut went, &mut rng);
                went.push(game.path_key(&end));
                let oldest_first: Vec<u64> = went.newest_first().collect();
                let next = oldest_first[went.len() - 2 - path.len()];
                first[keys.iter().position(|&k| k == next).unwrap()] += 1;
            }
            assert!(chi_square(&first) < 40.0, "{spec} {} {first:?}", write(&game, &p));
            path.push(game.path_key(&p));
            p = after(legal[rng.below(legal.len())]);
        }
    }
}

/// Playouts are as long as those made of single moves by the default method.
#[test]
fn random_games_have_the_usual_length() {
    let game = go::<u64>("go:4x4");
    let mean = |playout: &dyn Fn(&mut Position<u64>, &mut Path, &mut Rng) -> i32| {
        let (mut plies, mut rng) = (0, Rng::new(3));
        for _ in 0..4_000 {
            let mut path = Path::new();
            playout(&mut game.start(), &mut path, &mut rng);
            plies += path.len();
        }
        plies as f64 / 4_000.0
    };
    let fast = mean(&|p, path, rng| game.playout(p, path, rng));
    let usual = mean(&|p, path, rng| random_playout(&game, p, path, rng));
    assert!((fast / usual - 1.0).abs() < 0.05, "{fast} and {usual}");
}

#[test]
fn perft_agrees_with_the_plain_rules() {
    for (size, depth) in [("2x2", 7), ("3x3", 5), ("2x4", 5), ("5x5", 3)] {
        for rules in rules() {
            let spec = format!("go:{size},{rules}");
            let (fast, plain) = (go::<u64>(&spec), Plain::new(parameters(&spec)));
            let leaves = perft(&fast, &fast.start(), depth);
            assert_eq!(leaves, perft(&plain, &plain.start(), depth), "{spec}");
        }
    }
}
