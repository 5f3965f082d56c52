//! Weights found by machine.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod learning;
