//! Solving finds what minimax finds: any question, method, number of threads and size of a unit, in one go or with a
//! store that is closed and opened again.

use evaluation::Proofs;
use game::{Game, Notation, Path, Rng, Spec, WinningSets};
use games::mnk::{Lines, Mnk, RunShape, WordBoard};
use games::{go, mnk, reversi};
use play::Stop;
use search::Table;
use solve::message::SolverVersion;
use solve::{Bounds, Goal, LocalStore, Method, Options, Problem, Solution, SqliteStore, solve};

fn line_game(text: &str) -> Mnk<RunShape, WordBoard<u32>> {
    Mnk::new(&mnk::Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap())
}

fn options(question: Goal) -> Options {
    Options {
        question,
        method: Method::AlphaBeta,
        slice: None,
        threads: 1,
        hash_megabytes: 4,
        nodes: None,
        memory: 64 << 20,
        repeatable: false,
    }
}

fn run<G: Notation + WinningSets + Clone, H: Proofs<G> + Sync>(
    game: &G,
    heuristics: &H,
    options: &Options,
    store: Option<&mut SqliteStore>,
) -> Solution {
    run_from(game, &game.start(), heuristics, options, store)
}

/// What is asked about a position without a past.
pub(crate) fn problem<G: Notation + Clone, H: Clone>(
    game: &G,
    start: &G::Position,
    heuristics: &H,
) -> Problem<G, H> {
    let (game, start, heuristics) = (game.clone(), start.clone(), heuristics.clone());
    Problem { game, start, path: Path::new(), heuristics, solver: SolverVersion(1) }
}

fn run_from<G: Notation + WinningSets + Clone, H: Proofs<G> + Sync>(
    game: &G,
    start: &G::Position,
    heuristics: &H,
    options: &Options,
    store: Option<&mut SqliteStore>,
) -> Solution {
    let problem = problem(game, start, heuristics);
    let table = Table::new(options.hash_megabytes);
    let store = store.map(|store| store as &mut dyn LocalStore);
    solve(&problem, options, &table, store, &Stop::new(), &mut |_| {}).unwrap()
}

const LINE_GAMES: [(&str, i32); 8] = [
    ("mnk:2x2,k=2", 1),
    ("mnk:3x3,k=3", 0),
    ("mnk:3x4,k=3", 1),
    ("mnk:3x3,k=3,win=exact", 0),
    ("mnk:3x3,k=3,p=1,q=2", 1),
    ("mnk:4x4,k=4,p=2,q=2", 0),
    ("mnk:4x4,k=4,gravity", 0),
    ("mnk:3x4,k=3,gravity", 1),
];

#[test]
fn line_games_by_all_methods() {
    for (text, value) in LINE_GAMES {
        let game = line_game(text);
        for method in Method::ALL {
            // Best first keeps every position, and proof numbers say little about draws.
            if method == Method::BestFirst && text.contains("4x4") {
                continue;
            }
            for (threads, slice) in [(1, None), (1, Some(100)), (2, Some(1_000))] {
                // It knows no units, so that one look at a large game is enough.
                if method == Method::Retrograde && text.contains("4x4") && threads == 1 {
                    continue;
                }
                // All positions have to fit.
                let hash_megabytes = if method == Method::Retrograde { 256 } else { 4 };
                let options =
                    Options { method, threads, slice, hash_megabytes, ..options(Goal::Value) };
                let solution = run(&game, &Lines::default(), &options, None);
                let exact = Bounds { lower: value, upper: value };
                assert_eq!((solution.bounds, solution.proved), (exact, true), "{text} {method}");
            }
        }
    }
}

/// The start itself never takes the same number of nodes as it is cut up, but it does every time it is cut up alike.
#[test]
fn one_thread_repeats_itself() {
    let game = line_game("mnk:4x4,k=4");
    let nodes = |slice| {
        let options = Options { slice, ..options(Goal::Value) };
        run(&game, &Lines::default(), &options, None).spent.nodes
    };
    assert_eq!(nodes(None), nodes(None));
    assert_eq!(nodes(Some(500)), nodes(Some(500)));
}

#[test]
fn margins_by_questions() {
    let game = reversi::Reversi::new(
        reversi::Parameters::from_spec(&Spec::parse("reversi:4x4").unwrap()).unwrap(),
    );
    let heuristics = reversi::ReversiEvaluation::default();
    let value = run(&game, &heuristics, &options(Goal::Value), None);
    let margin = value.bounds.exact().unwrap();
    for (question, slice) in [
        (Goal::Outcome, None),
        (Goal::AtLeast(margin), Some(64)),
        (Goal::AtLeast(margin + 1), Some(64)),
        (Goal::Value, Some(64)),
    ] {
        let options = Options { slice, ..options(question) };
        let solution = run(&game, &heuristics, &options, None);
        let Bounds { lower, upper } = solution.bounds;
        assert!(solution.proved && lower <= margin && margin <= upper, "{question}");
    }
    // 11 to 3, and two empty squares to the winner.
    assert_eq!(margin, -10);
}

