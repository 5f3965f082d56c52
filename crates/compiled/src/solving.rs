//! What a session is asked to solve, and what comes of it.

use std::io;
use std::path::Path;

use evaluation::weights::Sheet;
use game::{Side, mix};
use games::{Playable, Stealing};
use play::{GameSession, Stop, WeightsChoice};
use players::WeightsError;
use search::{Algorithm, DeepStackError, Table, on_deep_stack};
use solve::message::SolverVersion;
use solve::strong::{Tablebase, TablebaseError, Worth};
use solve::{
    Bounds, CertifyError, CertifyStage, Certifying, LocalStore, Method, Options, Problem, Progress,
    Solution, SolveError, StoreError, cannot_win, certify,
};
use thiserror::Error;

/// A question about the position of a session, and what may be used to answer it.
#[derive(Clone, Copy, Debug)]
pub struct SolvingTask<'a> {
    /// What is asked, and how to go about it.
    pub options: Options,
    /// Where facts are kept, if they are.
    pub stored: Option<StoredAt<'a>>,
    /// The evaluation that says which moves to try first: by default the game's own best, which
    /// takes fewest nodes.
    pub weights: Option<&'a WeightsChoice>,
    /// What the certificate should be like, if there is to be one.
    pub certificate: Option<CertificateTask>,
    /// What [`CompiledGame::solver`](crate::CompiledGame::solver) says.
    pub solver: SolverVersion,
}

/// What a certificate should be like.
#[derive(Clone, Copy, Debug)]
pub struct CertificateTask {
    /// How many positions its checker may visit for a leaf.
    pub leaf_budget: u64,
    /// About how many nodes a file may have before parts of the proof become lemmas; `None` for any
    /// number.
    pub most_nodes: Option<u64>,
}

/// Where facts are kept.
#[derive(Clone, Copy, Debug)]
pub struct StoredAt<'a> {
    /// An SQLite file; it is made where there is none.
    pub file: &'a Path,
    /// Whether it is there already.
    pub resume: bool,
}

/// What is known by arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argued {
    /// Between which margins the first player's lies.
    pub bounds: Bounds,
    /// Why.
    pub because: Vec<&'static str>,
}

