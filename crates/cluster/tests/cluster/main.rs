//! The record of a cluster, on both engines.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "read by whoever runs it")]

mod benchmark;
mod crashes;
mod moving;
mod project;
mod random;
mod server;
mod suite;
