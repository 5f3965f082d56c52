//! The one list of games: text → rules → a [`Workbench`].
//!
//! Front ends know no game; they ask here. Adding a family means one line in `FAMILIES` and its
//! instances in `instances.rs`.

mod instances;
#[cfg(feature = "testkit")]
pub mod testkit;

use game::{Family, Spec, TextError};

pub use players::{Bot, Level, Perft, Workbench, bots};

type Open = fn(&Spec) -> Result<Box<dyn Workbench>, TextError>;

const FAMILIES: &[(&Family, Open)] = &[
    (&games::mnk::FAMILY, instances::open_mnk),
    (&games::reversi::FAMILY, instances::open_reversi),
    (&games::draughts::FAMILY, instances::open_draughts),
    (&games::go::FAMILY, instances::open_go),
    (&games::chess::FAMILY, instances::open_chess),
];

/// All families, in the order people meet them.
pub fn families() -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter().map(|(family, _)| *family)
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
    let given = Spec::parse(text)?;
    let preset =
        families().flat_map(|family| family.presets).find(|preset| preset.name == given.name);
    let spec = match preset {
        Some(preset) => given.on_top_of(Spec::parse(preset.spec)?),
        None => given,
    };
    match FAMILIES.iter().find(|(family, _)| family.name == spec.name) {
        Some((_, open)) => open(&spec),
        None => Err(TextError::new(
            text,
            format!("there is no such game; there are {}", names().join(", ")),
        )),
    }
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
