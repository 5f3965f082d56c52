//! Texts that readers must stand: names of games, right and wrong, and anything at all.

use std::fmt::{Debug, Display};

use crate::rng::Rng;
use crate::shown::quote;
use crate::spec::Spec;
use crate::text_error::TextError;

/// Each name on the left is read and written as the one on the right, which reads as the same game.
///
/// # Panics
/// Where that does not hold.
pub fn names_round_trip<P: Debug + Display + PartialEq>(
    read: impl Fn(&Spec) -> Result<P, TextError>,
    names: &[(&str, &str)],
) {
    let read = |text: &str| match Spec::parse(text).and_then(|spec| read(&spec)) {
        Ok(parameters) => parameters,
        Err(error) => panic!("{error}"),
    };
    for &(name, canonical) in names {
        let parameters = read(name);
        assert_eq!(parameters.to_string(), canonical, "{name}");
        assert_eq!(read(canonical), parameters, "{name} and {canonical}");
    }
}

/// Each name on the left is refused in one line, which begins with it and says what would be right, as
/// on the right.
///
/// # Panics
/// Where that does not hold.
pub fn names_are_refused<P: Debug>(
    read: impl Fn(&Spec) -> Result<P, TextError>,
    names: &[(&str, &str)],
) {
    for &(name, right) in names {
        let error = match Spec::parse(name).and_then(|spec| read(&spec)) {
            Ok(parameters) => panic!("{name} is read as {parameters:?}"),
            Err(error) => error,
        };
        assert_eq!(error.text(), name);
        assert!(error.why().contains(right), "{error}");
        let line = error.to_string();
        assert!(line.starts_with(&quote(name)) && !line.contains('\n'), "{line}");
    }
}

/// A text of the corpus, changed in up to three places: a byte overwritten or dropped, a piece put in,
/// the rest cut off, or the end of another text added.
pub fn mutated<T: AsRef<str>>(rng: &mut Rng, corpus: &[T], pieces: &[&str]) -> String {
    let mut bytes = corpus[rng.below(corpus.len())].as_ref().as_bytes().to_vec();
    for _ in 0..rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(5) {
            0 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => drop(bytes.splice(at..at, pieces[rng.below(pieces.len())].bytes())),
            3 => bytes.truncate(at),
            _ => {
                let other = corpus[rng.below(corpus.len())].as_ref().as_bytes();
                bytes.extend_from_slice(&other[rng.below(other.len() + 1)..]);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
