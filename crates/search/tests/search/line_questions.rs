//! Questions about line games get the answer that the classic search gives, however much of the game is not looked at.

use crate::common::{run, without_symmetry};
use game::{Game, Notation, Path, Rng, Side, Spec};
use games::mnk::{
    self, Board, LineBoard, Lines, Mnk, Parameters, RunShape, WindowBoard, WordBoard,
};
use play::Stop;
use search::{Decision, SearchRoot, Settings, Table, decide};

type Words = Mnk<RunShape, WordBoard<u32>>;

fn parameters(spec: &str) -> Parameters {
    Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()
}

/// Any small line game: size, k, p, q, exact or more, gravity, holes.
fn random_spec(rng: &mut Rng) -> String {
    let (rows, columns) = match rng.below(6) {
        0 => [(5, 4), (4, 5), (3, 6), (1, 9)][rng.below(4)],
        _ => (2 + rng.below(3), 2 + rng.below(3)),
    };
    let k = [1, 2, 3, 3, 3, 4, 4, 4, 5][rng.below(9)];
    // Half of them with one stone a turn, of which most can be proved.
    let (p, q) = if rng.below(2) == 0 { (1, 1) } else { (1 + rng.below(3), 1 + rng.below(3)) };
    let mut spec = format!("mnk:{rows}x{columns},k={k},p={p},q={q}");
    if rng.below(4) == 0 {
        spec += ",win=exact";
    }
    if rng.below(3) == 0 {
        spec += ",gravity";
    }
    let mut holes: Vec<String> = Vec::new();
    for _ in 0..rng.below(6).saturating_sub(2) {
        let hole = format!("{}{}", (b'a' + rng.below(columns) as u8) as char, 1 + rng.below(rows));
        if !holes.contains(&hole) && holes.len() + 1 < rows * columns {
            holes.push(hole);
        }
    }
    if !holes.is_empty() {
        spec += &format!(",holes={}", holes.join("+"));
    }
    spec
}

/// So many random moves, or fewer if the game would end.
fn random_position<B: Board>(
    game: &Mnk<RunShape, B>,
    plies: usize,
    rng: &mut Rng,
) -> mnk::Position<B> {
    let mut p = game.start();
    for _ in 0..plies {
        let Some(m) = game.sample(&p, rng) else { break };
        let undo = game.make(&mut p, m);
        if game.margin(&p).is_some() {
            game.unmake(&mut p, m, undo);
        }
    }
    p
}

/// 1, 0 or -1: who wins, by the classic search.
fn truth<B: WindowBoard>(game: &Mnk<RunShape, B>, p: &mnk::Position<B>) -> i32 {
    let settings = Settings { hash_megabytes: 4, ..Settings::exhaustive() };
    let report = run(game, p, Lines::default(), &settings);
    report.value.unwrap().seen_by(game.to_move(p)).signum()
}

fn ask<B: WindowBoard>(
    table: &Table,
    game: &Mnk<RunShape, B>,
    p: &mnk::Position<B>,
    at_least: i32,
    canonical: bool,
) -> Decision<mnk::Stone> {
    let (path, stop, settings) = (Path::new(), Stop::new(), Settings::exhaustive());
    let settings = if canonical { settings } else { without_symmetry(&settings) };
    let from = SearchRoot { game, position: p, path: &path, among: &[] };
    let lines = Lines::default();
    decide(table, &from, at_least, lines, &settings, &stop, &mut |_| {})
}

/// Asks both questions, in either order with a table that others of the same game may have filled, and checks the move
/// that leads to what is hoped for.
fn check<B: WindowBoard>(
    table: &Table,
    game: &Mnk<RunShape, B>,
    p: &mnk::Position<B>,
    order: [i32; 2],
    canonical: bool,
) {
    let margin = truth(game, p);
    for at_least in order {
        let decision = ask(table, game, p, at_least, canonical);
        let at = format!("{} {} at least {at_least}", game.spec(), game.write_position(p));
        assert_eq!(decision.holds, Some(margin >= at_least), "{at}");
        let hopes = (game.to_move(p) == Side::First) == (margin >= at_least);
        assert_eq!(decision.best.is_some(), hopes && game.margin(p).is_none(), "{at}");
        if let Some(best) = decision.best {
            let mut next = p.clone();
            game.make(&mut next, best);
            let kept = game.margin(&next).unwrap_or_else(|| truth(game, &next));
            assert_eq!(kept >= at_least, margin >= at_least, "{at}: {best:?}");
        }
    }
}

