//! [`RootSearch`]: what iterative deepening asks of an algorithm.

use game::{Game, Value};

use crate::bounds::Depth;
use crate::context::Context;

/// An algorithm, as it is seen from the root. Behind a virtual call, since the root is searched a
/// few times a second: what happens at its nodes is compiled for the game.
pub(crate) trait RootSearch<'a, G: Game, H> {
    fn context(&mut self) -> &mut Context<'a, G, H>;

    /// The value of the root, as the crate's contract says; `guess` is that of the iteration
    /// before. The guesses of the context then tell what it rests on.
    fn value(&mut self, depth: Depth, guess: Value) -> Value;

    /// The value of a move of the root within the window; `None` if a rule that looks back forbids
    /// it.
    fn root_move(&mut self, m: G::Move, depth: Depth, alpha: Value, beta: Value) -> Option<Value>;

    /// The same of a move of the current position, so many plies from the root, to see whether it
    /// keeps a value that is known.
    fn confirm(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Option<Value>;

    /// The moves both sides would play after a move of the root with this value, which a search of
    /// this depth took so many nodes to find.
    fn principal_variation(
        &mut self,
        m: G::Move,
        value: Value,
        depth: Depth,
        nodes: u64,
    ) -> Vec<G::Move>;

    /// Before moves of the root are searched one by one.
    fn prepare(&mut self, _depth: Depth) {}

    /// The moves of the root that the search looks at, as they are generated, if it leaves some
    /// out.
    fn candidates(&mut self) -> Option<Vec<G::Move>> {
        None
    }

    /// The line after a better move that an iteration found before it ran out of time, if such a
    /// move can be trusted.
    fn late_news(&mut self, _best: G::Move) -> Option<Vec<G::Move>> {
        None
    }

    /// The depth to which equally good moves are looked for, after a search with a result of this
    /// depth: in every iteration that may be the last, or only in the last one.
    fn lot(&mut self, found: Depth) -> Lot {
        Lot { depth: found, only_last: false }
    }
}

/// How one of several best moves is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lot {
    pub(crate) depth: Depth,
    pub(crate) only_last: bool,
}

/// Does something on the side that may visit so many nodes: what it does not finish is left, and
/// neither its nodes nor its guesses count.
pub(crate) fn aside<'a, G: Game, H: evaluation::Evaluation<G>, S, T>(
    search: &mut S,
    nodes: u64,
    work: impl FnOnce(&mut S) -> T,
) -> T
where
    S: RootSearch<'a, G, H> + ?Sized,
{
    let left = search.context().budget.nodes_left();
    beyond_limit(search, nodes.min(left), work)
}

/// The same beyond a limit of nodes, too.
pub(crate) fn beyond_limit<'a, G: Game, H: evaluation::Evaluation<G>, S, T>(
    search: &mut S,
    nodes: u64,
    work: impl FnOnce(&mut S) -> T,
) -> T
where
    S: RootSearch<'a, G, H> + ?Sized,
{
    let saved = search.context().lend(nodes);
    let result = work(search);
    search.context().restore(&saved);
    result
}
