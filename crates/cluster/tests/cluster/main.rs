//! The record of a cluster, on both engines.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod benchmark;
mod crashes;
mod project;
mod random;
mod server;
mod suite;
