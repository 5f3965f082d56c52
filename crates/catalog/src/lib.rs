//! The one list of games: text → [`CompiledGame`].
//!
//! Front ends know no game; they ask here. A family is one [`Registration`]: those of the program
//! stand in one list below, and [`register`] adds one from elsewhere before anything is opened.

mod cache;
mod listing;
mod measured;
#[cfg(feature = "testkit")]
pub mod testkit;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cache::Cache;
use compiled::{CompiledGame, Registration, SolverVersion};
use game::{Family, Spec, TextError};

pub use listing::{
    FamilyEntry, KeywordEntry, KindEntry, ParameterEntry, PresetEntry, SizesEntry, VariantEntry,
};
pub use measured::{solved, steps};

/// In the order people meet them.
static STANDARD: [&Registration; 5] = [
    &family_mnk::REGISTRATION,
    &family_reversi::REGISTRATION,
    &family_draughts::REGISTRATION,
    &family_go::REGISTRATION,
    &family_chess::REGISTRATION,
];

/// What [`register`] was given before the catalog was made.
static REGISTERED: Mutex<Vec<&'static Registration>> = Mutex::new(Vec::new());
static CATALOG: OnceLock<Catalog> = OnceLock::new();

/// The families of the program, and those that were registered before this was called first.
pub fn standard() -> &'static Catalog {
    CATALOG.get_or_init(|| {
        let added = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        Catalog::new(&[&STANDARD[..], &added].concat())
    })
}

/// Adds a family to those of the program, for everything that opens games by [`open`].
///
/// # Errors
/// If the catalog was used already.
pub fn register(family: &'static Registration) -> Result<(), RegisteredTooLate> {
    let mut added = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    match CATALOG.get() {
        Some(_) => Err(RegisteredTooLate(family.family.name)),
        None => {
            added.push(family);
            Ok(())
        }
    }
}

/// A family that was registered after the catalog was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisteredTooLate(&'static str);

impl fmt::Display for RegisteredTooLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was registered after a game was opened; register it first", self.0)
    }
}

impl std::error::Error for RegisteredTooLate {}

/// All families, in the order people meet them.
pub fn families() -> impl Iterator<Item = &'static Family> {
    standard().families()
}

/// Reads the name of a game, `family[:argument,…]` or a preset.
///
/// ```
/// let mut table = catalog::open("tictactoe").unwrap().session();
/// table.play("b2").unwrap();
/// assert_eq!(table.moves().len(), 8);
/// assert_eq!(catalog::open("connect4:k=5").unwrap().facts().spec, "mnk:6x7,k=5,gravity");
/// assert!(catalog::open("reversi:7x7").is_err());
/// ```
///
/// # Errors
/// If there is no such game.
pub fn open(text: &str) -> Result<Arc<dyn CompiledGame>, TextError> {
    standard().open(text)
}

/// The game that most engines of a protocol play, by the protocol's name.
pub fn usual_game(protocol: &str) -> Option<&'static str> {
    standard().usual_game(protocol)
}

/// The version of the solver of a family, by the family's name, if it has one.
pub fn solver_version(family: &str) -> Option<SolverVersion> {
    standard().solver_version(family)
}

/// A list of families, and the games of them that were opened last.
#[derive(Debug)]
pub struct Catalog {
    registrations: Vec<&'static Registration>,
    opened: Cache,
}

impl Catalog {
    /// Of these families; [`standard`] has those of the program.
    #[must_use]
    pub fn new(registrations: &[&'static Registration]) -> Catalog {
        Catalog { registrations: registrations.to_vec(), opened: Cache::default() }
    }

    /// All families, in the order people meet them.
    pub fn families(&self) -> impl Iterator<Item = &'static Family> {
        self.registrations.iter().map(|registration| registration.family)
    }

    /// Reads the name of a game, `family[:argument,…]` or a preset. A game that was opened lately is
    /// the same one again.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn open(&self, text: &str) -> Result<Arc<dyn CompiledGame>, TextError> {
        self.opened.find_or_open(text, || self.compile(text))
    }

    /// The game that most engines of a protocol play, by the protocol's name.
    #[must_use]
    pub fn usual_game(&self, protocol: &str) -> Option<&'static str> {
        let mut all = self.registrations.iter().flat_map(|known| known.played_in);
        all.find(|(name, _)| *name == protocol).map(|&(_, game)| game)
    }

    /// The version of the solver of a family, by the family's name, if it has one.
    #[must_use]
    pub fn solver_version(&self, family: &str) -> Option<SolverVersion> {
        let known = self.registrations.iter().find(|known| known.family.name == family)?;
        Some(known.solver).filter(|&version| version != SolverVersion::default())
    }

    fn compile(&self, text: &str) -> Result<Arc<dyn CompiledGame>, TextError> {
        let given = Spec::parse(text)?;
        let mut presets = self.families().flat_map(|family| family.presets);
        let spec = match presets.find(|preset| preset.name == given.name) {
            Some(preset) => given.on_top_of(Spec::parse(preset.spec)?),
            None => given,
        };
        match self.registrations.iter().find(|known| known.family.name == spec.name) {
            Some(known) => (known.open)(&spec),
            None => {
                let names = self.names().join(", ");
                Err(spec.error(format!("there is no such game; there are {names}")))
            }
        }
    }

    /// All that may stand before the colon.
    fn names(&self) -> Vec<&'static str> {
        self.families()
            .flat_map(|family| {
                std::iter::once(family.name).chain(family.presets.iter().map(|preset| preset.name))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> String {
        open(text).unwrap().facts().spec.clone()
    }

    #[test]
    fn every_preset_opens_and_its_spec_round_trips() {
        let presets: Vec<_> = families().flat_map(|family| family.presets).collect();
        assert!(presets.len() >= 6);
        for preset in presets {
            let own = spec(preset.name);
            assert_eq!(spec(preset.spec), own);
            assert_eq!(spec(&own), own);
        }
    }

    #[test]
    fn a_game_is_opened_once() {
        let catalog = Catalog::new(&STANDARD);
        let (one, two) = (catalog.open("tictactoe").unwrap(), catalog.open("tictactoe").unwrap());
        assert!(Arc::ptr_eq(&one, &two));
        assert!(Arc::ptr_eq(&one, &catalog.open(&one.facts().spec).unwrap()));
        for size in 1..=200 {
            catalog.open(&format!("mnk:1x{size},k=1")).unwrap();
        }
        assert!(!Arc::ptr_eq(&one, &catalog.open("tictactoe").unwrap()), "they are forgotten");
    }

    #[test]
    fn a_catalog_knows_its_own_families_alone() {
        let catalog = Catalog::new(&[&family_go::REGISTRATION]);
        assert!(catalog.open("go:5x5").is_ok());
        let error = catalog.open("chess").err().unwrap();
        assert!(error.why().starts_with("there is no such game; there are go"), "{error}");
        assert_eq!(register(&family_go::REGISTRATION).is_err(), CATALOG.get().is_some());
    }
}
