//! Solving by work queue and by table, and what is stored of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod certificates;
mod games;
mod queue;
mod strong;
