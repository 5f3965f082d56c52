//! `chess` and `chess:fischer=518`: what can be chosen, and its canonical text.

use std::fmt;

use game::{Arguments, Family, Omitted, Parameter, ParameterKind, Spec, TextError};

use super::board::Kind;

/// Everything there is to say about the family.
pub const FAMILY: Family = Family {
    name: "chess",
    summary: "Mate the other's king; Fischer random starts too",
    variants: &[],
    parameters: &[Parameter {
        name: "fischer",
        kind: ParameterKind::Number { low: 0, high: FISCHER_STARTS - 1 },
        omitted: Omitted::Described("the usual start"),
        meaning: "the start by its number in Scharnagl's list, where 518 is the usual one; \
                  castling is then written as king takes rook",
    }],
    protocols: &["uci"],
    presets: &[],
    offered: &[],
};

/// How many starts Fischer random chess has.
pub const FISCHER_STARTS: usize = 960;
const USUAL_START: usize = 518;

/// The parameters of one game of the family. Prints as the game's canonical name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parameters {
    fischer: Option<u16>,
}

impl Parameters {
    /// Fischer random chess from the start with this number; `None` unless it is below
    /// [`FISCHER_STARTS`]. The usual game is the [`default`](Parameters::default).
    #[must_use]
    pub fn fischer(number: usize) -> Option<Parameters> {
        (number < FISCHER_STARTS).then_some(Parameters { fischer: Some(number as u16) })
    }

    /// Reads the arguments of a game's name; those left out have their defaults.
    pub fn from_spec(spec: &Spec) -> Result<Parameters, TextError> {
        let number = spec.arguments(&FAMILY)?.given("fischer", Arguments::number)?;
        Ok(Parameters { fischer: number.map(|n| n as u16) })
    }

    /// The number of the start, where one was given.
    #[must_use]
    pub fn fischer_number(self) -> Option<usize> {
        self.fischer.map(usize::from)
    }

    /// The pieces of each side at the start, from column a on.
    #[must_use]
    pub fn pieces(self) -> [Kind; 8] {
        scharnagl(self.fischer_number().unwrap_or(USUAL_START))
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FAMILY.name)?;
        match self.fischer {
            Some(number) => write!(f, ":fischer={number}"),
            None => Ok(()),
        }
    }
}

/// The start with a number (Reinhard Scharnagl's list): the bishops' squares, then the queen's
/// among those that are left, then both knights'; the king goes between the rooks.
fn scharnagl(number: usize) -> [Kind; 8] {
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut pieces = [None; 8];
    pieces[2 * light + 1] = Some(Kind::Bishop);
    pieces[2 * dark] = Some(Kind::Bishop);
    place(&mut pieces, queen, Kind::Queen);
    let [near, far] = KNIGHTS[knights];
    place(&mut pieces, far, Kind::Knight);
    place(&mut pieces, near, Kind::Knight);
    place(&mut pieces, 1, Kind::King);
    pieces.map(|piece| piece.unwrap_or(Kind::Rook))
}

/// Puts a piece on the empty square that has `n` empty ones before it.
fn place(pieces: &mut [Option<Kind>; 8], n: usize, kind: Kind) {
    if let Some(square) = pieces.iter_mut().filter(|piece| piece.is_none()).nth(n) {
        *square = Some(kind);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use game::testkit::{names_are_refused, names_round_trip};

    fn read(text: &str) -> Result<Parameters, TextError> {
        Parameters::from_spec(&Spec::parse(text).unwrap())
    }

    fn letters(parameters: Parameters) -> String {
        parameters.pieces().iter().map(|kind| kind.letter().to_ascii_uppercase()).collect()
    }

    #[test]
    fn canonical_names_round_trip() {
        let canonical = ["chess", "chess:fischer=0", "chess:fischer=518", "chess:fischer=959"];
        names_round_trip(Parameters::from_spec, &canonical.map(|name| (name, name)));
        assert_eq!(read("chess:fischer=007").unwrap().to_string(), "chess:fischer=7");
    }

    #[test]
    fn wrong_names_say_what_would_be_right() {
        names_are_refused(
            Parameters::from_spec,
            &[
                ("chess:fischer=960", "0 to 959"),
                ("chess:fischer=-1", "0 to 959"),
                ("chess:fischer=99999999999999999999", "0 to 959"),
                ("chess:fischer=", "0 to 959"),
                ("chess:fischer", "fischer=3"),
                ("chess:8x8", "takes fischer"),
            ],
        );
        assert_eq!(Parameters::fischer(960), None);
    }

    #[test]
    fn starts_are_those_of_the_list() {
        for (number, pieces) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(letters(Parameters::fischer(number).unwrap()), pieces);
        }
        assert_eq!(letters(Parameters::default()), "RNBQKBNR");
    }

    #[test]
    fn starts_keep_the_conditions_and_differ() {
        let mut seen = HashSet::new();
        for number in 0..FISCHER_STARTS {
            let pieces = letters(Parameters::fischer(number).unwrap());
            let places = |c| pieces.match_indices(c).map(|(at, _)| at).collect::<Vec<_>>();
            let (bishops, rooks, king) = (places('B'), places('R'), places('K')[0]);
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{pieces}");
            assert!(rooks[0] < king && king < rooks[1], "{pieces}");
            assert!(seen.insert(pieces));
        }
    }
}
