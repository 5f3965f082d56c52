//! The compiled instances: every game × storage, for any parameters. One place, so that compile time stays
//! bounded.

use game::{Spec, TextError};
use games::{chess, draughts, go, mnk, reversi};
use players::Instance;

/// What is done with a game once its type is known.
pub(crate) trait Visit {
    /// What comes of it.
    type Result;
    /// Does it.
    fn visit<G: Instance>(self, game: G) -> Self::Result;
}

type Visited<V> = Result<<V as Visit>::Result, TextError>;

/// The game of a spec, for whoever visits it; `None` if there is no such family.
pub(crate) fn visit<V: Visit>(spec: &Spec, visitor: V) -> Option<Visited<V>> {
    Some(match spec.name.as_str() {
        "mnk" => visit_mnk(spec, visitor),
        "reversi" => visit_reversi(spec, visitor),
        "draughts" => visit_draughts(spec, visitor),
        "go" => visit_go(spec, visitor),
        "chess" => visit_chess(spec, visitor),
        _ => return None,
    })
}

type LineGame<B> = mnk::Mnk<mnk::RunShape, B>;

fn visit_go<V: Visit>(spec: &Spec, visitor: V) -> Visited<V> {
    let parameters = go::Parameters::from_spec(spec)?;
    Ok(match parameters.storage() {
        go::Storage::U64 => visitor.visit(go::Go::<u64>::new(parameters)),
        go::Storage::U128 => visitor.visit(go::Go::<u128>::new(parameters)),
        go::Storage::Wide => visitor.visit(go::Go::<go::Wide>::new(parameters)),
    })
}

fn visit_chess<V: Visit>(spec: &Spec, visitor: V) -> Visited<V> {
    let parameters = chess::Parameters::from_spec(spec)?;
    Ok(visitor.visit(chess::Chess::new(parameters)))
}

/// The variants that most people play have code of their own, in which no switch is left; all others share
/// one.
fn visit_draughts<V: Visit>(spec: &Spec, visitor: V) -> Visited<V> {
    let parameters = draughts::Parameters::from_spec(spec)?;
    if let Some(game) = draughts::Draughts::<draughts::English>::new(parameters) {
        return Ok(visitor.visit(game));
    }
    if let Some(game) = draughts::Draughts::<draughts::International>::new(parameters) {
        return Ok(visitor.visit(game));
    }
    if let Some(game) = draughts::Draughts::<draughts::Russian>::new(parameters) {
        return Ok(visitor.visit(game));
    }
    match draughts::Draughts::<draughts::AnyRules>::new(parameters) {
        Some(game) => Ok(visitor.visit(game)),
        None => Err(spec.error("no rules serve these switches")),
    }
}

fn visit_reversi<V: Visit>(spec: &Spec, visitor: V) -> Visited<V> {
    let parameters = reversi::Parameters::from_spec(spec)?;
    Ok(visitor.visit(reversi::Reversi::new(parameters)))
}

fn visit_mnk<V: Visit>(spec: &Spec, visitor: V) -> Visited<V> {
    let parameters = mnk::Parameters::from_spec(spec)?;
    Ok(match parameters.storage() {
        mnk::Storage::U16 | mnk::Storage::U32 => {
            visitor.visit(LineGame::<mnk::WordBoard<u32>>::new(&parameters))
        }
        mnk::Storage::U64 => visitor.visit(LineGame::<mnk::WordBoard<u64>>::new(&parameters)),
        mnk::Storage::U128 => visitor.visit(LineGame::<mnk::WordBoard<u128>>::new(&parameters)),
        mnk::Storage::Lines => visitor.visit(LineGame::<mnk::LineBoard>::new(&parameters)),
    })
}
