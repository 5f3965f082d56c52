//! [`CompiledSession`]: a game under way, and the work that needs its position.

use evaluation::{Evaluation, Proofs};
use game::{Rng, Side, TextError, moves_of};
use games::Playable;
use play::{Analysis, GameSession, Info, PlayerError, Session, Stop};
use search::Settings;
use solve::strong::{Solid, StrongError, Tablebase, TablebaseError, Tiering, TieringProgress};

use crate::solving::{Argued, Exact, Solved, SolvingError, SolvingStage, SolvingTask};

/// A game under way with the searches and solvers that were compiled for it.
pub trait CompiledSession: Session {
    /// Leaves of the game tree at `depth`, for each move from here. A finished game is one leaf and
    /// has no moves. `progress` hears how many root moves are done, of how many.
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> Divided;

    /// Plays a game from here at random, and says how many legal moves there were at each ply.
    fn random_branching(&self, rng: &mut Rng) -> Vec<u32>;

    /// A move next to a stone, drawn at random, where stones are placed.
    fn adjacent_move(&self, rng: &mut Rng) -> Option<String>;

    /// A legal move as people write it in files: `Nf3` for `g1f3`.
    ///
    /// # Errors
    /// If it is not legal here.
    fn for_people(&self, text: &str) -> Result<String, TextError>;

    /// Moves from here on, one after the other, as people write them; as far as they are legal.
    fn line_for_people(&self, moves: &[String]) -> Vec<String>;

    /// Whether this side may still win the unfinished game; `false` is a proof that it cannot.
    fn can_win(&self, side: Side) -> bool;

    /// Searches from here.
    ///
    /// # Errors
    /// If the system has no memory or thread for it.
    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, PlayerError>;

    /// Answers a question about the current position, as far as it gets, and certifies the answer
    /// if asked to.
    ///
    /// # Errors
    /// A store that cannot be used, no memory, a game that cannot be certified.
    fn solve(
        &self,
        task: &SolvingTask<'_>,
        stop: &Stop,
        progress: &mut (dyn FnMut(SolvingStage<'_>) + Send),
    ) -> Result<Solved, SolvingError>;

    /// What arguments say of the current position without a search; `None` in families that have
    /// none.
    fn arguments(&self) -> Option<Argued>;

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

    /// What a table says of the current position and of each legal move; nothing if it does not
    /// know the position.
    ///
    /// # Errors
    /// If it is the table of another game.
    fn look_up(&self, table: &Tablebase) -> Result<Option<Exact>, TablebaseError>;
}

/// What perft found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided {
    /// The sum over all moves, whether or not they are listed.
    pub leaves: u64,
    /// Leaves below each move.
    pub by_move: Vec<(String, u64)>,
}

impl<G: Playable> CompiledSession for GameSession<G> {
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> Divided {
        let all = moves_of(self.game(), self.current()).len();
        divided(self, depth, all, progress)
    }

    fn random_branching(&self, rng: &mut Rng) -> Vec<u32> {
        play::random_branching(self.game(), self.current(), self.path(), rng)
    }

    fn adjacent_move(&self, rng: &mut Rng) -> Option<String> {
        let (game, p) = (self.game(), self.current());
        let near = game.adjacent(p, rng).filter(|m| self.legal().contains(m));
        near.map(|m| game.write_move(p, m))
    }

    fn for_people(&self, text: &str) -> Result<String, TextError> {
        let (game, p) = (self.game(), self.current());
        Ok(game.write_for_people(p, game.read_move(p, text)?))
    }

    fn line_for_people(&self, moves: &[String]) -> Vec<String> {
        self.rewrite(moves, G::write_for_people)
    }

    fn can_win(&self, side: Side) -> bool {
        let (game, p) = (self.game(), self.current());
        let mut proofs = crate::solving::usual_heuristics::<G>();
        proofs.begin(game, p);
        proofs.can_win(game, p, side)
    }

    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, PlayerError> {
        players::analyse(self, settings, stop, progress)
    }

    fn solve(
        &self,
        task: &SolvingTask<'_>,
        stop: &Stop,
        progress: &mut (dyn FnMut(SolvingStage<'_>) + Send),
    ) -> Result<Solved, SolvingError> {
        crate::solving::solve(self, task, stop, progress)
    }

    fn arguments(&self) -> Option<Argued> {
        crate::solving::arguments(self)
    }

    fn solve_strongly(
        &self,
        tiering: &Tiering,
        stop: &Stop,
        progress: &mut dyn FnMut(&TieringProgress),
    ) -> Result<Solid, StrongError> {
        solve::strong::by_tiers(self.game(), self.current(), tiering, stop, progress)
    }

    fn look_up(&self, table: &Tablebase) -> Result<Option<Exact>, TablebaseError> {
        crate::solving::look_up(self, table)
    }
}

/// Counts and tells how far it has come; the same code for every game.
fn divided(
    session: &dyn Session,
    depth: u32,
    all: usize,
    progress: &mut dyn FnMut(usize, usize),
) -> Divided {
    let mut by_move = Vec::new();
    progress(0, all);
    let leaves = session.divide(depth, &Stop::new(), &mut |text, leaves| {
        by_move.push((text, leaves));
        progress(by_move.len(), all);
    });
    // Nobody says stop.
    Divided { leaves: leaves.unwrap_or_default(), by_move }
}
