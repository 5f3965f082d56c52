//! [`Solver`]: a session whose position can be solved, and where proofs can be checked.

use std::path::Path;
use std::thread;

use certificate::{Certificate, Images, Refusal, Verdict};
use game::Side;
use play::{GameSession, Session, Stop};
use players::{Instance, Workbench};
use search::{Algorithm, Keys, STACK_BYTES, Table};
use solve::strong::{
    Solid, StrongError, Tablebase, TablebaseError, Tiering, TieringProgress, Worth, by_tiers,
};
use solve::{
    Bounds, Certifying, Method, Options, Problem, Progress, Solution, SolveError, Store,
    cannot_win, certify, solve,
};

/// A game under way that can be solved from where it stands.
pub trait Solver: Workbench {
    /// Answers a question about the current position, as far as it gets, and certifies the answer if asked to.
    ///
    /// # Errors
    /// In one line: a store that cannot be used, no memory, a game that cannot be certified.
    fn solve(
        &self,
        task: &Task<'_>,
        stop: &Stop,
        progress: &mut (dyn FnMut(Stage<'_>) + Send),
    ) -> Result<Solved, String>;

    /// What suits the game where nobody chooses: proof numbers where rules look back, since a search to the end of the game would go round
    /// in circles.
    fn usual_method(&self) -> Method;

    /// What arguments say of the current position without a search; `None` in families that have none.
    fn arguments(&self) -> Option<Argued>;

    /// The largest margin of this game; 1 where it is just won or lost.
    fn margin_limit(&self) -> i32;

    /// Solves every position that can come up from the current one on.
    ///
    /// # Errors
    /// If the game is not of that kind, does not fit, or somebody stops it.
    fn solve_strongly(
        &self,
        tiering: &Tiering,
        stop: &Stop,
        progress: &mut dyn FnMut(&TieringProgress),
    ) -> Result<Solid, StrongError>;

    /// What a table says of the current position and of each legal move; nothing if it does not know the position.
    ///
    /// # Errors
    /// If it is the table of another game.
    fn look_up(&self, table: &Tablebase) -> Result<Option<Exact>, TablebaseError>;

    /// Checks a certificate of this game.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn verify(
        &self,
        certificate: &Certificate<'_>,
        options: &certificate::Options,
        progress: &mut dyn FnMut(&certificate::Progress),
    ) -> Result<Verdict, Refusal>;
}

/// What is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What is asked, and how to go about it.
    pub options: Options,
    /// Where facts are kept, if they are.
    pub stored: Option<Stored<'a>>,
    /// How many positions the checker of the certificate may visit for a leaf, if there is to be a certificate.
    pub leaf_budget: Option<u64>,
}

/// Where facts are kept.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// In which file.
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
    /// What it is worth.
    pub worth: Worth,
    /// The legal moves as text, and what it is worth to play each; plies are counted from before the move.
    pub moves: Vec<(String, Worth)>,
    /// The largest margin of the game; 1 where it is just won or lost.
    pub margin_limit: i32,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// The answer is looked for.
    Solving(&'a Progress),
    /// The certificate has so many nodes.
    Certifying(usize),
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The answer.
    pub solution: Solution,
    /// And its proof, if it was asked for and the question is answered.
    pub certificate: Option<Vec<u8>>,
}

/// What an instance knows of its game.
#[derive(Clone, Copy, Debug)]
struct Known;

impl<G: Instance> Images<G> for Known {
    fn count(self, game: &G) -> usize {
        G::KEYS.symmetries(game)
    }

    fn image(self, game: &G, p: &G::Position, symmetry: usize) -> G::Position {
        G::KEYS.image(game, p, symmetry)
    }

    fn needs(self, game: &G, p: &G::Position, side: Side) -> Option<Vec<Vec<u32>>> {
        game.needs(p, side)
    }
}

