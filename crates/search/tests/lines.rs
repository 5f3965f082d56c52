//! Line games played well: wins by threats are real, and positions with known answers are found with few
//! nodes.
#![allow(clippy::unwrap_used)]

mod common;

use common::run;
use game::{Game, Heuristics, Meaning, Notation, Rng, Spec, Value, moves_of};
use games::mnk::{Board, Evaluation, Lines, Mnk, Parameters, RunShape, Shape, WordBoard};
use search::{PlainKeys, Settings};

fn parameters(spec: &str) -> Parameters {
    Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()
}

fn players_view() -> Lines {
    Lines::new(Evaluation::Patterns)
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
) -> Option<games::mnk::Position<B>> {
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
    let settings = Settings { hash_megabytes: 1, ..Settings::default() };
    run(game, p, Lines::default(), PlainKeys, &settings).value.unwrap()
}

/// A win by threats is a win, not slower than said, and begins with the move that was named.
#[test]
fn forced_wins_are_wins() {
    let mut rng = Rng::new(5);
    let (mut found, mut positions, mut long) = (0, 0, 0);
    while positions < 6_000 {
        let spec = random_spec(&mut rng);
        let game = Mnk::<RunShape, WordBoard<u32>>::new(&parameters(&spec));
        for _ in 0..10 {
            let empty = 3 + rng.below(9);
            let Some(p) = late_position(&game, empty, &mut rng) else { continue };
            positions += 1;
            let mut lines = players_view();
            lines.begin(&game, &p);
            let mut budget = 2_000;
            let win = Heuristics::<Mnk<_, _>>::forced_win(&mut lines, &game, &p, &mut budget);
            let Some((m, plies)) = win else { continue };
            let at = format!("{spec} {} {m:?} {plies}", game.write_position(&p));
            assert!(moves_of(&game, &p).contains(&m), "{at}");
            let mut next = p.clone();
            game.make(&mut next, m);
            let value = match game.margin(&next) {
                Some(margin) => Value::over(margin, 1),
                None => truth(&game, &next).seen_by(game.to_move(&next)),
            };
            match value.seen_by(game.to_move(&p)).meaning() {
                Meaning::WonIn(n) => assert!(n < plies, "{at}: it takes {n} more"),
                other => panic!("{at}: {other:?}"),
            }
            found += 1;
            long += u32::from(plies as usize > game.stones_left(&p));
        }
    }
    assert!(found > 1_000 && long > 100, "{found} wins, {long} of them later than this turn");
}
