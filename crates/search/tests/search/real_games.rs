//! The four algorithms agree with minimax on line games over the whole parameter space and on
//! Reversi, with every combination of techniques, symmetry included.

use crate::common::{all_settings, blackboard, classic, run, value_of_line};
use evaluation::{Blind, Heuristics};
use game::{Game, Notation, Path, Rng, Spec, Value, moves_of};
use games::mnk::{Lines, Mnk, Parameters, RunShape, WordBoard};
use games::reversi::{self, Reversi};
use play::Limits;
use proptest::prelude::*;
use search::{Algorithm, Settings};

/// Every algorithm and combination against the blackboard, to a depth or to the end.
fn check<G, H>(game: &G, p: &G::Position, heuristics: impl Fn() -> H, depth: Option<u32>)
where
    G: Notation,
    H: Heuristics<G>,
{
    let evaluate = |p: &G::Position| {
        let mut fresh = heuristics();
        fresh.begin(game, p);
        fresh.evaluate(game, p)
    };
    let truth = blackboard(game, p, &mut Path::new(), depth, &evaluate).seen_by(game.to_move(p));
    for settings in all_settings(depth) {
        let report = run(game, p, heuristics(), &settings);
        let at = format!("{} {} {settings:?}", game.spec(), game.write_position(p));
        assert_eq!(report.value, Some(truth), "{at}");
        assert_eq!(
            value_of_line(game, p, &report.line, depth, &evaluate),
            truth,
            "{at} {report:?}"
        );
        assert!(depth.is_some() || report.exact, "{at}");
    }
}

/// Plays random moves until little enough is left that everything can be looked at; where every
/// random game ends before that, the longest unfinished one.
fn late_position<G: Game>(
    game: &G,
    seed: u64,
    is_late: impl Fn(&G::Position) -> bool,
) -> G::Position {
    let (mut latest, mut most) = (game.start(), 0);
    for attempt in 0..100 {
        let mut rng = Rng::new(seed.wrapping_add(attempt));
        let (mut p, mut plies) = (game.start(), 0);
        while let Some(m) = game.sample(&p, &mut rng) {
            game.make(&mut p, m);
            plies += 1;
            if game.margin(&p).is_some() {
                break;
            }
            if plies > most {
                (latest, most) = (p.clone(), plies);
            }
            if is_late(&p) {
                return p;
            }
        }
    }
    latest
}

prop_compose! {
    /// Any small line game: size, k, p, q, exact or more, gravity, holes.
    fn line_game()(
        (rows, columns) in (1usize..5, 1usize..5),
        (k, p, q) in (1usize..5, 1usize..4, 1usize..4),
        exact: bool,
        gravity: bool,
        hole in prop::option::of((0usize..4, 0usize..4)),
    ) -> Parameters {
        let mut text = format!("mnk:{rows}x{columns},k={k},p={p},q={q}");
        text += if exact { ",win=exact" } else { "" };
        text += if gravity { ",gravity" } else { "" };
        if let Some((row, column)) = hole.filter(|&(r, c)| r < rows && c < columns && rows * columns > 1) {
            let name = (b'a' + column as u8) as char;
            text += &format!(",holes={name}{}", row + 1);
        }
        Parameters::from_spec(&Spec::parse(&text).unwrap()).unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn line_games_agree_to_the_end(parameters in line_game(), seed: u64) {
        let game = Mnk::<RunShape, WordBoard<u16>>::new(&parameters);
        let p = late_position(&game, seed, |p| game.count(p) <= 6 && moves_left(&game, p) <= 7);
        check(&game, &p, Lines::default, None);
    }

    #[test]
    fn line_games_agree_to_a_depth(parameters in line_game(), seed: u64, depth in 1u32..4) {
        let game = Mnk::<RunShape, WordBoard<u16>>::new(&parameters);
        let p = late_position(&game, seed, |p| moves_left(&game, p) <= 12);
        check(&game, &p, Lines::default, Some(depth));
    }

    #[test]
    fn reversi_agrees_to_the_end(seed: u64, wide: bool) {
        let size = if wide { game::Grid { rows: 4, columns: 6 } } else { game::Grid { rows: 4, columns: 4 } };
        let game = Reversi::new(reversi::Parameters::new(size, reversi::Start::Cross).unwrap());
        let p = late_position(&game, seed, |p| game.empties(p).count_ones() <= 6);
        check(&game, &p, classic, None);
    }

    #[test]
    fn reversi_agrees_to_a_depth(seed: u64, empties in 4u32..50, depth in 1u32..4) {
        let game = Reversi::default();
        let p = late_position(&game, seed, |p| game.empties(p).count_ones() <= empties);
        check(&game, &p, classic, Some(depth));
    }
}

fn moves_left(
    game: &Mnk<RunShape, WordBoard<u16>>,
    p: &<Mnk<RunShape, WordBoard<u16>> as Game>::Position,
) -> usize {
    game.write_position(p).split(' ').next().unwrap().matches('.').count()
}

/// 12 to 14 empties are too many for minimax, and for alpha-beta without anything: the others agree.
#[test]
fn reversi_endgames_agree_across_algorithms() {
    let game = Reversi::default();
    for empties in 12..=14 {
        for seed in 0..4 {
            let p = late_position(&game, seed, |p| game.empties(p).count_ones() <= empties);
            let values: Vec<Option<Value>> =
                [Algorithm::AlphaBeta, Algorithm::NegaScout, Algorithm::MtdF]
                    .into_iter()
                    .map(|algorithm| {
                        let settings =
                            Settings { algorithm, hash_megabytes: 16, ..Settings::exhaustive() };
                        run(&game, &p, classic(), &settings).value
                    })
                    .collect();
            assert!(
                values.iter().all(|value| *value == values[0] && value.is_some()),
                "{values:?}"
            );
        }
    }
}

/// With empties to the winner the second player wins by 10 (11-3 in discs).
#[test]
fn small_reversi_is_a_win_by_ten_for_the_second_player() {
    let size = game::Grid { rows: 4, columns: 4 };
    let game = Reversi::new(reversi::Parameters::new(size, reversi::Start::Cross).unwrap());
    for settings in all_settings(None)
        .filter(|s| s.algorithm != Algorithm::Minimax || cfg!(not(debug_assertions)))
    {
        let report = run(&game, &game.start(), classic(), &settings);
        assert_eq!(report.value, Some(Value::over(-10, 16)), "{settings:?}");
        let end = report.line.iter().fold(game.start(), |mut p, &m| {
            game.make(&mut p, m);
            p
        });
        let discs =
            [game::Side::First, game::Side::Second].map(|side| end.discs(side).count_ones());
        assert_eq!(discs, [3, 11], "{settings:?}");
    }
}

/// Nothing tried but the size of the tree: 549,946 positions, root included.
#[test]
fn minimax_looks_at_everything() {
    let parameters = Parameters::from_spec(&Spec::parse("mnk:3x3,k=3").unwrap()).unwrap();
    let game = Mnk::<RunShape, WordBoard<u16>>::new(&parameters);
    let settings = Settings {
        algorithm: Algorithm::Minimax,
        limits: Limits::default(),
        ..Settings::default()
    };
    let report = run(&game, &game.start(), Blind, &settings);
    assert_eq!((report.value, report.nodes), (Some(Value::DRAW), 549_946));
    assert_eq!(moves_of(&game, &game.start()).len(), 9);
}
