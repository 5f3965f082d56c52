//! The one list of games: text → rules → a [`Workbench`].

mod workbench;

pub use workbench::{Analysis, Perft, Workbench};

use game::{Family, TextError};

/// All families, in the order people meet them.
#[must_use]
pub fn families() -> &'static [&'static Family] {
    &[]
}

/// Reads the name of a game and sets it up at its start.
pub fn open(spec: &str) -> Result<Box<dyn Workbench>, TextError> {
    Err(TextError::new(spec, "soon"))
}
