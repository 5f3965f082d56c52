//! The classic searches, minimax, alpha-beta, `NegaScout` and MTD(f), and the playing search,
//! generic over the game.
//!
//! # The contract
//!
//! The four classic ones answer the same question. `value(p, d)` is what position `p` is worth for
//! the side to move, if both sides play their best for `d` more plies and unfinished positions are
//! then worth what the [`Evaluation`](evaluation::Evaluation) says; with `d` = to the end of the
//! game nothing is guessed, and neither is where somebody has no move left. Every algorithm, with
//! every combination of [`Techniques`], returns exactly this value: they differ only in how many
//! positions they look at. Inside, a search of the window `alpha < beta` returns `v` with
//!
//! ```text
//!   v <= alpha         : value(p, d) <= v      (an upper bound)
//!   alpha < v < beta   : value(p, d) == v
//!   v >= beta          : value(p, d) >= v      (a lower bound)
//! ```
//!
//! The playing search ([`Algorithm::Playing`]) and Monte-Carlo tree search ([`MonteCarloTree`]) make no such
//! promise: they guess which moves matter. Proof-number search ([`Prover`]) guesses nothing, and
//! may find no answer in time; the way to a win that it finds need not be the shortest.
//!
//! A [`Report`] is `exact` if the value is that of the whole game and not of a guess at the
//! horizon.
//!
//! Four searches of one position of tic-tac-toe, to the end of the game. They agree, and minimax
//! looks at most:
//!
//! ```
//! use evaluation::Blind;
//! use game::{Notation, Path, Spec, Value};
//! use games::mnk::{Mnk, Parameters, RunShape, WordBoard};
//! use play::Stop;
//! use search::{Algorithm, SearchRoot, Settings, search};
//!
//! let parameters = Parameters::from_spec(&Spec::parse("mnk:3x3,k=3")?)?;
//! let game = Mnk::<RunShape, WordBoard<u16>>::new(&parameters);
//! let position = game.read_position(".../.x./o.. x")?;
//! let from = SearchRoot { game: &game, position: &position, path: &Path::new(), among: &[] };
//!
//! let nodes = Algorithm::CLASSIC.map(|algorithm| {
//!     let settings = Settings { algorithm, hash_megabytes: 1, ..Settings::exhaustive() };
//!     let report = search(&from, Blind, &settings, &Stop::new(), &mut |_| {});
//!     assert_eq!((report.value, report.exact), (Some(Value::DRAW), true), "{algorithm}");
//!     report.nodes
//! });
//! assert!(nodes[1..].iter().all(|&fewer| fewer < nodes[0]), "{nodes:?}");
//! # Ok::<(), game::TextError>(())
//! ```
//!
//! **Invariants:** no game is named here; no allocation and no virtual call per node; the classic
//! searches look at a game whose rules [look back](game::Game::looks_back) without a table, since
//! its values may depend on the path.

#[cfg(feature = "study")]
mod alphabeta;
mod bounds;
mod budget;
#[cfg(feature = "study")]
mod classic;
mod context;
#[cfg(feature = "study")]
mod decide;
mod decisions;
mod deep_stack;
mod deepening;
mod driver;
mod fixed;
#[cfg(feature = "study")]
mod foresight;
mod lazy_smp;
#[cfg(feature = "study")]
mod minimax;
mod montecarlo;
#[cfg(feature = "study")]
mod mtdf;
mod order;
mod platform;
mod playing;
#[cfg(feature = "study")]
mod proof;
mod ranking;
mod root_search;
mod search_line;
mod settings;
mod strategy;
mod table;
mod table_names;
#[cfg(feature = "study")]
mod whole;

#[cfg(feature = "study")]
pub use decide::{Decision, decide};
pub use decisions::Decisions;
pub use deep_stack::{DeepStackError, STACK_BYTES, on_deep_stack};
pub use driver::{Report, SearchRoot, search, search_with, table_fits};
pub use fixed::FixedDepth;
pub use montecarlo::{MonteCarlo, MonteCarloTree, Statistics};
pub use play::Algorithm;
#[cfg(feature = "study")]
pub use proof::{Answer, Numbers, ProofTable, Prover, Proving};
pub use settings::{ALGORITHMS, Settings, Techniques};
pub use strategy::Strategy;
pub use table::Table;
#[cfg(feature = "study")]
pub use whole::strategy_of;
