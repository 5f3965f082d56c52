//! The compiled instances: every game × storage, with the heuristics and keys its searches are
//! compiled with. One place, so that compile time stays bounded.

use game::record::GameFile;
use game::weights::Tunable;
use game::{GameSession, Heuristics, Rng, Spec, TextError, adjacent_move};
use games::{chess, draughts, go, mnk, reversi};
use search::{Algorithm, CanonicalKeys, Keys, PlainKeys};

use crate::bots::{Levels, nodes, plies};
use crate::workbench::Workbench;

/// A game with what its searches are compiled with.
pub(crate) trait Instance: GameFile + Clone {
    /// What the engine believes about it.
    type Heuristics: Heuristics<Self> + Tunable;
    /// How its positions are named in tables.
    type Keys: Keys<Self>;

    const KEYS: Self::Keys;

    /// The search that plays it best.
    const ALGORITHM: Algorithm = Algorithm::Playing;

    fn warning(&self) -> Option<String> {
        None
    }

    /// What the levels mean.
    fn levels(&self) -> Levels;

    /// Whether there is [`adjacent`](Instance::adjacent).
    const PLACES_STONES: bool = false;

    /// A move next to a stone, in games that have such moves.
    fn adjacent(&self, _: &Self::Position, _: &mut Rng) -> Option<Self::Move> {
        None
    }
}

impl Instance for reversi::Reversi {
    type Heuristics = reversi::Evaluation;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;

    fn levels(&self) -> Levels {
        Levels([plies(1, 60), plies(2, 20), plies(4, 0), nodes(30_000)])
    }

    const PLACES_STONES: bool = true;

    fn adjacent(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        adjacent_move(self, p, rng)
    }
}

/// With several stones a turn a ply is less.
fn line_levels(shape: mnk::RunShape) -> Levels {
    Levels(match shape.p == 1 {
        true => [plies(1, 200), plies(2, 120), nodes(5_000), nodes(60_000)],
        // Nodes of large boards are slow, and hard is to be quick.
        false => [plies(1, 200), plies(1, 60), plies(2, 40), nodes(20_000)],
    })
}

type LineGame<B> = mnk::Mnk<mnk::RunShape, B>;

/// How positions of line games are named, by their board.
pub(crate) trait BoardKeys: mnk::Board {
    type Keys: Keys<LineGame<Self>>;
    const KEYS: Self::Keys;
}

impl<W: mnk::Word> BoardKeys for mnk::WordBoard<W> {
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
}

/// On boards this large mirror images are hardly ever met again, and finding them costs more than
/// it brings.
impl BoardKeys for mnk::LineBoard {
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

impl<B: BoardKeys> Instance for LineGame<B>
where
    mnk::Lines: Heuristics<LineGame<B>>,
{
    type Heuristics = mnk::Lines;
    type Keys = B::Keys;
    const KEYS: B::Keys = B::KEYS;

    fn warning(&self) -> Option<String> {
        self.parameters().warning()
    }

    fn levels(&self) -> Levels {
        line_levels(self.shape())
    }

    const PLACES_STONES: bool = true;

    fn adjacent(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        adjacent_move(self, p, rng)
    }
}

impl Instance for chess::Chess {
    type Heuristics = chess::Classic;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;

    fn levels(&self) -> Levels {
        Levels([plies(1, 120), plies(2, 40), plies(4, 0), nodes(20_000)])
    }
}

impl<R: draughts::Rules> Instance for draughts::Draughts<R> {
    type Heuristics = draughts::Evaluation;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;

    /// Easy and medium look as far as the classic programs did.
    fn levels(&self) -> Levels {
        Levels([plies(3, 60), plies(7, 0), plies(9, 0), nodes(50_000)])
    }
}

/// Nobody can judge a Go position without playing it out.
impl<S: go::Points> Instance for go::Go<S> {
    const ALGORITHM: Algorithm = Algorithm::MonteCarlo;
    type Heuristics = go::AreaCount;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;

    /// So many random games.
    fn levels(&self) -> Levels {
        Levels([nodes(20), nodes(100), nodes(600), nodes(4_000)])
    }

    const PLACES_STONES: bool = true;

    fn adjacent(&self, p: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        adjacent_move(self, p, rng)
    }
}

pub(crate) fn open_go(spec: &Spec) -> Result<Box<dyn Workbench>, TextError> {
    let parameters = go::Parameters::from_spec(spec)?;
    Ok(match parameters.storage() {
        go::Storage::U64 => Box::new(GameSession::new(go::Go::<u64>::new(parameters))),
        go::Storage::U128 => Box::new(GameSession::new(go::Go::<u128>::new(parameters))),
        go::Storage::Wide => Box::new(GameSession::new(go::Go::<go::Wide>::new(parameters))),
    })
}

pub(crate) fn open_chess(spec: &Spec) -> Result<Box<dyn Workbench>, TextError> {
    let parameters = chess::Parameters::from_spec(spec)?;
    Ok(Box::new(GameSession::new(chess::Chess::new(parameters))))
}

/// The variants that most people play have code of their own, in which no switch is left; all others share
/// one.
pub(crate) fn open_draughts(spec: &Spec) -> Result<Box<dyn Workbench>, TextError> {
    let parameters = draughts::Parameters::from_spec(spec)?;
    let openings = [
        open_rules::<draughts::English>,
        open_rules::<draughts::International>,
        open_rules::<draughts::Russian>,
        open_rules::<draughts::AnyRules>,
    ];
    let opened = openings.iter().find_map(|open| open(parameters));
    opened.ok_or_else(|| spec.error("no rules serve these switches"))
}

fn open_rules<R: draughts::Rules>(parameters: draughts::Parameters) -> Option<Box<dyn Workbench>> {
    let game = draughts::Draughts::<R>::new(parameters)?;
    Some(Box::new(GameSession::new(game)))
}

pub(crate) fn open_reversi(spec: &Spec) -> Result<Box<dyn Workbench>, TextError> {
    let parameters = reversi::Parameters::from_spec(spec)?;
    Ok(Box::new(GameSession::new(reversi::Reversi::new(parameters))))
}

pub(crate) fn open_mnk(spec: &Spec) -> Result<Box<dyn Workbench>, TextError> {
    let parameters = mnk::Parameters::from_spec(spec)?;
    Ok(match parameters.storage() {
        mnk::Storage::U16 | mnk::Storage::U32 => word_game::<u32>(&parameters),
        mnk::Storage::U64 => word_game::<u64>(&parameters),
        mnk::Storage::U128 => word_game::<u128>(&parameters),
        mnk::Storage::Lines => {
            Box::new(GameSession::new(LineGame::<mnk::LineBoard>::new(&parameters)))
        }
    })
}

fn word_game<W: mnk::Word>(parameters: &mnk::Parameters) -> Box<dyn Workbench> {
    Box::new(GameSession::new(LineGame::<mnk::WordBoard<W>>::new(parameters)))
}
