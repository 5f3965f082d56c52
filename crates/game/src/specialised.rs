//! [`Specialised`]: parameters that rules read in every move, known at run time or when compiling.

use std::fmt::Debug;

/// Where rules find their parameters. The same code serves any game of a family, with the values in fields, or is
/// compiled for one game, in which every value is a constant and nothing is left of what depends on it.
///
/// A family has one type for each of the two ways, and adds short names for its values by a trait of its own on top of
/// this.
pub trait Specialised: Copy + Eq + Debug + Send + Sync + 'static {
    /// The parameters as plain data.
    type Values: Copy + Eq + Debug;

    /// What the compiler knows: all values or none.
    const FIXED: Option<Self::Values>;

    /// For a game with these values; `None` if this type is made for others.
    fn with(values: Self::Values) -> Option<Self>;

    /// The values; those of [`FIXED`](Specialised::FIXED), if they are known.
    fn values(&self) -> Self::Values;
}
