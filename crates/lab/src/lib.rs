//! Experiments and what is shown of them.
//!
//! - [`compare`]: solvers and searches on the same positions, and whether they agree.
//! - [`crowds`]: a project among thousands of workers that are not there.
//! - [`branching`]: how large a game is, estimated by random games.
//! - [`speed`]: how fast generated engines are, with series, fitted curves and a page.
//! - [`weights`]: what weights of evaluations mean, what sessions of tuning agree on.
//!
//! All of them draw with [`plot`] and write pages with [`html`]: one escaping function, one style.
//! Nothing is printed here, and nothing is written to files.

pub mod bars;
pub mod branching;
pub mod compare;
pub mod crowds;
pub mod html;
mod platform;
pub mod plot;
pub mod speed;
pub mod weights;

pub use platform::{cpu_time, cpu_time_of_children};
