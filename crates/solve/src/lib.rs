//! Exact solving: the value of a game, by questions that are answered for certain, resumable at any moment.
//!
//! A [`Question`] is cut into questions that only know yes and no. Each is worked at in [units](Unit) of bounded size, chosen by a
//! [`Queue`] over the [`Tree`] of what is known near the root; what is found out goes into a [`Store`]. [`solve`] lets threads do the work.
//! Small games can be solved [strongly](strong): all their positions, in a table.
//!
//! **Invariants:** no game is named here; what is in the tree rests on no guess; with one thread and a given budget the same
//! work is done in the same order every time.

mod certify;
mod pairs;
mod question;
mod queue;
mod solver;
mod store;
pub mod strong;
mod tree;
mod unit;

pub use certify::{CertifyError, Certifying, certify};
pub use pairs::cannot_win;
pub use question::{Bounds, Question};
pub use queue::{Finding, Queue, Unit};
pub use solver::{Options, Progress, Solution, SolveError, solve};
pub use store::{Row, Spent, Store, StoreError};
pub use tree::{Known, Manner, Place, ROOT, Sight, Tree};
pub use unit::{Method, Problem, Proof};
