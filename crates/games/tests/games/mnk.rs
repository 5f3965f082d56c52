//! Line games: conformance over all boards and shapes, agreement of the boards with each other and
//! with the plain twin, known numbers, and text.

use evaluation::testkit::evaluation_conforms;
use game::testkit::{Effort, perft_matches, symmetry_conforms};
use game::{Game, Grid, Mark, Notation, Path, Rng, Side, Spec, Square, perft};
use games::mnk::reference::PlainMnk;
use games::mnk::{
    Board, ConstShape, LineBoard, LineEvaluation, Lines, Mnk, Parameters, RunShape, Shape, Storage,
    WindowBoard, WordBoard,
};
use play::testkit::conforms;
use play::{GameSession, Session};

fn parameters(spec: &str) -> Parameters {
    let spec = Spec::parse(spec).expect("a spec of this file");
    Parameters::from_spec(&spec).expect("parameters of this file")
}

fn check_game<S: Shape, B: WindowBoard>(game: &Mnk<S, B>, effort: Effort) {
    conforms(game, effort);
    symmetry_conforms(game, Effort { games: effort.games.div_ceil(5), ..effort });
    evaluation_conforms(game, Lines::default, Effort { games: effort.games.div_ceil(5), ..effort });
    // Every window is built anew for every move: on larger boards that must be few.
    let plies = match game.slots() {
        ..=64 => effort.plies,
        65..=10_000 => effort.plies.min(2),
        _ => 0,
    };
    for evaluation in [LineEvaluation::Patterns, LineEvaluation::Features] {
        let effort = Effort { games: effort.games.div_ceil(5), plies, ..effort };
        evaluation_conforms(game, || Lines::new(evaluation), effort);
    }
}

/// On the smallest board that holds it, and on a `LineBoard`.
fn check(spec: &str, effort: Effort) {
    let parameters = parameters(spec);
    match parameters.storage() {
        Storage::U16 => check_game(&Mnk::<_, WordBoard<u16>>::new(&parameters), effort),
        Storage::U32 => check_game(&Mnk::<_, WordBoard<u32>>::new(&parameters), effort),
        Storage::U64 => check_game(&Mnk::<_, WordBoard<u64>>::new(&parameters), effort),
        Storage::U128 => check_game(&Mnk::<_, WordBoard<u128>>::new(&parameters), effort),
        Storage::Lines => {}
    }
    check_game(&Mnk::<_, LineBoard>::new(&parameters), effort);
}

#[test]
fn small_games_conform() {
    for spec in [
        "mnk:1x1,k=1",
        "mnk:1x1,k=2",
        "mnk:2x2,k=1",
        "mnk:2x3,k=1,win=exact",
        "mnk:1x16,k=3",
        "mnk:16x1,k=3,win=exact",
        "mnk:3x3,k=3",
        "mnk:3x3,k=3,p=2",
        "mnk:3x3,k=3,p=20",
        "mnk:3x3,k=4,q=20",
        "mnk:3x3,k=3,holes=b2",
        "mnk:3x4,k=3,win=exact,holes=a1",
        "mnk:4x4,k=4,p=2",
        "mnk:4x4,k=3,gravity,holes=b2+c3",
        "mnk:4x4,k=3,p=2,q=3,win=exact,gravity",
        "mnk:1x17,k=4",
        "mnk:1x31,k=1,win=exact",
        "mnk:5x5,k=4,q=2",
        "mnk:5x6,k=3,win=exact",
        "mnk:4x8,k=4,gravity",
    ] {
        check(spec, Effort { games: 20, ..Effort::default() });
    }
}

