//! The rules of each family of games: one folder per family, in each `position`, `moves`,
//! `notation` and `heuristics`, or `evaluation` where that takes several files.
//!
//! What players, solvers and fronts have to know of a game beside its rules, each family says in
//! `playable`: see [`Playable`].
//!
//! **Invariant:** a family never imports another one; shared board arithmetic lives in `game`.
//!
//! Each family's page shows how to play by its rules; a [`GameSession`](play::GameSession) keeps a whole game of any of
//! them, and speaks text:
//!
//! ```
//! use games::reversi::Reversi;
//! use play::{GameSession, Session};
//!
//! let mut session = GameSession::new(Reversi::default());
//! session.play_all("f5 d6 c3")?;
//! assert_eq!(session.moves(), ["d3", "f3", "f4", "g5"]);
//!
//! assert!(session.play("a1").is_err());
//! assert!(session.undo());
//! assert_eq!(session.to_move(), game::Side::First);
//! # Ok::<(), game::TextError>(())
//! ```

pub mod chess;
pub mod draughts;
pub mod go;
pub mod mnk;
mod playable;
pub mod reversi;

pub use playable::{Playable, Stealing, Tuned, facts_of, scores_of};
