//! [`CompiledGame`]: a game with everything that is compiled for it, behind one object-safe trait.
//!
//! The crates of the families make one of each type of their games by [`compile`]; whoever plays,
//! solves, tunes or shows games asks the catalog for it and knows no type. What a game is told by
//! [`Facts`](play::Facts); only what needs a position is asked of a [`CompiledSession`].

mod engine;
mod game;
mod implementation;
mod judge;
mod session;
mod solving;

pub use engine::{EngineSource, plain_name, session_engine};
pub use game::{CompiledGame, GameFiles, Registration, WeightSheets, WriteEngine, default_method};
pub use implementation::compile;
pub use judge::{Detail, Judge, Judged};
pub use session::{CompiledSession, Divided};
pub use solving::{
    Argued, CertificateTask, Exact, Solved, SolvingError, SolvingStage, SolvingTask, StoredAt,
};

pub use solve::message::SolverVersion;

pub use players::{WeightsError, duels, fitting_hash};
