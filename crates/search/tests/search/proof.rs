//! Proof-number search finds what minimax finds, whatever the table, and forced wins that lie deep.

use crate::common::{
    Guesses, blackboard, classic, random_game, run, value_of_line, without_symmetry,
};
use evaluation::Blind;
use game::{Game, Notation, Path, Rng, Side, Spec, Value};
use games::mnk::{Lines, Mnk, RunShape, Word, WordBoard};
use games::{chess, go, mnk, reversi};
use play::{Limits, Stop};
use proptest::prelude::*;
use search::{Algorithm, ProofTable, Prover, Proving, Report, SearchRoot, Settings, Techniques};

fn settings() -> Settings {
    Settings { algorithm: Algorithm::ProofNumber, hash_megabytes: 1, ..Settings::exhaustive() }
}

/// A value without how long a win takes: a proof need not be the quickest.
fn roughly(value: Option<Value>) -> Option<i32> {
    value.map(|value| if value.is_decided() { value.signum() } else { value.raw() })
}

fn line_game<W: Word>(text: &str) -> Mnk<RunShape, WordBoard<W>> {
    Mnk::new(&mnk::Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap())
}

mod agreement {
    use super::*;

    /// The value is that of the blackboard, the win takes no longer than announced, the move keeps the
    /// value and so does the line.
    fn check(game: &crate::common::RandomGame, settings: &Settings) -> Result<(), TestCaseError> {
        let start = game.start();
        let side = game.to_move(&start);
        let truth = blackboard(game, &start, &mut Path::new(), None, &|_| 0).seen_by(side);
        let report = run(game, &start, Guesses, settings);
        prop_assert!(report.exact);
        prop_assert_eq!(roughly(report.value), roughly(Some(truth)));
        // No win is quicker than the quickest, no loss slower than the slowest.
        prop_assert!(report.value.unwrap().raw() * truth.signum() <= truth.raw() * truth.signum());
        let Some(best) = report.best else { return Ok(()) };
        let (mut path, mut next) = (Path::new(), start);
        path.push(game.path_key(&start));
        game.make(&mut next, best);
        let value = blackboard(game, &next, &mut path, None, &|_| 0).backed_up().seen_by(side);
        prop_assert_eq!(roughly(Some(value)), roughly(Some(truth)));
        if !game.looks_back {
            let end = value_of_line(game, &start, &report.line, None, &|_| 0);
            prop_assert_eq!(roughly(Some(end)), roughly(Some(truth)));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Any number of moves a turn, stuck positions, margins; with a table and nearly without.
        #[test]
        fn random_games(game in random_game(false)) {
            check(&game, &settings())?;
            check(&game, &Settings { techniques: Techniques::NONE, ..settings() })?;
        }

        #[test]
        fn random_games_that_look_back(game in random_game(true)) {
            check(&game, &settings())?;
            check(&game, &Settings { techniques: Techniques::NONE, ..settings() })?;
        }
    }

    /// Random moves from the start, as long as somebody is left to move.
    fn wander<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> G::Position {
        let mut p = game.start();
        for _ in 0..plies {
            let mut next = p.clone();
            match game.sample(&next, rng) {
                Some(m) if game.margin(&next).is_none() => drop(game.make(&mut next, m)),
                _ => return p,
            }
            p = next;
        }
        p
    }

    fn same<G: Game>(report: &Report<G::Move>, truth: &Report<G::Move>, game: &G, p: &G::Position) {
        assert!(report.exact);
        assert_eq!(roughly(report.value), roughly(truth.value), "{p:?}");
        let end = value_of_line(game, p, &report.line, None, &|_| 0);
        assert_eq!(roughly(Some(end)), roughly(truth.value), "{p:?}");
    }

    #[test]
    fn line_games() {
        let mut rng = Rng::new(7);
        let specs = [
            "mnk:3x3,k=3",
            "mnk:3x4,k=3",
            "mnk:4x4,k=4",
            "mnk:3x3,k=3,p=2,q=1",
            "mnk:2x5,k=3,p=2,q=2",
            "mnk:4x4,k=3,gravity",
            "mnk:4x4,k=3,win=exact",
        ];
        for spec in specs {
            let game = line_game::<u16>(spec);
            let settings = Settings { hash_megabytes: 8, ..settings() };
            for _ in 0..20 {
                let p = wander(&game, 2 + rng.below(6), &mut rng);
                let truth = run(&game, &p, Lines::default(), &Settings::exhaustive());
                let report = run(&game, &p, Lines::default(), &settings);
                same(&report, &truth, &game, &p);
                let techniques = Techniques { table: true, ..Techniques::NONE };
                let bare = Settings { techniques, ..settings };
                same(&run(&game, &p, Blind, &without_symmetry(&bare)), &truth, &game, &p);
            }
        }
    }

    #[test]
    fn reversi_endings_to_the_disc() {
        let size = game::Grid { rows: 6, columns: 6 };
        let parameters = reversi::Parameters::new(size, reversi::Start::Cross).unwrap();
        let game = reversi::Reversi::new(parameters);
        let mut rng = Rng::new(3);
        for _ in 0..40 {
            let p = wander(&game, 24, &mut rng);
            let truth = run(&game, &p, classic(), &without_symmetry(&Settings::exhaustive()));
            let report = run(&game, &p, classic(), &settings());
            same(&report, &truth, &game, &p);
        }
    }

    /// Superko: what a board is worth depends on those before it.
    #[test]
    fn tiny_go() {
        for spec in ["go:1x3", "go:2x2", "go:1x4", "go:1x4,ko=situational"] {
            let parameters = go::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
            let game = go::Go::<u64>::new(parameters);
            let truth = run(&game, &game.start(), Blind, &Settings::exhaustive());
            let report = run(&game, &game.start(), Blind, &settings());
            assert_eq!((report.value, report.exact), (truth.value, true), "{spec}");
        }
    }
}

mod forced_wins {
    use super::*;

