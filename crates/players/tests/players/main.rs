//! Bots and levels.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bots;
mod levels;
mod levels_page;
