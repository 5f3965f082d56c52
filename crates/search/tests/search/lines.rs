//! Line games played well: wins by threats are real, and positions with known answers are found with few
//! nodes.

use crate::common::{run, without_symmetry};
use evaluation::{Evaluation, Heuristics, Proofs};
use game::{Game, Meaning, Notation, Rng, Spec, Square, Value, moves_of};
use games::mnk::{
    self, Board, LineBoard, LineEvaluation, Lines, Mnk, Parameters, RunShape, Shape, WindowBoard,
    WordBoard,
};
use play::Limits;
use search::{Algorithm, Settings};

fn parameters(spec: &str) -> Parameters {
    Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()
}

fn players_view() -> Lines {
    Lines::new(LineEvaluation::Patterns)
}

/// Any small line game: size, k, p, q, exact or more, gravity, a hole.
fn random_spec(rng: &mut Rng) -> String {
    let (rows, columns) = (2 + rng.below(4), 2 + rng.below(4));
    let (k, p, q) = (2 + rng.below(3), 1 + rng.below(3), 1 + rng.below(3));
    let mut spec = format!("mnk:{rows}x{columns},k={k},p={p},q={q}");
    if rng.below(3) == 0 {
        spec += ",win=exact";
    }
    if rng.below(3) == 0 {
        spec += ",gravity";
    }
    if rng.below(3) == 0 {
        let (row, column) = (1 + rng.below(rows), (b'a' + rng.below(columns) as u8) as char);
        spec += &format!(",holes={column}{row}");
    }
    spec
}

/// Random moves until so few squares are empty that everything can be looked at; `None` if the game ends
/// before.
fn late_position<B: Board>(
    game: &Mnk<RunShape, B>,
    empty: usize,
    rng: &mut Rng,
) -> Option<mnk::Position<B>> {
    let mut p = game.start();
    let (grid, holes) = (game.shape().grid(), game.parameters().holes().len());
    let stones = |p: &_| grid.iter().filter(|&square| game.stone(p, square).is_some()).count();
    while grid.squares() - holes - stones(&p) > empty {
        let m = game.sample(&p, rng)?;
        game.make(&mut p, m);
        if game.margin(&p).is_some() {
            return None;
        }
    }
    Some(p)
}

/// The value to the end of the game by the classic search, for the side to move.
fn truth<G: Game>(game: &G, p: &G::Position) -> Value
where
    Lines: Heuristics<G>,
{
    let settings = Settings { hash_megabytes: 1, ..Settings::exhaustive() };
    run(game, p, Lines::default(), &without_symmetry(&settings)).value.unwrap()
}

/// Looks for a win by threats and, if there is one, checks that it is a win, not slower than said, that
/// begins with the move that was named. How many plies it takes.
fn checked_win(
    game: &Mnk<RunShape, WordBoard<u32>>,
    p: &mnk::Position<WordBoard<u32>>,
) -> Option<u32> {
    let mut lines = players_view();
    lines.begin(game, p);
    let (m, plies) = lines.forced_win(game, p, &mut 5_000)?;
    let at = format!("{} {} {m:?} {plies}", game.spec(), game.write_position(p));
    assert!(moves_of(game, p).contains(&m), "{at}");
    let mut next = p.clone();
    game.make(&mut next, m);
    let value = match game.margin(&next) {
        Some(margin) => Value::over(margin, 1),
        None => truth(game, &next).seen_by(game.to_move(&next)),
    };
    match value.seen_by(game.to_move(p)).meaning() {
        Meaning::WonIn(n) => assert!(n < plies, "{at}: it takes {n} more"),
        other => panic!("{at}: {other:?}"),
    }
    Some(plies)
}

#[test]
fn forced_wins_are_wins() {
    let mut rng = Rng::new(5);
    let (mut found, mut positions, mut long) = (0, 0, 0);
    while positions < 10_000 {
        let game = Mnk::new(&parameters(&random_spec(&mut rng)));
        for _ in 0..10 {
            let empty = 3 + rng.below(9);
            let Some(p) = late_position(&game, empty, &mut rng) else { continue };
            positions += 1;
            if let Some(plies) = checked_win(&game, &p) {
                found += 1;
                long += u32::from(plies as usize > game.stones_left(&p));
            }
        }
    }
    assert!(found > 1_000 && long > 100, "{found} wins, {long} of them later than this turn");
}

