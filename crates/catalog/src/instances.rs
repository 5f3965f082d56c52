//! The compiled instances: every game × storage, with the heuristics and keys its searches are
//! compiled with. One place, so that compile time stays bounded.

use game::record::GameFile;
use game::{GameSession, Heuristics, Spec, TextError};
use games::{mnk, reversi};
use search::{CanonicalKeys, Keys, PlainKeys};

use crate::workbench::Workbench;

/// A game with what its searches are compiled with.
pub(crate) trait Instance: GameFile {
    /// What the engine believes about it.
    type Heuristics: Heuristics<Self> + Default;
    /// How its positions are named in tables.
    type Keys: Keys<Self>;

    const KEYS: Self::Keys;

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

impl<W: mnk::Word> Instance for LineGame<mnk::WordBoard<W>> {
    type Heuristics = mnk::Lines;
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;

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

    fn warning(&self) -> Option<String> {
        self.parameters().warning()
    }
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
