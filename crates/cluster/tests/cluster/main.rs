//! The record of a cluster on both engines; workers and doors over real connections, by well-behaved
//! and by bad clients.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "read by whoever runs it")]

mod apps;
mod benchmark;
mod boinc;
mod confirming;
mod crashes;
mod driving;
mod dumped;
mod foreign;
mod generation;
mod hall;
mod http;
mod metrics;
mod moving;
mod project;
mod random;
#[allow(dead_code, reason = "tests with whole programs need the rest")]
mod server;
mod several;
mod suite;
mod versions;
mod wire;
mod worker;