    #[test]
    fn chess_mates() {
        let game = chess::Chess::default();
        let mates = [
            // In two.
            "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1",
            "1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1",
            "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1",
            // In three.
            "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
            "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 1",
            "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 1",
            // In four.
            "r5rk/2p1Nppp/3p3P/pp2p1P1/4P3/2qnPQK1/8/R6R w - - 1 1",
        ];
        for fen in mates {
            let p = game.read_position(fen).unwrap();
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let settings = Settings { limits, ..settings() };
            let report = run(&game, &p, chess::ChessEvaluation::default(), &settings);
            assert!(report.exact && report.value.unwrap() > Value::DRAW, "{fen} {report:?}");
            let end = value_of_line(&game, &p, &report.line, None, &|_| 0);
            assert!(end.is_decided() && end > Value::DRAW, "{fen}");
        }
    }

    #[test]
    fn connect_four() {
        let game = line_game::<u64>("mnk:6x7,k=4,gravity");
        let mut rng = Rng::new(11);
        let mut decided = 0;
        for _ in 0..30 {
            let mut p = game.start();
            for _ in 0..22 {
                let m = game.sample(&p, &mut rng).unwrap();
                let undo = game.make(&mut p, m);
                if game.margin(&p).is_some() {
                    game.unmake(&mut p, m, undo);
                    break;
                }
            }
            let truth = run(&game, &p, Lines::default(), &Settings::exhaustive());
            let report = run(&game, &p, Lines::default(), &settings());
            assert!(report.exact);
            assert_eq!(roughly(report.value), roughly(truth.value), "{p:?}");
            decided += usize::from(report.value.unwrap().is_decided());
        }
        assert!(decided > 15);
    }
}

mod provers {
    use super::*;
    use crate::common::{Place, RandomGame};
    use game::{Meaning, Recall, moves_of};

    const PROVING: Proving = Proving {
        symmetry: true,
        bounds: true,
        ranking: true,
        limits: Limits { depth: None, nodes: None, time: None, clock: None },
    };

    /// Whether the margin is at least this, and the nodes it took to find out.
    fn ask(
        table: &mut ProofTable,
        game: &RandomGame,
        position: &Place,
        path: &Path,
        at_least: i32,
    ) -> (Option<bool>, u64) {
        let from = SearchRoot { game, position, path, among: &[] };
        let (stop, mut progress) = (Stop::new(), |_: &_| {});
        let mut prover = Prover::new(table, &from, Guesses, &PROVING, &stop, &mut progress);
        let holds = prover.ask(at_least).holds;
        (holds, prover.nodes())
    }

    /// Two tables that are lent to one prover after the other: one is cleared each time.
    struct Lent {
        kept: ProofTable,
        cleared: ProofTable,
    }

