//! Solving by units of work and by table, and what is stored of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod auditing;
mod certificates;
mod circles;
mod coordinating;
mod games;
mod large;
mod lemmas;
mod messages;
mod ruling;
mod simulating;
mod stores;
mod strong;
mod trees;
mod trusting;
mod units;
