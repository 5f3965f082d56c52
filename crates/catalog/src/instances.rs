//! The compiled instances: every game × storage, for any parameters. One place, so that compile time stays
//! bounded.

use game::{GameSession, Spec, TextError};
use games::{chess, draughts, go, mnk, reversi};
use players::Workbench;

type LineGame<B> = mnk::Mnk<mnk::RunShape, B>;

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
