//! [`Searcher`]: the one part of a player that is compiled for its game, behind one virtual call a move.

use game::Path;
use games::Playable;
use play::{Info, Stop, Timing, Way};
use search::{Algorithm, MonteCarlo, MonteCarloTree, Report, SearchRoot, Settings, Table};

use super::thinker::SearcherOf;
use super::timing::time;

/// A table that is fuller than this, in thousandths, is emptied before the next move: its old entries would
/// only be in the way.
const FULL: u32 = 750;

/// Finds moves in a game with these positions and moves, and keeps what it found for the next time.
pub trait Searcher<P, M>: Send {
    /// Searches.
    fn search(
        &mut self,
        from: &PlaceInGame<'_, P, M>,
        settings: &Settings,
        stop: &Stop,
        tell: &mut dyn FnMut(&Info<M>),
    ) -> Report<M>;

    /// How long things take by the rules, over so many games of a simple player, or a few.
    fn time(&self, way: Way, games: Option<usize>) -> Timing;

    /// The game went on from where it was searched last.
    fn follow(&mut self, moves: &[M]);

    /// It is another game now.
    fn forget(&mut self);
}

/// Where to search from, in a game that the searcher knows.
#[derive(Debug)]
pub struct PlaceInGame<'a, P, M> {
    /// Where the search begins.
    pub position: &'a P,
    /// Those before it.
    pub path: &'a Path,
    /// The moves to choose among; all if there are none.
    pub among: &'a [M],
}

/// A searcher for whatever the settings want. Memory is taken for granted.
pub fn compiled<G: Playable>(
    game: G,
    heuristics: G::Heuristics,
    settings: &Settings,
) -> SearcherOf<G> {
    match settings.algorithm {
        Algorithm::MonteCarlo => compiled_tree(game, heuristics),
        _ => compiled_table(game, heuristics, settings),
    }
}

/// A searcher by random games.
pub fn compiled_tree<G: Playable>(game: G, heuristics: G::Heuristics) -> SearcherOf<G> {
    Box::new(OfTree { game, heuristics, tree: None })
}

/// A searcher with a table.
pub fn compiled_table<G: Playable>(
    game: G,
    heuristics: G::Heuristics,
    settings: &Settings,
) -> SearcherOf<G> {
    let megabytes = if settings.techniques.table { settings.hash_megabytes } else { 0 };
    Box::new(OfTable { game, heuristics, table: Table::new(megabytes) })
}

struct OfTree<G: Playable> {
    game: G,
    heuristics: G::Heuristics,
    tree: Option<Box<MonteCarloTree<G, G::Heuristics>>>,
}

impl<G: Playable> Searcher<G::Position, G::Move> for OfTree<G> {
    fn search(
        &mut self,
        from: &PlaceInGame<'_, G::Position, G::Move>,
        settings: &Settings,
        stop: &Stop,
        tell: &mut dyn FnMut(&Info<G::Move>),
    ) -> Report<G::Move> {
        let PlaceInGame { position, path, among } = *from;
        let from = SearchRoot { game: &self.game, position, path, among };
        self.tree.take_if(|tree| tree.among() != among);
        let tree = self.tree.get_or_insert_with(|| {
            Box::new(MonteCarloTree::new(&from, &self.heuristics, &MonteCarlo::of(settings)))
        });
        tree.search(from.game, &settings.limits, stop, tell)
    }

    fn time(&self, way: Way, games: Option<usize>) -> Timing {
        time(&self.game, way, games)
    }

    fn follow(&mut self, moves: &[G::Move]) {
        if let Some(tree) = &mut self.tree {
            moves.iter().for_each(|&m| tree.advance(&self.game, m));
        }
    }

    fn forget(&mut self) {
        self.tree = None;
    }
}

struct OfTable<G: Playable> {
    game: G,
    heuristics: G::Heuristics,
    table: Table,
}

impl<G: Playable> Searcher<G::Position, G::Move> for OfTable<G> {
    fn search(
        &mut self,
        from: &PlaceInGame<'_, G::Position, G::Move>,
        settings: &Settings,
        stop: &Stop,
        tell: &mut dyn FnMut(&Info<G::Move>),
    ) -> Report<G::Move> {
        let PlaceInGame { position, path, among } = *from;
        let from = SearchRoot { game: &self.game, position, path, among };
        if self.table.used_per_mille() > FULL {
            self.table.clear();
        }
        let heuristics = self.heuristics.clone();
        search::search_with(&self.table, &from, heuristics, settings, stop, tell)
    }

    fn time(&self, way: Way, games: Option<usize>) -> Timing {
        time(&self.game, way, games)
    }

    /// Positions are found again by their keys.
    fn follow(&mut self, _: &[G::Move]) {}

    fn forget(&mut self) {}
}
