//! The one list of games: text → rules → a [`Workbench`].
//!
//! Front ends know no game; they ask here. Adding a family means one line in `FAMILIES` and its
//! instances in `instances.rs`.

mod instances;
mod judge;
mod listing;
mod solver;
#[cfg(feature = "testkit")]
pub mod testkit;

use game::{Family, Spec, TextError};
use instances::Visit;
use judge::CompiledJudge;
use play::GameSession;
use players::Instance;

pub use judge::{Detail, Judge, Judged};
pub use listing::{
    FamilyEntry, KeywordEntry, KindEntry, ParameterEntry, PresetEntry, SizesEntry, VariantEntry,
};
pub use solver::{Argued, Exact, Solved, Solver, Stage, Stored, Task};

pub use players::{Bot, Level, Perft, Workbench, bots, duels};

/// In the order people meet them. Their instances are in `instances.rs`.
const FAMILIES: &[&Family] = &[
    &games::mnk::FAMILY,
    &games::reversi::FAMILY,
    &games::draughts::FAMILY,
    &games::go::FAMILY,
    &games::chess::FAMILY,
];

/// All families, in the order people meet them.
pub fn families() -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter().copied()
}

/// Reads the name of a game, `family[:argument,…]` or a preset, and sets it up at its start.
///
/// ```
/// let mut table = catalog::open("tictactoe").unwrap();
/// table.play("b2").unwrap();
/// assert_eq!(table.moves().len(), 8);
/// assert_eq!(catalog::open("connect4:k=5").unwrap().spec(), "mnk:6x7,k=5,gravity");
/// assert!(catalog::open("reversi:7x7").is_err());
/// ```
pub fn open(text: &str) -> Result<Box<dyn Workbench>, TextError> {
    struct Play;
    impl Visit for Play {
        type Result = Box<dyn Workbench>;
        fn visit<G: Instance>(self, game: G) -> Box<dyn Workbench> {
            Box::new(GameSession::new(game))
        }
    }
    visit(text, Play)
}

/// The same for whoever solves it.
pub fn open_solver(text: &str) -> Result<Box<dyn Solver>, TextError> {
    struct Solve;
    impl Visit for Solve {
        type Result = Box<dyn Solver>;
        fn visit<G: Instance>(self, game: G) -> Box<dyn Solver> {
            Box::new(GameSession::new(game))
        }
    }
    visit(text, Solve)
}

/// Somebody who judges positions of a game by these weights, which are text as in a file.
///
/// # Errors
/// If there is no such game, or the weights are not for it.
pub fn open_judge(game: &str, weights: &str) -> Result<Box<dyn Judge>, TextError> {
    struct Judging<'a>(&'a str);
    impl Visit for Judging<'_> {
        type Result = Result<Box<dyn Judge>, TextError>;
        fn visit<G: Instance>(self, game: G) -> Self::Result {
            let family = game.spec();
            let judge = CompiledJudge::new(game, Spec::family_of(&family), self.0)?;
            Ok(Box::new(judge))
        }
    }
    visit(game, Judging(weights))?
}

fn visit<V: Visit>(text: &str, visitor: V) -> Result<V::Result, TextError> {
    let given = Spec::parse(text)?;
    let preset =
        families().flat_map(|family| family.presets).find(|preset| preset.name == given.name);
    let spec = match preset {
        Some(preset) => given.on_top_of(Spec::parse(preset.spec)?),
        None => given,
    };
    let unknown = || format!("there is no such game; there are {}", names().join(", "));
    let visited = instances::visit(&spec, visitor);
    visited.unwrap_or_else(|| Err(TextError::new(text, unknown())))
}

/// Everything that may stand before the colon.
fn names() -> Vec<&'static str> {
    families()
        .flat_map(|family| {
            std::iter::once(family.name).chain(family.presets.iter().map(|preset| preset.name))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_opens_and_its_spec_round_trips() {
        let presets: Vec<_> = families().flat_map(|family| family.presets).collect();
        assert!(presets.len() >= 6);
        for preset in presets {
            let spec = open(preset.name).unwrap().spec();
            assert_eq!(open(preset.spec).unwrap().spec(), spec);
            assert_eq!(open(&spec).unwrap().spec(), spec);
        }
    }
}
