//! [`Solver`]: a session whose position can be solved.

use std::path::Path;

use game::{GameSession, Session, Stop};
use players::{Instance, Workbench};
use search::{Algorithm, Table};
use solve::{Options, Problem, Progress, Solution, Store, solve};

/// A game under way that can be solved from where it stands.
pub trait Solver: Workbench {
    /// Answers a question about the current position, as far as it gets.
    ///
    /// # Errors
    /// In one line: a store that cannot be used, no memory.
    fn solve(
        &self,
        options: &Options,
        stored: Option<Stored<'_>>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Solution, String>;
}

/// Where facts are kept.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// In which file.
    pub file: &'a Path,
    /// Whether it is there already.
    pub resume: bool,
}

impl<G: Instance> Solver for GameSession<G> {
    fn solve(
        &self,
        options: &Options,
        stored: Option<Stored<'_>>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Solution, String> {
        if !Table::fits(options.hash_megabytes) {
            return Err(format!("there is no memory for {} MB of tables", options.hash_megabytes));
        }
        let open =
            |Stored { file, resume }| Store::open(file, resume, &self.spec(), &self.position());
        let mut store = stored.map(open).transpose().map_err(|error| error.to_string())?;
        let heuristics = players::usual::<G::Heuristics>(Algorithm::NegaScout);
        let problem = Problem {
            game: self.game(),
            start: self.current(),
            path: self.path(),
            heuristics: &heuristics,
            keys: G::KEYS,
        };
        let table = Table::new(options.hash_megabytes);
        solve(&problem, options, &table, store.as_mut(), stop, progress)
            .map_err(|error| error.to_string())
    }
}