/// What a table says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Margin and distance under perfect play.
    pub worth: Worth,
    /// The legal moves as text, and what it is worth to play each; plies are counted from before the move.
    pub moves: Vec<(String, Worth)>,
    /// The largest margin of the game; 1 where it is just won or lost.
    pub margin_limit: i32,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub enum SolvingStage<'a> {
    /// The answer is looked for.
    Solving(&'a Progress),
    /// The certificate is made.
    Certifying(CertifyStage<'a>),
}

/// Why a question is not answered, or its answer not certified.
#[derive(Debug, Error)]
pub enum SolvingError {
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The work cannot go on.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// There is no certificate.
    #[error(transparent)]
    Certify(#[from] CertifyError),
    /// There is no such evaluation.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// There is no memory for tables of so many megabytes.
    #[error("there is no memory for {0} MB of tables")]
    Memory(usize),
    /// The system has no more threads.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// A thread broke down.
    #[error("the work ended by a fault of the program")]
    Broken,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The answer.
    pub solution: Solution,
    /// And its proof, if it was asked for and the question is answered. The lemmas that it rests on
    /// were told of before.
    pub certificate: Option<Vec<u8>>,
}

/// Random weights are the same every time.
const SEED: u64 = 1;

/// The evaluation that takes fewest nodes.
pub(crate) fn usual_heuristics<G: Playable>() -> G::Heuristics {
    players::usual::<G::Heuristics>(Algorithm::Playing)
}

/// Weights are part of a solver: with others it is another one.
fn with_weights(solver: SolverVersion, weights: &Sheet) -> SolverVersion {
    let bytes = weights.write().into_bytes();
    let mixed = bytes.into_iter().fold(solver.0, |sum, byte| mix(sum ^ u64::from(byte)));
    if solver == SolverVersion::default() { solver } else { SolverVersion(mixed) }
}

/// See [`CompiledSession::solve`](crate::CompiledSession::solve).
pub(crate) fn solve<G: Playable>(
    session: &GameSession<G>,
    task: &SolvingTask<'_>,
    stop: &Stop,
    progress: &mut (dyn FnMut(SolvingStage<'_>) + Send),
) -> Result<Solved, SolvingError> {
    let SolvingTask { options, stored, weights, certificate, solver } = *task;
    if certificate.is_some() && session.game().looks_back() {
        return Err(CertifyError::LooksBack.into());
    }
    if stored.is_some() && options.method == Method::Retrograde {
        return Err(SolveError::NothingToKeep.into());
    }
    if !Table::fits(options.hash_megabytes) {
        return Err(SolvingError::Memory(options.hash_megabytes));
    }
    let (heuristics, solver) = match weights {
        None => (usual_heuristics::<G>(), solver),
        Some(choice) => {
            let chosen = players::evaluation(session.game(), choice, Algorithm::Playing, SEED)?;
            let solver = with_weights(solver, &Sheet::of(G::FAMILY.name, &chosen));
            (chosen, solver)
        }
    };
    let problem = Problem {
        game: session.game().clone(),
        start: session.current().clone(),
        path: session.path().clone(),
        heuristics,
        solver,
    };
    let open = |at| open_store(at, &problem, options.method);
    let mut store = stored.map(open).transpose()?;
    let table = Table::new(options.hash_megabytes);
    let mut solving = |now: &Progress| progress(SolvingStage::Solving(now));
    let at = store.as_mut().map(|store| &mut **store as &mut dyn LocalStore);
    let solution = solve::solve(&problem, &options, &table, at, stop, &mut solving)?;
    let certificate = match certificate.filter(|_| solution.proved) {
        None => None,
        Some(CertificateTask { leaf_budget, most_nodes }) => {
            let Solution { bounds, tree, .. } = &solution;
            let game = session.game();
            let known = |p: &G::Position| {
                tree.find(&game.canonical_name(p).0).map(|node| tree.bounds(node))
            };
            let with = Certifying {
                leaf_budget,
                most_nodes,
                known: &known,
                lemmas: &|_, _| None,
                table: &table,
                stop,
            };
            let answer = (options.question, *bounds);
            let mut told = |stage: CertifyStage<'_>| progress(SolvingStage::Certifying(stage));
            let mut certified = Ok(Vec::new());
            on_deep_stack(&mut || certified = certify(&problem, answer, &with, &mut told))
                .map_err(|error| match error {
                    DeepStackError::NoThread(error) => SolvingError::Thread(error),
                    DeepStackError::Failed => SolvingError::Broken,
                })?;
            Some(certified?)
        }
    };
    Ok(Solved { solution, certificate })
}

#[cfg(feature = "sqlite")]
fn open_store<G: Playable>(
    StoredAt { file, resume }: StoredAt<'_>,
    problem: &Problem<G, G::Heuristics>,
    method: Method,
) -> Result<Box<dyn LocalStore>, StoreError> {
    Ok(Box::new(solve::SqliteStore::open(file, resume, problem, method)?))
}

#[cfg(not(feature = "sqlite"))]
fn open_store<G: Playable>(
    StoredAt { file, .. }: StoredAt<'_>,
    _: &Problem<G, G::Heuristics>,
    _: Method,
) -> Result<Box<dyn LocalStore>, StoreError> {
    Err(StoreError::NoFiles(file.to_owned()))
}

/// See [`CompiledSession::arguments`](crate::CompiledSession::arguments).
pub(crate) fn arguments<G: Playable>(session: &GameSession<G>) -> Option<Argued> {
    let (game, p) = (session.game(), session.current());
    let (limit, mover) = (game.margin_limit(), game.to_move(p));
    let stealing = game.steals(p, session.path());
    if stealing == Stealing::Never {
        return None;
    }
    let mut bounds = Bounds { lower: -limit, upper: limit };
    let mut because = Vec::new();
    if let Some(margin) = game.margin(p) {
        bounds = Bounds { lower: margin, upper: margin };
        because.push("the game is over");
        return Some(Argued { bounds, because });
    }
    if let Stealing::Assures(margin) = stealing {
        bounds.lower = margin;
        because.push("the first player could steal the second player's strategy");
    }
    for (side, why) in [
        (Side::First, "the second player has an answer to every line: pairs of squares"),
        (Side::Second, "the first player has an answer to every line: pairs of squares"),
    ] {
        let sets = game.winning_sets(p, side);
        if sets.is_some_and(|sets| cannot_win(&sets, mover == side)) {
            bounds = match side {
                Side::First => Bounds { upper: bounds.upper.min(0), ..bounds },
                Side::Second => Bounds { lower: bounds.lower.max(0), ..bounds },
            };
            because.push(why);
        }
    }
    Some(Argued { bounds, because })
}

/// See [`CompiledSession::look_up`](crate::CompiledSession::look_up).
pub(crate) fn look_up<G: Playable>(
    session: &GameSession<G>,
    table: &Tablebase,
) -> Result<Option<Exact>, TablebaseError> {
    let (game, now) = (session.game(), session.current());
    table.must_be_of(game)?;
    let after = |m: G::Move| {
        let mut next = now.clone();
        game.make(&mut next, m);
        let worth = table.look_up(game, &next)?;
        Some((game.write_move(now, m), worth.a_ply_before()))
    };
    let worth = table.look_up(game, now);
    let moves = worth.and_then(|_| session.legal().into_iter().map(after).collect());
    let margin_limit = game.margin_limit();
    Ok(worth.zip(moves).map(|(worth, moves)| Exact { worth, moves, margin_limit }))
}
