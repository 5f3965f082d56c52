//! The compiled instances: every game × storage, with the heuristics and keys its searches are
//! compiled with. One place, so that compile time stays bounded.

use game::record::GameFile;
use game::{GameSession, Heuristics, Spec, TextError};
use games::{chess, draughts, go, mnk, reversi};
use search::{Algorithm, CanonicalKeys, Keys, PlainKeys};

use crate::workbench::Workbench;

/// A game with what its searches are compiled with.
pub(crate) trait Instance: GameFile {
    /// What the engine believes about it.
    type Heuristics: Heuristics<Self> + Default;
    /// How its positions are named in tables.
    type Keys: Keys<Self>;

    const KEYS: Self::Keys;

    /// The search that plays it best.
    const ALGORITHM: Algorithm = Algorithm::Playing;

    /// What the engine believes about it when it searches in this way.
    fn heuristics(_: Algorithm) -> Self::Heuristics {
        Self::Heuristics::default()
    }

    fn warning(&self) -> Option<String> {
        None
    }
}

impl Instance for reversi::Reversi {
    type Heuristics = reversi::Classic;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
}

type LineGame<B> = mnk::Mnk<mnk::RunShape, B>;

/// The classic searches keep their evaluation; the playing search has a better one.
fn line_heuristics(algorithm: Algorithm) -> mnk::Lines {
    mnk::Lines::new(match algorithm {
        Algorithm::Playing => mnk::Evaluation::Patterns,
        _ => mnk::Evaluation::Classic,
    })
}

impl<W: mnk::Word> Instance for LineGame<mnk::WordBoard<W>> {
    type Heuristics = mnk::Lines;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;

    fn heuristics(algorithm: Algorithm) -> mnk::Lines {
        line_heuristics(algorithm)
    }

    fn warning(&self) -> Option<String> {
        self.parameters().warning()
    }
}

/// On boards this large mirror images are hardly ever met again, and finding them costs more than
/// it brings.
impl Instance for LineGame<mnk::LineBoard> {
    type Heuristics = mnk::Lines;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;

    fn heuristics(algorithm: Algorithm) -> mnk::Lines {
        line_heuristics(algorithm)
    }

    fn warning(&self) -> Option<String> {
        self.parameters().warning()
    }
}

impl Instance for chess::Chess {
    type Heuristics = chess::Classic;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

impl<R: draughts::Rules> Instance for draughts::Draughts<R> {
    type Heuristics = draughts::Classic;
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

/// Nobody can judge a Go position without playing it out.
impl<S: go::Points> Instance for go::Go<S> {
    const ALGORITHM: Algorithm = Algorithm::MonteCarlo;
    type Heuristics = go::AreaCount;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
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

/// Named variants as they are have code of their own, in which no switch is left; any other mix shares
/// one.
pub(crate) fn open_draughts(spec: &Spec) -> Result<Box<dyn Workbench>, TextError> {
    let parameters = draughts::Parameters::from_spec(spec)?;
    let openings = [
        open_rules::<draughts::English>,
        open_rules::<draughts::International>,
        open_rules::<draughts::Russian>,
        open_rules::<draughts::Brazilian>,
        open_rules::<draughts::Pool>,
        open_rules::<draughts::Polish>,
        open_rules::<draughts::Italian>,
        open_rules::<draughts::Spanish>,
        open_rules::<draughts::Czech>,
        open_rules::<draughts::Frisian>,
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
        mnk::Storage::U16 => word_game::<u16>(&parameters),
        mnk::Storage::U32 => word_game::<u32>(&parameters),
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
