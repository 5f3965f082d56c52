//! Who is compared: the classic searches with and without what makes them look at less, the solver,
//! and other programs.

use std::time::{Duration, Instant};

use compiled::{SolvingStage, SolvingTask};
use game::Points;
use play::Stop;
use search::{Algorithm, Settings, Techniques};
use solve::{Goal, Method, Options};

use super::CompareError;
use super::external::External;
use crate::platform::cpu_time;

/// What came of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The first player's margin in points, or who wins as 1, 0 or -1; `None` if a limit came
    /// first.
    pub value: Option<f64>,
    /// Positions visited, if it tells.
    pub nodes: Option<u64>,
    /// Of processor time.
    pub seconds: f64,
}

/// How long each may take for one position.
#[derive(Clone, Copy, Debug)]
pub struct RunLimit {
    /// Positions visited; other programs are not told.
    pub nodes: u64,
    /// On the clock.
    pub time: Duration,
    /// The size of a transposition table.
    pub hash_megabytes: usize,
}

/// Somebody who solves positions.
#[derive(Clone, Debug)]
pub enum Contender {
    /// The exact solver, with one thread.
    Solver,
    /// A classic search, with the name of what it makes use of.
    Search(Algorithm, &'static str, Techniques),
    /// Another program.
    External(External),
}

/// Only the order of moves, and only a table.
const ORDER: Techniques =
    Techniques { killers: true, history: true, ranking: true, ..Techniques::NONE };
const TABLE: Techniques = Techniques { table: true, symmetry: true, ..Techniques::NONE };

/// The solver first, whose word counts most, then everybody else.
#[must_use]
pub fn contenders(externals: &[External]) -> Vec<Contender> {
    let searches = [Algorithm::AlphaBeta, Algorithm::NegaScout, Algorithm::MtdF];
    let variants =
        [("", Techniques::NONE), ("+order", ORDER), ("+table", TABLE), ("+all", Techniques::ALL)];
    let searches = searches.into_iter().flat_map(|algorithm| {
        variants.map(|(name, techniques)| Contender::Search(algorithm, name, techniques))
    });
    let externals = externals.iter().cloned().map(Contender::External);
    [Contender::Solver].into_iter().chain(searches).chain(externals).collect()
}

impl Contender {
    /// As tables and plots name it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Contender::Solver => "solve".to_owned(),
            Contender::Search(algorithm, with, _) => format!("{algorithm}{with}"),
            Contender::External(external) => external.text.clone(),
        }
    }

    /// Solves one position, from nothing, unless a limit or somebody stops it.
    pub fn run(
        &self,
        game: &str,
        position: &str,
        limit: &RunLimit,
        interrupted: &Stop,
    ) -> Result<Run, CompareError> {
        let RunLimit { nodes: most, time, hash_megabytes } = *limit;
        let (stop, began, before) = (Stop::new(), Instant::now(), cpu_time());
        let watch = |nodes: u64| {
            if nodes >= most || began.elapsed() >= time || interrupted.is_stopped() {
                stop.stop();
            }
        };
        let (value, nodes) = match self {
            Contender::External(external) => {
                let run = external.run(game, position, time, interrupted);
                return run.map_err(|error| CompareError::External {
                    program: external.text.clone(),
                    error,
                });
            }
            Contender::Search(algorithm, _, techniques) => {
                let mut session = catalog::open(game).map_err(CompareError::Game)?.session();
                session.set_position(position).map_err(CompareError::search)?;
                let settings = Settings {
                    algorithm: *algorithm,
                    techniques: *techniques,
                    hash_megabytes,
                    ..Settings::exhaustive()
                };
                let analysis = session.analyse(&settings, &stop, &mut |info| watch(info.nodes));
                let found = analysis.map_err(CompareError::search)?;
                let by_sign = found.value.map(|value| f64::from(value.signum()));
                let value = found.margin.map(Points::as_f64).or(by_sign);
                (value.filter(|_| found.exact), found.nodes)
            }
            Contender::Solver => {
                let compiled = catalog::open(game).map_err(CompareError::Game)?;
                let mut session = compiled.session();
                session.set_position(position).map_err(CompareError::search)?;
                let options = Options {
                    question: Goal::Value,
                    method: Method::AlphaBeta,
                    slice: None,
                    threads: 1,
                    hash_megabytes,
                    nodes: None,
                    memory: 256 << 20,
                    repeatable: false,
                };
                let solver = compiled.solver();
                let task =
                    SolvingTask { options, stored: None, weights: None, certificate: None, solver };
                let found = session.solve(&task, &stop, &mut |stage| match stage {
                    SolvingStage::Solving(now) => watch(now.nodes),
                    SolvingStage::Certifying(_) => {}
                });
                let found = found.map_err(CompareError::search)?.solution;
                let points = |margin| Points::new(margin, compiled.facts().margin_scale).as_f64();
                (found.bounds.exact().map(points), found.spent.nodes)
            }
        };
        let spent = before.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before));
        let seconds = spent.unwrap_or(began.elapsed()).as_secs_f64();
        Ok(Run { value, nodes: Some(nodes), seconds })
    }
}
