//! [`Instance`]: a game with what its searches are compiled with, for every family.

use evaluation::Heuristics;
use evaluation::weights::Tunable;
use game::{Rng, Side, Spec, TextError};
use games::mnk::Shape;
use games::{chess, draughts, go, mnk, reversi};
use play::record::GameFile;
use play::{Scores, adjacent_move};
use search::{Algorithm, CanonicalKeys, Keys, PlainKeys};

use crate::bots::{Levels, Ratings, Tuned, nodes, plies};

/// A game with what its searches are compiled with.
pub trait Instance: GameFile + Clone {
    /// What the engine believes about it.
    type Heuristics: Heuristics<Self> + Tunable + Sync;
    /// How its positions are named in tables.
    type Keys: Keys<Self> + Sync;

    /// The same as a value.
    const KEYS: Self::Keys;

    /// The search that plays it best.
    const ALGORITHM: Algorithm = Algorithm::Playing;

    /// The usual name of the game that a spec of this family describes.
    ///
    /// # Errors
    /// If there is no such game.
    fn usual_name(spec: &Spec) -> Result<String, TextError>;

    /// Something the user should know about these parameters, though they are allowed.
    fn warning(&self) -> Option<String> {
        None
    }

    /// What the levels mean.
    fn levels(&self) -> Levels;

    /// Players whose strength was measured in matches; `docs/strength.md` tells them.
    fn ratings(&self) -> Ratings {
        Ratings(&[])
    }

    /// How the scores of its evaluation are to be read.
    fn scores(&self) -> Scores;

    /// The moves that a player chooses among in the opening; all if there are none.
    fn opening_moves(&self, _: &Self::Position) -> Vec<Self::Move> {
        Vec::new()
    }

    /// The move with which a player lets the game rest where nothing is left to play for, if it is
    /// as good as this one.
    fn rest(&self, _: &Self::Position, _: Self::Move, _: &mut Rng) -> Option<Self::Move> {
        None
    }

    /// Weights that were found by machine for these parameters; `docs/tuning-learners.md` tells the matches they were put to.
    fn tuned(&self) -> Option<Tuned> {
        None
    }

    /// Sets of moves of which a side still has to make all of one to win, in games that are like that: see `certificate::Images`.
    fn needs(&self, _: &Self::Position, _: Side) -> Option<Vec<Vec<u32>>> {
        None
    }

    /// Whether the side that does not move cannot win, as the other one could steal its strategy; `None` in games where nobody could ever
    /// steal one.
    fn steals(&self, _: &Self::Position) -> Option<bool> {
        None
    }

    /// Whether there is [`adjacent`](Instance::adjacent).
    const PLACES_STONES: bool = false;

    /// A move next to a stone, in games that have such moves.
    fn adjacent(&self, _: &Self::Position, _: &mut Rng) -> Option<Self::Move> {
        None
    }
}

/// How what a search says of a game is to be read.
pub(crate) fn scores_of<G: Instance>(game: &G, algorithm: Algorithm) -> Scores {
    match algorithm {
        Algorithm::MonteCarlo => Scores::Mean,
        _ => game.scores(),
    }
}

impl<S: reversi::Shape> Instance for reversi::Reversi<S> {
    type Heuristics = reversi::Evaluation;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        reversi::Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn tuned(&self) -> Option<Tuned> {
        let usual_size = self.parameters().size() == reversi::Parameters::default().size();
        usual_size.then_some(Tuned { text: reversi::TUNED, usual: false })
    }

    fn levels(&self) -> Levels {
        Levels([plies(1, 300), plies(2, 20), plies(4, 0), nodes(30_000)])
    }

    fn scores(&self) -> Scores {
        Scores::Own { ahead: 300 }
    }

    const PLACES_STONES: bool = true;

    fn adjacent(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        adjacent_move(self, p, rng)
    }
}

/// With several stones a turn a ply is less, and with gravity what a square out of reach will bring
/// counts much.
fn line_levels(stones: usize, gravity: bool) -> Levels {
    Levels(match (stones, gravity) {
        (1, false) => [plies(1, 400), plies(1, 200), nodes(5_000), nodes(60_000)],
        (1, true) => [plies(1, 900), plies(2, 700), nodes(5_000), nodes(60_000)],
        // Nodes of large boards are slow, and hard is to be quick.
        _ => [plies(1, 900), plies(1, 60), plies(2, 40), nodes(20_000)],
    })
}

