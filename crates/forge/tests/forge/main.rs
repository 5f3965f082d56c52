//! The crate from outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "read by whoever runs it")]

mod mutants;
mod transcripts;