impl<G: Instance> Solver for GameSession<G> {
    fn solve(
        &self,
        task: &Task<'_>,
        stop: &Stop,
        progress: &mut (dyn FnMut(Stage<'_>) + Send),
    ) -> Result<Solved, String> {
        let Task { options, stored, leaf_budget } = *task;
        if leaf_budget.is_some() && self.game().looks_back() {
            return Err(solve::CertifyError::LooksBack.to_string());
        }
        if stored.is_some() && options.method == Method::Retrograde {
            return Err(SolveError::NothingToKeep.to_string());
        }
        if !Table::fits(options.hash_megabytes) {
            return Err(format!("there is no memory for {} MB of tables", options.hash_megabytes));
        }
        let open =
            |Stored { file, resume }| Store::open(file, resume, &self.spec(), &self.position());
        let mut store = stored.map(open).transpose().map_err(|error| error.to_string())?;
        // The best evaluation there is: it has to say which moves to try first.
        let heuristics = players::usual::<G::Heuristics>(Algorithm::Playing);
        let problem = Problem {
            game: self.game(),
            start: self.current(),
            path: self.path(),
            heuristics: &heuristics,
            keys: G::KEYS,
        };
        let table = Table::new(options.hash_megabytes);
        let mut solving = |now: &Progress| progress(Stage::Solving(now));
        let solution = solve(&problem, &options, &table, store.as_mut(), stop, &mut solving)
            .map_err(|error| error.to_string())?;
        let certificate = match leaf_budget.filter(|_| solution.proved) {
            None => None,
            Some(leaf_budget) => {
                let Solution { bounds, tree, .. } = &solution;
                let certifying =
                    Certifying { leaf_budget, question: options.question, bounds: *bounds };
                let mut made = |nodes| progress(Stage::Certifying(nodes));
                let work = || certify(&problem, Known, &certifying, tree, &table, stop, &mut made);
                Some(with_room(work)?.map_err(|error| error.to_string())?)
            }
        };
        Ok(Solved { solution, certificate })
    }

    fn usual_method(&self) -> Method {
        match self.game().looks_back() {
            true => Method::ProofNumber,
            false => Method::default(),
        }
    }

    fn arguments(&self) -> Option<Argued> {
        let (game, p) = (self.game(), self.current());
        let (limit, mover) = (game.margin_limit(), game.to_move(p));
        let steals = game.steals(p)?;
        let mut bounds = Bounds { lower: -limit, upper: limit };
        let mut because = Vec::new();
        if let Some(margin) = game.margin(p) {
            bounds = Bounds { lower: margin, upper: margin };
            because.push("the game is over");
            return Some(Argued { bounds, because });
        }
        if steals {
            bounds.lower = 0;
            because.push("the first player could steal the second player's strategy");
        }
        for (side, why) in [
            (Side::First, "the second player has an answer to every line: pairs of squares"),
            (Side::Second, "the first player has an answer to every line: pairs of squares"),
        ] {
            let needs = game.needs(p, side);
            if needs.is_some_and(|needs| cannot_win(&needs, mover == side)) {
                bounds = match side {
                    Side::First => Bounds { upper: 0, ..bounds },
                    Side::Second => Bounds { lower: 0, ..bounds },
                };
                because.push(why);
            }
        }
        Some(Argued { bounds, because })
    }

    fn margin_limit(&self) -> i32 {
        self.game().margin_limit()
    }

    fn solve_strongly(
        &self,
        tiering: &Tiering,
        stop: &Stop,
        progress: &mut dyn FnMut(&TieringProgress),
    ) -> Result<Solid, StrongError> {
        by_tiers(self.game(), self.current(), G::KEYS, tiering, stop, progress)
    }

    fn look_up(&self, table: &Tablebase) -> Result<Option<Exact>, TablebaseError> {
        let (game, now) = (self.game(), self.current());
        table.must_be_of(game, G::KEYS)?;
        let after = |m: G::Move| {
            let mut next = now.clone();
            game.make(&mut next, m);
            let worth = table.look_up(game, G::KEYS, &next)?;
            Some((game.write_move(now, m), worth.a_ply_before()))
        };
        let worth = table.look_up(game, G::KEYS, now);
        let moves = worth.and_then(|_| self.legal().into_iter().map(after).collect());
        let margin_limit = game.margin_limit();
        Ok(worth.zip(moves).map(|(worth, moves)| Exact { worth, moves, margin_limit }))
    }

    fn verify(
        &self,
        certificate: &Certificate<'_>,
        options: &certificate::Options,
        progress: &mut dyn FnMut(&certificate::Progress),
    ) -> Result<Verdict, Refusal> {
        certificate::verify(self.game(), Known, certificate, options, progress)
    }
}

/// Does something that may go as deep as the longest game.
fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("the system gives no thread: {error}"))?;
        thread.join().map_err(|_| "the work ended by a fault of the program".to_owned())
    })
}