#[test]
fn questions_about_small_boards() {
    let mut rng = Rng::new(17);
    for round in 0..2_000 {
        let game: Words = Mnk::new(&parameters(&random_spec(&mut rng)));
        let table = Table::new(1);
        for early in [true, false] {
            let least = if game.slots() > 16 { 5 } else { 0 };
            let most = if early { 4 } else { game.slots() };
            let p = random_position(&game, rng.below(most).max(least), &mut rng);
            check(&table, &game, &p, [[1, 0], [0, 1]][rng.below(2)], round % 2 == 0);
        }
    }
}

/// Where there is room for forks, pairs and follow-up, from positions of which everything can be looked at.
#[test]
fn questions_about_the_rest_of_larger_boards() {
    const KINDS: [&str; 8] =
        ["", "", ",gravity", ",gravity", ",gravity", ",gravity,win=exact", ",win=exact", ",p=2"];
    let mut rng = Rng::new(19);
    for round in 0..500 {
        let (rows, columns) = (3 + rng.below(4), 3 + rng.below(4));
        let k = [3, 4, 4, 4, 5][rng.below(5)];
        let spec = format!("mnk:{rows}x{columns},k={k}{}", KINDS[rng.below(KINDS.len())]);
        let game: Mnk<RunShape, WordBoard<u64>> = Mnk::new(&parameters(&spec));
        let table = Table::new(1);
        for _ in 0..10 {
            let empty = 6 + rng.below(9);
            let p = random_position(&game, game.slots().saturating_sub(empty), &mut rng);
            check(&table, &game, &p, [[1, 0], [0, 1]][rng.below(2)], round % 2 == 0);
        }
    }
}

#[test]
fn questions_about_line_boards() {
    let mut rng = Rng::new(18);
    for round in 0..200 {
        let game: Mnk<RunShape, LineBoard> = Mnk::new(&parameters(&random_spec(&mut rng)));
        let p = random_position(&game, 5 + rng.below(game.slots()), &mut rng);
        check(&Table::new(1), &game, &p, [1, 0], round % 2 == 0);
    }
}

/// Solved games, of which most take no search to speak of.
#[test]
fn questions_about_solved_games() {
    let rows = include_str!("../../../catalog/tests/data/mnk-solved.txt").lines();
    let mut count = 0;
    for row in rows.filter(|row| !row.starts_with('#')) {
        let [spec, value, _] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let game: Mnk<RunShape, WordBoard<u64>> = Mnk::new(&parameters(spec));
        let table = Table::new(64);
        let [wins, draws] = [1, 0].map(|k| ask(&table, &game, &game.start(), k, true).holds);
        let expected = match value {
            "first" => [true, true],
            "draw" => [false, true],
            _ => [false, false],
        };
        assert_eq!([wins, draws], expected.map(Some), "{spec}");
        count += 1;
    }
    assert_eq!(count, 44);
}

#[test]
fn the_second_player_loses_the_strategy_that_is_stolen() {
    let mut rng = Rng::new(20);
    let mut stolen = 0;
    while stolen < 500 {
        let game: Words = Mnk::new(&parameters(&random_spec(&mut rng)));
        let (shape, start) = (game.shape(), game.start());
        let argued = |p: &_, side| game.can_steal(p) && side == Side::Second;
        assert!(!argued(&start, Side::First));
        let is_fair = shape.p == shape.q && !shape.exact && !shape.gravity;
        assert_eq!(argued(&start, Side::Second), is_fair, "{}", game.spec());
        let later = random_position(&game, 1, &mut rng);
        assert!(later == start || !argued(&later, Side::Second));
        if is_fair && game.count(&start) <= 16 {
            assert!(truth(&game, &start) >= 0, "{}", game.spec());
            stolen += 1;
        }
    }
}
