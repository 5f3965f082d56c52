//! Weights that were found by machine, as the files that `zermelo tune` wrote; each begins with the commands that made it.

use super::parameters::Parameters;
use super::variant::Variant;

/// Those for games of these parameters, whatever their draws.
#[must_use]
pub fn tuned_weights(parameters: Parameters) -> Option<&'static str> {
    match parameters.compiled()? {
        Variant::English => Some(include_str!("english.weights")),
        Variant::International => Some(include_str!("international.weights")),
        _ => None,
    }
}
