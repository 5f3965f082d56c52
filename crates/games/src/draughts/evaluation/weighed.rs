//! [`Weighed`]: evaluations that are weights of the [sixty features](Sixty) and nothing else.

use evaluation::Linear;

use crate::draughts::features::{COUNT, NAMES, Sixty};

/// Weights by the features' names; all others are 0.
type Given = &'static [(&'static str, i32)];

/// The evaluations with other numbers of the same names, and what those are if nobody changes them.
const SETS: [(&str, Given); 3] =
    [("features", MATERIAL), ("thesis", THESIS), ("material", MATERIAL)];

/// Men and kings, as tournament players count them, and nothing else.
const MATERIAL: Given =
    &[("own.men", 1000), ("own.kings", 1500), ("opposing.men", -1000), ("opposing.kings", -1500)];

/// The 29 weights that the thesis published, after it had dropped the features of low and medium priority.
const THESIS: Given = &[
    ("own.men", -27848),
    ("opposing.men", 22520),
    ("opposing.kings", -24912),
    ("own.men.wall", 25644),
    ("opposing.kings.wall", 27337),
    ("own.kings.movable", 4708),
    ("opposing.men.movable", 6119),
    ("own.moves", 21613),
    ("own.captures", -28692),
    ("own.longest_capture", -20989),
    ("opposing.capture_exists", -20551),
    ("opposing.longest_capture", -13876),
    ("opposing.men.distance", -24871),
    ("opposing.free_promotion_squares", -30665),
    ("own.men.middle", -24696),
    ("own.kings.middle", 26462),
    ("opposing.men.middle", -32375),
    ("own.kings.top", 27159),
    ("own.kings.lonely", -20871),
    ("opposing.kings.lonely", 11132),
    ("own.man_in_corner", -25605),
    ("own.king_in_corner", -32651),
    ("opposing.both_corners", 25836),
    ("own.triangle", -25839),
    ("own.oreo", 1326),
    ("opposing.oreo", -618),
    ("opposing.dog", 14026),
    ("opposing.blocking", 32446),
    ("opposing.block_lines", -28419),
];

/// The sixty features with weights, under a name.
#[derive(Clone, Copy, Debug)]
pub struct Weighed {
    /// Which of the evaluations that differ only in their numbers.
    pub(super) name: &'static str,
    /// The numbers.
    pub linear: Linear<Sixty, COUNT>,
}

impl Weighed {
    /// The one of that name.
    pub(super) fn named(name: &str) -> Option<Weighed> {
        let &(name, given) = SETS.iter().find(|(known, _)| *known == name)?;
        let weight = |feature: &str| {
            given.iter().find(|(known, _)| *known == feature).map_or(0, |&(_, weight)| weight)
        };
        Some(Weighed { name, linear: Linear::new(NAMES.map(weight)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_has_its_feature() {
        for (name, given) in SETS {
            let weighed = Weighed::named(name).unwrap();
            let nonzero = weighed.linear.weights.iter().filter(|&&weight| weight != 0);
            assert_eq!(nonzero.count(), given.len(), "{name}");
        }
        assert_eq!(THESIS.len(), 29);
    }
}