/// How positions of line games are named, by their board.
pub trait BoardKeys<S: Shape>: mnk::Board {
    /// Their type.
    type Keys: Keys<mnk::Mnk<S, Self>> + Sync;
    /// And value.
    const KEYS: Self::Keys;
}

impl<S: Shape, W: mnk::Word> BoardKeys<S> for mnk::WordBoard<W> {
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
}

/// On boards this large mirror images are hardly ever met again, and finding them costs more than
/// it brings.
impl<S: Shape> BoardKeys<S> for mnk::LineBoard {
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

impl<S: Shape, B: BoardKeys<S>> Instance for mnk::Mnk<S, B>
where
    mnk::Lines: Heuristics<mnk::Mnk<S, B>>,
{
    type Heuristics = mnk::Lines;
    type Keys = B::Keys;
    const KEYS: B::Keys = B::KEYS;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        mnk::Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn warning(&self) -> Option<String> {
        self.parameters().warning()
    }

    fn needs(&self, p: &Self::Position, side: Side) -> Option<Vec<Vec<u32>>> {
        mnk::Mnk::needs(self, p, side)
    }

    fn steals(&self, p: &Self::Position) -> Option<bool> {
        Some(self.can_steal(p))
    }

    fn levels(&self) -> Levels {
        line_levels(self.shape().p(), self.shape().gravity())
    }

    fn scores(&self) -> Scores {
        Scores::Own { ahead: 300 }
    }

    fn opening_moves(&self, p: &Self::Position) -> Vec<Self::Move> {
        self.central_moves(p)
    }

    const PLACES_STONES: bool = true;

    fn adjacent(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        adjacent_move(self, p, rng)
    }
}

impl Instance for chess::Chess {
    type Heuristics = chess::Evaluation;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        chess::Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn tuned(&self) -> Option<Tuned> {
        Some(Tuned { text: chess::TUNED, usual: true })
    }

    fn levels(&self) -> Levels {
        Levels([plies(1, 120), plies(2, 40), plies(4, 0), nodes(20_000)])
    }

    fn ratings(&self) -> Ratings {
        Ratings(&[(1400, 50), (1500, 200), (1775, 1_000), (1925, 5_000), (2050, 20_000)])
    }

    fn scores(&self) -> Scores {
        Scores::Pieces { name: "pawns", ahead: 250 }
    }
}

impl<R: draughts::Rules> Instance for draughts::Draughts<R> {
    type Heuristics = draughts::Evaluation;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        draughts::Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    fn tuned(&self) -> Option<Tuned> {
        let (text, usual) = draughts::tuned_weights(self.parameters())?;
        Some(Tuned { text, usual })
    }

    fn levels(&self) -> Levels {
        Levels([plies(1, 350), plies(2, 20), plies(5, 0), nodes(50_000)])
    }

    /// A man is worth more than a pawn.
    fn scores(&self) -> Scores {
        Scores::Pieces { name: "men", ahead: 150 }
    }
}

/// Nobody can judge a Go position without playing it out.
impl<S: go::Points, R: go::Shape> Instance for go::Go<S, R> {
    const ALGORITHM: Algorithm = Algorithm::MonteCarlo;
    type Heuristics = go::Evaluation;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;

    fn usual_name(spec: &Spec) -> Result<String, TextError> {
        go::Parameters::from_spec(spec).map(|parameters| parameters.to_string())
    }

    /// The weakest count what is on the board, as people do who have just learnt the rules; the
    /// others play so many random games.
    fn levels(&self) -> Levels {
        Levels([plies(1, 10), plies(2, 10), nodes(200), nodes(4_000)])
    }

    /// Half points, of stones that may be dead and points that may be taken.
    fn scores(&self) -> Scores {
        Scores::Own { ahead: 20 }
    }

    fn opening_moves(&self, p: &Self::Position) -> Vec<Self::Move> {
        go::Go::opening_moves(self, p)
    }

    /// A pass.
    fn rest(&self, p: &Self::Position, best: Self::Move, rng: &mut Rng) -> Option<Self::Move> {
        self.may_pass(p, best, rng).then_some(go::Move::PASS)
    }

    const PLACES_STONES: bool = true;

    fn adjacent(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        adjacent_move(self, p, rng)
    }
}
