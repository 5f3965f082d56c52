//! [`search`]: runs an algorithm to a depth or to the end of the game, then finds the line and,
//! where asked, all best moves.

use evaluation::{Heuristics, Proofs, Tactics};
use game::{Game, Path, Value};
use play::{Info, InfoLine, Limits, Stop};

use crate::bounds::Depth;
#[cfg(feature = "study")]
use crate::classic::{Classic, RootValue};
use crate::context::Context;
use crate::deepening::deepen;
use crate::lazy_smp::{Helpers, Role};
#[cfg(feature = "study")]
use crate::montecarlo::{MonteCarlo, MonteCarloTree};
use crate::playing::Playing;
#[cfg(feature = "study")]
use crate::proof::find_value;
use crate::root_search::RootSearch;
use crate::settings::{Algorithm, Settings, Techniques};
use crate::table::Table;

/// Where to search from: a position of a game and the positions before it.
#[derive(Debug)]
pub struct SearchRoot<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Its side to move is whom values are for.
    pub position: &'a G::Position,
    /// The positions that led to it, for rules that look back.
    pub path: &'a Path,
    /// The moves to choose among; all if there are none. Proof numbers look at all moves anyway.
    pub among: &'a [G::Move],
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The value for the side to move; `None` if the search was stopped before it knew anything.
    pub value: Option<Value>,
    /// Whether it is the value of the whole game, with nothing guessed.
    pub exact: bool,
    /// The depth of that value; `None` where it was searched to the end of the game.
    pub depth: Option<u32>,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The move to play; `None` where the game is over.
    pub best: Option<M>,
    /// The moves both sides would play, as far as they could be found at a cost below that of the
    /// search itself.
    pub line: Vec<M>,
    /// The next best moves, each with its line and its value for the side to move, as many as were
    /// asked for.
    pub others: Vec<InfoLine<M>>,
    /// Positions visited to find the value.
    pub nodes: u64,
}

/// Whether the system would give the memory that these settings ask for.
#[must_use]
pub fn table_fits(settings: &Settings) -> bool {
    !settings.techniques.table || Table::fits(settings.hash_megabytes)
}

/// Searches a position. Memory for the table is taken for granted: see [`table_fits`].
pub fn search<G: Game, H: Heuristics<G>>(
    from: &SearchRoot<'_, G>,
    heuristics: H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let table = Table::new(if settings.techniques.table { settings.hash_megabytes } else { 0 });
    search_with(&table, from, heuristics, settings, stop, progress)
}

/// Searches with a table that earlier searches of the same game may have filled. Random games have
/// no use for it: they keep what they found in a [`MonteCarloTree`](crate::MonteCarloTree).
pub fn search_with<G: Game, H: Heuristics<G>>(
    table: &Table,
    from: &SearchRoot<'_, G>,
    heuristics: H,
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Info<G::Move>),
) -> Report<G::Move> {
    let mut settings = *settings;
    #[cfg(feature = "study")]
    match settings.algorithm {
        // Players have a tree of their own.
        Algorithm::MonteCarlo => {
            let mut tree = MonteCarloTree::new(from, &heuristics, &MonteCarlo::of(&settings));
            return tree.search(from.game, &settings.limits, stop, progress);
        }
        Algorithm::ProofNumber => return find_value(from, heuristics, &settings, stop, progress),
        _ => {}
    }
    if settings.algorithm == Algorithm::Minimax {
        settings.techniques = Techniques::NONE;
    }
    let helpers = Helpers::of(&settings);
    let shared = helpers.shared(table, Role::Main);
    helpers.work_beside(from, &heuristics, &settings, table, || {
        let cx = Context::new(from, heuristics.clone(), &settings, shared, stop, progress);
        with_algorithm(cx, &settings, |search| deepen(search, from.among, &settings))
    })
}

/// Hands the algorithm that the settings name to somebody. The one list of those that search a tree
/// of values; without the feature `study` there is only the playing search.
pub(crate) fn with_algorithm<'a, G: Game, H: Tactics<G> + Proofs<G>, T>(
    cx: Context<'a, G, H>,
    settings: &Settings,
    work: impl FnOnce(&mut dyn RootSearch<'a, G, H>) -> T,
) -> T {
    #[cfg(feature = "study")]
    {
        let classic: Option<RootValue<'a, G, H>> = match settings.algorithm {
            Algorithm::Minimax => Some(Classic::by_minimax),
            Algorithm::AlphaBeta => Some(Classic::by_alpha_beta::<false>),
            Algorithm::NegaScout => Some(Classic::by_alpha_beta::<true>),
            Algorithm::MtdF => Some(Classic::by_mtdf),
            _ => None,
        };
        if let Some(root_value) = classic {
            return work(&mut Classic::new(cx, settings, root_value));
        }
    }
    work(&mut Playing::new(cx, settings))
}

/// The depths of a search, one after the other. On the way to the end of the game the steps grow
/// (1, 2, 4, 7, 11, …): quick wins are still found early, and where there are none, fewer depths
/// are searched in vain.
pub(crate) struct Depths {
    pub(crate) now: Depth,
    pub(crate) target: Depth,
    step: u32,
    grows: bool,
}

impl Depths {
    pub(crate) fn new(settings: &Settings) -> Depths {
        let target = settings.limits.depth.map_or(Depth::END, Depth::new);
        let now = if settings.techniques.deepening { Depth::new(1) } else { target };
        Depths { now, target, step: 1, grows: target == Depth::END && !under_clock(settings) }
    }

    pub(crate) fn advance(&mut self) {
        self.now = self.now.deeper(self.step).min(self.target);
        self.step += u32::from(self.grows);
    }
}

/// Whether any iteration may be the last one.
pub(crate) fn under_clock(settings: &Settings) -> bool {
    let Limits { depth: _, nodes, time, clock } = settings.limits;
    nodes.is_some() || time.is_some() || clock.is_some()
}
