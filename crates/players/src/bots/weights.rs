//! Which evaluation a bot has.

use std::fmt;
use std::fs;

use evaluation::weights::{self, Tunable};
use game::{Rng, mix, shown};
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
        tuned: Option<Tuned>,
        algorithm: Algorithm,
        seed: u64,
    ) -> Result<T, String> {
        match (self, tuned) {
            (Weights::Usual, Some(tuned)) if tuned.usual && !is_classic(algorithm) => {
                tuned.read(game)
            }
            (Weights::Named(name), Some(tuned)) if name == TUNED => tuned.read(game),
            (Weights::Usual, _) => Ok(usual(algorithm)),
            (Weights::Named(name), _) => T::named(name).ok_or_else(|| {
                let names = T::NAMES.iter().copied().chain(tuned.map(|_| TUNED));
                let names: Vec<&str> = names.collect();
                let (name, names) = (shown(name), names.join(", "));
                format!("{game} has no evaluation {name}; there are {names}")
            }),
            (Weights::Random, _) => {
                let mut evaluation = usual(algorithm);
                weights::draw(&mut evaluation, REACH, &mut Rng::new(mix(seed)));
                Ok(evaluation)
            }
            (Weights::File(file), _) => {
                let text =
                    fs::read_to_string(file).map_err(|e| format!("cannot read {file}: {e}"))?;
                weights::read(game, &text).map_err(|e| format!("{file}: {e}"))
            }
        }
    }
}

/// What weights found by machine are named by.
const TUNED: &str = "tuned";

/// Weights that were found by machine for a game, as text that begins with how.
#[derive(Clone, Copy, Debug)]
pub struct Tuned {
    /// The text, as in a file.
    pub text: &'static str,
    /// Whether they have shown that they are stronger, so that bots have them unless told.
    pub usual: bool,
}

impl Tuned {
    fn read<T: Tunable>(&self, game: &str) -> Result<T, String> {
        weights::read(game, self.text).map_err(|e| format!("the tuned weights: {e}"))
    }
}

fn is_classic(algorithm: Algorithm) -> bool {
    Algorithm::CLASSIC.contains(&algorithm)
}

/// The evaluation that a search goes with unless told otherwise, or something was [`Tuned`].
pub fn usual<T: Tunable>(algorithm: Algorithm) -> T {
    let classic = Some("classic").filter(|_| is_classic(algorithm));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::Instance;
    use games::chess::{self, Chess};
    use games::draughts::{AnyRules, Draughts, English, Evaluation, Russian, Variant};
    use games::reversi::{self, Reversi};

    fn shipped<G: Instance>(family: &str, game: &G) -> Option<[String; 3]> {
        let tuned = game.tuned()?;
        let text = |weights: &Weights, algorithm| {
            let evaluation: G::Heuristics =
                weights.evaluation(family, Some(tuned), algorithm, 1).unwrap();
            weights::write(family, &evaluation)
        };
        let named = Weights::read("tuned").unwrap();
        Some([
            text(&named, Algorithm::Playing),
            text(&Weights::Usual, Algorithm::Playing),
            text(&Weights::Usual, Algorithm::NegaScout),
        ])
    }

    /// What ships can be read, is what bots have unless told, and is not what the classic searches compare with.
    #[test]
    fn tuned_weights_are_read_and_usual() {
        let english = Draughts::<English>::new(Variant::English.into()).unwrap();
        let by_hand = weights::write("draughts", &Evaluation::named("classic").unwrap());
        let [named, usual, classic] = shipped("draughts", &english).unwrap();
        assert_eq!(named, usual);
        assert!(named != by_hand && classic == by_hand);
        let before = weights::write("chess", &chess::Evaluation::named("classic").unwrap());
        let [named, usual, classic] = shipped("chess", &Chess::default()).unwrap();
        assert_eq!(named, usual);
        assert!(named != before && classic == before);
        let russian = Draughts::<Russian>::new(Variant::Russian.into()).unwrap();
        let [named, usual, _] = shipped("draughts", &russian).unwrap();
        assert!(named != by_hand && usual == by_hand, "nobody has shown that they are stronger");
        let before = weights::write("reversi", &reversi::Evaluation::default());
        let [named, usual, _] = shipped("reversi", &Reversi::default()).unwrap();
        assert!(named != before && usual == before);
        let frisian = Draughts::<AnyRules>::new(Variant::Frisian.into()).unwrap();
        assert!(shipped("draughts", &frisian).is_none());
        let error = Weights::read("tuned").unwrap().evaluation::<Evaluation>(
            "draughts",
            None,
            Algorithm::Playing,
            1,
        );
        assert!(error.unwrap_err().contains("no evaluation tuned"));
    }
}
