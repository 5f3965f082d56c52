//! How bots play, whatever their level: near what is on the board, and from the middle of an empty
//! one.

use play::{BotSpec, Choice, Session, Stop, Task, Turn};

fn choice(session: &dyn Session, bot: &str, seed: u64) -> Choice {
    let bot: BotSpec = bot.parse().unwrap();
    let mut player = catalog::open(&session.spec()).unwrap().player(&bot, seed).unwrap();
    player.choose(session, &Task::default(), &Stop::new(), &mut |_| {}).unwrap()
}

fn answer(session: &dyn Session, bot: &str, seed: u64) -> String {
    match choice(session, bot, seed).turn {
        Turn::Play(text) => text,
        other => panic!("{other:?}"),
    }
}

/// Column and row of a square like `h8`, from 1; where letters are large there is none between H
/// and J.
fn square(text: &str) -> [i64; 2] {
    let split = text.find(|c: char| c.is_ascii_digit()).unwrap();
    let column = text[..split].bytes().fold(0, |n, c| match c {
        b'J'..=b'Z' => i64::from(c - b'A'),
        b'A'..=b'H' => i64::from(c - b'A') + 1,
        _ => 26 * n + i64::from(c - b'a') + 1,
    });
    [column, text[split..].parse().unwrap()]
}

fn distance(a: [i64; 2], b: [i64; 2]) -> i64 {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
}

/// On a large board weak bots answer beside the only stone, and their scores are those of any
/// board.
#[test]
fn weak_bots_stay_near_the_only_stone() {
    for stone in ["du125", "a1", "if7"] {
        let mut session = catalog::open("mnk:250x250,k=5").unwrap().session();
        session.play(stone).unwrap();
        for bot in ["beginner", "easy", "depth=1", "medium"] {
            for seed in 1..4 {
                let chosen = choice(&*session, bot, seed);
                let Turn::Play(text) = chosen.turn else { panic!("{bot} does not move") };
                let far = distance(square(&text), square(stone));
                assert!(far <= 4, "{bot} answers {stone} by {text}");
                let value = chosen.analysis.unwrap().value.unwrap();
                assert!(value.raw().abs() < 1_500, "{bot} after {stone}: {value:?}");
            }
        }
    }
}

/// Whoever thinks, or plays beside stones, opens near the centre: players of all levels, methods
/// and searches.
#[test]
fn line_games_open_near_the_centre() {
    let bots = [
        "beginner",
        "easy",
        "medium,nodes=300",
        "hard,nodes=300",
        "master,nodes=300",
        "adjacent",
        "threats",
        "playing,nodes=300",
        "alphabeta,nodes=300",
        "montecarlo,nodes=30",
        "depth=1,algorithm=negascout",
        "depth=1,algorithm=mtdf",
        "nodes=30,algorithm=proof",
        "depth=1,weights=features",
        "depth=1,noise=5000",
    ];
    for (game, [columns, rows], reach) in [
        ("gomoku", [15, 15], 5),
        ("gomoku-standard", [15, 15], 5),
        ("connect6", [19, 19], 5),
        ("mnk:6x6,k=4", [6, 6], 3),
        ("mnk:9x11,k=5,holes=f5", [11, 9], 3),
        // A stone falls where it may: the column counts.
        ("connect4", [7, 1], 2),
    ] {
        let session = catalog::open(game).unwrap().session();
        for bot in bots {
            for seed in 1..4 {
                let text = answer(&*session, bot, seed);
                let [column, row] = square(&text);
                let off = [2 * column - columns - 1, 2 * row - rows - 1].map(i64::abs);
                assert!(off[0].max(off[1]) <= reach, "{bot} opens {game} by {text}");
            }
        }
    }
    let session = catalog::open("mnk:250x250,k=5").unwrap().session();
    for bot in ["beginner", "easy", "medium", "adjacent"] {
        let text = answer(&*session, bot, 1);
        let off = square(&text).map(|at| (2 * at - 251).abs());
        assert!(off[0].max(off[1]) <= 5, "{bot} opens by {text}");
    }
}

/// What is found among the moves of an opening is no proof of what the others are worth.
#[test]
fn openings_prove_nothing_of_other_moves() {
    let session = catalog::open("mnk:5x5,k=5").unwrap().session();
    let analysis = choice(&*session, "nodes=200000", 1).analysis.unwrap();
    assert!(!analysis.exact, "{analysis:?}");
}

const GO_BOTS: [&str; 6] =
    ["beginner", "easy", "medium,nodes=100", "hard,nodes=100", "depth=1", "depth=2,noise=10"];

/// On the third to fifth line, whoever begins.
#[test]
fn go_opens_where_people_do() {
    for (game, size) in [("go:9x9", 9), ("go:13x13", 13), ("go:19x19", 19), ("japanese:9x9", 9)] {
        for bot in GO_BOTS {
            if bot == "depth=2,noise=10" && size > 9 {
                continue;
            }
            for seed in 1..4 {
                let mut session = catalog::open(game).unwrap().session();
                for ply in 1..=2 {
                    let text = answer(&*session, bot, seed);
                    let line = square(&text).map(|at| at.min(size + 1 - at));
                    let line = line[0].min(line[1]);
                    assert!((3..=5).contains(&line), "{bot} plays {text} as stone {ply} of {game}");
                    session.play(&text).unwrap();
                }
            }
        }
    }
}

/// Two chains with many eyes, and nothing between them.
const SETTLED: &str =
    ".X.XO.O.O/XXXXOOOOO/..XXO..O./X.XXO..OO/.XXXOOOO./X.XXO.O.O/.X.XO..OO/XX.XOO.O./.X.XO.O.O b";

/// Where nothing is left to play for a bot passes, whether the other side has passed or not, and
/// plays on
/// where a pass would lose something.
#[test]
fn go_bots_pass_when_nothing_is_lost() {
    for komi in [0, 20] {
        let mut session = catalog::open(&format!("go:9x9,komi={komi}")).unwrap().session();
        for bot in GO_BOTS {
            for seed in 1..4 {
                session.set_position(SETTLED).unwrap();
                assert_eq!(answer(&*session, bot, seed), "pass", "{bot}, komi {komi}");
                session.play("pass").unwrap();
                assert_eq!(answer(&*session, bot, seed), "pass", "{bot} after a pass, komi {komi}");
                // A point between them is left.
                session.set_position(&SETTLED.replacen("..XXO", "..X.O", 1)).unwrap();
                assert_ne!(answer(&*session, bot, seed), "pass", "{bot}, komi {komi}");
            }
        }
    }
}