#[test]
fn middle_sized_games_conform() {
    for spec in [
        "mnk:6x7,k=4,gravity",
        "mnk:6x7,k=4,gravity,holes=a1+b3+d6",
        "mnk:8x8,k=5",
        "mnk:8x8,k=3,win=exact,p=2",
        "mnk:1x64,k=6",
        "mnk:64x1,k=60",
        "mnk:11x11,k=5",
        "mnk:11x11,k=6,p=3,q=2,win=exact,holes=f6",
        "mnk:9x10,k=4,gravity",
        "mnk:2x64,k=5",
        "mnk:1x128,k=100",
        "mnk:128x1,k=5,gravity",
    ] {
        check(spec, Effort { games: 3, ..Effort::default() });
    }
}

#[test]
fn large_games_conform() {
    let effort = Effort { games: 2, ..Effort::default() };
    for spec in [
        "mnk:15x15,k=5",
        "mnk:15x15,k=5,win=exact",
        "mnk:19x19,k=6,p=2",
        "mnk:12x12,k=4,gravity,holes=a1+f6",
        "mnk:1x250,k=5",
        "mnk:250x1,k=70,p=250,gravity",
        "mnk:3x100,k=90,q=3",
    ] {
        check(spec, Effort { plies: 40, ..effort });
    }
    for spec in ["mnk:250x250,k=5,gravity,p=2", "mnk:70x130,k=5,gravity,win=exact"] {
        check(spec, Effort { games: 1, plies: 2, longest: 62_500, ..effort });
    }
    // Every look at such a position clones it for each of 62,500 moves.
    conforms(
        &Mnk::<_, LineBoard>::new(&parameters("mnk:250x250,k=5")),
        Effort { games: 1, plies: 1, longest: 62_500, ..effort },
    );
}

#[test]
fn compiled_shapes_conform() {
    let effort = Effort { games: 10, ..Effort::default() };
    type Alternating<const M: usize, const N: usize, const K: usize> =
        ConstShape<M, N, K, 1, 1, false, false>;
    check_game(&Mnk::<Alternating<3, 3, 3>, WordBoard<u16>>::from_shape(ConstShape), effort);
    check_game(
        &Mnk::<ConstShape<5, 5, 4, 2, 1, true, false>, WordBoard<u32>>::from_shape(ConstShape),
        effort,
    );
    check_game(
        &Mnk::<ConstShape<6, 7, 4, 1, 1, false, true>, WordBoard<u64>>::from_shape(ConstShape),
        effort,
    );
    let few = Effort { games: 2, ..effort };
    check_game(&Mnk::<Alternating<11, 11, 5>, WordBoard<u128>>::from_shape(ConstShape), few);
    check_game(
        &Mnk::<Alternating<15, 15, 5>, LineBoard>::from_shape(ConstShape),
        Effort { plies: 20, ..few },
    );
    let alternates = <Mnk<Alternating<3, 3, 3>, WordBoard<u16>> as Game>::ALTERNATES;
    assert!(alternates);
    const { assert!(!RunShape::ALTERNATES) };
}

#[test]
fn symmetries_keep_holes_and_gravity() {
    fn symmetries(spec: &str) -> usize {
        Game::symmetries(&Mnk::<_, WordBoard<u64>>::new(&parameters(spec)))
    }
    assert_eq!(symmetries("mnk:3x3,k=3"), 8);
    assert_eq!(symmetries("mnk:3x4,k=3"), 4);
    assert_eq!(symmetries("mnk:3x3,k=3,holes=b2"), 8);
    assert_eq!(symmetries("mnk:3x3,k=3,holes=a1"), 2);
    assert_eq!(symmetries("mnk:3x3,k=3,holes=a1+b1"), 1);
    assert_eq!(symmetries("mnk:6x7,k=4,gravity"), 2);
    assert_eq!(symmetries("mnk:6x7,k=4,gravity,holes=a6"), 1);
}

#[test]
fn perft_of_tic_tac_toe() {
    let table = [9, 72, 504, 3024, 15_120, 56_160, 154_944, 255_168, 255_168];
    let tictactoe = parameters("mnk:3x3,k=3");
    perft_matches(&Mnk::<_, WordBoard<u16>>::new(&tictactoe), &table);
    perft_matches(&Mnk::<_, LineBoard>::new(&tictactoe), &table);
    let plain = PlainMnk::new(&tictactoe);
    for (depth, leaves) in (1..).zip(table) {
        assert_eq!(perft(&plain, &plain.start(), depth), leaves);
    }
}

