//! The list of games: any text, bots, and what is known about solved games.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod any_text;
mod bots;
mod estimates;
mod parameters;
mod solved;
mod versions;
