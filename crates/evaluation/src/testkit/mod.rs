//! What every evaluation and every set of weights must keep to, checked over random games.

mod evaluation;
mod weights;

pub use evaluation::evaluation_conforms;
pub use weights::weights_conform;