    impl Lent {
        /// Asks about a place and about all that can be reached from it in so many plies. Nothing
        /// found from one root is wrong at another, where the way to a place may be another one;
        /// and a cleared table does what a new one does.
        fn serves_all(
            &mut self,
            game: &RandomGame,
            p: &Place,
            path: &mut Path,
            plies: usize,
        ) -> Result<(), TestCaseError> {
            let value = blackboard(game, p, path, None, &|_| 0);
            let truth = match value.meaning() {
                Meaning::WonIn(_) => 1,
                Meaning::LostIn(_) => -1,
                Meaning::Margin(margin) | Meaning::Score(margin) => margin,
            };
            let limit = game.margin_limit;
            for at_least in [truth, truth + 1].map(|asked| asked.clamp(1 - limit, limit)) {
                let (holds, _) = ask(&mut self.kept, game, p, path, at_least);
                prop_assert_eq!(holds, Some(truth >= at_least));
                self.cleared.clear();
                let again = ask(&mut self.cleared, game, p, path, at_least);
                let new = ask(&mut ProofTable::new(0), game, p, path, at_least);
                prop_assert_eq!(again, new);
            }
            let recall = if game.looks_back { game.recall(p, path) } else { Recall::Fresh };
            let is_over = game.margin(p).is_some() || matches!(recall, Recall::Over(_));
            if is_over || plies == 0 {
                return Ok(());
            }
            for m in moves_of(game, p) {
                if game::allows(game, p, path, m) {
                    let mut next = *p;
                    game.make(&mut next, m);
                    path.push(game.path_key(p));
                    self.serves_all(game, &next, path, plies - 1)?;
                    path.pop();
                }
            }
            Ok(())
        }
    }

    fn one_table_serves_all(game: &RandomGame) -> Result<(), TestCaseError> {
        let game = RandomGame { levels: game.levels.min(6), ..game.clone() };
        let mut lent = Lent { kept: ProofTable::new(1), cleared: ProofTable::new(0) };
        lent.serves_all(&game, &game.start(), &mut Path::new(), 3)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn one_table_for_a_random_game(game in random_game(false)) {
            one_table_serves_all(&game)?;
        }

        #[test]
        fn one_table_for_a_random_game_that_looks_back(game in random_game(true)) {
            one_table_serves_all(&game)?;
        }
    }

    #[test]
    fn questions_about_the_margin() {
        let size = game::Grid { rows: 4, columns: 4 };
        let parameters = reversi::Parameters::new(size, reversi::Start::Cross).unwrap();
        let game = reversi::Reversi::new(parameters);
        let (start, path, stop) = (game.start(), Path::new(), Stop::new());
        let from = SearchRoot { game: &game, position: &start, path: &path, among: &[] };
        let mut progress = |_: &_| {};
        let mut table = ProofTable::new(1);
        let mut prover = Prover::new(&mut table, &from, classic(), &PROVING, &stop, &mut progress);
        // The second player wins by ten.
        for (at_least, holds) in [(1, false), (-9, false), (-10, true), (-11, true)] {
            assert_eq!(prover.ask(at_least).holds, Some(holds), "{at_least}");
        }
        assert_eq!(game.to_move(&start), Side::First);
        assert!(prover.ask(-10).best.is_some());
    }

    /// The keys of line games are mixed as questions are: the empty board and "at least 1" give the
    /// same number as a stone in the corner and "at least 0".
    #[test]
    fn a_question_is_not_taken_for_a_stone() {
        let game = line_game::<u16>("mnk:1x2,k=2");
        let (start, path, stop) = (game.start(), Path::new(), Stop::new());
        let from = SearchRoot { game: &game, position: &start, path: &path, among: &[] };
        let proving = Proving { bounds: false, ranking: false, ..PROVING };
        let (mut table, mut progress) = (ProofTable::new(1), |_: &_| {});
        let mut prover = Prover::new(&mut table, &from, Blind, &proving, &stop, &mut progress);
        assert_eq!(prover.ask(1).holds, Some(false));
        assert_eq!(prover.ask(0).holds, Some(true));
    }

    #[test]
    fn limits_end_it_without_an_answer() {
        let game = reversi::Reversi::default();
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let settings = Settings { limits, ..settings() };
        let report = run(&game, &game.start(), classic(), &settings);
        assert_eq!((report.value, report.exact), (None, false));
        assert!(report.best.is_some() && report.nodes <= 1_001, "{report:?}");
    }
}
