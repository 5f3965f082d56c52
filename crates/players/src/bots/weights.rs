//! Which evaluation a bot has.

use std::fmt;
use std::fs;

use game::weights::{self, Tunable};
use game::{Rng, mix};
use search::Algorithm;

/// How far random weights may be from the usual ones, in per cent.
const REACH: u32 = 100;

/// What a bot thinks of positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// What suits the game: the classic evaluation for the classic searches, else the best there is.
    #[default]
    Usual,
    /// The evaluation of this name.
    Named(String),
    /// Drawn anew for each game.
    Random,
    /// Read from a file; names of evaluations have no point or slash in them.
    File(String),
}

impl Weights {
    /// A name, a file or random.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn read(text: &str) -> Result<Weights, String> {
        match text {
            "" => Err("weights are the name of an evaluation, a file, or random".to_owned()),
            "random" => Ok(Weights::Random),
            file if file.contains(['.', '/', '\\']) => Ok(Weights::File(file.to_owned())),
            name => Ok(Weights::Named(name.to_owned())),
        }
    }

    /// The evaluation itself.
    ///
    /// # Errors
    /// If there is none of that name, or the file is wrong.
    pub(crate) fn evaluation<T: Tunable>(
        &self,
        game: &str,
        algorithm: Algorithm,
        seed: u64,
    ) -> Result<T, String> {
        match self {
            Weights::Usual => Ok(usual(algorithm)),
            Weights::Named(name) => T::named(name).ok_or_else(|| {
                let names = T::NAMES.join(", ");
                format!("{game} has no evaluation {name}; there are {names}")
            }),
            Weights::Random => {
                let mut evaluation = usual(algorithm);
                weights::draw(&mut evaluation, REACH, &mut Rng::new(mix(seed)));
                Ok(evaluation)
            }
            Weights::File(file) => {
                let text =
                    fs::read_to_string(file).map_err(|e| format!("cannot read {file}: {e}"))?;
                weights::read(game, &text).map_err(|e| format!("{file}: {e}"))
            }
        }
    }
}

/// The evaluation that a search goes with unless told otherwise.
pub fn usual<T: Tunable>(algorithm: Algorithm) -> T {
    let classic = Some("classic").filter(|_| Algorithm::CLASSIC.contains(&algorithm));
    let named = classic.and_then(T::named).or_else(|| T::named(T::NAMES[0]));
    named.expect("an evaluation that is listed")
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Weights::Usual => "usual",
            Weights::Named(text) | Weights::File(text) => text,
            Weights::Random => "random",
        })
    }
}