/// The same where there is room for threats that are not answered by one square.
#[test]
fn quiet_wins_are_wins() {
    let mut rng = Rng::new(6);
    let (mut positions, mut long) = (0, 0);
    while positions < 2_000 {
        let (rows, columns) = (4 + rng.below(2), 5 + rng.below(2));
        let (k, win) = (3 + rng.below(2), ["more", "exact"][rng.below(2)]);
        let game = Mnk::new(&parameters(&format!("mnk:{rows}x{columns},k={k},win={win}")));
        let empty = rows * columns - 6 - rng.below(12);
        let Some(p) = late_position(&game, empty.min(16), &mut rng) else { continue };
        positions += 1;
        long += u32::from(checked_win(&game, &p).is_some_and(|plies| plies >= 5));
    }
    assert!(long > 100, "{long} wins that take three turns or more");
}

/// The same with two stones a turn, where every turn of the attacker threatens twice.
#[test]
fn wins_by_double_threats_are_wins() {
    let mut rng = Rng::new(7);
    let (mut positions, mut long) = (0, 0);
    while positions < 20_000 {
        let (rows, columns, k) = (4 + rng.below(2), 5 + rng.below(2), 4 + rng.below(2));
        let game = Mnk::new(&parameters(&format!("mnk:{rows}x{columns},k={k},p=2")));
        let Some(p) = late_position(&game, 8 + rng.below(6), &mut rng) else { continue };
        positions += 1;
        long += u32::from(checked_win(&game, &p).is_some_and(|plies| plies >= 5));
    }
    assert!(long > 200, "{long} wins that take more than a turn");
}

/// What the playing search must say of a position.
#[derive(Clone, Copy, Debug)]
enum Verdict {
    /// Won in so many plies at most, by a proof.
    Won(u32),
    /// Neither side is known to win.
    Open,
    /// Lost in so many plies.
    Lost(u32),
}

/// A position with known answers.
struct Known {
    spec: &'static str,
    /// Squares of both sides.
    stones: [&'static str; 2],
    /// Any of these is right; empty where there are too many to list.
    answers: &'static str,
    verdict: Verdict,
    nodes: u64,
}

fn check_known<B: WindowBoard>(known: &Known) {
    let game = Mnk::<RunShape, B>::new(&parameters(known.spec));
    let grid = game.shape().grid();
    let glyph = |row, column| {
        let name = grid.name(Square { row, column });
        let has = |stones: &str| stones.split(' ').any(|stone| stone == name);
        match known.stones.map(has) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        }
    };
    let rows: Vec<String> = (0..grid.rows)
        .rev()
        .map(|row| (0..grid.columns).map(|column| glyph(row, column)).collect())
        .collect();
    let p = game.read_position(&rows.join("/")).unwrap();
    let limits = Limits { nodes: Some(known.nodes), ..Limits::default() };
    let settings = Settings {
        algorithm: Algorithm::Playing,
        limits,
        hash_megabytes: 1,
        ..Settings::default()
    };
    let report = run(&game, &p, players_view(), &settings);
    let best = game.write_move(&p, report.best.unwrap());
    let at = format!("{} {:?}: {best} {:?}", known.spec, known.stones, report.value);
    let right = |answer: &str| answer.is_empty() || answer == best;
    assert!(known.answers.split(' ').any(right), "{at}");
    match (known.verdict, report.value.unwrap().meaning()) {
        (Verdict::Won(most), Meaning::WonIn(plies)) => assert!(plies <= most, "{at}"),
        (Verdict::Lost(plies), Meaning::LostIn(found)) => assert_eq!(plies, found, "{at}"),
        (Verdict::Open, Meaning::Score(score)) => assert!(score.abs() < 1_000_000, "{at}"),
        _ => panic!("{at}, not {:?}", known.verdict),
    }
}

const GOMOKU: &str = "mnk:15x15,k=5";

