//! The evaluation that a bot's choice of weights means in a game.

use std::error::Error;
use std::{fmt, fs, io};

use evaluation::weights::{self, Tunable};
use game::{Rng, TextError, mix, shown};
use games::Tuned;
use play::{Algorithm, PlayerError, WeightsChoice};

/// How far random weights may be from the usual ones, in per cent.
const REACH: u32 = 100;

/// Why there is no evaluation as chosen. Prints as one line.
#[derive(Debug)]
pub enum WeightsError {
    /// The game has none of that name.
    Unknown {
        /// The family of games.
        game: String,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A file of weights cannot be read.
    Unread {
        /// The file.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// What stands in the file is wrong.
    InFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: TextError,
    },
    /// The weights that came with the program are wrong.
    Tuned(TextError),
    /// A text of weights is wrong.
    Text(TextError),
    /// A text holds the weights of another evaluation.
    Other {
        /// The text's.
        found: &'static str,
        /// What was expected.
        wanted: &'static str,
    },
    /// The evaluation has no numbers that could be changed.
    NoWeights {
        /// The family of games.
        game: &'static str,
        /// The evaluation.
        name: String,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Unknown { game, name, known } => {
                let (name, names) = (shown(name), known.join(", "));
                write!(f, "{game} has no evaluation {name}; there are {names}")
            }
            WeightsError::Unread { file, error } => write!(f, "cannot read {file}: {error}"),
            WeightsError::InFile { file, error } => write!(f, "{file}: {error}"),
            WeightsError::Tuned(error) => write!(f, "the tuned weights: {error}"),
            WeightsError::Text(error) => error.fmt(f),
            WeightsError::Other { found, wanted } => {
                write!(f, "weights of {found}; those of {wanted} would be right")
            }
            WeightsError::NoWeights { game, name } => {
                write!(f, "the evaluation {name} of {game} has no weights to play with")
            }
        }
    }
}

// What is wrapped is printed already: a source would say it twice.
impl Error for WeightsError {}

impl From<WeightsError> for PlayerError {
    fn from(error: WeightsError) -> PlayerError {
        PlayerError::other(error)
    }
}

/// The evaluation that was chosen.
///
/// # Errors
/// If there is none of that name, or the file is wrong.
pub(crate) fn chosen<T: Tunable>(
    choice: &WeightsChoice,
    game: &str,
    tuned: Option<Tuned>,
    algorithm: Algorithm,
    seed: u64,
) -> Result<T, WeightsError> {
    match (choice, tuned) {
        (WeightsChoice::Usual, Some(tuned)) if tuned.usual && !is_classic(algorithm) => {
            read_tuned(tuned, game)
        }
        (WeightsChoice::Named(name), Some(tuned)) if name == TUNED => read_tuned(tuned, game),
        (WeightsChoice::Usual, _) => Ok(usual(algorithm)),
        (WeightsChoice::Named(name), _) => T::named(name).ok_or_else(|| {
            let names = T::NAMES.iter().copied().chain(tuned.map(|_| TUNED));
            let (game, name) = (game.to_owned(), name.clone());
            WeightsError::Unknown { game, name, known: names.collect() }
        }),
        (WeightsChoice::Random, _) => {
            let mut evaluation = usual(algorithm);
            weights::draw(&mut evaluation, REACH, &mut Rng::new(mix(seed)));
            Ok(evaluation)
        }
        (WeightsChoice::File(file), _) => {
            let unread = |error| WeightsError::Unread { file: file.clone(), error };
            let text = fs::read_to_string(file).map_err(unread)?;
            weights::read(game, &text)
                .map_err(|error| WeightsError::InFile { file: file.clone(), error })
        }
    }
}

/// What weights found by machine are named by.
const TUNED: &str = "tuned";

fn read_tuned<T: Tunable>(tuned: Tuned, game: &str) -> Result<T, WeightsError> {
    weights::read(game, tuned.text).map_err(WeightsError::Tuned)
}

fn is_classic(algorithm: Algorithm) -> bool {
    Algorithm::CLASSIC.contains(&algorithm)
}

/// The default evaluation of a search, where nothing was [`Tuned`].
pub fn usual<T: Tunable>(algorithm: Algorithm) -> T {
    let classic = Some("classic").filter(|_| is_classic(algorithm));
    let named = classic.and_then(T::named).or_else(|| T::named(T::NAMES[0]));
    named.expect("an evaluation that is listed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Playable;
    use games::chess::{self, Chess};
    use games::draughts::{AnyRules, Draughts, DraughtsEvaluation, English, Russian, Variant};
    use games::reversi::{self, Reversi};

    fn shipped<G: Playable>(family: &str, game: &G) -> Option<[String; 3]> {
        let tuned = game.tuned()?;
        let text = |choice: &WeightsChoice, algorithm| {
            let evaluation: G::Heuristics =
                chosen(choice, family, Some(tuned), algorithm, 1).unwrap();
            weights::write(family, &evaluation)
        };
        let named = WeightsChoice::read("tuned").unwrap();
        Some([
            text(&named, Algorithm::Playing),
            text(&WeightsChoice::Usual, Algorithm::Playing),
            text(&WeightsChoice::Usual, Algorithm::NegaScout),
        ])
    }

    /// What ships can be read, is the default of bots, and is not what the classic searches compare with.
    #[test]
    fn tuned_weights_are_read_and_usual() {
        let english = Draughts::<English>::new(Variant::English.into()).unwrap();
        let by_hand = weights::write("draughts", &DraughtsEvaluation::named("classic").unwrap());
        let [named, usual, classic] = shipped("draughts", &english).unwrap();
        assert_eq!(named, usual);
        assert!(named != by_hand && classic == by_hand);
        let before = weights::write("chess", &chess::ChessEvaluation::named("classic").unwrap());
        let [named, usual, classic] = shipped("chess", &Chess::default()).unwrap();
        assert_eq!(named, usual);
        assert!(named != before && classic == before);
        let russian = Draughts::<Russian>::new(Variant::Russian.into()).unwrap();
        let [named, usual, _] = shipped("draughts", &russian).unwrap();
        assert!(named != by_hand && usual == by_hand, "nobody has shown that they are stronger");
        let before = weights::write("reversi", &reversi::ReversiEvaluation::default());
        let [named, usual, _] = shipped("reversi", &Reversi::default()).unwrap();
        assert!(named != before && usual == before);
        let frisian = Draughts::<AnyRules>::new(Variant::Frisian.into()).unwrap();
        assert!(shipped("draughts", &frisian).is_none());
        let tuned = WeightsChoice::read("tuned").unwrap();
        let error = chosen::<DraughtsEvaluation>(&tuned, "draughts", None, Algorithm::Playing, 1);
        assert!(error.unwrap_err().to_string().contains("no evaluation tuned"));
    }
}
