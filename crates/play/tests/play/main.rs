//! A game under way, and whole games in files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod looks_back;
mod plain;
mod ring;
