//! Every search against plain minimax, known answers and its own limits.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod allocations;
mod common;
mod decide;
mod fixed;
mod go_positions;
mod known_answers;
mod limits;
mod line_questions;
mod lines;
mod montecarlo;
mod platform;
mod playing;
mod proof;
mod random_games;
mod real_games;
mod same_keys;
mod strategy;
mod threads;
