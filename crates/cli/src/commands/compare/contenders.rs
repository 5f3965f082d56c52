//! Who is compared: the classic searches with and without what makes them look at less, the solver, and other programs.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use compiled::{SolvingStage, SolvingTask};
use forge::cpu_time;
use game::Points;
use play::Stop;
use search::{Algorithm, Settings, Techniques};
use solve::{Method, Options, Question};

use super::external::External;

/// What came of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// The first player's margin in points, or who wins as 1, 0 or -1; `None` if a limit came first.
    pub(super) value: Option<f64>,
    pub(super) nodes: Option<u64>,
    /// Of processor time.
    pub(super) seconds: f64,
}

/// How long each may take for one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) hash_megabytes: usize,
}

/// Somebody who solves positions.
#[derive(Clone, Debug)]
pub(super) enum Contender {
    Solver,
    Search(Algorithm, &'static str, Techniques),
    External(External),
}

/// Only the order of moves, and only a table.
const ORDER: Techniques =
    Techniques { killers: true, history: true, ranking: true, ..Techniques::NONE };
const TABLE: Techniques = Techniques { table: true, symmetry: true, ..Techniques::NONE };

/// The solver first, whose word counts most, then everybody else.
pub(super) fn contenders(externals: &[External]) -> Vec<Contender> {
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
    pub(super) fn name(&self) -> String {
        match self {
            Contender::Solver => "solve".to_owned(),
            Contender::Search(algorithm, with, _) => format!("{algorithm}{with}"),
            Contender::External(external) => external.text.clone(),
        }
    }

    /// Solves one position, from nothing, unless a limit or somebody stops it.
    pub(super) fn run(
        &self,
        game: &str,
        position: &str,
        limit: &Limit,
        interrupted: &Stop,
    ) -> anyhow::Result<Run> {
        let Limit { nodes: most, time, hash_megabytes } = *limit;
        let (stop, began, before) = (Stop::new(), Instant::now(), cpu_time());
        let watch = |nodes: u64| {
            if nodes >= most || began.elapsed() >= time || interrupted.is_stopped() {
                stop.stop();
            }
        };
        let (value, nodes) = match self {
            Contender::External(external) => {
                let run = external.run(game, position, time, interrupted);
                return run.map_err(|why| anyhow!("{}: {why}", external.text));
            }
            Contender::Search(algorithm, _, techniques) => {
                let mut session = catalog::open(game)?.session();
                session.set_position(position)?;
                let settings = Settings {
                    algorithm: *algorithm,
                    techniques: *techniques,
                    hash_megabytes,
                    ..Settings::exhaustive()
                };
                let analysis = session.analyse(&settings, &stop, &mut |info| watch(info.nodes));
                let found = analysis.map_err(anyhow::Error::msg)?;
                let by_sign = found.value.map(|value| f64::from(value.signum()));
                let value = found.margin.map(Points::as_f64).or(by_sign);
                (value.filter(|_| found.exact), found.nodes)
            }
            Contender::Solver => {
                let compiled = catalog::open(game)?;
                let mut session = compiled.session();
                session.set_position(position)?;
                let options = Options {
                    question: Question::Value,
                    method: Method::AlphaBeta,
                    slice: None,
                    threads: 1,
                    hash_megabytes,
                    nodes: None,
                };
                let task = SolvingTask { options, stored: None, leaf_budget: None };
                let found = session.solve(&task, &stop, &mut |stage| match stage {
                    SolvingStage::Solving(now) => watch(now.nodes),
                    SolvingStage::Certifying(_) => {}
                });
                let found = found.map_err(anyhow::Error::msg)?.solution;
                let points = |margin| Points::new(margin, compiled.facts().margin_scale).as_f64();
                (found.bounds.exact().map(points), found.spent.nodes)
            }
        };
        let spent = before.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before));
        let seconds = spent.unwrap_or(began.elapsed()).as_secs_f64();
        Ok(Run { value, nodes: Some(nodes), seconds })
    }
}
