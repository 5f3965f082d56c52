//! Matches, sequential tests and opening books.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod book;
mod matches;
mod sprt;