/// Pieces go on where the search would have gone on: to cut a question up costs little, and a store that is closed after every few pieces leads
/// to the same answer.
#[test]
fn small_pieces_cost_little() {
    let spec = Spec::parse("reversi:6x6").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let heuristics = reversi::ReversiEvaluation::default();
    let (mut start, mut rng) = (game.start(), Rng::new(6));
    while game.empties(&start).count_ones() > 20 {
        let m = game.sample(&start, &mut rng).unwrap();
        game.make(&mut start, m);
    }
    let run = |options: &Options, store: Option<&mut SqliteStore>| {
        run_from(&game, &start, &heuristics, options, store)
    };
    let whole = run(&options(Goal::Value), None);
    let cut = Options { slice: Some(whole.spent.nodes / 50), ..options(Goal::Value) };
    let pieces = run(&cut, None);
    assert_eq!((whole.proved, pieces.bounds), (true, whole.bounds));
    assert!(pieces.tree.len() > 10, "{}", pieces.tree.len());
    let nodes = [&whole, &pieces].map(|solution| solution.spent.nodes);
    assert!(nodes[1] < 2 * nodes[0], "{nodes:?}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let hurried = Options { nodes: Some(whole.spent.nodes / 4), ..cut };
    let problem = problem(&game, &start, &heuristics);
    let last = (0..50).find_map(|session| {
        let mut store = SqliteStore::open(&file, session > 0, &problem, Method::AlphaBeta).unwrap();
        let solution = run(&hurried, Some(&mut store));
        solution.proved.then_some((session, solution.bounds))
    });
    let (sessions, bounds) = last.unwrap();
    assert!(sessions > 2, "{sessions}");
    assert_eq!(bounds, whole.bounds);
}

/// SolverRules that look back: places are named by the moves that led there.
#[test]
fn superko_is_heeded() {
    let spec = Spec::parse("go:2x2").unwrap();
    let game = go::Go::<u64>::new(go::Parameters::from_spec(&spec).unwrap());
    for slice in [None, Some(50)] {
        let options = Options { slice, ..options(Goal::Value) };
        let solution = run(&game, &evaluation::Blind, &options, None);
        assert_eq!(solution.bounds.exact(), Some(game.margin_scale()), "{slice:?}");
    }
}

#[test]
fn a_store_goes_on_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let game = line_game("mnk:4x5,k=4,gravity");
    let problem = problem(&game, &game.start(), &Lines::default());
    let small = Options { slice: Some(2_000), nodes: Some(4_000), ..options(Goal::Value) };
    let mut sessions = 0;
    let mut known = Bounds { lower: -1, upper: 1 };
    loop {
        let mut store =
            SqliteStore::open(&file, sessions > 0, &problem, Method::AlphaBeta).unwrap();
        let solution = run(&game, &Lines::default(), &small, Some(&mut store));
        assert!(solution.bounds.lower >= known.lower && solution.bounds.upper <= known.upper);
        known = solution.bounds;
        sessions += 1;
        if solution.proved {
            break;
        }
    }
    assert!(sessions > 3, "{sessions}");
    assert_eq!(known, Bounds { lower: 0, upper: 0 });
}

#[test]
fn a_wrong_store_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let games = ["mnk:3x3,k=3", "mnk:3x4,k=3"].map(line_game);
    let problem = |n: usize| problem(&games[n], &games[n].start(), &Lines::default());
    let open = |resume, which| SqliteStore::open(&file, resume, &problem(which), Method::AlphaBeta);
    let why = |opened: Result<SqliteStore, solve::StoreError>| opened.err().unwrap().to_string();
    assert!(why(open(true, 0)).contains("no store to resume"));
    drop(open(false, 0).unwrap());
    assert!(why(open(false, 0)).contains("--resume"));
    let other = why(open(true, 1));
    assert!(other.contains("is about mnk:3x3,k=3 from") && other.contains("not about mnk:3x4,k=3"));
    let held = open(true, 0).unwrap();
    assert!(why(open(true, 0)).contains("in use"));
    drop(held);
    std::fs::write(&file, b"something else, and long enough to be a header of anything at all, one would think, if one did not look").unwrap();
    assert!(why(open(true, 0)).contains("not a store"));
}