#[test]
fn gomoku_positions() {
    use Verdict::{Lost, Open, Won};
    let known =
        |stones, answers, verdict, nodes| Known { spec: GOMOKU, stones, answers, verdict, nodes };
    for position in [
        // Three in a row become four with two ends.
        known(["f8 g8 h8", "f7 g9 a1"], "e8 i8", Won(3), 100),
        // The same with a gap.
        known(["e8 f8 h8", "a1 o1 a15"], "g8", Won(3), 100),
        // Two fours at once, each with one end only.
        known(["e8 f8 g8 h5 h6 h7", "d8 h4 a1 c13 m2 n12"], "h8", Won(3), 100),
        // A four that makes a three on the way.
        known(["e8 f8 g8 h6 h7", "d8 a1 c13 m2 n12"], "h8", Won(5), 500),
        // Two threes at once.
        known(["f8 g8 h9 h10", "a1 c13 m2 n12"], "h8", Won(7), 5_000),
        // Fours with a gap: the two stones in the middle of two broken lines.
        known(["c3 d4 f6 f3 f4 f7", "b2 f2 a9 m2 n12 k15"], "e5 f5", Won(5), 1_000),
        // One square stops a four.
        known(["c4 j12 l3 b14", "d4 e4 f4 g4"], "h4", Open, 20_000),
        // An open three must be stopped, from nearby.
        known(["a1 o1 a15", "g8 h8 i8"], "e8 f8 j8 k8", Open, 50_000),
        // So must a broken one.
        known(["a1 o1 a15", "g8 h8 j8"], "f8 i8 k8", Open, 50_000),
        // Nothing stops a four with two ends.
        known(["a1 o1 a15 o15", "f8 g8 h8 i8"], "e8 j8", Lost(2), 1_000),
        // To win comes before to defend.
        known(["b2 b3 b4 b5", "f8 g8 h8 i8"], "b1 b6", Won(1), 10),
        // Stopping a four with a stone that makes one.
        known(["b8 g5 g6 g7 a1 k2", "c8 d8 e8 f8 m15 n1"], "g8", Won(3), 100),
    ] {
        check_known::<LineBoard>(&position);
    }
}

/// Six stones in a row are five and win, unless only five do.
#[test]
fn an_overline_wins_or_not() {
    let stones = ["c8 d8 e8 g8 h8", "c7 d7 g7 h7 e1"];
    let more = Known { spec: GOMOKU, stones, answers: "f8", verdict: Verdict::Won(1), nodes: 10 };
    check_known::<LineBoard>(&more);
    let exact = Mnk::<RunShape, LineBoard>::new(&parameters("mnk:15x15,k=5,win=exact"));
    let mut p = exact.start();
    for name in "c8 c7 d8 d7 e8 e1 g8 g7 h8 h7".split(' ') {
        let m = exact.read_move(&p, name).unwrap();
        exact.make(&mut p, m);
    }
    let mut lines = players_view();
    lines.begin(&exact, &p);
    let win = Proofs::<Mnk<_, LineBoard>>::forced_win(&mut lines, &exact, &p, &mut 1);
    assert_eq!(win, None);
}

#[test]
fn connect6_positions() {
    use Verdict::{Open, Won};
    let spec = "mnk:19x19,k=6,p=2";
    let known = |stones, answers, verdict, nodes| Known { spec, stones, answers, verdict, nodes };
    for position in [
        // Four in a row are six in one turn.
        known(["f10 g10 h10 i10 a1", "f9 g9 h9 a19 c3 s2"], "d10 e10 j10 k10", Won(2), 10),
        // Two lines of three become two of four or more, which four stones would have to stop.
        known(["f10 g10 h10 j6 j7 j8 a1", "a5 a9 a13 s3 s9 s15 k19 m19"], "", Won(6), 2_000),
        // Four in a row are stopped on both sides.
        known(["j2 q3 c16", "f10 g10 h10 i10"], "d10 e10 j10 k10", Open, 5_000),
    ] {
        check_known::<LineBoard>(&position);
    }
}

#[test]
fn small_boards() {
    use Verdict::{Lost, Open, Won};
    let known =
        |spec, stones, answers, verdict, nodes| Known { spec, stones, answers, verdict, nodes };
    let four = "mnk:6x7,k=4,gravity";
    let three = "mnk:3x3,k=3";
    for position in [
        // Three with two ends on the ground.
        known(four, ["c1 d1", "c2 d2"], "b1 e1", Won(3), 100),
        // Which must be prevented.
        known(four, ["c1 d1", "d2"], "b1 e1", Open, 20_000),
        // One column saves.
        known(four, ["d1 d2 d3", "e1 e2"], "d4", Open, 20_000),
        // Who has lost takes one of both.
        known(four, ["c1 d1 e1", "c2 d2"], "b1 f1", Lost(2), 100),
        // The opposite corner is taken: only an edge draws.
        known(three, ["a1 c3", "b2"], "a2 b1 b3 c2", Open, 10_000),
        // Two lines at once.
        known(three, ["a1 c3", "b2 a3"], "c1", Won(3), 100),
    ] {
        check_known::<WordBoard<u64>>(&position);
    }
}
