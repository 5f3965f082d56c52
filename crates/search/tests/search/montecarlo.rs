//! Monte-Carlo trees play by the rules, prove what the other searches find, and can be repeated.

use std::time::{Duration, Instant};

use crate::common::{RandomGame, blackboard, classic, run, without_symmetry};
use ::play::{Limits, Stop};
use evaluation::{Blind, Playouts};
use game::{Game, MarginStep, Notation, Path, Recall, Rng, Side, Spec, Value, moves_of};
use games::go::{self, Go, PointSet};
use games::mnk::{ConstShape, LineBoard, Lines, Mnk, Parameters, RunShape, WordBoard};
use games::reversi::{self, Reversi};
use proptest::prelude::*;
use search::{MonteCarlo, MonteCarloTree, Report, SearchRoot, Settings};

type Small = Mnk<RunShape, WordBoard<u16>>;
type Middle = Mnk<RunShape, WordBoard<u64>>;

/// Without and with the statistics of all moves as first.
fn both() -> [MonteCarlo; 2] {
    [None, MonteCarlo::default().rave].map(|rave| MonteCarlo {
        rave,
        memory_megabytes: 64,
        ..Default::default()
    })
}

fn line_game(text: &str) -> Parameters {
    Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap()
}

fn go_game<S: PointSet>(spec: &str) -> Go<S> {
    Go::new(go::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn tree<G: Game>(
    game: &G,
    position: &G::Position,
    settings: &MonteCarlo,
) -> MonteCarloTree<G, Blind> {
    MonteCarloTree::new(
        &SearchRoot { game, position, path: &Path::new(), among: &[] },
        &Blind,
        settings,
    )
}

/// Goes on for so many trials.
fn go_on<G: Game, H: Playouts<G>>(
    tree: &mut MonteCarloTree<G, H>,
    game: &G,
    trials: u64,
) -> Report<G::Move> {
    let limits = Limits { nodes: Some(trials), ..Limits::default() };
    tree.search(game, &limits, &Stop::new(), &mut |_| {})
}

/// Goes on until the value is proved.
fn prove<G: Game>(game: &G, p: &G::Position, settings: &MonteCarlo) -> Report<G::Move> {
    tree(game, p, settings).search(game, &Limits::default(), &Stop::new(), &mut |_| {})
}

/// A value without how long a win takes: a proof need not be the quickest.
fn roughly(value: Option<Value>) -> Option<i32> {
    value.map(|value| if value.is_decided() { value.signum() } else { value.raw() })
}

/// Random moves until a position is late enough.
fn late_position<G: Game>(
    game: &G,
    seed: u64,
    is_late: impl Fn(&G::Position) -> bool,
) -> G::Position {
    let mut rng = Rng::new(seed);
    let mut p = game.start();
    while !is_late(&p) {
        match game.sample(&p, &mut rng) {
            Some(m) if game.margin(&p).is_none() => drop(game.make(&mut p, m)),
            // A game that ended early: another one.
            _ => p = game.start(),
        }
    }
    p
}

mod play {
    use super::*;

    #[test]
    fn a_random_player_never_beats_it_at_tic_tac_toe() {
        let game = Small::new(&line_game("mnk:3x3,k=3"));
        for seed in 0..200 {
            let settings = MonteCarlo { seed, ..both()[seed as usize % 2] };
            let side = [Side::First, Side::Second][seed as usize / 2 % 2];
            let mut rng = Rng::new(seed);
            let mut tree = tree(&game, &game.start(), &settings);
            while game.margin(tree.position()).is_none() {
                let m = if game.to_move(tree.position()) == side {
                    go_on(&mut tree, &game, 1_000).best.unwrap()
                } else {
                    game.sample(tree.position(), &mut rng).unwrap()
                };
                tree.advance(&game, m);
            }
            let margin = game.margin(tree.position()).unwrap();
            assert!(margin * side.sign() >= 0, "seed {seed}");
        }
    }

    #[test]
    fn wins_are_taken_and_threats_are_blocked() {
        let game = Small::new(&line_game("mnk:3x3,k=3"));
        for (moves, expected) in [("a1 b1 a2 b2", "a3"), ("a1 b1 c3 b2", "b3")] {
            let mut p = game.start();
            for text in moves.split(' ') {
                let m = game.read_move(&p, text).unwrap();
                game.make(&mut p, m);
            }
            for settings in both() {
                let best = go_on(&mut tree(&game, &p, &settings), &game, 200).best.unwrap();
                assert_eq!(game.write_move(&p, best), expected);
            }
        }
    }

    /// On d5 Black takes ten stones, or White four: whoever plays there wins.
    #[test]
    fn stones_in_atari_that_decide_are_taken() {
        let game = go_game::<u64>("go:5x5");
        for side in ["b", "w"] {
            let p = game.read_position(&format!(".XO.O/.XOXO/.XOXO/.XOXO/.XOXO {side}")).unwrap();
            for settings in both() {
                let report = go_on(&mut tree(&game, &p, &settings), &game, 3_000);
                assert_eq!(game.write_move(&p, report.best.unwrap()), "D5");
                assert!(report.value.unwrap() > Value::DRAW, "{report:?}");
            }
        }
    }

    /// A tree plays both sides: each move is legal, each game ends.
    #[test]
    fn go_is_played_to_the_end_under_superko() {
        for spec in ["go:3x3", "go:2x3,ko=situational", "go:3x3,ko=basic", "go:5x5"] {
            let game = go_game::<u64>(spec);
            for settings in both() {
                let (mut path, mut plies) = (Path::new(), 0);
                let mut tree = tree(&game, &game.start(), &settings);
                loop {
                    let p = *tree.position();
                    let over = matches!(game.recall(&p, &path), Recall::Over(_));
                    if over || game.margin(&p).is_some() {
                        break;
                    }
                    let best = go_on(&mut tree, &game, 60).best.unwrap();
                    assert!(moves_of(&game, &p).contains(&best));
                    assert!(game::allows(&game, &p, &path, best), "{spec}");
                    path.push(game.path_key(&p));
                    tree.advance(&game, best);
                    plies += 1;
                    assert!(plies < 1_000, "{spec} does not end");
                }
            }
        }
    }
}

mod proofs {
    use super::*;

    /// The end of the line is worth what the report says.
    fn check_line<G: Game>(game: &G, p: &G::Position, report: &Report<G::Move>) {
        let value = crate::common::value_of_line(game, p, &report.line, None, &|_| 0);
        assert_eq!(roughly(Some(value)), roughly(report.value));
    }

    #[test]
    fn tic_tac_toe_is_drawn() {
        let game = Small::new(&line_game("mnk:3x3,k=3"));
        for settings in both() {
            let report = prove(&game, &game.start(), &settings);
            assert_eq!((report.value, report.exact), (Some(Value::DRAW), true));
            check_line(&game, &game.start(), &report);
        }
    }

    #[test]
    fn connect_four_endgames_agree_with_alpha_beta() {
        let game = Middle::new(&line_game("mnk:6x7,k=4,gravity"));
        for seed in 0..30 {
            let empty = |p: &_| {
                let text = game.write_position(p);
                text.split(' ').next().unwrap().matches('.').count()
            };
            let p = late_position(&game, seed, |p| empty(p) <= 12 && game.margin(p).is_none());
            let truth =
                run(&game, &p, Lines::default(), &without_symmetry(&Settings::exhaustive()));
            for settings in both() {
                let report = prove(&game, &p, &settings);
                assert!(report.exact);
                assert_eq!(roughly(report.value), roughly(truth.value), "seed {seed}");
                check_line(&game, &p, &report);
            }
        }
    }

    #[test]
    fn reversi_endings_agree_with_alpha_beta_to_the_disc() {
        let size = game::Grid { rows: 6, columns: 6 };
        let game = Reversi::new(reversi::Parameters::new(size, reversi::Start::Cross).unwrap());
        for seed in 0..30 {
            let p = late_position(&game, seed, |p| {
                game.empties(p).count_ones() <= 7 && game.margin(p).is_none()
            });
            let truth = run(&game, &p, classic(), &without_symmetry(&Settings::exhaustive()));
            for settings in both() {
                let report = prove(&game, &p, &settings);
                assert_eq!((report.value, report.exact), (truth.value, true), "seed {seed}");
                check_line(&game, &p, &report);
            }
        }
    }

    #[test]
    fn several_stones_a_turn() {
        for spec in ["mnk:3x3,k=3,p=2,q=1", "mnk:3x3,k=3,p=2,q=2", "mnk:2x4,k=3,p=3,q=2"] {
            let game = Small::new(&line_game(spec));
            let truth =
                run(&game, &game.start(), Blind, &without_symmetry(&Settings::exhaustive()));
            for settings in both() {
                let report = prove(&game, &game.start(), &settings);
                assert!(report.exact);
                assert_eq!(roughly(report.value), roughly(truth.value), "{spec}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        /// Any number of moves a turn, stuck positions, rules that look back, margins.
        #[test]
        fn random_games_agree_with_minimax(
            (seed, levels, width, branching) in (any::<u64>(), 1u8..8, 1u64..9, 1u64..5),
            limit in prop_oneof![Just(1), Just(20)],
            looks_back: bool,
        ) {
            let hopeless = [u8::MAX; 2];
            let (margin_limit, margin_step) = (limit, MarginStep::ONE);
            let game = RandomGame {
                seed,
                levels,
                width,
                branching,
                margin_limit,
                margin_step,
                looks_back,
                hopeless,
            };
            let start = game.start();
            let truth = blackboard(&game, &start, &mut Path::new(), None, &|_| 0);
            let truth = truth.seen_by(game.to_move(&start));
            for settings in both() {
                for expand_after in [0, 1, 5] {
                    let settings = MonteCarlo { expand_after, ..settings };
                    let report = prove(&game, &start, &settings);
                    prop_assert!(report.exact);
                    prop_assert_eq!(roughly(report.value), roughly(Some(truth)));
                    let Some(best) = report.best else { continue };
                    // The move keeps the value.
                    let mut path = Path::new();
                    path.push(game.path_key(&start));
                    let mut next = start;
                    game.make(&mut next, best);
                    let value = blackboard(&game, &next, &mut path, None, &|_| 0);
                    let value = value.backed_up().seen_by(game.to_move(&start));
                    prop_assert_eq!(roughly(Some(value)), roughly(Some(truth)));
                }
            }
        }
    }
}

mod trees {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_every_time() {
        let game = Reversi::default();
        for settings in both() {
            let report = || go_on(&mut tree(&game, &game.start(), &settings), &game, 3_000);
            assert_eq!(report(), report());
        }
    }

    #[test]
    fn threads_divide_the_work() {
        let game = Reversi::default();
        let settings = MonteCarlo { threads: 2, ..both()[1] };
        let report = || {
            let mut tree = tree(&game, &game.start(), &settings);
            let report = go_on(&mut tree, &game, 3_001);
            assert_eq!((report.nodes, tree.trials()), (3_001, 3_001));
            let tried: u32 = tree.moves(&game).iter().map(|known| known.trials).sum();
            assert!(tried <= 3_001);
            report
        };
        assert_eq!(report(), report());
    }

    #[test]
    fn threads_prove_what_one_proves_and_follow_the_game() {
        let game = Small::new(&line_game("mnk:3x3,k=3"));
        for threads in [2, 3] {
            let settings = MonteCarlo { threads, ..both()[1] };
            let mut tree = tree(&game, &game.start(), &settings);
            while game.margin(tree.position()).is_none() {
                let report = tree.search(&game, &Limits::default(), &Stop::new(), &mut |_| {});
                assert_eq!((report.value, report.exact), (Some(Value::DRAW), true));
                tree.advance(&game, report.best.unwrap());
            }
            assert_eq!(game.margin(tree.position()), Some(0));
        }
    }

    /// What is no longer needed makes room for what is.
    #[test]
    fn a_full_tree_grows_again_after_a_move() {
        let game = Reversi::default();
        for threads in [1, 2] {
            let settings = MonteCarlo { memory_megabytes: 1, threads, ..both()[1] };
            let mut tree = tree(&game, &game.start(), &settings);
            let report = tree.search(&game, &Limits::default(), &Stop::new(), &mut |_| {});
            let full = tree.nodes();
            tree.advance(&game, report.best.unwrap());
            let kept = tree.nodes();
            assert!(kept < full);
            tree.search(&game, &Limits::default(), &Stop::new(), &mut |_| {});
            assert!(tree.nodes() > kept && tree.nodes() > full / 2, "{} of {full}", tree.nodes());
        }
    }

    #[test]
    fn interrupted_it_finds_the_same() {
        let game = Reversi::default();
        let settings = both()[0];
        let (mut once, mut twice) =
            (tree(&game, &game.start(), &settings), tree(&game, &game.start(), &settings));
        let at_once = go_on(&mut once, &game, 2_000);
        go_on(&mut twice, &game, 700);
        let in_two = go_on(&mut twice, &game, 1_300);
        assert_eq!((at_once.value, at_once.line), (in_two.value, in_two.line));
    }

    #[test]
    fn memory_is_not_exceeded() {
        let game = Reversi::default();
        for settings in both() {
            let settings = MonteCarlo { memory_megabytes: 1, ..settings };
            let mut tree = tree(&game, &game.start(), &settings);
            // Without limits the search ends when the memory does.
            let report = tree.search(&game, &Limits::default(), &Stop::new(), &mut |_| {});
            assert!(!report.exact && report.best.is_some());
            // A node takes at least 32 bytes.
            assert!((1_000..=(1 << 20) / 32).contains(&tree.nodes()), "{}", tree.nodes());
            let full = tree.nodes();
            go_on(&mut tree, &game, 1_000);
            assert_eq!(tree.nodes(), full);
            let none = MonteCarlo { memory_megabytes: 0, ..settings };
            let report = go_on(&mut self::tree(&game, &game.start(), &none), &game, 10);
            assert!(report.best.is_some() && report.value.is_some());
        }
    }

    #[test]
    fn it_stops_when_told() {
        let game = Reversi::default();
        let stop = Stop::new();
        let mut tree = tree(&game, &game.start(), &both()[0]);
        let mut reports = 0;
        let report = tree.search(&game, &Limits::default(), &stop, &mut |now| {
            assert!(now.best.is_some() && now.root_moves == (0, 4));
            reports += 1;
            if reports == 2 {
                stop.stop();
            }
        });
        assert_eq!(reports, 2);
        assert_eq!(report.nodes, u64::from(tree.trials()));
        let report = tree.search(&game, &Limits::default(), &stop, &mut |_| {});
        assert_eq!(report.nodes, 0);
        // A tree that knows nothing still has a move.
        let mut fresh = self::tree(&game, &game.start(), &both()[0]);
        let report = fresh.search(&game, &Limits::default(), &stop, &mut |_| {});
        assert_eq!((report.value, report.nodes), (None, 0));
        assert!(report.best.is_some());
    }

    #[test]
    fn time_runs_out() {
        let game = Reversi::default();
        let limits = Limits { time: Some(Duration::from_millis(5)), ..Limits::default() };
        let mut tree = tree(&game, &game.start(), &both()[1]);
        let report = tree.search(&game, &limits, &Stop::new(), &mut |_| {});
        assert!(report.best.is_some() && !report.exact);
    }

    #[test]
    fn a_game_that_is_over_needs_no_trial() {
        let game = Small::new(&line_game("mnk:3x3,k=3"));
        let mut rng = Rng::new(3);
        let mut p = game.start();
        let margin = game.playout(&mut p, &mut Path::new(), &mut rng);
        let report = prove(&game, &p, &both()[0]);
        let value = Value::over(margin, 1).seen_by(game.to_move(&p));
        assert_eq!((report.value, report.exact), (Some(value), true));
        assert_eq!((report.best, report.nodes), (None, 0));
    }

    #[test]
    fn advancing_keeps_what_was_known() {
        let game = Reversi::default();
        for settings in both() {
            let mut tree = tree(&game, &game.start(), &settings);
            let line = go_on(&mut tree, &game, 20_000).line;
            assert!(line.len() >= 3);
            for (i, &m) in line.iter().take(3).enumerate() {
                let nodes = tree.nodes();
                let known = tree.moves(&game).into_iter().find(|known| known.m == m).unwrap();
                tree.advance(&game, m);
                assert_eq!(tree.trials(), known.trials);
                assert!(tree.nodes() < nodes && tree.nodes() > 1);
                let below: u32 = tree.moves(&game).iter().map(|known| known.trials).sum();
                // Trials before the node had children went no deeper.
                assert_eq!(below + settings.expand_after, known.trials);
                let report = go_on(&mut tree, &game, 0);
                assert_eq!(report.line, line[i + 1..]);
                let best = tree
                    .moves(&game)
                    .into_iter()
                    .find(|known| Some(known.m) == report.best)
                    .unwrap();
                let score = Value::score((best.mean * 1000.0).round() as i32);
                assert_eq!(report.value, Some(score));
            }
        }
    }

    #[test]
    fn advancing_into_the_unknown_begins_anew() {
        let game = Reversi::default();
        let mut tree = tree(&game, &game.start(), &both()[0]);
        let m = moves_of(&game, &game.start())[0];
        tree.advance(&game, m);
        assert_eq!((tree.trials(), tree.nodes()), (0, 1));
        assert!(go_on(&mut tree, &game, 100).best.is_some());
    }
}

/// What the tree costs beside the playouts alone. Not a test: docs/benchmarks.md tells how to run it.
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn speed() {
    type Gomoku = ConstShape<15, 15, 5, 1, 1, false, false>;
    type Connect4 = ConstShape<6, 7, 4, 1, 1, false, true>;
    fn measure<G: Game>(name: &str, game: &G) {
        const TRIALS: u64 = 50_000;
        let per_second = |trial: &mut dyn FnMut()| {
            let begin = Instant::now();
            trial();
            TRIALS as f64 / begin.elapsed().as_secs_f64()
        };
        let (mut rng, mut path, start) = (Rng::new(1), Path::new(), game.start());
        let bare = per_second(&mut || {
            for _ in 0..TRIALS {
                path.clear();
                game.playout(&mut start.clone(), &mut path, &mut rng);
            }
        });
        let [uct, rave] = both().map(|settings| {
            let mut tree = tree(game, &start, &settings);
            per_second(&mut || drop(go_on(&mut tree, game, TRIALS)))
        });
        println!("{name:<10} {bare:>9.0} playouts/s, in a tree {uct:>9.0}, with RAVE {rave:>9.0}");
    }
    measure("go 7x7", &go_game::<u64>("go:7x7"));
    measure("go 9x9", &go_game::<u128>("go:9x9"));
    measure("connect4", &Mnk::<_, WordBoard<u64>>::from_shape(Connect4 {}));
    measure("gomoku", &Mnk::<_, LineBoard>::from_shape(Gomoku {}));
}

/// Who is to choose among some moves chooses one of them, and looks at all again when the game goes
/// on.
#[test]
fn some_moves_of_the_root() {
    let game = Small::new(&line_game("mnk:4x4,k=4"));
    let start = game.start();
    let all = moves_of(&game, &start);
    let among = &all[3..5];
    let from = SearchRoot { game: &game, position: &start, path: &Path::new(), among };
    let mut tree = MonteCarloTree::new(&from, &Blind, &MonteCarlo::default());
    let report = go_on(&mut tree, &game, 200);
    assert!(among.contains(&report.best.unwrap()), "{report:?}");
    assert_eq!((tree.moves(&game).len(), tree.among()), (2, among));
    tree.advance(&game, all[0]);
    go_on(&mut tree, &game, 200);
    assert_eq!((tree.moves(&game).len(), tree.among()), (all.len() - 1, &[][..]));
}
