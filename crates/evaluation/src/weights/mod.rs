//! [`Tunable`]: evaluations whose numbers have names, so that they can be written, read, drawn and
//! compared.
//!
//! An evaluation declares each of its numbers once, as a field, and shows it once, in
//! [`each_weight`](Tunable::each_weight). Everything here goes through that one visitor and knows
//! nothing else of the evaluation.
//!
//! **Invariants:** the names of an evaluation differ, and come in the same order whatever the
//! numbers are; with every number in its [range](Tunable::range) an evaluation neither overflows
//! nor panics.

mod sheet;
mod text;

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::heuristics::Blind;
use crate::tapered::Tapered;
use game::Rng;
pub use sheet::{Entry, Sheet};
pub use text::{family_in, read, read_older, write};

/// No weight is larger, unless its evaluation says so: sums of a few hundred still fit a score.
pub const LIMIT: i32 = 5_000;

/// What is shown a name, such as `material.knight.opening`, and the number it stands for.
pub type Visit<'a> = dyn FnMut(&str, &mut i32) + 'a;

/// Heuristics with numbers that can be changed.
///
/// ```
/// use evaluation::weights::{self, Tunable, Visit};
///
/// /// What a man and a king are worth.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Material {
///     man: i32,
///     king: i32,
/// }
///
/// impl Tunable for Material {
///     const NAMES: &'static [&'static str] = &["material"];
///
///     fn named(name: &str) -> Option<Material> {
///         (name == "material").then_some(Material { man: 100, king: 130 })
///     }
///     fn name(&self) -> &'static str {
///         "material"
///     }
///     fn each_weight(&mut self, visit: &mut Visit<'_>) {
///         visit("man", &mut self.man);
///         visit("king", &mut self.king);
///     }
/// }
///
/// let usual = Material::named("material").unwrap();
/// let text = weights::write("draughts", &usual);
/// let changed: Material = weights::read("draughts", &text.replace("king 130", "king 150")).unwrap();
/// assert_eq!(changed, Material { man: 100, king: 150 });
/// ```
pub trait Tunable: Clone {
    /// The evaluations there are; the first is the usual one.
    const NAMES: &'static [&'static str];

    /// Numbers that files may lack since they came later; then they are the usual ones.
    const ADDED: &'static [&'static str] = &[];

    /// The evaluation of that name, with the numbers it has if nobody changes them.
    fn named(name: &str) -> Option<Self>;

    /// Which of [`NAMES`](Tunable::NAMES) this is.
    fn name(&self) -> &'static str;

    /// Shows every number once, always in the same order. Names are made of small letters, digits,
    /// `_` and points.
    fn each_weight(&mut self, visit: &mut Visit<'_>);

    /// What the number of that name may be.
    #[must_use]
    fn range(_name: &str) -> RangeInclusive<i32> {
        -LIMIT..=LIMIT
    }
}

impl Tunable for Blind {
    const NAMES: &'static [&'static str] = &["blind"];

    fn named(name: &str) -> Option<Blind> {
        (name == "blind").then_some(Blind)
    }

    fn name(&self) -> &'static str {
        "blind"
    }

    fn each_weight(&mut self, _: &mut Visit<'_>) {}
}

/// A field that holds one number or a few.
pub trait Weight {
    /// Shows what it holds, under this name or names that begin with it.
    fn show(&mut self, name: &str, visit: &mut Visit<'_>);
}

impl Weight for i32 {
    fn show(&mut self, name: &str, visit: &mut Visit<'_>) {
        visit(name, self);
    }
}

impl Weight for Tapered {
    fn show(&mut self, name: &str, visit: &mut Visit<'_>) {
        let (mut opening, mut endgame) = (self.opening(), self.endgame());
        visit(&format!("{name}.opening"), &mut opening);
        visit(&format!("{name}.endgame"), &mut endgame);
        *self = Tapered::new(opening, endgame);
    }
}

/// Shows an array of fields, each under the name of its place.
pub fn show_all(
    name: &str,
    places: impl IntoIterator<Item = impl Display>,
    weights: &mut [impl Weight],
    visit: &mut Visit<'_>,
) {
    let mut shown = 0;
    for (place, weight) in places.into_iter().zip(weights.iter_mut()) {
        weight.show(&format!("{name}.{place}"), visit);
        shown += 1;
    }
    debug_assert_eq!(shown, weights.len(), "places of {name} without a name");
}

/// All numbers with their names.
pub fn list<T: Tunable>(evaluation: &T) -> Vec<(String, i32)> {
    let mut list = Vec::new();
    evaluation.clone().each_weight(&mut |name, weight| list.push((name.to_owned(), *weight)));
    list
}

/// How many numbers there are.
pub fn count<T: Tunable>(evaluation: &T) -> usize {
    list(evaluation).len()
}

/// A number that two evaluations do not agree in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As in [`Tunable::each_weight`].
    pub name: String,
    /// The number in the first of two evaluations.
    pub one: i32,
    /// The number in the second.
    pub other: i32,
}

/// The numbers of both evaluations that differ.
pub fn differences<T: Tunable>(one: &T, other: &T) -> Vec<Difference> {
    let others = list(other);
    let pairs = list(one).into_iter().filter_map(|(name, one)| {
        let &(_, other) = others.iter().find(|(theirs, _)| *theirs == name)?;
        (one != other).then_some(Difference { name, one, other })
    });
    pairs.collect()
}

/// Draws every number anew, each value in reach with the same chance: so many per cent of its size
/// to either side, where small numbers count as [`LEAST_SIZE`].
pub fn draw<T: Tunable>(evaluation: &mut T, percent: u32, rng: &mut Rng) {
    evaluation.each_weight(&mut |name, weight| {
        let range = T::range(name);
        let size = i64::from(weight.unsigned_abs()).max(LEAST_SIZE);
        let reach = size * i64::from(percent) / 100;
        let kept = |n: i64| n.clamp(i64::from(*range.start()), i64::from(*range.end()));
        let (low, high) = (kept(i64::from(*weight) - reach), kept(i64::from(*weight) + reach));
        *weight = (low + rng.below((high - low + 1) as usize) as i64) as i32;
    });
}

/// What a number counts at least when it is drawn anew: else a nought would stay one.
pub const LEAST_SIZE: i64 = 5;