#[test]
fn perft_agrees_with_the_plain_twin() {
    for (spec, depth) in [
        ("mnk:3x4,k=3,p=2", 6),
        ("mnk:4x4,k=3,win=exact", 5),
        ("mnk:5x5,k=3,gravity,holes=c2", 6),
        ("mnk:6x7,k=4,gravity", 7),
        ("mnk:3x3,k=3,q=2,holes=b2", 8),
        ("mnk:8x9,k=2", 3),
    ] {
        let parameters = parameters(spec);
        let plain = PlainMnk::new(&parameters);
        let leaves = perft(&plain, &plain.start(), depth);
        let words = Mnk::<_, WordBoard<u128>>::new(&parameters);
        assert_eq!(perft(&words, &words.start(), depth), leaves, "{spec}");
        let lines = Mnk::<_, LineBoard>::new(&parameters);
        assert_eq!(perft(&lines, &lines.start(), depth), leaves, "{spec}");
    }
}

fn outcome(spec: &str, moves: &str) -> Option<Option<Side>> {
    fn of<B: Board>(parameters: &Parameters, moves: &str) -> Option<Option<Side>> {
        let mut session = GameSession::new(Mnk::<_, B>::new(parameters));
        session.play_all(moves).expect("moves of this file");
        session.outcome().map(play::Outcome::winner)
    }
    let parameters = parameters(spec);
    let words = of::<WordBoard<u128>>(&parameters, moves);
    assert_eq!(words, of::<LineBoard>(&parameters, moves));
    words
}

#[test]
fn an_overline_wins_unless_exactly_k_are_asked_for() {
    let overline = "a1 a3 b1 b3 d1 d3 e1 e3 f1 a5 c1";
    assert_eq!(outcome("mnk:6x7,k=5", overline), Some(Some(Side::First)));
    assert_eq!(outcome("mnk:6x7,k=5,win=exact", overline), None);
    let and_a_column = format!("{overline} b5 c2 d5 c3 e5 c4 f5 c5");
    assert_eq!(outcome("mnk:6x7,k=5,win=exact", &and_a_column), Some(Some(Side::First)));
}

#[test]
fn lines_do_not_run_round_the_edge_or_over_a_hole() {
    assert_eq!(outcome("mnk:3x3,k=3", "b1 a3 c1 b3 a2"), None);
    assert_eq!(outcome("mnk:3x3,k=2,holes=b1", "a1 a3 c1"), None);
    assert_eq!(outcome("mnk:3x3,k=2,holes=b1", "a1 a3 b2"), Some(Some(Side::First)));
}

#[test]
fn a_turn_ends_with_the_game() {
    assert_eq!(outcome("mnk:3x3,k=2,p=3,q=3", "a1 b2"), Some(Some(Side::First)));
    assert_eq!(outcome("mnk:1x2,k=3,q=9", "a1 b1"), Some(None));
}

#[test]
fn stones_fall_past_holes() {
    let game = Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:4x3,k=3,gravity,holes=a2+b1"));
    let mut session = GameSession::new(game);
    assert_eq!(session.moves(), ["a1", "c1", "b2"]);
    assert_eq!(session.play("a").unwrap(), "a1");
    assert_eq!(session.play("A").unwrap(), "a3");
    assert_eq!(session.play("b").unwrap(), "b2");
    let why = session.play("c2").unwrap_err().to_string();
    assert!(why.contains("comes to rest on c1"), "{why}");
    session.play_all("a").unwrap();
    let why = session.play("a").unwrap_err().to_string();
    assert!(why.contains("column a is full"), "{why}");
}

