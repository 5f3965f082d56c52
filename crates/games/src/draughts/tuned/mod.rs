//! Weights that were found by machine, as the files that `zermelo tune` wrote; each begins with the commands that made it.

use super::parameters::Parameters;
use super::variant::Variant;

/// Those for games of these parameters, whatever their draws, and whether they have shown that they are stronger than those set by
/// hand.
#[must_use]
pub fn tuned_weights(parameters: Parameters) -> Option<(&'static str, bool)> {
    match parameters.compiled()? {
        Variant::English => Some((include_str!("english.weights"), true)),
        Variant::International => Some((include_str!("international.weights"), true)),
        Variant::Russian => Some((include_str!("russian.weights"), false)),
        _ => None,
    }
}
