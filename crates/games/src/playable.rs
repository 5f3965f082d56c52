//! [`Playable`]: all that differs from game to game beside its rules, for every family.

use evaluation::Heuristics;
use evaluation::weights::Tunable;
use game::{Family, Path, Rng, Spec, TextError, WinningSets};
use play::record::GameFile;
use play::{Algorithm, Facts, Levels, Ratings, Scores};

/// What comes of the argument that the first player could steal the second player's strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stealing {
    /// It says nothing of any position of this game.
    Never,
    /// It says nothing of this position.
    NotHere,
    /// The first player, who is to move, has at least this margin.
    Assures(i32),
}

/// A game with what its players, its solvers and the fronts have to know. Each family says it in
/// its own folder; everything with a default may be left out.
pub trait Playable: GameFile + WinningSets + Clone {
    /// What an engine believes about it.
    type Heuristics: Heuristics<Self> + Tunable + Sync;

    /// The family it belongs to.
    const FAMILY: &'static Family;

    /// The search that plays it best.
    const ALGORITHM: Algorithm = Algorithm::Playing;

    /// Whether there is [`adjacent`](Playable::adjacent).
    const PLACES_STONES: bool = false;

    /// The usual name of the game that a spec of this family describes.
    ///
    /// # Errors
    /// If there is no such game.
    fn usual_name(spec: &Spec) -> Result<String, TextError>;

    /// What the levels mean; [`plies`](play::levels::plies) and [`nodes`](play::levels::nodes) say
    /// it shortly.
    fn levels(&self) -> Levels;

    /// How the scores of its evaluation are to be read.
    fn scores(&self) -> Scores;

    /// Something the user should know about these parameters, though they are allowed.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Players whose strength was measured in matches; `docs/strength.md` tells them.
    fn ratings(&self) -> Ratings {
        Ratings(&[])
    }

    /// How many random plies a match begins with: enough for many different games, too few to
    /// decide them.
    fn opening_plies(&self) -> usize {
        6
    }

    /// The moves that a player chooses among in the opening; all if there are none.
    fn opening_moves(&self, _: &Self::Position) -> Vec<Self::Move> {
        Vec::new()
    }

    /// The move with which a player lets the game rest where nothing is left to play for, if it is
    /// as good as this one.
    fn rest(&self, _: &Self::Position, _: Self::Move, _: &mut Rng) -> Option<Self::Move> {
        None
    }

    /// Weights that were found by machine for these parameters; `docs/tuning-learners.md` tells the
    /// matches they were put to.
    fn tuned(&self) -> Option<Tuned> {
        None
    }

    /// What the side to move is sure of, as it could steal the other side's strategy; `path` holds
    /// the positions before this one.
    fn steals(&self, _: &Self::Position, _path: &Path) -> Stealing {
        Stealing::Never
    }

    /// A move next to a stone, in games that have such moves.
    fn adjacent(&self, _: &Self::Position, _: &mut Rng) -> Option<Self::Move> {
        None
    }
}

/// Weights that were found by machine for a game, as text that begins with how.
#[derive(Clone, Copy, Debug)]
pub struct Tuned {
    /// The text, as in a file.
    pub text: &'static str,
    /// Whether they have shown that they are stronger, so that bots have them by default.
    pub usual: bool,
}

/// How what a search says of a game is to be read.
pub fn scores_of<G: Playable>(game: &G, algorithm: Algorithm) -> Scores {
    match algorithm {
        Algorithm::MonteCarlo => Scores::Mean,
        _ => game.scores(),
    }
}

/// What there is to know of a game without a position.
pub fn facts_of<G: Playable>(game: &G) -> Facts {
    Facts {
        spec: game.spec(),
        family: G::FAMILY,
        margin_limit: game.margin_limit(),
        margin_scale: game.margin_scale(),
        colours: game.colours(),
        extension: G::EXTENSION,
        date_sign: G::DATE_SIGN,
        algorithm: G::ALGORITHM,
        scores: scores_of(game, G::ALGORITHM),
        levels: game.levels(),
        ratings: game.ratings(),
        evaluations: G::Heuristics::NAMES.to_vec(),
        warning: game.warning(),
        opening_plies: game.opening_plies(),
        looks_back: game.looks_back(),
        places_stones: G::PLACES_STONES,
        look: game.look(),
    }
}