#[test]
fn the_winning_line_is_marked() {
    let mut session = GameSession::new(Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:3x3,k=3")));
    session.play_all("a1 a2 b2 a3 c3").unwrap();
    let diagram = session.diagram();
    assert_eq!(diagram.to_string(), "  a  b  c \n3 o  . (x)\n2 o (x) . \n1(x) .  . ");
    let marked: Vec<Square> = diagram.marked(Mark::Line).collect();
    assert_eq!(marked, [0, 1, 2].map(|n| Square { row: n, column: n }));
    let line = session.game().winning_line(session.current()).unwrap();
    assert_eq!(line, [0, 1, 2].map(|n| Square { row: n, column: n }));
    assert!(session.play("b1").unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn position_text_round_trips() {
    let tictactoe = Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:3x3,k=3"));
    let read = |text: &str| tictactoe.read_position(text).map(|p| tictactoe.write_position(&p));
    assert_eq!(read(".../.x./... o").unwrap(), ".../.x./... o");
    assert_eq!(read(".../.x./...").unwrap(), ".../.x./... o");
    let finished = tictactoe.read_position("xxx/oo./...").unwrap();
    assert_eq!(tictactoe.margin(&finished), Some(1));
    let connect6 = Mnk::<_, LineBoard>::new(&parameters("mnk:2x3,k=3,p=2"));
    let p = connect6.read_position("x../..o").unwrap();
    assert_eq!(connect6.write_position(&p), "x../..o o1");
    assert_eq!(connect6.stones_left(&p), 1);
}

#[test]
fn wrong_positions_get_a_reason() {
    for (spec, text, why) in [
        ("mnk:3x3,k=3", "", "the text ends in row 1"),
        ("mnk:3x3,k=3", ".../.x.", "the text ends in row 2"),
        ("mnk:3x3,k=3", ".../.x./..", "the text ends in row 3"),
        ("mnk:3x3,k=3", ".../.x/...", "at character 7: the row is too short"),
        ("mnk:3x3,k=3", "..../.x./...", "at character 4: a row has 3 squares"),
        ("mnk:3x3,k=3", ".../.x./.../...", "at character 12: the board has 3 rows"),
        ("mnk:3x3,k=3", ".../.y./...", "at character 6: a square is x, o, ."),
        ("mnk:3x3,k=3", ".../.#./...", "at character 6: b2 is not a hole"),
        ("mnk:3x3,k=3,holes=b2", ".../.x./...", "at character 6: b2 is a hole"),
        ("mnk:3x3,k=3", "oo./.../...", "of 2 stones 1 are x and 1 are o"),
        ("mnk:3x3,k=3,p=2", "xo./x../...", "of 3 stones 1 are x and 2 are o"),
        (
            "mnk:3x3,k=3",
            ".../.x./... x",
            "at character 13: after these 1 stones the turn is written o",
        ),
        ("mnk:3x3,k=3", ".../.x./... o1", "the turn is written o, not \"o1\""),
        ("mnk:3x3,k=3,p=2", ".../.x./... o1", "the turn is written o2"),
        ("mnk:3x3,k=3", ".../.x./... ", "the turn is written o"),
        ("mnk:3x3,k=3", "xxx/ooo/...", "both players have a winning line"),
        ("mnk:3x3,k=3", "xxx/oo./o..", "x has a winning line, but the last stone was o's"),
        ("mnk:3x3,k=3,gravity", ".../.x./...", "at character 6: the stone on b2 floats: b1"),
        ("mnk:3x3,k=3", "\u{1F600}\n", "a square is x"),
    ] {
        let parameters = parameters(spec);
        let words = Mnk::<_, WordBoard<u16>>::new(&parameters);
        let error = words.read_position(text).unwrap_err();
        let lines = Mnk::<_, LineBoard>::new(&parameters);
        assert_eq!(lines.read_position(text).unwrap_err(), error);
        let line = error.to_string();
        assert!(line.starts_with(&game::quote(text)), "{line}");
        assert!(line.contains(why), "{line}");
        assert!(!line.contains('\n'), "{line}");
    }
}

#[test]
fn wrong_moves_get_a_reason() {
    for (spec, text, why) in [
        ("mnk:3x3,k=3", "d1", "not a square of this board, which has a1 to c3"),
        ("mnk:3x3,k=3", "", "not a square of this board"),
        ("mnk:3x3,k=3", "b", "not a square of this board"),
        ("mnk:3x3,k=3", "b2", "b2 is taken"),
        ("mnk:3x3,k=3,holes=a1", "a1", "a1 is a hole"),
        ("mnk:3x3,k=3,gravity", "d", "not a column of this board"),
        ("mnk:3x3,k=3,gravity", "a2", "comes to rest on a1"),
        ("mnk:3x3,k=3,gravity", "d2", "not a square of this board"),
    ] {
        let game = Mnk::<_, WordBoard<u16>>::new(&parameters(spec));
        let mut p = game.start();
        if let Ok(m) = game.read_move(&p, "b2") {
            game.make(&mut p, m);
        }
        let error = game.read_move(&p, text).unwrap_err().to_string();
        assert!(error.starts_with(&game::quote(text)), "{error}");
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn positions_of_any_text_are_read_or_refused() {
    let mut rng = Rng::new(7);
    let games = ["mnk:2x3,k=2", "mnk:3x2,k=2,p=2,gravity", "mnk:2x2,k=2,holes=a1,win=exact"]
        .map(|spec| Mnk::<_, WordBoard<u16>>::new(&parameters(spec)));
    let alphabet: Vec<char> = "xxxooo....#// xo129é\n".chars().collect();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let game = &games[rng.below(games.len())];
        let mut p = game.start();
        for _ in 0..rng.below(4) {
            if let Some(m) = game.sample(&p, &mut rng).filter(|_| game.margin(&p).is_none()) {
                game.make(&mut p, m);
            }
        }
        let mut text: Vec<char> = game.write_position(&p).chars().collect();
        for _ in 0..rng.below(4) {
            let at = rng.below(text.len());
            text[at] = alphabet[rng.below(alphabet.len())];
        }
        text.truncate(text.len() - rng.below(3).min(text.len()));
        let text: String = text.into_iter().collect();
        match game.read_position(&text) {
            Ok(p) => {
                accepted += 1;
                let written = game.write_position(&p);
                assert_eq!(game.read_position(&written).as_ref(), Ok(&p), "{text}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().contains('\n'), "{text}");
            }
        }
        for other in &games {
            let _ = other.read_position(&text);
            let _ = other.read_move(&other.start(), &text);
        }
    }
    assert!(accepted > 1000 && refused > 1000, "{accepted} {refused}");
}

#[test]
fn a_large_board_has_a_grid() {
    let game = Mnk::<_, LineBoard>::new(&parameters("mnk:250x250,k=5"));
    assert_eq!(game.slots(), 62_500);
    assert_eq!(game.shape().grid(), Grid { rows: 250, columns: 250 });
}

/// Of the random games of tic-tac-toe 737/1260 are won by the first player, 121/420 by the second and
/// 8/63 are drawn; within five standard deviations of 100,000 games, on either way to play them.
#[test]
fn random_games_are_fair() {
    let game = Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:3x3,k=3"));
    let mut rng = Rng::new(1);
    for playout in [Mnk::playout, game::random_playout] {
        let mut counts = [0_i32; 3];
        for _ in 0..100_000 {
            counts[(playout(&game, &mut game.start(), &mut Path::new(), &mut rng) + 1) as usize] +=
                1;
        }
        for (count, share) in counts.into_iter().zip([121.0 / 420.0, 8.0 / 63.0, 737.0 / 1260.0]) {
            let deviation = (f64::from(count) - 100_000.0 * share).abs();
            assert!(deviation < 5.0 * (100_000.0 * share * (1.0 - share)).sqrt(), "{counts:?}");
        }
    }
}
